"""Proximal policy optimization in self-play: a learner to start from, in one file.

One policy plays all seats. It sees what a player can know and says how likely each action is. A value sees the player's
own hand too, which is allowed while learning, and says how many points will follow.

    python ppo.py --to small
    tamaya match "network(small/network.npz)" --players 2 --colours 2

A training that was stopped goes on from its last checkpoint when the command is given again.
"""

import argparse
import dataclasses
import time
from pathlib import Path

import numpy as np

from tamaya import Settings
from tamaya.environments import VectorHanabi
from tamaya.training import VECTOR, TowerNetwork

try:
    import torch
    from torch import nn
except ImportError:
    raise SystemExit("ppo.py needs PyTorch: pip install 'tamaya[learn]'") from None

GAMES = {"small": Settings(players=2, colours=2), "full": Settings(players=2)}
TRAINING_DECKS, EVALUATION_DECKS = 10**9, 10**6  # seeds: matches deal other decks than these, unless told to
VALUE_UNIT = 5.0  # the points for which the value's output is 1


def option(default, text, least=1, most=10**12):
    """A field with its default, what it is, and its limits."""
    return dataclasses.field(default=default, metadata={"text": text, "limits": (least, most)})


@dataclasses.dataclass(frozen=True)
class Options:
    """What can be set on the command line, with the defaults of the small game."""

    to: str = option("ppo", "the directory of the checkpoint, the curve and the network")
    game: str = option("small", "small, with 2 of the 5 colours, or full; both have 2 players")
    device: str = option("cpu", "cpu, or cuda for a graphics card")
    seed: int = option(1, "of all random choices", 0, 10**9)
    moves: int = option(10_000_000, "the moves of all games together")
    games: int = option(512, "the games played at a time")
    steps: int = option(32, "the moves of each game before the network is improved")
    batch: int = option(2048, "the moves per gradient step")
    epochs: int = option(4, "how often each move is learned from")
    hidden: int = option(128, f"the neurons of a layer, a multiple of {VECTOR}", VECTOR, 4096)
    layers: int = option(2, "the layers of the policy, and of the value", 1, 8)
    rate: float = option(1e-3, "the rate of learning, falling to 0", 1e-9, 1)
    entropy: float = option(0.03, "the weight of the entropy, falling to a hundredth of it", 0, 1)
    price: float = option(0.2, "the share of the points that a lost last life costs at first", 0, 1)
    daring: float = option(0.08, "the share of the training after which it costs all points", 1e-3, 1)
    decay: float = option(0.95, "lambda of the generalized advantage estimation", 0, 1)
    clip: float = option(0.2, "how far a probability may move, as a share of itself", 1e-3, 1)
    evaluations: int = option(20, "the points of the learning curve")


FULL = {"moves": 10**9, "games": 8192, "steps": 40, "batch": 32768, "epochs": 1, "hidden": 512, "layers": 3}
DEFAULTS = {"small": Options(), "full": Options(game="full", rate=5e-4, entropy=0.05, **FULL)}


class Tower(nn.Module):
    """Layers that are normalised, rectified and added to the layer below, and a head."""

    def __init__(self, inputs: int, options: Options, outputs: int, gain: float) -> None:
        super().__init__()
        below = [inputs, *[options.hidden] * (options.layers - 1)]
        self.layers = nn.ModuleList(nn.Linear(size, options.hidden) for size in below)
        self.norms = nn.ModuleList(nn.LayerNorm(options.hidden) for _ in below)
        self.head = nn.Linear(options.hidden, outputs)
        for layer, strength in [*((one, 2**0.5) for one in self.layers), (self.head, gain)]:
            nn.init.orthogonal_(layer.weight, strength)
            nn.init.zeros_(layer.bias)

    def forward(self, values: torch.Tensor) -> torch.Tensor:
        """The outputs of the head."""
        for number, (layer, norm) in enumerate(zip(self.layers, self.norms, strict=True)):
            active = norm(layer(values)).relu()
            values = active + values if number else active
        return self.head(values)

    def arrays(self, unit: float = 1.0) -> list[list]:
        """Biases and weights of the layers and the head, in a unit of the outputs; scales and shifts of the norms."""
        layers = [(one.bias, one.weight) for one in self.layers]
        head, norms = (unit * self.head.bias, unit * self.head.weight), [(one.weight, one.bias) for one in self.norms]
        return [
            [tuple(one.detach().cpu().numpy() for one in pair) for pair in some] for some in ([*layers, head], norms)
        ]


