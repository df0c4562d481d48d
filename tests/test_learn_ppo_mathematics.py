"""The mathematics of training in self-play: which moves are drawn, what they teach, and what changes on the way."""

import numpy as np
import pytest
from test_learn_ppo import course

pytestmark = pytest.mark.torch
LONG = {"moves": 512 * 1000}
"""A thousand improvements."""


def trainer_of(**how):
    """A training on one core that has not begun."""
    import torch

    from tamaya.learn.ppo.ppo_training import Trainer

    torch.set_num_threads(1)
    return Trainer(course(**how))


def decide(policy, weights):
    """Lets a policy find legal moves as likely as their weights, whatever it sees."""
    import torch

    with torch.no_grad():
        policy.head.weight.zero_()
        policy.head.bias.copy_(torch.from_numpy(np.log(weights)))


def gains_of(trainer):
    """By how much the logarithms of the chances of the moves have grown since they were made, [step, game]."""
    trainer.actor.refresh()
    batch = trainer.batch
    inputs, masks = (one.flatten(0, 1) for one in (batch.inputs[:-1, :, : trainer.actor.unpack.length], batch.masks))
    chances = trainer.actor.logits(inputs, masks).detach().view(batch.masks.shape)
    return (chances.gather(2, batch.actions[..., None])[..., 0] - batch.likelihoods).numpy()


def give_rewards(trainer, for_plays, for_others):
    """Collects moves and lets every one of them end its game, with these points; returns which are plays."""
    import torch

    trainer.collect()
    batch = trainer.batch
    is_play = batch.actions // trainer.course.settings.hand_size == 1
    batch.ends.fill_(1)
    batch.rewards.copy_(torch.where(is_play, for_plays, for_others))
    return is_play.numpy()


def test_training_from_nothing_learns_to_score():
    how = {"hidden": (32,), "moves": 200_000, "steps": 32, "batch": 2048, "every": 1000, "matches": 500}
    (point,) = trainer_of(**how).points()
    assert point.score > 2.5  # of 6; eight seeds reach 3.1 to 3.9


def test_moves_are_drawn_as_likely_as_the_policy_finds_them():
    trainer = trainer_of(steps=200)
    batch, weights = trainer.batch, np.geomspace(1, 20, trainer.batch.masks.shape[2])
    decide(trainer.policy, weights)
    trainer.collect()
    masks, actions, likelihoods = (one.flatten(0, 1).numpy() for one in (batch.masks, batch.actions, batch.likelihoods))
    chances = masks * weights / (masks @ weights)[:, None]
    misses = np.bincount(actions, minlength=len(weights)) - chances.sum(0)
    assert (abs(misses) <= 4 * np.sqrt((chances * (1 - chances)).sum(0))).all()
    assert np.exp(likelihoods) == pytest.approx(chances[np.arange(len(actions)), actions], rel=1e-4)


def naive_loss(outputs, points, moves, weight, clip):
    """The loss of some moves, its parts written plainly, move by move; points are what positions are valued at."""
    gains, entropies, errors, divergences = [], [], [], []
    for output, point, (mask, action, before, advantage, what_followed) in zip(outputs, points, moves, strict=True):
        chances = np.exp(output) * mask / (np.exp(output) * mask).sum()
        ratio = chances[action] / np.exp(before)
        gains.append(advantage * (min(ratio, 1 + clip) if advantage > 0 else max(ratio, 1 - clip)))
        entropies.append(-sum(chance * np.log(chance) for chance in chances[mask]))
        errors.append(((point - what_followed) / 5) ** 2)
        divergences.append(ratio - 1 - np.log(ratio))
    gain, entropy, error, divergence = map(np.mean, (gains, entropies, errors, divergences))
    return 0.5 * error - gain - weight * entropy, [entropy, divergence, error]


