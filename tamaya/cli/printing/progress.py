"""The progress bar."""

import contextlib
import math
import time
from collections.abc import Callable, Iterator
from typing import Any

from rich.progress import BarColumn, Progress, ProgressColumn, Task, TextColumn
from rich.text import Text

from tamaya.cli.printing import console
from tamaya.engine.text import digits, duration, plain

WIDE = 100
"""The columns of a terminal that has room for a long progress bar and the number of all games."""


class Speed(ProgressColumn):
    """Games, or whatever is counted, per second."""

    def render(self, task: Task) -> Text:
        """Returns the count and the speed so far; the speed alone in a narrow terminal whose bar shows the count."""
        games, asked, noun = (task.fields[name] for name in ("games", "asked", "noun"))
        spent = task.elapsed or 0.0
        if asked and console.err.width < WIDE and spent:
            return Text(f"{digits(games / spent)} {noun}s/s", no_wrap=True)
        total = f" of {asked:,}" if asked else ""
        speed = f", {digits(games / spent)}/s" if spent else ""
        return Text(f"{games:,}{total} {noun}s{speed}", no_wrap=True)


class TimeLeft(ProgressColumn):
    """How long it will still take."""

    def render(self, task: Task) -> Text:
        """Returns the forecast of the last batch, less the time since then."""
        end = task.fields["end"]
        left = 0 if end is None else max(1, math.ceil(end - time.monotonic()))
        return Text(f"{left} s left" if 0 < left < 60 else f"{duration(left)} left" if left else "", no_wrap=True)


@contextlib.contextmanager
def progress_bar(
    title: str, games: int, seconds_left: Callable[[], float] | None = None, noun: str = "game"
) -> Iterator[Any]:
    """Shows a progress bar on the error stream, when that is a terminal; it measures time, for games differ in cost.

    Without a number of games it only counts them. The time left is that at the pace so far if nothing else says it. The
    noun says what is counted instead of games.
    """
    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(20 if console.err.width >= WIDE else 5),
        Speed(),
        TimeLeft(),
    )
    with (
        Progress(*columns, console=console.err, transient=True, disable=not console.err.is_terminal) as progress,
        console.prints_aside(),
    ):
        task = progress.add_task(plain(title), total=1.0, games=0, asked=games, end=None, noun=noun)
        start = time.monotonic()
        done = 0
        furthest = 0.0

        def advance(count: int, now_doing: str = "") -> None:
            nonlocal done, furthest
            done += count
            if now_doing:
                progress.update(task, description=plain(now_doing))
            now = time.monotonic()
            left = seconds_left() if seconds_left else (now - start) / max(1, done) * (games - done)
            furthest = max(furthest, (now - start) / max(1e-9, now - start + left))
            progress.update(task, completed=furthest, games=done, end=now + left)

        yield advance
