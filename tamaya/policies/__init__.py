"""Who plays: the contract of policies, the language that names agents, agents and players."""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tamaya.policies.contract import EXCLUSIONS, Policy, PolicyError, policy, report_search, seen_deck

__all__ = ["EXCLUSIONS", "Policy", "PolicyError", "policy", "report_search", "seen_deck"]


def __getattr__(name: str) -> Any:
    """A name of the contract, loaded when it is first asked for."""
    if name not in __all__:
        raise AttributeError(f"module 'tamaya.policies' has no attribute {name!r}")
    return getattr(importlib.import_module("tamaya.policies.contract"), name)
