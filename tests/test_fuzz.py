"""Inputs that nobody would write: each is understood or refused with the documented error, within two seconds.

Small here; ``EXAMPLES=100000 pytest tests/test_fuzz.py --hypothesis-profile long`` tries that many of each, for hours.
"""

import contextlib
import json
import sqlite3
import string
import tempfile
import time
import tomllib
from pathlib import Path

import msgspec
import pytest
from conftest import compiled_only
from experiments import SMALL, all_games, finish, small
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from tamaya import AgentError, Card, Game, IllegalMove, Move, Settings, make_agent
from tamaya.agents.names import POLICIES
from tamaya.agents.rule_based_agents import RECIPES
from tamaya.agents.searches import SEARCHES
from tamaya.arena.seating import GameFailure, Seating, game_seeds
from tamaya.cli import app as cli
from tamaya.experiments.experiment import ExperimentError, parse_experiment, read_experiment
from tamaya.experiments.report.run_report import write_report
from tamaya.experiments.runs import Run
from tamaya.experiments.schema import StoreError
from tamaya.experiments.store import Store
from tamaya.experiments.workspace import WorkspaceError
from tamaya.game.hanab_live import GameFileError
from tamaya.game.replay import dumps, from_record, loads, records, to_record
from tamaya.policies.agent import PolicyAgent
from tamaya.policies.contract import policy

pytestmark = [compiled_only, pytest.mark.filterwarnings("ignore:Generating overly large repr")]

NUMBERS = st.one_of(
    st.integers(-(1 << 70), 1 << 70), st.floats(), st.sampled_from([0, 1, 2, 5, -1, 1 << 31, 1 << 63, 10**400, 1e308])
)
TEXTS = st.one_of(
    st.text(max_size=40), st.sampled_from(["", "\x00", "\ud800", "é" * 30_000, "[" * 5000, "1e999", "nan"])
)
VALUES = st.recursive(
    st.one_of(st.none(), st.booleans(), NUMBERS, TEXTS),
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(st.text(max_size=8), inner, max_size=4)),
    max_leaves=8,
)


@contextlib.contextmanager
def understood_or(*errors):
    """Lets pass what is refused with an error of some kinds and with words, if it takes less than two seconds."""
    start = time.process_time()
    try:
        yield
    except errors as error:
        words = str(error)
        if not words:
            raise
    assert time.process_time() - start < 2


def places(value, path=()):
    """The places of all parts of something made of lists and dictionaries."""
    yield path
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, part in inner:
        yield from places(part, (*path, key))


@st.composite
def damaged(draw, good):
    """A good value with some of its parts replaced, removed or doubled."""
    value = json.loads(json.dumps(good))
    for _ in range(draw(st.integers(1, 3))):
        spots = list(places(value))
        path = draw(st.sampled_from(spots))
        if not path:
            value = draw(VALUES)
            continue
        holder = value
        for key in path[:-1]:
            holder = holder[key]
        change = draw(st.sampled_from(["replace", "remove", "double", "rename"]))
        if change == "replace":
            holder[path[-1]] = draw(VALUES)
        elif change == "remove":
            del holder[path[-1]]
        elif isinstance(holder, list):
            holder += holder[path[-1] : path[-1] + 1] * draw(st.sampled_from([1, 3, 300]))
        else:
            holder[draw(TEXTS)] = holder[path[-1]]
    return value


def as_json(value):
    """JSON as a careless program writes it: with NaN, and halves of characters."""
    return json.dumps(value, ensure_ascii=True).encode()


WORDS = [*RECIPES, *SEARCHES, *POLICIES, "rules", "PlaySafeCard", "IfRule", "lives", "information", "goodman", "yes"]
WORDS += ["rollout", "iterations", "ms", "counting", "leaf", "no_such_module:agent", "0.5", "2017", "-1", "1e999"]
TOKENS = st.one_of(st.sampled_from([*WORDS, *"()=,+<>: \n", "==", "all"]), st.text(max_size=3), NUMBERS.map(str))


@given(st.one_of(st.lists(TOKENS, max_size=14).map("".join), TEXTS, st.lists(TOKENS, max_size=14).map(" ".join)))
def test_texts_of_agents(text):
    with understood_or(AgentError):
        assert str(make_agent(text)).isprintable()


@given(
    st.one_of(
        TEXTS, st.lists(st.sampled_from(["play", "discard", "tell", "red", "R", *string.digits, " "])).map("".join)
    )
)
def test_texts_of_moves_and_cards(text):
    for read in (Move.parse, Card.parse):
        with understood_or(ValueError):
            assert read(str(read(text))) == read(text)


@given(st.dictionaries(st.sampled_from(Settings.__struct_fields__), st.one_of(st.integers(-3, 9), VALUES)))
def test_settings(given_ones):
    with understood_or(ValueError, TypeError):
        assert Game(Settings(**{"players": 2} | given_ones)).legal_moves


@given(
    st.lists(st.one_of(TEXTS, VALUES, st.sampled_from(["play 0", "discard 1", "tell 1 red", "tell 1 1"])), max_size=8)
)
def test_moves_that_are_pushed(moves):
    game = Game(seed=1)
    for move in moves:
        before = len(game.moves)
        try:
            game.push(move)
        except (IllegalMove, ValueError, TypeError, AttributeError):
            assert len(game.moves) == before


RECORD = json.loads(dumps(to_record(Game(3, seed=5), ["piers", "iggi", "vdb"])))
PLAYED = Game(2, seed=7)
for one in ("play 0", "tell 0 5", "discard 2", "tell 0 red"):
    if PLAYED.is_legal(Move.parse(one)):
        PLAYED.push(one)
