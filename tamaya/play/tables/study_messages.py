"""The messages of a browser and of the server about a study: one JSON object each."""

from typing import Annotated, Any

import msgspec

from tamaya.bridges.protocol import Choice
from tamaya.engine.settings import SEATS
from tamaya.game.hanab_live import Record
from tamaya.play.tables.messages import BrowserMessage, Considered, Number, ServerMessage, Sitting, Word


class Try(BrowserMessage):
    """A move after a turn of a line."""

    line: Number
    turn: Number
    move: Choice


class Continue(BrowserMessage):
    """Bots shall play on after a turn of a line: one for all seats, or one per seat; for some moves or to the end."""

    line: Number
    turn: Number
    agents: Annotated[list[Word], msgspec.Meta(min_length=1, max_length=SEATS)]
    moves: Number = 10_000


class Stop(BrowserMessage):
    """Whatever the server works out for the study shall end."""


class Drop(BrowserMessage):
    """A line shall be deleted."""

    line: Number


class Explain(BrowserMessage):
    """Why a bot made the move after a turn of a line."""

    line: Number
    turn: Number


class ShareLine(BrowserMessage, tag="share"):
    """The share link of a line."""

    line: Number


class Analyse(BrowserMessage):
    """The moves of a line shall be analysed."""

    line: Number


class InReach(msgspec.Struct, rename="camel"):
    """What a move leaves in reach near the end: the chance of a perfect score, and the mean of the highest scores."""

    move: str
    perfect: float
    points: float
    is_made: bool


class Verdict(msgspec.Struct, rename="camel"):
    """What a move has cost, and what a search would have done, by what its player could see."""

    turn: int
    cost: float
    error: float
    expected: float
    """The expected score with the move of the search."""
    expected_error: float
    deals: int
    is_mistake: bool
    best: Choice
    best_words: str
    is_best: bool
    """Whether the move made is that of the search."""
    candidates: list[Considered]
    chances: list[InReach]


class SeatTotal(msgspec.Struct):
    """What the moves of a seat have cost together."""

    seat: int
    cost: float
    error: float
    mistakes: int


class Analysis(ServerMessage):
    """What has been found out about the moves of a line since a turn, and about the line as a whole."""

    line: int
    since: int
    verdicts: list[Verdict]
    assumption: str
    """Whom the search takes the players for."""
    points: int | None
    """The score at the end, zero if all lives are lost; nothing if the line has not ended."""
    in_reach: list[tuple[int, int]]
    """After each turn, the highest score in reach with all cards face up: at least, and at most."""
    lost: int | None
    """The move that put a perfect score out of reach, from 1; 0 if it never was; nothing if no move is known to."""
    totals: list[SeatTotal]


StudyRequest = Try | Continue | Stop | Drop | Explain | ShareLine | Analyse


class Studying(ServerMessage, tag="study"):
    """The study: its rules and names, the record of its game, and what the server works out at the moment."""

    id: str
    rules: dict[str, Any]
    seats: list[Sitting]
    colours: list[str]
    """What the suits are called, in words and in letters."""
    letters: str
    record: Record
    busy: str


class LineNews(ServerMessage, tag="line"):
    """What has happened in a line since a turn, with all cards shown, and who made the moves."""

    line: int
    parent: int
    turn: int
    """The turn after which it left the other line."""
    since: int
    events: list[Any]
    makers: list[str]


class LineGone(ServerMessage, tag="gone"):
    """A line was deleted."""

    line: int


class Shown(ServerMessage):
    """The line and the turn to look at: there is what the browser asked for."""

    line: int
    turn: int


class Shared(ServerMessage):
    """The share link of a line; empty if hanab.live does not know its rules."""

    line: int
    link: str
