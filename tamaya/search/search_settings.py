"""The settings of searches: what each kind of search is, what a user may give it, and in which range."""

import abc
import dataclasses
import enum
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple, Self

from tamaya.policies.language import AgentError, Call

MOST_ITERATIONS = 10**9
MOST_HANDS = 1024
"""The most iterations of a search, and the most hands that one keeps in mind."""

MOST_MODELS = 12
"""The most policies that play for the others."""


class Flaw(enum.IntEnum):
    """A flaw of the published code of a search."""

    NONE = 0
    NO_OWN_CARDS = 1
    """The rules count the mover's own cards as seen."""
    PROPOSALS = 2
    """The tree holds only what the rollout policy proposes."""

    @property
    def needs_rules(self) -> bool:
        """Whether it makes a difference only where rules propose the moves, or only where they do not."""
        return self is Flaw.NO_OWN_CARDS


class Setting(NamedTuple):
    """A setting that a user may give: yes or no, a whole number, or any number of a range."""

    name: str
    kind: type
    low: float = 0.0
    high: float = MOST_ITERATIONS

    def read(self, call: Call, number: float) -> Any:
        """Returns the value that a number stands for; raises AgentError if it makes no sense in a call."""
        if self.kind is bool:
            if number not in (0.0, 1.0):
                raise AgentError(f"{call}: {self.name} must be yes or no")
        elif not self.low <= number <= self.high:
            raise AgentError(f"{call}: {self.name} must be from {self.low:g} to {self.high:,}")
        elif self.kind is int and number != int(number):
            raise AgentError(f"{call}: {self.name} must be a whole number, not {number:g}")
        return self.kind(number)


def ranged(default: Any, low: float = 0.0, high: float = MOST_ITERATIONS) -> Any:
    """A field with the range of a setting."""
    return dataclasses.field(default=default, metadata={"low": low, "high": high})


@dataclass(frozen=True)
class Strangers:
    """Among strangers: each of the others is one of a pool of policies."""

    learns: bool = True
    """Whether the search learns from their moves who they are."""
    knows: bool = False
    """Whether the pool names the others one by one, from the next player on, so that nothing is left to learn."""


@dataclass(frozen=True)
class SearchSettings(abc.ABC):
    """What all searches have."""

    ms: float = 0.0
    """The time for a decision in milliseconds; unless 0, it replaces the number of iterations or deals as the limit."""
    rollout_depth: int = 160
    convention: bool = False
    """Whether it takes cards that the previous player touched alone for playable."""
    literal: bool = False
    """Whether the moves made so far, and those compared, mean only what they say: conventions hold after them."""
    strict: bool = False
    """Whether no points count when all lives are lost."""
    score: float = 1.0
    lives: float = 0.0
    cards: float = 0.0
    """The weights of score, lives and cards left at the end of a rollout."""
    hands: int = ranged(0, high=MOST_HANDS)
    """How many hands of its own it keeps in mind, weighted by how likely its policy makes the others' moves."""
    fresh: int = ranged(0, high=MOST_HANDS)
    """How many it deals anew at most where it has too few; it tries to change twice as many, or as time allows."""
    strangers: Strangers | None = None
    flaw: Flaw = Flaw.NONE
    """Which flaw of the published code it has."""

    @property
    @abc.abstractmethod
    def own_parts(self) -> tuple[str, ...]:
        """The agents and words that such a search takes by name."""

    @property
    def parts(self) -> tuple[str, ...]:
        """The agents and words that it takes by name."""
        among_strangers = ("rules", "likelihood") if self.strangers else ()
        return tuple(dict.fromkeys((*self.own_parts, *among_strangers)))

    @property
    def leaf_role(self) -> str:
        """The role of the policy that values leaves."""
        return "evaluator"

    @property
    def fixes_deck(self) -> bool:
        """Whether all moves that it tries meet the same order of the deck."""
        return True

    @property
    def is_inferring(self) -> bool:
        """Whether it infers its own cards from the hints that it gets."""
        return False

    @property
    def is_learning(self) -> bool:
        """Whether it learns from the moves of strangers who they are."""
        return self.strangers is not None and self.strangers.learns and not self.strangers.knows

    def values(self) -> dict[str, Any]:
        """Returns all settings by name, those among strangers too."""
        own = {one.name: getattr(self, one.name) for one in dataclasses.fields(self) if one.name != "strangers"}
        return own | (dataclasses.asdict(self.strangers) if self.strangers else {})

    def with_given(self, call: Call, given: Mapping[str, float]) -> Self:
        """Returns these settings with those that a call gives; raises AgentError for what makes no sense."""
        values = {name: SETTINGS[type(self), name].read(call, number) for name, number in given.items()}
        if self.strangers:
            among = {one.name: values.pop(one.name) for one in dataclasses.fields(Strangers) if one.name in values}
            values["strangers"] = dataclasses.replace(self.strangers, **among)
        found = dataclasses.replace(self, **values)
        if not (found.score or found.lives or found.cards):
            raise AgentError(f"{call}: score, lives and cards cannot all weigh 0")
        return found


