"""The curve of a game in a terminal."""

import math
from collections.abc import Collection, Iterator, Sequence

from rich.text import Text

HEIGHT, MARGIN = 10, 5
"""The lines of a curve, and the columns for its scale."""


def curve_lines(
    points: Sequence[float], tops: Sequence[float], marked: Collection[int], first: int, width: int
) -> Iterator[Text]:
    """Draws expected scores from left to right, with the highest ones in reach, and marks below mistakes.

    Where there is no room for every move, some are left out; the first has a number.
    """
    step = math.ceil(len(points) / max(1, width - MARGIN))
    columns, high = math.ceil(len(points) / step), math.ceil(max([*points, *tops]))
    low = min(math.floor(min(points)), high - 1)
    rows = [[" "] * columns for _ in range(HEIGHT)]
    for values, mark in ((tops, "─"), (points, "●")):
        for column, value in enumerate(values[::step]):
            rows[round((value - low) / (high - low) * (HEIGHT - 1))][column] = mark
    yield Text("expected score ● before each move, highest one with all cards face up ─, mistakes ×", "bold")
    for level in range(HEIGHT - 1, -1, -1):
        label = high if level == HEIGHT - 1 else low if level == 0 else ""
        yield Text(f"{label:>3} │{''.join(rows[level])}".rstrip())
    marks = ["×" if any(place // step == column for place in marked) else " " for column in range(columns)]
    yield Text(f"    │{''.join(marks)}".rstrip())
    yield Text(f"{'':{MARGIN}}{ticks(columns, step, first)}".rstrip())


def ticks(columns: int, step: int, first: int) -> str:
    """Returns the numbers of the first move and of every tenth column."""
    line = ""
    for column in range(0, columns, 10):
        line = f"{line:<{column}}{first + column * step}"
    return line
