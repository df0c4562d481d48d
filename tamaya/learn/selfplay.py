"""Games that a network plays with itself, for learning: the cores play one half of them while the device thinks."""

import copy
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import numpy as np
import torch

from tamaya.core.settings import Settings
from tamaya.environments import VectorHanabi
from tamaya.learn.towers import Tower
from tamaya.learn.unpacking import Unpacker

NOT_LEGAL = -1e9


def captured(function: Any, device: str, priority: int = 0) -> Any:
    """What a function does, without arguments or results, as one graph of a GPU; it runs a few times before.

    A GPU prefers work of a lower priority number.
    """
    if device == "cpu":
        return function
    side = torch.cuda.Stream(priority=priority)
    side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):
        for _ in range(3):
            function()
    torch.cuda.current_stream().wait_stream(side)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph, stream=side):
        function()
    return graph.replay


def pin(array: np.ndarray, device: str) -> Any:
    """A tensor that shares the memory of an array, which a GPU can read directly."""
    if device != "cpu":
        torch.cuda.cudart().cudaHostRegister(array.ctypes.data, array.nbytes, 0)
    return torch.from_numpy(array)


class Batch:
    """Moves to learn from, [step, game], and the positions after the last of them."""

    def __init__(self, steps: int, games: int, width: int, actions: int, device: str, dtype: Any) -> None:
        self.inputs = torch.zeros(steps + 1, games, width, dtype=dtype, device=device)
        self.masks = torch.zeros(steps, games, actions, dtype=torch.bool, device=device)
        self.actions = torch.zeros(steps, games, dtype=torch.int64, device=device)
        self.likelihoods = torch.zeros(steps, games, device=device)
        """The logarithms of the chances that the moves had when they were made."""
        self.rewards = np.zeros((steps, games), np.float32)
        self.ends = np.zeros((steps, games), np.float32)


class Actor:
    """A copy of a policy that stays the same while its original learns."""

    def __init__(self, policy: Tower, dtype: Any) -> None:
        self.policy, self.dtype = policy, dtype
        self.twin = copy.deepcopy(policy).requires_grad_(False)
        self.rounded = [[one.clone() for one in layer] for layer in self.twin.rounded(dtype)]

    @torch.no_grad()
    def refresh(self) -> None:
        """Takes over what the original has learned."""
        for mine, layer in zip(self.rounded, self.policy.rounded(self.dtype), strict=True):
            for old, new in zip(mine, layer, strict=True):
                old.copy_(new)
        for mine, learned in zip(self.twin.head.parameters(), self.policy.head.parameters(), strict=True):
            mine.copy_(learned)

    def logits(self, inputs: Any, masks: Any) -> Any:
        """The logarithms of the chances of all actions."""
        return torch.log_softmax(self.twin(inputs, self.rounded).masked_fill(~masks, NOT_LEGAL), 1)


