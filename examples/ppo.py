"""Proximal policy optimization in self-play: a learner to start from, in one file.

All seats play by one network, which sees HLE's observation and gives a value for each action and one for the position.

    python ppo.py --to small
    tamaya match "network(small/network.npz)" --players 2 --colours 2

Given again, a command that was stopped goes on from its last checkpoint, to the very same end on a processor.
"""

import argparse
import dataclasses
import time
from pathlib import Path

import numpy as np
import torch
from torch import nn

from tamaya import Settings
from tamaya.environments import VectorHanabi
from tamaya.evaluation.archives import PolicyNetwork

GAMES = {
    "small": Settings(players=2, colours=2),
    "full": Settings(players=2),
}
EVALUATION_SEED = 10**6


@dataclasses.dataclass(frozen=True)
class Options:
    """What can be set on the command line; the defaults are those of the small game."""

    to: str = "ppo"  # the directory of the checkpoint, the curve and the network
    game: str = "small"  # or full
    device: str = "cpu"  # or cuda
    seed: int = 1
    moves: int = 20_000_000  # of all games together
    games: int = 512  # at a time
    steps: int = 32  # moves of each game before the network is improved
    batch: int = 2048  # moves per gradient step
    epochs: int = 4  # how often each move is learned from
    hidden: int = 128  # neurons of each of two layers
    rate: float = 1e-3  # of learning, falling to 0
    entropy: float = 0.03  # the weight of it, falling to a hundredth
    decay: float = 0.95  # lambda of the generalized advantage estimation
    clip: float = 0.2
    evaluations: int = 20  # points of the learning curve
    export: str = ""  # also writes the network to this file


