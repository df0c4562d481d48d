"""The lobby: tables are opened for an order, found and resumed from their journals; finished games go to a file."""

import os
import secrets
import threading
from pathlib import Path

import msgspec

from tamaya.engine.settings import Settings
from tamaya.engine.text import plain
from tamaya.game.game import check_seed
from tamaya.game.notation import NAMES
from tamaya.game.replay import dumps
from tamaya.play.tables.bots import Bots
from tamaya.play.tables.game_table import Table
from tamaya.play.tables.journal import Holder, Journal, Kept, Opened
from tamaya.play.tables.messages import Order, Place, Refused

GAMES = "games.jsonl"
"""The file of all finished games of a folder, in hanab.live's format."""

SUFFIX = ".table"
"""How the names of journals end."""

MOST_TABLES = 500
"""How many tables a server keeps."""


class Lobby:
    """The tables of a server, with their journals in a folder."""

    def __init__(self, folder: Path, bots: Bots) -> None:
        self.folder, self.bots = folder, bots
        self.tables: dict[str, Table] = {}
        self.opening = threading.Lock()
        self.unreadable: list[str] = []
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        self.resume()

    @property
    def games(self) -> Path:
        """The file of all finished games, in hanab.live's format."""
        return self.folder / GAMES

    def resume(self) -> None:
        """Opens the tables of the folder again, the most recent ones; what cannot be read stays where it is."""
        paths = sorted(self.folder.glob(f"*{SUFFIX}"), key=lambda path: path.stat().st_mtime)
        for path in paths[-MOST_TABLES:]:
            try:
                table = Table.resumed(Journal(path))
            except (ValueError, OSError) as error:
                self.unreadable.append(f"{path}: {error}")
                continue
            self.tables[table.id] = table
            self.keep(table)

    def open(self, order: Order) -> Table:
        """A new table for an order; several threads may ask at once."""
        with self.opening:
            self.make_room()
            table = open_table(order, self.bots, self.folder, SUFFIX)
            self.tables[table.id] = table
        return table

    def make_room(self) -> None:
        """Forgets the oldest table that is over at which nobody looks, if there are too many; its files stay."""
        if len(self.tables) < MOST_TABLES:
            return
        for table in self.tables.values():
            if table.game.is_over and not any(seat.browsers for seat in table.seats):
                del self.tables[table.id]
                return
        raise Refused(f"all {MOST_TABLES} tables of this server are in use")

    def keep(self, table: Table) -> None:
        """Adds a finished game to the file of games, once."""
        keep_game(table, self.games)


def open_table(order: Order, bots: Bots, folder: Path, suffix: str) -> Table:
    """A new table for an order, with its journal in a folder."""
    table_id = secrets.token_urlsafe(8)
    opened = Opened(table_id, rules_of_order(order), holders_of(order, bots), seed_of_order(order), order.delay)
    return Table.begun(opened, folder / f"{table_id}{suffix}")


def keep_game(table: Table, games: Path) -> None:
    """Adds a finished game to a file of games, once."""
    if table.game.is_over and not table.is_kept:
        place = os.open(games, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        try:
            os.write(place, dumps(table.record()) + b"\n")
        finally:
            os.close(place)
        table.enter(Kept())


def rules_of_order(order: Order) -> Settings:
    """The rules of an order."""
    try:
        rules: Settings = msgspec.convert({**order.rules, "players": len(order.seats)}, Settings)
    except msgspec.ValidationError as error:
        raise Refused(f"these rules cannot be played: {error}") from error
    return rules


def holders_of(order: Order, bots: Bots) -> list[Holder]:
    """Who holds the seats of an order; whoever ordered it has a seat at once, other people are invited."""
    for place in order.seats:
        if place.agent:
            bots.check(place.agent, rules_of_order(order))
    holders = []
    for number, place in enumerate(order.seats):
        secret = "" if place.agent else secrets.token_urlsafe(16)
        is_mine = number == order.mine
        holders.append(
            Holder(
                holder_name(place, number),
                place.agent,
                token=secret if is_mine else "",
                invitation="" if is_mine else secret,
            )
        )
    return holders


def holder_name(place: Place, number: int) -> str:
    """The name of whoever sits in a seat."""
    return plain(place.name).strip()[:24] or NAMES[number]


def seed_of_order(order: Order) -> int:
    """The seed of an order: its own, or one that nobody can guess and that fits a browser's numbers."""
    return check_seed(int(order.seed)) if order.seed else secrets.randbits(53)
