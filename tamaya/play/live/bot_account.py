"""An account of the site: what an agent does in the lobby, command by command, without a connection."""

import html
import re
from collections.abc import Callable, Collection, Iterator
from typing import Any

import msgspec

from tamaya.play.live.chat import HELP, NO_TABLE, NOT_WITH_YOU, Chat, plays, refusal
from tamaya.play.live.live_games import LiveGames
from tamaya.play.live.site_commands import (
    ActionList,
    AtTable,
    ChatLine,
    Complaint,
    GameStart,
    Happened,
    LobbyTable,
    Opening,
    Pause,
    TableGone,
    Welcome,
    frame,
)

ELSEWHERE = "logged on from somewhere else"
"""What the site says to a connection that another one has replaced."""


class LoggedInElsewhere(ValueError):
    """Another program, or a person, uses the account."""


class BotAccount:
    """An agent with an account of the site."""

    def __init__(self, games: LiveGames, chat: Chat, wanted: int | None = None, obeys: Collection[str] = ()) -> None:
        self.games, self.chat = games, chat
        self.wanted = wanted
        """The table that it joins by itself."""
        self.obeys = obeys
        """Whom it obeys; everybody, if nobody is named."""
        self.name = ""
        self.tables: dict[int, LobbyTable] = {}
        self.waits: set[int] = set()
        """The tables at which it waits for a game to begin."""
        self.asked: set[int] = set()
        """The tables at which it has asked for a seat and heard nothing yet."""

    def hear(self, name: str, data: Any) -> Iterator[str]:
        """What it answers to a command; one that makes no sense is noted and passed over."""
        if name not in HEARD:
            return
        kind, heard = HEARD[name]
        try:
            message = msgspec.convert(data, kind)
        except msgspec.ValidationError as error:
            self.chat.note(f"the site sent a {name} that makes no sense: {error}")
            return
        yield from heard(self, message)

    def welcome(self, message: Welcome) -> Iterator[str]:
        """Goes back to where it sat, or joins the table that it was started for."""
        self.name, self.tables, self.waits, self.asked = message.username, {}, set(), set()
        self.games.by_table.clear()
        self.chat.note(f"logged in as {self.name}")
        for number in message.playing_at_tables:
            yield frame("tableReattend", tableID=number)
        if self.wanted is not None and self.wanted not in message.playing_at_tables:
            yield from self.ask_for(self.wanted)

    def note_tables(self, tables: list[LobbyTable]) -> Iterator[str]:
        """Keeps the tables of the lobby."""
        for table in tables:
            yield from self.note_table(table)

    def note_table(self, table: LobbyTable) -> Iterator[str]:
        """Keeps a table; leaves one whose variant it does not play."""
        self.tables[table.id] = table
        if table.id in self.waits and not table.running and not plays(table.variant):
            yield from self.chat.at_table(table.id, refusal(table.variant))
            yield from self.part(table.id)

    def forget_table(self, message: TableGone) -> Iterator[str]:
        """Forgets a table that is no more."""
        self.tables.pop(message.id, None)
        yield from self.left(AtTable(message.id))

    def sit(self, message: AtTable) -> Iterator[str]:
        """Has joined a table."""
        self.waits.add(message.id)
        self.asked.discard(message.id)
        self.chat.note(f"joined table {message.id}")
        if message.id == self.wanted:
            self.wanted = None
        if message.id in self.tables:
            yield from self.note_table(self.tables[message.id])

    def left(self, message: AtTable) -> Iterator[str]:
        """Is no longer at a table."""
        self.waits.discard(message.id)
        self.games.by_table.pop(message.id, None)
        yield from ()

    def open(self, message: Opening) -> Iterator[str]:
        """A game begins at a table."""
        self.waits.discard(message.id)
        yield from self.games.open(message)

    def hear_chat(self, message: ChatLine) -> Iterator[str]:
        """Obeys people who speak to it: in private, or in a room by its name."""
        words = html.unescape(message.msg).strip()
        called = re.match(rf"@?{re.escape(self.name)}[,:]?\s+", words, re.IGNORECASE) if self.name else None
        if message.who in ("", self.name) or (message.recipient != self.name and not called):
            return
        if self.obeys and message.who not in self.obeys:
            return
        words = words[called.end() :] if called else words
        command, _, rest = words.removeprefix("/").partition(" ")
        match command.lower():
            case "join":
                yield from self.join(message.who, rest.strip())
            case "leave":
                yield from self.leave(message.who)
            case _:
                yield from self.chat.answer(message.who, HELP)

    def join(self, who: str, password: str) -> Iterator[str]:
        """Joins the table at which somebody waits for players."""
        self.chat.note(f"{who} asks it to join")
        waiting = [one for one in self.tables.values() if who in one.players and not (one.running or one.shared_replay)]
        if not waiting:
            yield from self.chat.answer(who, NO_TABLE)
        elif not plays(waiting[-1].variant):
            yield from self.chat.answer(who, refusal(waiting[-1].variant))
        elif waiting[-1].id not in self.waits:
            yield from self.ask_for(waiting[-1].id, **({"password": password} if password else {}))

    def ask_for(self, number: int, **secret: str) -> Iterator[str]:
        """Asks for a seat at a table."""
        self.asked.add(number)
        yield frame("tableJoin", tableID=number, **secret)

    def leave(self, who: str) -> Iterator[str]:
        """Leaves the tables at which somebody sits too."""
        self.chat.note(f"{who} asks it to leave")
        at = {*self.waits, *self.games.by_table}
        shared = [number for number in sorted(at) if number in self.tables and who in self.tables[number].players]
        if not shared:
            yield from self.chat.answer(who, NOT_WITH_YOU)
        for number in shared:
            yield from self.part(number)

    def part(self, number: int) -> Iterator[str]:
        """Leaves a table."""
        if number in self.games.by_table:
            yield from self.games.part(number)
            return
        self.waits.discard(number)
        self.asked.discard(number)
        self.chat.note(f"leaves table {number}")
        yield frame("tableLeave", tableID=number)

    def part_all(self) -> Iterator[str]:
        """Leaves all tables, and those at which it may have got a seat without being told yet."""
        for number in sorted({*self.waits, *self.asked, *self.games.by_table}):
            yield from self.part(number)

    def complain(self, message: Complaint) -> Iterator[str]:
        """Notes what the site has against something; ends if another one uses the account."""
        words = message.warning or message.error
        self.chat.note(f"the site says: {words}")
        if ELSEWHERE in words:
            raise LoggedInElsewhere(f"somebody else has logged in as {self.name}")
        yield from ()


HEARD: dict[str, tuple[Any, Callable[[BotAccount, Any], Iterator[str]]]] = {
    "welcome": (Welcome, BotAccount.welcome),
    "tableList": (list[LobbyTable], BotAccount.note_tables),
    "table": (LobbyTable, BotAccount.note_table),
    "tableGone": (TableGone, BotAccount.forget_table),
    "chat": (ChatLine, BotAccount.hear_chat),
    "joined": (AtTable, BotAccount.sit),
    "left": (AtTable, BotAccount.left),
    "boot": (AtTable, BotAccount.left),
    "init": (Opening, BotAccount.open),
    "tableStart": (GameStart, lambda account, message: account.games.start(message)),
    "gameActionList": (ActionList, lambda account, message: account.games.catch_up(message)),
    "gameAction": (Happened, lambda account, message: account.games.happen(message)),
    "pause": (Pause, lambda account, message: account.games.pause(message)),
    "databaseID": (AtTable, lambda account, message: account.games.finish(message)),
    "finishOngoingGame": (AtTable, lambda account, message: account.games.finish(message)),
    "warning": (Complaint, BotAccount.complain),
    "error": (Complaint, BotAccount.complain),
}
"""The commands of the site that matter: as what they are read, and who hears them."""
