"""``tamaya reproduce``: the tables of the papers, played again."""

import contextlib
import shlex
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.markup import escape
from rich.table import Table as Grid
from rich.text import Text

from tamaya.cli.options import Json, Threads, check_threads
from tamaya.cli.printing import console
from tamaya.cli.printing.characters import shown
from tamaya.cli.printing.progress import progress_bar
from tamaya.cli.printing.tables import text_table
from tamaya.cli.report import note_missing_plots
from tamaya.engine.text import count_of, duration, plain

if TYPE_CHECKING:
    from tamaya.experiments.papers.verdicts import JudgedFigure
    from tamaya.experiments.runs import Progress, Run

EXAMPLES = ("reproduce --list", "reproduce walton-rivers/table-2", "reproduce goodman/table-3 --quick")

RUNS = Path("reproduced")
"""Where the runs of the papers' tables are kept by default."""


def table_names(incomplete: str) -> list[str]:
    """Returns the tables whose names begin like this, for completion in a shell."""
    from tamaya.experiments.papers.paper_tables import data_files

    return [name for name, _ in data_files() if name.startswith(incomplete)]


def reproduce(
    name: Annotated[
        str | None,
        typer.Argument(
            metavar="TABLE", help="A table of a paper, such as walton-rivers/table-2.", autocompletion=table_names
        ),
    ] = None,
    show_list: Annotated[bool, typer.Option("--list", "-l", help="List the tables.")] = False,
    quick: Annotated[bool, typer.Option("--quick", "-q", help="Play for about a minute only.")] = False,
    to: Annotated[
        Path | None, typer.Option(metavar="DIRECTORY", help="The folder of the runs. [default: reproduced]")
    ] = None,
    threads: Threads = None,
    json: Json = False,
) -> None:
    """Play a table of a paper again, and print published and measured figures side by side."""
    from tamaya.experiments.papers.paper_tables import paper_rows, paper_tables

    check_threads(threads)
    if name is not None and show_list:
        raise ValueError("--list shows all tables and takes no name")
    if name is None:
        if not show_list:
            raise ValueError("name a table, or use --list to see them")
        print_tables(paper_rows(paper_tables()), json)
        return
    play_and_print(name, to or RUNS, quick, threads, json)


def print_tables(rows: list[dict[str, Any]], json: bool) -> None:
    """Prints the tables of the papers."""
    from tamaya.arena.batches import cores

    if json:
        console.print_json({"tables": rows})
        return
    lines = [
        {
            "name": row["name"],
            "title": row["title"],
            "figures": row["figures"].replace(" of ", "/"),
            "time": duration(row["seconds"]) if row["games"] else "-",
        }
        for row in rows
    ]
    console.out.print(text_table(lines, "title", console.out.width))
    console.out.print(f"\n{len(rows)} tables; the times are for {count_of(cores(), 'core')}.")


def play_and_print(name: str, folder: Path, quick: bool, threads: int | None, json: bool) -> None:
    """Plays what is missing of a table, and prints the verdicts, even when it is stopped."""
    from tamaya.experiments.papers.comparison import write_comparison
    from tamaya.experiments.papers.paper_tables import QUICK_SECONDS, paper_table
    from tamaya.experiments.papers.reproduce import play_table
    from tamaya.experiments.papers.verdicts import verdicts_on

    table, missing = paper_table(name), 0
    again = f"tamaya reproduce {name}" + (f" --to {shlex.quote(str(folder))}" if folder != RUNS else "")

    def tell(verdicts: "list[JudgedFigure]") -> None:
        print_verdicts(name, table, verdicts, json)
        if missing:
            console.note(f"{missing:,} games are left; `{again}` continues")

    @contextlib.contextmanager
    def watch(run: "Run") -> "Iterator[Progress]":
        nonlocal missing
        left = seconds_until(QUICK_SECONDS) if quick else run.seconds_left
        try:
            with progress_bar(name, 0 if quick else run.missing(), left) as progress:
                yield progress
            missing = run.missing()
        except BaseException:
            missing = run.missing()
            tell(verdicts_on(table, run))
            raise

    verdicts = play_table(name, folder, QUICK_SECONDS if quick else None, threads, watch)
    tell(verdicts)
    if table.plan() is not None:
        for path in write_comparison(name, table, verdicts, folder / name):
            console.note(f"wrote {path}")
        note_missing_plots()


def seconds_until(seconds: float) -> Callable[[], float]:
    """Returns a clock that says how much is left of a time that starts now."""
    end = time.monotonic() + seconds
    return lambda: max(0.0, end - time.monotonic())


def print_verdicts(name: str, table: Any, verdicts: list[Any], json: bool) -> None:
    """Prints published beside measured figures."""
    from tamaya.experiments.papers.comparison import summary

    if json:
        console.print_json({"name": name, "paper": table.paper, "title": table.title, "figures": verdicts})
        return
    console.out.print(f"{table.paper}, {table.title} (published: {table.published_games})\n", markup=False)
    console.out.print(f"{summary(verdicts)}\n")
    console.out.print(verdict_grid(verdicts))
    for line in reason_lines(verdicts):
        console.out.print(f"\n{line}", markup=False)
    console.out.print("\n±: half of the 95 % interval, for differences from the errors of both sides")
    if table.note:
        console.out.print(table.note, markup=False)


STYLES = {"✓": "green", "≠": "red"}
"""The colours of verdicts by their marks."""


def verdict_grid(verdicts: "list[JudgedFigure]") -> Grid:
    """Lays out published figures beside measured ones, each with its verdict."""
    grid = Grid(box=None, pad_edge=False, header_style="bold", padding=(0, 2, 0, 0))
    for head in ("", "of"):
        grid.add_column(head, overflow="fold")
    for head in ("published", "measured", "games"):
        grid.add_column(head, justify="right", no_wrap=True)
    grid.add_column("verdict", overflow="fold")
    for one in verdicts:
        published = "" if one.published is None else f"{one.published:g}"
        games = f"{one.games:,}" if one.games else ""
        cells = (one.row, one.column, published, one.measured_text, games)
        verdict = shown(plain(f"{one.verdict.mark} {one.words}".strip()))
        grid.add_row(*map(as_cell, cells), Text(verdict, style=STYLES.get(one.verdict.mark, "")))
    return grid


def as_cell(value: object) -> str:
    """Returns what stands in a cell: a text with its markup escaped."""
    return escape(shown(plain(str(value))))


def reason_lines(verdicts: "list[JudgedFigure]") -> Iterator[str]:
    """Says why figures differ or are not compared, each reason once."""
    rows: dict[str, dict[str, None]] = {}
    for one in verdicts:
        if one.reason:
            rows.setdefault(f"{one.verdict.mark} {one.reason}", {})[one.row] = None
    for reason, names in rows.items():
        yield f"{reason}: {', '.join(names)}"
