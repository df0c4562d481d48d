"""Writes what the documentation shows of tamaya's own output: python docs/generate.py, or with the names of parts.

``python docs/generate.py quick`` writes what takes seconds and what a test compares: the command line, observations,
the tutorial, the outputs of commands, the notebook. The other parts are papers, searches, conventions,
records, limits, picture and results.

The tables stand between marks such as ``<!-- results -->``, the picture is docs/match.svg, the page docs/results.md.
The scores are those of the run of docs/results.toml, whose missing games are played first; the verdicts on a paper
are those of the runs in ``reproduced``, as far as ``tamaya reproduce`` has played them.
"""

import io
import json
import pathlib
import re
import sys
from collections.abc import Iterator
from itertools import pairwise

import cells
import numpy as np
from rich.console import Console
from shown import PLAYERS, ROOT, filled, markdown_table, write_quick

from tamaya import Game, run_match, solve
from tamaya.arena.seating import game_seeds
from tamaya.arena.statistics import NORMAL_95, Summary, wilson
from tamaya.cli.printing import console as terminal
from tamaya.cli.printing.match_results import print_results
from tamaya.experiments.experiment import read_experiment
from tamaya.experiments.papers.paper_tables import PaperTable, paper_tables
from tamaya.experiments.papers.verdicts import FEWEST_GAMES, FigureVerdict, verdicts_on
from tamaya.experiments.report.pages import Page, page_markdown
from tamaya.experiments.report.result_tables import cells_section
from tamaya.experiments.report.run_report import LEGEND
from tamaya.experiments.runs import Run
from tamaya.solver.solve import SolvedShare, solved_share

JAVA = json.loads((ROOT / "tests" / "data" / "java_means.json").read_text())["means"]
MAIN = ["legal-random", "internal", "outer", "cautious", "iggi", "piers", "flawed", "vdb"]


def fill(page: pathlib.Path, mark: str, text: str) -> None:
    """Puts a text between the two marks of a name in a page."""
    page.write_text(filled(page.read_text(), mark, text))


def table_by_players(head: str, rows: dict[str, dict[int, str]]) -> str:
    """A table with a column for each number of players."""
    body = [[name, *(cells.get(players, "") for players in PLAYERS)] for name, cells in rows.items()]
    return markdown_table((head, *(f"{players} players" for players in PLAYERS)), body)


def means(results: dict[tuple[str, int], Summary], names: list[str]) -> str:
    """The means of some agents with those of the Java framework."""
    rows = []
    for name in names:
        cells = [results[name, players] for players in PLAYERS]
        figures = [f"{one.mean:.2f} ± {one.high - one.mean:.2f}" for one in cells]
        published = [f" ({mean:.2f})" for mean in JAVA[name]] if name in JAVA else [""] * len(PLAYERS)
        rows.append([f"`{name}`", *map(str.__add__, figures, published)])
    return markdown_table(("agent", *(f"{players} players" for players in PLAYERS)), rows)


def write_results() -> None:
    """The tables of scores, and the page with everything that was measured."""
    folder = ROOT / "docs" / "results.run"
    with Run(folder, read_experiment(ROOT / "docs" / "results.toml")) as run:
        run.play()
        results = list(run.summaries())
        experiment = run.experiment
    by_name = {(one.agent, one.players): one for _, one in results}
    fill(ROOT / "README.md", "results", means(by_name, MAIN))
    names = dict.fromkeys(one.agent for _, one in results)
    others = [name for name in names if "counting" not in name and name not in MAIN]
    fill(ROOT / "docs" / "agents.md", "others", means(by_name, others))
    fill(ROOT / "docs" / "agents.md", "counting", means(by_name, [name for name in names if "counting" in name]))
    text = f"`tamaya run docs/results.toml`, seed {experiment.seed}. {LEGEND}"
    page = page_markdown(Page(experiment.title, [text], [cells_section(results)]))
    (ROOT / "docs" / "results.md").write_text(page)


def write_searches() -> None:
    """The scores of the searches, as far as docs/search.toml was played."""
    folder = ROOT / "docs" / "search.run"
    if not (folder / "games.sqlite").exists():
        return
    with Run(folder, is_read_only=True) as run:
        rows: dict[str, dict[int, str]] = {}
        for _, one in run.summaries():
            if one.games < FEWEST_GAMES:
                continue
            text = f"{one.mean:.2f} ± {one.high - one.mean:.2f} ({one.games})"
            rows.setdefault(f"`{one.agent}`", {})[one.players] = text
    fill(ROOT / "docs" / "search.md", "strength", table_by_players("search", rows))


