"""What a person sees while kernels are compiled: which one, how far along, and about how long it takes."""

import shutil
import sys
import time
from typing import Any

from numba.core import event

from tamaya.engine.jit.kernels import called_by

SECONDS_PER_KERNEL = 0.09
"""Measured on an idle core; parts that were compiled before count again, so some estimates are too long."""

FEWEST = 10
"""Fewer kernels than this are compiled before anybody wonders."""

compiled: list[str] = []
"""The names of all kernels that this process compiled rather than loaded."""


class Notice(event.Listener):  # type: ignore[misc]
    """Says on stderr that kernels are being compiled, once per kernel called from Python, unless it is in the cache.

    On a terminal, one line counts them and disappears at the end. What other libraries compile is not reported.
    """

    def __init__(self) -> None:
        self.depth = self.done = self.expected = 0
        self.title = ""
        self.start = 0.0

    def on_start(self, event: Any) -> None:
        """Notes that compiling a kernel, or a part of one, begins."""
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
        """Notes that compiling a kernel, or a part of one, is done."""
        if not self.depth:
            return
        self.depth -= 1
        self.done += hasattr(event.data["dispatcher"], "is_kernel")
        if self.expected >= FEWEST and sys.stderr.isatty():
            spent, about = time.monotonic() - self.start, SECONDS_PER_KERNEL * self.expected
            clock = f"{spent:.0f} of {self.seconds()}" if spent < about else f"{spent:.0f} s"
            line = f"{self.words()}: {min(self.done, self.expected)} of {self.expected} kernels, {clock}"
            shown = line[: shutil.get_terminal_size().columns - 1] if self.depth else ""
            screen = getattr(sys.stderr, "rich_proxied_file", sys.stderr)  # a progress bar would spell the codes out
            print(f"\r\33[K{shown}", end="", file=screen, flush=True)

    def words(self) -> str:
        """What is going on."""
        return f"tamaya: compiling {self.title}, only once"

    def seconds(self) -> str:
        """About how long it takes."""
        return f"about {max(1, round(SECONDS_PER_KERNEL * self.expected))} s"
