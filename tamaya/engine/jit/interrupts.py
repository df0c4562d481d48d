"""Ctrl-C that waits for a good moment."""

import contextlib
import signal
import threading
from collections.abc import Iterator

pressed: list[int] = []
"""The presses of Ctrl-C that were held back and not heard yet."""


@contextlib.contextmanager
def ctrl_c_held_back() -> Iterator[None]:
    """Makes Ctrl-C wait until the end of a block, or until ``hear_ctrl_c``."""
    usual = signal.getsignal(signal.SIGINT)
    is_held_back = getattr(usual, "__name__", "") == "hold_back"
    if threading.current_thread() is not threading.main_thread() or is_held_back or usual is None:
        yield
        return

    def hold_back(number: int, frame: object) -> None:
        pressed.append(number)

    signal.signal(signal.SIGINT, hold_back)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, usual)
        if pressed:
            pressed.clear()
            signal.raise_signal(signal.SIGINT)


@contextlib.contextmanager
def ending_like_ctrl_c() -> Iterator[None]:
    """Makes a request to end, as clusters, services and lost connections send it, do what Ctrl-C does.

    What is ignored, as hang-ups are under nohup, stays ignored.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    usual = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGHUP)}
    heard = {number: handler for number, handler in usual.items() if handler not in (signal.SIG_IGN, None)}
    for number in heard:
        signal.signal(number, lambda number, frame: signal.raise_signal(signal.SIGINT))
    try:
        yield
    finally:
        for number, handler in heard.items():
            signal.signal(number, handler)


def hear_ctrl_c() -> None:
    """Raises KeyboardInterrupt now if Ctrl-C was pressed while it was held back."""
    if pressed and threading.current_thread() is threading.main_thread():
        pressed.clear()
        raise KeyboardInterrupt
