"""Files of weights: they travel, say how they were made, and play as they say; broken ones are refused in words."""

import contextlib
import itertools
import json
import os
from importlib.resources import files

import msgspec
import numpy as np
import pytest
from conftest import compiled_only
from hypothesis import given
from hypothesis import strategies as st

from tamaya import AgentError, Settings, make_agent
from tamaya.arena.checks.checked_agent import TRIED
from tamaya.arena.checks.hidden_cards_check import find_peeking_here
from tamaya.arena.seating import Seating, game_seeds
from tamaya.networks.dense_layers import first_sums, new_room, run_changed, run_network
from tamaya.networks.evalfn import network_of
from tamaya.networks.inputs.goodman_features import FEATURES
from tamaya.networks.json_weights import (
    FORMAT,
    INPUTS,
    LARGEST_FILE,
    TASKS,
    Layer,
    Network,
    WeightsError,
    parse_network,
    read_network,
    trained_generations,
    trained_network,
)

LEARNED = ["evalfn", "evalfn(4, convention=no)", "evalfn(1, convention=no)", "rule-classifier"]


def drawn_network(task="evalfn", hidden=(5,), seed=1, what=None):
    """A network of random weights."""
    inputs, outputs = INPUTS[TASKS[task][0][0] if what is None else what], TASKS[task][1]
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


@pytest.mark.parametrize("hidden", [(30,), (5, 40, 16)])
@pytest.mark.parametrize("task", TASKS)
def test_a_packed_network_computes_what_its_file_says(task, hidden):
    network, packed = drawn_network(task, hidden), drawn_network(task, hidden).pack()
    inputs = np.random.default_rng(2).normal(size=len(network.inputs))
    outputs = run_network(packed, inputs, new_room(packed))
    assert outputs[: network.sizes[-1]] == pytest.approx(naive_outputs(network, inputs))


def test_outputs_for_inputs_of_which_few_changed_are_those_for_the_new_inputs():
    network, rng = drawn_network(hidden=(5, 40), what="sight"), np.random.default_rng(2)
    packed, before = network.pack(), rng.normal(size=len(network.inputs))
    now = before.copy()
    now[[0, 7, 40]] += 1.5
    outputs = run_changed(packed, first_sums(packed, before), before, now, new_room(packed))
    assert outputs == pytest.approx(naive_outputs(network, now))
    assert outputs != pytest.approx(naive_outputs(network, before))


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
        (b"", "not a file of weights, or not a whole one"),
        (msgspec.json.encode(drawn_network())[:-100], "not a file of weights, or not a whole one"),
        (b"\x80\x04pickle", "not a file of weights"),
        (b"{}", "there is no format"),
        (changed(format="tamaya network 9"), "its format is 'tamaya network 9'"),
        (changed(task="chess"), "it is for 'chess', not for one of evalfn, rule-classifier, likelihood"),
        (msgspec.json.encode(drawn_network("rule-classifier")), "it is for rule-classifier, not for evalfn"),
        (changed(inputs=list(reversed(FEATURES))), "its inputs are not the 38 or 69 features of evalfn"),
        (changed(means=[0.0]), "must have a mean and a deviation for every input"),
        (changed(layers=[]), "it must have a hidden layer"),
        (changed(layers=[Layer([0.0], [[1.0]])]), "it must have a hidden layer"),
        (changed(layers=[Layer([0.0], [[1.0]]), Layer([0.0] * 2, [[1.0]] * 2)]), "it must have 1 output"),
        (changed(layers=[Layer([0.0], [[1.0]])] * 2), "the weights of layer 1 are not 1 rows of 38"),
        (changed(deviations=[0.0] * 38), "some of its numbers are not usable"),
        (changed(means=[1e308] * 38, deviations=[1e-5] * 38), "some of its numbers are not usable"),
        (changed(means=[1e15] * 38), "some of its numbers are not usable"),
        (changed(made={"a": 1}).replace(b":1}", b":" + b'{"a":' * 9999 + b"1}" + b"}" * 9999), "recursion"),
        (changed().replace(b'"means":[', b'"means":[1e400,'), "means 1: Number out of range"),
        (changed(layers=[Layer([], []), Layer([0.0], [[]])]), "from 1 to 4,096 neurons, not 0"),
        (changed(layers=[Layer([0.0] * 5000, []), Layer([0.0], [[]])]), "from 1 to 4,096 neurons, not 5,000"),
        (changed(layers=[Layer([0.0], [[]])] * 20), "at most 16 hidden layers, not 19"),
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
    with pytest.raises(WeightsError, match=r"there is no evalfn\(9\); choose 1, 2, 3, 4 or a file of weights"):
        make_agent("evalfn(9)")
    with pytest.raises(WeightsError, match=r"generations are whole numbers, not 1.5"):
        make_agent("evalfn(1.5)")
    with pytest.raises(WeightsError, match=r"nothing.json cannot be read: No such file"):
        make_agent(f"evalfn({tmp_path}/nothing.json)")
    with pytest.raises(AgentError, match=r"piers does not appraise moves"):
        make_agent("ris-nr(leaf=piers)")
    with pytest.raises(AgentError, match=r"one generation, file of weights or leaf expected"):
        make_agent("ris-nr(1, 2)")


def test_a_file_that_may_never_end_is_not_read(tmp_path):
    (tmp_path / "zero.json").symlink_to("/dev/zero")
    os.mkfifo(tmp_path / "pipe.json")
    for name in ("zero", "pipe"):
        with pytest.raises(WeightsError, match=rf"{name}.json cannot be used: it is not a plain file"):
            make_agent(f"evalfn({tmp_path}/{name}.json)")
    with (tmp_path / "large.json").open("wb") as file:
        file.truncate(LARGEST_FILE + 1)
    with pytest.raises(WeightsError, match=r"large.json cannot be used: it is too large"):
        make_agent(f"ris-nr({tmp_path}/large.json)")


@pytest.mark.parametrize("text", ["evalfn(mine)", "evalfn(mine.txt)", "evalfn(generation=mine.json)"])
def test_a_file_of_weights_stands_first_and_ends_with_json(text):
    with pytest.raises(
        AgentError, match=r"expected a generation or a file of weights first, as in evalfn\(mine.json\)"
    ):
        make_agent(text)


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


@pytest.mark.parametrize("name", ["evalfn_1", "evalfn_2", "evalfn_3", "evalfn_4", "rule-classifier_1", "likelihood_1"])
def test_the_weights_of_the_package_say_which_command_made_them_and_no_place(name):
    made = json.loads((files("tamaya.networks") / "trained" / f"{name}.json").read_text())["made"]
    assert made["command"].startswith(("python -m tamaya.learn --to ", "tamaya learn train "))
    assert "/" not in made["command"]
