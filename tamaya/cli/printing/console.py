"""The two streams of a command, and how texts, tables and JSON are printed on them."""

import contextlib
import os
import shlex
import sys
from collections.abc import Iterable
from typing import Any

import msgspec
from rich.console import Console
from rich.text import Text

from tamaya.cli.printing.characters import make_do_with_streams
from tamaya.engine.text import plain_lines

make_do_with_streams()


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


def say(text: str) -> None:
    """Prints a text of the result as it is."""
    out.print(text, markup=False, soft_wrap=True)


def note(text: str, style: str | None = None) -> None:
    """Prints a remark as it is, on the error stream."""
    err.print(text, style=style, markup=False, soft_wrap=True)


def prints_aside() -> contextlib.AbstractContextManager[Any]:
    """Sends what agents print meanwhile to the error stream: the output is for results."""
    return contextlib.redirect_stdout(sys.stderr)


def print_json(content: dict[str, Any]) -> None:
    """Prints one object for a program, with what made it."""
    from importlib.metadata import version

    about = {"tamaya": version("tamaya"), "command": shlex.join(["tamaya", *sys.argv[1:]])}
    print(msgspec.json.format(msgspec.json.encode(about | content).decode(), indent=2))


def print_lines(lines: Iterable[Text]) -> None:
    """Prints lines as they are: what is too long for the terminal is wrapped, never cut."""
    for line in lines:
        out.print(line, soft_wrap=True)
