"""What the commands share on the terminal: consoles, a progress bar, results as tables or JSON."""

import codecs
import contextlib
import io
import os
import shlex
import sys
from collections.abc import Iterator
from importlib.metadata import version
from typing import Any

import msgspec
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, ProgressColumn, Task, TextColumn, TimeRemainingColumn
from rich.text import Text

from tamaya.cli.grids import listing, result_grids
from tamaya.core.text import plain, plain_lines

ASCII = {"±": "+-", "·": ".", "…": "...", "µ": "u", "×": "x", "–": "-", "█": "#", "▏": "|"}


def spell_out(error: UnicodeError) -> tuple[str, int]:
    """What stands for characters that a terminal does not have."""
    assert isinstance(error, UnicodeEncodeError)
    return "".join(ASCII.get(one, "?") for one in error.object[error.start : error.end]), error.end


def make_do_with_streams() -> None:
    """Lets every terminal show what it can; a stream that was closed takes everything and shows nothing."""
    codecs.register_error("tamaya", spell_out)
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, "w"))  # noqa: SIM115 (as long as the process lives)
        stream = getattr(sys, name)
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="tamaya")


make_do_with_streams()


class Terminal(Console):
    """A console that shows texts from anywhere and does not obey them."""

    def print(self, *objects: Any, **options: Any) -> None:
        """Prints texts without what would steer the terminal."""
        super().print(*(plain_lines(one) if isinstance(one, str) else one for one in objects), **options)

    def on_broken_pipe(self) -> None:
        """Lets the command end as one whose reader has left."""
        raise BrokenPipeError


out = Terminal(highlight=False) if sys.stdout.isatty() else Terminal(highlight=False, width=140)
err = Terminal(stderr=True, highlight=False)


class Speed(ProgressColumn):
    """Games a second."""

    def render(self, task: Task) -> Text:
        """The speed so far."""
        return Text(f"{task.finished_speed or task.speed or 0:,.0f} games/s")


def prints_aside() -> contextlib.AbstractContextManager[Any]:
    """What agents print meanwhile goes to the error stream: the output is for results."""
    return contextlib.redirect_stdout(sys.stderr)


@contextlib.contextmanager
def progress_bar(title: str, games: int) -> Iterator[Any]:
    """A progress bar on the error stream, when that is a terminal."""
    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        Speed(),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=err, transient=True, disable=not err.is_terminal) as progress, prints_aside():
        task = progress.add_task(plain(title), total=games)
        yield lambda count: progress.update(task, advance=count)


def print_json(content: Any) -> None:
    """One object for a program."""
    print(msgspec.json.format(msgspec.json.encode(content).decode(), indent=2))


def print_results(results: list[Any], seed: int, json: bool, rules: Any = None) -> None:
    """What was played, also when it was cut short."""
    if json:
        command = shlex.join(["tamaya", *sys.argv[1:]])
        about = {"seed": seed, "tamaya": version("tamaya"), "command": command, "rules": rules or {}}
        print_json({**about, "results": results})
    elif results:
        for part in result_grids(results):
            least = out.measure(part, options=out.options.update(width=1000)).minimum
            out.print(part, width=max(out.width, least), crop=False)  # too narrow a terminal wraps, nothing is cut


def print_estimate(rows: list[Any], threads: int) -> None:
    """The cells of an experiment, with the time they will take."""
    lines = [
        {
            "agent": cell.agent,
            "with": cell.partner,
            "players": str(cell.settings.players),
            "games": f"{games:,}",
            "seconds": f"{seconds / threads:,.1f}",
        }
        for cell, games, seconds in rows
    ]
    out.print(listing(lines))
    games, seconds = sum(games for _, games, _ in rows), sum(seconds for _, _, seconds in rows) / threads
    out.print(f"\n{len(rows)} cells, {games:,} games, about {seconds:,.0f} seconds on {threads} threads")
