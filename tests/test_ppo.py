"""The learner of the examples: advantages by own turns, training that can be stopped, weights that play the same."""

import importlib
import pathlib

import numpy as np
import pytest

from tamaya import make_agent
from tamaya.arena.agreement import decisions
from tamaya.arena.seating import Seating, game_seeds, replay

pytestmark = pytest.mark.torch
EXAMPLES = pathlib.Path(__file__).parent.parent / "examples"


@pytest.fixture
def ppo(monkeypatch):
    """The example as a module."""
    monkeypatch.syspath_prepend(str(EXAMPLES))
    return importlib.import_module("ppo")


def options(ppo, folder, **more):
    """A training of two seconds."""
    small = {"moves": 2048, "games": 64, "steps": 8, "batch": 128, "hidden": 16, "evaluations": 4}
    return ppo.Options(to=str(folder), **small | more)


def naive_advantage(rewards, ends, values, start, players, decay):
    """The advantage of a move of one game, written plainly: own turn by own turn until the game or the record ends."""
    total, weight, step = 0.0, 1.0, start
    while True:
        following = min(step + players, len(rewards))
        over = next((turn for turn in range(step, following) if ends[turn]), None)
        reward = sum(rewards[step : following if over is None else over + 1])
        total += weight * (reward + (values[following] if over is None else 0.0) - values[step])
        if over is not None or following == len(rewards):
            return total
        weight, step = weight * decay, following


@pytest.mark.parametrize("players", [2, 3])
def test_advantages_are_those_of_a_players_own_turns(ppo, players):
    import torch

    rng = np.random.default_rng(players)
    rewards, values = rng.normal(size=(12, 5)), rng.normal(size=(13, 5))
    ends = rng.random((12, 5)) < 0.2
    found = ppo.advantages_of(*map(torch.from_numpy, (rewards, ends.astype(float), values)), players, 0.9)
    for step in range(12):
        for game in range(5):
            wanted = naive_advantage(rewards[:, game], ends[:, game], values[:, game], step, players, 0.9)
            assert float(found[step, game]) == pytest.approx(wanted)


def test_a_lost_last_life_costs_more_as_training_goes_on(ppo, tmp_path):
    """The returns of a fresh network that is sure to be struck out soon."""
    returns = []
    for progress in (0, 1):
        learner = ppo.Learner(options(ppo, tmp_path, steps=40))
        learner.iteration = progress * learner.iterations
        returns.append(learner.collect()[-1].sum())
    assert returns[1] < returns[0]


def test_training_that_was_stopped_goes_on_to_the_same_end(ppo, tmp_path, monkeypatch, capsys):
    whole, parts = tmp_path / "whole", tmp_path / "parts"
    ppo.main(options(ppo, whole))
    save = ppo.Learner.save

    def stop(self, path):
        save(self, path)
        raise KeyboardInterrupt

    monkeypatch.setattr(ppo.Learner, "save", stop)
    for count in (1, 2, 3):
        with pytest.raises(KeyboardInterrupt):
            ppo.main(options(ppo, parts))
        assert not (parts / "network.npz").exists(), count
    monkeypatch.setattr(ppo.Learner, "save", save)
    ppo.main(options(ppo, parts))
    one, two = (np.load(folder / "network.npz") for folder in (whole, parts))
    assert all((one[name] == two[name]).all() for name in one.files if name != "header")
    assert (whole / "curve.csv").read_text() == (parts / "curve.csv").read_text()
    assert "2,048 moves" in capsys.readouterr().out
    with pytest.raises(SystemExit, match="was trained with --seed 1; give the same, or another directory"):
        ppo.main(options(ppo, parts, seed=2))


def test_an_exported_network_makes_the_moves_of_pytorch(ppo, tmp_path):
    import torch

    from tamaya import hle

    learner = ppo.Learner(options(ppo, tmp_path, moves=4096, export=str(tmp_path / "mine.npz")))
    ppo.main(learner.options)
    learner.restore(tmp_path / "checkpoint.pt")
    agent, settings = make_agent(f"network({tmp_path}/mine.npz)"), learner.settings
    for outcome in Seating([agent] * 2, settings).play(game_seeds(1, 0, 20)):
        for one in decisions(replay(settings, outcome)):
            legal = {hle.move_number(one.view, move) for move in one.view.legal_moves}
            mask = torch.tensor([[number in legal for number in range(learner.envs.num_actions)]])
            with torch.no_grad():
                logits, _ = learner.network(torch.from_numpy(hle.observation(one.view))[None], mask)
            chosen = hle.move_number(one.view, one.view.decode(one.code))
            assert logits[0, chosen] >= logits.max() - 1e-5
    outcomes = Seating([agent] * 2, settings).play(game_seeds(ppo.EVALUATION_SEED, 0, 100))
    strict = np.where(outcomes["lives"] == 0, 0, outcomes["score"])
    assert np.mean(strict == learner.evaluate(100)) > 0.95
