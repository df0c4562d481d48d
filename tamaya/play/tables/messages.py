"""The messages of a browser and of the server about a table: one JSON object each."""

from typing import Annotated, Any

import msgspec

from tamaya.bridges.protocol import Choice, ProtocolError, decode_message
from tamaya.game.hanab_live import Record
from tamaya.policies.agent import Candidate

LONGEST = 4096
"""How many bytes a message of a browser may have."""

Word = Annotated[str, msgspec.Meta(max_length=200)]
Name = Annotated[str, msgspec.Meta(max_length=24)]
Number = Annotated[int, msgspec.Meta(ge=-1, le=10_000)]
Seconds = Annotated[float, msgspec.Meta(ge=0, le=10)]

SPECTATOR = -1
"""The seat of somebody who only watches."""


class BadMessage(ValueError):
    """A message that makes no sense; the text says why."""


class Refused(ValueError):
    """What cannot be done now; the text says why."""


class BrowserMessage(msgspec.Struct, tag_field="type", tag=str.lower, forbid_unknown_fields=True):
    """A message of a browser; its type is the name of its class."""


class Sit(BrowserMessage):
    """The first message: who it is, by the secret of a seat or an invitation; nothing to watch."""

    token: Word = ""


class MakeMove(BrowserMessage, tag="act"):
    """A move, and the turn for which it is meant."""

    turn: Number
    move: Choice


class Replace(BrowserMessage):
    """A bot shall take a seat: one's own, or that of a person who is not there."""

    seat: Number
    agent: Word


class Return(BrowserMessage):
    """One's own seat is taken back from the bot."""


class Pace(BrowserMessage):
    """How long bots wait before they move."""

    seconds: Seconds


class Again(BrowserMessage):
    """Another game at this table: a new deal, or the same one."""

    fresh: bool = False


class Why(BrowserMessage):
    """Why a bot made the move of a turn; answered only when the game is over."""

    turn: Number


TableRequest = Sit | MakeMove | Replace | Return | Pace | Again | Why


class Place(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Who is to sit in a seat: a person with a name, or a bot."""

    name: Name = ""
    agent: Word = ""


class Order(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A table that somebody wants: who sits there, which seat is their own, the rules, and the deal."""

    seats: Annotated[list[Place], msgspec.Meta(min_length=2, max_length=5)]
    mine: Number = SPECTATOR
    rules: dict[str, Any] = {}
    seed: Annotated[str, msgspec.Meta(pattern=r"^[0-9]{0,20}$")] = ""
    delay: Seconds = 0.5


class ServerMessage(msgspec.Struct, tag_field="type", tag=str.lower, rename="camel"):
    """A message of the server."""


class Sitting(msgspec.Struct, rename="camel"):
    """Who sits in a seat, as everybody may know it."""

    name: str
    agent: str = ""
    title: str = ""
    convention: str = ""
    is_persons: bool = False
    """Whether the seat belongs to a person, even while a bot plays."""
    is_here: bool = True
    is_taken: bool = True
    """Whether somebody has used the link of the seat."""


class Room(ServerMessage):
    """The table, and who sits there."""

    id: str
    game: int
    """How many games were dealt at this table."""
    seat: int
    rules: dict[str, Any]
    seats: list[Sitting]
    delay: float
    is_face_up: bool
    """Whether all hands are shown to those who watch, for only bots play."""
    token: str = ""
    """The secret of one's own seat."""
    invitations: dict[int, str] = {}


class News(ServerMessage):
    """What has happened since a turn, as the seat sees it; and the legal moves, if it is to move."""

    game: int
    since: int
    events: list[Any]
    legal: list[Choice] = []


class Over(ServerMessage):
    """The game is over: all that was hidden."""

    game: int
    record: Record
    link: str = ""
    """The share link of hanab.live, if its rules are those of the game."""


class Trouble(ServerMessage):
    """What cannot be done, and why."""

    text: str


class Reason(ServerMessage):
    """Why a bot made a move: of which game of a table, or of which line of a study."""

    game: int
    turn: int
    made: str
    lines: list[str]
    candidates: list[Candidate] = []
    words: dict[str, str] = {}
    """The candidates in words, by their text forms."""


ENCODER = msgspec.json.Encoder()


def read_message(text: bytes | str, kind: Any = TableRequest) -> Any:
    """Returns the message of a browser; raises BadMessage with the reason if it is not one."""
    if len(text) > LONGEST:
        raise BadMessage(f"a message has at most {LONGEST:,} bytes")
    try:
        return decode_message(text, kind)
    except ProtocolError as error:
        raise BadMessage(f"not a message: {str(error)[:200]}") from error


def to_text(message: ServerMessage) -> str:
    """A message of the server as text."""
    return ENCODER.encode(message).decode()
