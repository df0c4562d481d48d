"""Proximal policy optimisation in self-play, from nothing to a network that plays: Schulman et al. 2017.

All seats share a policy, which sees what a seat sees, and a value, which sees all hands and exists for learning and for
searches. On a processor, everything follows from the options, the seed and the number of threads, whenever training is
stopped in between.
"""

import math
import time
from collections.abc import Callable, Iterator
from typing import Any

import msgspec
import torch
from torch import nn
from torch.nn import functional

from tamaya.engine.jit import ctrl_c_held_back
from tamaya.game.hle.layout import count_moves
from tamaya.learn.ppo.hyperparameters import Course, Point
from tamaya.learn.ppo.self_play import NOT_LEGAL, Actor, TrainingGames, Trajectories, captured, compiled, greedy_scores
from tamaya.learn.ppo.torch_networks import Tower, Unpacker

EVALUATION_SEED, TRAINING_SEED = 1 << 40, 1 << 41
"""The decks of the learning curve, and those of training, to which the seed of a course is added.

Nobody else has them: what was trained has never seen the decks of a match, whatever the seeds of both.
"""

VALUE_UNIT = 5.0
"""The points for which the output of the value is 1."""

WARM_UP = 0.008
"""The share of the training after which the rate of learning is at its highest."""


