"""The characters of a terminal: one that has only some of them shows others in their place."""

import codecs
import io
import os
import sys

ASCII = {
    "±": "+-",
    "·": ".",
    "…": "...",
    "µ": "u",
    "×": "x",
    "–": "-",
    "✓": "=",
    "≠": "!",
    "█": "#",
    "▏": "|",
    "●": "o",
    "─": "-",
    "│": "|",
    "→": "->",
    "≤": "<",
}


def spell_out(error: UnicodeError) -> tuple[str, int]:
    """Returns what stands for characters that a terminal does not have."""
    assert isinstance(error, UnicodeEncodeError)
    return "".join(ASCII.get(one, "?") for one in error.object[error.start : error.end]), error.end


codecs.register_error("tamaya", spell_out)


def make_do_with_streams() -> None:
    """Lets every terminal show what it can; a stream that was closed takes everything and shows nothing."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, "w"))  # noqa: SIM115 (as long as the process lives)
        stream = getattr(sys, name)
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="tamaya")


def shown(text: str) -> str:
    """Returns a text as the output shows it, so that columns are made as wide as they will look."""
    encoding = sys.stdout.encoding or "ascii"
    return text.encode(encoding, "tamaya").decode(encoding)
