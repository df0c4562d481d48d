"""Single keys from a terminal."""

import codecs
import contextlib
import os
import select
import signal
import termios
import tty
from types import FrameType
from typing import Any

AFTER_ESCAPE = 0.05
"""Seconds within which the rest of a key arrives that a terminal sends as several characters."""

NAMED = {
    "\x1b[D": "left", "\x1bOD": "left", "\x1b[C": "right", "\x1bOC": "right",
    "\x1b[H": "home", "\x1bOH": "home", "\x1b[1~": "home", "\x1b[7~": "home",
    "\x1b[F": "end", "\x1bOF": "end", "\x1b[4~": "end", "\x1b[8~": "end",
    "\x1b": "escape", "\r": "enter", "\n": "enter", "\t": "tab", "\x04": "x",
}  # fmt: skip
"""The keys that are not letters, by what terminals send for them."""

INTRODUCERS = ("\x1b[", "\x1bO")
"""How keys begin that are sent as several characters."""


class Keys:
    """The keys of a terminal, one by one, without an echo; Ctrl-C interrupts as usual."""

    def __init__(self, place: int) -> None:
        self.place = place
        self.decoder = codecs.getincrementaldecoder("utf-8")("ignore")
        self.typed = ""
        self.was_stopped = False

    def __enter__(self) -> "Keys":
        self.before = termios.tcgetattr(self.place)
        self.usual = signal.signal(signal.SIGCONT, self.wake)
        tty.setcbreak(self.place)
        return self

    def __exit__(self, *_: Any) -> None:
        signal.signal(signal.SIGCONT, self.usual)
        with contextlib.suppress(termios.error):  # the terminal may be gone
            termios.tcsetattr(self.place, termios.TCSADRAIN, self.before)

    def wake(self, number: int, frame: FrameType | None) -> None:
        """Takes the terminal again after Ctrl-Z, if it is still there."""
        with contextlib.suppress(termios.error):
            tty.setcbreak(self.place)
        self.was_stopped = True

    def read(self, seconds: float) -> str:
        """The next key by its name, or nothing if none is pressed in time; raises EOFError if the terminal is gone."""
        if not self.typed and not self.receive(seconds):
            return ""
        if self.typed[0] == "\x1b":
            while self.is_incomplete() and self.receive(AFTER_ESCAPE):
                pass
        key = self.typed[: self.length()]
        self.typed = self.typed[len(key) :]
        return NAMED.get(key, key)

    def receive(self, seconds: float) -> bool:
        """Takes what was typed; whether there was anything in time."""
        if not select.select([self.place], [], [], seconds)[0]:
            return False
        try:
            found = os.read(self.place, 1024)
        except OSError as error:  # the other end of a pseudo-terminal was closed
            raise EOFError from error
        if not found:
            raise EOFError
        self.typed += self.decoder.decode(found)
        return bool(self.typed)

    def is_incomplete(self) -> bool:
        """Whether an escape may still become a longer key."""
        if len(self.typed) < 2:
            return True
        return self.typed[:2] in INTRODUCERS and not any("@" <= one <= "~" for one in self.typed[2:])

    def length(self) -> int:
        """How many of the characters typed make the first key."""
        if self.typed[:2] not in INTRODUCERS:
            return 1
        final = next((place for place, one in enumerate(self.typed[2:], 2) if "@" <= one <= "~"), len(self.typed) - 1)
        return final + 1
