"""Rows of training data in groups that stay together: the moves of one position, whose differences decide play."""

from typing import Any

import numpy as np


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
