"""Verdicts: the published figures of a table beside those that were measured."""

import enum
import math

import msgspec

from tamaya.arena.statistics import NORMAL_95, student_95
from tamaya.experiments.papers.paper_tables import Figure, PaperTable, matches
from tamaya.experiments.runs import Run

FEWEST_GAMES = 10
"""Fewer games than this allow no verdict."""


class FigureVerdict(enum.Enum):
    """What became of a published figure."""

    AGREES = "agrees"
    DIFFERS = "differs"
    INCOMPARABLE = "not comparable"
    UNPUBLISHED = "no number published"
    NOT_YET = "not yet"
    NOT_PLAYED = "not played"
    TOO_FEW_GAMES = "too few games"

    @property
    def mark(self) -> str:
        """The verdict as one character, or nothing."""
        return MARKS[self]

    @property
    def is_missing(self) -> bool:
        """Whether more games would bring another verdict."""
        return self.mark == MISSING


MISSING = "…"
MARKS = {
    FigureVerdict.AGREES: "✓",
    FigureVerdict.DIFFERS: "≠",
    FigureVerdict.INCOMPARABLE: "–",
    FigureVerdict.UNPUBLISHED: "",
    FigureVerdict.NOT_YET: MISSING,
    FigureVerdict.NOT_PLAYED: MISSING,
    FigureVerdict.TOO_FEW_GAMES: MISSING,
}


class JudgedFigure(msgspec.Struct, frozen=True):
    """A published figure beside the measured one."""

    row: str
    column: str
    published: float | None
    verdict: FigureVerdict
    reason: str = ""
    """Why it differs, is not comparable or has to wait, as far as that is known."""
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
    def words(self) -> str:
        """The verdict in words, with the size of a difference."""
        if self.verdict is not FigureVerdict.DIFFERS or self.difference is None or self.high is None:
            return self.verdict.value
        return f"differs by {self.difference:+.2f} ± {self.high - self.difference:.2f}"

    @property
    def sentence(self) -> str:
        """The verdict in words, with its reason."""
        return f"{self.words}: {self.reason}" if self.reason else self.words

    @property
    def measured_text(self) -> str:
        """What was measured, with its interval if there is one."""
        if self.measured is None:
            return ""
        return f"{self.measured:.2f}" + (f" ± {self.margin:.2f}" if self.standard_error is not None else "")


def judge_figure(figure: Figure, run: Run | None) -> JudgedFigure:
    """Puts a figure beside what the games of a run say."""
    name, column = figure.row.name, figure.column.name
    if figure.waits_for:
        return JudgedFigure(name, column, figure.published, FigureVerdict.NOT_YET, f"waits for {figure.waits_for}")
    if figure.row.incomparable:
        return JudgedFigure(name, column, figure.published, FigureVerdict.INCOMPARABLE, figure.row.incomparable)
    assert run is not None
    chosen = [cell for cell in run.cells if matches(cell, figure.where)]
    games, mean, error = run.average(chosen, figure.column.measure)
    if not games:
        return JudgedFigure(name, column, figure.published, FigureVerdict.NOT_PLAYED)
    if games < FEWEST_GAMES or math.isnan(error):
        return JudgedFigure(name, column, figure.published, FigureVerdict.TOO_FEW_GAMES, games=games, measured=mean)
    error = error or least_error(figure.column.measure, games)
    judged = JudgedFigure(name, column, figure.published, FigureVerdict.UNPUBLISHED, "", games, mean, error)
    if figure.published is None:
        return judged
    published_error = figure.error
    if published_error is None:
        _, _, independent = run.average(chosen, figure.column.measure, is_by_deck=False)
        published_error = (independent or error) * math.sqrt(games / figure.row.games) if figure.row.games else 0.0
    return with_difference(
        judged, mean - figure.published, NORMAL_95 * math.hypot(error, published_error), figure.row.because
    )


def with_difference(judged: JudgedFigure, difference: float, margin: float, because: str) -> JudgedFigure:
    """A figure with the verdict on its difference, which agrees if the 95 % interval contains zero."""
    agrees = abs(difference) <= margin
    return msgspec.structs.replace(
        judged,
        verdict=FigureVerdict.AGREES if agrees else FigureVerdict.DIFFERS,
        reason="" if agrees else because,
        difference=difference,
        low=difference - margin,
        high=difference + margin,
    )


def least_error(measure: str, games: int) -> float:
    """The standard error where all games are alike: as if one had been off by a point, or by all of its percent."""
    return (100.0 if "games" in measure else 1.0) / games


def verdicts_on(table: PaperTable, run: Run | None) -> list[JudgedFigure]:
    """The verdicts on all figures of a table."""
    return [judge_figure(figure, run) for figure in table.figures()]
