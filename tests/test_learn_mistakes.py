"""Learning with wrong options, files and places: each is refused in words, before anything is done."""

import re

import numpy as np
import pytest
from test_learn import drawn_rows
from typer.testing import CliRunner

from tamaya.agents.registry import make_agent
from tamaya.cli.app import app
from tamaya.learn.goodman.collection import ABOUT, MOST_GAMES, read_collection
from tamaya.learn.goodman.network_training import Training
from tamaya.learn.goodman.training_data import DataError, read_table, shards, write_shard
from tamaya.policies.language import AgentError


def refused(words, *arguments):
    """Whether a command is refused with some words."""
    with pytest.raises((ValueError, OSError), match=re.escape(words)):
        CliRunner().invoke(app, ["learn", *map(str, arguments)], catch_exceptions=False, standalone_mode=False)


@pytest.fixture
def collection(tmp_path):
    """A collection that can be learned from."""
    directory = tmp_path / "rows"
    directory.mkdir()
    (directory / ABOUT).write_text('{"agent": "ris", "games": 80}')
    for kind in ("rows", "choices"):
        write_shard(directory, kind, 0, drawn_rows(80, kind))
    return directory


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--players", "7"], "--players must be from 2 to 5, not 7"),
        (["--games", "0"], f"games must be from 1 to {MOST_GAMES:,}, not 0"),
        (["--games", 10**30], f"games must be from 1 to {MOST_GAMES:,}"),
        (["--fewest", "0"], "fewest must be from 1"),
        (["--seed", "-1"], "a seed is a whole number from 0"),
        (["--threads", "0"], "--threads must be"),
        (["--agent", "ally"], "ally values no moves"),
    ],
)
def test_games_that_cannot_be_collected_leave_no_directory(tmp_path, options, words):
    refused(words, "collect", "--to", tmp_path / "new", *options)
    assert not (tmp_path / "new").exists()


def test_what_holds_no_collection_is_neither_gone_on_with_nor_learned_from(tmp_path):
    (tmp_path / "file").write_text("")
    for name, content in (("cut", "{"), ("strange", '{"agent": 3}'), ("deep", '{"players": ' + "[" * 9999)):
        (tmp_path / name).mkdir()
        (tmp_path / name / ABOUT).write_text(content)
    (tmp_path / "endless").mkdir()
    (tmp_path / "endless" / ABOUT).symlink_to("/dev/zero")
    for name in ("cut", "strange", "deep", "endless"):
        words = "is a link" if name == "endless" else "is damaged"
        refused(f"{name}/{ABOUT} {words}", "collect", "--to", tmp_path / name)
        refused(f"{name}/{ABOUT} {words}", "train", tmp_path / name, "--to", tmp_path / "mine.json")
    refused("is a file; choose a directory", "collect", "--to", tmp_path / "file")
    refused("does not hold a collection", "train", tmp_path / "nothing", "--to", tmp_path / "mine.json")


def test_a_collection_keeps_its_number_of_games_when_fewer_are_asked_for(collection):
    options = ["--agent", "ris", "--players", "5", "--games", "3"]
    result = CliRunner().invoke(app, ["learn", "collect", "--to", str(collection), *options], catch_exceptions=False)
    assert "all games are there already" in result.output
    assert read_collection(collection).games == 80


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--hidden", "0"], "from 1 to 4,096 neurons, not 0"),
        (["--hidden", "-3"], "neurons, not -3"),
        (["--hidden", "10000000"], "neurons, not 10,000,000"),
        (["--hidden", "a"], "--hidden must be written like 64 or 64,32, not 'a'"),
        (["--rate", "0"], "the rate must be above 0 and at most 1, not 0"),
        (["--rate", "-1"], "the rate must be above 0"),
        (["--rate", "nan"], "the rate must be above 0 and at most 1, not nan"),
        (["--rate", "inf"], "the rate must be above 0"),
        (["--l1", "nan"], "l1 must be from 0 to 1"),
        (["--epochs", "0"], "epochs must be from 1"),
        (["--batch", "0"], "batch must be from 1"),
        (["--seed", 1 << 64], "a seed is a whole number from 0"),
        (["--optimiser", "sgd"], "the optimiser must be one of adam, nesterov, not 'sgd'"),
        (["--task", "chess"], "--task must be one of evalfn"),
    ],
)
def test_numbers_with_which_nothing_can_be_learned_are_refused(collection, options, words):
    refused(words, "train", collection, "--to", collection / "mine.json", *options)


def test_weights_are_written_to_a_new_file_in_a_directory(collection):
    (collection / "mine.json").write_text("precious")
    refused("mine.json already exists; choose another name", "train", collection, "--to", collection / "mine.json")
    refused("already exists", "train", collection, "--to", collection)
    refused("none is not a directory", "train", collection, "--to", collection / "none" / "mine.json")
    assert (collection / "mine.json").read_text() == "precious"


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--games", "300,300,0"], f"--games must be from 40 to {MOST_GAMES:,}, not 0"),
        (["--iterations", "9,9,0"], "--iterations must be from 1"),
        (["--players", "1"], "--players must be from 2 to 5"),
        (["--tries", "0"], "--tries must be from 1"),
        (["--matches", "1"], "--matches must be from 2"),
    ],
)
def test_a_plan_is_refused_before_its_first_game(tmp_path, options, words):
    refused(words, "goodman", "--to", tmp_path / "new", *options)
    assert not (tmp_path / "new").exists()


def test_a_table_in_pieces_is_named_in_one_line(collection):
    (path,) = shards(collection, "rows").values()
    whole = path.read_bytes()
    for content in (b"", whole[: len(whole) // 2], whole[:100] + b"\0" * 100 + whole[200:-8] + b"\xff" * 8):
        path.write_bytes(content)
        with pytest.raises(DataError, match=rf"{path.name} cannot be used as training data: .") as caught:
            read_table(collection, "rows")
        assert "\n" not in str(caught.value)
    path.unlink()
    path.symlink_to("/dev/zero")
    with pytest.raises(DataError, match="it is not a plain file"):
        read_table(collection, "rows")


@pytest.mark.torch
def test_rows_that_teach_nothing_are_refused():
    from tamaya.learn.goodman.network_training import train

    rows = drawn_rows(80)
    with pytest.raises(ValueError, match="no row was visited 1,000 times or more"):
        train("evalfn", rows, Training(fewest=1000))
    rows["value"][3] = np.nan
    with pytest.raises(ValueError, match="some rows hold numbers that are not finite"):
        train("evalfn", rows, Training())


def test_a_pool_has_no_room_for_any_number_of_policies():
    with pytest.raises(AgentError, match="ally: 40 policies given; a pool has at most"):
        make_agent(f"ally({', '.join(['piers'] * 40)})")
