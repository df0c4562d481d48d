"""A run: an experiment in a directory that survives a kill, and goes on where it stopped."""

import contextlib
import math
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from importlib.metadata import version
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from tamaya.arena.batches import Workers, cores, play_batches
from tamaya.arena.forecast import Forecast, guess_seconds
from tamaya.arena.seating import GameFailure, game_seeds, seeds_of
from tamaya.experiments.cells import CellSeating
from tamaya.experiments.experiment import Experiment, parse_experiment
from tamaya.experiments.lineups import Cell
from tamaya.experiments.store import Store
from tamaya.experiments.summaries import Reading
from tamaya.experiments.workspace import LOCK, Workspace, WorkspaceError, flattened

Progress = Callable[[int], None]
FORMAT = 1

ENOUGH = 20
"""A quick run plays this many games of a cell before it begins another: few games of every cell would say nothing."""


class FrozenExperiment(msgspec.Struct, frozen=True):
    """The file of a run: its experiment, and the programs that began it."""

    experiment: Any = None
    format: int = 1
    versions: dict[str, str] = {}


class Run(Reading):
    """A directory with a frozen experiment and its games."""

    def __init__(
        self,
        directory: Path,
        experiment: Experiment | None = None,
        is_read_only: bool = False,
        only: Callable[[Cell], bool] = lambda cell: True,
    ) -> None:
        self.directory = directory
        self.is_read_only = is_read_only
        self.only = only
        self.workspace = Workspace(directory, "experiment.json", is_left_behind)
        frozen = self._frozen()
        if experiment is None and frozen is None:
            raise WorkspaceError(f"{directory} is not a run: it has no experiment.json")
        if frozen is not None and experiment is not None:
            self.workspace.check_same(binding(frozen), binding(experiment))
        self.workspace.check_free()
        chosen = experiment or frozen
        assert chosen is not None
        self.experiment = chosen
        before = frozen.cells() if frozen and experiment else {}
        self.asks_for_less = chosen != frozen and all(before.get(cell, 0) >= n for cell, n in chosen.cells().items())
        """Whether the run was begun with more games or cells than it is asked for now; it keeps those."""

    def _frozen(self) -> Experiment | None:
        """The experiment with which the run was begun, if it was."""
        found = self.workspace.read(FrozenExperiment)
        if found is None:
            return None
        if found.format > FORMAT:
            raise WorkspaceError(f"{self.workspace.mark} was made by a newer tamaya")
        try:
            return parse_experiment(found.experiment, with_agents=False)
        except (KeyError, TypeError, AttributeError, RecursionError) as error:
            raise self.workspace.damaged("it holds no experiment") from error
        except ValueError as error:
            raise WorkspaceError(f"{self.workspace.mark}: {error}") from error

    def __enter__(self) -> "Run":
        with contextlib.ExitStack() as stack:
            if not self.is_read_only:
                stack.enter_context(self.workspace.locked())
            self.store = stack.enter_context(Store(self.directory / "games.sqlite", self.is_read_only))
            if not self.is_read_only:
                self._freeze()
            self.cells = {cell: (self.store.cell_id(cell.key), games) for cell, games in self.wanted().items()}
            self._check_games()
            self._open = stack.pop_all()
        return self

    def __exit__(self, *_: Any) -> None:
        self._open.close()

    def _freeze(self) -> None:
        """Writes the experiment and the versions, whole or not at all."""
        versions = {"python": sys.version.split()[0]} | {name: version(name) for name in ("tamaya", "numba", "numpy")}
        content = {"format": FORMAT, "versions": versions, "experiment": self.experiment}
        text = msgspec.json.format(msgspec.json.encode(content), indent=1)
        if not self.asks_for_less and self.workspace.content() != text:
            self.workspace.write(text)

    def _check_games(self) -> None:
        """Refuses a store with games of another seed or of other rules, whatever the frozen experiment says."""
        for cell, (number, _) in self.cells.items():
            settings = cell.settings
            for numbers, seeds in self.store.seeds(number):
                if (seeds_of(self.experiment.seed, numbers).view(np.int64) != seeds).any():
                    raise WorkspaceError(f"{self.directory} holds games of a seed other than {self.experiment.seed}")
            if self.store.holds_other_games(number, (settings.max_score, settings.lives, settings.hint_tokens)):
                raise WorkspaceError(
                    f"{self.directory} holds games of {cell.agent} that are impossible under its rules"
                )

    def wanted(self) -> dict[Cell, int]:
        """The cells that are asked for, with their games."""
        return {cell: games for cell, games in self.experiment.cells().items() if self.only(cell)}

    def missing(self) -> int:
        """The number of games still to play."""
        return sum(self._missing().values())

    def _numbered(self) -> dict[int, int]:
        """The games of every cell of the store by its number; equal cells of several line-ups share one."""
        wanted: dict[int, int] = {}
        for number, games in self.cells.values():
            wanted[number] = max(games, wanted.get(number, 0))
        return wanted

    def _missing(self) -> dict[int, int]:
        """How many games of every cell of the store are missing."""
        return {number: sum(map(len, self.store.gaps(number, games))) for number, games in self._numbered().items()}

    def unasked(self) -> int:
        """How many games the store holds that are not asked for: of other cells, or beyond the number of games."""
        return self.store.count() - sum(games for games in self._numbered().values()) + self.missing()

    def left(self) -> dict[Cell, int]:
        """The cells that are asked for, with the games that were not played yet."""
        if not (self.directory / "games.sqlite").exists():
            return self.wanted()
        with Run(self.directory, self.experiment, is_read_only=True, only=self.only) as run:
            gaps = {cell: run.store.gaps(number, games) for cell, (number, games) in run.cells.items()}
        return {cell: sum(map(len, some)) for cell, some in gaps.items() if some}

    def play(self, progress: Progress = lambda games: None, workers: Workers | int | None = None) -> None:
        """Plays what is missing, with some threads or on a cluster.

        A few games of every cell come first: they show what the other games cost, and they count like these.
        """
        count = self._count(workers)
        for most in (count, None):
            for cell in self.cells:
                if most is None or not self.store.reached(*self.cells[cell]):
                    self._advance(cell, progress, self.played(cell, workers, most=most))

    def _advance(self, cell: Cell, progress: Progress, batches: Iterable[tuple[int, float]]) -> None:
        """Plays batches of a cell and reports progress."""
        for games, core_seconds in batches:
            self.forecast.add(self.cells[cell][0], games, core_seconds)
            progress(games)

    def _count(self, workers: Workers | int | None) -> int:
        """Prepares the forecast for the missing games with some workers; returns how many workers there are."""
        self.workers = workers if isinstance(workers, int) else workers.count if workers else cores()
        left = self._missing()
        self.forecast = Forecast(left, {self.cells[cell][0]: guess_seconds(cell.members) for cell in self.cells})
        for number, games in self._numbered().items():
            self.forecast.add(number, games - left[number], self.store.seconds(number, games)[1], are_new=False)
        return self.workers

    def seconds_left(self) -> float:
        """How long the games that are missing will take."""
        return self.forecast.core_seconds_left() / self.workers

    def play_for(self, seconds: float, progress: Progress = lambda games: None, threads: int | None = None) -> None:
        """Plays for some time: enough games of the quick cells first, then every cell for a share of the time left."""
        end = time.perf_counter() + seconds
        self._count(threads)
        cells = sorted(self.cells, key=lambda cell: guess_seconds(cell.members))
        for cell in cells:
            if guess_seconds(cell.members) < end - time.perf_counter():
                self._advance(cell, progress, self.played(cell, threads, end, most=ENOUGH))
        for index, cell in enumerate(cells):
            now = time.perf_counter()
            share = max(0.0, end - now) / (len(cells) - index)
            if guess_seconds(cell.members) < share:
                self._advance(cell, progress, self.played(cell, threads, now + share))

    def played(
        self,
        cell: Cell,
        workers: Workers | int | None = None,
        until: float = math.inf,
        most: int | None = None,
    ) -> Iterator[tuple[int, float]]:
        """Plays what is missing of a cell, or of its first games, batch by batch until some time.

        Yields the number of games of each batch, and the seconds that they took on one core.
        """
        number, games = self.cells[cell]
        gaps = self.store.gaps(number, games if most is None else min(most, games))
        seats = CellSeating(cell) if gaps else None
        if seats is not None:
            self._check_code(cell, seats.code)
            if workers is None or isinstance(workers, int):
                seats.prepare(game_seeds(self.experiment.seed, gaps[0].start, 1))  # before the clock starts
        for gap in gaps:
            assert seats is not None
            yield from self._fill(seats, number, gap, workers, until)

    def _check_code(self, cell: Cell, code: str) -> None:
        """Refuses to mix games of an agent with games that it played before its code was changed."""
        others = [other for other in self.store.codes(self.cells[cell][0]) if other != code]
        if others:
            raise WorkspaceError(
                f"{self.directory} holds games that {cell.agent} played before its code, or what it reads, was "
                "changed; they cannot be mixed: choose another directory, or undo the change"
            )

    def _fill(
        self, seats: CellSeating, number: int, gap: range, workers: Workers | int | None, until: float
    ) -> Iterator[tuple[int, float]]:
        first, start = gap.start, time.perf_counter()
        with_moves = self.experiment.keep == "moves"
        try:
            for outcomes, core_seconds in play_batches(
                seats, self.experiment.seed, len(gap), workers, gap.start, until
            ):
                now = time.perf_counter()
                self.store.add(number, first, outcomes, (now - start, core_seconds), with_moves, seats.code)
                first, start = first + len(outcomes), now
                yield len(outcomes), core_seconds
        except GameFailure as failure:
            raise failure.after(first, f"{seats.cell.agent} with {seats.cell.partner}") from failure


def is_left_behind(path: Path) -> bool:
    """Whether a file is one that a run leaves behind if it is killed as it begins."""
    return path.name.startswith("games.sqlite") and path.with_name(LOCK).exists()


def binding(experiment: Experiment) -> dict[str, Any]:
    """What must stay the same in a run; more games, agents and line-ups are welcome."""
    return flattened({"seed": experiment.seed, "rules": experiment.rules, "keep": experiment.keep})
