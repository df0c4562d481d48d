"""Cells at the table: their teams, seated, and how long their games will take."""

import time
from collections.abc import Iterator, Sequence
from typing import TypeVar

import numpy as np

from tamaya.agents.registry import make_agent
from tamaya.arena.game_loop import OUTCOME
from tamaya.arena.seating import Seating, game_seeds
from tamaya.experiments.lineups import Cell
from tamaya.policies.agent import Agent

T = TypeVar("T")

LONG_GAME = 2.0
"""Games that take longer are not played twice for an estimate."""


class CellSeating:
    """The teams of a cell, each in a seating of its own, playing the games that fall to them."""

    def __init__(self, cell: Cell) -> None:
        self.cell = cell
        self.agents: dict[str, Agent] = {name: make_agent(name) for name in sorted(cell.names)}
        self.seatings: dict[tuple[str, ...], Seating] = {}
        self.is_compiled = all(agent.is_compiled for agent in self.agents.values())
        self.code = " ".join(filter(None, (agent.code for agent in self.agents.values())))
        """A stamp of the user's own code in the agents; empty if all of it is the package's."""

    def seating(self, team: tuple[str, ...]) -> Seating:
        """The seating of a team."""
        if team not in self.seatings:
            agents = [self.agents.get(name) or make_agent(name) for name in team]
            self.seatings[team] = Seating(agents, self.cell.settings)
        return self.seatings[team]

    def prepare(self, seeds: np.ndarray) -> None:
        """Loads or compiles what the games of some seeds need, without playing any."""
        for team in self.cell.teams(seeds):
            self.seating(team).prepare()

    def play(self, seeds: np.ndarray) -> np.ndarray:
        """The outcomes of the games of some seeds, each by the team that its seed draws."""
        outcomes = np.zeros(len(seeds), OUTCOME)
        for team, games in self.cell.teams(seeds).items():
            outcomes[games] = self.seating(team).play(seeds[games])
        return outcomes


def unique(results: Sequence[tuple[Cell, T]]) -> list[tuple[Cell, T]]:
    """Results, each cell once even if two line-ups share it, such as that of an agent with itself."""
    first: dict[str, Cell] = {}
    return [(cell, value) for cell, value in results if first.setdefault(cell.key, cell) is cell]


def estimate(cells: dict[Cell, int], seed: int, seconds: float = 0.2) -> Iterator[tuple[Cell, int, float]]:
    """Cells with their games and the seconds that these will take on one core, from a short sample."""
    for cell, games in unique(list(cells.items())):
        seats, one = CellSeating(cell), game_seeds(seed, 0, 1)
        seats.prepare(one)
        start = time.perf_counter()
        seats.play(one)
        first, played = time.perf_counter() - start, 0
        start = time.perf_counter()
        while time.perf_counter() - start < seconds and played < games and first < LONG_GAME:
            batch = min(games - played, max(1, 2 * played))
            seats.play(game_seeds(seed, played, batch))
            played += batch
        yield cell, games, ((time.perf_counter() - start) / played if played else first) * games
