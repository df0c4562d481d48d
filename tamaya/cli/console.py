"""What the commands share on the terminal: consoles, a progress bar, results as tables or JSON."""

import contextlib
import math
import os
import shlex
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from importlib.metadata import version
from typing import Any

import msgspec
from rich.console import Console
from rich.progress import BarColumn, Progress, ProgressColumn, Task, TextColumn
from rich.text import Text

from tamaya.cli.grids import figure_lines, result_lines
from tamaya.engine.text import count_of, digits, duration, plain, plain_lines


class Terminal(Console):
    """A console that shows texts from anywhere and does not obey them."""

    def print(self, *objects: Any, **options: Any) -> None:
        """Prints texts without what would steer the terminal."""
        super().print(*(plain_lines(one) if isinstance(one, str) else one for one in objects), **options)

    def on_broken_pipe(self) -> None:
        """Lets the command end as one whose reader has left."""
        raise BrokenPipeError


out = Terminal(highlight=False, width=None if sys.stdout.isatty() or "COLUMNS" in os.environ else 140)
err = Terminal(stderr=True, highlight=False)


WIDE = 100
"""The columns of a terminal that has room for a long progress bar and the number of all games."""


class Speed(ProgressColumn):
    """Games, or whatever is counted, per second."""

    def render(self, task: Task) -> Text:
        """The count and the speed so far; where there is little room and the bar shows the count, the speed alone."""
        games, asked, noun, spent = *(task.fields[name] for name in ("games", "asked", "noun")), task.elapsed or 0.0
        if asked and err.width < WIDE and spent:
            return Text(f"{digits(games / spent)} {noun}s/s", no_wrap=True)
        total = f" of {asked:,}" if asked else ""
        speed = f", {digits(games / spent)}/s" if spent else ""
        return Text(f"{games:,}{total} {noun}s{speed}", no_wrap=True)


class TimeLeft(ProgressColumn):
    """How long it will still take."""

    def render(self, task: Task) -> Text:
        """The forecast of the last batch, less the time since then."""
        end = task.fields["end"]
        left = 0 if end is None else max(1, math.ceil(end - time.monotonic()))
        return Text(f"{left} s left" if 0 < left < 60 else f"{duration(left)} left" if left else "", no_wrap=True)


def prints_aside() -> contextlib.AbstractContextManager[Any]:
    """What agents print meanwhile goes to the error stream: the output is for results."""
    return contextlib.redirect_stdout(sys.stderr)


@contextlib.contextmanager
def progress_bar(title: str, games: int, seconds_left: Callable[[], float], noun: str = "game") -> Iterator[Any]:
    """A progress bar on the error stream, when that is a terminal; it measures time, for games differ in cost.

    Without a number of games it only counts them. The noun says what is counted instead of games.
    """
    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(20 if err.width >= WIDE else 5),
        Speed(),
        TimeLeft(),
    )
    with Progress(*columns, console=err, transient=True, disable=not err.is_terminal) as progress, prints_aside():
        task = progress.add_task(plain(title), total=1.0, games=0, asked=games, end=None, noun=noun)
        start, done, furthest = time.monotonic(), 0, 0.0

        def advance(count: int, now_doing: str = "") -> None:
            nonlocal done, furthest
            done += count
            if now_doing:
                progress.update(task, description=plain(now_doing))
            now, left = time.monotonic(), seconds_left()
            furthest = max(furthest, (now - start) / max(1e-9, now - start + left))
            progress.update(task, completed=furthest, games=done, end=now + left)

        yield advance


def print_json(content: dict[str, Any]) -> None:
    """One object for a program, with what made it."""
    about = {"tamaya": version("tamaya"), "command": shlex.join(["tamaya", *sys.argv[1:]])}
    print(msgspec.json.format(msgspec.json.encode(about | content).decode(), indent=2))


def print_results(results: list[Any], seed: int, json: bool, rules: Any = None) -> None:
    """What was played, even when it was cut short."""
    if json:
        print_json({"seed": seed, "rules": rules or {}, "results": results})
    elif results:
        print_lines(result_lines(results, out.width))


def print_lines(lines: Iterable[Text]) -> None:
    """Lines as they are: what is too long for the terminal is wrapped, never cut."""
    for line in lines:
        out.print(line, soft_wrap=True)


def print_estimate(rows: list[Any], threads: int, json: bool) -> None:
    """The cells of an experiment, with the time they will take."""
    if json:
        cells = [
            {"agent": cell.agent, "partner": cell.partner, **cell.sizes, "games": games, "seconds": seconds / threads}
            for cell, games, seconds in rows
        ]
        print_json({"threads": threads, "cells": cells})
        return
    lines = [
        {
            "agent": cell.agent if cell.partner in ("", cell.agent) else f"{cell.agent} with {cell.partner}",
            "players": str(cell.settings.players),
            "games": f"{games:,}",
            "time": duration(seconds / threads),
        }
        for cell, games, seconds in rows
    ]
    print_lines(figure_lines(lines, out.width))
    games, seconds = sum(games for _, games, _ in rows), sum(seconds for _, _, seconds in rows) / threads
    counts = f"{count_of(len(rows), 'cell')}, {count_of(games, 'game')}"
    out.print(f"\n{counts}, about {duration(seconds)} on {count_of(threads, 'thread')}")
