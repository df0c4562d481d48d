"""The report of a run: Markdown, a self-contained page, and files for other tools."""

import datetime
import itertools
import json
import math
import shlex
from collections.abc import Iterable, Sequence
from importlib.metadata import version
from pathlib import Path

import msgspec

from tamaya.engine.files import replacing, write_files
from tamaya.experiments.cells import unique
from tamaya.experiments.export import as_csv, flat_cells
from tamaya.experiments.report import plots
from tamaya.experiments.report.heatmaps import PAIRS, pair_maps
from tamaya.experiments.report.pages import Page, ReportSection, page_html, page_markdown
from tamaya.experiments.report.plots import CellSummary
from tamaya.experiments.report.rankings import Ranking, contests, ranking_section, without_backticks
from tamaya.experiments.report.result_tables import budget_sections, cells_section, side_sections
from tamaya.experiments.runs import FORMAT, Run
from tamaya.game.replay import dumps

LEGEND = (
    "± is half of a 95 % interval; shares have Wilson intervals; strict scores are zero if the last life was "
    "lost; errors are lives lost and useful cards discarded, per game; differences to the first are taken deck by deck."
)
MOST_OUTLINES = 6
"""More agents than this in one panel of histograms cannot be told apart."""


def in_a_sentence(words: Sequence[object]) -> str:
    """Words as a list in a sentence."""
    *some, last = map(str, words)
    return f"{', '.join(some)} and {last}" if some else last


def summary_of_run(run: Run, directory: Path, order: Iterable[Ranking]) -> list[str]:
    """What was played, what is missing, and what came of it."""
    experiment, wanted = run.experiment, [cell for cell, _ in unique(list(run.wanted().items()))]
    most: dict[str, int] = {}
    for cell, count in run.wanted().items():
        most[cell.key] = max(count, most.get(cell.key, 0))
    fewest, total, missing = min(most.values()), sum(most.values()), run.missing()
    each = f"{fewest:,}" if fewest == max(most.values()) else f"{fewest:,} to {max(most.values()):,}"
    each += " game per cell" if each == "1" else " games per cell"
    agents = {name for cell in wanted for name in (*cell.members, *cell.pool) if name}
    players = in_a_sentence(sorted({cell.settings.players for cell in wanted}))
    rules = ", ".join(f"{key} = {value}" for key, value in experiment.rules.items()) or "the official rules"
    kinds = f"{len(wanted):,} cells of {len(agents):,} agents" if len(wanted) > 1 else "One cell"
    text = f"{kinds} with {players} players, {each}, seed {experiment.seed}, {without_backticks(rules)}."
    played = f"All {total:,} games were played."
    if missing:
        empty = sum(not run.store.reached(*run.cells[cell]) for cell in wanted)
        played = f"{missing:,} of {total:,} games are missing; `tamaya run {in_shell(directory)}` plays them."
        played += f" {empty:,} of {len(wanted):,} cells have no games yet." if empty else ""
    unasked = run.unasked()
    if unasked:
        more = "1 game" if unasked == 1 else f"{unasked:,} games"
        played += f" The run also holds {more} that the experiment no longer asks for; this report leaves them out."
    return [f"{text} {played}", *(one.summary for one in order)]


def in_shell(directory: Path) -> str:
    """The name of a run as a command takes it."""
    return without_backticks(shlex.quote(directory.name))


def sections_of(run: Run, results: Sequence[CellSummary], order: Iterable[Ranking]) -> list[ReportSection]:
    """The sections of the report of a run, the most wanted first."""
    means = dict.fromkeys(run.cells, math.nan) | {cell: one.mean for cell, one in results}
    pairs = ReportSection(PAIRS, heatmaps=pair_maps(means))
    sections = [*map(ranking_section, order), pairs, cells_section(results, run.wanted())]
    alone = plots.by_table([result for result in results if result[0].kind == "self-play"])
    if alone and plots.are_available() and max(map(len, alone.values())) <= MOST_OUTLINES:
        sections.append(ReportSection("Scores reached", plots=[plots.histogram(*group) for group in alone.items()]))
    return [*sections, *budget_sections(results), *side_sections(run)]


def page_of(run: Run, results: Sequence[CellSummary], directory: Path) -> Page:
    """The report of a run."""
    order = contests(run)
    name, programs = in_shell(directory), ", ".join(run.store.programs())
    again = {"format": FORMAT, "experiment": msgspec.to_builtins(run.experiment)}
    return Page(
        title=run.experiment.title or directory.name,
        summary=summary_of_run(run, directory, order),
        sections=sections_of(run, results, order),
        foot=[
            LEGEND,
            f"This report was written by `tamaya report {name}` with tamaya {version('tamaya')}. "
            f"The games were played with tamaya {without_backticks(programs)}. To play the same games again, copy the "
            "experiment.json of this run into a new directory and give that directory to `tamaya run`.",
        ],
        date=datetime.date.today().isoformat(),
        experiment=json.dumps(again, indent=1),
    )


def write_report(directory: Path) -> list[Path]:
    """Writes report.md, report.html, cells.csv, cells.json and the games that were kept; returns the files written."""
    directory = directory.resolve()
    with Run(directory, is_read_only=True) as run:
        results = list(run.summaries())
        if not results:
            raise ValueError(f"{directory} has no games yet")
        page = page_of(run, results, directory)
        games = write_games(directory, run)
    cells = [{"kind": cell.kind, "partner": cell.partner, **msgspec.to_builtins(one)} for cell, one in unique(results)]
    contents = {
        "report.md": page_markdown(page),
        "report.html": page_html(page),
        "cells.csv": as_csv(flat_cells(results)),
        "cells.json": msgspec.json.format(msgspec.json.encode(cells), indent=1).decode() + "\n",
    }
    return [*write_files(directory, contents), *games]


def write_games(directory: Path, run: Run) -> list[Path]:
    """Writes games.jsonl, game by game, if games were kept; returns the files written."""
    records = run.records()
    first = next(records, None)
    if first is None:
        return []
    with replacing(directory / "games.jsonl") as file:
        for record in itertools.chain([first], records):
            file.write(dumps(record) + b"\n")
    return [directory / "games.jsonl"]
