"""The store of a run: one SQLite file with every game, keyed by cell and number."""

import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from tamaya.loop import OUTCOME
from tamaya.statistics import COLUMNS

APPLICATION = 0x74616D61
FORMAT = 1

SCHEMA = f"""
PRAGMA application_id = {APPLICATION};
PRAGMA user_version = {FORMAT};
CREATE TABLE cells (id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE);
CREATE TABLE units (cell INTEGER NOT NULL, first INTEGER NOT NULL, games INTEGER NOT NULL, seconds REAL NOT NULL,
    PRIMARY KEY (cell, first)) WITHOUT ROWID;
CREATE TABLE games (cell INTEGER NOT NULL, number INTEGER NOT NULL, seed INTEGER NOT NULL,
    {", ".join(f"{column} INTEGER NOT NULL" for column in COLUMNS)}, moves BLOB,
    PRIMARY KEY (cell, number)) WITHOUT ROWID;
"""

CHUNK = 10_000

INSERT = f"INSERT INTO games VALUES ({', '.join('?' * (4 + len(COLUMNS)))})"


class StoreError(ValueError):
    """A file that is no store of games, or one that cannot be used."""


class Store:
    """Games on disk. A unit of games is there whole or not at all, whatever happens to the process."""

    def __init__(self, path: Path, is_read_only: bool = False) -> None:
        self.path = path
        self.is_read_only = is_read_only
        is_new = not path.exists() or path.stat().st_size == 0
        mode = "ro" if is_read_only else "rwc"
        try:
            self.connection = sqlite3.connect(f"{path.resolve().as_uri()}?mode={mode}", uri=True, isolation_level=None)
        except sqlite3.Error as error:
            raise StoreError(f"{path} cannot be opened: {error}") from error
        try:
            self._open(is_new)
        except (sqlite3.Error, StoreError) as error:
            self.connection.close()
            if isinstance(error, StoreError):
                raise
            raise StoreError(f"{path} cannot be used: {error}") from error

    def _open(self, is_new: bool) -> None:
        if not is_new:
            (application,) = self.connection.execute("PRAGMA application_id").fetchone()
            (version,) = self.connection.execute("PRAGMA user_version").fetchone()
            if application != APPLICATION:
                raise StoreError(f"{self.path} is no store of tamaya; nothing was changed")
            if version > FORMAT:
                raise StoreError(f"{self.path} was made by a newer tamaya (format {version}, here {FORMAT})")
            self.connection.execute("SELECT count(*) FROM cells").fetchone()
        if self.is_read_only:
            return
        self.connection.execute("PRAGMA journal_mode = WAL")
        self.connection.execute("PRAGMA synchronous = NORMAL")
        if is_new:
            self.connection.executescript(f"BEGIN; {SCHEMA} COMMIT;")

    def close(self) -> None:
        """Closes the file."""
        self.connection.close()

    def cell_id(self, key: str) -> int:
        """The number of a cell, given to it at first sight; 0 for one that is not there and cannot be added."""
        if not self.is_read_only:
            self.connection.execute("INSERT OR IGNORE INTO cells (key) VALUES (?)", (key,))
        row = self.connection.execute("SELECT id FROM cells WHERE key = ?", (key,)).fetchone()
        return int(row[0]) if row else 0

    def add(self, cell: int, first: int, outcomes: np.ndarray, seconds: float, with_moves: bool) -> None:
        """Stores a unit of games, from number ``first`` on."""
        columns = [outcomes["seed"].view(np.int64).tolist(), *(outcomes[column].tolist() for column in COLUMNS)]
        moves: list[bytes | None] = [None] * len(outcomes)
        if with_moves:
            moves = [one["moves"][: one["length"]].tobytes() for one in outcomes]
        numbers = range(first, first + len(outcomes))
        try:
            self.connection.execute("BEGIN IMMEDIATE")
            self.connection.executemany(INSERT, zip([cell] * len(outcomes), numbers, *columns, moves, strict=True))
            self.connection.execute("INSERT INTO units VALUES (?, ?, ?, ?)", (cell, first, len(outcomes), seconds))
            self.connection.execute("COMMIT")
        except sqlite3.Error as error:
            if self.connection.in_transaction:
                self.connection.execute("ROLLBACK")
            raise StoreError(f"{self.path} cannot be written: {error}; what was stored before is safe") from error

    def gaps(self, cell: int, games: int) -> list[range]:
        """The numbers below ``games`` that are missing, as ranges."""
        rows = self.connection.execute("SELECT first, games FROM units WHERE cell = ? ORDER BY first", (cell,))
        missing, reached = [], 0
        for first, count in rows:
            if first > reached:
                missing.append(range(reached, min(first, games)))
            reached = max(reached, first + count)
        return [gap for gap in (*missing, range(reached, games)) if len(gap)]

    def outcomes(self, cell: int, games: int) -> Iterator[np.ndarray]:
        """The outcomes of the first games of a cell, without their moves, some thousands at a time."""
        query = f"SELECT {', '.join(COLUMNS)} FROM games WHERE cell = ? AND number < ? ORDER BY number"
        cursor = self.connection.execute(query, (cell, games))
        fields = [(column, OUTCOME[column]) for column in COLUMNS]
        while rows := cursor.fetchmany(CHUNK):
            yield np.array(rows, dtype=fields)

    def pairs(self, cell: int, other: int, games: int) -> Iterator[np.ndarray]:
        """The scores of two cells on the same decks, some thousands at a time, [game, cell]."""
        query = """SELECT one.score, two.score FROM games AS one JOIN games AS two ON two.number = one.number
            WHERE one.cell = ? AND two.cell = ? AND one.number < ?"""
        cursor = self.connection.execute(query, (cell, other, games))
        while rows := cursor.fetchmany(CHUNK):
            yield np.array(rows, dtype=np.int64)

    def seconds(self, cell: int) -> float:
        """The time that the games of a cell took."""
        (total,) = self.connection.execute("SELECT total(seconds) FROM units WHERE cell = ?", (cell,)).fetchone()
        return float(total)

    def moves(self, cell: int) -> Iterator[tuple[int, int, bytes]]:
        """Number, seed and moves of the games of a cell that were kept."""
        query = "SELECT number, seed, moves FROM games WHERE cell = ? AND moves IS NOT NULL ORDER BY number"
        for number, seed, moves in self.connection.execute(query, (cell,)):
            yield number, seed % (1 << 64), moves

    def __enter__(self) -> "Store":
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()
