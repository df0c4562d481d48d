"""Games that a network plays with itself, for learning: the cores play one half of them while the device thinks."""

import copy
import functools
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import numpy as np
import torch

from tamaya.arena.batches import cores
from tamaya.environments import VectorHanabi
from tamaya.environments.loop import step_games
from tamaya.jit import in_parts
from tamaya.learn.towers import Tower
from tamaya.learn.unpacking import Unpacker

NOT_LEGAL = -1e9


@functools.cache
def step_together() -> Any:
    """Makes moves in games on all cores: a function of state, plan, buffers, actions and the edges of the parts."""
    return in_parts(step_games)


def compiled(function: Any, device: str) -> Any:
    """A function that PyTorch compiles for a GPU."""
    return function if device == "cpu" else torch.compile(function, fullgraph=True, dynamic=False)


def captured(function: Any, device: str) -> Any:
    """What a function does, without arguments or results, as one graph of a GPU; it runs a few times before."""
    if device == "cpu":
        return function
    side = torch.cuda.Stream()
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

    def __init__(self, policy: Tower, unpack: Unpacker, dtype: Any, device: str) -> None:
        self.policy, self.unpack, self.dtype = policy, unpack, dtype
        self.draw = compiled(self.drawn, device)
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

    def drawn(self, rows: Any, legal: Any, noise: Any) -> tuple[Any, Any, Any]:
        """The inputs of some games, an action for each by the chances of all, and the logarithms of their chances."""
        inputs = self.unpack(rows, self.dtype)
        logits = self.logits(inputs[:, : self.unpack.length], legal != 0)
        actions = (logits - noise.log()).argmax(1)
        return inputs, actions, logits.gather(1, actions[:, None])[:, 0]

    def logits(self, inputs: Any, masks: Any) -> Any:
        """The logarithms of the chances of all actions."""
        return torch.log_softmax(self.twin(inputs, self.rounded).masked_fill(~masks, NOT_LEGAL), 1)


class Group:
    """Some of the games: while the cores make their moves, the device thinks about those of another group."""

    def __init__(self, actor: Actor, games: int, part: slice, device: str, seed: int, pool: ThreadPoolExecutor) -> None:
        self.actor, self.part, self.device, self.pool = actor, part, device, pool
        self.envs = VectorHanabi(
            games, actor.unpack.settings, observation_type="insight", encoding="bits", rewards="points", checks=False
        )
        self.envs.reset(seed=seed)
        self.edges = np.linspace(0, games, 4 * cores() + 1).astype(np.int64)
        buffers = self.envs.games.buffers
        self.rows, self.masks = pin(buffers.observations, device), pin(buffers.action_masks, device)
        self.chosen = pin(np.zeros(games, np.int64), device)
        self.seen = torch.zeros_like(self.rows, device=device)
        self.legal = torch.ones(games, self.envs.num_actions, dtype=torch.int8, device=device)
        self.noise = torch.ones(games, self.envs.num_actions, device=device)
        self.inputs = torch.zeros(games, actor.unpack.width, dtype=actor.dtype, device=device)
        self.actions = torch.zeros(games, dtype=torch.int64, device=device)
        self.likelihoods = torch.zeros(games, device=device)
        self.replay = captured(self.decide, device)
        self.moving: Future[None] | None = None
        self.event = torch.cuda.Event() if device != "cpu" else None

    @torch.no_grad()
    def decide(self) -> None:
        """Draws an action for each game."""
        results = self.actor.draw(self.seen, self.legal, self.noise)
        for mine, result in zip((self.inputs, self.actions, self.likelihoods), results, strict=True):
            mine.copy_(result)

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
        games = self.envs.games
        if self.device == "cpu":
            self.envs.step(self.chosen.numpy())
        else:
            step_together()(games.state, games.plan, games.buffers, self.chosen.numpy(), self.edges)
        ends, scores, strict_scores = games.buffers.terminations, games.buffers.scores, games.buffers.strict_scores
        batch.rewards[step, self.part] = games.buffers.rewards - price * ends * (scores - strict_scores)
        batch.ends[step, self.part] = ends

    def finish(self) -> None:
        """Waits until the moves are made."""
        if self.moving is not None:
            self.moving.result()
        self.moving = None
        if self.event is not None:
            self.event.synchronize()


class SelfPlay:
    """All games, in two groups that take turns."""

    def __init__(self, actor: Actor, games: int, device: str, seed: int) -> None:
        half, pool = games // 2, ThreadPoolExecutor(1)
        parts = (slice(0, half), slice(half, 2 * half))
        self.groups = [Group(actor, half, part, device, seed + number, pool) for number, part in enumerate(parts, 1)]

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
def greedy_scores(actor: Actor, games: int, seed: int, device: str) -> np.ndarray:
    """The strict scores of games in which every seat makes the likeliest move."""
    envs = VectorHanabi(games, actor.unpack.settings, observation_type="insight", encoding="bits", restart=False)
    buffers, ended = envs.games.buffers, np.zeros(games, bool)
    envs.reset(seed=seed)
    infos: dict[str, np.ndarray] = {}
    while not ended.all():
        rows, masks = (torch.from_numpy(one).to(device) for one in (buffers.observations, buffers.action_masks))
        inputs = actor.unpack(rows, actor.dtype)[:, : actor.unpack.length]
        _, _, ends, _, infos = envs.step(actor.logits(inputs, masks != 0).argmax(1).cpu().numpy())
        ended |= ends
    envs.close()
    return infos["strict_score"].astype(np.float64)
