"""The tables of the papers as data: published figures, and the experiments that measure them."""

import math
import tomllib
from collections.abc import Iterator
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

import msgspec

from tamaya.arena.batches import cores
from tamaya.engine.text import suggestion
from tamaya.experiments.experiment import Experiment, parse_experiment
from tamaya.experiments.lineups import Cell
from tamaya.experiments.runs import Run

QUICK_SECONDS = 50.0
"""For how long a quick reproduction begins games; with its start and the last games it takes less than two minutes."""

Where = dict[str, str | int | list[str]]


class PaperError(ValueError):
    """A table that does not exist."""


class Column(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A column of a published table: which cells, and what is measured there."""

    name: str
    where: Where = {}
    measure: str = "score"
    budget: float | None = None
    """Where the column stands on the axis of a plot of scores against budgets."""
    waits_for: str = ""


class Row(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A row of a published table, with one number per column; nan where the paper has none."""

    name: str
    published: list[float]
    error: float | list[float] | None = None
    """Their standard errors, if the paper gives them."""
    games: int | None = None
    """The games behind each, from which errors are worked out if the paper gives none."""
    where: Where = {}
    agents: list[str] = []
    """The agent of each column, if they differ."""
    waits_for: str = ""
    incomparable: str = ""
    because: str = ""
    """What a difference comes from, if it is known."""


class Figure(msgspec.Struct, frozen=True):
    """A published number, and the cells whose games measure it."""

    row: Row
    column: Column
    published: float | None
    error: float | None
    where: Where

    @property
    def waits_for(self) -> str:
        """The agent that does not exist yet."""
        return self.row.waits_for or self.column.waits_for


class PaperTable(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A table of a paper: its figures, and the experiment that measures them if its agents exist."""

    paper: str
    title: str
    published_games: str
    column: list[Column]
    row: list[Row]
    experiment: dict[str, Any] | None = None
    experiment_of: str = ""
    """The table whose experiment, and games, this one shares."""
    note: str = ""
    less: str = ""
    """The row to which all others are compared deck by deck."""

    def plan(self) -> Experiment | None:
        """The experiment."""
        if self.experiment_of:
            return paper_table(self.experiment_of).plan()
        return None if self.experiment is None else parse_experiment(self.experiment)

    def run_in(self, folder: Path, name: str, is_read_only: bool = False) -> Run | None:
        """The run of the cells that the figures need, in a folder of runs; none if there is nothing to run."""
        plan = self.plan()
        if plan is None:
            return None
        wanted = [figure.where for figure in self.figures() if not figure.waits_for and not figure.row.incomparable]
        directory = folder / (self.experiment_of or name)
        return Run(directory, plan, is_read_only, only=lambda cell: any(matches(cell, one) for one in wanted))

    def figures(self) -> Iterator[Figure]:
        """Row by row, what the paper gives or the experiment can measure."""
        for row in self.row:
            errors = row.error if isinstance(row.error, list) else [row.error] * len(self.column)
            agents: list[Where] = [{"agent": agent} for agent in row.agents] or [{}] * len(self.column)
            for column, published, error, agent in zip(self.column, row.published, errors, agents, strict=True):
                if row.where or row.agents or not math.isnan(published):
                    known = None if math.isnan(published) else published
                    yield Figure(row, column, known, error, column.where | row.where | agent)


def data_files(folder: Traversable | None = None, prefix: str = "") -> Iterator[tuple[str, Traversable]]:
    """The names and files of all tables."""
    for entry in sorted((folder or files("tamaya.experiments.papers")).iterdir(), key=natural_order):
        if entry.is_dir() and not entry.name.startswith("__"):
            yield from data_files(entry, f"{prefix}{entry.name}/")
        elif prefix and entry.name.endswith(".toml"):
            yield prefix + entry.name.removesuffix(".toml"), entry


def natural_order(entry: Traversable) -> tuple[str, int]:
    """Figure 10 after figure 9."""
    kind, _, number = entry.name.removesuffix(".toml").rpartition("-")
    return (kind, int(number)) if number.isdecimal() else (entry.name, 0)


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
        raise PaperError(
            f"there is no table {name!r}{suggestion(name, known) or ';'} `tamaya reproduce --list` shows them all"
        )
    return known[name]


def matches(cell: Cell, where: Where) -> bool:
    """Whether a cell has the agent, partner, number of players and hand size that a figure asks for."""
    sides = [(cell.agent, cell.partner)]
    if cell.kind == "every-pair":
        sides.append((cell.partner, cell.agent))
    return any(
        all(
            have[key] in wanted if isinstance(wanted, list) else have[key] == wanted
            for key, wanted in where.items()
            for have in [{"agent": agent, "partner": partner} | cell.sizes]
        )
        for agent, partner in sides
    )


def core_seconds() -> dict[str, float]:
    """How long each table took to play on one core when that was measured (bench/papers.py)."""
    return tomllib.loads((files("tamaya.experiments.papers") / "costs.toml").read_text(encoding="utf-8"))


def paper_rows(known: dict[str, PaperTable]) -> list[dict[str, Any]]:
    """The tables of the papers, with what can be measured of them and what that costs."""
    rows, seconds = [], core_seconds()
    for name, table in known.items():
        run, figures = table.run_in(Path(), name), list(table.figures())
        games = sum(run.wanted().values()) if run else 0
        ready = sum(not figure.waits_for for figure in figures)
        waits = ", ".join(sorted({figure.waits_for for figure in figures} - {""}))
        rows.append(
            {
                "name": name,
                "paper": table.paper,
                "title": table.title,
                "figures": f"{ready} of {len(figures)}",
                "waits for": waits,
                "games": games,
                "seconds": round(seconds.get(name, 0.0) / cores(), 1),
            }
        )
    return rows
