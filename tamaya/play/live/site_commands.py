"""What hanab.live and its players say to each other: the name of a command, a blank, and its data in JSON.

Only what a player needs is read; other commands and other members are passed over.
"""

from typing import Any

import msgspec

from tamaya.bridges.protocol import Clue, Discard, Draw, GameOver, Init, Play, Status, Turn
from tamaya.game.hanab_live import Options


class Welcome(msgspec.Struct, rename="camel"):
    """The first command: who we are, and where we sit already."""

    username: str
    playing_at_tables: list[int] = []


class LobbyTable(msgspec.Struct, rename="camel"):
    """A table of the lobby."""

    id: int
    name: str = ""
    players: list[str] = []
    variant: str = ""
    running: bool = False
    shared_replay: bool = False


class TableGone(msgspec.Struct):
    """A table is no more."""

    id: int = msgspec.field(default=-1, name="tableID")


class AtTable(msgspec.Struct):
    """Something happens at a table."""

    id: int = msgspec.field(name="tableID")


class GameStart(msgspec.Struct):
    """A game begins, or is shown again."""

    id: int = msgspec.field(name="tableID")
    replay: bool = False


class Pause(msgspec.Struct):
    """A game with clocks pauses or goes on."""

    id: int = msgspec.field(name="tableID")
    active: bool = False


class ChatLine(msgspec.Struct):
    """Somebody says something, to a room or to one person."""

    msg: str
    who: str = ""
    room: str = ""
    recipient: str = ""


class Opening(msgspec.Struct, rename="camel"):
    """The rules of a game and who plays it."""

    id: int = msgspec.field(name="tableID")
    player_names: list[str]
    our_player_index: int
    options: dict[str, Any] = {}
    spectating: bool = False
    replay: bool = False

    @property
    def init(self) -> Init:
        """The game as our protocol of bots has it."""
        return Init(self.player_names, self.our_player_index, msgspec.convert(self.options, Options))


class ActionList(msgspec.Struct):
    """All that has happened in a game so far."""

    id: int = msgspec.field(name="tableID")
    list: list[dict[str, Any]]


class Happened(msgspec.Struct):
    """Something has happened in a game."""

    id: int = msgspec.field(name="tableID")
    action: dict[str, Any]


class Complaint(msgspec.Struct):
    """What the site has against what we did."""

    warning: str = ""
    error: str = ""


EVENTS: dict[str, type] = {
    "draw": Draw,
    "play": Play,
    "discard": Discard,
    "clue": Clue,
    "status": Status,
    "turn": Turn,
    "gameOver": GameOver,
}
"""The events of a game that matter."""


def event_of(action: dict[str, Any]) -> Any:
    """The event of an action; nothing if it does not matter."""
    kind = EVENTS.get(action.get("type", ""))
    return None if kind is None else msgspec.convert(action, kind)


def read_frame(text: str | bytes) -> tuple[str, Any]:
    """The name of a command, and its data."""
    text = text if isinstance(text, str) else text.decode(errors="replace")
    name, _, content = text.partition(" ")
    data = msgspec.json.decode(content) if content else None
    if isinstance(data, dict) and "TableID" in data:  # the site writes it so in one of its commands
        data["tableID"] = data.pop("TableID")
    return name, data


def frame(name: str, **fields: Any) -> str:
    """A command of ours as text."""
    return f"{name} {msgspec.json.encode(fields).decode()}"
