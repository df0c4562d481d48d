"""The options of a training in self-play, and the points of its learning curve."""

from itertools import pairwise
from typing import Any

import msgspec

from tamaya.engine.settings import Settings
from tamaya.networks.inputs.policy_inputs import insight_of
from tamaya.networks.json_weights import check_hidden
from tamaya.networks.npz_weights import LARGEST_FILE
from tamaya.networks.sparse_layers import VECTOR

MOST_MOVES, MOST_GAMES, MOST_STEPS, MOST_EPOCHS, MOST_SEED = 10**13, 1 << 20, 1000, 100, 1 << 32


class Course(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How a network is trained; the defaults are those of the full game on a GPU."""

    settings: Settings = Settings(players=2)
    start: str = ""
    """The file of a network, or duet, to improve; else a training begins with nothing."""
    hidden: tuple[int, ...] = (512, 512, 512)
    moves: int = 13_000_000_000
    """Of all games together."""
    games: int = 16384
    """That are played at a time."""
    steps: int = 32
    """Moves in each of them from one improvement of the network to the next."""
    batch: int = 32768
    """Moves per gradient step."""
    epochs: int = 1
    """How often each move is learned from."""
    rate: float = 5e-4
    """Of learning, falling to 0."""
    entropy: float = 0.05
    """What counts in favour of undecided policies, falling to the next."""
    last_entropy: float = 3e-4
    decay: float = 0.95
    """The lambda of the generalised advantage estimation."""
    clip: float = 0.2
    price: float = 0.2
    """The share of the points that a lost last life costs at first, so that early play dares something."""
    daring: float = 0.08
    """The share of the training after which it costs them all."""
    every: int = 1000
    """Improvements from one checkpoint to the next."""
    matches: int = 8192
    """Games per point of the learning curve."""
    seed: int = 1

    def __post_init__(self) -> None:
        check_hidden(self.hidden)
        if not self.hidden or any(size % VECTOR for size in self.hidden):
            raise ValueError(f"hidden layers must have a multiple of {VECTOR} neurons, not {self.hidden}")
        if self.bytes_of_file > LARGEST_FILE:
            words = f"hidden layers of {self.hidden} make a file of {self.bytes_of_file / 1e6:,.0f} MB"
            raise ValueError(f"{words}; network(FILE) reads {LARGEST_FILE / 1e6:,.0f} MB at most")
        for name, value, least, most in (
            ("moves", self.moves, 1, MOST_MOVES),
            ("games", self.games, 1, MOST_GAMES),
            ("steps", self.steps, 1, MOST_STEPS),
            ("batch", self.batch, 1, self.games * self.steps),
            ("epochs", self.epochs, 1, MOST_EPOCHS),
            ("every", self.every, 1, MOST_MOVES),
            ("matches", self.matches, 2, MOST_GAMES),
            ("seed", self.seed, 0, MOST_SEED),
        ):
            if not least <= value <= most:
                raise ValueError(f"{name} must be from {least:,} to {most:,}, not {value:,}")
        for name in ("rate", "entropy", "last_entropy", "decay", "clip", "daring"):
            share = getattr(self, name)
            if not 0 < share <= 1:
                raise ValueError(f"{name} must be above 0 and at most 1, not {share:g}")
        if not 0 <= self.price <= 1:
            raise ValueError(f"price must be from 0 to 1, not {self.price:g}")

    @property
    def bytes_of_file(self) -> int:
        """About the size of the file of both networks: two bytes per weight."""
        inputs = int(insight_of(self.settings)[0].width)
        return 2 * 2 * sum(below * size for below, size in pairwise((inputs, *self.hidden)))

    @property
    def moves_at_a_time(self) -> int:
        """The moves from one improvement of the network to the next."""
        return self.games * self.steps

    @property
    def iterations(self) -> int:
        """How often the network is improved."""
        return max(1, self.moves // self.moves_at_a_time)


SMALLER = {
    "hidden": (128, 128),
    "moves": 10_000_000,
    "games": 512,
    "steps": 32,
    "batch": 2048,
    "epochs": 4,
    "rate": 1e-3,
    "entropy": 0.03,
    "every": 61,
    "matches": 1000,
}
"""What suits the processors of a small machine, and games of two colours."""


def course_with(options: dict[str, Any]) -> Course:
    """A course with some options; a gradient step uses no more moves than there are."""
    usual = Course()
    games, steps, batch = (options.get(name, getattr(usual, name)) for name in ("games", "steps", "batch"))
    return Course(**options | {"batch": max(1, min(batch, games * steps))})


IMPROVING = {"price": 1.0, "rate": 3e-4, "entropy": 0.002}
"""What suits a network that plays well already, in place of what a training from nothing needs."""


class Point(msgspec.Struct, frozen=True):
    """A point of the learning curve: the strict score of the likeliest moves on fixed decks."""

    moves: int
    score: float
    error: float
    perfect: float
    seconds: float
    """Of training, since its beginning."""
    rate: float
    """Moves per second of training, since the last point."""
    entropy: float
    divergence: float
    """How far the policy moved from the one that made the moves, an estimate of Kullback and Leibler's."""
    value_loss: float

    def __str__(self) -> str:
        moves = f"{self.moves / 1e6:,.1f} million" if self.moves >= 1e6 else f"{self.moves:,}"
        shown = f"{moves} moves: {self.score:.3f} ± {1.96 * self.error:.3f}"
        return f"{shown}, {self.perfect:.1%} perfect, {self.rate:,.0f} moves per second"
