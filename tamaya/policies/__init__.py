"""Who plays: the contract of policies, the language that names agents, agents and players."""

from tamaya.policies.contract import EXCLUSIONS, Policy, PolicyError, policy, report_search, seen_deck

__all__ = ["EXCLUSIONS", "Policy", "PolicyError", "policy", "report_search", "seen_deck"]
