"""Workers on other machines: the same batches on Dask distributed, with the same results (extra ``cluster``)."""

import contextlib
import functools
import logging
import time
from concurrent.futures import CancelledError
from importlib.metadata import version
from typing import Any

import numpy as np

from tamaya.agents.user_agents import UnknownModule
from tamaya.engine.jit import package_stamp
from tamaya.experiments.cells import CellSeating
from tamaya.experiments.lineups import Cell
from tamaya.policies.language import AgentError


class ClusterError(ValueError):
    """A cluster that cannot be used."""


def fingerprint() -> dict[str, str]:
    """What must be the same everywhere for games to be the same."""
    names = ("tamaya", "numba", "numpy")
    return {name: version(name) for name in names} | {"sources": package_stamp()}


@functools.lru_cache(maxsize=64)
def seating_of(cell: Cell) -> CellSeating:
    """The seatings of a cell, kept on a worker from batch to batch."""
    return CellSeating(cell)


def play_batch(cell: Cell, seeds: np.ndarray, expected: dict[str, str], code: str) -> tuple[np.ndarray, float]:
    """The outcomes of a batch on a worker, and the time it took."""
    check_versions(fingerprint(), expected)
    try:
        seating = seating_of(cell)
    except UnknownModule as error:
        words = f"there is no module {error.module!r} on a worker"
        raise ClusterError(f"{words}; put the same files there as here") from error
    except AgentError as error:
        raise ClusterError(f"{error} on a worker; put the same files there as here") from error
    if seating.code != code:
        raise ClusterError(f"the code of {cell.agent} on a worker is not the one here; put the same files on both")
    start = time.perf_counter()
    return seating.play(seeds), time.perf_counter() - start


def check_versions(there: dict[str, str], here: dict[str, str]) -> None:
    """Refuses a worker with other versions."""
    for name, mine in here.items():
        if there.get(name) != mine:
            raise ClusterError(f"{name} is {there.get(name)} on a worker, but {mine} here; install the same on both")


class RemoteBatch:
    """A batch of games that some worker plays."""

    def __init__(self, future: Any, address: str) -> None:
        self.future = future
        self.address = address

    def result(self) -> tuple[np.ndarray, float]:
        """Its outcomes, and the time it took."""
        try:
            return self.future.result()  # type: ignore[no-any-return]
        except (OSError, TimeoutError, CancelledError) as error:
            raise ClusterError(f"the Dask scheduler at {self.address} no longer answers; no game is lost") from error

    def cancel(self) -> None:
        """Cancels it."""
        with contextlib.suppress(OSError, TimeoutError, CancelledError):
            self.future.cancel()


class Cluster:
    """The workers behind a Dask scheduler. A worker that dies costs time, not games: Dask plays its batches again."""

    def __init__(self, address: str, timeout: float = 10.0) -> None:
        try:
            from distributed import Client
        except ImportError as error:
            raise ClusterError("a cluster needs Dask: pip install 'tamaya[cluster]'") from error
        try:
            self.client = Client(address, timeout=timeout, set_as_default=False)
        except (OSError, ValueError, TimeoutError) as error:
            raise ClusterError(f"no Dask scheduler answers at {address}: {error}") from error
        for name in ("distributed", "distributed.client", "distributed.core"):
            logging.getLogger(name).setLevel(logging.CRITICAL)  # what goes wrong is reported here, in one line
        self.address = address
        self.fingerprint = fingerprint()
        workers = self.client.scheduler_info(n_workers=-1)["workers"]
        self.count = sum(worker["nthreads"] for worker in workers.values())
        if not self.count:
            self.client.close()
            raise ClusterError(f"the scheduler at {address} has no workers")
        self._check_workers()

    def _check_workers(self) -> None:
        try:
            for there in self.client.run(fingerprint).values():
                check_versions(there, self.fingerprint)
        except ModuleNotFoundError as error:
            raise ClusterError(f"a worker cannot import {error.name}; install tamaya there") from error

    def submit(self, seating: Any, seeds: np.ndarray) -> RemoteBatch:
        """Starts a batch of games on some worker."""
        what = (play_batch, seating.cell, seeds, self.fingerprint, seating.code)
        return RemoteBatch(self.client.submit(*what, pure=False, retries=5), self.address)

    def stop(self) -> None:
        """Leaves the cluster."""
        self.client.close()

    def __enter__(self) -> "Cluster":
        return self

    def __exit__(self, *_: Any) -> None:
        self.stop()
