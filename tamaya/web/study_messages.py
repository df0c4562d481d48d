"""What a browser and the server say to each other about a study: one JSON object per message."""

from typing import Annotated, Any

import msgspec

from tamaya.bridges.messages import Choice
from tamaya.core.sizes import SEATS
from tamaya.game.hanab_live import Record
from tamaya.web.analysis_messages import Analyse
from tamaya.web.messages import Asked, Number, Said, Sitting, Word


class Try(Asked):
    """A move after a turn of a line."""

    line: Number
    turn: Number
    move: Choice


class Continue(Asked):
    """Bots shall play on after a turn of a line: one for all seats, or one per seat; for some moves or to the end."""

    line: Number
    turn: Number
    agents: Annotated[list[Word], msgspec.Meta(min_length=1, max_length=SEATS)]
    moves: Number = 10_000


class Stop(Asked):
    """Whatever the server works out for the study shall end."""


class Drop(Asked):
    """A line shall be deleted."""

    line: Number


class Explain(Asked):
    """Why a bot made the move after a turn of a line."""

    line: Number
    turn: Number


class Share(Asked):
    """The share link of a line."""

    line: Number


HeardInStudy = Try | Continue | Stop | Drop | Explain | Share | Analyse


class Studying(Said, tag="study"):
    """The study: its rules and names, the record of its game, and what the server works out at the moment."""

    id: str
    rules: dict[str, Any]
    seats: list[Sitting]
    colours: list[str]
    """What the suits are called, in words and in letters."""
    letters: str
    record: Record
    busy: str


class LineNews(Said, tag="line"):
    """What has happened in a line since a turn, with all cards shown, and who made the moves."""

    line: int
    parent: int
    turn: int
    """The turn after which it left the other line."""
    since: int
    events: list[Any]
    makers: list[str]


class Gone(Said):
    """A line was deleted."""

    line: int


class Shown(Said):
    """The line and the turn to look at: there is what the browser asked for."""

    line: int
    turn: int


class Shared(Said):
    """The share link of a line; empty if hanab.live does not know its rules."""

    line: int
    link: str
