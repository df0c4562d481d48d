"""The details of a report: every cell, agents over all their partners, and score against budget."""

import math
from collections.abc import Mapping, Sequence

from tamaya.arena.statistics import Summary, student_95, wilson, with_interval
from tamaya.engine.text import duration
from tamaya.experiments.cells import unique
from tamaya.experiments.lineups import Cell
from tamaya.experiments.report import plots
from tamaya.experiments.report.pages import ReportSection
from tamaya.experiments.report.plots import CellSummary
from tamaya.experiments.runs import Run
from tamaya.policies.language import split_budget

HEADS = ("mean", "strict", "perfect", "struck out", "moves", "errors", "to the first", "per move")

BY_SIDE = ("score", "errors", "errors a move", "moves", "hint tokens")
"""What agents are compared by over all their partners, as Monis et al. do."""


def rate(count: int, games: int) -> str:
    """A share with its Wilson interval."""
    low, high = wilson(count, games)
    return f"{count / games:.1%} ({low:.1%} to {high:.1%})"


def figures_of(one: Summary) -> list[str]:
    """A summary as the cells of a table."""
    return [
        with_interval(one.mean, one.low, one.high),
        f"{one.strict_mean:.3f}",
        rate(one.perfect, one.games),
        rate(one.strike_outs, one.games),
        f"{one.moves:.1f}",
        f"{one.errors:.2f}",
        one.difference.text if one.difference else "",
        duration(one.milliseconds / 1000),
    ]


def cells_section(results: Sequence[CellSummary], wanted: Mapping[Cell, int] | None = None) -> ReportSection:
    """Every cell that was played, with its mean as a dot, and those that are still to be played."""
    results, played = unique(results), {cell.key for cell, _ in results}
    unplayed = [(cell, games) for cell, games in unique(list((wanted or {}).items())) if cell.key not in played]
    has_search = any(one.iterations for _, one in results)
    has_rules = len({cell.rules for cell, _ in (*results, *unplayed)}) > 1
    heads = ["agent", "players", *(["rules"] if has_rules else []), "games", *HEADS]
    heads += ["iterations", "depth"] if has_search else []
    rows = []
    for cell, one in results:
        games = f"{one.games:,} of {wanted[cell]:,}" if wanted and one.games < wanted[cell] else f"{one.games:,}"
        row = [one.agent, str(one.players), *([cell.rules] if has_rules else []), games, *figures_of(one)]
        if has_search:
            row += [f"{one.iterations:,.0f}", f"{one.depth:.1f}"] if one.iterations else ["", ""]
        rows.append(row)
    for cell, number in unplayed:
        row = [cell.name, str(cell.settings.players), *([cell.rules] if has_rules else [])]
        row += [f"0 of {number:,}", "not played"]
        rows.append([*row, *[""] * (len(heads) - len(row))])
    pictures = []
    if plots.are_available():
        for table, some in plots.by_table(results).items():
            pictures.append(
                plots.dots(table, [(one.agent, one.mean, one.low, one.high) for _, one in some], "mean score")
            )
    return ReportSection("Cells", heads, rows, pictures)


def side_sections(run: Run) -> list[ReportSection]:
    """Each agent over all its partners, and the other way round, by number of players and over all of them."""
    paired = [cell for cell in run.cells if cell.kind in ("pairing", "every-pair", "random-teams")]
    counts = sorted({cell.settings.players for cell in paired})
    sections = []
    for side in ("agent", "partner"):
        groups: dict[str, list[Cell]] = {}
        for cell in paired:
            names = {cell.agent, cell.partner} if cell.kind == "every-pair" else {getattr(cell, side)}
            for name in sorted(names):
                groups.setdefault(name, []).append(cell)
        if len(groups) > 1 and not (side == "partner" and all(cell.kind == "every-pair" for cell in paired)):
            sections.append(side_section(run, f"By {side}, over all pairings", groups, counts))
    return sections


def margin_text(games: int, mean: float, error: float) -> str:
    """A mean of so many games with half of its 95 % interval."""
    margin = "" if math.isnan(error) else f" ± {student_95(games) * error:.3f}"
    return f"{mean:.3f}{margin}" if games else ""


def side_section(run: Run, title: str, groups: dict[str, list[Cell]], counts: Sequence[int]) -> ReportSection:
    """The means of groups of cells, by number of players and together, and what else Monis et al. compare."""
    rows: list[list[str]] = []
    drawn: dict[str, list[plots.Dot]] = {measure: [] for measure in BY_SIDE}
    for name, cells in groups.items():
        by_count = [run.average([cell for cell in cells if cell.settings.players == count]) for count in counts]
        together = {measure: run.average(cells, measure) for measure in BY_SIDE}
        row = [margin_text(*one) for one in by_count]
        for measure, (games, mean, error) in together.items():
            row.append(margin_text(games, mean, error))
            if games:
                margin = student_95(games) * error
                drawn[measure].append((name, mean, mean - margin, mean + margin))
        rows.append([name, f"{together['score'][0]:,}", *row])
    words = {measure: measure.replace(" a ", " per ") for measure in BY_SIDE}
    heads = ("name", "games", *(f"score of {count}" for count in counts), *words.values())
    pictures = []
    if plots.are_available():
        pictures = [plots.dots(words[measure], some, "mean") for measure, some in drawn.items() if some]
    return ReportSection(title, heads, rows, pictures)


def budget_sections(results: Sequence[CellSummary]) -> list[ReportSection]:
    """Score against budget, a plot per unit, if agents differ in nothing else."""
    units: dict[str, dict[str, list[tuple[float, float, float]]]] = {}
    for cell, one in results:
        name, unit, budget = split_budget(cell.agent)
        if unit and cell.kind == "self-play":
            points = units.setdefault(unit, {}).setdefault(f"{name}, {cell.table}", [])
            points.append((budget, one.mean, one.high - one.mean))
    return [
        ReportSection(f"Score against {unit}", plots=[plots.lines(curves, "mean score", f"{unit} per move")])
        for unit, curves in units.items()
        if plots.are_available() and any(len(points) > 1 for points in curves.values())
    ]
