"""The tables of a store, and how a file is checked before it is trusted."""

import contextlib
import functools
import os
import sqlite3
from pathlib import Path

import numpy as np

from tamaya.arena.game_loop import FORFEITED, OUTCOME, PERFECT
from tamaya.arena.statistics import COLUMNS
from tamaya.engine.gameplay import MAX_MOVES
from tamaya.engine.settings import CARDS

APPLICATION = 0x74616D61
MOST = 2**53
FORMAT = 2

SCHEMA = f"""
PRAGMA application_id = {APPLICATION};
PRAGMA user_version = {FORMAT};
CREATE TABLE cells (id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE);
CREATE TABLE units (cell INTEGER NOT NULL, first INTEGER NOT NULL, games INTEGER NOT NULL, seconds REAL NOT NULL,
    core_seconds REAL NOT NULL, program TEXT NOT NULL, PRIMARY KEY (cell, first)) WITHOUT ROWID;
CREATE TABLE games (cell INTEGER NOT NULL, number INTEGER NOT NULL, seed INTEGER NOT NULL,
    {", ".join(f"{column} INTEGER NOT NULL" for column in COLUMNS)}, moves BLOB,
    PRIMARY KEY (cell, number)) WITHOUT ROWID;
"""

LIMITS = {column: (0, int(np.iinfo(OUTCOME[column]).max)) for column in COLUMNS}
LIMITS |= {"ending": (PERFECT, FORFEITED), "score": (0, CARDS), "length": (0, MAX_MOVES), "iterations": (0, 2**44)}
"""The least and the greatest value of each column of games."""


def within(name: str, low: float, high: float, kind: str = "integer") -> str:
    """A condition in SQL: a column holds numbers in some range and nothing else."""
    return f"typeof({name}) = '{kind}' AND {name} BETWEEN {low} AND {high}"


VALID = {
    "cells": "typeof(key) = 'text'",
    "units": " AND ".join(
        [
            *(within(name, 0, MOST) for name in ("cell", "first", "games")),
            *(within(name, 0.0, MOST, "real") for name in ("seconds", "core_seconds")),
            "typeof(program) = 'text'",
        ]
    ),
    "games": " AND ".join(
        [
            *(within(name, 0, MOST) for name in ("cell", "number")),
            "typeof(seed) = 'integer'",
            *(within(name, *limits) for name, limits in LIMITS.items()),
            "(moves IS NULL OR typeof(moves) = 'blob' AND length(moves) = length)",
        ]
    ),
}
"""What the tables may hold; SQLite does not check it, and a file may come from anywhere."""

OBJECTS = "SELECT type, name, sql FROM sqlite_master WHERE name NOT LIKE 'sqlite_%' ORDER BY name"
UNITS = "SELECT cell, sum(games) FROM units GROUP BY cell"
GAMES = "SELECT cell, count(*) FROM games GROUP BY cell"
GAPS = """SELECT 1 FROM units WHERE games != (SELECT count(*) FROM games WHERE games.cell = units.cell
    AND number >= first AND number < first + units.games) LIMIT 1"""


class StoreError(ValueError):
    """A file that is not a store of games, or one that cannot be used."""


class WriteError(StoreError):
    """A store that could not be written; what it held before is safe."""


def check_place(path: Path) -> None:
    """Refuses links, anything that is not a plain file, and any journal: SQLite would follow or obey them."""
    for one in (path, path.with_name(f"{path.name}-wal"), path.with_name(f"{path.name}-shm")):
        if one.is_symlink() or (one.exists() and not one.is_file()):
            raise StoreError(f"{one} is a link or not a plain file; nothing was changed")
    journal = path.with_name(f"{path.name}-journal")
    if os.path.lexists(journal):
        raise StoreError(f"{journal} is not from tamaya, which keeps no journal; nothing was changed")


def make_store(path: Path) -> None:
    """Makes an empty store, whole or not at all."""
    draft = path.with_name(f"{path.name}.new")
    for end in ("", "-journal", "-wal", "-shm"):
        draft.with_name(draft.name + end).unlink(missing_ok=True)
    with contextlib.closing(sqlite3.connect(draft, isolation_level=None)) as connection:
        connection.executescript(f"BEGIN; {SCHEMA} COMMIT;")
        connection.execute("PRAGMA journal_mode = WAL")
    draft.replace(path)


@functools.cache
def tables_of_a_store() -> list[tuple[str, str, str]]:
    """The tables of a store, with the SQL that creates them."""
    with contextlib.closing(sqlite3.connect(":memory:")) as connection:
        connection.executescript(SCHEMA)
        return connection.execute(OBJECTS).fetchall()


def verify(path: Path, connection: sqlite3.Connection) -> None:
    """Refuses a file of another program or version, with other tables or values, or games that no unit lists."""
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    (made_by,) = connection.execute("PRAGMA user_version").fetchone()
    if application != APPLICATION:
        raise StoreError(f"{path} is not a store of tamaya; nothing was changed")
    if made_by != FORMAT:
        age = "a newer" if made_by > FORMAT else "an older"
        raise StoreError(f"{path} was made by {age} tamaya (format {made_by}, here {FORMAT})")
    if connection.execute(OBJECTS).fetchall() != tables_of_a_store():
        raise StoreError(f"{path} is not a store of tamaya: its tables are different; nothing was changed")
    for table, condition in VALID.items():
        if connection.execute(f"SELECT 1 FROM {table} WHERE NOT ({condition}) LIMIT 1").fetchall():
            raise StoreError(f"{path} is damaged: there are impossible values among its {table}")
    connection.execute("BEGIN")  # both queries see the same moment
    units, games, gaps = (connection.execute(query).fetchall() for query in (UNITS, GAMES, GAPS))
    connection.execute("ROLLBACK")
    if units != games or gaps:
        raise StoreError(f"{path} is damaged: it does not hold the games that were stored")
