"""The report of a run: Markdown, a self-contained page, and files for other tools."""

import csv
import html
import io
from collections.abc import Sequence
from pathlib import Path

import msgspec

from tamaya import plots
from tamaya.experiment import Cell, Experiment
from tamaya.plots import Result
from tamaya.replay import dumps
from tamaya.runs import Run, unique
from tamaya.statistics import NORMAL_95, Summary, wilson

HEADS = ("agent", "players", "games", "mean", "strict", "perfect", "struck out", "moves", "errors", "to the first")
MOST_OUTLINES = 6
"""More agents than this in one panel of histograms cannot be told apart."""

Overall = list[tuple[str, float, float, int]]
Sections = dict[str, Overall]

STYLE = """body { font: 15px/1.45 system-ui, sans-serif; max-width: 70em; margin: 2em auto; padding: 0 1em; }
table { border-collapse: collapse; margin: 1em 0; }
th, td { padding: 0.15em 0.7em; text-align: right; white-space: nowrap; }
.wide { overflow-x: auto; } th:first-child, td:first-child { text-align: left; }
 thead th { border-bottom: 1px solid; } svg { max-width: 100%; }"""


def rate(count: int, games: int) -> str:
    """A share with its Wilson interval."""
    low, high = wilson(count, games)
    return f"{count / games:.1%} ({low:.1%} to {high:.1%})"


def row_of(one: Summary) -> list[str]:
    """A summary as the cells of a table."""
    gain = one.difference
    return [
        one.agent,
        str(one.players),
        f"{one.games:,}",
        f"{one.mean:.3f} ± {one.high - one.mean:.3f}",
        f"{one.mean_zero:.3f}",
        rate(one.perfect, one.games),
        rate(one.strike_outs, one.games),
        f"{one.moves:.1f}",
        f"{one.errors:.2f}",
        f"{gain.mean:+.3f} ± {gain.high - gain.mean:.3f}" if gain else "",
    ]


def overall(run: Run) -> Sections:
    """Means, standard errors and games of each agent over all its partners, and the other way round, by title."""
    paired = [cell for cell in run.cells if cell.kind in ("pairing", "every-pair", "random-teams")]
    sections: Sections = {}
    for side in ("agent", "partner"):
        groups: dict[str, list[Cell]] = {}
        for cell in paired:
            groups.setdefault(getattr(cell, side), []).append(cell)
        rows = []
        for name, cells in groups.items():
            games = run.tally(cells).games
            if games and len(groups) > 1:
                rows.append((name, *run.average(cells), games))
        if rows:
            sections[f"By {side}, over all pairings and numbers of players"] = rows
    return sections


def describe(experiment: Experiment, directory: Path) -> str:
    """What was played, in a sentence."""
    rules = ", ".join(f"{key} = {value}" for key, value in experiment.rules.items()) or "the official rules"
    return f"Seed {experiment.seed}, {rules}. `tamaya run {directory.name}` plays what is missing."


def figures_of(results: Sequence[Result]) -> dict[str, str]:
    """The plots that fit the line-ups of a run, by title."""
    figures = {"Mean scores": plots.bars(unique(results))}
    paired = [result for result in results if result[0].kind in ("pairing", "every-pair")]
    if len({cell.partner for cell, _ in paired}) > 1:
        figures["Pairings"] = plots.heatmap(paired)
    alone = [result for result in results if result[0].kind == "self-play"]
    if alone and max(map(len, plots.by_players(alone).values())) <= MOST_OUTLINES:
        figures["Scores reached"] = plots.histograms(alone)
    return figures


def overall_rows(rows: Overall) -> list[list[str]]:
    """Overall means as the cells of a table."""
    return [[name, f"{games:,}", f"{mean:.3f} ± {NORMAL_95 * error:.3f}"] for name, mean, error, games in rows]


def as_markdown(experiment: Experiment, directory: Path, results: Sequence[Result], sections: Sections) -> str:
    """The report as Markdown."""
    lines = [f"# {experiment.title or directory.name}", "", describe(experiment, directory), ""]
    lines += [f"| {' | '.join(HEADS)} |", "| --- |" + " ---: |" * (len(HEADS) - 1)]
    lines += [f"| {' | '.join(row_of(summary))} |" for _, summary in results]
    for title, rows in sections.items():
        lines += ["", f"## {title}", "", "| name | games | mean |", "| --- | ---: | ---: |"]
        lines += [f"| {' | '.join(row)} |" for row in overall_rows(rows)]
    return "\n".join(lines) + "\n"


def html_table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table of a page."""
    head = "".join(f"<th>{html.escape(name)}</th>" for name in heads)
    body = "".join("<tr>" + "".join(f"<td>{html.escape(text)}</td>" for text in row) + "</tr>\n" for row in rows)
    return f'<div class="wide"><table><thead><tr>{head}</tr></thead><tbody>\n{body}</tbody></table></div>\n'


def as_html(experiment: Experiment, directory: Path, results: Sequence[Result], sections: Sections) -> str:
    """The report as one page that needs no other file."""
    title = html.escape(experiment.title or directory.name)
    parts = [f"<h2>{name}</h2>\n{svg}\n" for name, svg in figures_of(results).items()]
    for name, rows in sections.items():
        parts.append(f"<h2>{name}</h2>\n{html_table(('name', 'games', 'mean'), overall_rows(rows))}")
    parts.append(f"<h2>Cells</h2>\n{html_table(HEADS, [row_of(summary) for _, summary in unique(results)])}")
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{title}</title>'
        f"<style>{STYLE}</style></head>\n<body><h1>{title}</h1>\n"
        f"<p>{html.escape(describe(experiment, directory)).replace('`', '')}</p>\n{''.join(parts)}"
        "<p>± is half of a 95 % interval; shares have Wilson intervals; strict counts a lost last life as zero; errors "
        "are lives lost and useful cards discarded, a game.</p></body></html>\n"
    )


def as_csv(results: Sequence[Result]) -> str:
    """A line a cell, for other tools."""
    buffer = io.StringIO()
    plain = [name for name in Summary.__struct_fields__ if name not in ("agent", "histogram", "difference")]
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow(["kind", "agent", "partner", *plain])
    for cell, summary in unique(results):
        writer.writerow([cell.kind, cell.agent, cell.partner, *(getattr(summary, name) for name in plain)])
    return buffer.getvalue()


def write_report(directory: Path) -> list[Path]:
    """Writes report.md, report.html, cells.csv, cells.json and the games that were kept; the files written."""
    directory = directory.resolve()
    with Run(directory, is_read_only=True) as run:
        results = list(run.summaries())
        sections, experiment = overall(run), run.experiment
        games = b"".join(dumps(record) + b"\n" for record in run.records())
    if not results:
        raise ValueError(f"{directory} has no games yet")
    cells = [{"kind": cell.kind, "partner": cell.partner, **msgspec.to_builtins(one)} for cell, one in unique(results)]
    contents = {
        "report.md": as_markdown(experiment, directory, unique(results), sections),
        "report.html": as_html(experiment, directory, results, sections),
        "cells.csv": as_csv(results),
        "cells.json": msgspec.json.format(msgspec.json.encode(cells), indent=1).decode() + "\n",
    }
    if games:
        contents["games.jsonl"] = games.decode()
    for name, text in contents.items():
        (directory / name).write_text(text, encoding="utf-8")
    return [directory / name for name in contents]