class Network(nn.Module):
    """The bits of an observation in, the logits of all actions and the value of the position out."""

    def __init__(self, inputs: int, hidden: int, actions: int, unit: float) -> None:
        super().__init__()
        self.unit = unit  # the points for which the last output is 1
        self.layers = nn.Sequential(
            *(nn.Linear(inputs, hidden), nn.ReLU(), nn.Linear(hidden, hidden), nn.ReLU()),
            nn.Linear(hidden, actions + 1),
        )
        with torch.no_grad():
            self.layers[-1].weight /= 10  # begins with all actions about equally likely

    def forward(self, observations: torch.Tensor, masks: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """The logits, very low for actions that are not legal, and the values."""
        device = observations.device.type
        with torch.autocast(device, torch.bfloat16, enabled=device == "cuda"):
            outputs = self.layers(observations.float()).float()
        return outputs[:, :-1].masked_fill(masks == 0, -1e9), outputs[:, -1]

    def export(self, path: Path, settings: Settings, made: dict) -> None:
        """Writes a file for ``network(FILE)``, whose value is in points."""
        layers = [one for one in self.layers if isinstance(one, nn.Linear)]
        arrays = [(one.bias.detach().cpu().numpy().copy(), one.weight.detach().cpu().numpy().copy()) for one in layers]
        for array in arrays[-1]:
            array[-1] *= self.unit
        path.unlink(missing_ok=True)
        PolicyNetwork(settings, arrays, made=made).write(path)


def advantages_of(
    rewards: torch.Tensor, ends: torch.Tensor, values: torch.Tensor, players: int, decay: float
) -> torch.Tensor:
    """Generalized advantage estimation over each player's own turns, [step, game].

    A player is rewarded for all that happens before its next turn, ``players`` steps later unless the game ends first.
    Where that is beyond the last step, the value of the position then, to whoever moves, stands for what follows.
    """
    steps = len(rewards)
    values = torch.cat([values, values[-1:].expand(players - 1, -1)])
    advantages = torch.zeros_like(values)
    for step in reversed(range(steps)):
        reward, goes_on = torch.zeros_like(values[0]), torch.ones_like(values[0])
        for turn in range(step, min(step + players, steps)):
            reward += goes_on * rewards[turn]
            goes_on *= 1 - ends[turn]
        surprise = reward + goes_on * values[step + players] - values[step]
        advantages[step] = surprise + decay * goes_on * advantages[step + players]
    return advantages[:steps]


class Learner:
    """A network, the games that it plays with itself, and where it stands."""

    def __init__(self, options: Options) -> None:
        torch.manual_seed(options.seed)
        self.options, self.settings = options, GAMES[options.game]
        self.envs = VectorHanabi(options.games, self.settings, rewards="points")
        self.envs.reset(seed=options.seed)
        sizes = (self.envs.num_bits, options.hidden, self.envs.num_actions)
        self.network = Network(*sizes, unit=self.settings.max_score).to(options.device)
        self.optimiser = torch.optim.Adam(self.network.parameters(), options.rate, eps=1e-5)
        self.iterations = max(1, options.moves // (options.games * options.steps))
        self.iteration = 0
        self.curve: list[list[float]] = []

    @property
    def progress(self) -> float:
        """The share of the training that is done."""
        return self.iteration / self.iterations

    def tensor(self, array: np.ndarray) -> torch.Tensor:
        """A copy of a buffer of the environment on the device."""
        return torch.from_numpy(array).to(self.options.device, copy=True)

    def turn(self) -> tuple[torch.Tensor, torch.Tensor]:
        """What the players to move observe, and what they may do."""
        return tuple(self.tensor(one) for one in self.envs.observations.values())

    @torch.no_grad()
    def collect(self) -> list[torch.Tensor]:
        """Plays some steps: observations, masks, actions, their log-probabilities, advantages and returns, by move."""
        # Early on, a lost last life costs only a part of the points, so that play dares something.
        share, rows = min(1.0, 1.25 * self.progress), []
        for _ in range(self.options.steps):
            observations, masks = self.turn()
            logits, values = self.network(observations, masks)
            chances = torch.distributions.Categorical(logits=logits, validate_args=False)
            actions = chances.sample()
            _, points, ends, _, infos = self.envs.step(actions.cpu().numpy())
            lost = share * ends * (infos["score"] - infos["strict_score"])
            outcome = self.tensor(points - lost).float() / self.network.unit, self.tensor(ends).float()
            rows.append((observations, masks, actions, chances.log_prob(actions), values, *outcome))
        *moves, values, rewards, ends = map(torch.stack, zip(*rows, strict=True))
        values = torch.cat([values, self.network(*self.turn())[1][None]])
        advantages = advantages_of(rewards, ends, values, self.settings.players, self.options.decay)
        return [one.flatten(0, 1) for one in (*moves, advantages, advantages + values[:-1])]

    def improve(self, moves: list[torch.Tensor]) -> None:
        """Takes gradient steps on the moves."""
        for group in self.optimiser.param_groups:
            group["lr"] = self.options.rate * (1 - self.progress)
        for _ in range(self.options.epochs):
            for chosen in torch.randperm(len(moves[0])).to(self.options.device).split(self.options.batch):
                self.optimiser.zero_grad()
                self.loss(*(one[chosen] for one in moves)).backward()
                nn.utils.clip_grad_norm_(self.network.parameters(), 0.5)
                self.optimiser.step()

    def loss(
        self,
        observations: torch.Tensor,
        masks: torch.Tensor,
        actions: torch.Tensor,
        before: torch.Tensor,
        advantages: torch.Tensor,
        returns: torch.Tensor,
    ) -> torch.Tensor:
        """The clipped surrogate, the squared error of the value, and the entropy."""
        logits, values = self.network(observations, masks)
        chances = torch.distributions.Categorical(logits=logits, validate_args=False)
        ratios = (chances.log_prob(actions) - before).exp()
        advantages = (advantages - advantages.mean()) / (advantages.std() + 1e-8)
        clipped = ratios.clamp(1 - self.options.clip, 1 + self.options.clip)
        gain = torch.minimum(ratios * advantages, clipped * advantages).mean()
        entropy = self.options.entropy * (1 - 0.99 * self.progress) * chances.entropy().mean()
        return 0.5 * (values - returns).square().mean() - gain - entropy

    @torch.no_grad()
    def evaluate(self, games: int = 1000) -> np.ndarray:
        """The strict scores of games in which every player makes the likeliest move."""
        envs, ended = VectorHanabi(games, self.settings, restart=False), np.zeros(games, bool)
        observations, infos = envs.reset(seed=EVALUATION_SEED)
        while not ended.all():
            logits, _ = self.network(*map(self.tensor, observations.values()))
            observations, _, ends, _, infos = envs.step(logits.argmax(1).cpu().numpy())
            ended |= ends
        return infos["strict_score"].astype(float)

    def save(self, path: Path) -> None:
        """Writes everything that the rest of the training depends on."""
        state = {
            "options": dataclasses.asdict(self.options),
            "network": self.network.state_dict(),
            "optimiser": self.optimiser.state_dict(),
            "games": [torch.from_numpy(one) for one in self.envs.save()],
            "chance": torch.get_rng_state(),
            "iteration": self.iteration,
            "curve": self.curve,
        }
        torch.save(state, path.with_suffix(".new"))
        path.with_suffix(".new").replace(path)

    def restore(self, path: Path) -> None:
        """Goes on where a checkpoint was written."""
        state = torch.load(path, map_location=self.options.device, weights_only=True)
        mine, theirs = (
            options | {"to": "", "export": ""} for options in (dataclasses.asdict(self.options), state["options"])
        )
        if mine != theirs:
            other = ", ".join(f"--{key} {value}" for key, value in theirs.items() if mine[key] != value)
            raise SystemExit(f"{path} was trained with {other}; give the same, or another directory")
        self.network.load_state_dict(state["network"])
        self.optimiser.load_state_dict(state["optimiser"])
        self.envs.restore([one.cpu().numpy() for one in state["games"]])
        torch.set_rng_state(state["chance"].cpu())
        self.iteration, self.curve = state["iteration"], state["curve"]

    def train(self, directory: Path) -> None:
        """Trains to the end, with a checkpoint and a point of the curve from time to time."""
        start, first = time.monotonic(), self.iteration
        while self.iteration < self.iterations:
            self.improve(self.collect())
            self.iteration += 1
            if self.iteration * self.options.evaluations % self.iterations < self.options.evaluations:
                scores = self.evaluate()
                made = self.iteration * self.options.games * self.options.steps
                self.curve.append([made, float(scores.mean()), float(scores.std() / len(scores) ** 0.5)])
                self.save(directory / "checkpoint.pt")
                draw(self.curve, directory, self.settings.max_score)
                pace = (self.iteration - first) / (time.monotonic() - start)
                left = (self.iterations - self.iteration) / pace
                print(f"{made:,} moves: {self.curve[-1][1]:.2f} points, {left:.0f} s left", flush=True)


def draw(curve: list[list[float]], directory: Path, most: int) -> None:
    """Writes the learning curve as a table and, with matplotlib, as a picture."""
    lines = ["moves,score,standard_error", *(",".join(f"{value:g}" for value in row) for row in curve)]
    (directory / "curve.csv").write_text("\n".join(lines) + "\n")
    try:
        from matplotlib.figure import Figure
    except ImportError:
        return
    figure = Figure((6, 4), layout="constrained")
    axes = figure.subplots()
    moves, scores, errors = np.array(curve).T
    axes.errorbar(moves, scores, 2 * errors)
    axes.set(xlabel="moves", ylabel="points of 1,000 games", ylim=(0, most))
    figure.savefig(directory / "curve.png")


def parse() -> Options:
    """The options of the command line."""
    parser = argparse.ArgumentParser(formatter_class=argparse.ArgumentDefaultsHelpFormatter)
    for one in dataclasses.fields(Options):
        choices = {"game": GAMES, "device": ("cpu", "cuda")}.get(one.name)
        parser.add_argument(f"--{one.name}", type=type(one.default), default=one.default, choices=choices)
    return Options(**vars(parser.parse_args()))


def main(options: Options) -> None:
    directory = Path(options.to)
    directory.mkdir(parents=True, exist_ok=True)
    learner = Learner(options)
    if (directory / "checkpoint.pt").exists():
        learner.restore(directory / "checkpoint.pt")
    learner.train(directory)
    made = {"by": "examples/ppo.py", "options": dataclasses.asdict(options), "curve": learner.curve}
    for path in filter(None, [str(directory / "network.npz"), options.export]):
        learner.network.export(Path(path), learner.settings, made)


if __name__ == "__main__":
    main(parse())
