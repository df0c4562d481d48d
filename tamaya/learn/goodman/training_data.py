"""Rows of training data in groups that stay together: the moves of one position, whose differences decide play."""

import importlib.util
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from tamaya.engine.files import replacing
from tamaya.learn.goodman.likelihood_data import MADE
from tamaya.learn.goodman.tree_data import CHOICE, ROW
from tamaya.networks.inputs.goodman_features import STATE_FEATURES
from tamaya.networks.inputs.sight_features import SIGHT_FEATURES
from tamaya.networks.json_weights import JUDGED


def groups_of(rows: np.ndarray) -> np.ndarray:
    """A number for each row, the same for the moves at one root; rows below a root are alone."""
    keys = np.stack([rows["game"], rows["turn"], np.where(rows["depth"] == 0, -1, np.arange(len(rows)))])
    return np.asarray(np.unique(keys, axis=1, return_inverse=True)[1]).ravel()


class Rows:
    """Rows for PyTorch, in groups that stay together."""

    def __init__(self, torch: Any, inputs: np.ndarray, targets: np.ndarray, groups: np.ndarray) -> None:
        order = np.argsort(groups, kind="stable")
        counts = np.unique(groups, return_counts=True)[1]
        self.torch, self.groups = torch, len(counts)
        self.inputs, self.targets = torch.from_numpy(inputs[order]), torch.from_numpy(targets[order])
        self.counts = torch.from_numpy(counts)
        self.starts = torch.from_numpy(np.cumsum(counts) - counts)

    def taken(self, groups: Any) -> "Rows":
        """The rows of some groups."""
        taken = object.__new__(Rows)
        counts = self.counts[groups]
        starts = self.torch.cumsum(counts, 0) - counts
        places = self.torch.arange(int(counts.sum())) + (self.starts[groups] - starts).repeat_interleave(counts)
        taken.torch, taken.groups, taken.counts, taken.starts = self.torch, len(counts), counts, starts
        taken.inputs, taken.targets = self.inputs[places], self.targets[places]
        return taken

    def differences(self, values: Any) -> Any:
        """Values of rows, each less the mean of its group."""
        member = self.torch.arange(self.groups).repeat_interleave(self.counts)
        sums = self.torch.zeros(self.groups, values.shape[1]).index_add(0, member, values)
        return values - (sums / self.counts[:, None])[member]


KINDS = {"rows": (ROW, SIGHT_FEATURES), "choices": (CHOICE, STATE_FEATURES), "moves": (MADE, JUDGED)}
"""The tables: their records, and the names of their features."""

KIND_OF = {"evalfn": "rows", "rule-classifier": "choices", "likelihood": "moves"}
"""The table that each network learns from."""


class DataError(ValueError):
    """A file that holds no table of training data."""


def suffix() -> str:
    """How the names of new files end."""
    return ".parquet" if importlib.util.find_spec("polars") else ".npy"


def write_shard(directory: Path, kind: str, first: int, rows: np.ndarray) -> None:
    """Writes the rows of some games, whole or not at all; the number of the first game is in its name."""
    with replacing(directory / f"{kind}_{first:06d}{suffix()}") as file:
        if suffix() == ".parquet":
            as_frame(kind, rows).write_parquet(file)
        else:
            np.save(file, rows, allow_pickle=False)


def as_frame(kind: str, rows: np.ndarray) -> Any:
    """A table as a frame, one column per feature."""
    import polars

    names = KINDS[kind][1]
    columns = {name: np.ascontiguousarray(rows["features"][:, index]) for index, name in enumerate(names)}
    others = [name for name in rows.dtype.names or () if name != "features"]
    return polars.DataFrame(columns | {name: np.ascontiguousarray(rows[name]) for name in others})


def from_frame(kind: str, frame: Any) -> np.ndarray:
    """The table of a frame."""
    dtype, names = KINDS[kind]
    others = [name for name in dtype.names or () if name != "features"]
    missing = [name for name in (*names, *others) if name not in frame.columns]
    if missing:
        raise DataError(f"it has no column {missing[0]}")
    rows = np.zeros(len(frame), dtype)
    rows["features"] = frame.select(names).to_numpy()
    for name in others:
        rows[name] = frame[name].to_numpy()
    return rows


def read_shard(path: Path, kind: str) -> np.ndarray:
    """The rows of a file."""
    try:
        if not path.is_file():
            raise DataError("it is not a plain file")
        if path.suffix == ".npy":
            rows: np.ndarray = np.load(path, allow_pickle=False)
            if rows.dtype != KINDS[kind][0]:
                raise DataError("its rows are of another kind")
            return rows
        try:
            import polars
        except ImportError as error:
            raise DataError("Parquet needs polars: pip install 'tamaya[data]'") from error
        return from_frame(kind, polars.read_parquet(path))
    except Exception as error:
        raise DataError(f"{path} cannot be used as training data: {first_line(error)}") from error


def first_line(error: Exception) -> str:
    """What an error says first; those of polars go on about its plans."""
    return (str(error).splitlines() or [type(error).__name__])[0]


def shards(directory: Path, kind: str) -> dict[int, Path]:
    """The files of a table by the numbers of their first games."""
    found = {}
    for path in sorted(directory.glob(f"{kind}_*")):
        name = re.fullmatch(rf"{kind}_(\d+)\.(parquet|npy)", path.name)
        if name:
            found[int(name[1])] = path
    return found


def read_shards(directory: Path, kind: str) -> Iterator[tuple[int, int]]:
    """For each file of a table, the number of its first game and how many games it holds."""
    for first, path in shards(directory, kind).items():
        yield first, len(np.unique(read_shard(path, kind)["game"]))


def read_table(directory: Path, kind: str) -> np.ndarray:
    """All rows of a collection."""
    parts = [read_shard(path, kind) for path in shards(directory, kind).values()]
    if not parts:
        option = " --teams" if kind == "moves" else ""
        raise DataError(f"{directory} holds no {kind} to learn from; `tamaya learn collect{option}` makes some")
    return np.concatenate(parts)
