"""A table of a paper and what was measured, in the rows and columns of the paper, as a page."""

import datetime
import json
import math
from collections import Counter
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path

import msgspec

from tamaya.engine.files import write_files
from tamaya.experiments.papers.paper_tables import PaperTable, Where, matches
from tamaya.experiments.papers.verdicts import FigureVerdict, JudgedFigure
from tamaya.experiments.report import plots
from tamaya.experiments.report.heatmaps import PAIRS, Heatmap, pair_maps, panels
from tamaya.experiments.report.pages import Page, ReportSection, page_html, page_markdown

LEGEND = (
    "In every field: published / measured ± half of the 95 % interval. ✓ agrees: the 95 % interval of the difference, "
    "from the errors of both sides, contains zero. ≠ differs. … not played, or in too few games. – not comparable."
)

FEWEST_BUDGETS = 3
"""Fewer budgets than this make no curve: dots say more."""


def summary(verdicts: Sequence[JudgedFigure]) -> str:
    """How many figures agree, and what became of the others."""
    counts = Counter(one.verdict for one in verdicts)
    agree, differ = counts[FigureVerdict.AGREES], counts[FigureVerdict.DIFFERS]
    others = {
        "not played yet, or in too few games (…)": sum(one.verdict.is_missing for one in verdicts),
        "not comparable (–)": counts[FigureVerdict.INCOMPARABLE],
        "without a published number": counts[FigureVerdict.UNPUBLISHED],
    }
    differing = "1 differs" if differ == 1 else f"{differ} differ"
    text = f"{agree} of {agree + differ} compared figures agree (✓), {differing} (≠)."
    left = [f"{count} {words}" for words, count in others.items() if count]
    return f"{text} The others: {', '.join(left)}." if left else text


def field(one: JudgedFigure) -> str:
    """A figure: published, measured and its mark."""
    published = "none" if one.published is None else f"{one.published:g}"
    both = f"{published} / {one.measured_text}" if one.measured_text else published
    return f"{both} {one.verdict.mark}".rstrip()


def grid(table: PaperTable, verdicts: Sequence[JudgedFigure]) -> ReportSection:
    """The table of the paper, with its own rows and columns."""
    by_place = {(one.row, one.column): one for one in verdicts}
    rows = []
    for row in dict.fromkeys(one.row for one in verdicts):
        found = [by_place.get((row, column.name)) for column in table.column]
        games = sorted({one.games for one in found if one is not None and one.games})
        span = " to ".join(dict.fromkeys(f"{number:,}" for number in (*games[:1], *games[-1:])))
        rows.append([row, *("" if one is None else field(one) for one in found), span])
    heads = ("row", *(column.name for column in table.column), "games")
    return ReportSection("Published / measured", heads, rows, text=LEGEND)


def reason_sections(verdicts: Sequence[JudgedFigure]) -> list[ReportSection]:
    """Why figures differ, and why others are not compared."""
    differ = [
        [
            one.row,
            one.column,
            f"{one.published:g}",
            one.measured_text,
            f"{one.difference:+.2f}",
            one.reason or "unknown",
        ]
        for one in verdicts
        if one.verdict is FigureVerdict.DIFFERS
    ]
    left: dict[tuple[str, str], list[str]] = {}
    for one in verdicts:
        if one.verdict is FigureVerdict.INCOMPARABLE or one.verdict.is_missing:
            left.setdefault((one.row, one.sentence), []).append(one.column)
    others = [[row, ", ".join(columns), sentence] for (row, sentence), columns in left.items()]
    heads = ("row", "column", "published", "measured", "difference", "reason")
    return [
        ReportSection("Why figures differ", heads, differ, has_words=True),
        ReportSection("Figures that are not compared", ("row", "column", "reason"), others, has_words=True),
    ]


def flat(verdicts: Sequence[JudgedFigure]) -> ReportSection:
    """All figures one below the other, for programs."""
    rows = []
    for one in verdicts:
        published, games = "" if one.published is None else f"{one.published:g}", f"{one.games:,}" if one.games else ""
        rows.append(
            [one.row, one.column, published, one.measured_text, games, f"{one.verdict.mark} {one.sentence}".strip()]
        )
    heads = ("row", "of", "published", "measured", "games", "verdict")
    return ReportSection("All figures", heads, rows, has_words=True)


def curves_of(table: PaperTable, measured: Sequence[JudgedFigure]) -> str:
    """Published beside measured against a budget."""
    budgets = {column.name: column.budget or 0.0 for column in table.column}
    curves: dict[str, list[tuple[float, float, float]]] = {}
    for one in measured:
        curves.setdefault(one.row, []).append((budgets[one.column], one.measured or 0.0, one.margin))
        if one.published is not None:
            curves.setdefault(one.row + plots.PUBLISHED, []).append((budgets[one.column], one.published, 0.0))
    return plots.lines(curves, "mean score", "ms per move of the paper")


