"""The learner of the examples: its advantages, training that can be stopped, weights that play the same."""

import dataclasses
import importlib
import pathlib
import runpy
import sys

import numpy as np
import pytest

from tamaya import make_agent
from tamaya.arena.seating import Seating, game_seeds

pytestmark = pytest.mark.torch
EXAMPLES = pathlib.Path(__file__).parent.parent / "examples"
TINY = {"moves": 2048, "games": 64, "steps": 8, "batch": 100, "hidden": 16, "evaluations": 4}


@pytest.fixture
def ppo(monkeypatch):
    """The example as a module."""
    monkeypatch.syspath_prepend(str(EXAMPLES))
    return importlib.import_module("ppo")


@pytest.fixture
def options(ppo, tmp_path):
    """A training of two seconds."""
    return ppo.Options(to=str(tmp_path / "ppo"), **TINY)


def naive_advantage(rewards, ends, values, start, decay):
    """The advantage of a move of one game, written plainly: move by move until the game or the record ends."""
    total, weight = 0.0, 1.0
    for step in range(start, len(rewards)):
        total += weight * (rewards[step] + (0.0 if ends[step] else values[step + 1]) - values[step])
        weight *= decay
        if ends[step]:
            break
    return total


def test_advantages_follow_the_moves_of_all_players_to_the_end_of_a_game(ppo):
    import torch

    rng = np.random.default_rng(1)
    rewards, values = rng.normal(size=(12, 5)), rng.normal(size=(13, 5))
    ends = rng.random((12, 5)) < 0.2
    found = ppo.advantages_of(*map(torch.from_numpy, (rewards, ends.astype(float), values)), 0.9)
    for step in range(12):
        for game in range(5):
            wanted = naive_advantage(rewards[:, game], ends[:, game], values[:, game], step, 0.9)
            assert float(found[step, game]) == pytest.approx(wanted)


def test_actions_are_sampled_as_likely_as_they_are(ppo, options):
    import torch

    chances, count = torch.tensor([0.5, 0.3, 0.2, 0.0]), 20_000
    sampled = ppo.Learner(options).sample(chances.log().clamp(min=-1e9).expand(count, -1))
    shares = torch.bincount(sampled, minlength=4) / count
    assert (abs(shares - chances) <= 4 * (chances * (1 - chances) / count).sqrt()).all()


def test_a_lost_last_life_costs_more_as_training_goes_on(ppo, options):
    """The returns of a fresh network that is sure to be struck out soon."""
    returns = []
    for progress in (0, 1):
        learner = ppo.Learner(dataclasses.replace(options, steps=40))
        learner.iteration = progress * learner.iterations
        returns.append(learner.collect()[-1].sum())
    assert returns[1] < returns[0]


def test_moves_that_were_good_become_likelier_and_values_truer(ppo, options):
    import torch

    learner = ppo.Learner(dataclasses.replace(options, steps=40, epochs=8))
    observations, masks, actions, before, _, _ = moves = learner.collect()
    is_play = actions // learner.settings.hand_size == 1
    moves[4:] = [torch.where(is_play, 1.0, -1.0), torch.full_like(before, 5.0)]
    learner.improve(moves)
    with torch.no_grad():
        logs, values = learner.network(observations, masks)
    gain = ppo.chosen(logs, actions) - before
    assert gain[is_play].mean() > 0.02
    assert gain[~is_play].mean() < -0.02
    assert abs(values - 5.0).mean() < 4.0


def test_what_is_learned_stays_on_the_device(ppo, options, monkeypatch):
    """On the device ``meta``, tensors have no content, but they may not meet those of the processor."""
    import torch

    learner = ppo.Learner(options)
    learner.options, learner.chance = dataclasses.replace(options, device="meta"), None
    learner.network.to("meta")

    def first_legal(_):
        return torch.from_numpy(learner.envs.observations["action_mask"].argmax(1))

    monkeypatch.setattr(torch.Tensor, "pin_memory", torch.Tensor.clone)
    monkeypatch.setattr(torch.Tensor, "cpu", first_legal)
    moves = learner.collect()
    learner.improve(moves)
    assert {one.device.type for one in moves} == {"meta"}


def test_training_that_was_stopped_goes_on_to_the_same_end(ppo, options, tmp_path, monkeypatch, capsys):
    whole, parts = tmp_path / "whole", tmp_path / "parts"
    ppo.main(dataclasses.replace(options, to=str(whole)))
    stopped, save = dataclasses.replace(options, to=str(parts)), ppo.Learner.save
    interrupt_after(ppo.Learner, "collect", monkeypatch)
    with pytest.raises(SystemExit, match="stopped; the same command begins anew, as there is no checkpoint yet"):
        ppo.main(stopped)
    monkeypatch.undo()
    interrupt_after(ppo.Learner, "save", monkeypatch)
    for _ in range(3):
        with pytest.raises(SystemExit, match=r"stopped; the same command goes on from .*checkpoint\.pt"):
            ppo.main(stopped)
    monkeypatch.setattr(ppo.Learner, "save", save)
    ppo.main(stopped)
    one, two = (np.load(folder / "network.npz") for folder in (whole, parts))
    assert all((one[name] == two[name]).all() for name in one.files if name != "header")
    assert (whole / "curve.csv").read_text() == (parts / "curve.csv").read_text()
    assert (whole / "curve.csv").read_text().splitlines()[-1].startswith("2048,")
    assert capsys.readouterr().out.count("2,048 moves: ") == 2
    ppo.main(stopped)
    assert capsys.readouterr().out.startswith(f"{parts / 'network.npz'}: ")


