"""The report of a run: Markdown, a self-contained page, and files for other tools."""

import html
import itertools
import shlex
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec

from tamaya.arena.statistics import Summary, student_95, wilson, with_interval
from tamaya.core.text import in_markdown, plain
from tamaya.experiments import plots
from tamaya.experiments.experiment import Experiment
from tamaya.experiments.export import as_csv, flat_cells
from tamaya.experiments.files import replacing, write_files
from tamaya.experiments.lineups import Cell
from tamaya.experiments.plots import Result
from tamaya.experiments.runs import Run
from tamaya.experiments.seatings import unique
from tamaya.game.replay import dumps
from tamaya.policies.language import split_budget

HEADS = ("agent", "players", "games", "mean", "strict", "perfect", "struck out", "moves", "errors", "to the first")
MOST_OUTLINES = 6
"""More agents than this in one panel of histograms cannot be told apart."""

BY_SIDE = ("score", "errors", "errors a move", "moves", "hint tokens")
"""What agents are compared by over all their partners, as Monis et al. do."""

STYLE = """body { font: 15px/1.45 system-ui, sans-serif; max-width: 70em; margin: 2em auto; padding: 0 1em; }
table { border-collapse: collapse; margin: 1em 0; }
th, td { padding: 0.15em 0.7em; text-align: right; white-space: nowrap; }
.wide { overflow-x: auto; } th:first-child, td:first-child { text-align: left; }
.words th:last-child, .words td:last-child { text-align: left; white-space: normal; min-width: 20em; }
 thead th { border-bottom: 1px solid; } svg { max-width: 100%; height: auto; }"""

LEGEND = (
    "± is half of a 95 % interval; shares have Wilson intervals; strict counts a lost last life as zero; errors are "
    "lives lost and useful cards discarded, a game."
)


@dataclass
class Section:
    """A section of a report: plots, which only a page shows, and a table."""

    title: str
    heads: Sequence[str] = ()
    rows: list[list[str]] = field(default_factory=list)
    plots: list[str] = field(default_factory=list)
    text: str = ""
    has_words: bool = False
    """Whether the last column of the table is text."""


def plotted(draw: Callable[..., str], *what: Any) -> list[str]:
    """A plot, if they can be drawn here."""
    return [draw(*what)] if plots.are_available() else []


def rate(count: int, games: int) -> str:
    """A share with its Wilson interval."""
    low, high = wilson(count, games)
    return f"{count / games:.1%} ({low:.1%} to {high:.1%})"


def row_of(one: Summary, has_search: bool) -> list[str]:
    """A summary as the cells of a table."""
    gain = one.difference
    row = [
        one.agent,
        str(one.players),
        f"{one.games:,}",
        with_interval(one.mean, one.low, one.high),
        f"{one.strict_mean:.3f}",
        rate(one.perfect, one.games),
        rate(one.strike_outs, one.games),
        f"{one.moves:.1f}",
        f"{one.errors:.2f}",
        f"{gain.mean:+.3f} ± {gain.high - gain.mean:.3f}" if gain else "",
        f"{one.milliseconds:.2g}",
    ]
    if has_search:
        row += [f"{one.iterations:,.0f}", f"{one.depth:.1f}"] if one.iterations else ["", ""]
    return row


def cells_section(results: Sequence[Result]) -> Section:
    """Every cell, with its mean as a bar."""
    has_search = any(one.iterations for _, one in results)
    heads = (*HEADS, "ms a move", *(("iterations", "depth") if has_search else ()))
    return Section("Cells", heads, [row_of(one, has_search) for _, one in results], plotted(plots.mean_bars, results))


def side_sections(run: Run) -> list[Section]:
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
    return f"{mean:.3f} ± {student_95(games) * error:.3f}" if games else ""


def side_section(run: Run, title: str, groups: dict[str, list[Cell]], counts: Sequence[int]) -> Section:
    """The means of groups of cells, by number of players and together, and what else Monis et al. compare."""
    rows: list[list[str]] = []
    drawn: dict[str, list[plots.Bar]] = {measure: [] for measure in BY_SIDE}
    for name, cells in groups.items():
        by_count = [run.average([cell for cell in cells if cell.settings.players == count]) for count in counts]
        together = {measure: run.average(cells, measure) for measure in BY_SIDE}
        row = [margin_text(*one) for one in by_count]
        for measure, (games, mean, error) in together.items():
            row.append(margin_text(games, mean, error))
            if games:
                drawn[measure].append((name, mean, student_95(games) * error))
        rows.append([name, f"{together['score'][0]:,}", *row])
    heads = ("name", "games", *(f"score of {count}" for count in counts), *BY_SIDE)
    groups_of_bars = {measure: bars for measure, bars in drawn.items() if bars}
    return Section(title, heads, rows, plotted(plots.bars, groups_of_bars, "mean") if groups_of_bars else [])


