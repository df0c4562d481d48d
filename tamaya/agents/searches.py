"""The searches as data, by name: what each is, what stands in its brackets, and what can be set."""

import abc
import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from tamaya.agents.rule_based_agents import BOUZY, GOODMAN, MONIS, TAMAYA, WALTON_RIVERS
from tamaya.engine.settings import SEATS
from tamaya.engine.text import suggestion
from tamaya.policies.language import AgentError, Call, Value, parse
from tamaya.search.search_settings import (
    MOST_MODELS,
    DeviationSettings,
    FlatSettings,
    Flaw,
    SearchSettings,
    Setting,
    Strangers,
    TreeSettings,
)

HASTY = 25.0
"""Milliseconds per move below which a search on a network cannot keep many hands up to date."""

POOL = (
    "legal-random, cautious, iggi, flawed, piers, risky(0.6), outer, vdb, evalfn(3, convention=no), "
    "evalfn(3, convention=yes)"
)
"""The strangers whom an ally knows, those of Goodman's Table VII."""

PUBLISHED = Setting("published", bool)
"""Whether a search has the flaw of its published code."""


class Given(NamedTuple):
    """What a call of a search gives."""

    named: dict[str, Value]
    """Settings, and agents and words, by name."""
    models: tuple[Value, ...] = ()
    """The policies that play for the others."""


@dataclass(frozen=True)
class Search(abc.ABC):
    """A search as data: what it is, and the settings that can be changed."""

    source: str
    summary: str
    settings: SearchSettings
    takes: tuple[str, ...]
    """The settings that can be changed, in the order in which they are listed."""
    rules: str = ""
    """The set of rules that narrows it, if not all moves are considered."""
    rollout: str = "legal-random"
    flaw: Flaw = Flaw.NONE
    """The flaw of the published code that ``published=yes`` brings back."""
    sees_deck: bool = False

    @property
    @abc.abstractmethod
    def brackets(self) -> str:
        """What stands in its brackets before the settings, in words."""

    @abc.abstractmethod
    def read(self, call: Call) -> Given:
        """Returns what a call of it gives; raises AgentError for what it does not take."""

    def named(self, call: Call) -> dict[str, Value]:
        """Returns what a call gives by name; raises AgentError for unknown names and those given twice."""
        known, given = (*self.takes, *self.settings.parts), {}
        for key, value in call.keywords:
            if key not in known:
                has = ", ".join(known)
                raise AgentError(f"{call.name} has no setting {key!r}; it has {has}{suggestion(key, known)}")
            if key in given:
                raise AgentError(f"{call}: {key} is given twice")
            given[key] = value
        return given

    @property
    def defaults(self) -> dict[str, Any]:
        """The settings that can be changed, with their defaults."""
        values = self.settings.values() | {PUBLISHED.name: False}
        return {name: values[name] for name in self.takes}

    def settings_on(self, is_learned: bool, given: Mapping[str, float]) -> SearchSettings:
        """Returns its settings on a rollout policy, which may be a network that values positions too."""
        return self.settings

    def settings_for(self, call: Call, is_learned: bool, given: Mapping[str, float]) -> SearchSettings:
        """Returns its settings for a call; raises AgentError for what makes no sense."""
        changed = {name: number for name, number in given.items() if name != PUBLISHED.name}
        settings = self.settings_on(is_learned, given).with_given(call, changed)
        is_published = PUBLISHED.read(call, given.get(PUBLISHED.name, 0.0))
        return dataclasses.replace(settings, flaw=self.flaw) if is_published else settings


@dataclass(frozen=True)
class RolloutSearch(Search):
    """A search with its rollout policy in brackets, in which everybody is one of its own."""

    @property
    def brackets(self) -> str:
        """What stands in its brackets before the settings, in words."""
        return f"rollout={self.rollout}"

    def read(self, call: Call) -> Given:
        """Returns what a call of it gives; raises AgentError for what it does not take."""
        return Given(with_rollout(call, self.named(call)))


