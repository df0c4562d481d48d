"""What a person sees while kernels are compiled: what it is, how far it is, and about how long it takes."""

import shutil
import sys
import time
from typing import Any

from numba.core import event

from tamaya.jit.kernels import called_by

SECONDS_PER_KERNEL = 0.09
"""Measured on an idle core; parts that were compiled before are counted again, so that some estimates are too long."""

FEWEST = 10
"""Fewer kernels are compiled before anybody asks."""

compiled: list[str] = []
"""The names of all kernels that were compiled in this process, not loaded."""


class Notice(event.Listener):  # type: ignore[misc]
    """Tells on stderr that kernels are compiled, once for each that Python asks for; nothing when the cache has them.

    On a terminal one line counts them and goes away at the end. What other libraries compile is their own affair.
    """

    def __init__(self) -> None:
        self.depth = self.done = self.expected = 0
        self.title = ""
        self.start = 0.0

    def on_start(self, event: Any) -> None:
        """A kernel, or a part of one, begins."""
        dispatcher = event.data["dispatcher"]
        if not self.depth and not hasattr(dispatcher, "is_kernel"):
            return
        function = dispatcher.py_func
        compiled.append(f"{function.__module__}.{function.__qualname__}")
        if not self.depth:
            self.title, self.expected = function.__name__, len(called_by(function))
            self.done, self.start = 0, time.monotonic()
            if self.expected >= FEWEST and not sys.stderr.isatty():
                print(f"{self.words()}: {self.expected} kernels, {self.seconds()}", file=sys.stderr, flush=True)
        self.depth += 1

    def on_end(self, event: Any) -> None:
        """A kernel, or a part of one, is done."""
        if not self.depth:
            return
        self.depth -= 1
        self.done += hasattr(event.data["dispatcher"], "is_kernel")
        if self.expected >= FEWEST and sys.stderr.isatty():
            clock = f"{time.monotonic() - self.start:.0f} of {self.seconds()}"
            line = f"{self.words()}: {min(self.done, self.expected)} of {self.expected} kernels, {clock}"
            shown = line[: shutil.get_terminal_size().columns - 1] if self.depth else ""
            print(f"\r\33[K{shown}", end="", file=sys.stderr, flush=True)

    def words(self) -> str:
        """What is going on."""
        return f"tamaya: compiling {self.title}, only once"

    def seconds(self) -> str:
        """About how long it takes."""
        return f"about {max(1, round(SECONDS_PER_KERNEL * self.expected))} s"
