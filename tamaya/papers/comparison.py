"""A table of a paper and what was measured, as a page with a plot."""

import math
from collections.abc import Sequence
from pathlib import Path

from tamaya.experiments import plots
from tamaya.experiments.files import write_files
from tamaya.experiments.report import Section, as_html, as_markdown
from tamaya.papers.data import PaperTable
from tamaya.papers.reproduce import Verdict

HEADS = ("row", "of", "published", "measured", "games", "verdict")


def rows_of(verdicts: Sequence[Verdict]) -> list[list[str]]:
    """Verdicts as the cells of a table."""
    return [
        [
            one.row,
            one.column,
            "" if one.published is None else f"{one.published:g}",
            one.measured_text,
            f"{one.games:,}" if one.games else "",
            one.verdict,
        ]
        for one in verdicts
    ]


def plot_of(table: PaperTable, verdicts: Sequence[Verdict]) -> str:
    """Published beside measured: curves over a budget, or bars."""
    budgets = {column.name: column.budget for column in table.column}
    measured = [one for one in verdicts if one.measured is not None]
    if all(budgets.values()):
        curves: dict[str, list[tuple[float, float, float]]] = {}
        for one in measured:
            budget = budgets[one.column] or 0.0
            curves.setdefault(one.row, []).append((budget, one.measured or 0.0, one.margin))
            if one.published is not None:
                curves.setdefault(one.row + plots.PUBLISHED, []).append((budget, one.published, 0.0))
        return plots.lines(curves, "mean score", "ms a move of the paper")
    bars: dict[str, list[plots.Bar]] = {}
    markers: dict[str, list[float]] = {}
    for one in measured:
        bars.setdefault(one.column, []).append((one.row, one.measured or 0.0, one.margin))
        markers.setdefault(one.column, []).append(math.nan if one.published is None else one.published)
    return plots.bars(bars, table.column[0].measure, markers)


def write_comparison(name: str, table: PaperTable, verdicts: Sequence[Verdict], directory: Path) -> list[Path]:
    """Writes comparison.md and comparison.html; the files written."""
    title, text = f"{table.paper}, {table.title}", f"`tamaya reproduce {name}`; published: {table.published_games}."
    has_plot = plots.are_available() and any(one.measured is not None for one in verdicts)
    drawn = [plot_of(table, verdicts)] if has_plot else []
    sections = [Section("Published beside measured", HEADS, rows_of(verdicts), drawn, table.note, has_words=True)]
    contents = {"comparison.md": as_markdown(title, text, sections), "comparison.html": as_html(title, text, sections)}
    directory.mkdir(parents=True, exist_ok=True)
    return write_files(directory, contents)
