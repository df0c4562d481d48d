"""Training in self-play: it learns, goes on where it was stopped, and what it writes plays the same."""

import contextlib
import math
import os
import signal
import subprocess
import sys
import zipfile

import msgspec
import numpy as np
import pytest
import shown
from blocks import blocks_of
from towers import SMALL, drawn_towers
from typer.testing import CliRunner

from tamaya import Settings, make_agent, run_match
from tamaya.arena.analysis.agreement import made_moves
from tamaya.arena.checks.hidden_cards_check import find_peeking_here
from tamaya.arena.seating import Seating, game_seeds, replay
from tamaya.cli.app import app
from tamaya.engine.jit import ending_like_ctrl_c
from tamaya.learn.ppo.hyperparameters import SMALLER, Course
from tamaya.networks.npz_weights import read_archive

TINY = {"hidden": (16, 16), "moves": 4096, "games": 64, "steps": 8, "batch": 128, "every": 2, "matches": 32}


def course(**how):
    """A training of a second."""
    return Course(**{**SMALLER, **TINY, "settings": SMALL, **how})


def trained(how, folder, seconds=np.inf, threads=1):
    """A trainer that has gone on for some time from where a folder stands."""
    from tamaya.learn.ppo.checkpoints import begin_training, practise

    trainer = begin_training(how, folder, "cpu", threads)
    assert all(np.isfinite(point.score) for point in practise(trainer, folder, seconds))
    return trainer


def naive_outputs(network, row):
    """The outputs of a tower, written plainly."""
    values = row / np.float32(255)
    for number, (biases, weights) in enumerate(network.layers):
        sums = weights @ values + biases
        if number == len(network.norms):
            return sums
        scales, shifts = network.norms[number]
        sums = np.maximum((sums - sums.mean()) / np.sqrt(sums.var() + 1e-5) * scales + shifts, 0)
        values = values + sums if number and sums.shape == values.shape else sums
    raise AssertionError


@pytest.mark.parametrize("settings", [SMALL, Settings(players=2), Settings(players=4)])
def test_towers_make_the_legal_move_that_they_value_most(tmp_path, settings):
    from tamaya.environments import VectorHanabi

    network = drawn_towers(settings)
    network.write(tmp_path / "mine.npz")
    agent = make_agent(f"network({tmp_path}/mine.npz)")
    envs = VectorHanabi(1, settings, observation_type="insight", restart=False)
    envs.reset(seed=3)
    (outcome,) = Seating([agent] * settings.players, settings).play(game_seeds(3, 0, 1))
    for one in made_moves(replay(settings, outcome)):
        from tamaya import hle

        values = naive_outputs(network, envs.observations["observation"][0])
        legal = [hle.move_number(one.view, move) for move in one.view.legal_moves]
        assert sorted(legal) == np.flatnonzero(envs.observations["action_mask"][0]).tolist()
        chosen = hle.move_number(one.view, one.view.decode(one.code))
        assert values[chosen] >= values[legal].max() - 1e-3
        envs.step([chosen])


def test_towers_of_many_rows_are_those_of_each(tmp_path):
    from tamaya.networks.towers import pack_tower, run_tower, run_towers

    for hidden in ((32, 32, 16), (48, 16)):
        network, rng = drawn_towers(hidden=hidden), np.random.default_rng(3)
        sizes = np.array([*network.sizes[:-1], 16])
        weights = pack_tower(network.layers, network.norms)
        for count in (1, 6, 13):
            rows = rng.integers(0, 256, (count, sizes[0]), np.uint8) * rng.integers(0, 2, (count, sizes[0]), np.uint8)
            outputs = np.empty((count, 16), np.float32)
            run_towers(outputs, weights, sizes, len(network.layers), rows)
            one_by_one = [run_tower(weights, sizes, len(network.layers), row).copy() for row in rows]
            assert outputs == pytest.approx(np.array(one_by_one), abs=1e-4)
            assert outputs[:, : network.sizes[-1]] == pytest.approx(
                np.array([naive_outputs(network, row) for row in rows]), abs=1e-3
            )


