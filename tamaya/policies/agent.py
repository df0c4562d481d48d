"""Agents and players: who can take a seat, and who sits there in one game."""

import abc
import dataclasses
import functools
import threading
import traceback
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import msgspec
import numpy as np

from tamaya.engine.gameplay import is_legal_at
from tamaya.engine.jit import code_stamp, digest, module_stamp
from tamaya.engine.moves import MOVES
from tamaya.engine.settings import Settings, differing
from tamaya.game.game import Game
from tamaya.game.notation import Move
from tamaya.game.view import Seen, View
from tamaya.policies.contract import SIGHTS, Policy, PolicyError, ask_python
from tamaya.policies.language import AgentError

BUILDING = threading.RLock()


class BuiltOnce(functools.cached_property):  # type: ignore[type-arg]
    """A property that only one thread works out, and only once: seats hold the address of what it returns."""

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        """What was worked out."""
        with BUILDING:
            return super().__get__(instance, owner)


class WrongAnswer(PolicyError):
    """What a class answered although it is not a move."""


class Forfeit(WrongAnswer):
    """An answer, or none, that loses a game, after which other games are played."""


class Candidate(msgspec.Struct, frozen=True):
    """A move that a search considered: how often it was tried, and what it is worth in points."""

    move: str
    visits: int
    value: float
    standard_error: float


class Thoughts(msgspec.Struct, frozen=True):
    """The decision of an agent for a view; for a search, also what it did and all moves considered, best first."""

    agent: str
    move: str
    candidates: list[Candidate] = []
    iterations: int = 0
    depth: int = 0
    milliseconds: float = 0.0
    policy_move: str = ""
    """The move of its policy, if it is a search that deviates from it only for a clearly better one."""
    beliefs: dict[int, dict[str, float]] = {}
    """For a search among strangers: for each of the others, by seat, how likely it is each policy of the pool."""
    chances: dict[str, float] = {}
    """For a learned policy, or a search on one: how likely the policy makes each move, the likeliest first."""
    own_cards: list[dict[str, float]] = []
    """For a search on a learned policy: how likely it takes each of its own cards, oldest first, for which card."""
    foreseen: float = 0.0
    """For a search that asks the policies of a pool: the chance that it gave the last moves of the others, a mean."""


class Agent(abc.ABC):
    """Somebody who can take a seat: a name, a compiled policy, and what the policy needs to play."""

    name: str
    policy: Policy

    def __str__(self) -> str:
        return self.name

    def __getstate__(self) -> dict[str, Any]:
        """Its fields only; what was derived from them, such as addresses, means nothing to another process."""
        return {one.name: getattr(self, one.name) for one in dataclasses.fields(self)}  # type: ignore[arg-type]

    @property
    @abc.abstractmethod
    def params(self) -> np.ndarray:
        """What the policy reads; the array stays in place as long as the agent exists."""

    @property
    def sees(self) -> str:
        """What it sees beyond its view."""
        return self.policy.sees

    @property
    def words(self) -> int:
        """The words of memory that a seat needs."""
        return self.policy.words

    @property
    def watches(self) -> bool:
        """Whether it observes every move."""
        return "observer" in self.policy.kernels

    @property
    def is_compiled(self) -> bool:
        """Whether it plays in compiled code only."""
        return True

    @property
    def is_timed(self) -> bool:
        """Whether its decisions are limited by time."""
        return False

    @property
    def code(self) -> str:
        """A stamp of the code that the user has written for it; empty if all of it is the package's."""
        return code_stamp(getattr(one, "py_func", one) for one in self.policy.kernels.values())

    def check_table(self, settings: Settings) -> None:  # noqa: B027 (most can sit at any table)
        """Raises an error if it cannot play at such a table."""

    def broken_by(self, answer: int) -> str:
        """The agent that broke the rules in its rollouts, if that is what an answer says, else nothing."""
        return ""

    def shares_memory(self, other: "Agent") -> bool:
        """Whether its memory is always the same as another agent's, because they share a convention."""
        is_same = self.policy is other.policy and np.array_equal(self.params, other.params)
        return self.watches and self.policy.shares and is_same

    def fill(self, seat: np.record, roles: tuple[str, ...] = ("mover", "observer")) -> None:
        """Writes what kernels must know about the agent into a seat, and compiles the kernels of some roles."""
        for role in roles:
            seat[role] = self.policy.address(role) if role != "observer" or self.watches else 0
        seat.params, seat.length = self.params.ctypes.data, len(self.params)
        seat.words, seat.sight = self.words, SIGHTS.index(self.sees)
        seat.shares = self.policy.shares and self.watches

    def sit_down(self) -> "Player":
        """Takes a seat for one game."""
        return Player(self)

    def think(self, view: View) -> Thoughts:
        """What it thinks when it sees a view."""
        return Thoughts(self.name, str(self.sit_down().act(view)), chances=self.chances(view))

    def chances(self, view: View) -> dict[str, float]:
        """How likely its policy makes each move, the likeliest first; empty if the policy does not say so."""
        if not self.is_compiled or "predictor" not in self.policy.kernels:
            return {}
        player, found = self.sit_down(), np.zeros(MOVES)
        player.catch_up(view)
        self.policy.compiled("predictor")(view.tables.copy(), player.memory, found, self.params)
        likely = [int(move) for move in np.argsort(-found, kind="stable") if found[move] > 0]
        return {str(view.decode(move)): float(found[move]) for move in likely}


