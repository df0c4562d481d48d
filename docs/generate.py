"""Writes what the documentation shows of tamaya's own output: python docs/generate.py.

The tables stand between marks such as ``<!-- results -->``; the picture is docs/match.svg.
"""

import io
import json
import pathlib
import re
import tempfile

from rich.console import Console

from tamaya import console as terminal
from tamaya import run_match
from tamaya.reproduce import judge, paper_table, paper_tables
from tamaya.runs import Run

ROOT = pathlib.Path(__file__).parent.parent
JAVA = json.loads((ROOT / "tests" / "data" / "java_means.json").read_text())["means"]
PLAYERS = (2, 3, 4, 5)
GAMES = 20_000
SEED = 1


def fill(page: pathlib.Path, mark: str, text: str) -> None:
    """Puts a text between the two marks of a name in a page."""
    sign = f"<!-- {mark} -->"
    before, _, after = page.read_text().split(sign)
    page.write_text(f"{before}{sign}\n\n{text}\n\n{sign}{after}")


def table(names: list[str]) -> str:
    """The means of some agents with those of the Java framework, in Markdown."""
    results = {(one.agent, one.players): one for one in run_match(names, PLAYERS, GAMES, SEED)}
    lines = [
        f"| agent | {' | '.join(f'{players} players' for players in PLAYERS)} |",
        "| --- |" + " ---: |" * len(PLAYERS),
    ]
    for name in names:
        cells = [results[name, players] for players in PLAYERS]
        figures = [f"{one.mean:.2f} ± {one.high - one.mean:.2f}" for one in cells]
        published = [f" ({mean:.2f})" for mean in JAVA[name]] if name in JAVA else [""] * len(PLAYERS)
        lines.append(f"| `{name}` | {' | '.join(map(str.__add__, figures, published))} |")
    return "\n".join(lines)


def picture(names: list[str]) -> None:
    """A match as the terminal shows it."""
    console = Console(record=True, width=92, file=io.StringIO(), highlight=False)
    console.print(f"$ tamaya match {' '.join(names)} --players 3", style="bold")
    terminal.out = console
    terminal.print_results(run_match(names, [3]), 1, False)
    local = re.sub(r"@font-face \{.*?\}", "", console.export_svg(title="tamaya"), flags=re.DOTALL)
    (ROOT / "docs" / "match.svg").write_text(re.sub(r"<!-- Generated.*?-->", "", local))


def reproduced(name: str) -> str:
    """The verdicts on a table of a paper, in Markdown."""
    table = paper_table(name)
    with tempfile.TemporaryDirectory() as folder, Run(pathlib.Path(folder), table.plan()) as run:
        run.play()
        verdicts = [judge(figure, run) for figure in table.figure]
    lines = [f"`tamaya reproduce {name}`: {table.title}; published: {table.published_games}.", ""]
    lines += ["| row | of | published | measured | games | verdict |", "| --- | --- | ---: | ---: | ---: | --- |"]
    for one in verdicts:
        measured = "" if one.measured is None else f"{one.measured:.2f} ± {1.96 * (one.standard_error or 0):.2f}"
        games = f"{one.games:,}" if one.games else ""
        lines.append(f"| {one.row} | {one.column} | {one.published:g} | {measured} | {games} | {one.verdict} |")
    return "\n".join(lines)


def main() -> None:
    """Writes everything."""
    fill(ROOT / "docs" / "papers.md", "walton-rivers", "\n\n".join(reproduced(name) for name in paper_tables()))
    picture(["piers", "iggi", "vdb", "legal-random"])
    names = ["legal-random", "internal", "outer", "cautious", "iggi", "piers", "flawed", "vdb"]
    fill(ROOT / "README.md", "results", table(names))
    others = [name for name in JAVA if "counting" not in name and name not in names]
    fill(ROOT / "docs" / "agents.md", "others", table([*others, "risky2", "clivej", "clivej2"]))
    fill(ROOT / "docs" / "agents.md", "counting", table([name for name in JAVA if "counting" in name]))


if __name__ == "__main__":
    main()
