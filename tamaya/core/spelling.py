"""Suggestions for misspelt names, and what is wrong with data, in the words of whoever wrote it."""

import difflib
import re
from collections.abc import Iterable

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
