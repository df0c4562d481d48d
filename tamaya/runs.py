"""A run: an experiment in a directory that survives a kill, and goes on where it stopped."""

import contextlib
import fcntl
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from importlib.metadata import version
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from tamaya.agents import Agent, make_agent
from tamaya.arena import GameFailure, Table, Workers, game_seeds, play
from tamaya.experiment import Cell, Experiment, ExperimentError, parse_experiment
from tamaya.loop import OUTCOME
from tamaya.statistics import DifferenceTally, Summary, Tally, summarise
from tamaya.store import Store

Progress = Callable[[int], None]


class RunError(ValueError):
    """A directory that cannot be run in."""


class CellTable:
    """The teams of a cell, each at a table of its own, playing the games that fall to them."""

    def __init__(self, cell: Cell) -> None:
        self.cell = cell
        names = {name for name in (*cell.members, *cell.pool) if name}
        self.agents: dict[str, Agent] = {name: make_agent(name) for name in names}
        self.tables: dict[tuple[str, ...], Table] = {}
        self.is_compiled = all(agent.python is None for agent in self.agents.values())

    def table(self, team: tuple[str, ...]) -> Table:
        """The table of a team."""
        if team not in self.tables:
            self.tables[team] = Table([self.agents[name] for name in team], self.cell.settings)
        return self.tables[team]

    def play(self, seeds: np.ndarray) -> np.ndarray:
        """The outcomes of the games of some seeds, each by the team that its seed draws."""
        outcomes = np.zeros(len(seeds), OUTCOME)
        for team, games in self.cell.teams(seeds).items():
            outcomes[games] = self.table(team).play(seeds[games])
        return outcomes


class Run:
    """A directory with a frozen experiment and its games."""

    def __init__(self, directory: Path, experiment: Experiment | None = None, is_read_only: bool = False) -> None:
        self.directory = directory
        self.is_read_only = is_read_only
        frozen = self._frozen()
        if experiment is None and frozen is None:
            raise RunError(f"{directory} is no run: it has no experiment.json")
        if frozen is not None and experiment is not None:
            check_compatible(frozen, experiment, directory)
        chosen = experiment or frozen
        assert chosen is not None
        self.experiment = chosen

    def _frozen(self) -> Experiment | None:
        path = self.directory / "experiment.json"
        if not path.exists():
            return None
        try:
            data = msgspec.json.decode(path.read_bytes())
            return parse_experiment(data["experiment"])
        except (msgspec.MsgspecError, KeyError, TypeError, ExperimentError) as error:
            raise RunError(f"{path} is damaged: {error}") from error

    def __enter__(self) -> "Run":
        with contextlib.ExitStack() as stack:
            if not self.is_read_only:
                stack.enter_context(self._locked())
            self.store = stack.enter_context(Store(self.directory / "games.sqlite", self.is_read_only))
            if not self.is_read_only:
                self._freeze()
            cells = self.experiment.cells().items()
            self.cells = {cell: (self.store.cell_id(cell.key), games) for cell, games in cells}
            self._open = stack.pop_all()
        return self

    def __exit__(self, *_: Any) -> None:
        self._open.close()

    @contextlib.contextmanager
    def _locked(self) -> Iterator[None]:
        """Keeps other processes out of the directory."""
        try:
            self.directory.mkdir(parents=True, exist_ok=True)
            lock = (self.directory / "lock").open("w")
        except OSError as error:
            raise RunError(f"{self.directory} cannot be written: {error.strerror or error}") from error
        with lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError as error:
                raise RunError(f"another process is running in {self.directory}") from error
            yield

    def _freeze(self) -> None:
        """Writes the experiment and the versions, whole or not at all."""
        versions = {"python": sys.version.split()[0]} | {name: version(name) for name in ("tamaya", "numba", "numpy")}
        content = {"versions": versions, "experiment": self.experiment}
        draft = self.directory / "experiment.json.new"
        draft.write_bytes(msgspec.json.format(msgspec.json.encode(content), indent=1))
        draft.replace(self.directory / "experiment.json")

    def missing(self) -> int:
        """The number of games still to play."""
        return sum(len(gap) for number, games in self.cells.values() for gap in self.store.gaps(number, games))

    def play(self, progress: Progress = lambda games: None, workers: Workers | int | None = None) -> None:
        """Plays what is missing, with so many threads, or on a cluster."""
        for cell, (number, games) in self.cells.items():
            gaps = self.store.gaps(number, games)
            seats = CellTable(cell) if gaps else None
            for gap in gaps:
                assert seats is not None
                self._fill(seats, number, gap, progress, workers)

    def _fill(
        self, seats: CellTable, number: int, gap: range, progress: Progress, workers: Workers | int | None
    ) -> None:
        first, start = gap.start, time.perf_counter()
        with_moves = self.experiment.keep == "moves"
        try:
            for outcomes in play(seats, self.experiment.seed, len(gap), workers, gap.start):
                now = time.perf_counter()
                self.store.add(number, first, outcomes, now - start, with_moves)
                first, start = first + len(outcomes), now
                progress(len(outcomes))
        except GameFailure as failure:
            raise GameFailure(f"{seats.cell.agent} with {seats.cell.partner}: {failure}", failure.played) from failure

    def tally(self, cells: Iterable[Cell]) -> Tally:
        """The games of some cells, counted."""
        tally = Tally()
        for cell in cells:
            for outcomes in self.store.outcomes(*self.cells[cell]):
                tally.add(outcomes)
        return tally

    def summaries(self) -> Iterator[tuple[Cell, Summary]]:
        """What the games of each cell say, with the difference to the first cell of that number of players."""
        references: dict[int, tuple[int, str]] = {}
        for cell, (number, games) in self.cells.items():
            tally = self.tally([cell])
            if not tally.games:
                continue
            name = cell.agent if cell.partner in ("", cell.agent) else f"{cell.agent} with {cell.partner}"
            players = cell.settings.players
            summary = summarise(name, players, cell.settings.max_score, tally, self.store.seconds(number))
            other, title = references.setdefault(players, (number, name))
            if other != number:
                difference = DifferenceTally()
                for pair in self.store.pairs(number, other, games):
                    difference.add(pair[:, 0], pair[:, 1])
                if difference.count:
                    summary = msgspec.structs.replace(summary, difference=difference.result(title))
            yield cell, summary


def check_compatible(frozen: Experiment, experiment: Experiment, directory: Path) -> None:
    """Refuses to go on in a directory with other rules or seeds; more games, agents and line-ups are welcome."""
    for name in ("seed", "rules", "keep"):
        old, new = getattr(frozen, name), getattr(experiment, name)
        if old != new:
            raise RunError(f"{directory} was run with {name} = {old}, not {new}; choose another directory")


def estimate(
    experiment: Experiment, seconds: float = 0.2, cells: int | None = None
) -> Iterator[tuple[Cell, int, float]]:
    """Cells with their games and the seconds that these will take on one core, from a short sample."""
    everything = list(experiment.cells().items())
    step = max(1, len(everything) // cells) if cells else 1
    for cell, games in everything[::step]:
        seats = CellTable(cell)
        seats.play(game_seeds(experiment.seed, 0, 1))
        played, start = 0, time.perf_counter()
        while time.perf_counter() - start < seconds and played < games:
            batch = min(games - played, max(1, 2 * played))
            seats.play(game_seeds(experiment.seed, played, batch))
            played += batch
        yield cell, games, (time.perf_counter() - start) / played * games
