"""The contract: a policy is a compiled function (view, memory, params, rng) -> move, called by its address.

A policy with a convention also observes every move, and keeps in its memory what all players can conclude from it.
"""

import functools
import importlib
import inspect
import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from tamaya.engine.jit import CompilationError, address_of, compile_kernel, kernel
from tamaya.engine.moves import ASK
from tamaya.engine.settings import SEATS, SLOTS, Settings
from tamaya.engine.table import TABLE
from tamaya.engine.text import suggestion
from tamaya.policies.compile_errors import cause_of
from tamaya.policies.roles import ROLES

EXCLUSIONS = SEATS * SLOTS
"""The size of the first part of an observing policy's memory: what its convention excludes of each card, by seat."""

SIGHTS = ("", "hand", "deck")
HAND_SIGHT, DECK_SIGHT = 1, 2
"""What a policy sees beyond its view: nothing, its own hand, or also the deck."""

DECK_WORDS = 60
REPORT = 3
"""The words at the end of every memory in which a search reports its decisions, iterations and depths."""


class PolicyError(ValueError):
    """A policy that cannot be compiled, or that broke the rules."""


class Policy:
    """A compiled policy: its kernels, the words of memory that a seat needs, and its parameters with their defaults."""

    def __init__(
        self,
        kernels: dict[str, Callable[..., Any]],
        memory: int,
        defaults: dict[str, float],
        sees: str = "",
        shares: bool = False,
        weights: Callable[..., np.ndarray] | None = None,
        plays: Callable[[np.ndarray], Settings] | None = None,
    ) -> None:
        self.kernels = kernels
        """The functions by role, not compiled yet."""
        self.memory = memory
        self.defaults = defaults
        self.sees = sees
        self.shares = shares
        self.weights = weights
        self.plays = plays
        self.name = kernels["mover"].__name__
        self._compiled: dict[str, Callable[..., Any]] = {}
        functools.update_wrapper(self, kernels["mover"])

    @property
    def words(self) -> int:
        """The words that a seat keeps, including those for the deck, if the policy sees it, and for the report."""
        return self.memory + (DECK_WORDS if self.sees == "deck" else 0) + REPORT

    def __call__(self, view: Any, memory: np.ndarray, params: np.ndarray, rng: np.ndarray) -> int:
        """The move of the policy for a view, called from Python."""
        return int(self.compiled("mover")(view, memory, params, rng))

    def load_weights(self, settings: Sequence[float] = (), file: str = "") -> np.ndarray:
        """The weights, which follow the settings in ``params``; they can depend on these, or on a file."""
        assert self.weights is not None
        arguments = (settings, file) if self.takes_files else ()
        weights = np.asarray(self.weights(*arguments), dtype=np.float64)
        if weights.ndim != 1:
            raise PolicyError(f"{self.name}: weights must be one row of reals, not of shape {weights.shape}")
        return weights

    @property
    def takes_files(self) -> bool:
        """Whether its weights can come from a file that is named in place of a setting."""
        return self.weights is not None and len(inspect.signature(self.weights).parameters) == 2

    def compiled(self, role: str) -> Callable[..., Any]:
        """The compiled kernel for a role."""
        if role not in self._compiled:
            function, wanted = self.kernels[role], ROLES[role].arguments
            if len(inspect.signature(function).parameters) != wanted.count(",") + 1:
                raise PolicyError(f"{self.name}: {function.__name__} must be a function of {wanted}")
            try:
                self._compiled[role] = compile_kernel(function, ROLES[role].signature)
            except CompilationError as error:
                raise PolicyError(f"{self.name} cannot be compiled: {cause_of(error)}") from error
            except KeyError as error:
                field = str(error.args[0])
                words = f"the view has no field {field!r}{suggestion(field, TABLE.names or ())}"
                raise PolicyError(f"{self.name}: {words}") from error
        return self._compiled[role]

    def address(self, role: str) -> int:
        """The address of the compiled kernel for a role; 0 if the policy has none."""
        return address_of(self.compiled(role), ROLES[role].signature) if role in self.kernels else 0

    def __repr__(self) -> str:
        return f"<policy {self.name}>"

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickles by name, as functions are."""
        return find_policy, (self.kernels["mover"].__module__, self.name)


def find_policy(module: str, name: str) -> Any:
    """The policy with a name in a module."""
    return getattr(importlib.import_module(module), name)


def policy(
    function: Any = None,
    *,
    memory: int = 0,
    sees: str = "",
    observe: Callable[..., Any] | None = None,
    keeps: Callable[..., Any] | None = None,
    evaluates: Callable[..., Any] | None = None,
    appraises: Callable[..., Any] | None = None,
    predicts: Callable[..., Any] | None = None,
    batches: Callable[..., Any] | None = None,
    foresees: Callable[..., Any] | None = None,
    shares: bool = False,
    weights: Callable[..., np.ndarray] | None = None,
    plays: Callable[[np.ndarray], Settings] | None = None,
    **defaults: float,
) -> Any:
    """Makes a policy from a function ``(view, memory, params, rng) -> move``.

    ``memory`` is the number of 64-bit integers that a seat keeps during a game, all zero at its start.
    Further keywords name the entries of ``params``, in order, with their defaults:
    ``@policy(threshold=0.6)`` makes ``name(0.8)`` and ``name(threshold=0.8)`` agents.
    ``sees="hand"`` is for yardsticks that look at their own cards; with ``sees="deck"`` they also see the deck, in
    order, as ``seen_deck(memory)``.

    ``observe``, a function ``(view, mover, move, shown, memory, params)``, is called for every move of every seat,
    before it is made. It gets what the observing seat sees then and what the move shows: the card that is played or
    discarded, or the slots that a hint touches, as a mask. What it writes must be public: the same whichever seat
    observes. The first EXCLUSIONS words hold, as masks, what the convention excludes of each card, [seat, slot];
    searches believe them. With ``shares``, a team of one policy keeps one memory for all seats, which is faster; then
    no decision may read what another one wrote.
    ``keeps``, a function ``(view, memory, params)``, lists the moves that keep the convention, as a mask.

    ``weights``, a function without arguments, loads an array of reals, such as the weights of a network. They follow
    the settings in ``params``; all seats and threads read the same copy. With two arguments, it is given the settings
    and the name of a file, which is empty unless a file is named in place of the first setting.
    ``plays``, a function of ``params``, says which game the weights are for; no other one is played with them.
    ``evaluates``, a function ``(world, params)``, says what a position is worth, from 0 to 1, to searches that
    play no further. ``appraises``, a function ``(view, moves, values, params)``, writes what each move of a mask is
    worth, for searches that add all moves of a position at once. ``predicts``, a function ``(views, memory, chances,
    params)``, writes how likely each move of each view is, for whoever wants to know what a move says about the cards.
    ``batches``, a function ``(views, memory, moves, params, rng)``, makes the moves for many views, where that is
    faster than one by one. ``foresees``, a function ``(worlds, memory, points, params)``, writes how many points some
    positions will still bring, all hands seen, to searches that play such batches no further. All three get the memory
    that belongs to the positions in one array, one after the other.
    """
    kernels = {
        "mover": function,
        "observer": observe,
        "keeper": keeps,
        "evaluator": evaluates,
        "appraiser": appraises,
        "predictor": predicts,
        "batcher": batches,
        "valuer": foresees,
    }
    found = {role: one for role, one in kernels.items() if one is not None}
    if function is None:
        given = {ROLES[role].keyword: one for role, one in found.items()}
        settings: dict[str, Any] = {**given, "shares": shares, "weights": weights, "plays": plays, **defaults}
        return functools.partial(policy, memory=memory, sees=sees, **settings)
    if not 0 <= memory <= 1 << 16:
        raise ValueError(f"memory must be from 0 to 65536 words, not {memory}")
    if observe is not None and 0 < memory < EXCLUSIONS:
        raise ValueError(f"a policy that observes needs at least {EXCLUSIONS} words of memory, not {memory}")
    for name, value in defaults.items():
        if not isinstance(value, (int, float)) or not math.isfinite(value):
            raise ValueError(f"the default of {name} must be a number, not {value!r}")
    if sees not in SIGHTS:
        raise ValueError(f"sees must be one of {', '.join(map(repr, SIGHTS))}, not {sees!r}")
    return Policy(found, memory, defaults, sees, shares, weights, plays)


@kernel
def seen_deck(memory: np.ndarray) -> np.ndarray:
    """The deck, for policies that see it."""
    return memory[len(memory) - REPORT - DECK_WORDS : len(memory) - REPORT]


@kernel
def report_search(memory: np.ndarray, iterations: int, depth: int) -> None:
    """Records, for the statistics of a game, how many iterations a decision took and how deep its tree was."""
    memory[-3] += 1
    memory[-2] += iterations
    memory[-1] += depth


@policy
def ask_python(view, memory, params, rng):  # type: ignore[no-untyped-def]
    """Stands in for an agent written in plain Python."""
    return ASK