def test_towers_value_positions_with_all_hands_seen(tmp_path):
    from tamaya.environments import VectorHanabi

    network = drawn_towers()
    network.write(tmp_path / "mine.npz")
    agent = make_agent(f"network({tmp_path}/mine.npz)")
    (outcome,) = Seating([agent] * 2, SMALL).play(game_seeds(3, 0, 1))
    envs, points = VectorHanabi(1, SMALL, observation_type="insight", restart=False), np.empty(1)
    envs.reset(seed=3)
    for one in made_moves(replay(SMALL, outcome)):
        from tamaya import hle

        player = agent.sit_down()
        player.catch_up(one.view)
        agent.policy.compiled("valuer")(envs.games.state.tables, player.memory, points, agent.params)
        tower = msgspec.structs.replace(network, layers=network.value_layers, norms=network.value_norms)
        assert points[0] == pytest.approx(naive_outputs(tower, envs.games.buffers.observations[0])[0], abs=1e-3)
        envs.step([hle.move_number(one.view, one.view.decode(one.code))])


def test_towers_see_nothing_that_they_must_not(tmp_path):
    for settings in (SMALL, Settings(players=3)):
        path = tmp_path / f"{settings.players}.npz"
        drawn_towers(settings).write(path)
        for temperature in (0, 2):
            agent = make_agent(f"network({path}, temperature={temperature})")
            assert find_peeking_here(agent, settings, 1) is None


def test_towers_are_agents_like_any_other(tmp_path):
    drawn_towers().write(tmp_path / "mine.npz")
    text = f"network({tmp_path}/mine.npz)"
    options = {"colours": 2, "ranks": 3, "hand_size": 3, "hint_tokens": 3}
    alone, search = run_match([text, f"search({text}, iterations=6, hands=4, fresh=2)"], players=2, games=2, **options)
    assert (alone.games, search.games) == (2, 2)
    with pytest.raises(ValueError, match="plays games with players=2, hand_size=3, colours=2, ranks=3"):
        run_match([text], players=3, games=1)


def test_towers_that_cannot_be_used_say_why(tmp_path):
    network = drawn_towers()
    biases, weights = network.layers[1]
    wrong = {
        "towers of its game have": {"game": Settings(players=2)},
        r"weights_2 is of shape \(32, 31\)": {
            "layers": [network.layers[0], (biases, weights[:, :-1]), *network.layers[2:]]
        },
        "not an archive of weights, or not a whole one: .*scales_3": {"norms": network.norms[:2]},
        "value_weights_1 is of shape": {"value_layers": network.layers},
        "not usable": {"norms": [(network.norms[0][0] * np.nan, network.norms[0][1]), *network.norms[1:]]},
    }
    for number, (words, change) in enumerate(wrong.items()):
        path = tmp_path / f"{number}.npz"
        if "game" in change:
            with pytest.raises(ValueError, match=words):
                msgspec.structs.replace(network, **change).write(path)
            continue
        msgspec.structs.replace(network, **change).write(path)
        with pytest.raises(ValueError, match=words):
            make_agent(f"network({path})")
    with zipfile.ZipFile(tmp_path / "other.npz", "w") as archive:
        archive.writestr("header", "hello")
    with pytest.raises(ValueError, match="its header is not an array of numpy"):
        make_agent(f"network({tmp_path}/other.npz)")


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"hidden": (17,)}, "a multiple of 16 neurons"),
        ({"hidden": ()}, "a multiple of 16 neurons"),
        ({"hidden": (4096,) * 6}, r"make a file of 3\d\d MB; network\(FILE\) reads 268 MB at most"),
        ({"games": 0}, "games must be from 1"),
        ({"batch": 513}, "batch must be from 1 to 512, not 513"),
        ({"rate": 0.0}, "rate must be above 0"),
        ({"last_entropy": -0.001}, "last_entropy must be above 0"),
        ({"decay": 1.5}, "decay must be above 0 and at most 1"),
        ({"price": -1.0}, "price must be from 0 to 1"),
        ({"moves": 0}, "moves must be from 1"),
        ({"seed": 1 << 40}, "seed must be from 0 to"),
    ],
)
def test_a_course_that_makes_no_sense_is_refused(change, words):
    with pytest.raises(ValueError, match=words):
        course(**change)


