"""Experiments from Python: run one, open a run, and read its games and summaries in any form."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from tamaya.arena.batches import Workers
from tamaya.arena.game_loop import DECK_OUT, FORFEITED, NO_RULE, PERFECT, STRUCK_OUT
from tamaya.arena.statistics import COLUMNS, Summary
from tamaya.experiments.cells import unique
from tamaya.experiments.experiment import Experiment, ExperimentError, parse_experiment, read_experiment
from tamaya.experiments.report.rankings import Ranking, rankings
from tamaya.experiments.runs import Run
from tamaya.game.hanab_live import Record

ENDINGS = {
    PERFECT: "perfect",
    STRUCK_OUT: "struck out",
    DECK_OUT: "deck empty",
    NO_RULE: "no move",
    FORFEITED: "forfeited",
}
"""How games end, in words."""


class PlayedGame(msgspec.Struct, frozen=True):
    """A game of a run: who played, and how it went."""

    kind: str
    agent: str
    partner: str
    players: int
    hand_size: int
    number: int
    seed: int
    ending: str
    score: int
    lives: int
    hint_tokens: int
    misplays: int
    wasted: int
    length: int
    """The number of moves."""
    searched: int
    """The decisions that were searched; ``iterations`` and ``depth`` are sums over them."""
    iterations: int
    depth: int


class Results:
    """A run that can be read, even while it is played."""

    def __init__(self, directory: str | Path) -> None:
        self.directory = Path(directory).resolve()
        self.experiment: Experiment = Run(self.directory, is_read_only=True).experiment

    def __repr__(self) -> str:
        return f"<Results of {self.directory.name}>"

    def _open(self) -> Run:
        return Run(self.directory, is_read_only=True)

    @property
    def missing(self) -> int:
        """The number of games that are still to be played."""
        with self._open() as run:
            return run.missing()

    def summaries(self) -> list[Summary]:
        """What the games of each cell say, with the difference to the first cell of that number of players."""
        with self._open() as run:
            return [summary for _, summary in unique(list(run.summaries()))]

    def rankings(self) -> list[Ranking]:
        """The agents of every kind of line-up, the best first."""
        with self._open() as run:
            return list(rankings(run))

    def batches(self) -> Iterator[dict[str, Any]]:
        """The games, some thousands of a cell at a time: what they share as values, what differs as arrays."""
        with self._open() as run:
            for cell, (number, games) in unique(list(run.cells.items())):
                shared = {"kind": cell.kind, "agent": cell.agent, "partner": cell.partner, **cell.sizes}
                for columns in run.store.columns(number, games):
                    yield shared | columns

    def games(self) -> Iterator[PlayedGame]:
        """The games one by one."""
        names = ("number", "seed", *COLUMNS)
        for batch in self.batches():
            shared = {name: value for name, value in batch.items() if name not in names}
            for values in zip(*(batch[name].tolist() for name in names), strict=True):
                row = dict(zip(names, values, strict=True))
                yield PlayedGame(**shared, **(row | {"ending": ENDINGS[row["ending"]]}))

    def arrays(self) -> dict[str, np.ndarray]:
        """The games as arrays, one per column."""
        parts: dict[str, list[np.ndarray]] = {name: [] for name in PlayedGame.__struct_fields__}
        for batch in self.batches():
            count = len(batch["number"])
            for name, part in parts.items():
                part.append(endings_in_words(batch[name]) if name == "ending" else np.broadcast_to(batch[name], count))
        return {name: np.concatenate(part) if part else np.array([]) for name, part in parts.items()}

    def polars(self) -> Any:
        """The games as a frame of polars, one row per game (extra ``data``)."""
        return frame_of("polars", self.arrays())

    def pandas(self) -> Any:
        """The games as a frame of pandas, one row per game."""
        return frame_of("pandas", self.arrays())

    def records(self) -> Iterator[Record]:
        """The games move by move, as files of games hold them, if the experiment keeps moves."""
        with self._open() as run:
            yield from run.records()


def endings_in_words(endings: np.ndarray) -> np.ndarray:
    """Endings as words."""
    words = np.array([ENDINGS.get(number, "") for number in range(max(ENDINGS) + 1)])
    return np.take(words, endings)


def frame_of(library: str, columns: dict[str, np.ndarray]) -> Any:
    """A frame of a library."""
    import importlib

    try:
        return importlib.import_module(library).DataFrame(columns)
    except ImportError as error:
        raise ValueError(f"this needs {library}: pip install {library}") from error


def run_experiment(
    experiment: Experiment | str | Path,
    directory: str | Path | None = None,
    workers: Workers | int | None = None,
    progress: Callable[[int], None] = lambda games: None,
) -> Results:
    """Plays what is missing of an experiment, given as such or as a file, in a directory, and returns its results."""
    if not isinstance(experiment, Experiment):
        path = Path(experiment)
        directory = directory or path.with_suffix(".run")
        experiment = read_experiment(path)
    if directory is None:
        raise ValueError("an experiment needs a directory for its games, as in run_experiment(experiment, 'some.run')")
    try:
        raw = msgspec.to_builtins(experiment)
    except TypeError as error:
        raise ExperimentError(
            f"an experiment is made of texts, numbers and lists, for it is stored: {error}"
        ) from error
    with Run(Path(directory), parse_experiment(raw)) as run:
        run.play(progress, workers)
    return Results(directory)
