"""Texts from anywhere, made safe to show; and numbers as a person writes them."""

import html
import math
import re


def plain(text: str) -> str:
    """A text as one printable line; other characters, such as those that control a terminal, are escaped."""
    return "".join(one if one.isprintable() else one.encode("unicode_escape").decode() for one in text)


def plain_lines(text: str) -> str:
    """A text of several lines, each made plain."""
    return "\n".join(map(plain, text.split("\n")))


def in_markdown(text: str) -> str:
    """A text escaped for use within a line, or a table cell, of Markdown."""
    return html.escape(re.sub(r"([\\`*_~\[\]|])", r"\\\1", plain(text)), quote=False)


def count_of(count: int, noun: str) -> str:
    """A count with its noun: 1 cell, 10,000 games."""
    return f"{count:,} {noun}" + "s" * (count != 1)


def seconds_of(seconds: float) -> str:
    """A number of seconds with its noun: 1 second, 0.5 seconds."""
    return f"{seconds:g} second" + "s" * (seconds != 1)


def digits(value: float) -> str:
    """A number with as many digits as a person needs: 0.42, 8.1, 34, 34,500."""
    if value < 1:
        return f"{value:.2g}"
    if value < 10:
        return f"{value:.1f}"
    return f"{round(value, 2 - int(math.log10(value))):,.0f}"


SHORT = (("µs", 1e-6, 999.5e-6), ("ms", 1e-3, 0.9995), ("s", 1.0, 59.5))
LONG = (("min", 60, 60, "s", 1), ("h", 3600, 24, "min", 60), ("d", 86400, math.inf, "h", 3600))
"""Units of time: their sizes, how far they reach, and the units for the remainder."""


def duration(seconds: float) -> str:
    """A time as a person writes it: 8.1 µs, 12 ms, 1.2 s, 3 min 20 s, 3 h 29 min."""
    for unit, size, limit in SHORT:
        if seconds < limit:
            return f"{digits(seconds / size)} {unit}"
    words = ""
    for unit, size, limit, smaller, part in LONG:
        whole, rest = divmod(round(seconds / part), size // part)
        words = f"{whole} {unit}" + (f" {rest} {smaller}" if rest else "")
        if whole < limit:
            break
    return words
