"""The messages of a browser and of the server about a study: one JSON object each."""

from typing import Annotated, Any

import msgspec

from tamaya.arena.analysis.game_analysis import Total, TurnAnalysis
from tamaya.bridges.protocol import Choice
from tamaya.engine.settings import SEATS
from tamaya.game.hanab_live import Record
from tamaya.play.tables.messages import BrowserMessage, Number, ServerMessage, Sitting, Word
from tamaya.solver.hindsight import Reach


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


class AnalysedMove(msgspec.Struct):
    """What a move has cost, and what a browser shows and does with it."""

    analysis: TurnAnalysis
    best: Choice
    """The move of the search, to be tried."""
    words: dict[str, str]
    """The moves of the analysis in words, by their text forms."""


class Analysis(ServerMessage):
    """What has been found out about the moves of a line since a turn, and about the line as a whole."""

    line: int
    since: int
    moves: list[AnalysedMove]
    assumption: str
    """Whom the search takes the players for."""
    points: int | None
    """The score at the end, zero if all lives are lost; nothing if the line has not ended."""
    in_reach: list[Reach]
    """After each turn, the highest score in reach with all cards face up."""
    lost: int | None
    """The move that put a perfect score out of reach, from 1; 0 if it never was; nothing if no move is known to."""
    totals: list[Total]


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
