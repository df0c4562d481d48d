"""Ends programs whose starter is gone: a program of its own, which is told of groups of processes on its input.

A line ``+123`` says that group 123 was started, ``-123`` that it has ended. It runs without the package, and without
anything else that takes long to import.
"""

import contextlib
import os
import signal
import sys


def main() -> None:
    """Reads until the starter is gone, however it ended, and ends all groups that are left."""
    groups: set[int] = set()
    for line in sys.stdin:
        (groups.add if line[0] == "+" else groups.discard)(int(line[1:]))
    for group in groups:
        with contextlib.suppress(OSError):
            os.killpg(group, signal.SIGKILL)


if __name__ == "__main__":
    main()