@pytest.mark.torch
def test_the_python_of_the_page_trains(tmp_path, monkeypatch, capsys):
    page = shown.LEARNING.read_text()
    (program,) = (block.text for block in blocks_of(page) if block.language == "python")
    monkeypatch.chdir(tmp_path)
    exec(program.replace("10_000_000", "20_000"), {})
    assert float(capsys.readouterr().out.split()[1]) >= 0
    assert make_agent(f"network({tmp_path}/small/network.npz)")


@pytest.mark.torch
def test_training_that_was_stopped_goes_on_to_the_same_end(tmp_path):
    import torch

    from tamaya.learn.ppo.checkpoints import begin_training, read_checkpoint, workspace_of, write_checkpoint

    whole = trained(course(), tmp_path / "whole")
    part = begin_training(course(), tmp_path / "parts", "cpu")
    write_checkpoint(part, tmp_path / "parts")  # before it has learned anything
    for _ in range(course().iterations):
        part = trained(course(), tmp_path / "parts", 0.0, threads=2)  # which it was not begun with
    assert part.iteration == whole.iteration == course().iterations == 8
    assert torch.get_num_threads() == 1
    one, two = (read_checkpoint(workspace_of(tmp_path / name)) for name in ("whole", "parts"))
    assert all(torch.equal(*pair) for pair in zip(one["weights"], two["weights"], strict=True))
    for moments in zip(one["moments"], two["moments"], strict=True):
        assert moments[0]
        assert all(torch.equal(moments[0][name], moments[1][name]) for name in moments[0])
    unlike = {"seconds": 0.0, "rate": 0.0}
    curves = [[msgspec.structs.replace(point, **unlike) for point in one.curve] for one in (whole, part)]
    assert curves[0] == curves[1]


@pytest.mark.torch
def test_checkpoints_of_other_trainings_are_refused(tmp_path):
    import torch

    from tamaya.learn.ppo.checkpoints import read_checkpoint, workspace_of

    trained(course(), tmp_path)
    path = tmp_path / "checkpoint.pt"
    with pytest.raises(ValueError, match="was begun with seed=1, not with seed=2; give the same options"):
        trained(course(seed=2), tmp_path)
    with pytest.raises(ValueError, match=r"was begun with players=2, hand_size=3, .* not with players=3"):
        trained(course(settings=Settings(players=3)), tmp_path)
    whole = read_checkpoint(workspace_of(tmp_path))
    for change, words in (
        ({"made": None}, "was made by another version"),
        ({"weights": whole["weights"][1:]}, "was made by another version"),
        ({"games": whole["games"][1:]}, "was made by another version"),
        ({"curve": b'[{"moves": 1}]'}, "was made by another version"),
        ({"course": None}, "is not a checkpoint of this version"),
        ({"course": b'{"moves": 4096, "haste": 1}'}, "is not a checkpoint of this version"),
        ({"device": "cuda"}, "was begun with device=cuda, not with device=cpu"),
    ):
        torch.save({name: one for name, one in (whole | change).items() if one is not None}, path)
        with pytest.raises(ValueError, match=words):
            trained(course(), tmp_path)
    for other in ([1, 2, 3], torch.zeros(3), torch.zeros(())):
        torch.save(other, path)
        with pytest.raises(ValueError, match="is not a checkpoint of this version"):
            trained(course(), tmp_path)
    path.write_bytes(b"PK broken")
    with pytest.raises(ValueError, match="is not a checkpoint, or not a whole one; delete it to begin anew, or choose"):
        trained(course(), tmp_path)


