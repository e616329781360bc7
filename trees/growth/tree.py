"""A decision tree as parallel node arrays, in pre-order: node 0 is the root, children follow their parent."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from trees.schema import Schema

__all__ = ["LEAF", "NOMINAL", "NUMERIC", "SUBSET", "Tree"]

LEAF, NOMINAL, NUMERIC, SUBSET = 0, 1, 2, 3
"""Kinds of node: no test; one branch per declared value; ``<=`` and ``>``; one branch per group of values."""

Ints = npt.NDArray[np.int32]
Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Tree:
    """A decision tree over the attributes of a schema.

    Parameters
    ----------
    schema : Schema
        Of the training table.
    kind : ndarray of shape (n_nodes,), int8
        `LEAF`, `NOMINAL`, `NUMERIC` or `SUBSET`.
    attribute : ndarray of shape (n_nodes,), int32
        Column tested, -1 in a leaf.
    threshold : ndarray of shape (n_nodes,), float64
        Of a numeric test ``value <= threshold``; NaN elsewhere.
    child_start : ndarray of shape (n_nodes + 1,), int32
        Branch b of node i leads to ``child[child_start[i] + b]``.
    child : ndarray of shape (n_nodes - 1,), int32
        Node numbers; a branch per declared value, group, or side (first ``<=``, then ``>``).
    group_start : ndarray of shape (n_nodes + 1,), int32
        Where the value-to-branch map of a `SUBSET` node starts in `group`; empty range elsewhere.
    group : ndarray, int32
        Branch of every value code of a subset test, -1 for values in no group.
    label : ndarray of shape (n_nodes,), int32
        Class code of the node.
    weight : ndarray of shape (n_nodes,), float64
        Training weight that reached the node (N).
    errors : ndarray of shape (n_nodes,), float64
        Training errors below the node (E); after pessimistic pruning the estimated errors.
    class_weight : ndarray of shape (n_nodes, n_classes), float64
        Training weight per class; of the parent in a node that no row reached.
    single_precision : bool
        Whether thresholds and sums are those of 32-bit arithmetic (mode "r8").
    """

    schema: Schema
    kind: npt.NDArray[np.int8]
    attribute: Ints
    threshold: Floats
    child_start: Ints
    child: Ints
    group_start: Ints
    group: Ints
    label: Ints
    weight: Floats
    errors: Floats
    class_weight: Floats
    single_precision: bool = False

    @property
    def n_nodes(self) -> int:
        """Number of nodes, leaves and empty leaves included."""
        return len(self.kind)

    @property
    def leaves(self) -> npt.NDArray[np.int64]:
        """Node numbers of the leaves, in pre-order."""
        return np.flatnonzero(self.kind == LEAF)

    @property
    def n_leaves(self) -> int:
        """Number of leaves."""
        return len(self.leaves)

    def children(self, node: int) -> Ints:
        """Return the node numbers below a node, in branch order."""
        return self.child[self.child_start[node] : self.child_start[node + 1]]

    def groups(self, node: int) -> list[list[int]]:
        """Return, for a subset test, the value codes of every branch."""
        codes = self.group[self.group_start[node] : self.group_start[node + 1]]
        return [np.flatnonzero(codes == branch).tolist() for branch in range(len(self.children(node)))]

    @property
    def parent(self) -> Ints:
        """Parent of every node, -1 for the root; ndarray of shape (n_nodes,)."""
        parents = np.full(self.n_nodes, -1, dtype=np.int32)
        parents[self.child] = np.repeat(np.arange(self.n_nodes, dtype=np.int32), np.diff(self.child_start))
        return parents

    @property
    def depth(self) -> int:
        """Number of tests on the longest path."""
        depths = np.zeros(self.n_nodes, dtype=np.int32)
        for node, parent in enumerate(self.parent):
            if parent >= 0:
                depths[node] = depths[parent] + 1
        return int(depths.max())

    def walk(self) -> Iterator[tuple[int, list[tuple[int, int]]]]:
        """Yield every node in pre-order with its path: (node tested, branch taken) from the root down."""
        stack: list[tuple[int, list[tuple[int, int]]]] = [(0, [])]
        while stack:
            node, path = stack.pop()
            yield node, path
            for branch, below in reversed(list(enumerate(self.children(node).tolist()))):
                stack.append((below, [*path, (node, branch)]))

    def replaced(self, **arrays: Any) -> Tree:
        """Return a copy with some arrays replaced."""
        return replace(self, **arrays)
