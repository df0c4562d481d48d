"""The hall: all tables of a server, opened, found, and resumed from their journals."""

import os
import secrets
import threading
from pathlib import Path

import msgspec

from tamaya.core.settings import Settings
from tamaya.core.text import plain
from tamaya.game.game import check_seed
from tamaya.game.notation import NAMES
from tamaya.game.replay import dumps
from tamaya.web.bots import Bots
from tamaya.web.journal import Holder, Journal, Kept, Opened
from tamaya.web.messages import Order, Place, Refused
from tamaya.web.table import Table

MOST_TABLES = 500
"""How many tables a server keeps."""


class Hall:
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
        return self.folder / "games.jsonl"

    def resume(self) -> None:
        """Opens the tables of the folder again, the most recent ones; what cannot be read stays where it is."""
        paths = sorted(self.folder.glob("*.table"), key=lambda path: path.stat().st_mtime)
        for path in paths[-MOST_TABLES:]:
            try:
                table = Table.resumed(Journal(path))
            except (ValueError, IndexError, OSError, msgspec.MsgspecError) as error:
                self.unreadable.append(f"{path}: {error}")
                continue
            self.tables[table.id] = table
            self.keep(table)

    def open(self, order: Order) -> Table:
        """A new table for an order; several threads may ask at once."""
        with self.opening:
            self.make_room()
            table_id = secrets.token_urlsafe(8)
            opened = Opened(table_id, rules_of(order), holders_of(order, self.bots), seed_of(order), order.delay)
            journal = Journal(self.folder / f"{table_id}.table")
            table = Table(opened, journal)
            journal.append(opened)
            self.tables[table_id] = table
        return table

    def make_room(self) -> None:
        """Forgets the oldest table that is over and has no guests, if there are too many; its files stay."""
        if len(self.tables) < MOST_TABLES:
            return
        for table in self.tables.values():
            if table.game.is_over and not any(seat.guests for seat in table.seats):
                del self.tables[table.id]
                return
        raise Refused(f"all {MOST_TABLES} tables of this server are in use")

    def keep(self, table: Table) -> None:
        """Adds a finished game to the file of games, once."""
        if table.game.is_over and not table.is_kept:
            place = os.open(self.games, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
            try:
                os.write(place, dumps(table.record()) + b"\n")
            finally:
                os.close(place)
            table.enter(Kept())


def rules_of(order: Order) -> Settings:
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
            bots.check(place.agent, rules_of(order))
    holders = []
    for number, place in enumerate(order.seats):
        secret = "" if place.agent else secrets.token_urlsafe(16)
        is_mine = number == order.mine
        holders.append(
            Holder(
                name_of(place, number),
                place.agent,
                token=secret if is_mine else "",
                invitation="" if is_mine else secret,
            )
        )
    return holders


def name_of(place: Place, number: int) -> str:
    """The name of whoever sits in a seat."""
    return plain(place.name).strip()[:24] or NAMES[number]


def seed_of(order: Order) -> int:
    """The seed of an order: its own, or one that nobody can guess and that fits a browser's numbers."""
    return check_seed(int(order.seed)) if order.seed else secrets.randbits(53)
