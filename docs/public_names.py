"""Which names of tamaya are public, and which ones pages, examples and notebooks use."""

import ast
import pathlib
import re
from collections.abc import Iterator

import tamaya

PACKAGE = pathlib.Path(tamaya.__file__).parent

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
    """The names that a public module has for its users, read from its file: some modules need further libraries."""
    path = PACKAGE.joinpath(*module.split(".")[1:])
    body = ast.parse((path / "__init__.py" if path.is_dir() else path.with_suffix(".py")).read_text()).body
    for node in body:
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and node.targets[0].id == "__all__":
            return list(ast.literal_eval(node.value))
    return [node.name for node in body if isinstance(node, (ast.FunctionDef, ast.ClassDef))]


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
