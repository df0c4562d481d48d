"""Stores: what was played is never lost, and never mixed with something else."""

import json
import random
import sqlite3
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
from tamaya.experiments.runs import Run, RunError
from tamaya.experiments.store import FORMAT, Store, StoreError


def test_a_store_of_another_seed_is_refused_though_the_experiment_is_gone(tmp_path):
    finish(tmp_path, small(games=1))
    (tmp_path / "experiment.json").unlink()
    with pytest.raises(RunError, match="games of another seed than 4"), Run(tmp_path, small(seed=4)):
        pass


def test_a_kill_before_the_tables_were_made_leaves_a_directory_that_can_be_used(tmp_path):
    with sqlite3.connect(tmp_path / "games.sqlite") as connection:
        connection.execute("PRAGMA journal_mode = WAL")
    connection.close()
    assert len(finish(tmp_path, small(games=1))) == 6


def test_an_interrupt_while_storing_stores_nothing_of_the_unit(tmp_path, monkeypatch):
    outcomes = Seating([make_agent("flawed")] * 2, Settings(players=2)).play(game_seeds(1, 0, 5))
    with Store(tmp_path / "games.sqlite") as store:
        with monkeypatch.context() as patch:
            patch.setattr("tamaya.experiments.store.zip", interrupted, raising=False)
            with pytest.raises(KeyboardInterrupt):
                store.add(1, 0, outcomes)
        assert store.gaps(1, 5) == [range(5)]
        assert list(store.outcomes(1, 5)) == []


def interrupted(*columns, strict):
    yield next(zip(*columns, strict=strict))
    raise KeyboardInterrupt


def test_a_second_process_in_the_directory_is_refused(tmp_path):
    with Run(tmp_path, small()), pytest.raises(RunError, match="another process is running"), Run(tmp_path, small()):
        pass


def test_a_directory_that_is_no_run_is_refused(tmp_path):
    with pytest.raises(RunError, match="is no run"):
        Run(tmp_path)
    (tmp_path / "experiment.json").write_text("{")
    with pytest.raises(RunError, match="is damaged"):
        Run(tmp_path)
    (tmp_path / "experiment.json").write_text('{"format": 99}')
    with pytest.raises(RunError, match="made by a newer tamaya"):
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
        with pytest.raises(RunError, match=message):
            Run(tmp_path)
    (tmp_path / "experiment.json").write_text("[" * 100_000)
    with pytest.raises(RunError, match="is damaged"):
        Run(tmp_path)
    (tmp_path / "file").write_text("")
    with pytest.raises(RunError, match="cannot be written"), Run(tmp_path / "file" / "run", small()):
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
        (foreign, "is no store of tamaya"),
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


FOREIGN = [
    ("UPDATE games SET score = 'many' WHERE number = 0", "impossible values among its games"),
    ("UPDATE games SET score = 1e300 WHERE number = 0", "impossible values among its games"),
    ("UPDATE games SET ending = 9 WHERE number = 0", "impossible values among its games"),
    ("UPDATE games SET iterations = -5 WHERE number = 0", "impossible values among its games"),
    ("UPDATE games SET moves = zeroblob(500) WHERE number = 0", "impossible values among its games"),
    ("UPDATE units SET seconds = 'long'", "impossible values among its units"),
    ("UPDATE units SET games = 1000", "it has other games than were stored"),
    ("DELETE FROM games WHERE number = 3", "it has other games than were stored"),
    ("ALTER TABLE games RENAME TO others; CREATE VIEW games AS SELECT * FROM others", "its tables are others"),
    ("CREATE TRIGGER trap AFTER INSERT ON games BEGIN DELETE FROM units; END", "its tables are others"),
    ("CREATE TABLE more (value)", "its tables are others"),
]


@pytest.mark.parametrize(("change", "message"), FOREIGN)
def test_a_store_is_checked_like_any_input(tmp_path, change, message):
    finish(tmp_path, small(games=5))
    with sqlite3.connect(tmp_path / "games.sqlite") as connection:
        connection.executescript(change)
    connection.close()
    for is_read_only in (True, False):
        with pytest.raises(StoreError, match=message):
            Store(tmp_path / "games.sqlite", is_read_only)


def test_moves_that_are_not_legal_are_refused_not_obeyed(tmp_path):
    finish(tmp_path, small(games=5))
    with sqlite3.connect(tmp_path / "games.sqlite") as connection:
        connection.execute("UPDATE games SET moves = zeroblob(length) WHERE cell = 1 AND number = 2")
    connection.close()
    with Run(tmp_path, is_read_only=True) as run, pytest.raises(ValueError, match="are not legal"):
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
def test_a_run_killed_ten_times_equals_one_that_was_not(tmp_path):
    """kill -9 at random moments; the games are those of an uninterrupted run, each once."""
    file, directory = tmp_path / "small.toml", tmp_path / "small.run"
    file.write_text(SMALL.format(games=60_000))
    command = [sys.executable, "-m", "tamaya", "run", str(file), "--threads", "2"]
    chance = random.Random(1)
    kills = 0
    for _ in range(10):
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
