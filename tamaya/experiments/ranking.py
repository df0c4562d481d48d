"""Who plays best in a run: the mean of every agent over all its cells."""

import math

import msgspec

from tamaya.arena.statistics import student_95
from tamaya.core.text import plain
from tamaya.experiments.lineups import Cell
from tamaya.experiments.runs import Run


class Rank(msgspec.Struct, frozen=True):
    """An agent's mean score over its cells, on the decks that all of them have played."""

    agent: str
    games: int
    mean: float
    margin: float
    """Half of the 95 % interval."""
    by_players: dict[int, float]


def cells_by_agent(cells: list[Cell]) -> dict[str, list[Cell]]:
    """The cells of every agent; in those of every two agents both are tested."""
    found: dict[str, list[Cell]] = {}
    for cell in cells:
        sides = {cell.agent, cell.partner} if cell.kind == "every-pair" else {cell.agent}
        for name in sorted(sides - {""}):
            found.setdefault(name, []).append(cell)
    return found


def ranking(run: Run) -> list[Rank]:
    """The agents of a run, the best first, as far as they have played."""
    played = [cell for cell, (number, games) in run.cells.items() if run.store.reached(number, games)]
    ranks = []
    for name, cells in cells_by_agent(played).items():
        games, mean, error = run.average(cells)
        players = sorted({cell.settings.players for cell in cells})
        parts = {count: [cell for cell in cells if cell.settings.players == count] for count in players}
        means = {count: run.average(part)[1] for count, part in parts.items()} if len(players) > 1 else {}
        ranks.append(Rank(plain(name), games, mean, student_95(games) * error if games > 1 else math.nan, means))
    return sorted(ranks, key=lambda rank: -rank.mean)
