"""Learning: weights that travel, rows that know nothing they must not, training that can be repeated."""

import contextlib
import itertools
import json
import random
import sys
from importlib.resources import files

import msgspec
import numpy as np
import pytest
from conftest import compiled_only, several
from hypothesis import given
from hypothesis import strategies as st
from test_search import position
from typer.testing import CliRunner

from tamaya import AgentError, Settings, make_agent
from tamaya.arena.check import TRIED
from tamaya.arena.peeking import deal_anew, find_peeking_here
from tamaya.arena.seating import Seating, game_seeds
from tamaya.cli.app import app
from tamaya.evaluation.features import FEATURES, FIRST_OF_MOVE
from tamaya.evaluation.greedy import network_of
from tamaya.evaluation.networks import new_room, run_network
from tamaya.evaluation.weights import (
    FORMAT,
    TASKS,
    Layer,
    Network,
    WeightsError,
    parse_network,
    read_network,
    trained_generations,
    trained_network,
)
from tamaya.learn import tables
from tamaya.learn.collecting import Collection, collect, new_desk, searching_agent
from tamaya.learn.gathering import take_turn
from tamaya.learn.tables import DataError, read_shard, read_table, shards, write_shard

SEARCH = f"ris(rules=goodman, convention=yes, iterations={several(200, 60)})"
LEARNED = ["evalfn", "evalfn(1, convention=no)", "rule-classifier"]


def drawn_network(task="evalfn", hidden=(5,), seed=1):
    """A network of random weights."""
    inputs, outputs = TASKS[task]
    pool = [] if outputs else ["iggi", "vdb", "flawed"]
    sizes, rng = [len(inputs), *hidden, outputs or len(pool)], np.random.default_rng(seed)
    layers = [
        Layer(rng.normal(size=above).tolist(), rng.normal(size=(above, below)).tolist())
        for below, above in itertools.pairwise(sizes)
    ]
    means, deviations = rng.normal(size=len(inputs)), rng.uniform(0.5, 2, size=len(inputs))
    return Network(FORMAT, task, list(inputs), means.tolist(), deviations.tolist(), layers, pool)


def naive_outputs(network, inputs):
    """The outputs of a network, written plainly."""
    values = (inputs - np.array(network.means)) / np.array(network.deviations)
    for number, layer in enumerate(network.layers, 1):
        values = np.array(layer.weights) @ values + np.array(layer.biases)
        values = np.maximum(values, 0) if number < len(network.layers) else values
    return values


@pytest.mark.parametrize("hidden", [(30,), (5, 40, 16), ()])
@pytest.mark.parametrize("task", TASKS)
def test_a_packed_network_computes_what_its_file_says(task, hidden):
    network, packed = drawn_network(task, hidden), drawn_network(task, hidden).pack()
    inputs = np.random.default_rng(2).normal(size=len(network.inputs))
    outputs = run_network(packed, inputs, new_room(packed))
    assert outputs[: network.sizes[-1]] == pytest.approx(naive_outputs(network, inputs))


def test_a_file_of_weights_makes_an_agent(tmp_path):
    path, network = tmp_path / "mine.json", drawn_network()
    path.write_bytes(msgspec.json.encode(network))
    agent = make_agent(f"evalfn({path}, convention=no)")
    assert (network_of(agent.params)[: len(network.pack())] == network.pack()).all()
    assert make_agent(str(agent)) == agent
    assert agent.code != make_agent("evalfn").code
    search = make_agent(f"ris-nr({path}, iterations=5)")
    Seating([search, agent], Settings(players=2)).play(game_seeds(1, 0, 1))


