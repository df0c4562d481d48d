"""The journal of a table or a study: every change is a line of a file that only grows.

So a killed server forgets nothing.
"""

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, ClassVar, Self

import msgspec

from tamaya.bridges.protocol import Choice
from tamaya.engine.settings import Settings
from tamaya.game.hanab_live import Record


class Entry(msgspec.Struct, tag_field="entry", tag=str.lower):
    """A change of a table or of a study."""


class Holder(msgspec.Struct, frozen=True, omit_defaults=True):
    """Who holds a seat: a bot, or a person with a secret, or with an invitation until it is used."""

    name: str
    agent: str = ""
    token: str = ""
    invitation: str = ""


class Opened(Entry):
    """The table was opened, and a game was dealt."""

    id: str
    rules: Settings
    holders: list[Holder]
    seed: int
    delay: float


class Made(Entry):
    """A move was made."""

    move: Choice


class Claimed(Entry):
    """Somebody has used the invitation to a seat, and has a secret of their own."""

    seat: int
    token: str


class Replaced(Entry):
    """A bot plays for a seat; without an agent, its person plays again."""

    seat: int
    agent: str = ""


class Paced(Entry):
    """The bots wait for another time."""

    delay: float


class Dealt(Entry):
    """Another game was dealt."""

    seed: int


class Kept(Entry):
    """The finished game was added to the file of games."""


class Studied(Entry):
    """A study of a game was begun; each move has the agent that made it, or nobody if that is not known."""

    id: str
    record: Record
    makers: list[str]


class Branched(Entry):
    """A new line of a study leaves another one after some turns."""

    line: int
    parent: int
    turn: int


class Tried(Entry):
    """A move was tried at the end of a line, by an agent or, without one, by a person."""

    line: int
    move: Choice
    agent: str = ""


class Dropped(Entry):
    """A line was given up."""

    line: int


Entries = Opened | Made | Claimed | Replaced | Paced | Dealt | Kept | Studied | Branched | Tried | Dropped
DECODER = msgspec.json.Decoder(Entries)


class Damaged(ValueError):
    """A journal that makes no sense; the text says why."""


class Journal:
    """A file of entries, open for more."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def append(self, entry: Any) -> None:
        """Writes an entry, whole or not at all as far as readers can tell."""
        place = os.open(self.path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        try:
            os.write(place, msgspec.json.encode(entry) + b"\n")
        finally:
            os.close(place)

    def entries(self) -> Iterator[Any]:
        """All entries; a last line that a kill has cut short is removed."""
        text = self.path.read_bytes()
        whole = text.rfind(b"\n") + 1
        if whole < len(text):
            os.truncate(self.path, whole)
        for number, line in enumerate(text[:whole].splitlines(), 1):
            try:
                yield DECODER.decode(line)
            except (msgspec.MsgspecError, UnicodeError) as error:
                raise Damaged(f"the journal is damaged in line {number}: {error}") from error


class Journaled:
    """What is made of a journal alone: every change is an entry that is written down before it counts."""

    begins: ClassVar[type[Entry]]
    """The entry with which its journal begins."""
    changes: ClassVar[dict[type[Entry], Callable[[Any, Any], None]]]
    """The change that each of the other entries makes."""

    def __init__(self, first: Any, journal: Journal) -> None:
        self.id, self.journal = first.id, journal

    @classmethod
    def begun(cls, first: Any, path: Path) -> Self:
        """A new one with its journal; nothing is written if the first entry makes no sense."""
        new = cls(first, Journal(path))
        new.journal.append(first)
        return new

    @classmethod
    def resumed(cls, journal: Journal) -> Self:
        """What a journal has made, as it was when the last entry was written."""
        entries = journal.entries()
        first = next(entries, None)
        if not isinstance(first, cls.begins):
            raise Damaged(f"the journal is damaged: it is not that of a {cls.__name__.lower()}")
        try:
            old = cls(first, journal)
            for entry in entries:
                old.apply(entry)
        except LookupError as error:
            raise Damaged("the journal is damaged: an entry does not fit those before it") from error
        return old

    def apply(self, entry: Entry) -> None:
        """Makes the change of an entry."""
        self.changes[type(entry)](self, entry)

    def enter(self, entry: Entry) -> None:
        """Writes an entry down and makes its change."""
        self.journal.append(entry)
        self.apply(entry)
