"""Batches of games on all cores, with the same result whatever the number of cores."""

import contextlib
import functools
import itertools
import math
import os
import time
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, Protocol, TypeVar

import numpy as np

from tamaya.arena.seating import game_seeds

Item = TypeVar("Item")
Result = TypeVar("Result")

BATCH_SECONDS = 0.05
LARGEST_BATCH = 2048
"""Batches grow until one takes this long or is this large: overhead stays small, and Ctrl-C takes effect soon."""

MOST_THREADS = 1024
"""More threads only cost memory, and at some number the system refuses them."""


def cores() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class BatchPlayer(Protocol):
    """What can play the games of some seeds: a seating, or the seatings of a cell."""

    is_compiled: bool

    def play(self, seeds: np.ndarray) -> np.ndarray:
        """The outcomes of the games of some seeds."""
        ...


class Threads:
    """Workers on this machine: threads, because the compiled loop lets them run in parallel."""

    def __init__(self, count: int | None = None) -> None:
        self.count = count or cores()
        self.pool = ThreadPoolExecutor(self.count)

    def submit(self, seating: BatchPlayer, seeds: np.ndarray) -> Future[tuple[np.ndarray, float]]:
        """Starts a batch of games."""
        return self.pool.submit(timed_play, seating, seeds)

    def stop(self) -> None:
        """Cancels the batches that have not started."""
        self.pool.shutdown(wait=False, cancel_futures=True)


class Workers(Protocol):
    """Who plays batches of games: threads, or a cluster."""

    count: int

    def submit(self, seating: Any, seeds: np.ndarray) -> Any:
        """Starts a batch; the result of the returned future is its outcomes and the seconds it took."""
        ...

    def stop(self) -> None:
        """Cancels the batches that have not started."""
        ...


def play_batches(
    seating: BatchPlayer,
    seed: int,
    games: int,
    workers: Workers | int | None = None,
    first: int = 0,
    until: float = math.inf,
) -> Iterator[tuple[np.ndarray, float]]:
    """The outcomes of the games of a match, from number ``first`` on, batch by batch, in order.

    Each batch comes with the seconds that its worker took. After the time ``until`` no new batch is begun.
    """
    staff: Workers
    if workers is None or isinstance(workers, int):
        staff = Threads(workers if seating.is_compiled else 1)  # Python runs in one thread at a time
    else:
        staff = workers
    most = 2 * staff.count if until == math.inf else staff.count  # a batch that was begun is finished
    size = 1

    def batches() -> Iterator[np.ndarray]:
        number = first
        while number < first + games and time.perf_counter() < until:
            seeds = game_seeds(seed, number, min(size, first + games - number))
            number += len(seeds)
            yield seeds

    try:
        with contextlib.closing(in_flight(functools.partial(staff.submit, seating), batches(), most)) as results:
            for outcomes, seconds in results:
                if seconds < BATCH_SECONDS:
                    size = min(2 * size, LARGEST_BATCH)
                yield outcomes, seconds
    finally:
        if staff is not workers:
            staff.stop()


def in_flight(submit: Callable[[Item], Any], items: Iterable[Item], most: int) -> Generator[Any, None, None]:
    """The results of items that are submitted as work, in their order, with at most some of them under way.

    The next item is asked for only when there is room for it, so items may depend on results. What is still waiting
    when nobody wants more results is cancelled.
    """
    running: deque[Any] = deque()
    source = iter(items)
    try:
        while True:
            running.extend(map(submit, itertools.islice(source, most - len(running))))
            if not running:
                return
            yield running.popleft().result()
    finally:
        for waiting in running:
            waiting.cancel()


def in_order(work: Callable[[Item], Result], items: Iterable[Item], threads: int | None = None) -> Iterator[Result]:
    """The results of work on some items, in their order; as it is done by threads, Ctrl-C takes effect at once."""
    count = threads or cores()
    pool = ThreadPoolExecutor(count)
    try:
        yield from in_flight(lambda item: pool.submit(work, item), items, 2 * count + 1)
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


def timed_play(seating: BatchPlayer, seeds: np.ndarray) -> tuple[np.ndarray, float]:
    """The outcomes of a batch, and the time it took."""
    start = time.perf_counter()
    return seating.play(seeds), time.perf_counter() - start