@pytest.mark.torch
def test_ctrl_c_while_a_point_is_measured_changes_no_point(tmp_path, monkeypatch):
    from tamaya.learn.ppo import ppo_training
    from tamaya.learn.ppo.checkpoints import begin_training, practise

    whole = trained(course(), tmp_path / "whole")
    measure = ppo_training.greedy_scores
    for scores in (lambda *_: signal.raise_signal(signal.SIGINT), measure):
        monkeypatch.setattr(ppo_training, "greedy_scores", scores)
        part = begin_training(course(), tmp_path / "part", "cpu")
        with contextlib.suppress(KeyboardInterrupt):
            list(practise(part, tmp_path / "part"))
    unlike = {"seconds": 0.0, "rate": 0.0}
    curves = [[msgspec.structs.replace(point, **unlike) for point in one.curve] for one in (whole, part)]
    assert curves[0] == curves[1]


@pytest.mark.torch
def test_inputs_as_many_as_neurons_are_not_added_to_the_first_layer(tmp_path):
    import torch

    from tamaya.learn.ppo.checkpoints import begin_training, tower_network

    settings = Settings(players=2, colours=2)
    trainer = begin_training(course(settings=settings, hidden=(512, 16), games=2, batch=2), tmp_path, "cpu")
    tower_network(trainer).write(tmp_path / "mine.npz")
    network, unpack = read_archive(tmp_path / "mine.npz"), trainer.actor.unpack
    row = np.random.default_rng(1).integers(0, 2, network.sizes[0]).astype(np.float32)
    inputs = torch.zeros(1, trainer.policy.layers[0].in_features)
    assert inputs.shape[1] == 512
    inputs[0, torch.from_numpy(unpack.columns[512])] = torch.from_numpy(row)
    outputs = trainer.policy(inputs).detach().numpy()[0]
    assert outputs == pytest.approx(naive_outputs(network, 255 * row), abs=0.02)


@pytest.mark.torch
def test_ctrl_c_keeps_what_was_learned_before_it(tmp_path):
    import torch

    from tamaya.learn.ppo.checkpoints import begin_training, practise, read_checkpoint, workspace_of

    trainer = begin_training(course(), tmp_path, "cpu")
    trainer.tell = lambda moves: signal.raise_signal(signal.SIGINT)
    with pytest.raises(KeyboardInterrupt):
        list(practise(trainer, tmp_path))
    state = read_checkpoint(workspace_of(tmp_path))
    assert state["iteration"] == 1
    assert all(torch.equal(one, two) for one, two in zip(state["weights"], trainer.weights, strict=True))
    assert make_agent(f"network({tmp_path}/network.npz)")


@pytest.mark.torch
def test_training_meets_no_deck_of_a_match(tmp_path):
    from tamaya.learn.ppo.ppo_training import EVALUATION_SEED, Trainer

    seeds = Trainer(course(), "cpu").play.field.games.games.state.episodes["seed"]
    for seed in (1, 2, EVALUATION_SEED):
        assert not set(seeds.tolist()) & set(game_seeds(seed, 0, 1000).tolist())


@pytest.mark.torch
def test_files_of_others_are_not_overwritten(tmp_path):
    (tmp_path / "network.npz").write_bytes(b"mine")
    with pytest.raises(ValueError, match=r"holds network\.npz, but no checkpoint\.pt; choose an empty directory"):
        trained(course(), tmp_path)
    assert (tmp_path / "network.npz").read_bytes() == b"mine"
    with pytest.raises(ValueError, match=r"network\.npz is a file; choose a directory"):
        trained(course(), tmp_path / "network.npz")


@pytest.mark.torch
def test_two_processes_do_not_train_in_one_directory(tmp_path):
    from tamaya.learn.ppo.checkpoints import workspace_of

    trained(course(), tmp_path, 0.0)
    with workspace_of(tmp_path).locked(), pytest.raises(ValueError, match="another process is running in"):
        trained(course(), tmp_path)
    assert trained(course(), tmp_path).progress == 1


@pytest.mark.torch
def test_weights_that_grew_beyond_all_numbers_replace_no_good_ones(tmp_path):
    import torch

    from tamaya.learn.ppo.checkpoints import begin_training, practise

    trained(course(), tmp_path, 0.0)
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    trainer = begin_training(course(), tmp_path, "cpu")
    with torch.no_grad():
        trainer.weights[0].fill_(math.inf)
    with pytest.raises(ValueError, match=r"choose a rate below 0\.001, and another directory"):
        list(practise(trainer, tmp_path, 0.0))
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


