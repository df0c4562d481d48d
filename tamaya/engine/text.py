"""Texts from anywhere, made safe to show; and numbers as a person writes them."""

import difflib
import html
import math
import re
from collections.abc import Iterable


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


WORDS = {
    "int": "a whole number",
    "float": "a number",
    "str": "a text",
    "bool": "true or false",
    "array": "a list",
    "object": "an object",
    "null": "nothing",
}
"""What people call the types of data."""

CUT_SHORT = "Input data was truncated"
"""What a decoder says of data that ends too early."""


def suggestion(name: str, names: Iterable[str]) -> str:
    """The name that was probably meant, as the end of an error message, or nothing."""
    folded = {known.lower(): known for known in names}
    close = difflib.get_close_matches(name.lower(), folded, n=1, cutoff=0.5)
    return f"; did you mean {folded[close[0]]}?" if close else ""


def in_words(error: Exception, objects: str = WORDS["object"]) -> str:
    """A decoder's complaint about data in plain words: which part is wrong, and what it must be.

    What has named members is called an object, as in JSON, or what the format of the data calls it.
    """
    text, _, place = str(error).partition(" - at ")
    place = place.strip("`").removeprefix("$").lstrip(".")
    where = (
        re.sub(r"\[([0-9]+)\]", lambda found: f" {int(found[1]) + 1}", place)
        .replace("[...]", "")
        .replace(".", ", ")
        .replace("lineup", "line-up")
    )
    if found := re.fullmatch(r"Expected `(.+)`, got `(.+)`", text):
        words = WORDS | {"object": objects}
        wanted, given = (" or ".join(words.get(one, one) for one in part.split(" | ")) for part in found.groups())
        is_fraction = found.groups() == ("int", "float")
        return f"{where or 'it'} must be {wanted}, not {'one with a decimal point' if is_fraction else given}"
    if found := re.fullmatch(r"Object missing required field `(.+)`", text):
        return f"{f'{where} has' if where else 'there is'} no {found[1]}"
    if found := re.fullmatch(r"Object contains unknown field `(.+)`", text):
        return f"{f'{where} has' if where else 'there is'} an unknown field {found[1]}"
    if found := re.fullmatch(r"Invalid (?:enum )?value (.+)", text):
        return f"{where or 'it'} cannot be {found[1]}"
    if text == CUT_SHORT:
        return "it is cut short"
    return f"{where}: {text}" if where else text