LADDER = "information(faithful"
STRONGEST = ["`smartbot`", "`information(faithful)`", "`information`", "`search(information, iterations=400)`"]


def strict_scores(folder: pathlib.Path) -> Iterator[tuple[str, int, np.ndarray, str]]:
    """The cells of a run: agent, players, strict scores by number of game, NaN if not played, and these in words."""
    if not (folder / "games.sqlite").exists():
        return
    with Run(folder, is_read_only=True) as run:
        for cell, (number, games) in run.cells.items():
            points = np.full(games, np.nan)
            for some in run.store.columns(number, games):
                points[some["number"]] = np.where(some["lives"] > 0, some["score"], 0)
            played = points[~np.isnan(points)]
            if len(played) < FEWEST_GAMES:
                continue
            perfect = (played == cell.settings.max_score).mean()
            yield cell.agent, cell.settings.players, points, f"{mean_of(played)}, {perfect:.1%} ({len(played):,})"


def mean_of(points: np.ndarray, form: str = ".3f") -> str:
    """A mean with half of its 95 % interval."""
    return f"{points.mean():{form}} ± {NORMAL_95 * points.std() / len(points) ** 0.5:{form.lstrip('+')}}"


def gain_of(points: np.ndarray, before: np.ndarray) -> np.ndarray:
    """The differences of scores in the games that both have."""
    games = min(len(points), len(before))
    gain = points[:games] - before[:games]
    return gain[~np.isnan(gain)]


def rows_by_players(page: pathlib.Path, mark: str) -> dict[str, dict[int, str]]:
    """The table between the two marks of a name in a page."""
    lines = page.read_text().split(f"<!-- {mark} -->")[1].strip().splitlines()[2:]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    return {name: dict(zip(PLAYERS, cells, strict=True)) for name, *cells in rows}


EARLIER = "margin=0.02"
"""What marks the searches that were played before the margin became smaller; methods.md compares them."""


def write_records() -> None:
    """The scores of the strongest players: those of docs/records.run, and for other cells what the page has."""
    page = ROOT / "docs" / "records.md"
    rows, plain, gains = rows_by_players(page, "records"), np.zeros(0), []
    for name, players, points, text in strict_scores(ROOT / "docs" / "records.run"):
        if EARLIER in name:
            continue
        rows.setdefault(f"`{name}`", {})[players] = text
        if name == "duet":
            plain = points
        elif "duet" in name and len(gain := gain_of(points, plain)):
            gains.append([f"`{name}`", mean_of(gain, "+.3f"), f"{len(gain):,}"])
    fill(page, "records", table_by_players("player", rows))
    if gains:
        fill(page, "paired", markdown_table(("team", "more than `duet`", "games"), gains))


def write_conventions() -> None:
    """The scores of players with conventions, and what each improvement of one of them gains."""
    scores: dict[str, dict[int, str]] = {}
    steps: dict[int, list[tuple[str, np.ndarray]]] = {}
    for name, players, points, text in strict_scores(ROOT / "docs" / "conventions.run"):
        if name.startswith(LADDER) or name == "information":
            steps.setdefault(players, []).append((name, points))
        if not name.startswith(f"{LADDER},"):
            scores.setdefault(f"`{name}`", {})[players] = text
    if not scores:
        return
    fill(ROOT / "docs" / "conventions.md", "strength", table_by_players("player", scores))
    fill(ROOT / "README.md", "strength", table_by_players("player", {name: scores[name] for name in STRONGEST}))
    rows: dict[str, dict[int, str]] = {}
    for players, rungs in steps.items():
        for (_, before), (name, after) in pairwise(rungs):
            step = name.rpartition(", ")[2].split("=")[0] if name != "information" else "hint_first"
            text = mean_of(1000.0 * gain_of(after, before), "+.1f")
            rows.setdefault(f"`{step}`", {})[players] = text
    fill(ROOT / "docs" / "methods.md", "ladder", table_by_players("setting", rows))


DEALS = 1000