@dataclass(frozen=True)
class PolicySearch(Search):
    """A search on top of a policy, which stands in brackets."""

    learned: SearchSettings | None = None
    """Its settings where the policy is a network that values positions too."""
    hasty: SearchSettings | None = None
    """And where it has less than ``HASTY`` milliseconds per move beside."""

    @property
    def brackets(self) -> str:
        """What stands in its brackets before the settings, in words."""
        return "policy"

    def read(self, call: Call) -> Given:
        """Returns what a call of it gives; raises AgentError for what it does not take."""
        given = with_rollout(call, self.named(call))
        if "rollout" not in given:
            raise AgentError(f"{call.name} needs a policy to search on top of, as in {call.name}(information)")
        return Given(given)

    def settings_on(self, is_learned: bool, given: Mapping[str, float]) -> SearchSettings:
        """Returns its settings on a policy, which may be a network that values positions too."""
        is_hasty = 0 < given.get("ms", self.settings.ms) < HASTY
        found = self.hasty if is_hasty else self.learned
        return found if found and is_learned and not given.get("literal") else self.settings


@dataclass(frozen=True)
class ModelSearch(Search):
    """A search with models of the others in brackets."""

    @property
    def brackets(self) -> str:
        """What stands in its brackets before the settings, in words."""
        return f"model, ..., rollout={self.rollout}"

    def read(self, call: Call) -> Given:
        """Returns what a call of it gives; raises AgentError for what it does not take."""
        given = self.named(call)
        if not call.arguments:
            raise AgentError(f"{call.name} needs models of the others, as in {call.name}(iggi)")
        if len(call.arguments) > SEATS - 1:
            count = len(call.arguments)
            raise AgentError(f"{call}: {count} models given; there are at most {SEATS - 1} others")
        return Given(given, call.arguments)


@dataclass(frozen=True)
class LeafSearch(Search):
    """A search with whose values count at its leaves in brackets: a generation of evalfn, or a file of weights."""

    @property
    def brackets(self) -> str:
        """What stands in its brackets before the settings, in words."""
        return "generation"

    def read(self, call: Call) -> Given:
        """Returns what a call of it gives; raises AgentError for what it does not take."""
        given = self.named(call)
        if len(call.arguments) > 1 or (call.arguments and "leaf" in given):
            raise AgentError(f"{call}: one generation, file of weights or leaf expected")
        return Given({"leaf": Call("evalfn", call.arguments)} | given)


@dataclass(frozen=True)
class AllySearch(Search):
    """A search among strangers, a pool of which stands in brackets."""

    leaf: Call | None = None
    """Whose values count at its leaves."""

    @property
    def brackets(self) -> str:
        """What stands in its brackets before the settings, in words."""
        rollout = f", rollout={self.rollout}" if "rollout" in self.settings.parts else ""
        return f"stranger, ...{rollout}, likelihood=asked"

    def read(self, call: Call) -> Given:
        """Returns what a call of it gives, the pool of all strangers if it gives none."""
        leaf: dict[str, Value] = {"leaf": self.leaf} if self.leaf else {}
        strangers = call.arguments or parse(f"pool({POOL})")[0].arguments
        if len(strangers) > MOST_MODELS:
            raise AgentError(f"{call.name}: {len(strangers)} policies given; a pool has at most {MOST_MODELS}")
        return Given(leaf | self.named(call), strangers)


def with_rollout(call: Call, given: dict[str, Value]) -> dict[str, Value]:
    """Returns what a call gives, with the rollout policy that may stand in its brackets."""
    if len(call.arguments) > 1 or (call.arguments and "rollout" in given):
        raise AgentError(f"{call}: one rollout policy expected")
    return given | {"rollout": call.arguments[0]} if call.arguments else given