def changed(**fields):
    return msgspec.json.encode(msgspec.structs.replace(drawn_network(), **fields))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "no file of weights, or not all of one"),
        (msgspec.json.encode(drawn_network())[:-100], "no file of weights, or not all of one"),
        (b"\x80\x04pickle", "no file of weights"),
        (b"{}", "missing required field"),
        (changed(format="tamaya network 9"), "its format is 'tamaya network 9'"),
        (changed(task="chess"), "it is for 'chess', not for one of evalfn, rule-classifier, likelihood"),
        (msgspec.json.encode(drawn_network("rule-classifier")), "it is for rule-classifier, not for evalfn"),
        (changed(inputs=list(reversed(FEATURES))), "its inputs are not the 38 features of evalfn"),
        (changed(means=[0.0]), "not a mean and a deviation for every input"),
        (changed(layers=[]), "it has not 1 output"),
        (changed(layers=[Layer([0.0], [[1.0]])]), "the weights of layer 1 are not 1 rows of 38"),
        (changed(deviations=[0.0] * 38), "some of its numbers are not usable"),
        (changed(means=[1e308] * 38, deviations=[1e-5] * 38), "some of its numbers are not usable"),
    ],
)
@pytest.mark.filterwarnings("ignore:(overflow|invalid|divide):RuntimeWarning")
def test_a_file_that_cannot_be_used_says_why(tmp_path, content, message):
    path = tmp_path / "broken.json"
    path.write_bytes(content)
    with pytest.raises(WeightsError, match=rf"broken.json cannot be used: .*{message}"):
        read_network(path)


@given(start=st.integers(0, 3000), length=st.integers(0, 40), put=st.binary(max_size=20))
@pytest.mark.filterwarnings("ignore:(overflow|invalid|divide):RuntimeWarning")
def test_a_file_with_other_bytes_is_a_network_or_refused(start, length, put):
    content = msgspec.json.encode(drawn_network())
    with contextlib.suppress(WeightsError):
        assert np.isfinite(parse_network(content[:start] + put + content[start + length :], "evalfn").pack()).all()


def test_weights_that_are_not_there_are_named(tmp_path):
    with pytest.raises(WeightsError, match=r"there is no evalfn\(9\); there are 1, 2, 3"):
        make_agent("evalfn(9)")
    with pytest.raises(WeightsError, match=r"generations are whole numbers, not 1.5"):
        make_agent("evalfn(1.5)")
    with pytest.raises(WeightsError, match=r"nothing.json cannot be read: No such file"):
        make_agent(f"evalfn({tmp_path}/nothing.json)")
    with pytest.raises(AgentError, match=r"piers does not appraise moves"):
        make_agent("ris-nr(leaf=piers)")
    with pytest.raises(AgentError, match=r"one generation, file of weights or leaf expected"):
        make_agent("ris-nr(1, 2)")


def test_weights_of_the_package_say_how_they_were_made():
    for task in TASKS:
        for generation in trained_generations(task):
            network = trained_network(task, generation)
            assert {"command", "collection", "training", "held_out_loss"} <= set(network.made), (task, generation)


@compiled_only
@pytest.mark.parametrize("name", LEARNED)
def test_no_learned_agent_sees_what_it_must_not(name):
    for settings in TRIED:
        for seed in range(3):
            assert find_peeking_here(make_agent(name), settings, seed) is None


@compiled_only
@pytest.mark.parametrize("generation", trained_generations("evalfn"))
def test_evaluation_functions_score_what_their_files_say(generation):
    """Within 4 standard errors of the difference, on seeds of other games."""
    made, agent = trained_network("evalfn", generation).made, make_agent(f"evalfn({generation})")
    for players, mean, error in zip((2, 3, 4, 5), made["scores"], made["standard_errors"], strict=True):
        scores = Seating([agent] * players, Settings(players=players)).play(game_seeds(3, 0, 600))["score"]
        assert abs(scores.mean() - mean) < 4 * np.hypot(error, scores.std(ddof=1) / 600**0.5)


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
    with pytest.raises(ValueError, match="holds another collection"):
        collect(Collection(SEARCH, (2, 5), games=6, seed=4), tmp_path / "a")
    (tmp_path / "c").mkdir()
    (tmp_path / "c" / "thesis.tex").write_text("")
    with pytest.raises(ValueError, match="not empty and holds no collection"):
        collect(wanted, tmp_path / "c")


