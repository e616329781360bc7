"""Pessimistic pruning in float64 for rows with known cells and whole weights: the same trees, much faster."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from trees.growth.literal.nodes import nodes_of, tree_of
from trees.growth.tree import LEAF, NUMERIC, SUBSET, Tree
from trees.table import Table

__all__ = ["can_prune_exactly", "prune_exactly"]

LARGEST_SUM = 2.0**53


def can_prune_exactly(tree: Tree, table: Table) -> bool:
    """Return whether sums of weights are exact in any order and no row lacks a cell that is tested.

    Tests on groups of values are left out: a value may belong to no group.
    """
    if tree.single_precision or np.any(tree.kind == SUBSET):
        return False
    if np.any(table.weight != np.floor(table.weight)) or np.any(table.weight <= 0):
        return False
    tested = np.unique(tree.attribute[tree.kind != LEAF])
    codes = table.codes
    complete = all(not np.any(codes.ranks[a] == codes.missing) for a in tested)
    return complete and float(table.weight.sum()) <= LARGEST_SUM


def prune_exactly(tree: Tree, table: Table, level: npt.NDArray[np.float64], raising: bool) -> Tree:
    """Return what `prune_pessimistic` returns, for a tree and table that `can_prune_exactly` accepts.

    `level` holds the confidence and its squared deviate (`estimate_level`). Raising a branch is tried with
    the rows of its sisters alone: time is at most n log n times depth, not n times the square of depth.
    """
    from trees.pruning._kernels_exact import prune

    nodes = nodes_of(tree, np.float64)
    nodes.class_weight[:] = 0.0
    cuts = _cuts(tree, table)
    slices = np.zeros((tree.n_nodes, 2), dtype=np.int64)
    slices[0, 1] = table.n_rows
    rows = np.empty((4, table.n_rows), dtype=np.int32)
    rows[0] = np.arange(table.n_rows)
    prune(
        table.codes.ranks, table.classes, table.weight, level, raising,
        nodes.ints, cuts, nodes.reals, nodes.class_weight, nodes.child,
        np.empty((3, tree.n_nodes + 1), dtype=np.int32), slices, np.zeros_like(slices), rows,
        np.empty(tree.n_nodes), np.zeros((tree.depth + 2, 3), dtype=np.int64),
    )  # fmt: skip
    without_rows = slices[:, 0] == slices[:, 1]
    nodes.class_weight[without_rows] = tree.class_weight[without_rows]
    return tree_of(nodes, tree.schema)


def _cuts(tree: Tree, table: Table) -> npt.NDArray[np.int64]:
    """Return the greatest rank on the lower side of every numeric test, -2 for other nodes."""
    cuts = np.full(tree.n_nodes, -2, dtype=np.int64)
    numeric = tree.kind == NUMERIC
    for a in np.unique(tree.attribute[numeric]):
        here = np.flatnonzero(numeric & (tree.attribute == a))
        cuts[here] = np.searchsorted(table.codes.values[a], tree.threshold[here], side="right") - 1
    return cuts