SQRT_2 = 2**0.5
BUDGET = ("iterations", "ms")
TREE = (*BUDGET, "exploration", "tree_depth", "rollout_depth")
DEVIATION = (*BUDGET, "confidence", "margin")
WEIGHTS = ("score", "lives", "cards")
STRANGERS = ("learns", "knows")
ON_POLICY = (*DEVIATION, "prior", "confirm", "rollout_depth", "literal", "hands", "fresh")
MONIS_SETTINGS = TreeSettings(exploration=SQRT_2, rollout_depth=4, score=10.0, lives=3.0, cards=1.0)

SEARCHES: dict[str, Search] = {
    "mcs": RolloutSearch(
        WALTON_RIVERS,
        "one ply of UCB, rollouts of 18 moves by a policy",
        TreeSettings(exploration=SQRT_2, tree_depth=0, rollout_depth=18, by_value=True),
        (*BUDGET, "exploration", "rollout_depth", "published"),
        flaw=Flaw.PROPOSALS,
    ),
    "flat": RolloutSearch(
        BOUZY,
        "depth one: tries every move in the same sampled deals, with rollouts by a policy",
        FlatSettings(),
        ("deals", "ms", "rollout_depth", "convention", "literal"),
    ),
    "search": PolicySearch(
        TAMAYA,
        "depth one on top of a policy: deviates from its move where another is clearly better in the same deals",
        DeviationSettings(hands=128, fresh=64),
        ON_POLICY,
        learned=DeviationSettings(margin=0.005, prior=0.1, confirm=False, rollout_depth=8, hands=512, fresh=256),
        hasty=DeviationSettings(margin=0.02, prior=0.1, confirm=False, rollout_depth=1, hands=128, fresh=64),
    ),
    "mo": RolloutSearch(
        GOODMAN,
        "MO-ISMCTS: one sampled world per iteration, the moves of all players in one tree",
        TreeSettings(),
        (*TREE, "convention", "published", "infers"),
        flaw=Flaw.NO_OWN_CARDS,
    ),
    "ris": RolloutSearch(
        GOODMAN,
        "RIS-MCTS: the others' hands are dealt again at their nodes",
        TreeSettings(redeals=True),
        (*TREE, "convention", "infers"),
    ),
    "ris-nr": LeafSearch(
        GOODMAN,
        "RIS-MCTS without rollouts: all moves of a leaf are added at once, valued by evalfn",
        TreeSettings(exploration=0.03, redeals=True, expands=True, rollout_depth=0, convention=True),
        (*BUDGET, "exploration", "tree_depth", "convention"),
        rules="goodman",
    ),
    "is-mcts": RolloutSearch(
        WALTON_RIVERS,
        "one tree over sampled worlds, with no bound on its depth",
        TreeSettings(exploration=SQRT_2, tree_depth=30, rollout_depth=100, by_value=True),
        TREE,
    ),
    "predictor": ModelSearch(
        WALTON_RIVERS,
        "is-mcts for its own moves; models predict those of the others",
        TreeSettings(exploration=SQRT_2, tree_depth=30, rollout_depth=100, by_value=True),
        TREE,
    ),
    "ally": AllySearch(
        TAMAYA,
        "among strangers: learns from their moves who of a pool each of them is, and plays the best reply to them",
        DeviationSettings(confirm=False, strict=False, strangers=Strangers()),
        (*DEVIATION, *STRANGERS),
        rollout="piers",
    ),
    "ally-nr": AllySearch(
        GOODMAN,
        "ally without rollouts: a tree of its own moves, valued by evalfn; the mixed-track agent as published",
        TreeSettings(exploration=0.03, expands=True, rollout_depth=0, strangers=Strangers()),
        (*BUDGET, "exploration", "tree_depth", "convention", *STRANGERS),
        rules="goodman",
        leaf=Call("evalfn", (3.0,)),
    ),
    "mcts": RolloutSearch(
        MONIS, "short rollouts, valued by score, lives and cards left", MONIS_SETTINGS, (*TREE, *WEIGHTS)
    ),
    "seeing-mcts": RolloutSearch(
        MONIS, "mcts that sees its own hand and the deck", MONIS_SETTINGS, (*TREE, *WEIGHTS), sees_deck=True
    ),
}
