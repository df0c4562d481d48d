"""Stores: what was played is never lost, and never mixed with something else."""

import contextlib
import json
import os
import random
import sqlite3
import struct
import subprocess
import sys
import time

import msgspec
import numpy as np
import pytest
from conftest import compiled_only, several
from experiments import SMALL, all_games, finish, small

from tamaya import Settings, make_agent
from tamaya.arena.seating import Seating, game_seeds
from tamaya.experiments.experiment import read_experiment
from tamaya.experiments.runs import Run
from tamaya.experiments.schema import FORMAT, StoreError
from tamaya.experiments.store import Store
from tamaya.experiments.workspace import WorkspaceError


def test_a_store_of_another_seed_is_refused_though_the_experiment_is_gone(tmp_path):
    finish(tmp_path, small(games=1))
    (tmp_path / "experiment.json").unlink()
    with pytest.raises(WorkspaceError, match="games of a seed other than 4"), Run(tmp_path, small(seed=4)):
        pass


@pytest.mark.parametrize("left", ["games.sqlite", "games.sqlite.new", "games.sqlite.new-journal"])
def test_a_kill_before_the_tables_were_made_leaves_a_directory_that_can_be_used(tmp_path, left):
    (tmp_path / left).write_bytes(b"" if left == "games.sqlite" else b"half of a store")
    (tmp_path / "lock").touch()
    assert len(finish(tmp_path, small(games=1))) == 6
    assert sorted(path.name for path in tmp_path.iterdir()) == ["experiment.json", "games.sqlite", "lock"]


@pytest.mark.parametrize("name", ["games.sqlite", "games.sqlite-wal", "experiment.json"])
@pytest.mark.parametrize("kind", ["link", "pipe", "dangling"])
def test_links_and_pipes_in_a_run_are_neither_followed_nor_read(tmp_path, name, kind):
    finish(tmp_path / "victim", small(games=2))
    finish(tmp_path / "some", small(games=1))
    before = (tmp_path / "victim" / "games.sqlite").read_bytes()
    path = tmp_path / "some" / name
    path.unlink(missing_ok=True)
    if kind == "pipe":
        os.mkfifo(path)
    else:
        path.symlink_to(tmp_path / "victim" / (name if kind == "link" else "nothing"))
    for is_read_only in (True, False):
        with pytest.raises((WorkspaceError, StoreError), match="is a link or not a plain file"):
            Run(tmp_path / "some", is_read_only=is_read_only).__enter__()
    assert (tmp_path / "victim" / "games.sqlite").read_bytes() == before
    assert not (tmp_path / "victim" / "nothing").exists()