def plots_of(table: PaperTable, verdicts: Sequence[JudgedFigure]) -> list[str]:
    """Published beside measured: curves over a budget, or dots, in as few plots as rows or columns allow."""
    measured = [one for one in verdicts if one.measured is not None]
    if not measured or not plots.are_available():
        return []
    if all(column.budget for column in table.column) and len({one.column for one in measured}) >= FEWEST_BUDGETS:
        return [curves_of(table, measured)]
    measures = {column.measure.replace(" a ", " per ") for column in table.column}
    label = measures.pop() if len(measures) == 1 else "percent of the games"
    by_row: dict[str, list[tuple[str, JudgedFigure]]] = {}
    by_column: dict[str, list[tuple[str, JudgedFigure]]] = {}
    for one in measured:
        by_row.setdefault(one.row, []).append((one.column, one))
        by_column.setdefault(one.column, []).append((one.row, one))
    pictures = []
    for title, some in (by_column if len(by_column) <= len(by_row) else by_row).items():
        means = [(name, one.measured or 0.0, one.margin) for name, one in some]
        dots = [(name, mean, mean - margin, mean + margin) for name, mean, margin in means]
        published = [math.nan if one.published is None else one.published for _, one in some]
        pictures.append(plots.dots(title, dots, label, published))
    return pictures


def maps_of(name: str, table: PaperTable, verdicts: Sequence[JudgedFigure], folder: Path) -> list[Heatmap]:
    """Heat maps: of a table with the same agents in rows and columns, or of the pairings behind a table."""
    if len(table.column) > 1 and {row.name for row in table.row} == {column.name for column in table.column}:
        sides = {
            "published": [one.published for one in verdicts],
            "measured": [one.measured for one in verdicts],
        }
        places = [(one.row, one.column) for one in verdicts]
        grids = {
            title: {
                place: math.nan if figure is None else figure for place, figure in zip(places, figures, strict=True)
            }
            for title, figures in sides.items()
        }
        return panels(grids, is_sorted=False)
    run = table.run_in(folder, name, is_read_only=True)
    if run is None:
        return []
    names = {str(row.where["agent"]): row.name for row in table.row if isinstance(row.where.get("agent"), str)}
    with run as open_run:
        cells = [cell for cell in open_run.cells if cell.kind in ("pairing", "every-pair")]
        return pair_maps({cell: open_run.average([cell])[1] for cell in cells}, names)


def differences(name: str, table: PaperTable, folder: Path) -> ReportSection:
    """One row of a table less each of the others, on the same decks."""
    title, heads = "Differences", ("less", *(column.name for column in table.column))
    run = table.run_in(folder, name, is_read_only=True) if table.less else None
    if run is None:
        return ReportSection(title)
    by_row: dict[str, list[Where]] = {}
    for figure in table.figures():
        by_row.setdefault(figure.row.name, []).append(figure.where)
    rows = []
    with run as played:
        for row, wheres in by_row.items():
            gains = []
            for where, other in zip(by_row[table.less], wheres, strict=True):
                sides = [[cell for cell in played.cells if matches(cell, one)] for one in (where, other)]
                gains.append(played.gain(sides[0], sides[1], row))
            rows += [[row, *(gain.text if gain else "" for gain in gains)]] if row != table.less else []
    text = f"The row {table.less} less each of the others, on the same decks and with the same team-mates."
    return ReportSection(title, heads, rows, text=text)


def write_comparison(name: str, table: PaperTable, verdicts: Sequence[JudgedFigure], directory: Path) -> list[Path]:
    """Writes comparison.md and comparison.html; returns the files written."""
    folder = directory.parents[name.count("/")]
    sections = [grid(table, verdicts), differences(name, table, folder)]
    sections += [ReportSection(PAIRS, heatmaps=maps_of(name, table, verdicts, folder))]
    sections += [ReportSection("Plots", plots=plots_of(table, verdicts)), *reason_sections(verdicts), flat(verdicts)]
    plan = table.plan()
    page = Page(
        title=f"{table.paper}, {table.title}",
        summary=[summary(verdicts), *filter(None, [table.note]), f"Published games: {table.published_games}."],
        sections=sections,
        foot=[f"This page was written by `tamaya reproduce {name}` with tamaya {version('tamaya')}."],
        date=datetime.date.today().isoformat(),
        experiment=json.dumps(msgspec.to_builtins(plan), indent=1) if plan else "",
    )
    directory.mkdir(parents=True, exist_ok=True)
    return write_files(directory, {"comparison.md": page_markdown(page), "comparison.html": page_html(page)})
