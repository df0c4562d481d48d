"""The tables of the papers, played again: published beside measured, with a verdict."""

import contextlib
import math
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec

from tamaya.arena.batches import cores
from tamaya.arena.statistics import NORMAL_95, student_95
from tamaya.experiments.papers.paper_tables import Figure, PaperTable, core_seconds, matches, paper_table
from tamaya.experiments.runs import Progress, Run

QUICK_SECONDS = 50.0
"""For how long a quick reproduction begins games; with its start and the last games it takes less than two minutes."""

FEWEST_GAMES = 10
"""Fewer games than this allow no verdict."""


MARKS = {"agrees": "✓", "differs": "≠", "not comparable": "–", "no number published": ""}
"""The marks of verdicts, by how they begin; verdicts for which games are missing have another mark."""

MISSING = "…"


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
        return student_95(self.games) * (self.standard_error or 0.0)

    @property
    def mark(self) -> str:
        """The verdict as one character."""
        return next((mark for words, mark in MARKS.items() if self.verdict.startswith(words)), MISSING)

    @property
    def reason(self) -> str:
        """Why a figure differs or is not comparable, as far as that is known."""
        return self.verdict.partition(": ")[2]

    @property
    def measured_text(self) -> str:
        """What was measured, with its interval if there is one."""
        if self.measured is None:
            return ""
        return f"{self.measured:.2f}" + (f" ± {self.margin:.2f}" if self.standard_error is not None else "")


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
    """The standard error where all games are alike: as if one had been off by a point, or by all of its percent."""
    return (100.0 if "games" in measure else 1.0) / games


def verdicts_on(table: PaperTable, run: Run | None) -> list[Verdict]:
    """The verdicts on all figures of a table."""
    return [judge(figure, run) for figure in table.figures()]


@contextlib.contextmanager
def unwatched(run: Run) -> Iterator[Progress]:
    """Lets a run play, and shows nothing."""
    yield lambda games: None


def play_table(
    name: str,
    folder: Path,
    seconds: float | None = None,
    threads: int | None = None,
    watch: Callable[[Run], contextlib.AbstractContextManager[Progress]] = unwatched,
) -> list[Verdict]:
    """Plays what is missing of a table, such as ``walton-rivers/table-2``, and returns the verdicts on its figures.

    The games are kept in a folder of runs; called again, it goes on. With ``seconds``, games are begun for that long.
    ``watch`` makes the context in which the open run plays; what it yields is told how many games were played.
    """
    table = paper_table(name)
    run = table.run_in(folder, name)
    if run is None:
        return verdicts_on(table, None)
    with run as open_run:
        with watch(open_run) as progress:
            if seconds is None:
                open_run.play(progress, threads)
            else:
                open_run.play_for(seconds, progress, threads)
        return verdicts_on(table, open_run)


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
