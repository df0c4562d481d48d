"""Which names of tamaya are public, and which ones pages, examples and notebooks use."""

import importlib
import re
from collections.abc import Iterator

import tamaya

MODULES = ("tamaya", *(f"tamaya.{name}" for name in (*tamaya.DOORS, "environments.hanabi_v0", "environments.gym")))
"""The public modules."""

IMPORT = re.compile(r"^[ >.]*(?:from (tamaya[\w.]*) import (?:\(([^)]*)\)|(.*))|import (tamaya[\w.]*))", re.MULTILINE)
INLINE = re.compile(r"`[^`\n]*`")
PLACE = re.compile(r"\btamaya(?:\.\w+)+")


def is_public(place: str) -> bool:
    """Whether a dotted name is a public module, a name of one, or an attribute of such a name."""
    module = max((one for one in MODULES if f"{place}.".startswith(f"{one}.")), key=len)
    name = place.removeprefix(module).lstrip(".").partition(".")[0]
    return not name or name in names_of(module)


def names_of(module: str) -> list[str]:
    """The names that a public module has for its users."""
    found = importlib.import_module(module)
    return getattr(found, "__all__", [*vars(found)])


def imported_in(text: str) -> Iterator[str]:
    """The names of tamaya that the code in a text imports, whatever surrounds it."""
    for module, in_brackets, names, whole in IMPORT.findall(text):
        if whole:
            yield whole
        for name in re.findall(r"(\w+)(?: as \w+)?\s*(?:,|$)", (in_brackets or names.partition("#")[0]).strip()):
            yield f"{module}.{name}"


def named_in(text: str) -> Iterator[str]:
    """The names of tamaya that a page mentions between backticks."""
    for words in INLINE.findall(text):
        yield from PLACE.findall(words)
