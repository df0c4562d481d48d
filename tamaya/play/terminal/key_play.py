"""KeyPlay by single keys on a screen that is drawn anew after each of them."""

import contextlib
import io
import sys
import time
from collections.abc import Iterator
from concurrent.futures import Future

from rich.console import Console
from rich.text import Text

from tamaya.bridges.protocol import Choice
from tamaya.play.terminal.key_bindings import KeyControls
from tamaya.play.terminal.keyboard import Keys
from tamaya.play.terminal.person import Person
from tamaya.play.terminal.screen import screen_lines

TICK = 0.1
"""Seconds after which the screen is looked at again while no key is pressed."""


class KeyPlay:
    """A person who plays by keys."""

    def __init__(self, person: Person, console: Console, keys: Keys) -> None:
        self.person, self.console, self.keys = person, console, keys
        self.controls = KeyControls(person)
        self.thought: Future[Choice] | None = None
        self.since = 0.0
        """When the bot began to think."""

    def play(self) -> None:
        """Plays until the person leaves."""
        with self.console.screen() as screen:
            drawn, is_stale = None, True
            while not self.controls.chosen.has_left:
                size = self.console.size
                if is_stale or drawn != size or self.keys.was_stopped:
                    self.keys.was_stopped, drawn = False, size
                    screen.update(Text("\n").join(screen_lines(self.controls, size.width, size.height)))
                key = self.keys.read(TICK)
                if key:
                    self.controls.press(key)
                is_stale = self.let_bots_move() or bool(key)

    def let_bots_move(self) -> bool:
        """Lets a bot think if it is its turn, and move when it has thought and waited; whether it has moved."""
        if self.thought is None and self.person.table.bot:
            self.thought, self.since = self.person.think(), time.monotonic()
        delay = self.person.table.delay
        if self.thought is None or not self.thought.done() or time.monotonic() - self.since < delay:
            return False
        self.controls.chosen.trouble = self.person.let_move(self.thought)
        self.thought = None
        return True


@contextlib.contextmanager
def prints_held_back() -> Iterator[None]:
    """Keeps what agents print off the screen, and prints it on the error stream afterwards."""
    held = io.StringIO()
    try:
        with contextlib.redirect_stdout(held), contextlib.redirect_stderr(held):
            yield
    finally:
        sys.stderr.write(held.getvalue())


def play_by_keys(person: Person, console: Console) -> None:
    """Plays on the terminal of the standard input."""
    drawing = Console(file=console.file, highlight=False)
    with Keys(sys.stdin.fileno()) as keys, prints_held_back():
        KeyPlay(person, drawing, keys).play()