SHORT = json.loads(dumps(to_record(PLAYED)))


@given(st.one_of(damaged(RECORD).map(as_json), damaged(SHORT).map(as_json), st.binary(max_size=60), TEXTS))
def test_files_of_games(content):
    with understood_or(GameFileError):
        from_record(loads(content))


@given(st.lists(st.one_of(damaged(SHORT).map(as_json), st.binary(max_size=30)), max_size=4).map(b"\n".join))
def test_files_of_many_games(content):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "games.jsonl"
        path.write_bytes(content)
        with understood_or(GameFileError):
            for record in records(path):
                from_record(record)


EXPERIMENT = tomllib.loads(SMALL.format(games=3))


@given(damaged(EXPERIMENT))
def test_experiments(raw):
    for with_agents in (False, True):
        with understood_or(ExperimentError):
            assert parse_experiment(raw, with_agents).cells()


@given(st.one_of(st.binary(max_size=80), TEXTS.map(lambda text: text.encode("utf-8", "surrogatepass"))))
def test_files_of_experiments(content):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "some.toml"
        path.write_bytes(content)
        with pytest.raises(ExperimentError):
            read_experiment(path)


@pytest.fixture(scope="module")
def good_run(tmp_path_factory):
    """A run to damage."""
    folder = tmp_path_factory.mktemp("good")
    finish(folder, small(games=2))
    with sqlite3.connect(folder / "games.sqlite") as connection:
        connection.execute("PRAGMA journal_mode = DELETE")
    connection.close()
    return folder


@given(st.data())
def test_frozen_experiments(good_run, data):
    good = json.loads((good_run / "experiment.json").read_text())
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "experiment.json").write_bytes(as_json(data.draw(damaged(good))))
        with understood_or(WorkspaceError):
            Run(Path(folder))


@given(st.lists(st.tuples(st.integers(0, 1 << 20), st.binary(min_size=1, max_size=8)), min_size=1, max_size=5))
def test_stores_with_other_bytes(good_run, changes):
    content = bytearray((good_run / "games.sqlite").read_bytes())
    for place, patch in changes:
        content[place % len(content) : place % len(content) + len(patch)] = patch
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "games.sqlite").write_bytes(content)
        (Path(folder) / "experiment.json").write_bytes((good_run / "experiment.json").read_bytes())
        with understood_or(StoreError, WorkspaceError, ValueError), Run(Path(folder), is_read_only=True) as run:
            list(run.summaries())
            list(run.records())


COLUMN = st.sampled_from(
    ["number", "seed", "ending", "score", "lives", "length", "misplays", "iterations", "moves", "cell"]
)


@given(
    COLUMN,
    st.one_of(NUMBERS.filter(lambda one: not isinstance(one, int) or abs(one) < 1 << 63), st.binary(max_size=200)),
)
def test_stores_with_other_values(good_run, column, value):
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "games.sqlite").write_bytes((good_run / "games.sqlite").read_bytes())
        (Path(folder) / "experiment.json").write_bytes((good_run / "experiment.json").read_bytes())
        connection = sqlite3.connect(Path(folder) / "games.sqlite")
        try:
            with connection:
                connection.execute(f"UPDATE games SET {column} = ? WHERE cell = 1 AND number = 0", (value,))
        except sqlite3.IntegrityError:
            return
        finally:
            connection.close()
        with understood_or(StoreError, WorkspaceError, ValueError):
            write_report(Path(folder))


@policy(answer=0.0)
def obstinate(view, memory, params, rng):
    """Answers the same number always."""
    return int(params[0])


@given(st.integers(-(1 << 52), 1 << 52))
def test_answers_of_policies(answer):
    agent = PolicyAgent("obstinate", obstinate, (float(answer),))
    with understood_or(GameFailure):
        outcomes = Seating([agent] * 2, Settings(players=2)).play(game_seeds(1, 0, 2))
        assert (outcomes["ending"] > 0).all()


OPTIONS = ["--games", "--players", "--seed", "--threads", "--json", "--lives", "--colours", "--hand-size", "--turn"]
OPTIONS += ["--to", "--list", "--dry-run", "--save", "--agent", "--game", "--rules", "--quick", "--parquet", "--help"]
COMMANDS = ["match", "run", "report", "reproduce", "agents", "show", "think"]
ARGUMENTS = st.one_of(
    st.sampled_from([*OPTIONS, "--timeout", "piers", "/no/such", "piers+iggi", "2-5", "walton-rivers"]),
    TEXTS.filter(lambda text: "\x00" not in text),
    NUMBERS.filter(lambda one: not abs(one) <= 5).map(str),
)


@given(st.sampled_from(COMMANDS), st.lists(ARGUMENTS, max_size=4))
def test_command_lines(tmp_path, monkeypatch, command, arguments):
    """No game is played, for there is no table of nine."""
    monkeypatch.chdir(tmp_path)
    line = [command, "--players", "9", *arguments] if command == "match" else [command, *arguments]
    result = CliRunner().invoke(cli.app, line)
    assert result.exception is None or isinstance(result.exception, (SystemExit, ValueError, OSError))


def test_a_game_file_of_a_million_players_is_refused_at_once():
    with pytest.raises(GameFileError):
        from_record(loads(as_json(SHORT | {"players": ["x"] * 1_000_000})))


def test_the_games_of_the_good_run_are_good(good_run):
    with Store(good_run / "games.sqlite", is_read_only=True) as store:
        assert len(all_games(store)) == 12
    assert msgspec.json.decode((good_run / "experiment.json").read_bytes())["format"] == 1
