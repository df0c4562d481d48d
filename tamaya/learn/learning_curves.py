"""Learning curves: how the loss of a network fell, in numbers and as a picture."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from tamaya.experiments.report.plots import as_svg, new_figure
from tamaya.learn.ppo.hyperparameters import Point

LEAST_LACKING = 0.001
"""What a logarithmic axis shows of scores that lack nothing."""


@dataclass
class Curve:
    """How the loss fell, epoch by epoch, in training and in held-out games."""

    training: list[float] = field(default_factory=list)
    held_out: list[float] = field(default_factory=list)
    baseline: float = math.nan
    """The held-out loss of the best constant."""
    right: list[float] = field(default_factory=list)
    """The share of held-out moves whose policy a likelihood network takes for the likeliest, epoch by epoch."""

    @property
    def best(self) -> int:
        """The epoch, from 0 on, with the lowest held-out loss."""
        return int(np.argmin(self.held_out))

    def __str__(self) -> str:
        last = len(self.held_out) - 1
        shown = f"training {self.training[last]:.6f}, held out {self.held_out[last]:.6f}{self.accuracy(last)}"
        return f"epoch {last + 1}: {shown}, best {min(self.held_out):.6f}, a constant {self.baseline:.6f}"

    def accuracy(self, epoch: int) -> str:
        """How often the likeliest policy was the true one after an epoch, in words; empty for other networks."""
        return f", {self.right[epoch]:.1%} right" if self.right else ""


def learning_curve(curve: Curve, title: str) -> str:
    """The losses over the epochs as SVG, readable in black and white; it needs the extra ``plot``."""
    figure, panel = new_figure(3.6, 6.0)
    epochs = range(1, len(curve.held_out) + 1)
    panel.plot(epochs, curve.training, "k--", label="training games")
    panel.plot(epochs, curve.held_out, "k-", label="held-out games")
    panel.axvline(curve.best + 1, color="0.75", label="the weights that are kept")
    panel.set_xlabel("epoch")
    panel.set_ylabel("loss")
    panel.set_title(title)
    panel.legend()
    return as_svg(figure, title)


def score_curve(points: Sequence[Point], most: int) -> str:
    """What scores lack over the moves of a training, as SVG on logarithmic axes; empty without the extra ``plot``."""
    try:
        figure, panel = new_figure(3.6, 6.0)
    except ValueError:
        return ""
    moves, lacking = [one.moves / 1e6 for one in points], [max(most - one.score, LEAST_LACKING) for one in points]
    panel.errorbar(moves, lacking, [1.96 * one.error for one in points], fmt="k.-", linewidth=1)
    for name, axis, ticks in (("x", panel.xaxis, (1, 2, 5)), ("y", panel.yaxis, (1, 2, 3, 4, 5, 6, 8))):
        panel.set(**{f"{name}scale": "log"})
        axis.get_major_locator().set_params(subs=ticks)
        axis.set_major_formatter("{x:g}")
        axis.set_minor_formatter("")
    panel.set_xlabel("million moves")
    panel.set_ylabel(f"points short of {most}, per game")
    return as_svg(figure, "the learning curve")