@dataclass(frozen=True)
class PolicyAgent(Agent):
    """A policy with its settings, in the order in which it reads them."""

    name: str
    policy: Policy
    settings: tuple[float, ...] = field(default=(), repr=False)
    file: str = ""
    """Where its weights are read from, if not from where the policy keeps them."""

    @property
    def code(self) -> str:
        """A stamp of the code that the user has written for it, and of its weights."""
        weights = digest([self.params.tobytes()])[:16] if self.policy.weights else ""
        return super().code + weights

    def check_table(self, settings: Settings) -> None:
        """Raises an error if its weights are for another game."""
        game = self.policy.plays(self.params) if self.policy.plays else settings
        if game != settings:
            mine, yours = differing(game, settings)
            raise AgentError(f"{self} plays games with {mine} only, not with {yours}")

    @BuiltOnce
    def params(self) -> np.ndarray:
        """The settings, followed by the weights if the policy has any."""
        settings = np.array(self.settings, dtype=np.float64)
        if not self.policy.weights:
            return settings
        return np.concatenate([settings, self.policy.load_weights(self.settings, self.file)])


@dataclass(frozen=True)
class PythonAgent(Agent):
    """A class in plain Python with ``act(view)``, and the arguments it is created with."""

    name: str
    python: Callable[..., Any]
    arguments: tuple[Any, ...] = ()
    keywords: tuple[tuple[str, Any], ...] = ()
    game_of: Callable[[Settings], Any] | None = None
    """What makes the game that it was written for; it raises AgentError for rules that this game does not have."""

    policy = ask_python
    params = np.zeros(0)

    @property
    def is_compiled(self) -> bool:
        """False: it must be asked in Python."""
        return False

    @property
    def code(self) -> str:
        """A stamp of the modules that the class, and those that it is created with, use."""
        owners = [self.python, *(one for one in self.arguments if hasattr(one, "__module__"))]
        return "".join(module_stamp(one.__module__) for one in owners)

    def check_table(self, settings: Settings) -> None:
        """Raises an error if the game that it was written for does not have such rules."""
        if self.game_of is not None:
            self.game_of(settings)

    def sit_down(self) -> "Player":
        """Takes a seat with a new object of the class."""
        return Player(self, self.python(*self.arguments, **dict(self.keywords)))


class Player:
    """An agent at one seat of one game, with the memory that it keeps there."""

    def __init__(self, agent: Agent, mind: Any = None) -> None:
        self.agent = agent
        self.memory = np.zeros(agent.words, dtype=np.int64)
        self.seen: list[Seen] = []
        self.mind = mind

    def catch_up(self, view: View) -> None:
        """Observes the moves made since it was last asked, or all of them if they do not continue those it has seen."""
        if not self.agent.watches:
            return
        is_same = all(old is new or old.is_same(new) for old, new in zip(self.seen, view.past, strict=False))
        if len(view.past) < len(self.seen) or not is_same:
            self.memory[:] = 0
            self.seen = []
        observe = self.agent.policy.compiled("observer")
        for tables, *what in view.past[len(self.seen) :]:
            observe(tables[0], *what, self.memory, self.agent.params)
        self.seen = list(view.past)

    def answer(self, view: View) -> int:
        """The number of the agent's move for what the seat sees, or whatever else it answers."""
        if self.agent.sees:
            raise PolicyError(f"{self.agent} sees hidden cards, which a view does not show; it plays only in matches")
        self.agent.check_table(view.settings)
        if self.mind is None:
            rng = np.array([view.seed], dtype=np.uint64)
            self.catch_up(view)
            return self.agent.policy(view.tables.copy()[0], self.memory, self.agent.params, rng)
        move = self.mind.act(view)
        try:
            move = Move.parse(move) if isinstance(move, str) else move
            if isinstance(move, Move):
                return view.encode(move)
        except ValueError as error:
            raise WrongAnswer(f"answered {str(move)!r}, which is not a legal move: {error}") from error
        raise WrongAnswer(f"answered {move!r}; act(view) must return a Move, such as one of view.legal_moves")

    def leave(self, game: Game, is_broken_off: bool) -> None:
        """Leaves the table at the end of a game."""

    def act(self, view: View) -> Move:
        """The agent's move for what the seat sees."""
        if view.seat != view.mover or view.is_over:
            raise ValueError(f"it is not seat {view.seat}'s turn")
        return self.understand(self.answer(view), view)

    def understand(self, answer: int, view: View) -> Move:
        """The move that an answer means; raises if it is not one."""
        if self.agent.broken_by(answer):
            raise PolicyError(f"{self.agent}: {self.agent.broken_by(answer)} made an illegal move in a rollout")
        if not is_legal_at(view.tables, answer):
            raise PolicyError(f"{self.agent} has no legal move; it answered {answer}")
        return view.decode(answer)


def blame(error: BaseException) -> str:
    """What was raised, and the line of the user's code that did it."""
    frames = traceback.extract_tb(error.__traceback__)
    place = f" ({frames[-1].filename}:{frames[-1].lineno})" if frames and not isinstance(error, SyntaxError) else ""
    return f"{type(error).__name__}: {error}{place}"