def interrupt_after(kind, name, monkeypatch):
    """Makes a method end as with Ctrl-C."""
    method = getattr(kind, name)

    def interrupted(self, *arguments):
        method(self, *arguments)
        raise KeyboardInterrupt

    monkeypatch.setattr(kind, name, interrupted)


def test_checkpoints_of_other_trainings_and_broken_ones_are_refused(ppo, options):
    ppo.main(dataclasses.replace(options, moves=512))
    with pytest.raises(SystemExit, match="was trained with --seed 1 --moves 512; give the same, or another directory"):
        ppo.main(dataclasses.replace(options, seed=2))
    checkpoint = pathlib.Path(options.to, "checkpoint.pt")
    checkpoint.write_bytes(checkpoint.read_bytes()[:1000])
    with pytest.raises(SystemExit, match="is not a checkpoint; remove it, or give another directory"):
        ppo.main(options)
    with pytest.raises(SystemExit, match="cannot be used"):
        ppo.main(dataclasses.replace(options, to=str(checkpoint)))


@pytest.mark.parametrize("game", ["small", "full"])
def test_an_exported_network_plays_the_games_of_pytorch(ppo, options, game):
    options = dataclasses.replace(options, game=game)
    learner = ppo.Learner(options)
    ppo.main(options)
    learner.restore(pathlib.Path(options.to, "checkpoint.pt"))
    agent = make_agent(f"network({options.to}/network.npz)")
    outcomes = Seating([agent] * 2, learner.settings).play(game_seeds(ppo.EVALUATION_DECKS, 0, 100))
    strict = np.where(outcomes["lives"] == 0, 0, outcomes["score"])
    assert np.mean(strict == learner.evaluate(100)) > 0.95


def test_an_exported_network_values_positions_as_pytorch_does(ppo, options):
    import torch

    learner = ppo.Learner(options)
    ppo.main(options)
    learner.restore(pathlib.Path(options.to, "checkpoint.pt"))
    learner.envs.reset(seed=1)
    agent, worlds = make_agent(f"network({options.to}/network.npz)"), learner.envs.games.state.tables
    points, memory = np.empty(len(worlds)), np.zeros(len(worlds) * agent.words, np.int64)
    agent.policy.compiled("valuer")(worlds, memory, points, agent.params)
    with torch.no_grad():
        _, values = learner.network(*learner.look(learner.envs))
    assert points == pytest.approx(values.numpy(), abs=1e-3)
    assert points.std() > 0.001


def test_the_policy_does_not_see_the_own_hand_and_the_value_does(ppo, options):
    import torch

    learner = ppo.Learner(options)
    observations, masks = learner.look(learner.envs)
    other = observations.clone()
    own = other[:, learner.network.seen :]
    own.copy_(own.roll(1, 0))
    with torch.no_grad():
        (logs, values), (same, others) = learner.network(observations, masks), learner.network(other, masks)
    assert (logs == same).all()
    assert (values != others).any()


def test_the_game_chooses_what_is_not_given(ppo):
    assert ppo.parse([]) == ppo.Options()
    full = ppo.parse(["--game", "full", "--batch", "4096"])
    assert full == dataclasses.replace(ppo.DEFAULTS["full"], batch=4096)
    assert full.games == 8192


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ("--games 0", "argument --games: 0 is not from 1 to 1e+12"),
        ("--rate nan", "argument --rate: nan is not from 1e-09 to 1"),
        ("--hidden 100", "argument --hidden: 100 is not a multiple of 16"),
        ("--steps many", "argument --steps: invalid int value: 'many'"),
        ("--game smal", "invalid choice: 'smal'"),
        ("--speed 3", "unrecognized arguments: --speed 3"),
        ("--device cuda", "argument --device: PyTorch finds no graphics card here; leave it out to use the processor"),
    ],
)
def test_wrong_options_are_refused(ppo, words, reason, monkeypatch, capsys):
    monkeypatch.setattr("torch.cuda.is_available", lambda: False)
    with pytest.raises(SystemExit, match="2"):
        ppo.parse(words.split())
    assert reason in capsys.readouterr().err


def test_without_pytorch_it_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(SystemExit, match=r"ppo\.py needs PyTorch: pip install 'tamaya\[learn\]'"):
        runpy.run_path(str(EXAMPLES / "ppo.py"))
