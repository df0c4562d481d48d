"""Policies: compiled functions (view, memory, params, rng) -> move, passed as pointers.

A policy with a convention also observes every move, and keeps in its memory what all players can conclude from them.
"""

import functools
import importlib
import math
import re
from collections.abc import Callable
from typing import Any

import numpy as np

from tamaya.cards import SEATS, SLOTS
from tamaya.expression import nearest
from tamaya.jit import (
    CompilationError,
    address_of,
    float64,
    function_reader,
    function_type,
    int64,
    kernel,
    tuple_of,
    typed_kernel,
)
from tamaya.moves import ASK
from tamaya.randomness import RNG
from tamaya.table import TABLE, TABLE_TYPE

SIGNATURE = int64(TABLE_TYPE, int64[::1], float64[::1], RNG)
TEAM = tuple_of(function_type(SIGNATURE), SEATS)
"""The type of the policies of the five seats, in signatures; seats that nobody takes are filled up."""


OBSERVER = int64(TABLE_TYPE, int64, int64, int64, int64[::1], float64[::1])
OBSERVERS = tuple_of(function_type(OBSERVER), SEATS)
"""The type of the observers of the five seats: (view, mover, move, shown, memory, params), before the move is made."""

KEEPER = int64(TABLE_TYPE, int64[::1], float64[::1])
"""The type of what lists the moves that keep a convention: (view, memory, params), as a mask."""

policy_at, observer_at, keeper_at = function_reader(SIGNATURE), function_reader(OBSERVER), function_reader(KEEPER)
"""The functions at an address, in kernels."""

EXCLUSIONS = SEATS * SLOTS
"""The first words of the memory of a policy that observes: what its convention excludes of each card, seat by seat."""

SIGHTS = ("", "hand", "deck")
HAND_SIGHT, DECK_SIGHT = 1, 2
"""What a policy sees beyond its view: nothing, its own hand, or the deck too."""

DECK_WORDS = 60
REPORT = 3
"""Words at the end of every memory in which a search says what it did: decisions, iterations, depths."""


class PolicyError(Exception):
    """A policy that cannot be compiled or did something it must not."""