def write_limits() -> None:
    """How many deals can be won, beside what players that see their cards win of the first of them."""
    shares = {players: [solve(Game(players, int(seed))) for seed in game_seeds(1, 0, DEALS)] for players in PLAYERS}
    write_limit_table([solved_share(players, solutions) for players, solutions in shares.items()])


def write_limit_table(shares: list[SolvedShare]) -> None:
    """The table of what can be won, for shares of deals of a match with seed 1."""
    rows: dict[str, dict[int, str]] = {}
    for one in shares:
        low, high = (100 * bound for bound in wilson(one.winnable, one.deals))
        for name, text in {
            "deals": f"{one.deals:,}",
            "can be won": f"{one.winnable / one.deals:.2%} ({low:.2f} to {high:.2f})",
            "cannot be won": f"{one.lost:,}",
            "left open": f"{one.undecided:,}",
            "mean of the highest scores": f"{one.mean:.4f}",
            "decided within a second": f"{one.within_second / one.deals:.2%}",
            "median time": f"{1000 * one.median_seconds:.1f} ms",
            "longest time": f"{one.longest_seconds:.0f} s" if one.longest_seconds > 1 else "less than 1 s",
        }.items():
            rows.setdefault(name, {})[one.players] = text
    for one in run_match(["omniscient", "cheater"], list(PLAYERS), 1000):
        low, high = (100 * bound for bound in wilson(one.perfect, one.games))
        text = f"{one.perfect / one.games:.1%} ({low:.1f} to {high:.1f})"
        rows.setdefault(f"`{one.agent}` wins, of 1,000", {})[one.players] = text
    fill(ROOT / "docs" / "limits.md", "limits", table_by_players("", rows))


def write_picture() -> None:
    """A match as the terminal shows it."""
    names = ["piers", "iggi", "vdb", "legal-random"]
    console = Console(record=True, width=92, file=io.StringIO(), highlight=False)
    console.print(f"$ tamaya match {' '.join(names)} --players 3", style="bold")
    terminal.out = console
    print_results(run_match(names, [3]), 1, False)
    local = re.sub(r"@font-face \{.*?\}", "", console.export_svg(title="tamaya"), flags=re.DOTALL)
    (ROOT / "docs" / "match.svg").write_text(re.sub(r"<!-- Generated.*?-->", "", local))


def compared(name: str, table: PaperTable, run: Run) -> str:
    """A table as the paper prints it: measured figures, published ones in brackets, in bold where they differ."""
    rows: dict[str, dict[str, str]] = {}
    games: dict[str, list[int]] = {}
    for one in verdicts_on(table, run):
        if one.measured is not None:
            mean = one.measured_text
            published = "" if one.published is None else f" ({one.published:g})"
            text = f"**{mean}{published}**" if one.verdict is FigureVerdict.DIFFERS else mean + published
            rows.setdefault(one.row, {})[one.column] = text
            games.setdefault(one.row, []).append(one.games)
    for name_of_row, counts in games.items():
        rows[name_of_row]["games"] = " to ".join(f"{count:,}" for count in sorted({min(counts), max(counts)}))
    columns = (*(column.name for column in table.column), "games")
    used = [column for column in columns if any(column in row for row in rows.values())]
    body = [[row, *(cells.get(column, "") for column in used)] for row, cells in rows.items()]
    title = f"`tamaya reproduce {name}`: {table.title}; published: {table.published_games}."
    return f"{title}\n\n{markdown_table(('', *used), body)}"


def write_papers() -> None:
    """The tables that were reproduced, paper by paper."""
    sections: dict[str, list[str]] = {}
    for name, table in paper_tables().items():
        run = table.run_in(ROOT / "reproduced", name, is_read_only=True)
        if run and (run.directory / "games.sqlite").exists():
            with run:
                sections.setdefault(name.split("/")[0], []).append(compared(name, table, run))
    for paper, tables in sections.items():
        fill(ROOT / "docs" / "papers.md", paper, "\n\n".join(tables))


def write_quickly() -> None:
    """What a test compares."""
    sys.path += [str(ROOT / "examples" / "tutorial")]
    write_quick()
    cells.write()


PARTS = {
    "papers": write_papers,
    "searches": write_searches,
    "conventions": write_conventions,
    "records": write_records,
    "limits": write_limits,
    "picture": write_picture,
    "results": write_results,
    "quick": write_quickly,
}


if __name__ == "__main__":
    for part in sys.argv[1:] or PARTS:
        PARTS[part]()
