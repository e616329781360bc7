"""One run of the fast engine: nodes, those still to be evaluated, and their rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from trees.growth.fast.workspace import (
    DONE,
    N_NODES,
    NEEDS_ACTIVE,
    NEEDS_NODES,
    NEEDS_PENDING,
    NODE,
    PENDING,
    Block,
    Scratch,
    Training,
)

__all__ = ["Run", "Start"]

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int32]
Longs = npt.NDArray[np.int64]
Records = npt.NDArray[Any]

BLOCK_BYTES = 1 << 20
"""Rank codes of a small node are copied into a block of this size, which a processor's second cache holds."""


class Start(NamedTuple):
    """A node to grow from: its rows with their weights, the attributes it may test and its depth."""

    row: Ints
    weight: Floats
    active: Ints
    depth: int


@dataclass
class Run:
    """Nodes in order of creation, those still to be evaluated, and their rows.

    Parameters
    ----------
    columns : ndarray of `COLUMN` records
        Written: a run of its own needs a copy of its own.
    most_branches : int
        Of any test.
    nodes, class_weight
        A record and the class weights of every node; the first are those that the run starts from.
    row, weight
        Arena of the rows of the pending nodes.
    pending, active
        Stack of pending nodes, and arena of the attributes that they may test.
    state
        Number of nodes and of pending nodes.
    """

    columns: Records
    most_branches: int
    nodes: Records
    class_weight: Floats
    row: Ints
    weight: Floats
    pending: Records
    active: Ints
    state: Longs

    @classmethod
    def of(cls, starts: Sequence[Start], columns: Records, n_classes: int, most_branches: int) -> Run:
        """Return a run that will grow the subtrees of some nodes, which get the numbers 0, 1, 2, ...

        Nodes that share the same array of attributes must follow each other.
        """
        n_starts, n_attributes = len(starts), len(columns)
        nodes = np.zeros(n_starts + most_branches + 1024, dtype=NODE)
        nodes["attribute"] = -1
        pending = np.zeros(n_starts + most_branches + 256, dtype=PENDING)
        sizes = np.array([len(start.row) for start in starts])
        entries = pending[:n_starts]
        entries["node"] = np.arange(n_starts)
        entries["end"] = np.cumsum(sizes)
        entries["start"] = entries["end"] - sizes
        entries["n_active"] = [len(start.active) for start in starts]
        entries["depth"] = [start.depth for start in starts]
        lists = [starts[0].active]
        at = [0]
        for before, start in pairwise(starts):
            # a node writes behind its own attributes, and is evaluated after those that come later
            at.append(at[-1] if start.active is before.active else at[-1] + len(before.active))
            if start.active is not before.active:
                lists.append(start.active)
        entries["active"] = at
        active = np.concatenate([*lists, np.zeros(64 * (n_attributes + 1), dtype=np.int32)])
        return cls(
            columns.copy(),
            most_branches,
            nodes,
            np.zeros((len(nodes), n_classes)),
            np.concatenate([start.row for start in starts]),
            np.concatenate([start.weight for start in starts]),
            pending,
            active,
            np.array([n_starts, n_starts], dtype=np.int64),
        )

    @property
    def n_nodes(self) -> int:
        """Number of nodes so far."""
        return int(self.state[N_NODES])

    def finish(self, training: Training) -> Run:
        """Evaluate pending nodes until none is left, and return the run."""
        from trees.growth.fast._kernels_grow import grow

        n_attributes, n_classes = len(training.ranks), self.class_weight.shape[1]
        largest = int((self.pending["end"] - self.pending["start"]).max())
        scratch = Scratch.empty(largest, n_classes, self.most_branches)
        block_rows = min(largest, BLOCK_BYTES // (training.ranks.itemsize * max(1, n_attributes)))
        block = Block.empty(n_attributes, block_rows, training.ranks.dtype)
        while True:
            status = grow(
                training, self.columns, scratch, block, self.nodes, self.class_weight,
                self.row, self.weight, self.pending, self.active, self.state,
            )  # fmt: skip
            if status == DONE:
                return self
            self.lengthen(status)

    def lengthen(self, status: int) -> None:
        """Make the arrays longer that a kernel said are too short."""
        if status == NEEDS_NODES:
            self.nodes, self.class_weight = _longer(self.nodes), _longer(self.class_weight)
        elif status == NEEDS_PENDING:
            self.pending = _longer(self.pending)
        elif status == NEEDS_ACTIVE:
            self.active = _longer(self.active)
        else:
            self.row, self.weight = _longer(self.row), _longer(self.weight)


def _longer(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Return a copy of one and a half times the length, zero behind the old end."""
    longer = np.zeros((len(array) + len(array) // 2 + 1, *array.shape[1:]), dtype=array.dtype)
    longer[: len(array)] = array
    return longer