@pytest.mark.torch
def test_a_training_that_was_killed_at_its_first_checkpoint_goes_on(tmp_path, monkeypatch):
    from tamaya.learn.ppo import checkpoints

    def kill(trainer):
        raise SystemExit

    with monkeypatch.context() as context:
        context.setattr(checkpoints, "tower_network", kill)
        with pytest.raises(SystemExit):
            trained(course(), tmp_path)
    assert not (tmp_path / "network.npz").exists()
    assert trained(course(), tmp_path).progress == 1
    assert make_agent(f"network({tmp_path}/network.npz)")


@pytest.mark.torch
@pytest.mark.parametrize("request_to_end", [signal.SIGTERM, signal.SIGHUP], ids=["SIGTERM", "SIGHUP"])
def test_a_request_to_end_keeps_what_was_learned(tmp_path, monkeypatch, request_to_end):
    from tamaya.learn.ppo import ppo_training
    from tamaya.learn.ppo.checkpoints import read_checkpoint, workspace_of

    usual = signal.signal(request_to_end, signal.SIG_DFL)  # under nohup, it may be ignored
    monkeypatch.setattr(ppo_training.Trainer, "learn", lambda self: signal.raise_signal(request_to_end))
    rules = ["--colours", "2", "--ranks", "3", "--hand-size", "3", "--hint-tokens", "3"]
    done = CliRunner().invoke(app, ["learn", "ppo", "--to", str(tmp_path / "mine"), "--games", "16", *rules])
    assert done.exit_code != 0
    assert read_checkpoint(workspace_of(tmp_path / "mine"))["iteration"] == 1
    assert signal.signal(request_to_end, usual) == signal.SIG_DFL


def test_a_lost_connection_is_ignored_where_it_is_to_be():
    usual = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    with ending_like_ctrl_c():
        signal.raise_signal(signal.SIGHUP)
    assert signal.signal(signal.SIGHUP, usual) == signal.SIG_IGN


@pytest.mark.torch
def test_a_network_that_is_gone_or_broken_is_written_again(tmp_path):
    trained(course(), tmp_path)
    network = tmp_path / "network.npz"
    before = network.read_bytes()
    network.unlink()
    trained(course(), tmp_path)
    assert network.read_bytes() == before
    network.write_bytes(before[:1000])
    trained(course(), tmp_path)
    assert network.read_bytes() == before


@pytest.mark.torch
def test_training_goes_on_without_the_network_that_it_started_with(tmp_path):
    trained(course(), tmp_path / "first")
    start = tmp_path / "first" / "network.npz"
    rules = ["--colours", "2", "--ranks", "3", "--hand-size", "3", "--hint-tokens", "3"]
    command = ["learn", "ppo", "--to", str(tmp_path / "second"), "--start", str(start), "--games", "64", *rules]
    assert CliRunner().invoke(app, [*command, "--moves", "4096"]).exit_code == 0
    start.unlink()
    assert CliRunner().invoke(app, [*command, "--moves", "8192"]).exit_code == 0


@pytest.mark.torch
def test_a_training_can_be_longer_than_it_was_begun(tmp_path):
    trained(course(), tmp_path)
    longer = trained(course(moves=8192), tmp_path)
    assert longer.iteration == 16
    assert [point.moves for point in longer.curve] == [1024 * number for number in range(1, 9)]


@pytest.mark.torch
def test_a_training_starts_with_the_weights_of_another(tmp_path):
    from tamaya.learn.ppo.checkpoints import begin_training, tower_network

    first = trained(course(), tmp_path / "first")
    start = str(tmp_path / "first" / "network.npz")
    second = begin_training(course(start=start), tmp_path / "second", "cpu")
    tower_network(second).write(tmp_path / "again.npz")
    one, two = np.load(start), np.load(tmp_path / "again.npz")
    for name in set(one.files) - {"header"}:
        assert one[name] == pytest.approx(two[name], rel=1e-3), name  # values were multiplied by 5 and divided by it
    trained(course(start=start, seed=2), tmp_path / "third")
    header = msgspec.json.decode(np.load(tmp_path / "third" / "network.npz")["header"].tobytes())
    assert header["made"]["course"]["start"] == start
    assert header["made"]["start"]["course"]["seed"] == first.course.seed == 1


