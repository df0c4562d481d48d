"""Games that a network plays with itself, for learning; on a GPU, the games are there too."""

import copy
import functools
from collections.abc import Sequence
from typing import Any

import numpy as np
import torch

from tamaya.engine.settings import Settings
from tamaya.environments import VectorHanabi
from tamaya.learn.ppo.torch_networks import Tower, Unpacker

NOT_LEGAL = -1e9


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


class Trajectories:
    """Moves to learn from, [step, game], and the positions after the last of them."""

    def __init__(self, steps: int, games: int, width: int, actions: int, device: str, dtype: Any) -> None:
        self.inputs = torch.zeros(steps + 1, games, width, dtype=dtype, device=device)
        self.masks = torch.zeros(steps, games, actions, dtype=torch.bool, device=device)
        self.actions = torch.zeros(steps, games, dtype=torch.int64, device=device)
        self.likelihoods = torch.zeros(steps, games, device=device)
        """The logarithms of the chances that the moves had when they were made."""
        self.rewards = torch.zeros(steps, games, device=device)
        self.ends = torch.zeros(steps, games, device=device)


class Actor:
    """A copy of a policy that stays the same while its original learns."""

    def __init__(self, policy: Tower, unpack: Unpacker, dtype: Any, device: str) -> None:
        self.policy, self.unpack, self.dtype = policy, unpack, dtype
        self.draw, self.see = compiled(self.drawn, device), compiled(unpack, device)
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

    def drawn(self, rows: Any, masks: Any, noise: Any) -> tuple[Any, Any, Any]:
        """The inputs of some games, an action for each by the chances of all, and the logarithms of their chances."""
        inputs = self.unpack(rows, self.dtype)
        logits = self.logits(inputs[:, : self.unpack.length], masks != 0)
        actions = (logits - noise.log()).argmax(1)
        return inputs, actions, logits.gather(1, actions[:, None])[:, 0]

    def logits(self, inputs: Any, masks: Any) -> Any:
        """The logarithms of the chances of all actions."""
        return torch.log_softmax(self.twin(inputs, self.rounded).masked_fill(~masks, NOT_LEGAL), 1)


class Field:
    """Games that are played at a time; what a step writes are tensors of the device, in place."""

    def __init__(self, settings: Settings, games: int, seed: int, device: str, restart: bool = True) -> None:
        envs = VectorHanabi(
            games,
            settings,
            observation_type="insight",
            encoding="bits",
            rewards="points",
            restart=restart,
            checks=False,
        )
        self.actions = torch.zeros(games, dtype=torch.int64, device=device)
        self.games: Any = envs
        if device == "cpu":
            envs.reset(seed=seed)
            buffers, tensor = envs.games.buffers, torch.from_numpy
        else:
            from tamaya.environments.gpu_games import GpuGames

            envs.games.reseed(seed)
            self.games = GpuGames(envs.games)
            self.games.start(*self.told)
            buffers, tensor = self.games.buffers, functools.partial(torch.as_tensor, device=device)
        self.rows, self.masks = tensor(buffers.observations), tensor(buffers.action_masks)
        self.rewards, self.ends = tensor(buffers.rewards), tensor(buffers.terminations)
        self.scores, self.strict_scores = tensor(buffers.scores), tensor(buffers.strict_scores)

    @property
    def told(self) -> tuple[Any, Any]:
        """The actions, and the stream of the GPU into which PyTorch puts its own work, as numba knows them."""
        from tamaya.engine.jit.cuda import cuda

        stream = cuda.external_stream(torch.cuda.current_stream().cuda_stream)
        return cuda.as_cuda_array(self.actions), stream

    def step(self) -> None:
        """Makes the moves that the actions tell."""
        if self.actions.is_cuda:
            self.games.step(*self.told)
        else:
            self.games.step(self.actions.numpy())


class TrainingGames:
    """The games from which a policy learns."""

    def __init__(self, actor: Actor, batch: Trajectories, device: str, seed: int) -> None:
        self.actor, self.batch = actor, batch
        self.field = Field(actor.unpack.settings, batch.masks.shape[1], seed, device)
        self.noise = torch.ones(batch.masks.shape, device=device)
        self.price = torch.ones((), device=device)
        begun = self.save()
        self.turns = captured(self.take_turns, device)
        self.restore(begun)

    def collect(self, price: float, generator: Any) -> None:
        """Fills the batch; a lost last life costs a share of the points, the price."""
        self.price.fill_(price)
        self.noise.exponential_(generator=generator)
        self.turns()

    @torch.no_grad()
    def take_turns(self) -> None:
        """Draws an action for each game and makes it, until the batch is full."""
        field, batch = self.field, self.batch
        for step, noise in enumerate(self.noise):
            inputs, actions, likelihoods = self.actor.draw(field.rows, field.masks, noise)
            batch.inputs[step], batch.actions[step], batch.likelihoods[step] = inputs, actions, likelihoods
            batch.masks[step] = field.masks
            field.actions.copy_(actions)
            field.step()
            batch.ends[step] = field.ends
            batch.rewards[step] = field.rewards - self.price * field.ends * (field.scores - field.strict_scores)
        batch.inputs[-1] = self.actor.see(field.rows, self.actor.dtype)

    def save(self) -> list[np.ndarray]:
        """All games as they stand."""
        saved: list[np.ndarray] = self.field.games.save()
        return saved

    def restore(self, saved: Sequence[np.ndarray]) -> None:
        """Goes back to games that were saved."""
        self.field.games.restore(saved)


@torch.no_grad()
def greedy_scores(actor: Actor, games: int, seed: int, device: str) -> np.ndarray:
    """The strict scores of games in which every seat makes the likeliest move."""
    field = Field(actor.unpack.settings, games, seed, device, restart=False)
    ended = torch.zeros(games, dtype=torch.bool, device=device)
    while not ended.all():
        inputs = actor.unpack(field.rows, actor.dtype)[:, : actor.unpack.length]
        field.actions.copy_(actor.logits(inputs, field.masks != 0).argmax(1))
        field.step()
        ended |= field.ends
    scores: np.ndarray = field.strict_scores.cpu().numpy().astype(np.float64)
    return scores
