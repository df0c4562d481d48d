"""The tables of the papers, played again: published beside measured, with a verdict."""

import math
import tomllib
from collections.abc import Iterator
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any

import msgspec

from tamaya.arena import cores
from tamaya.experiment import Cell, Experiment, parse_experiment
from tamaya.expression import nearest
from tamaya.runs import Run, estimate
from tamaya.statistics import NORMAL_95, of_histogram

QUICK = 10
"""How many times fewer games a quick reproduction plays."""


class PaperError(ValueError):
    """A table that does not exist."""


class Figure(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A published number, and the cells whose games measure it."""

    row: str
    column: str
    published: float
    error: float | None = None
    """Its standard error, if the paper gives one."""
    games: int | None = None
    """The games behind it, from which the error is worked out if the paper gives none."""
    where: dict[str, str | int] = {}
    waits_for: str = ""
    incomparable: str = ""


class PaperTable(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A table of a paper: its experiment and its figures."""

    paper: str
    title: str
    published_games: str
    experiment: dict[str, Any]
    figure: list[Figure]
    note: str = ""

    def plan(self, is_quick: bool = False) -> Experiment:
        """The experiment, with a tenth of the games if it must be quick."""
        experiment = parse_experiment(self.experiment)
        if not is_quick:
            return experiment
        quick = [
            msgspec.structs.replace(lineup, games=lineup.games and max(1, lineup.games // QUICK))
            for lineup in experiment.lineup
        ]
        return msgspec.structs.replace(experiment, games=max(1, experiment.games // QUICK), lineup=quick)


class Verdict(msgspec.Struct, frozen=True):
    """A published figure beside the measured one."""

    row: str
    column: str
    published: float
    verdict: str
    games: int = 0
    measured: float | None = None
    standard_error: float | None = None
    difference: float | None = None
    low: float | None = None
    high: float | None = None


def data_files(folder: Traversable | None = None, prefix: str = "") -> Iterator[tuple[str, Traversable]]:
    """The names and files of all tables."""
    for entry in sorted((folder or files("tamaya.papers")).iterdir(), key=lambda entry: entry.name):
        if entry.is_dir() and not entry.name.startswith("__"):
            yield from data_files(entry, f"{prefix}{entry.name}/")
        elif entry.name.endswith(".toml"):
            yield prefix + entry.name.removesuffix(".toml"), entry


def paper_tables() -> dict[str, PaperTable]:
    """All tables by name, such as ``walton-rivers/table-2``."""
    return {
        name: msgspec.convert(tomllib.loads(file.read_text(encoding="utf-8")), PaperTable)
        for name, file in data_files()
    }


def paper_table(name: str) -> PaperTable:
    """The table of a name."""
    known = paper_tables()
    if name not in known:
        raise PaperError(f"there is no table {name!r}{nearest(name, known)} `tamaya reproduce --list` shows them all.")
    return known[name]


def matches(cell: Cell, where: dict[str, str | int]) -> bool:
    """Whether a cell has the agent, partner and number of players that a figure asks for."""
    have = {"agent": cell.agent, "partner": cell.partner, "players": cell.settings.players}
    return all(have[key] == value for key, value in where.items())


def judge(figure: Figure, run: Run) -> Verdict:
    """A figure beside what the games of a run say."""
    verdict = Verdict(figure.row, figure.column, figure.published, "")
    if figure.waits_for:
        return msgspec.structs.replace(verdict, verdict=f"not yet: waits for {figure.waits_for}")
    if figure.incomparable:
        return msgspec.structs.replace(verdict, verdict=f"not comparable: {figure.incomparable}")
    chosen = [cell for cell in run.cells if matches(cell, figure.where)]
    tally = run.tally(chosen)
    if not tally.games:
        return msgspec.structs.replace(verdict, verdict="not played")
    mean, error = run.average(chosen)
    published_error = figure.error
    if published_error is None:
        _, independent = of_histogram(tally.scores)
        published_error = independent * math.sqrt(tally.games / figure.games) if figure.games else 0.0
    difference, margin = mean - figure.published, NORMAL_95 * math.hypot(error, published_error)
    agrees = abs(difference) <= margin
    return Verdict(
        row=figure.row,
        column=figure.column,
        published=figure.published,
        verdict="agrees" if agrees else f"differs by {difference:+.2f} ± {margin:.2f}",
        games=tally.games,
        measured=mean,
        standard_error=error,
        difference=difference,
        low=difference - margin,
        high=difference + margin,
    )


def cost(experiment: Experiment, cells: int = 6) -> tuple[int, float]:
    """The games of an experiment, and about how many seconds they take on one core, from a few of its cells."""
    everything = experiment.cells()
    total = sum(everything.values())
    sample = msgspec.structs.replace(experiment, games=20)
    played, seconds = 0, 0.0
    for _, games, time in estimate(sample, seconds=0.02, cells=cells):
        played += games
        seconds += time
    return total, seconds / played * total


def paper_rows(known: dict[str, PaperTable]) -> list[dict[str, Any]]:
    """The tables that can be reproduced, with what they cost."""
    rows = []
    for name, table in known.items():
        games, seconds = cost(table.plan())
        ready = sum(not figure.waits_for for figure in table.figure)
        waits = ", ".join(sorted({figure.waits_for for figure in table.figure} - {""}))
        rows.append(
            {
                "name": name,
                "paper": table.paper,
                "title": table.title,
                "figures": f"{ready} of {len(table.figure)}",
                "waits for": waits,
                "games": games,
                "seconds": round(seconds / cores(), 1),
            }
        )
    return rows
