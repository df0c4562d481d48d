"""Agents and players: who can take a seat, and who sits there in one game."""

import functools
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from tamaya.engine import is_legal
from tamaya.expression import AgentError
from tamaya.moves import FAULT
from tamaya.notation import Move
from tamaya.policies import Policy, PolicyError
from tamaya.position import Seen, View
from tamaya.search.plan import MILLISECONDS, MODEL_PART, RANDOM, ROLLOUT_PART, Part, encode_plan


@dataclass(frozen=True)
class Agent:
    """Somebody who can take a seat: a compiled policy with its settings, or a Python class with ``act(view)``."""

    name: str
    policy: Policy
    settings: np.ndarray = field(repr=False)
    parts: tuple["Agent", ...] = ()
    """The agents that this one calls: the rules, rollouts and models of a search."""
    python: Callable[[], Any] | None = None

    def __str__(self) -> str:
        return self.name

    @functools.cached_property
    def params(self) -> np.ndarray:
        """The settings, and after them the parts, compiled, as the policy reads them."""
        return encode_plan(self.settings, [part.as_part() for part in self.parts]) if self.parts else self.settings

    @property
    def watches(self) -> bool:
        """Whether it, or a part of it, observes every move."""
        return any(part.watches for part in self.parts) if self.parts else self.policy.observe is not None

    @property
    def words(self) -> int:
        """The words of memory of a seat, those of the parts that observe first."""
        return self.policy.words + sum(part.words for part in self.parts if part.watches)

    def shares_memory(self, other: "Agent") -> bool:
        """Whether its memory is, at any moment, the same as that of another agent: their convention is the same."""
        is_same = self.policy is other.policy and np.array_equal(self.params, other.params)
        return self.watches and self.policy.shares and is_same

    def as_part(self) -> Part:
        """What another agent needs to call this one."""
        (moves, observer, keeper), policy = self.policy.addresses, self.policy
        moves, observer = RANDOM if self.name == "legal-random" else moves, observer if self.watches else 0
        return Part(
            moves, observer, keeper, policy.sight, int(policy.shares and observer != 0), self.words, self.params
        )

    @property
    def is_timed(self) -> bool:
        """Whether it, or a part of it, thinks by the clock."""
        return any((self.settings[MILLISECONDS] > 0, *(part.is_timed for part in self.parts))) if self.parts else False

    def check_seats(self, players: int) -> None:
        """Refuses a table at which there are not as many others as models of them."""
        models = len(self.parts) - MODEL_PART if self.parts else 0
        if models > 1 and models != players - 1:
            raise AgentError(f"{self} has {models} models; one, or one for each of {players - 1} others, expected")

    def played_by(self, number: int) -> str:
        """Who plays a seat in the rollouts of a search, counted from 1, the own one."""
        models = self.parts[MODEL_PART:]
        return str(self.parts[ROLLOUT_PART] if number == 1 or not models else models[(number - 2) % len(models)])

    def sit_down(self) -> "Player":
        """Takes a seat for one game."""
        return Player(self)


class Player:
    """An agent at one seat of one game, with the memory that it keeps there."""

    def __init__(self, agent: Agent) -> None:
        self.agent = agent
        self.memory = np.zeros(agent.words, dtype=np.int64)
        self.seen: list[Seen] = []
        self.mind = agent.python() if agent.python else None

    def catch_up(self, view: View) -> None:
        """Observes the moves since it was asked last; all of them if these are not those of before and more."""
        if not self.agent.watches:
            return
        is_same = all(old is new or old.is_same(new) for old, new in zip(self.seen, view.past, strict=False))
        if len(view.past) < len(self.seen) or not is_same:
            self.memory[:] = 0
            self.seen = []
        for tables, *what in view.past[len(self.seen) :]:
            self.agent.policy.observer(tables[0], *what, self.memory, self.agent.params)
        self.seen = list(view.past)

    def answer(self, view: View) -> int:
        """The number of the move for what the seat sees, or what else the agent says."""
        if self.agent.policy.sees:
            raise PolicyError(f"{self.agent} sees hidden cards, which a view does not show; it plays in matches only")
        if self.mind is None:
            rng = np.array([view.seed], dtype=np.uint64)
            self.catch_up(view)
            return self.agent.policy(view.tables.copy()[0], self.memory, self.agent.params, rng)
        move = self.mind.act(view)
        move = Move.parse(move) if isinstance(move, str) else move
        if not isinstance(move, Move):
            raise TypeError(f"act(view) must return a Move, such as one of view.legal_moves, not {move!r}")
        return view.encode(move)

    def act(self, view: View) -> Move:
        """The move for what the seat sees."""
        if view.seat != view.mover or view.is_over:
            raise ValueError(f"seat {view.seat} is not to move")
        return self.understand(self.answer(view), view)

    def understand(self, answer: int, view: View) -> Move:
        """The move of an answer; raises when it is none."""
        if answer < FAULT:
            raise PolicyError(f"{self.agent}: {self.agent.played_by(FAULT - answer)} made an illegal move in a rollout")
        if not is_legal(view.table, answer):
            raise PolicyError(f"{self.agent} has no legal move; it answered {answer}")
        return view.decode(answer)