@pytest.mark.torch
def test_layers_that_are_added_change_little_and_learn(tmp_path):
    from tamaya.learn.ppo.checkpoints import begin_training, tower_network

    trained(course(), tmp_path / "first")
    start, how = tmp_path / "first" / "network.npz", {"hidden": (16, 16, 16, 16)}
    tower_network(begin_training(course(start=str(start), **how), tmp_path / "second", "cpu")).write(
        tmp_path / "deeper.npz"
    )
    trained(course(start=str(start), **how), tmp_path / "third")
    before, deeper, after = (
        read_archive(path) for path in (start, tmp_path / "deeper.npz", tmp_path / "third" / "network.npz")
    )
    assert deeper.sizes[1:-1] == after.sizes[1:-1] == [16, 16, 16, 16]
    rows = np.random.default_rng(1).integers(0, 2, (50, before.sizes[0])) * 255
    one, two = (np.array([naive_outputs(network, row) for row in rows]) for network in (before, deeper))
    assert np.abs(one - two).mean() < 0.2 * np.abs(one - one.mean(1, keepdims=True)).mean()
    for number in (2, 3):  # their sums and what is added to these begin with 0
        assert not any(one.any() for one in (deeper.layers[number][0], deeper.norms[number][1]))
        assert all(one.any() for one in (after.layers[number][0], after.norms[number][1]))


@pytest.mark.torch
@pytest.mark.parametrize(
    ("how", "words"),
    [
        ({"start": "duet"}, "duet plays games with .*colours=5.*, not with .*colours=2.*or leave out --start"),
        ({"start": "duet", "settings": Settings(players=2)}, "duet has other layers; give --hidden 512,512,512, or"),
        ({"start": "duet", "settings": Settings(players=2), "hidden": (512, 512)}, "other layers.* of 512 neurons"),
        ({"start": "none.npz"}, "cannot be read"),
    ],
)
def test_a_network_that_cannot_be_improved_is_refused(tmp_path, how, words):
    from tamaya.learn.ppo.checkpoints import begin_training

    with pytest.raises(ValueError, match=words):
        begin_training(course(**how), tmp_path, "cpu")


@pytest.mark.torch
def test_what_was_trained_plays_as_it_was_trained(tmp_path):
    from tamaya.learn.ppo.ppo_training import EVALUATION_SEED

    trainer = trained(course(matches=100), tmp_path)
    agent = make_agent(f"network({tmp_path}/network.npz)")
    outcomes = Seating([agent] * 2, SMALL).play(game_seeds(EVALUATION_SEED, 0, 100))
    strict = np.where(outcomes["lives"] == 0, 0, outcomes["score"])
    assert strict.mean() == pytest.approx(trainer.curve[-1].score, abs=0.2)
    header = msgspec.json.decode(np.load(tmp_path / "network.npz")["header"].tobytes())
    assert header["made"]["course"]["seed"] == 1


@pytest.mark.torch
def test_advantages_follow_the_moves_of_all_players():
    from tamaya.learn.ppo.ppo_training import Trainer

    trainer = Trainer(course(steps=5, games=64, batch=64), "cpu")
    trainer.collect()
    batch = trainer.batch
    values = trainer.values(batch.inputs).detach().numpy()
    trainer.judge()
    advantages = np.zeros((5, 64))
    for game in range(64):
        for step in range(5):
            weight = 1.0
            for later in range(step, 5):
                after = 0.0 if batch.ends[later, game] else values[later + 1, game]
                advantages[step, game] += weight * (batch.rewards[later, game] + after - values[later, game])
                weight *= trainer.course.decay
                if batch.ends[later, game]:
                    break
    assert trainer.targets[1].numpy() == pytest.approx((advantages + values[:-1]).ravel(), abs=1e-4)
    wanted = (advantages - advantages.mean()) / advantages.std(ddof=1)
    assert trainer.targets[0].numpy() == pytest.approx(wanted.ravel(), abs=1e-3)


