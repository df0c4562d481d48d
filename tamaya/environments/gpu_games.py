"""Games of self-play on a GPU, where one thread plays one game: the kernels of the loop, compiled for it."""

import functools
from collections.abc import Sequence
from typing import Any

import numpy as np

from tamaya.engine.gameplay import deal, deal_seeded
from tamaya.engine.jit.cuda import Twins, cuda, on_every_item
from tamaya.engine.randomness import DEAL_STREAM, derive_seed, shuffle
from tamaya.environments.game_batch import GameBatch, raw
from tamaya.environments.step_loop import let_move, observe_all, start_games, step_games
from tamaya.networks.inputs.policy_inputs import write_packed

BLOCK = 64
"""Threads that share a part of the GPU."""


@functools.cache
def loop_twins() -> tuple[Any, Any]:
    """What starts games, and what makes a move in each."""
    twins = Twins()
    mixed, shuffled, dealt, written = map(twins.of, (derive_seed, shuffle, deal, write_packed))

    def deal_alone(table: Any, deck: Any, seed: Any) -> None:
        rng = cuda.local.array(1, np.uint64)
        rng[0] = mixed(seed, DEAL_STREAM)
        shuffled(rng, deck, table.deck_size)
        dealt(table, deck)

    def let_nobody_move(tables: Any, episode: Any, seats: Any, memory: Any, move: Any) -> None:
        pass

    def observe_packed(state: Any, plan: Any, rows: Any, words: Any, seats: Any, first: Any, end: Any) -> None:
        for game in range(first, end):
            tables, episodes = state.tables, state.episodes
            written(rows[game], words[game], tables[game], episodes[game], plan.insights[0], seats[game])

    twins.replace(deal_seeded, deal_alone)
    twins.replace(let_move, let_nobody_move)
    twins.replace(observe_all, observe_packed)

    def start(state: Any, plan: Any, buffers: Any, actions: Any, first: Any, end: Any) -> None:
        started(state, plan, buffers, first, end)

    started, stepped = twins.of(start_games), twins.of(step_games)
    return on_every_item(twins.compile(start)), on_every_item(stepped)


class GpuGames:
    """A copy of games on a GPU; they must have no team and packed inputs of learned policies."""

    def __init__(self, games: GameBatch) -> None:
        def moved(arrays: Any) -> Any:
            return type(arrays)(*map(cuda.to_device, arrays))

        self.games = games
        self.state, self.plan, self.buffers = moved(games.state), moved(games.plan), moved(games.buffers)
        self.arrays = (*self.state, self.plan.rules, *self.buffers)
        """In the order of what ``GameBatch`` saves."""

    def start(self, actions: Any, stream: Any = 0) -> None:
        """Starts all games, in a stream of numba's; the actions are not read."""
        self._run(loop_twins()[0], actions, stream)

    def step(self, actions: Any, stream: Any = 0) -> None:
        """Makes a move in every game: actions are an array on the GPU, and must be legal."""
        self._run(loop_twins()[1], actions, stream)

    def _run(self, work: Any, actions: Any, stream: Any = 0) -> None:
        blocks = (self.games.count + BLOCK - 1) // BLOCK
        work[blocks, BLOCK, stream](self.state, self.plan, self.buffers, actions)

    def save(self) -> list[np.ndarray]:
        """A copy of everything that changes, as ``GameBatch`` saves it."""
        return [raw(array.copy_to_host()) for array in self.arrays]

    def restore(self, saved: Sequence[np.ndarray]) -> None:
        """Goes back to what was saved."""
        self.games.restore(saved)
        for array, old in zip(
            self.arrays, (*self.games.state, self.games.plan.rules, *self.games.buffers), strict=True
        ):
            array.copy_to_device(old)