class Trainer:
    """Networks in training, the games that they play, and where they stand."""

    def __init__(self, course: Course, device: str = "cpu") -> None:
        torch.manual_seed(course.seed)
        torch.set_float32_matmul_precision("high")
        self.course, self.device = course, device
        self.dtype = torch.float32 if device == "cpu" else torch.bfloat16
        unpack, actions = Unpacker(course.settings, device), count_moves(course.settings)
        width = unpack.width
        self.policy = Tower(unpack.length, course.hidden, actions, 0.01).to(device)
        self.value = Tower(width, course.hidden, 1, 1.0).to(device)
        self.weights = [*self.policy.parameters(), *self.value.parameters()]
        self.rate, self.entropy = torch.tensor(course.rate, device=device), torch.tensor(course.entropy, device=device)
        is_cuda = device != "cpu"
        self.optimiser = torch.optim.Adam(
            self.weights, self.rate if is_cuda else course.rate, eps=1e-5, fused=is_cuda, capturable=is_cuda
        )
        self.generator = torch.Generator(device).manual_seed(course.seed)
        self.actor = Actor(self.policy, unpack, self.dtype, device)
        self.batch = Trajectories(course.steps, course.games, width, actions, device, self.dtype)
        self.play = TrainingGames(self.actor, self.batch, device, TRAINING_SEED + course.seed)
        self.assess = compiled(self.loss, device)
        self.valued = compiled(self.values, device)
        size = course.steps * course.games
        self.targets = [torch.zeros(size, device=device) for _ in range(2)]
        self.chosen = torch.zeros(min(course.batch, size), dtype=torch.int64, device=device)
        self.figures = torch.zeros(3, device=device)
        self.seconds, self.iteration = 0.0, 0
        self.curve: list[Point] = []
        self.made: dict[str, Any] = {}
        """How the network was made from which it started."""
        self.tell: Callable[[int], None] = lambda moves: None
        """Is told of the moves that were made and learned from."""
        self.capture()

    def capture(self) -> None:
        """Makes graphs of the gradient steps, which run on the way, and undoes them."""
        before = [one.detach().clone() for one in self.weights]
        self.judged, self.stepped = captured(self.judge, self.device), captured(self.step, self.device)
        with torch.no_grad():
            for one, old in zip(self.weights, before, strict=True):
                one.copy_(old)
            self.clear_moments()
        self.figures.zero_()

    def step(self) -> None:
        """A gradient step on the chosen moves of the batch."""
        batch, chosen = self.batch, self.chosen
        self.optimiser.zero_grad(set_to_none=self.device == "cpu")
        inputs = batch.inputs[:-1].flatten(0, 1)[chosen]
        moves = (one.flatten(0, 1)[chosen] for one in (batch.masks, batch.actions, batch.likelihoods))
        loss, figures = self.assess(inputs, *moves, *(one[chosen] for one in self.targets), self.entropy)
        loss.backward()
        self.figures += figures
        nn.utils.clip_grad_norm_(self.policy.parameters(), 0.5, foreach=True)
        nn.utils.clip_grad_norm_(self.value.parameters(), 1.0, foreach=True)
        self.optimiser.step()

    def loss(self, *moves: Any) -> tuple[Any, Any]:
        """The clipped surrogate, less the entropy, and the squared error of the value; and figures about them."""
        inputs, masks, actions, before, advantages, returns, weight = moves
        chances = torch.log_softmax(
            self.policy(inputs[:, : self.actor.unpack.length]).masked_fill(~masks, NOT_LEGAL), 1
        )
        likelihoods = chances.gather(1, actions[:, None])[:, 0]
        entropy = -torch.where(masks, chances.exp() * chances, 0.0).sum(1).mean()
        change = likelihoods - before
        ratios = change.exp()
        clipped = ratios.clamp(1 - self.course.clip, 1 + self.course.clip)
        gain = torch.minimum(ratios * advantages, clipped * advantages).mean()
        value_loss = functional.mse_loss(self.value(inputs)[:, 0], returns / VALUE_UNIT)
        figures = torch.stack([entropy, (ratios - 1 - change).mean(), value_loss]).detach()
        return 0.5 * value_loss - gain - weight * entropy, figures

    def values(self, inputs: Any) -> Any:
        """The points that positions are worth."""
        return VALUE_UNIT * self.value(inputs)[..., 0]

    @torch.no_grad()
    def judge(self) -> None:
        """Works out the advantages of the moves, and what followed them."""
        values = self.valued(self.batch.inputs)
        rewards, goes_on = self.batch.rewards, 1 - self.batch.ends
        surprises = rewards + goes_on * values[1:] - values[:-1]
        advantages, last = torch.zeros_like(rewards), torch.zeros_like(rewards[0])
        for step in reversed(range(len(rewards))):
            last = advantages[step] = surprises[step] + self.course.decay * goes_on[step] * last
        self.targets[1].copy_((advantages + values[:-1]).flatten())
        self.targets[0].copy_(((advantages - advantages.mean()) / (advantages.std() + 1e-5)).flatten())

    @property
    def progress(self) -> float:
        """The share of the training that is done."""
        return self.iteration / self.course.iterations

    def collect(self) -> None:
        """Fills the batch with moves of the policy as it is."""
        self.actor.refresh()
        price = min(1.0, self.course.price + (1 - self.course.price) * self.progress / self.course.daring)
        self.play.collect(price, self.generator)

    def learn(self) -> None:
        """Improves the networks by the batch; on a GPU, this goes on after it returns."""
        warmth = min(1.0, (self.iteration + 1) / max(1.0, WARM_UP * self.course.iterations))
        rate = self.course.rate * (1 - self.progress) * warmth
        if self.device == "cpu":
            self.optimiser.param_groups[0]["lr"] = rate
        self.rate.fill_(rate)
        first, last = self.course.entropy, min(self.course.entropy, self.course.last_entropy)
        self.entropy.fill_(first * (last / first) ** self.progress)
        self.judged()
        for _ in range(self.course.epochs):
            order = torch.randperm(len(self.targets[0]), generator=self.generator, device=self.device)
            for chosen in order.split(len(self.chosen))[: self.steps_per_epoch]:
                self.chosen.copy_(chosen)
                self.stepped()

    @property
    def steps_per_epoch(self) -> int:
        """The gradient steps on all moves of a batch; moves that do not fill another one are left out."""
        return len(self.targets[0]) // len(self.chosen)

    def points(self, seconds: float = math.inf) -> Iterator[Point]:
        """Trains to the end, or for some time, and yields a point of the learning curve now and then."""
        end, is_late = time.monotonic() + seconds, False
        if self.is_point_due:
            yield self.point()
        while self.iteration < self.course.iterations and not is_late:
            if self.go_on(end):
                yield self.point()
            is_late = time.monotonic() >= end

    @property
    def is_point_due(self) -> bool:
        """Whether the training was stopped while a point of the learning curve was measured."""
        reached = self.curve[-1].moves if self.curve else 0
        is_here = self.iteration % self.course.every == 0 or self.iteration >= self.course.iterations
        return is_here and reached < self.iteration * self.course.moves_at_a_time

    def go_on(self, end: float) -> bool:
        """Improves the networks, once at least, until the next point of the curve; whether there was time for that.

        Ctrl-C is heard between two improvements, so that whoever catches it can keep what was learned.
        """
        start, every = time.monotonic(), self.course.every
        goal = min(self.course.iterations, self.iteration - self.iteration % every + every)
        try:
            while self.iteration < goal:
                with ctrl_c_held_back():
                    self.collect()
                    self.learn()
                    self.iteration += 1
                    self.tell(self.course.moves_at_a_time)
                if time.monotonic() >= end:
                    break
        finally:
            self.figures.tolist()  # waits for the device
            self.seconds += time.monotonic() - start
        return self.iteration == goal

    def point(self) -> Point:
        """Adds a point to the learning curve."""
        last = self.curve[-1] if self.curve else None
        times = self.iteration - (last.moves // self.course.moves_at_a_time if last else 0)
        figures = (self.figures / (times * self.course.epochs * self.steps_per_epoch)).tolist()
        seconds = self.seconds - (last.seconds if last else 0.0)
        if not all(map(math.isfinite, figures)):
            raise self.overgrown
        self.actor.refresh()
        scores = greedy_scores(self.actor, self.course.matches, EVALUATION_SEED, self.device)
        point = Point(
            self.iteration * self.course.moves_at_a_time,
            float(scores.mean()),
            float(scores.std() / math.sqrt(len(scores))),
            float((scores == self.course.settings.max_score).mean()),
            self.seconds,
            times * self.course.moves_at_a_time / seconds,
            *figures,
        )
        with ctrl_c_held_back():
            self.curve.append(point)
            self.figures.zero_()
        return point

    @property
    def threads(self) -> int:
        """The threads on a processor, on which the weights depend."""
        return int(torch.get_num_threads())

    @property
    def overgrown(self) -> ValueError:
        """What is wrong if the weights are not usable."""
        words = f"choose a rate below {self.course.rate:g}, and another directory"
        return ValueError(f"the weights grew beyond all numbers; {words}")

    def check_weights(self) -> None:
        """Raises an error if the weights are not usable."""
        if not all(bool(torch.isfinite(one).all()) for one in self.weights):
            raise self.overgrown

    def state(self) -> dict[str, Any]:
        """Everything that the rest of the training depends on."""
        return {
            "course": msgspec.json.encode(self.course),
            "device": self.device,
            "threads": self.threads,
            "weights": [one.detach().cpu() for one in self.weights],
            "moments": [
                {name: moment.cpu() for name, moment in self.optimiser.state[one].items()} for one in self.weights
            ],
            "games": [torch.from_numpy(one) for one in self.play.save()],
            "generator": self.generator.get_state(),
            "iteration": self.iteration,
            "seconds": self.seconds,
            "figures": self.figures.cpu(),
            "curve": msgspec.json.encode(self.curve),
            "made": msgspec.json.encode(self.made),
        }

    def make_moments(self) -> None:
        """Lets the optimiser make room for what it keeps, as if it had made no step yet."""
        for one in self.weights:
            one.grad = torch.zeros_like(one)
        self.optimiser.step()
        self.clear_moments()

    def clear_moments(self) -> None:
        """Forgets what the optimiser has kept of its steps."""
        for one in self.weights:
            for moment in self.optimiser.state.get(one, {}).values():
                moment.zero_()

    @torch.no_grad()
    def restore(self, state: dict[str, Any]) -> None:
        """Goes on where a state was taken."""
        torch.set_num_threads(state["threads"])
        if not self.optimiser.state:
            self.make_moments()
        for one, old, moments in zip(self.weights, state["weights"], state["moments"], strict=True):
            one.copy_(old)
            for name, moment in moments.items():
                self.optimiser.state[one][name].copy_(moment)
        self.play.restore([one.numpy() for one in state["games"]])
        self.generator.set_state(state["generator"])
        self.iteration, self.seconds = state["iteration"], state["seconds"]
        self.figures.copy_(state["figures"])
        self.curve = msgspec.json.decode(state["curve"], type=list[Point])
        self.made = msgspec.json.decode(state["made"])