@pytest.mark.torch
def test_a_lost_last_life_costs_a_share_of_the_points_at_first():
    from tamaya.learn.ppo.ppo_training import Trainer

    rewards = []
    for price in (0.2, 1.0):
        trainer = Trainer(course(price=price, steps=40, batch=64), "cpu")
        trainer.collect()
        rewards.append(trainer.batch.rewards.numpy())
    gains = (rewards[0] > 0).sum()
    losses = [-one[one < 0].sum() for one in rewards]
    assert gains == (rewards[1] > 0).sum() > 0
    assert losses[0] == pytest.approx(0.2 * losses[1], rel=1e-4)


@pytest.mark.torch
def test_the_command_trains_and_goes_on(tmp_path):
    small = [
        "--colours",
        "2",
        "--ranks",
        "3",
        "--hand-size",
        "3",
        "--hint-tokens",
        "3",
        "--games",
        "512",
        "--hidden",
        "16",
    ]
    command = ["learn", "ppo", "--to", str(tmp_path / "mine"), "--moves", "2e4", *small]
    done = CliRunner().invoke(app, command)
    assert done.exit_code == 0, done.output
    assert "network.npz: 16,384 moves" in done.output
    assert "trained" in done.output
    assert {path.name for path in (tmp_path / "mine").iterdir()} >= {"checkpoint.pt", "network.npz", "curve.csv"}
    again = CliRunner().invoke(app, command)
    assert again.exit_code == 0
    failed = CliRunner().invoke(app, [*command, "--device", "tpu"])
    assert failed.exit_code != 0
    assert "--device must be cpu or cuda, not tpu" in str(failed.exception)
    failed = CliRunner().invoke(app, [*command, "--moves", "nan"])
    assert "--moves must be from 1 to 10,000,000,000,000, not nan" in str(failed.exception)


@pytest.mark.torch
def test_weights_that_grow_beyond_all_numbers_are_told(tmp_path):
    import torch

    from tamaya.learn.ppo.checkpoints import begin_training, practise

    trainer = begin_training(course(), tmp_path, "cpu")
    with torch.no_grad():
        trainer.weights[0].fill_(np.inf)
    with pytest.raises(ValueError, match=r"grew beyond all numbers; choose a rate below 0\.001"):
        list(practise(trainer, tmp_path))
    assert [one.name for one in tmp_path.iterdir()] == ["lock"]


ON_A_GPU = """
import sys
import numpy as np
from tamaya import Settings
from tamaya.environments import VectorHanabi
from tamaya.environments.gpu_games import GpuGames

settings = Settings(players=int(sys.argv[1]))
envs = VectorHanabi(3, settings, observation_type="insight", encoding="bits", rewards="points")
envs.games.reseed(5)
twins, rng, ends = GpuGames(envs.games), np.random.default_rng(1), 0
twins.start(np.zeros(3, np.int64))
envs.reset(seed=5)
for step in range(70):
    mask = envs.observations["action_mask"]
    actions = (rng.random(mask.shape) * mask).argmax(1)
    ends += envs.step(actions)[2].sum()
    twins.step(actions)
    pairs = zip((*envs.games.state, *envs.games.buffers), (*twins.state, *twins.buffers))
    assert all((one == two.copy_to_host()).all() for one, two in pairs)
    if step == 60:
        saved = twins.save()
        twins.restore(saved)
assert ends
"""


@pytest.mark.parametrize("players", ["2", "5"])
def test_games_on_a_gpu_are_the_same_games(players):
    """Numba's simulator of a GPU runs the twins of the kernels as they stand."""
    simulated = {**os.environ, "NUMBA_ENABLE_CUDASIM": "1", "PYTHONWARNINGS": "ignore"}
    subprocess.run([sys.executable, "-c", ON_A_GPU, players], check=True, env=simulated, timeout=300)


def test_games_without_a_gpu_are_refused(monkeypatch):
    from tamaya.engine.jit.cuda import cuda, need_gpu

    monkeypatch.setattr(cuda, "is_available", lambda: False)
    with pytest.raises(ValueError, match="numba finds no GPU"):
        need_gpu()
