"""Learning: rows that know nothing they must not, training that can be repeated."""

import random
import subprocess
import sys
import time

import msgspec
import numpy as np
import pytest
from conftest import compiled_only, several
from test_search import position
from typer.testing import CliRunner

from tamaya import AgentError, Settings, make_agent
from tamaya.arena.checks.hidden_cards_check import deal_anew
from tamaya.arena.seating import Seating, game_seeds
from tamaya.cli.app import app
from tamaya.learn.goodman import training_data as tables
from tamaya.learn.goodman.collection import Collection, collect, new_desk, searching_agent
from tamaya.learn.goodman.training_data import DataError, read_shard, read_table, shards, write_shard
from tamaya.learn.goodman.tree_data import take_turn
from tamaya.networks.dense_layers import new_room, run_network
from tamaya.networks.inputs.goodman_features import FIRST_OF_MOVE
from tamaya.networks.json_weights import INPUTS, TASKS, read_network

SEARCH = f"ris(rules=goodman, convention=yes, iterations={several(200, 60)})"


def gather(game, agent, wanted):
    """The rows that a search writes in its next turn of a game."""
    desk, tables_, deck = new_desk(agent, wanted), game.tables.copy(), game.deck_array.copy()
    count = take_turn(tables_, deck, np.uint64(7), desk)
    return desk.rows[:count], desk.choices


def test_no_row_knows_what_its_seat_could_not():
    """Cards that the seat cannot see are dealt anew, and every row stays as it was."""
    agent, wanted = searching_agent(SEARCH), Collection(SEARCH, fewest=5)
    for players, moves in ((2, 9), (4, 20)):
        game = position(players, 5, moves)
        twin = deal_anew(game, game.seat, random.Random(1))
        assert (twin.tables["hands"] != game.tables["hands"]).any()
        for mine, other in zip(gather(game, agent, wanted), gather(twin, agent, wanted), strict=True):
            assert mine.tobytes() == other.tobytes()
            assert len(mine) > 0


def test_rows_come_from_every_move_of_the_root_and_from_moves_below_that_were_visited_often():
    game, agent = position(3, 5, 12), searching_agent(SEARCH)
    candidates = agent.think(game.view()).candidates
    rows, choices = gather(game, agent, Collection(SEARCH, fewest=5))
    assert (rows["depth"] == 0).sum() == len(candidates)
    assert rows["visits"][rows["depth"] > 0].min() >= 5
    assert rows["depth"].max() > 0
    assert (rows["score"][rows["depth"] == 0] == np.float32(game.score / 25)).all()
    kinds = rows["features"][:, [FIRST_OF_MOVE, FIRST_OF_MOVE + 3]].sum(axis=1)
    assert set(kinds.tolist()) <= {0.0, 1.0}
    assert choices["rules"][0] < 1 << 9
    only, _ = gather(game, agent, Collection(SEARCH, fewest=5, root_only=True))
    assert (only == rows[rows["depth"] == 0]).all()


@compiled_only
def test_a_collection_is_resumed_and_is_the_same_whatever_the_threads(tmp_path):
    wanted = Collection(SEARCH, (2, 5), games=6, seed=3)
    first = collect(msgspec.structs.replace(wanted, games=2), tmp_path / "a", threads=1)
    rest = collect(wanted, tmp_path / "a", threads=3)
    once = collect(wanted, tmp_path / "b", threads=1)
    assert once.games == 6
    assert first.games == 2
    assert rest.games == 6  # the first shard was not whole
    assert collect(wanted, tmp_path / "a").games == 0
    for kind in ("rows", "choices"):
        assert (read_table(tmp_path / "a", kind) == read_table(tmp_path / "b", kind)).all()
    for players, games in ((2, (0, 2, 4)), (5, (1, 3, 5))):
        seating = Seating([make_agent(SEARCH)] * players, Settings(players=players))
        outcomes = seating.play(game_seeds(3, 0, 6))
        choices = read_table(tmp_path / "b", "choices")
        for game in games:
            assert (choices["game"] == game).sum() == outcomes[game]["length"]
    with pytest.raises(ValueError, match="was begun with seed=3, not with seed=4"):
        collect(Collection(SEARCH, (2, 5), games=6, seed=4), tmp_path / "a")
    (tmp_path / "c").mkdir()
    (tmp_path / "c" / "thesis.tex").write_text("")
    with pytest.raises(ValueError, match="holds thesis\\.tex, but no collection\\.json"):
        collect(wanted, tmp_path / "c")


