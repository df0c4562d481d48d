"""The names that agents have here: those of recipes and searches, and the policies that have one."""

import importlib
from dataclasses import dataclass, field
from typing import Any

from tamaya.agents.plugins import declared, load_plugin
from tamaya.agents.rule_based_agents import BOUZY, COX, GOODMAN, HANABI_RS, QUUXPLUSONE, RECIPES, TAMAYA
from tamaya.agents.searches import SEARCHES
from tamaya.engine.text import suggestion
from tamaya.policies.language import AgentError, Call, parse


@dataclass(frozen=True)
class Known:
    """A policy that has a name here: where to find it, and its named settings."""

    place: str
    source: str = ""
    presets: dict[str, float] = field(default_factory=dict)
    """Names that set all settings, each of which is yes or no, to one value."""
    fixed: dict[str, float] = field(default_factory=dict)
    """Settings that are part of the name and cannot be changed."""
    summary: str = ""
    """What the name stands for, if that differs from the policy's own docstring."""
    takes_files: bool = True
    """Whether a file of weights may stand in place of its first setting, if its policy has weights."""

    def open(self, defaults: dict[str, float]) -> dict[str, float]:
        """The settings of the policy that can be changed, with their defaults."""
        return {key: bool(value) if self.presets else value for key, value in defaults.items() if key not in self.fixed}

    def load(self) -> Any:
        """The policy."""
        module, _, name = self.place.partition(":")
        return getattr(importlib.import_module(module), name)


SEERS, CONVENTIONS, GREEDY = "tamaya.agents.seers", "tamaya.policies.conventions", "tamaya.networks.evalfn"
POLICIES = {
    "seer-recommendation": Known(f"{SEERS}:seer_recommendation", BOUZY),
    "seer-information": Known(f"{SEERS}:seer_information", BOUZY),
    "cheater": Known(f"{SEERS}:cheater", HANABI_RS),
    "omniscient": Known(f"{SEERS}:omniscient", TAMAYA),
    "self-recognition": Known(f"{CONVENTIONS}.self_recognition:self_recognition", "Osawa 2015"),
    "confidence": Known(f"{CONVENTIONS}.confidence:confidence", BOUZY),
    "hat-recommendation": Known(
        f"{CONVENTIONS}.hat_recommendation:hat_recommendation",
        BOUZY,
        fixed={"free": 1.0},
        summary="recommends a move to everybody by hats where hints may touch nothing; elsewhere cox-recommendation",
    ),
    "hat-information": Known(
        f"{CONVENTIONS}.hat_information:hat_information",
        BOUZY,
        fixed={"free": 1.0},
        summary="tells all their likeliest playable card where hints may touch nothing; elsewhere cox-information",
    ),
    "cox-recommendation": Known(
        f"{CONVENTIONS}.hat_recommendation:hat_recommendation",
        COX,
        fixed={"free": 0.0},
        summary="hat-recommendation with hints that touch a card; made for five players",
    ),
    "cox-information": Known(
        f"{CONVENTIONS}.hat_information:hat_information",
        COX,
        fixed={"free": 0.0},
        summary="hat-information with hints that touch a card; made for five players",
    ),
    "smartbot": Known(f"{CONVENTIONS}.smartbot:smartbot", QUUXPLUSONE),
    "information": Known(f"{CONVENTIONS}.information:information", HANABI_RS, presets={"faithful": 0.0}),
    "evalfn": Known(f"{GREEDY}:evalfn", GOODMAN),
    "rule-classifier": Known(f"{GREEDY}:rule_classifier", GOODMAN),
    "duet": Known(
        "tamaya.networks.policy_network:network",
        TAMAYA,
        takes_files=False,
        summary="a network that learned in self-play, for two players: the strongest agent there without a search",
    ),
}


FORMS = ("rules", "network", "pipe", "hle", "openspiel")
"""Names that make agents of what stands in their brackets."""


def is_ours(name: str) -> bool:
    """Whether a name has a meaning of its own here."""
    return any(name in names for names in (RECIPES, SEARCHES, POLICIES, FORMS))


def check_known(call: Call) -> None:
    """Raises an error for a name that no agent has; this needs no numba, so it is reported at once."""
    if ":" not in call.name and not is_ours(call.name) and call.name not in declared():
        meant = suggestion(call.name, [*RECIPES, *SEARCHES, *POLICIES, *FORMS, *declared()]) or ";"
        raise AgentError(f"there is no agent {call.name!r}{meant} `tamaya agents` lists them all")


def check_text(name: str, before: tuple[str, ...] = ()) -> None:
    """Raises an error if the text that a package declares under a name leads back to it, directly or through others."""
    text = load_plugin(name)
    if name in before:
        raise AgentError(f"{name} stands for {text}, which leads back to itself")
    for member in parse(text) if isinstance(text, str) else ():
        for one in member.within():
            if one.name in declared() and not is_ours(one.name):
                check_text(one.name, (*before, name))


def check_team(text: str) -> int:
    """The size of a team; raises an error for names that no agent has."""
    team = parse(text)
    for call in team:
        check_known(call)
    return len(team)