def test_a_journal_that_names_another_file_is_not_obeyed(tmp_path):
    """SQLite would delete the file that the end of a hot journal names."""
    finish(tmp_path, small(games=1))
    store, precious = tmp_path / "games.sqlite", tmp_path / "precious"
    precious.write_text("a diploma")
    with sqlite3.connect(store) as connection:
        connection.execute("PRAGMA journal_mode = DELETE")
    connection.close()
    magic, name = bytes.fromhex("d9d505f920a163d7"), bytes(precious)
    pages = len(store.read_bytes()) // 4096
    header = magic + struct.pack(">IIIII", 0, 0, pages, 512, 4096)
    end = struct.pack(">I", (1 << 30) // 4096 + 1) + name + struct.pack(">II", len(name), sum(name)) + magic
    (tmp_path / "games.sqlite-journal").write_bytes(header.ljust(512, b"\0") + end)
    for is_read_only in (True, False):
        with pytest.raises(StoreError, match="keeps no journal"):
            Run(tmp_path, is_read_only=is_read_only).__enter__()
    assert precious.exists()


def test_an_interrupt_while_storing_stores_nothing_of_the_unit(tmp_path, monkeypatch):
    outcomes = Seating([make_agent("flawed")] * 2, Settings(players=2)).play(game_seeds(1, 0, 5))
    with Store(tmp_path / "games.sqlite") as store:
        with monkeypatch.context() as patch:
            patch.setattr("tamaya.experiments.store.zip", interrupted, raising=False)
            with pytest.raises(KeyboardInterrupt):
                store.add(1, 0, outcomes)
        assert store.gaps(1, 5) == [range(5)]
        assert list(store.outcomes(1, 5)) == []


def test_the_time_of_some_games_is_their_share_of_the_time_of_their_batch(tmp_path):
    outcomes = Seating([make_agent("flawed")] * 2, Settings(players=2)).play(game_seeds(1, 0, 20))
    with Store(tmp_path / "games.sqlite") as store:
        store.add(1, 0, outcomes[:10], (10.0, 20.0))
        store.add(1, 10, outcomes[10:], (40.0, 80.0))
        assert store.seconds(1, 5) == (5.0, 10.0)
        assert store.seconds(1, 15) == (30.0, 60.0)
        assert store.seconds(1, 10**6) == (50.0, 100.0)


def interrupted(*columns, strict):
    yield next(zip(*columns, strict=strict))
    raise KeyboardInterrupt


def test_a_second_process_in_the_directory_is_refused(tmp_path):
    with (
        Run(tmp_path, small()),
        pytest.raises(WorkspaceError, match="another process is running"),
        Run(tmp_path, small()),
    ):
        pass


def test_a_directory_that_is_no_run_is_refused(tmp_path):
    with pytest.raises(WorkspaceError, match="is not a run"):
        Run(tmp_path)
    (tmp_path / "experiment.json").write_text("{")
    with pytest.raises(WorkspaceError, match="is damaged"):
        Run(tmp_path)
    (tmp_path / "experiment.json").write_text('{"format": 99}')
    with pytest.raises(WorkspaceError, match="made by a newer tamaya"):
        Run(tmp_path)
    good = msgspec.to_builtins(small())
    for change, message in [
        ({"rules": {"lifes": 3}}, "there is no key 'lifes'; did you mean lives"),
        ({"rules": {"lives": "many"}}, "lives"),
        ({"seed": -1}, "a seed is a whole number"),
        ({"seed": 1 << 70}, "experiment.json"),
        ({"games": 0}, "games must be at least 1"),
        ({"title": 7}, "title"),
        ({"players": [9]}, "players must be a whole number from 2 to 5"),
        ({"keep": "everything"}, "keep"),
        ({"lineup": [{"kind": "self-play", "agents": ["piers("]}]}, "line-up 1, agents"),
        ({"lineup": [{"kind": "duel", "agents": ["piers"]}]}, "kind must be one of"),
        ({"more": 1}, "there is no key 'more'"),
    ]:
        (tmp_path / "experiment.json").write_bytes(json.dumps({"experiment": good | change}).encode())
        with pytest.raises(WorkspaceError, match=message):
            Run(tmp_path)
    (tmp_path / "experiment.json").write_text("[" * 100_000)
    with pytest.raises(WorkspaceError, match="is damaged"):
        Run(tmp_path)
    (tmp_path / "file").write_text("")
    with pytest.raises(WorkspaceError, match="cannot be written"), Run(tmp_path / "file" / "run", small()):
        pass


def test_a_foreign_truncated_or_newer_store_is_refused_and_left_alone(tmp_path):
    foreign = tmp_path / "foreign.sqlite"
    with sqlite3.connect(foreign) as connection:
        connection.execute("CREATE TABLE precious (value)")
    newer = tmp_path / "newer.sqlite"
    Store(newer).close()
    with sqlite3.connect(newer) as connection:
        connection.execute(f"PRAGMA user_version = {FORMAT + 1}")
    truncated = tmp_path / "truncated.sqlite"
    Store(truncated).close()
    truncated.write_bytes(truncated.read_bytes()[:5000])
    text = tmp_path / "text.sqlite"
    text.write_text("no database, but long enough to look like one" * 100)
    for path, message in [
        (foreign, "is not a store of tamaya"),
        (newer, "made by a newer tamaya"),
        (truncated, "cannot be used"),
        (text, "cannot be used"),
    ]:
        before = path.read_bytes()
        with pytest.raises(StoreError, match=message):
            Store(path)
        assert path.read_bytes() == before


def test_a_store_that_cannot_grow_keeps_what_it_has(tmp_path):
    """A full disk, as SQLite sees it: no more pages."""
    outcomes = Seating([make_agent("flawed")] * 2, Settings(players=2)).play(game_seeds(1, 0, several(600, 40)))
    with Store(tmp_path / "games.sqlite") as store:
        store.add(1, 0, outcomes, moves=True)
        (pages,) = store.connection.execute("PRAGMA page_count").fetchone()
        store.connection.execute(f"PRAGMA max_page_count = {pages}")
        large = np.concatenate([outcomes] * 10)
        with pytest.raises(StoreError, match=r"full.*what was stored before is safe"):
            store.add(1, len(outcomes), large, moves=True)
        assert store.gaps(1, len(outcomes)) == []
        assert sum(len(chunk) for chunk in store.outcomes(1, 10**9)) == len(outcomes)


def tamper(directory, change):
    """Plays a small run, and changes its store behind its back."""
    finish(directory, small(games=5))
    with contextlib.closing(sqlite3.connect(directory / "games.sqlite", isolation_level=None)) as connection:
        connection.executescript(change)


FOREIGN = [
    ("UPDATE games SET score = 'many' WHERE number = 0", "impossible values among its games"),
    ("UPDATE games SET score = 1e300 WHERE number = 0", "impossible values among its games"),
    ("UPDATE games SET ending = 9 WHERE number = 0", "impossible values among its games"),
    ("UPDATE games SET iterations = -5 WHERE number = 0", "impossible values among its games"),
    ("UPDATE games SET moves = zeroblob(500) WHERE number = 0", "impossible values among its games"),
    ("UPDATE units SET seconds = 'long'", "impossible values among its units"),
    ("UPDATE units SET games = 1000", "it does not hold the games that were stored"),
    ("DELETE FROM games WHERE number = 3", "it does not hold the games that were stored"),
    ("ALTER TABLE games RENAME TO others; CREATE VIEW games AS SELECT * FROM others", "its tables are different"),
    ("CREATE TRIGGER trap AFTER INSERT ON games BEGIN DELETE FROM units; END", "its tables are different"),
    ("CREATE TABLE more (value)", "its tables are different"),
    ("UPDATE games SET number = number + 1000", "it does not hold the games that were stored"),
    ("UPDATE games SET iterations = 9223372036854775807 WHERE number = 0", "impossible values among its games"),
    ("UPDATE games SET length = 30000, moves = NULL WHERE number = 0", "impossible values among its games"),
]
IMPOSSIBLE = [
    (
        "UPDATE games SET number = 1125899906842624 WHERE number = 4; DELETE FROM units;"
        "INSERT INTO units SELECT DISTINCT cell, 0, 4, 0.0, 0.0, '' FROM games;"
        "INSERT INTO units SELECT DISTINCT cell, 1125899906842624, 1, 0.0, 0.0, '' FROM games",
        "games of a seed other than",
    ),
    ("UPDATE games SET score = 30, ending = 1", "are impossible under its rules"),
    ("UPDATE games SET score = 25 WHERE number = 1", "are impossible under its rules"),
    ("UPDATE games SET lives = 100 WHERE number = 1", "are impossible under its rules"),
    ("UPDATE games SET seed = 12345 WHERE number > 0", "games of a seed other than"),
]


@pytest.mark.parametrize(("change", "message"), IMPOSSIBLE)
def test_games_that_the_rules_and_the_seed_refute_are_refused(tmp_path, change, message):
    tamper(tmp_path, change)
    for is_read_only in (True, False):
        with pytest.raises(WorkspaceError, match=message):
            Run(tmp_path, is_read_only=is_read_only).__enter__()


def test_moves_that_lead_to_another_score_are_found(tmp_path):
    tamper(tmp_path, "UPDATE games SET score = score + 1 WHERE number = 1 AND score < 20")
    with Run(tmp_path, is_read_only=True) as run, pytest.raises(ValueError, match="do not lead to its score"):
        list(run.records())


@pytest.mark.parametrize(("change", "message"), FOREIGN)
def test_a_store_is_checked_like_any_input(tmp_path, change, message):
    tamper(tmp_path, change)
    for is_read_only in (True, False):
        with pytest.raises(StoreError, match=message):
            Store(tmp_path / "games.sqlite", is_read_only)


def test_moves_that_are_not_legal_are_refused_not_obeyed(tmp_path):
    tamper(tmp_path, "UPDATE games SET moves = zeroblob(length) WHERE cell = 1 AND number = 2")
    with (
        Run(tmp_path, is_read_only=True) as run,
        pytest.raises(ValueError, match="are not legal, or do not lead to its score"),
    ):
        list(run.records())


def test_a_full_disk_while_a_cell_is_added_says_so_and_loses_nothing(tmp_path):
    with Store(tmp_path / "games.sqlite") as store:
        assert store.cell_id("one") == 1
        (pages,) = store.connection.execute("PRAGMA page_count").fetchone()
        store.connection.execute(f"PRAGMA max_page_count = {pages}")
        with pytest.raises(StoreError, match=r"full.*what was stored before is safe"):
            store.cell_id("x" * 100_000)
        assert store.cell_id("one") == 1


@compiled_only
def test_a_run_killed_again_and_again_equals_one_that_was_not(tmp_path):
    """kill -9 at random moments; the games are those of an uninterrupted run, each once."""
    file, directory = tmp_path / "small.toml", tmp_path / "small.run"
    file.write_text(SMALL.format(games=30_000))
    command = [sys.executable, "-m", "tamaya", "run", str(file), "--threads", "1"]
    chance = random.Random(1)
    kills = 0
    for _ in range(6):
        child = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(0.7 + 0.8 * chance.random())
        kills += child.poll() is None
        child.kill()
        child.wait()
    subprocess.run(command, check=True, capture_output=True, timeout=300)
    assert kills >= 2
    whole = finish(tmp_path / "whole", read_experiment(file))
    with Store(directory / "games.sqlite") as store:
        assert all_games(store) == whole
