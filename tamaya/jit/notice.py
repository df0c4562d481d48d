"""What a person sees while kernels are compiled: what it is, how far it is, and about how long it takes."""

import sys
import time
from typing import Any

from numba.core import event

from tamaya.jit.kernels import count_called

SECONDS_PER_KERNEL = 0.09
"""On an idle core of 2024; what is compiled once is not counted again, so that later estimates are too long."""

compiled: list[str] = []
"""The names of all kernels that were compiled in this process, not loaded."""


class Notice(event.Listener):  # type: ignore[misc]
    """Tells on stderr that kernels are compiled, once for each that Python asks for; nothing when the cache has them.

    On a terminal one line counts them and goes away at the end.
    """

    def __init__(self) -> None:
        self.depth = self.done = self.expected = 0
        self.title = ""
        self.start = 0.0

    def on_start(self, event: Any) -> None:
        """A kernel begins."""
        function = event.data["dispatcher"].py_func
        compiled.append(f"{function.__module__}.{function.__qualname__}")
        if self.depth == 0:
            self.title, self.expected = function.__name__, 1 + count_called(function)
            self.done, self.start = 0, time.monotonic()
            if not sys.stderr.isatty() and self.expected > 1:
                self.say("\n")
        self.depth += 1

    def on_end(self, event: Any) -> None:
        """A kernel is done."""
        self.depth -= 1
        self.done += event.data["dispatcher"].py_func.__module__.startswith("tamaya")
        if sys.stderr.isatty():
            self.say("") if self.depth else print("\r\33[K", end="", file=sys.stderr, flush=True)

    def say(self, end: str) -> None:
        """The state of affairs in a line."""
        seconds = max(1, round(SECONDS_PER_KERNEL * self.expected))
        progress = f"{min(self.done, self.expected)} of " if not end else ""
        words = f"tamaya: compiling {self.title}, once after an install or an edit: {progress}{self.expected} kernels, "
        clock = "" if end else f"{time.monotonic() - self.start:.0f} of "
        print(f"{'' if end else chr(13)}{words}{clock}about {seconds} s", end=end, file=sys.stderr, flush=True)