@compiled_only
def test_a_collection_that_was_killed_and_begun_again_is_whole(tmp_path):
    wanted = Collection(SEARCH, (2,), games=20, seed=3)
    options = ["--agent", SEARCH, "--players", "2", "--games", "20", "--seed", "3", "--threads", "1"]
    command = [sys.executable, "-m", "tamaya", "learn", "collect", "--to", str(tmp_path / "a"), *options]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as child:
        while child.poll() is None and not shards(tmp_path / "a", "rows"):
            time.sleep(0.01)
        child.kill()
    rest = collect(wanted, tmp_path / "a")
    collect(wanted, tmp_path / "b")
    assert 0 < rest.games < 20
    for kind in ("rows", "choices"):
        assert (read_table(tmp_path / "a", kind) == read_table(tmp_path / "b", kind)).all()
    next(iter(shards(tmp_path / "a", "choices").values())).unlink()
    assert collect(wanted, tmp_path / "a").games == 4  # those of the shard that lost a table


@pytest.mark.parametrize(
    ("text", "message"),
    [("piers", "values no moves"), ("search(iggi)", "values no moves"), ("ris(ms=5)", "takes iterations, not ms")],
)
def test_only_repeatable_trees_can_be_collected(text, message):
    with pytest.raises(AgentError, match=message):
        searching_agent(text)


@pytest.mark.parametrize("suffix", [".parquet", ".npy"])
def test_tables_read_back_and_broken_ones_say_so(tmp_path, monkeypatch, suffix):
    monkeypatch.setattr(tables, "suffix", lambda: suffix)
    rows = drawn_rows(3)
    write_shard(tmp_path, "rows", 4, rows)
    (path,) = shards(tmp_path, "rows").values()
    assert path.name == f"rows_000004{suffix}"
    assert (read_table(tmp_path, "rows") == rows).all()
    with pytest.raises(DataError, match="cannot be used as training data"):
        read_shard(path, "choices")
    path.write_bytes(path.read_bytes()[:-20])
    with pytest.raises(DataError, match=rf"rows_000004{suffix} cannot be used as training data"):
        read_table(tmp_path, "rows")
    with pytest.raises(DataError, match="holds no choices to learn from"):
        read_table(tmp_path, "choices")
    with pytest.raises(DataError, match=r"holds no moves to learn from; `tamaya learn collect --teams` makes some"):
        read_table(tmp_path, "moves")


def drawn_rows(games, kind="rows"):
    """Rows whose targets can be learned: the first feature says them."""
    rng = np.random.default_rng(5)
    rows = np.zeros(games * 20, tables.KINDS[kind][0])
    rows["features"] = rng.uniform(size=rows["features"].shape)
    rows["game"] = np.arange(len(rows)) // 20
    if kind == "rows":
        rows["value"], rows["visits"] = rows["features"][:, 0] / 2, 100
    elif kind == "moves":
        rows["policy"] = rows["features"][:, 0] * 3
    else:
        rows["rules"] = 1 << (rows["features"][:, 0] * 9).astype(int)
    return rows


@pytest.mark.torch
@pytest.mark.parametrize(("task", "kind"), tables.KIND_OF.items())
def test_the_same_seed_gives_the_same_weights_and_held_out_games_are_learned(task, kind):
    from tamaya.learn.goodman.network_training import Training, train

    how = Training(hidden=(8,), epochs=6, rate=0.01)
    network, curve = train(task, drawn_rows(80, kind), how)
    again, _ = train(task, drawn_rows(80, kind), how)
    other, _ = train(task, drawn_rows(80, kind), msgspec.structs.replace(how, seed=2))
    assert network == again != other
    assert curve.held_out[curve.best] < curve.baseline / 1.5
    assert network.sizes == [len(INPUTS[TASKS[task][0][0]]), 8, TASKS[task][1] or 3]
    assert all(share > 0.5 for share in curve.right[1:])
    with pytest.raises(ValueError, match="20 games are too few to hold some out"):
        train(task, drawn_rows(20, kind), how)


