"""What a handler of small disjuncts is given to learn from."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from trees.c45 import C45Classifier
from trees.growth.tree import Tree
from trees.table import Table

__all__ = ["DisjunctProblem", "deal_folds", "small_leaves"]

Ints = npt.NDArray[np.int64]


def small_leaves(tree: Tree, threshold: float) -> npt.NDArray[np.bool_]:
    """Return which nodes are leaves of at most `threshold` training weight, empty leaves included.

    Returns
    -------
    ndarray of shape (n_nodes,), bool
    """
    return np.asarray((tree.kind == 0) & (tree.weight <= threshold + 1e-6))


def deal_folds(
    classes: npt.NDArray[np.int32], n_folds: int, random: np.random.Generator
) -> npt.NDArray[np.int64]:
    """Return the number of a fold for every row; folds are stratified and differ by at most one row in size.

    Parameters
    ----------
    classes : ndarray of shape (n_rows,), int32
        Class codes.
    n_folds : int
        At least 1.
    random : Generator
        Shuffles the rows.

    Returns
    -------
    ndarray of shape (n_rows,), int64
    """
    shuffled = random.permutation(len(classes))
    by_class = shuffled[np.argsort(classes[shuffled], kind="stable")]
    fold = np.empty(len(classes), dtype=np.int64)
    # dealing goes on from class to class, so that no fold gets the odd row of every class
    fold[by_class] = np.arange(len(classes)) % n_folds
    return fold


@dataclass(frozen=True, eq=False)
class DisjunctProblem:
    """The training table, its tree, and which leaves are small.

    Parameters
    ----------
    table : Table
        All training rows.
    tree : Tree
        Grown and pruned on `table`.
    home : ndarray of shape (n_rows,), int32
        Home leaf of every row: the one that receives the greatest part of its weight.
    small : ndarray of shape (n_nodes,), bool
        Which nodes are small leaves.
    root : int
        Seed from which all random streams of this fit are derived.
    n_jobs : int or None
        Threads to use; never changes a result.
    report : callable
        Called with the share of the work done since the last call; the shares sum to 1.
    threshold : float
        Greatest training weight of a small leaf.
    grower : C45Classifier, optional
        What grew the tree; C4.5 with default options if None.
    """

    table: Table
    tree: Tree
    home: npt.NDArray[np.int32]
    small: npt.NDArray[np.bool_]
    root: int
    n_jobs: int | None
    report: Callable[[float], None]
    threshold: float = math.inf
    grower: C45Classifier | None = None

    @cached_property
    def small_rows(self) -> Ints:
        """Rows whose home leaf is small (the paper's TrainingSet-2), ascending."""
        return np.flatnonzero(self.small[self.home])

    @cached_property
    def parent_rows(self) -> Ints:
        """Rows under the parents of the non-empty small leaves, ascending; of a root leaf its own rows."""
        parent = self.tree.parent
        wanted = np.zeros(self.tree.n_nodes, dtype=np.bool_)
        for leaf in np.flatnonzero(self.small & (self.tree.weight > 0)):
            wanted[max(int(parent[leaf]), 0)] = True
        # nodes are in pre-order: a parent is settled before its children
        for node in range(1, self.tree.n_nodes):
            wanted[node] |= wanted[parent[node]]
        return np.flatnonzero(wanted[self.home])

    def rows_of(self, leaf: int) -> Ints:
        """Return the rows whose home is a leaf, ascending."""
        return np.flatnonzero(self.home == leaf)

    def tested_above(self, leaf: int) -> set[int]:
        """Return the attributes tested on the path to a leaf."""
        parent, tested = self.tree.parent, set()
        node = int(parent[leaf])
        while node >= 0:
            tested.add(int(self.tree.attribute[node]))
            node = int(parent[node])
        return tested