class Group:
    """Some of the games: while the cores make their moves, the device thinks about those of another group."""

    def __init__(self, actor: Actor, unpack: Unpacker, games: int, part: slice, device: str, seed: int) -> None:
        self.actor, self.unpack, self.part, self.device = actor, unpack, part, device
        self.envs = VectorHanabi(
            games, unpack.settings, observation_type="insight", encoding="bits", rewards="points", checks=False
        )
        self.envs.reset(seed=seed)
        buffers, plan = self.envs.games.buffers, unpack.plan
        self.rows, self.masks = pin(buffers.observations, device), pin(buffers.action_masks, device)
        self.chosen = pin(np.zeros(games, np.int64), device)
        self.seen = torch.zeros_like(self.rows, device=device)
        self.legal = torch.ones(games, self.envs.num_actions, dtype=torch.int8, device=device)
        self.noise = torch.ones(games, self.envs.num_actions, device=device)
        self.inputs = torch.zeros(games, int(plan.width), dtype=actor.dtype, device=device)
        self.actions = torch.zeros(games, dtype=torch.int64, device=device)
        self.likelihoods = torch.zeros(games, device=device)
        self.replay = captured(self.decide, device, priority=-1)
        self.pool = ThreadPoolExecutor(1)
        self.moving: Future[None] | None = None
        self.event = torch.cuda.Event() if device != "cpu" else None

    @torch.no_grad()
    def decide(self) -> None:
        """Draws an action for each game, by the chances that the policy gives them."""
        self.inputs.copy_(self.unpack(self.seen, self.actor.dtype))
        logits = self.actor.logits(self.inputs[:, : int(self.unpack.plan.length)], self.legal != 0)
        self.actions.copy_((logits - self.noise.log()).argmax(1))
        self.likelihoods.copy_(logits.gather(1, self.actions[:, None])[:, 0])

    def think(self, batch: Batch, step: int, generator: Any) -> None:
        """Has the device look at the games and choose actions, unless the batch is full."""
        self.seen.copy_(self.rows, non_blocking=True)
        self.legal.copy_(self.masks, non_blocking=True)
        self.noise.exponential_(generator=generator)
        self.replay()
        batch.inputs[step, self.part] = self.inputs
        if step < len(batch.actions):
            batch.masks[step, self.part] = self.legal != 0
            batch.actions[step, self.part] = self.actions
            batch.likelihoods[step, self.part] = self.likelihoods
            self.chosen.copy_(self.actions, non_blocking=True)
        if self.event is not None:
            self.event.record()

    def move(self, batch: Batch, step: int, price: float) -> None:
        """Lets the cores make the moves, once the device has chosen them."""
        if self.event is not None:
            self.event.synchronize()
        self.moving = self.pool.submit(self._move, batch, step, price)

    def _move(self, batch: Batch, step: int, price: float) -> None:
        _, points, ends, _, infos = self.envs.step(self.chosen.numpy())
        lost = price * ends * (infos["score"] - infos["strict_score"])
        batch.rewards[step, self.part], batch.ends[step, self.part] = points - lost, ends

    def finish(self) -> None:
        """Waits until the moves are made."""
        if self.moving is not None:
            self.moving.result()
        self.moving = None
        if self.event is not None:
            self.event.synchronize()


class SelfPlay:
    """All games, in two groups that take turns."""

    def __init__(self, actor: Actor, unpack: Unpacker, games: int, device: str, seed: int) -> None:
        half = games // 2
        parts = (slice(0, half), slice(half, 2 * half))
        self.groups = [
            Group(actor, unpack, half, part, device, seed + number) for number, part in enumerate(parts, 1)
        ]

    def collect(self, batch: Batch, price: float, generator: Any) -> None:
        """Fills a batch; a lost last life costs a share of the points, the price."""
        one, two = self.groups
        for group in self.groups:
            group.think(batch, 0, generator)
        one.move(batch, 0, price)
        for step in range(1, len(batch.actions) + 1):
            two.move(batch, step - 1, price)
            one.finish()
            one.think(batch, step, generator)
            if step < len(batch.actions):
                one.move(batch, step, price)
            two.finish()
            two.think(batch, step, generator)
        for group in self.groups:
            group.finish()


@torch.no_grad()
def greedy_scores(actor: Actor, settings: Settings, games: int, seed: int, device: str) -> np.ndarray:
    """The strict scores of games in which every seat makes the likeliest move."""
    envs = VectorHanabi(games, settings, observation_type="insight", encoding="bits", restart=False)
    unpack, ended = Unpacker(settings, device), np.zeros(games, bool)
    envs.reset(seed=seed)
    buffers, length = envs.games.buffers, int(unpack.plan.length)
    infos: dict[str, np.ndarray] = {}
    while not ended.all():
        inputs = unpack(torch.from_numpy(buffers.observations).to(device), actor.dtype)
        logits = actor.logits(inputs[:, :length], torch.from_numpy(buffers.action_masks).to(device) != 0)
        _, _, ends, _, infos = envs.step(logits.argmax(1).cpu().numpy())
        ended |= ends
    envs.close()
    return infos["strict_score"].astype(np.float64)
