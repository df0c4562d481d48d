"""The hall: all tables of a server, opened, found, and resumed from their journals."""

import threading
from pathlib import Path

from tamaya.play.tables.bots import Bots
from tamaya.play.tables.journal import Journal
from tamaya.play.tables.messages import Order, Refused
from tamaya.play.tables.opening import GAMES, keep, open_table
from tamaya.play.tables.table import Table

SUFFIX = ".table"
"""How the names of journals end."""

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
        keep(table, self.games)