@pytest.mark.parametrize(
    ("text", "message"),
    [("piers", "grows no trees"), ("flat(iggi)", "grows no trees"), ("ris(ms=5)", "takes iterations, not ms")],
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


@pytest.mark.parametrize(("task", "kind"), tables.KIND_OF.items())
def test_the_same_seed_gives_the_same_weights_and_held_out_games_are_learned(task, kind):
    pytest.importorskip("torch")
    from tamaya.learn.training import Training, train

    how = Training(hidden=(8,), epochs=6, rate=0.01)
    network, curve = train(task, drawn_rows(80, kind), how)
    again, _ = train(task, drawn_rows(80, kind), how)
    other, _ = train(task, drawn_rows(80, kind), msgspec.structs.replace(how, seed=2))
    assert network == again != other
    assert curve.held_out[curve.best] < curve.baseline / 1.5
    assert network.sizes == [len(TASKS[task][0]), 8, TASKS[task][1] or 3]
    assert all(share > 0.5 for share in curve.right[1:])
    with pytest.raises(ValueError, match="20 games are too few to hold some out"):
        train(task, drawn_rows(20, kind), how)


@pytest.mark.parametrize("optimiser", ["adam", "nesterov"])
def test_a_network_in_play_values_rows_as_it_did_in_training(optimiser):
    pytest.importorskip("torch")
    from tamaya.learn.training import Training, train

    rows = drawn_rows(80)
    network, curve = train("evalfn", rows, Training(hidden=(8, 8), epochs=2, rate=0.01, optimiser=optimiser))
    packed = network.pack()
    held_out = rows[rows["game"] // 4 % 10 == 9]
    room = new_room(packed)
    values = [np.tanh(run_network(packed, one.astype(float), room)[0]) for one in held_out["features"]]
    loss = np.mean((np.array(values) - (held_out["value"] - held_out["score"])) ** 2)
    assert loss == pytest.approx(curve.held_out[curve.best], rel=1e-3)


def test_without_pytorch_training_says_what_to_install(monkeypatch):
    from tamaya.learn.training import Training, train

    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(ValueError, match=r"training needs PyTorch: pip install 'tamaya\[learn\]'"):
        train("evalfn", drawn_rows(80), Training())


@compiled_only
def test_generations_are_made_step_by_step_and_gone_on_with(tmp_path):
    pytest.importorskip("torch")
    from tamaya.learn.generations import Plan, run_plan
    from tamaya.learn.training import Training

    told = []
    plan = Plan(
        (40, 20), (40, 40), players=(2,), training=Training((4,), epochs=1, batch=64, fewest=5), matches=4, tries=2
    )
    run_plan(plan, tmp_path, threads=1, tell=told.append)
    assert len(read_network(tmp_path / "evalfn_2.json").made["scores"]) == 4
    assert (tmp_path / "rule-classifier_1.json").exists()
    kept = (tmp_path / "evalfn_1.json").read_bytes()
    (tmp_path / "evalfn_2.json").unlink()
    told.clear()
    run_plan(plan, tmp_path, threads=1, tell=told.append)
    assert (tmp_path / "evalfn_1.json").read_bytes() == kept
    assert any(text.startswith("games_2: 0 games") for text in told)
    with pytest.raises(ValueError, match="was begun by another plan"):
        run_plan(msgspec.structs.replace(plan, seed=2), tmp_path)


@compiled_only
def test_the_commands_collect_and_train(tmp_path):
    pytest.importorskip("torch")
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


@pytest.mark.parametrize("name", ["evalfn_1", "evalfn_2", "evalfn_3", "rule-classifier_1", "likelihood_1"])
def test_the_weights_of_the_package_say_which_command_made_them_and_no_place(name):
    made = json.loads((files("tamaya.evaluation") / "trained" / f"{name}.json").read_text())["made"]
    assert made["command"].startswith(("python -m tamaya.learn --to ", "tamaya learn train "))
    assert "/" not in made["command"]