@dataclass(frozen=True)
class TreeSettings(SearchSettings):
    """A search that grows a tree of moves over sampled worlds."""

    iterations: int = ranged(1000, low=1)
    exploration: float = 0.1
    tree_depth: int = 3
    """In rounds."""
    by_value: bool = False
    """Whether the final move is the one with the best mean value, not the one with the most visits."""
    redeals: bool = False
    """Whether the others' hands are dealt again at their nodes."""
    expands: bool = False
    """Whether all moves of a leaf are added at once, valued by what appraises them, and nothing is rolled out."""
    infers: bool = False
    """Whether it infers its own cards from the hints that it gets, by where its rules and policy would give them."""

    @property
    def own_parts(self) -> tuple[str, ...]:
        """The agents and words that a tree search takes by name."""
        return ("leaf", "rules", "final") if self.expands else ("leaf", "rollout", "rules", "final")

    @property
    def leaf_role(self) -> str:
        """The role of the policy that values leaves."""
        return "appraiser" if self.expands else "evaluator"

    @property
    def fixes_deck(self) -> bool:
        """Whether all moves that it tries meet the same order of the deck."""
        return False

    @property
    def is_inferring(self) -> bool:
        """Whether it infers its own cards from the hints that it gets."""
        return self.infers


@dataclass(frozen=True)
class FlatSettings(SearchSettings):
    """A comparison of all moves in the same deals."""

    deals: int = ranged(100, low=1)
    by_value: bool = True
    """Whether the final move is the one with the best mean value; all have been tried as often."""

    @property
    def own_parts(self) -> tuple[str, ...]:
        """The agents and words that a flat comparison takes by name."""
        return ("leaf", "rollout", "rules", "final")


@dataclass(frozen=True)
class DeviationSettings(SearchSettings):
    """A comparison that makes the move of its policy unless another gains more than ``margin`` and ``confidence``."""

    iterations: int = ranged(1000, low=1)
    confidence: float = 1.0
    """In standard errors."""
    margin: float = 0.003
    """In points."""
    prior: float = 0.0
    """By how many points a move differs from the policy's as a rule; unless 0, gains are drawn towards 0 by it."""
    confirm: bool = True
    """Whether half of the budget finds such a move, and the other half confirms its gain in fresh deals."""
    strict: bool = True

    @property
    def own_parts(self) -> tuple[str, ...]:
        """The agents that a search on top of a policy takes by name."""
        return ("leaf", "rollout")


KINDS: tuple[type[SearchSettings], ...] = (TreeSettings, FlatSettings, DeviationSettings)
SETTINGS = {
    (kind, one.name): Setting(one.name, one.type, **one.metadata)
    for kind in KINDS
    for one in (*dataclasses.fields(kind), *dataclasses.fields(Strangers))
    if isinstance(one.type, type)
}
"""What a user may give for the settings of each kind of search."""

NAMES = tuple(dict.fromkeys(name for _, name in SETTINGS))
"""The settings of all kinds."""