def budget_sections(results: Sequence[Result]) -> list[Section]:
    """Score against budget, a plot a unit, if agents differ in nothing else."""
    units: dict[str, dict[str, list[tuple[float, float, float]]]] = {}
    for cell, one in results:
        name, unit, budget = split_budget(cell.agent)
        if unit and cell.kind == "self-play":
            points = units.setdefault(unit, {}).setdefault(f"{name}, {one.players} players", [])
            points.append((budget, one.mean, one.high - one.mean))
    return [
        Section(f"Score against {unit}", plots=plotted(plots.lines, curves, "mean score", f"{unit} a move"))
        for unit, curves in units.items()
        if any(len(points) > 1 for points in curves.values())
    ]


def sections_of(run: Run, results: Sequence[Result]) -> list[Section]:
    """The sections of the report of a run."""
    sections = [cells_section(unique(results))]
    paired = [result for result in results if result[0].kind in ("pairing", "every-pair")]
    if len({cell.partner for cell, _ in paired}) > 1:
        sections.append(Section("Pairings", plots=plotted(plots.heatmap, paired)))
    alone = [result for result in results if result[0].kind == "self-play"]
    if alone and max(map(len, plots.by_players(alone).values())) <= MOST_OUTLINES:
        sections.append(Section("Scores reached", plots=plotted(plots.histograms, alone)))
    return [*sections, *budget_sections(results), *side_sections(run)]


def describe(experiment: Experiment, directory: Path, missing: int, wanted: int) -> str:
    """What was played, and what is missing, in a sentence or two."""
    rules = ", ".join(f"{key} = {value}" for key, value in experiment.rules.items()) or "the official rules"
    name = plain(shlex.quote(directory.name)).replace("`", "'")
    played = f"All {wanted:,} games were played."
    if missing:
        played = f"{missing:,} of {wanted:,} games are missing; `tamaya run {name}` plays them."
    return f"Seed {experiment.seed}, {rules}. {played}"


def as_markdown(title: str, text: str, sections: Sequence[Section]) -> str:
    """A report as Markdown."""
    lines = [f"# {in_markdown(title)}", "", text]
    for section in sections:
        if section.rows:
            lines += ["", f"## {section.title}", "", f"| {' | '.join(section.heads)} |"]
            lines += [
                "| --- |" + " ---: |" * (len(section.heads) - 1),
                *(f"| {' | '.join(map(in_markdown, row))} |" for row in section.rows),
            ]
        if section.text:
            lines += ["", section.text]
    return "\n".join(lines) + "\n"


def html_table(section: Section) -> str:
    """The table of a section, for a page."""
    head = "".join(f"<th>{html.escape(name)}</th>" for name in section.heads)
    body = "".join(
        "<tr>" + "".join(f"<td>{html.escape(plain(text))}</td>" for text in row) + "</tr>\n" for row in section.rows
    )
    kind = "wide words" if section.has_words else "wide"
    return f'<div class="{kind}"><table><thead><tr>{head}</tr></thead><tbody>\n{body}</tbody></table></div>\n'


def as_html(title: str, text: str, sections: Sequence[Section]) -> str:
    """A report as one page that needs no other file."""
    body = ""
    for section in sections:
        if not (section.rows or section.plots or section.text):
            continue
        body += f"<h2>{html.escape(section.title)}</h2>\n" + "\n".join(section.plots)
        body += html_table(section) if section.rows else ""
        body += f"<p>{html.escape(section.text)}</p>\n" if section.text else ""
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{html.escape(title)}</title>'
        f"<style>{STYLE}</style></head>\n<body><h1>{html.escape(title)}</h1>\n"
        f"<p>{html.escape(text).replace('`', '')}</p>\n{body}<p>{LEGEND}</p></body></html>\n"
    )


def write_report(directory: Path) -> list[Path]:
    """Writes report.md, report.html, cells.csv, cells.json and the games that were kept; the files written."""
    directory = directory.resolve()
    with Run(directory, is_read_only=True) as run:
        results = list(run.summaries())
        if not results:
            raise ValueError(f"{directory} has no games yet")
        experiment, sections = run.experiment, sections_of(run, results)
        games = write_games(directory, run)
        missing, wanted = run.missing(), sum(n for _, n in unique(list(run.wanted().items())))
    cells = [{"kind": cell.kind, "partner": cell.partner, **msgspec.to_builtins(one)} for cell, one in unique(results)]
    title, text = plain(experiment.title or directory.name), describe(experiment, directory, missing, wanted)
    contents = {
        "report.md": as_markdown(title, text, sections),
        "report.html": as_html(title, text, sections),
        "cells.csv": as_csv(flat_cells(results)),
        "cells.json": msgspec.json.format(msgspec.json.encode(cells), indent=1).decode() + "\n",
    }
    return [*write_files(directory, contents), *games]


def write_games(directory: Path, run: Run) -> list[Path]:
    """Writes games.jsonl, game by game, if games were kept; the files written."""
    records = run.records()
    first = next(records, None)
    if first is None:
        return []
    with replacing(directory / "games.jsonl") as file:
        for record in itertools.chain([first], records):
            file.write(dumps(record) + b"\n")
    return [directory / "games.jsonl"]
