"""The store of a run: one SQLite file with every game, keyed by cell and number."""

import contextlib
import functools
import itertools
import sqlite3
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

from tamaya.arena.game_loop import OUTCOME, PERFECT
from tamaya.arena.statistics import COLUMNS
from tamaya.engine.jit import package_stamp
from tamaya.experiments.schema import StoreError, WriteError, check_place, make_store, verify

MEASURES = {
    "score": "score",
    "strict score": "score * (lives > 0)",
    "perfect games": f"100.0 * (ending = {PERFECT})",
    "errors": "misplays + wasted",
    "errors a move": "1.0 * (misplays + wasted) / length",
    "moves": "length",
    "hint tokens": "hint_tokens",
    "lives": "lives",
    **{f"games with {score} points": f"100.0 * (score = {score})" for score in range(31)},
}
"""What a game can be measured by, in SQL; games are counted in percent."""

CHUNK = 10_000

INSERT = f"INSERT INTO games VALUES ({', '.join('?' * (4 + len(COLUMNS)))})"


@functools.cache
def program() -> str:
    """The version of tamaya and the beginning of the hash of its sources."""
    return f"{version('tamaya')} {package_stamp()[:8]}"


class Store:
    """Games on disk. A unit of games is there whole or not at all, whatever happens to the process."""

    def __init__(self, path: Path, is_read_only: bool = False) -> None:
        self.path = path
        self.is_read_only = is_read_only
        check_place(path)
        try:
            if not path.exists() or not path.stat().st_size:
                if is_read_only:
                    raise StoreError(f"{path} does not exist, or is empty")
                make_store(path)
            self._open("ro")
            if not is_read_only:
                self.connection.close()
                self._open("rw")
                self.connection.execute("PRAGMA journal_mode = WAL")
                self.connection.execute("PRAGMA synchronous = NORMAL")
        except sqlite3.Error as error:
            raise StoreError(f"{path} cannot be used: {error}") from error

    def _open(self, mode: str) -> None:
        """Opens the file; it is opened for writing only after a look that writes nothing has found a store."""
        same = mode == "rw"  # polars reads from its own threads what is only read
        place = f"{self.path.absolute().as_uri()}?mode={mode}"
        self.connection = sqlite3.connect(place, uri=True, isolation_level=None, check_same_thread=same)
        if mode == "ro":
            try:
                verify(self.path, self.connection)
            except BaseException:
                self.connection.close()
                raise

    def rows(self, query: str, *values: Any) -> Iterator[Any]:
        """The rows of a query, some thousands at a time from the disk."""
        try:
            cursor = self.connection.execute(query, values)
            while rows := cursor.fetchmany(CHUNK):
                yield from rows
        except sqlite3.Error as error:
            raise StoreError(f"{self.path} cannot be read: {error}") from error

    def close(self) -> None:
        """Closes the file."""
        self.connection.close()

    def cell_id(self, key: str) -> int:
        """The number of a cell, assigned when it is first seen; 0 if it is not there and cannot be added."""
        if not self.is_read_only:
            with self._writing():
                self.connection.execute("INSERT OR IGNORE INTO cells (key) VALUES (?)", (key,))
        return next((int(number) for (number,) in self.rows("SELECT id FROM cells WHERE key = ?", key)), 0)

    def count(self) -> int:
        """The number of all games."""
        return int(next(iter(self.rows("SELECT count(*) FROM games")))[0])

    def seeds(self, cell: int) -> Iterator[np.ndarray]:
        """The numbers and seeds of the games of a cell, some thousands at a time, [number or seed, game]."""
        for rows in batched(self.rows("SELECT number, seed FROM games WHERE cell = ? ORDER BY number", cell)):
            yield np.array(rows, dtype=np.int64).T

    def holds_other_games(self, cell: int, most: tuple[int, int, int]) -> bool:
        """Whether games of a cell have more points, lives or hint tokens than possible, or an impossible ending."""
        score, lives, tokens = most
        query = f"""SELECT 1 FROM games WHERE cell = ? AND NOT (score <= {score} AND lives <= {lives}
            AND hint_tokens <= {tokens} AND (score = {score}) = (ending = {PERFECT})) LIMIT 1"""
        return any(True for _ in self.rows(query, cell))

    def add(
        self,
        cell: int,
        first: int,
        outcomes: np.ndarray,
        times: tuple[float, float] = (0.0, 0.0),
        moves: bool = False,
        code: str = "",
    ) -> None:
        """Stores a unit of games, from number ``first`` on, with the time they took by the clock and on one core.

        The code is a stamp of the user's own code in their agents.
        """
        columns = [outcomes["seed"].view(np.int64).tolist(), *(outcomes[column].tolist() for column in COLUMNS)]
        kept: list[bytes | None] = [None] * len(outcomes)
        if moves:
            kept = [one["moves"][: one["length"]].tobytes() for one in outcomes]
        numbers = range(first, first + len(outcomes))
        if not self.path.exists():
            raise StoreError(f"{self.path} is gone: it was moved or deleted while games were played")
        with self._writing():
            self.connection.executemany(INSERT, zip([cell] * len(outcomes), numbers, *columns, kept, strict=True))
            unit = (cell, first, len(outcomes), *times, f"{program()} {code}".rstrip())
            self.connection.execute("INSERT INTO units VALUES (?, ?, ?, ?, ?, ?)", unit)

    @contextlib.contextmanager
    def _writing(self) -> Iterator[None]:
        """Writes whatever is written inside as a whole or not at all."""
        try:
            self.connection.execute("BEGIN IMMEDIATE")
            yield
            self.connection.execute("COMMIT")
        except BaseException as error:
            if self.connection.in_transaction:
                self.connection.execute("ROLLBACK")
            if not isinstance(error, sqlite3.Error):
                raise
            raise WriteError(f"{self.path} cannot be written: {error}; what was stored before is safe") from error

    def gaps(self, cell: int, games: int) -> list[range]:
        """The numbers below ``games`` that are missing, as ranges."""
        missing, reached = [], 0
        for first, count in self.rows("SELECT first, games FROM units WHERE cell = ? ORDER BY first", cell):
            if first > reached:
                missing.append(range(reached, min(first, games)))
            reached = max(reached, first + count)
        return [gap for gap in (*missing, range(reached, games)) if len(gap)]

    def reached(self, cell: int, games: int) -> int:
        """How many of the first games of a cell were played before the first that is missing."""
        return min((gap.start for gap in self.gaps(cell, games)), default=games)

    def outcomes(self, cell: int, games: int) -> Iterator[np.ndarray]:
        """The outcomes of the first games of a cell, without their moves, some thousands at a time."""
        query = f"SELECT {', '.join(COLUMNS)} FROM games WHERE cell = ? AND number < ? ORDER BY number"
        fields = [(column, OUTCOME[column]) for column in COLUMNS]
        for rows in batched(self.rows(query, cell, games)):
            yield np.array(rows, dtype=fields)

    def columns(self, cell: int, games: int) -> Iterator[dict[str, np.ndarray]]:
        """The first games of a cell, column by column, some thousands at a time."""
        names = ("number", "seed", *COLUMNS)
        query = f"SELECT {', '.join(names)} FROM games WHERE cell = ? AND number < ? ORDER BY number"
        for rows in batched(self.rows(query, cell, games)):
            columns = dict(zip(names, np.array(rows, dtype=np.int64).T, strict=True))
            yield columns | {"seed": columns["seed"].astype(np.uint64)}

    def pairs(self, cell: int, other: int, games: int) -> Iterator[np.ndarray]:
        """The scores of two cells in the same games, some thousands at a time, [game, cell]."""
        query = """SELECT one.score, two.score FROM games AS one JOIN games AS two ON two.number = one.number
            WHERE one.cell = ? AND two.cell = ? AND one.number < ?"""
        for rows in batched(self.rows(query, cell, other, games)):
            yield np.array(rows, dtype=np.int64)

    def moments(
        self, cells: list[int], games: int, measure: str = "score", is_by_deck: bool = True
    ) -> tuple[int, float, float]:
        """The number, sum and sum of squares of a measure, averaged over some cells in each game number.

        Games of the same number share their deck, so these averages are independent, although the games are not. If
        ``is_by_deck`` is false, games are taken one by one.
        """
        places, group = ", ".join("?" * len(cells)), "number" if is_by_deck else "cell, number"
        query = f"""SELECT count(*), total(value), total(value * value) FROM (SELECT avg({MEASURES[measure]}) AS value
            FROM games WHERE cell IN ({places}) AND number < ? GROUP BY {group})"""
        count, total, squares = next(iter(self.rows(query, *cells, games)))
        return int(count), float(total), float(squares)

    def gains(self, cells: list[int], others: list[int], games: int) -> tuple[int, float, float]:
        """The number, sum and sum of squares of how much more some cells score than others, by game number."""
        sides = [
            f"(SELECT number, avg(score) AS value FROM games WHERE cell IN ({', '.join('?' * len(side))}) "
            "AND number < ? GROUP BY number)"
            for side in (cells, others)
        ]
        query = f"""SELECT count(*), total(gain), total(gain * gain) FROM (SELECT one.value - two.value AS gain
            FROM {sides[0]} AS one JOIN {sides[1]} AS two USING (number))"""
        count, total, squares = next(iter(self.rows(query, *cells, games, *others, games)))
        return int(count), float(total), float(squares)

    def programs(self) -> list[str]:
        """The versions of tamaya that played the games."""
        rows = self.rows("SELECT DISTINCT program FROM units ORDER BY program")
        return list(dict.fromkeys(" ".join(name.split(" ")[:2]) for (name,) in rows))

    def codes(self, cell: int) -> list[str]:
        """The stamps of the user's own code in the agents of a cell when its games were played."""
        rows = self.rows("SELECT DISTINCT program FROM units WHERE cell = ? ORDER BY first", cell)
        return list(dict.fromkeys(" ".join(name.split(" ")[2:]) for (name,) in rows))

    def seconds(self, cell: int, games: int) -> tuple[float, float]:
        """The time that the first games of a cell took, by the clock and on one core."""
        share = f"(min(first + games, {games}) - first) * 1.0 / games"
        query = (
            f"SELECT total(seconds * {share}), total(core_seconds * {share}) FROM units WHERE cell = ? AND first < ?"
        )
        seconds, core_seconds = next(iter(self.rows(query, cell, games)))
        return float(seconds), float(core_seconds)

    def moves(self, cell: int, games: int) -> Iterator[np.ndarray]:
        """Seed, ending, score and moves of the first games of a cell, if they were kept, some thousands at a time."""
        kept = "moves IS NOT NULL ORDER BY number"
        query = f"SELECT seed, ending, score, moves FROM games WHERE cell = ? AND number < ? AND {kept}"
        for rows in batched(self.rows(query, cell, games)):
            outcomes = np.zeros(len(rows), OUTCOME)
            for outcome, (seed, ending, score, moves) in zip(outcomes, rows, strict=True):
                outcome["seed"], outcome["ending"] = seed % (1 << 64), ending
                outcome["score"], outcome["length"] = score, len(moves)
                outcome["moves"][: len(moves)] = np.frombuffer(moves, dtype=np.int8)
            yield outcomes

    def __enter__(self) -> "Store":
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()


def batched(rows: Iterator[Any]) -> Iterator[list[Any]]:
    """Rows in lists of some thousands."""
    while batch := list(itertools.islice(rows, CHUNK)):
        yield batch
