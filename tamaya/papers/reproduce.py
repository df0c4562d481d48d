"""The tables of the papers, played again: published beside measured, with a verdict."""

import dataclasses
import math
import tomllib
from collections.abc import Iterator
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

import msgspec

from tamaya.arena.batches import cores
from tamaya.arena.statistics import NORMAL_95
from tamaya.core.spelling import suggestion
from tamaya.experiments.experiment import Cell, Experiment, parse_experiment
from tamaya.experiments.runs import Run, estimate, unique
from tamaya.policies.language import split_budget, with_budget

QUICK_SECONDS = 50.0
"""How long a quick reproduction begins games; with its start and the last games it stays below two minutes."""

FEWEST_GAMES = 10
"""Fewer games than this allow no verdict."""

SAMPLE_BUDGET = 20.0
"""The budget with which searches are sampled to estimate their cost."""

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
    """A row of a published table, with a number a column; nan where the paper has none."""

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


class Verdict(msgspec.Struct, frozen=True):
    """A published figure beside the measured one."""

    row: str
    column: str
    published: float | None
    verdict: str
    games: int = 0
    measured: float | None = None
    standard_error: float | None = None
    difference: float | None = None
    low: float | None = None
    high: float | None = None

    @property
    def margin(self) -> float:
        """Half of the 95 % interval of what was measured."""
        return NORMAL_95 * (self.standard_error or 0.0)

    @property
    def measured_text(self) -> str:
        """What was measured, with its interval if there is one."""
        if self.measured is None:
            return ""
        return f"{self.measured:.2f}" + (f" ± {self.margin:.2f}" if self.standard_error is not None else "")


def data_files(folder: Traversable | None = None, prefix: str = "") -> Iterator[tuple[str, Traversable]]:
    """The names and files of all tables."""
    for entry in sorted((folder or files("tamaya.papers")).iterdir(), key=natural_order):
        if entry.is_dir() and not entry.name.startswith("__"):
            yield from data_files(entry, f"{prefix}{entry.name}/")
        elif entry.name.endswith(".toml"):
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
            f"there is no table {name!r}{suggestion(name, known)} `tamaya reproduce --list` shows them all."
        )
    return known[name]


def matches(cell: Cell, where: Where) -> bool:
    """Whether a cell has the agent, partner, players and cards in a hand that a figure asks for."""
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


def judge(figure: Figure, run: Run | None) -> Verdict:
    """A figure beside what the games of a run say."""
    row, published = figure.row, figure.published
    verdict = Verdict(row.name, figure.column.name, published, "")
    if figure.waits_for:
        return msgspec.structs.replace(verdict, verdict=f"not yet: waits for {figure.waits_for}")
    if row.incomparable:
        return msgspec.structs.replace(verdict, verdict=f"not comparable: {row.incomparable}")
    assert run is not None
    chosen = [cell for cell in run.cells if matches(cell, figure.where)]
    games, mean, error = run.average(chosen, figure.column.measure)
    if not games:
        return msgspec.structs.replace(verdict, verdict="not played")
    if games < FEWEST_GAMES or math.isnan(error):
        return msgspec.structs.replace(verdict, games=games, measured=mean, verdict="too few games")
    error = error or least_error(figure.column.measure, games)
    verdict = msgspec.structs.replace(verdict, games=games, measured=mean, standard_error=error)
    if published is None:
        return msgspec.structs.replace(verdict, verdict="no number published")
    published_error = figure.error
    if published_error is None:
        _, _, independent = run.average(chosen, figure.column.measure, is_by_deck=False)
        published_error = (independent or error) * math.sqrt(games / row.games) if row.games else 0.0
    difference, margin = mean - published, NORMAL_95 * math.hypot(error, published_error)
    words = "agrees"
    if not abs(difference) <= margin:
        words = f"differs by {difference:+.2f} ± {margin:.2f}" + (f": {row.because}" if row.because else "")
    return msgspec.structs.replace(
        verdict, verdict=words, difference=difference, low=difference - margin, high=difference + margin
    )


def least_error(measure: str, games: int) -> float:
    """The standard error where all games are alike: as if one of them had been a point, or all of its percent, off."""
    return (100.0 if "games" in measure else 1.0) / games


def verdicts_on(table: PaperTable, run: Run | None) -> list[Verdict]:
    """The verdicts on all figures of a table."""
    return [judge(figure, run) for figure in table.figures()]


def cheaper(cell: Cell) -> tuple[Cell, float]:
    """A cell whose searches have a small budget, and how many times longer the true ones take."""
    factor, names = 1.0, {}
    for name in (cell.agent, *cell.members):
        rest, key, budget = split_budget(name) if name else (name, "", 0.0)
        if budget > SAMPLE_BUDGET:
            names[name] = with_budget(rest, key, SAMPLE_BUDGET)
            factor = max(factor, budget / SAMPLE_BUDGET)
    members = tuple(names.get(name, name) for name in cell.members)
    return dataclasses.replace(cell, agent=names.get(cell.agent, cell.agent), members=members), factor


def cost(cells: dict[Cell, int], seed: int = 1) -> tuple[int, float]:
    """The games of some cells, and about how many seconds they take on one core, from a few games of each agent."""
    known: dict[tuple[str, int], float] = {}
    total = 0.0
    for cell, games in unique(list(cells.items())):
        small, factor = cheaper(cell)
        kind = (small.agent, cell.settings.players)
        if kind not in known:
            known[kind] = next(estimate({small: games}, seed, seconds=0.01))[2] / games
        total += factor * known[kind] * games
    return sum(cells.values()), total


def paper_rows(known: dict[str, PaperTable]) -> list[dict[str, Any]]:
    """The tables of the papers, with what can be measured of them and what that costs."""
    rows = []
    for name, table in known.items():
        run, figures = table.run_in(Path(), name), list(table.figures())
        games, seconds = cost(run.wanted()) if run else (0, 0.0)
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
                "seconds": round(seconds / cores(), 1),
            }
        )
    return rows
