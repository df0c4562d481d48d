"""How long the games that are left will take, where some cost a million times as much as others."""

import math
from collections.abc import Hashable, Iterable, Mapping
from typing import Any

from tamaya.policies.language import split_budget

MOVES = 65
"""About how many moves a game has."""

COSTS = {"ms": 1e-3, "iterations": 2e-5, "deals": 2e-4}
"""About how many seconds of one core a unit of each budget takes."""

QUICK_GAME = 5e-5
"""About how long a game without search takes."""


def guess_seconds(names: Iterable[str]) -> float:
    """About how long a game of some agents takes on one core, by their budgets alone."""
    seconds = []
    for name in names:
        _, key, budget = split_budget(name)
        seconds.append(MOVES * COSTS[key] * budget if key in COSTS else QUICK_GAME)
    return sum(seconds) / max(1, len(seconds))


class Forecast:
    """What is known of several kinds of games: how many are left, and what they cost so far."""

    def __init__(self, left: Mapping[Any, int], guesses: Mapping[Any, float]) -> None:
        self.games_left = dict(left)
        self.guesses = guesses
        self.played: dict[Hashable, tuple[int, float]] = {}

    def add(self, kind: Hashable, games: int, core_seconds: float, are_new: bool = True) -> None:
        """Counts games that were played, now or before."""
        known, seconds = self.played.get(kind, (0, 0.0))
        self.played[kind] = (known + games, seconds + core_seconds)
        if are_new:
            self.games_left[kind] -= games

    def cost(self, kind: Hashable, scale: float) -> float:
        """The seconds of one core per game: measured, or else guessed and scaled as the measured ones are."""
        games, seconds = self.played.get(kind, (0, 0.0))
        guess: float = self.guesses[kind]
        return seconds / games if games else guess * scale

    def core_seconds_left(self) -> float:
        """How long the games that are left will take on one core."""
        measured = sum(seconds for _, seconds in self.played.values())
        guessed = sum(games * self.guesses[kind] for kind, (games, _) in self.played.items())
        scale: float = measured / guessed if guessed else 1.0
        return math.fsum(games * self.cost(kind, scale) for kind, games in self.games_left.items() if games > 0)
