"""Training: a network learns what searches found, in PyTorch; the same seed gives the same weights."""

import itertools
import math
from collections.abc import Callable, Iterator
from typing import Any

import msgspec
import numpy as np

from tamaya.game.game import check_seed
from tamaya.learn.goodman.training_data import Rows, groups_of
from tamaya.learn.learning_curves import Curve
from tamaya.networks.json_weights import (
    CHOICES,
    FORMAT,
    INPUTS,
    SMALLEST_DEVIATION,
    TASKS,
    Layer,
    Network,
    check_hidden,
)

OPTIMISERS = ("adam", "nesterov")
MOST = 10**9
HELD_OUT_EVERY = 10
"""One game in so many is held out."""

GAMES_IN_TURN = 4
"""Games of consecutive numbers are at tables of different sizes; all of these are held out together."""

FEWEST_GAMES = HELD_OUT_EVERY * GAMES_IN_TURN
"""With fewer games, none would be held out."""


class Training(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How a network is trained; the defaults are those of Goodman 2019."""

    hidden: tuple[int, ...] = (30,)
    """The neurons of each hidden layer."""
    inputs: str = ""
    """What the network sees, by name; the first choice of its task if it is empty."""
    epochs: int = 20
    batch: int = 16
    rate: float = 1e-4
    decay: bool = False
    """Whether the rate falls to 0, in a straight line, until the last step."""
    l1: float = 1e-5
    optimiser: str = "adam"
    """The paper says Adam; its code uses Nesterov's momentum."""
    momentum: float = 0.9
    advantage: float = 0.0
    """How much more it counts how the moves of one position differ than what they are worth."""
    fewest: int = 50
    """Rows of moves with fewer visits are left out."""
    seed: int = 1

    def __post_init__(self) -> None:
        check_hidden(self.hidden)
        check_seed(self.seed)
        for name, value in (("epochs", self.epochs), ("batch", self.batch), ("fewest", self.fewest)):
            if not 1 <= value <= MOST:
                raise ValueError(f"{name} must be from 1 to {MOST:,}, not {value:,}")
        if not 0 < self.rate <= 1:
            raise ValueError(f"the rate must be above 0 and at most 1, not {self.rate:g}")
        if not 0 <= self.advantage <= MOST:
            raise ValueError(f"the advantage must be from 0 to {MOST:,}, not {self.advantage:g}")
        if not 0 <= self.l1 <= 1:
            raise ValueError(f"l1 must be from 0 to 1, not {self.l1:g}")
        if not 0 <= self.momentum < 1:
            raise ValueError(f"the momentum must be from 0 to below 1, not {self.momentum:g}")
        if self.optimiser not in OPTIMISERS:
            raise ValueError(f"the optimiser must be one of {', '.join(OPTIMISERS)}, not {self.optimiser!r}")


def need_torch() -> Any:
    """PyTorch; raises what to install if it is missing."""
    try:
        import torch
    except ImportError as error:
        raise ValueError("training needs PyTorch: pip install 'tamaya[learn]'") from error
    return torch


def targets_of(task: str, rows: np.ndarray) -> np.ndarray:
    """What a network must learn of rows: the points to come, who made the move, or which rules propose it."""
    if task == "evalfn":
        return np.asarray(rows["value"] - rows["score"], np.float32)[:, None]
    if task == "likelihood":
        return np.asarray(np.eye(rows["policy"].max() + 1, dtype=np.float32)[rows["policy"]])
    return np.asarray(((rows["rules"][:, None] >> np.arange(CHOICES)) & 1), np.float32)


def usable(task: str, rows: np.ndarray, fewest: int) -> np.ndarray:
    """The rows to learn from: moves visited often enough, choices that a rule explains, or all that were made."""
    if task == "likelihood":
        return rows
    return rows[rows["visits"] >= fewest] if task == "evalfn" else rows[rows["rules"] != 0]


def is_held_out(games: np.ndarray) -> np.ndarray:
    """Whether each game is held out: whole games are, for the rows of one game resemble each other."""
    return np.asarray(games // GAMES_IN_TURN % HELD_OUT_EVERY == HELD_OUT_EVERY - 1)


def inputs_of(task: str, how: Training) -> tuple[str, ...]:
    """The features that a network sees."""
    known = TASKS[task][0]
    if how.inputs and how.inputs not in known:
        raise ValueError(f"the inputs of {task} must be {' or '.join(known)}, not {how.inputs!r}")
    return INPUTS[how.inputs or known[0]]


class Learner:
    """A network in training."""

    def __init__(self, task: str, rows: np.ndarray, how: Training) -> None:
        self.torch = torch = need_torch()
        self.task, self.how, self.inputs = task, how, inputs_of(task, how)
        rows = usable(task, rows, how.fewest)
        if not len(rows):
            raise ValueError(f"there is nothing to learn from: no row was visited {how.fewest:,} times or more")
        held_out = is_held_out(rows["game"])
        if not held_out.any() or held_out.all():
            raise ValueError(
                f"{len(np.unique(rows['game']))} games are too few to hold some out; collect {FEWEST_GAMES} or more"
            )
        inputs, targets = rows["features"][:, : len(self.inputs)].astype(np.float64), targets_of(task, rows)
        if not (np.isfinite(inputs).all() and np.isfinite(targets).all()):
            raise ValueError("some rows hold numbers that are not finite; collect them anew")
        self.means = inputs[~held_out].mean(axis=0)
        self.deviations = np.maximum(inputs[~held_out].std(axis=0), SMALLEST_DEVIATION)
        self.deviations[self.deviations == SMALLEST_DEVIATION] = 1.0  # an input that never varies
        scaled = ((inputs - self.means) / self.deviations).astype(np.float32)
        torch.manual_seed(how.seed)
        torch.set_num_threads(1)  # such small layers gain nothing by more, and the sums stay the same
        groups = groups_of(rows) if how.advantage else np.arange(len(rows))
        self.training, self.held_out = (
            Rows(torch, scaled[chosen], targets[chosen], groups[chosen]) for chosen in (~held_out, held_out)
        )
        self.network = self.new_network(float(targets[~held_out].mean()))
        self.curve = Curve(baseline=self.constant_loss())
        self.best: Network | None = None

    def new_network(self, mean: float) -> Any:
        """Layers with rectified sums, the weights drawn by Xavier's rule; a value begins at the mean of the targets."""
        nn, parts = self.torch.nn, []
        sizes = [len(self.means), *self.how.hidden, self.training.targets.shape[1]]
        for inputs, outputs in itertools.pairwise(sizes):
            layer = nn.Linear(inputs, outputs)
            nn.init.xavier_normal_(layer.weight)
            nn.init.zeros_(layer.bias)
            parts += [layer, nn.ReLU()]
        if self.task == "evalfn":
            nn.init.constant_(parts[-2].bias, math.atanh(min(mean, 0.9)))
        return nn.Sequential(*parts[:-1])

    def loss(self, rows: Rows) -> Any:
        """The squared error of values, the tanh of sums; the log-loss of policies; one less the cosine of choices.

        In play the tanh is rectified, as published. Targets are never negative, so that training needs no rectifier;
        with one, a network that begins below 0 has no gradient and learns nothing.
        """
        sums = self.network(rows.inputs)
        if self.task == "evalfn":
            return self.squared(rows, self.torch.tanh(sums) - rows.targets)
        if self.task == "likelihood":
            return self.torch.nn.functional.cross_entropy(sums, rows.targets)
        return (1.0 - self.torch.nn.functional.cosine_similarity(self.torch.sigmoid(sums), rows.targets)).mean()

    def squared(self, rows: Rows, errors: Any) -> Any:
        """The mean of squared errors, and with its weight that of their differences within groups."""
        loss = (errors**2).mean()
        return loss + self.how.advantage * (rows.differences(errors) ** 2).mean() if self.how.advantage else loss

    def constant_loss(self) -> float:
        """The held-out loss of the mean of the training targets."""
        targets = self.held_out.targets
        mean = self.training.targets.mean(dim=0).expand_as(targets)
        if self.task == "evalfn":
            return float(self.squared(self.held_out, mean - targets))
        if self.task == "likelihood":
            return float(self.torch.nn.functional.cross_entropy(mean.log(), targets))
        return float((1.0 - self.torch.nn.functional.cosine_similarity(mean, targets)).mean())

    def optimiser(self) -> Any:
        """What changes the weights."""
        optim, weights = self.torch.optim, self.network.parameters()
        if self.how.optimiser == "nesterov":
            return optim.SGD(weights, lr=self.how.rate, momentum=self.how.momentum, nesterov=True)
        return optim.Adam(weights, lr=self.how.rate, betas=(self.how.momentum, 0.999), foreach=True)

    def epochs(self) -> Iterator[Curve]:
        """Trains epoch by epoch; the weights of the best one are kept."""
        torch, optimiser = self.torch, self.optimiser()
        weights = [layer.weight for layer in self.network if hasattr(layer, "weight")]
        steps = self.how.epochs * -(-self.training.groups // self.how.batch)
        falling = torch.optim.lr_scheduler.LinearLR(optimiser, 1.0, 1.0 - self.how.decay, steps)
        for _ in range(self.how.epochs):
            total = 0.0
            for batch in torch.randperm(self.training.groups).split(self.how.batch):
                loss = self.loss(self.training.taken(batch))
                total += float(loss.detach()) * len(batch)
                optimiser.zero_grad()
                loss.backward()
                for weight in weights:
                    weight.grad.add_(weight.detach().sign(), alpha=self.how.l1)  # the gradient of the L1 penalty
                optimiser.step()
                falling.step()
            with torch.no_grad():
                self.curve.held_out.append(float(self.loss(self.held_out)))
                if self.task == "likelihood":
                    self.curve.right.append(self.share_right())
            self.curve.training.append(total / self.training.groups)
            if not math.isfinite(self.curve.held_out[-1]):
                raise ValueError(f"the weights grew beyond all numbers; choose a rate below {self.how.rate:g}")
            if self.curve.best == len(self.curve.held_out) - 1:
                self.best = self.exported()
            yield self.curve

    def share_right(self) -> float:
        """In how many held-out rows the likeliest output is the right one, as a share."""
        found = self.network(self.held_out.inputs).argmax(1)
        return float((found == self.held_out.targets.argmax(1)).float().mean())

    def exported(self) -> Network:
        """The network as it is now."""
        layers = [
            Layer(shortened(one.bias), [shortened(row) for row in one.weight])
            for one in self.network
            if hasattr(one, "weight")
        ]
        means, deviations = ([float(f"{one:.6g}") for one in row] for row in (self.means, self.deviations))
        return Network(FORMAT, self.task, list(self.inputs), means, deviations, layers)


def shortened(row: Any) -> list[float]:
    """Six digits of each number, which is as much as training settles."""
    return [float(f"{one:.6g}") for one in row.detach().tolist()]


def train(
    task: str, rows: np.ndarray, how: Training, tell: Callable[[Curve], None] = lambda curve: None
) -> tuple[Network, Curve]:
    """The network of the epoch with the lowest held-out loss, and how the loss fell."""
    learner = Learner(task, rows, how)
    for curve in learner.epochs():
        tell(curve)
    assert learner.best is not None
    made: dict[str, Any] = {
        "training": how,
        "rows": len(learner.training.inputs),
        "held_out_rows": len(learner.held_out.inputs),
        "held_out_loss": learner.curve.held_out[learner.curve.best],
        "constant_loss": learner.curve.baseline,
    }
    if learner.curve.right:
        made["held_out_accuracy"] = learner.curve.right[learner.curve.best]
    return msgspec.structs.replace(learner.best, made=made), learner.curve