class Policy:
    """A compiled policy: its kernel, how many words of memory a seat needs, and its parameters with their defaults."""

    def __init__(
        self,
        function: Callable[..., Any],
        memory: int,
        defaults: dict[str, float],
        sees: str = "",
        observe: Callable[..., Any] | None = None,
        keeps: Callable[..., Any] | None = None,
        shares: bool = False,
    ) -> None:
        self.function = function
        self.observe = observe
        self.keeps = keeps
        self.shares = shares
        self.memory = memory
        self.defaults = defaults
        self.sees = sees
        self.name = function.__name__
        functools.update_wrapper(self, function)

    @property
    def words(self) -> int:
        """The words that a seat keeps, with those of the deck, if the policy sees it, and of the report."""
        return self.memory + (DECK_WORDS if self.sees == "deck" else 0) + REPORT

    @property
    def sight(self) -> int:
        """What it sees beyond its view, as a number."""
        return SIGHTS.index(self.sees)

    def __call__(self, view: Any, memory: np.ndarray, params: np.ndarray, rng: np.ndarray) -> int:
        """The move of the policy for a view, as from Python."""
        return int(self.pointer(view, memory, params, rng))

    @functools.cached_property
    def pointer(self) -> Callable[..., Any]:
        """The compiled kernel, which numba passes as a function pointer."""
        return self._compiled(self.function, SIGNATURE)

    @functools.cached_property
    def observer(self) -> Callable[..., Any]:
        """The compiled observer; one that does nothing if there is none."""
        return self._compiled(self.observe, OBSERVER) if self.observe else ignore

    @functools.cached_property
    def keeper(self) -> Callable[..., Any] | None:
        """The compiled function that lists the moves that keep the convention, if there is one."""
        return self._compiled(self.keeps, KEEPER) if self.keeps else None

    def _compiled(self, function: Callable[..., Any], signature: Any) -> Callable[..., Any]:
        try:
            return typed_kernel(signature)(getattr(function, "py_func", function))
        except CompilationError as error:
            raise PolicyError(f"{self.name} cannot be compiled: {first_cause(error)}") from error
        except KeyError as error:
            field = str(error.args[0])
            raise PolicyError(
                f"{self.name}: the view has no field {field!r}{nearest(field, TABLE.names or ())}"
            ) from error

    @property
    def addresses(self) -> tuple[int, int, int]:
        """Where the compiled kernels lie, for policies that call others: of moves, observer and keeper, 0 for none."""
        return (
            address_of(self.pointer, SIGNATURE),
            address_of(self.observer, OBSERVER) if self.observe else 0,
            address_of(self.keeper, KEEPER) if self.keeps else 0,
        )

    def __repr__(self) -> str:
        return f"<policy {self.name}>"

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickles by name, as functions are."""
        return find_policy, (self.function.__module__, self.name)


def find_policy(module: str, name: str) -> Any:
    """The policy of a name in a module."""
    return getattr(importlib.import_module(module), name)


def first_cause(error: Exception) -> str:
    """What numba found wrong, and where, without its chain of passes and the fields of the view."""
    noise = (
        "Failed in",
        "During:",
        "- ",
        "There are",
        "Overload of",
        "Operator Overload",
        "With argument",
        "No match",
        "*",
    )
    text = re.sub(r"Record\(.*?;\d+;(?:True|False)\)", "view", str(error))
    lines = dict.fromkeys(line.rstrip() for line in text.splitlines())
    return "\n".join(line for line in lines if line.strip() and not line.strip().startswith(noise))


def policy(
    function: Any = None,
    *,
    memory: int = 0,
    sees: str = "",
    observe: Callable[..., Any] | None = None,
    keeps: Callable[..., Any] | None = None,
    shares: bool = False,
    **defaults: float,
) -> Any:
    """Makes a policy of a function ``(view, memory, params, rng) -> move``.

    ``memory`` is the number of 64-bit integers that a seat keeps during a game, all zero at its start.
    Further keywords name the entries of ``params``, in order, with their defaults:
    ``@policy(threshold=0.6)`` makes ``name(0.8)`` and ``name(threshold=0.8)`` agents.
    ``sees="hand"`` is for yardsticks that look at their own cards; with ``sees="deck"``, ``seen_deck(memory)`` is the
    deck, in its order, too.

    ``observe``, a function ``(view, mover, move, shown, memory, params)``, is called for every move of every seat,
    before it is made, with what the observing seat sees then and what the move shows: the card that is played or
    discarded, or the slots that a hint touches, as a mask. What it writes must be public: the same whichever seat
    observes. The first EXCLUSIONS words hold, as masks, what the convention excludes of each card, [seat, slot];
    searches believe them. With ``shares`` a team of one policy keeps one memory for all, which is faster; then a
    decision must not read what another one wrote.
    ``keeps``, a function ``(view, memory, params)``, lists the moves that keep the convention, as a mask.
    """
    if function is None:
        settings: dict[str, Any] = {"observe": observe, "keeps": keeps, "shares": shares, **defaults}
        return functools.partial(policy, memory=memory, sees=sees, **settings)
    if not 0 <= memory <= 1 << 16:
        raise ValueError(f"memory must be a number of words from 0 to 65536, not {memory}")
    if observe is not None and 0 < memory < EXCLUSIONS:
        raise ValueError(f"a policy that observes needs {EXCLUSIONS} words of memory or more, not {memory}")
    for name, value in defaults.items():
        if not isinstance(value, (int, float)) or not math.isfinite(value):
            raise ValueError(f"the default of {name} must be a number, not {value!r}")
    if sees not in SIGHTS:
        raise ValueError(f"sees must be one of {', '.join(map(repr, SIGHTS))}, not {sees!r}")
    return Policy(function, memory, defaults, sees, observe, keeps, shares)


@kernel
def seen_deck(memory: np.ndarray) -> np.ndarray:
    """The deck, for policies that see it."""
    return memory[len(memory) - REPORT - DECK_WORDS : len(memory) - REPORT]


@kernel
def report_search(memory: np.ndarray, iterations: int, depth: int) -> None:
    """Notes for the statistics of a game that a decision took so many iterations, in a tree of this depth."""
    memory[-3] += 1
    memory[-2] += iterations
    memory[-1] += depth


@typed_kernel(OBSERVER)
def ignore(view, mover, move, shown, memory, params):  # type: ignore[no-untyped-def]
    """Observes nothing."""
    return 0


@policy
def ask_python(view, memory, params, rng):  # type: ignore[no-untyped-def]
    """Stands in for an agent written in plain Python."""
    return ASK