def test_the_loss_is_that_of_the_paper():
    import torch

    trainer, rng, count = trainer_of(clip=0.2), np.random.default_rng(1), 200
    torch.nn.init.normal_(trainer.policy.head.weight, 0, 0.3)
    inputs = torch.from_numpy(rng.random((count, trainer.batch.inputs.shape[2]), np.float32))
    with torch.no_grad():
        outputs, points = trainer.policy(inputs[:, : trainer.actor.unpack.length]), trainer.values(inputs)
    actions = rng.integers(0, outputs.shape[1], count)
    masks = rng.random(outputs.shape) < 0.5
    masks[np.arange(count), actions] = True
    before, advantages, returns = rng.normal(-1, 1, count), rng.normal(0, 1, count), rng.normal(0, 6, count)
    moves = (masks, actions, before, advantages, returns)
    wanted, figures = naive_loss(outputs.double().numpy(), points.numpy(), zip(*moves, strict=True), 0.7, 0.2)
    loss, found = trainer.loss(inputs, *map(torch.from_numpy, moves), 0.7)
    assert loss.item() == pytest.approx(wanted, rel=1e-4)
    assert found.tolist() == pytest.approx(figures, rel=1e-4)


def test_moves_that_were_good_become_likelier_and_values_truer():
    trainer = trainer_of(rate=0.003)
    is_play = give_rewards(trainer, 9.0, 7.0)
    for _ in range(20):
        trainer.learn()
    gains, values = gains_of(trainer), trainer.values(trainer.batch.inputs[:-1]).detach().numpy()
    assert gains[is_play].mean() > 0.02
    assert gains[~is_play].mean() < -0.02
    assert abs(values - 8).mean() < 2


def test_moves_become_little_likelier_however_often_they_are_learned_from():
    trainer = trainer_of(rate=0.003, clip=0.2)
    is_play = give_rewards(trainer, 1.0, 0.0)
    for _ in range(20):
        trainer.learn()
    ratios = np.exp(gains_of(trainer))
    assert 1.1 < ratios[is_play].mean() < 1.6
    assert 0.6 < ratios[~is_play].mean() < 0.9


def test_likely_moves_become_less_likely_where_no_move_is_better():
    import torch

    trainer = trainer_of()
    decide(trainer.policy, np.geomspace(1, 20, trainer.batch.masks.shape[2]))
    for one in trainer.value.head.parameters():
        torch.nn.init.zeros_(one)
    give_rewards(trainer, 0.0, 0.0)
    trainer.learn()
    gains, likelihoods = gains_of(trainer), trainer.batch.likelihoods.numpy()
    is_likely = likelihoods > np.median(likelihoods)
    assert gains[is_likely].mean() < -0.02
    assert gains[~is_likely].mean() > 0.02


@pytest.mark.parametrize(
    ("iteration", "share"), [(0, 1 / 8), (3, 0.997 / 2), (8, 0.992), (500, 0.5), (900, 0.1), (1000, 0)]
)
def test_steps_grow_at_first_and_shrink_to_nothing(iteration, share):
    """The first step of Adam changes the weights of large gradients by the rate."""
    trainer = trainer_of(**LONG, rate=0.001, batch=512, epochs=1)
    before = [one.detach().clone() for one in trainer.weights]
    trainer.collect()
    trainer.iteration = iteration
    trainer.learn()
    changes = [(one - old).abs().max().item() for one, old in zip(trainer.weights, before, strict=True)]
    assert max(changes) == pytest.approx(0.001 * share, rel=0.02)


@pytest.mark.parametrize(
    ("entropy", "iteration", "wanted"),
    [(0.03, 0, 0.03), (0.03, 500, 0.003), (0.03, 1000, 0.0003), (0.0001, 0, 0.0001), (0.0001, 1000, 0.0001)],
)
def test_less_and_less_counts_in_favour_of_undecided_policies(entropy, iteration, wanted):
    trainer = trainer_of(**LONG, entropy=entropy, last_entropy=0.0003)
    trainer.iteration = iteration
    trainer.learn()
    assert trainer.entropy.item() == pytest.approx(wanted, rel=1e-4)


@pytest.mark.parametrize(("iteration", "share"), [(0, 0.2), (40, 0.6), (80, 1), (500, 1), (1000, 1)])
def test_a_lost_last_life_costs_more_and_more_of_the_points(iteration, share):
    losses = []
    for price in (0.2, 1.0):
        trainer = trainer_of(price=price, daring=0.08, steps=40, moves=64 * 40 * 1000)
        trainer.iteration = iteration
        trainer.collect()
        rewards = trainer.batch.rewards.numpy()
        losses.append(rewards[rewards < 0].sum())
    assert losses[1] < -10
    assert losses[0] == pytest.approx(share * losses[1], rel=1e-4)