class Network(nn.Module):
    """What players see and then their own hands in, the log-probabilities of all actions and the values out."""

    def __init__(self, seen: int, width: int, actions: int, options: Options) -> None:
        super().__init__()
        self.seen = seen
        self.policy = Tower(seen, options, actions, gain=0.01)  # at first, all actions are about equally likely
        self.value = Tower(width, options, 1, gain=1.0)

    def forward(self, observations: torch.Tensor, masks: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """The log-probabilities, very low for actions that are not legal, and the values in points."""
        inputs = observations.float() / 255
        logits = self.policy(inputs[:, : self.seen]).masked_fill(masks == 0, -1e9)
        return logits.log_softmax(1), VALUE_UNIT * self.value(inputs)[:, 0]

    def export(self, path: Path, settings: Settings, made: dict) -> None:
        """Writes a file for ``network(FILE)``."""
        new = path.with_suffix(".new")
        new.unlink(missing_ok=True)
        TowerNetwork(settings, *self.policy.arrays(), *self.value.arrays(VALUE_UNIT), made).write(new)
        new.replace(path)


def advantages_of(rewards: torch.Tensor, ends: torch.Tensor, values: torch.Tensor, decay: float) -> torch.Tensor:
    """Generalized advantage estimation, [step, game]; there is a value more than steps.

    The value sees all hands, so that of the next position is right whoever moves there.
    """
    goes_on, advantages, last = 1 - ends, torch.zeros_like(rewards), torch.zeros_like(rewards[0])
    surprises = rewards + goes_on * values[1:] - values[:-1]
    for step in reversed(range(len(rewards))):
        last = advantages[step] = surprises[step] + decay * goes_on[step] * last
    return advantages


class Learner:
    """A network, the games that it plays with itself, and how far it has come."""

    def __init__(self, options: Options) -> None:
        self.options, self.settings = options, GAMES[options.game]
        self.envs = VectorHanabi(options.games, self.settings, observation_type="insight", rewards="points")
        seen, own = (self.envs.observations[name].shape[1] for name in ("observation", "own_hand"))
        self.envs.reset(seed=TRAINING_DECKS + options.seed)
        torch.manual_seed(options.seed)
        self.network = Network(seen, seen + own, self.envs.num_actions, options).to(options.device)
        self.optimiser = torch.optim.Adam(self.network.parameters(), options.rate, eps=1e-5)
        self.chance = torch.Generator(options.device).manual_seed(options.seed)
        self.iterations = max(1, options.moves // (options.games * options.steps))
        self.iteration = 0
        self.curve: list[list[float]] = []

    @property
    def progress(self) -> float:
        """The share of the training that is done."""
        return self.iteration / self.iterations

    def tensor(self, buffer: np.ndarray) -> torch.Tensor:
        """A copy of a buffer of the environment on the device; a graphics card fetches it while the rest goes on."""
        tensor = torch.from_numpy(buffer)
        if self.options.device == "cpu":
            return tensor.clone()
        return tensor.pin_memory().to(self.options.device, non_blocking=True)

    def look(self, envs: VectorHanabi) -> tuple[torch.Tensor, torch.Tensor]:
        """What the players to move observe, their own hands behind it, and what they may do."""
        seen, own, masks = map(self.tensor, map(envs.observations.get, ("observation", "own_hand", "action_mask")))
        return torch.cat([seen, own], 1), masks

    def sample(self, logs: torch.Tensor) -> torch.Tensor:
        """Actions with these log-probabilities, by Gumbel's trick: with such noise added, the highest is a sample."""
        noise = torch.rand(logs.shape, generator=self.chance, device=logs.device)
        return (logs - (-noise.log()).log()).argmax(1)

    @torch.no_grad()
    def collect(self) -> list[torch.Tensor]:
        """Plays some steps: observations, masks, actions, their log-probabilities, advantages and returns, by move."""
        # Early on, losing the last life costs only a part of the points, so that play dares something.
        price, daring = self.options.price, self.options.daring
        share, rows = min(1.0, price + (1 - price) * self.progress / daring), []
        for _ in range(self.options.steps):
            observations, masks = self.look(self.envs)
            logs, values = self.network(observations, masks)
            actions = self.sample(logs)
            _, points, ends, _, infos = self.envs.step(actions.cpu().numpy())
            lost = share * ends * (infos["score"] - infos["strict_score"])
            outcome = self.tensor(points - lost).float(), self.tensor(ends).float()
            rows.append((observations, masks, actions, chosen(logs, actions), values, *outcome))
        *moves, values, rewards, ends = map(torch.stack, zip(*rows, strict=True))
        values = torch.cat([values, self.network(*self.look(self.envs))[1][None]])
        advantages = advantages_of(rewards, ends, values, self.options.decay)
        returns = advantages + values[:-1]
        advantages = (advantages - advantages.mean()) / (advantages.std(correction=0) + 1e-8)
        return [one.flatten(0, 1) for one in (*moves, advantages, returns)]

    def improve(self, moves: list[torch.Tensor]) -> None:
        """Takes gradient steps on the moves, in random batches."""
        for group in self.optimiser.param_groups:
            group["lr"] = self.options.rate * (1 - self.progress)
        for _ in range(self.options.epochs):
            order = torch.randperm(len(moves[0]), generator=self.chance, device=self.options.device)
            for batch in order.split(self.options.batch):
                self.optimiser.zero_grad()
                self.loss([one[batch] for one in moves]).backward()
                nn.utils.clip_grad_norm_(self.network.policy.parameters(), 0.5)
                nn.utils.clip_grad_norm_(self.network.value.parameters(), 1.0)
                self.optimiser.step()

    def loss(self, moves: list[torch.Tensor]) -> torch.Tensor:
        """The clipped surrogate, the squared error of the value, and the entropy."""
        observations, masks, actions, before, advantages, returns = moves
        logs, values = self.network(observations, masks)
        ratios = (chosen(logs, actions) - before).exp()
        clipped = ratios.clamp(1 - self.options.clip, 1 + self.options.clip)
        gain = torch.minimum(ratios * advantages, clipped * advantages).mean()
        entropy = -(logs.exp() * logs).sum(1).mean()
        weight = self.options.entropy * 0.01**self.progress
        return 0.5 * ((values - returns) / VALUE_UNIT).square().mean() - gain - weight * entropy

    @torch.no_grad()
    def evaluate(self, games: int = 1000) -> np.ndarray:
        """The strict scores of games in which every player makes the likeliest move."""
        envs = VectorHanabi(games, self.settings, observation_type="insight", restart=False)
        envs.reset(seed=EVALUATION_DECKS)
        ended = np.zeros(games, bool)
        while not ended.all():
            logs, _ = self.network(*self.look(envs))
            ended |= envs.step(logs.argmax(1).cpu().numpy())[2]
        envs.close()
        return envs.infos["strict_score"].astype(float)

    def save(self, path: Path) -> None:
        """Writes everything that the rest of the training depends on."""
        state = {
            "options": dataclasses.asdict(self.options),
            "network": self.network.state_dict(),
            "optimiser": self.optimiser.state_dict(),
            "games": [torch.from_numpy(one) for one in self.envs.save()],
            "chance": self.chance.get_state(),
            "iteration": self.iteration,
            "curve": self.curve,
        }
        torch.save(state, path.with_suffix(".new"))
        path.with_suffix(".new").replace(path)

    def restore(self, path: Path) -> None:
        """Goes on where a checkpoint was written."""
        try:
            state = torch.load(path, map_location="cpu", weights_only=True)
            mine, theirs = dataclasses.asdict(self.options), state["options"]
        except Exception as error:
            raise SystemExit(f"{path} is not a checkpoint; remove it, or give another directory") from error
        other = [f"--{key} {theirs.get(key)}" for key in mine if key != "to" and mine[key] != theirs.get(key)]
        if other:
            raise SystemExit(f"{path} was trained with {' '.join(other)}; give the same, or another directory")
        self.network.load_state_dict(state["network"])
        self.optimiser.load_state_dict(state["optimiser"])
        self.envs.restore([one.numpy() for one in state["games"]])
        self.chance.set_state(state["chance"])
        self.iteration, self.curve = state["iteration"], state["curve"]

    def train(self, directory: Path) -> None:
        """Trains to the end; as often as the curve has points, it evaluates the network and writes everything."""
        start, first, points = time.monotonic(), self.iteration, self.options.evaluations
        while self.iteration < self.iterations:
            self.improve(self.collect())
            self.iteration += 1
            if self.iteration * points // self.iterations > (self.iteration - 1) * points // self.iterations:
                seconds = (time.monotonic() - start) / (self.iteration - first)
                self.report(directory, seconds)

    def report(self, directory: Path, seconds: float) -> None:
        """Evaluates the network, and writes the network, the curve and the checkpoint."""
        scores, per_iteration = self.evaluate(), self.options.games * self.options.steps
        moves, score, error = self.iteration * per_iteration, scores.mean(), scores.std() / len(scores) ** 0.5
        self.curve.append([moves, float(score), float(error)])
        made = {"by": "examples/ppo.py", "options": dataclasses.asdict(self.options), "curve": self.curve}
        self.network.export(directory / "network.npz", self.settings, made)
        draw(self.curve, directory, self.settings.max_score)
        self.save(directory / "checkpoint.pt")  # last, so that whatever stops it before is done again
        pace = f"{per_iteration / seconds:,.0f} moves per second"
        left = f"{(self.iterations - self.iteration) * seconds:.0f} s left"
        print(f"{moves:,} moves: {score:.2f} +- {1.96 * error:.2f} points, {pace}, {left}", flush=True)


def chosen(logs: torch.Tensor, actions: torch.Tensor) -> torch.Tensor:
    """The log-probabilities of the actions that were chosen."""
    return logs.gather(1, actions[:, None])[:, 0]


def draw(curve: list[list[float]], directory: Path, most: int) -> None:
    """Writes the learning curve as a table and, with matplotlib, as a picture."""
    lines = ["moves,score,standard_error", *(f"{moves},{score:.4f},{error:.4f}" for moves, score, error in curve)]
    (directory / "curve.csv").write_text("\n".join(lines) + "\n")
    try:
        from matplotlib.figure import Figure
    except ImportError:
        return
    figure = Figure((6, 4), layout="constrained")
    axes = figure.subplots()
    moves, scores, errors = np.array(curve).T
    axes.errorbar(moves, scores, 1.96 * errors)
    axes.set(xlabel="moves", ylabel="points of 1,000 games", ylim=(0, most))
    figure.savefig(directory / "curve.png")


def parse(words: list[str] | None = None) -> Options:
    """The options of the command line; what is not given is as the game has it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for one in dataclasses.fields(Options):
        defaults = dict.fromkeys(str(getattr(DEFAULTS[game], one.name)) for game in GAMES)
        parser.add_argument(
            f"--{one.name}",
            type=type(one.default),
            choices={"game": list(GAMES), "device": ["cpu", "cuda"]}.get(one.name),
            default=argparse.SUPPRESS,
            help=one.metadata["text"] + f" (default: {', full game: '.join(defaults)})" * (one.name != "game"),
        )
    given = vars(parser.parse_args(words))
    for one in dataclasses.fields(Options):
        (least, most), value = one.metadata["limits"], given.get(one.name, one.default)
        if not isinstance(value, str) and not least <= value <= most:
            parser.error(f"argument --{one.name}: {value:g} is not from {least:g} to {most:g}")
    if given.get("hidden", VECTOR) % VECTOR:
        parser.error(f"argument --hidden: {given['hidden']} is not a multiple of {VECTOR}")
    if given.get("device") == "cuda" and not torch.cuda.is_available():
        parser.error("argument --device: PyTorch finds no graphics card here; leave it out to use the processor")
    return dataclasses.replace(DEFAULTS[given.get("game", "small")], **given)


def main(options: Options) -> None:
    directory = Path(options.to)
    checkpoint = directory / "checkpoint.pt"
    if options.device == "cuda":
        torch.set_float32_matmul_precision("high")
    try:
        directory.mkdir(parents=True, exist_ok=True)
        learner = Learner(options)
        if checkpoint.exists():
            learner.restore(checkpoint)
        learner.train(directory)
    except KeyboardInterrupt:
        kept = f"goes on from {checkpoint}" if checkpoint.exists() else "begins anew, as there is no checkpoint yet"
        raise SystemExit(f"stopped; the same command {kept}") from None
    except OSError as error:
        raise SystemExit(f"{directory} cannot be used: {error}") from None
    _, score, error = learner.curve[-1]
    print(f"{directory / 'network.npz'}: {score:.2f} +- {1.96 * error:.2f} points")


if __name__ == "__main__":
    main(parse())