@pytest.mark.torch
def test_a_network_that_compares_moves_learns_how_those_of_a_position_differ():
    """What the positions are worth is noise here, and what the moves gain in them is not."""
    from tamaya.learn.goodman.network_training import Training, train

    rows, rng = drawn_rows(80), np.random.default_rng(1)
    rows["turn"], rows["depth"] = np.arange(len(rows)) // 4, 0
    is_good = rows["features"][:, 40] > 0.5
    worth = np.repeat(rng.uniform(0.2, 0.6, len(rows) // 4), 4)
    rows["score"], rows["value"] = 0.0, worth + 0.1 * is_good
    how = Training((8,), "sight", epochs=20, rate=0.01, l1=0.0, advantage=100.0)
    is_held_out, found = rows["game"] // 4 % 10 == 9, []
    for inputs in ("sight", "goodman"):
        packed = train("evalfn", rows, msgspec.structs.replace(how, inputs=inputs))[0].pack()
        values = np.array([run_network(packed, one.astype(float), new_room(packed))[0] for one in rows["features"]])
        values = np.tanh(values)
        found.append(values[is_held_out & is_good].mean() - values[is_held_out & ~is_good].mean())
    assert found[0] > 0.05
    assert abs(found[1]) < 0.02
    with pytest.raises(ValueError, match="the inputs of evalfn must be goodman or sight, not 'nothing'"):
        train("evalfn", rows, msgspec.structs.replace(how, inputs="nothing"))


def test_rows_of_moves_compared_in_the_same_deals_are_what_the_search_thought():
    game, agent = position(3, 5, 12), searching_agent("flat(evalfn(3), rules=goodman, convention=yes, deals=3)")
    rows, _ = gather(game, agent, Collection(agent.name))
    assert (rows["visits"] == 3).all()
    assert (rows["depth"] == 0).all()
    assert (rows["turn"] == 12).all()
    assert len(rows) > 1
    assert len(np.unique(rows["value"])) > 1


@pytest.mark.torch
@pytest.mark.parametrize("optimiser", ["adam", "nesterov"])
def test_a_network_in_play_values_rows_as_it_did_in_training(optimiser):
    from tamaya.learn.goodman.network_training import Training, train

    rows = drawn_rows(80)
    network, curve = train("evalfn", rows, Training(hidden=(8, 8), epochs=2, rate=0.01, optimiser=optimiser))
    packed = network.pack()
    held_out = rows[rows["game"] // 4 % 10 == 9]
    room = new_room(packed)
    values = [np.tanh(run_network(packed, one.astype(float), room)[0]) for one in held_out["features"]]
    loss = np.mean((np.array(values) - (held_out["value"] - held_out["score"])) ** 2)
    assert loss == pytest.approx(curve.held_out[curve.best], rel=1e-3)


def test_without_pytorch_training_says_what_to_install(monkeypatch):
    from tamaya.learn.goodman.network_training import Training, train

    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(ValueError, match=r"training needs PyTorch: pip install 'tamaya\[learn\]'"):
        train("evalfn", drawn_rows(80), Training())


@pytest.mark.torch
@compiled_only
def test_generations_are_made_step_by_step_and_gone_on_with(tmp_path):
    from tamaya.learn.goodman.generations import GoodmanPlan, run_plan
    from tamaya.learn.goodman.network_training import Training

    told = []
    plan = GoodmanPlan(
        (20, 20, 10, 1),
        (40, 40, 40, 40),
        players=(2,),
        training=Training((4,), epochs=1, batch=64, fewest=5),
        comparing=Training((4,), "sight", epochs=1, batch=64, advantage=10.0, fewest=1),
        matches=4,
        tries=2,
    )
    run_plan(plan, tmp_path, threads=1, tell=told.append)
    assert len(read_network(tmp_path / "evalfn_2.json").made["scores"]) == 4
    assert read_network(tmp_path / "evalfn_4.json").sizes == [69, 4, 1]
    assert (tmp_path / "rule-classifier_1.json").exists()
    kept = (tmp_path / "evalfn_1.json").read_bytes()
    (tmp_path / "evalfn_2.json").unlink()
    told.clear()
    run_plan(plan, tmp_path, threads=1, tell=told.append)
    assert (tmp_path / "evalfn_1.json").read_bytes() == kept
    assert any(text.startswith("games_2: 0 games") for text in told)
    with pytest.raises(ValueError, match="was begun with seed=1, not with seed=2"):
        run_plan(msgspec.structs.replace(plan, seed=2), tmp_path)


@pytest.mark.parametrize(
    ("program", "words"),
    [
        ("/usr/bin/tamaya", "tamaya learn goodman"),
        ("/somewhere/tamaya/__main__.py", "tamaya learn goodman"),
        ("/home/me/mine.py", "python mine.py learn goodman"),
    ],
)
def test_a_network_says_which_program_made_it_and_no_place(program, words, monkeypatch):
    from tamaya.learn.goodman.generations import command_given

    monkeypatch.setattr("sys.argv", [program, "learn", "goodman"])
    assert command_given() == words


@pytest.mark.torch
@compiled_only
def test_the_commands_collect_and_train(tmp_path):
    runner, directory = CliRunner(), str(tmp_path / "rows")
    command = ["learn", "collect", "--to", directory, "--agent", "ris(rules=goodman, iterations=60)", "--players", "2"]
    result = runner.invoke(app, [*command, "--games", "40", "--fewest", "10"])
    assert result.exit_code == 0, result.output
    assert "40 games" in result.output
    assert "rows per second" in result.output
    options = ["--to", str(tmp_path / "mine.json"), "--epochs", "1", "--batch", "64", "--fewest", "10"]
    result = runner.invoke(app, ["learn", "train", directory, *options])
    assert result.exit_code == 0, result.output
    assert read_network(tmp_path / "mine.json").sizes == [38, 30, 1]
    assert (tmp_path / "mine.svg").read_text().startswith("<svg")
