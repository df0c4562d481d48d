"""The protocol of bots: one JSON object per line, with the events of hanab.live, for one seat of one game at a time."""

import functools
from typing import Any, get_args

import msgspec

from tamaya.engine.text import in_words
from tamaya.game.hanab_live import END_GAME, Options

PROTOCOL = 1

UNSEEN = -1
"""The suit and the rank of a card that the seat cannot see."""

NO_TARGET = -1
"""The target of a move that was given none."""

NORMAL, STRIKE_OUT, BROKEN_OFF = 1, 2, 4
"""How a game ended, numbered as on hanab.live."""


class ProtocolError(ValueError):
    """A line that is not a message, or one that makes no sense where it stands."""


class Message(msgspec.Struct, tag_field="type", tag=str.lower, rename="camel"):
    """A line of the protocol; its type is the name of its class."""


class Hello(Message):
    """The first line of either side: who speaks, and in which version of the protocol."""

    protocol: int
    name: str = ""
    version: str = ""


class Init(Message):
    """A new game begins, for one seat."""

    player_names: list[str]
    our_player_index: int
    options: Options = msgspec.field(default_factory=Options)
    rules: dict[str, Any] = {}
    """All rules, by tamaya's names; hanab.live's options do not have a name for each."""


class Draw(Message):
    """A seat takes a card; its order is its place in the deck, which identifies it."""

    player_index: int
    order: int
    suit_index: int = UNSEEN
    rank: int = UNSEEN


class Play(Message):
    """A card is played."""

    player_index: int
    order: int
    suit_index: int
    rank: int


class Discard(Message):
    """A card is discarded, or lost because it could not be played."""

    player_index: int
    order: int
    suit_index: int
    rank: int
    failed: bool = False


class ClueGiven(msgspec.Struct):
    """What a hint names: a colour, if its type is 0, or a rank, if it is 1."""

    type: int
    value: int


class Clue(Message):
    """A hint is given; the list has the orders of the cards that it touches."""

    clue: ClueGiven
    giver: int
    target: int
    list: list[int]


class Strike(Message):
    """A life is lost; the number counts those lost so far."""

    num: int
    order: int


class Status(Message):
    """How the game stands: hint tokens, points, and the points that can still be reached."""

    clues: int
    score: int
    max_score: int


class Turn(Message):
    """Whose turn it is, or -1 when the game has ended."""

    num: int
    current_player_index: int


class Choice(msgspec.Struct):
    """A move, numbered as on hanab.live: its type, the order of a card or the seat that is told, and the hint.

    Only who gives up needs no target.
    """

    type: int
    target: int = NO_TARGET
    value: int = 0


class Act(Message):
    """The bot is asked for its move; all legal ones are listed.

    The seed is for its random choices. It is a text, because not every language has integers of 64 bits.
    """

    deadline_ms: int | None = None
    seed: str | None = None
    legal: list[Choice] = []


class GameOver(Message, tag="gameOver"):
    """The game has ended: normally, with the last life, or because a player broke it off."""

    end_condition: int
    player_index: int = -1


HostMessage = Hello | Init | Draw | Play | Discard | Clue | Strike | Status | Turn | Act | GameOver
"""What a host says to a bot. A bot answers Hello with Hello, and Act with a choice."""

TYPES = {kind.__struct_config__.tag for kind in get_args(HostMessage)}


class Typed(msgspec.Struct):
    """What every message has: its type."""

    type: str


ENCODER = msgspec.json.Encoder()


def to_lines(messages: list[Any]) -> bytes:
    """Messages as lines."""
    return ENCODER.encode_lines(messages)


@functools.cache
def decoder(kind: Any) -> msgspec.json.Decoder[Any]:
    """Returns what reads JSON of a kind."""
    return msgspec.json.Decoder(kind)


def decode_message(content: bytes | str, kind: Any) -> Any:
    """Returns the message in some JSON; raises ProtocolError with the reason if it is not one of a kind."""
    try:
        return decoder(kind).decode(content)
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        raise ProtocolError(in_words(error)) from error


def read_line(line: bytes, kind: Any) -> Any:
    """Returns the message of a line; raises ProtocolError with the line and the reason if it is not one of a kind."""
    if not line.strip():
        raise ProtocolError("an empty line")
    try:
        return decode_message(line, kind)
    except ProtocolError as error:
        text = line[:80].decode(errors="replace").strip() + ("..." if len(line) > 80 else "")
        raise ProtocolError(f"{text!r}: {error}") from error


def read_host_message(line: bytes) -> Message | None:
    """What a host says in a line; nothing if we do not know the type, which may be one of a later version."""
    message: Message | None = read_line(line, HostMessage) if read_line(line, Typed).type in TYPES else None
    return message


def end_game(seat: int) -> Choice:
    """The answer of a seat that has no move and so ends the game."""
    return Choice(END_GAME, seat, BROKEN_OFF)
