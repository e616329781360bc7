"""Soft thresholds: how far a numeric test may move before it makes significantly more training errors."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt

from trees.growth.cells import working_cells
from trees.growth.descend import predict_codes
from trees.growth.tree import NUMERIC, SUBSET, Tree
from trees.table import Table

__all__ = ["soft_thresholds"]

Floats = npt.NDArray[np.float64]


def soft_thresholds(tree: Tree, table: Table) -> Floats:
    """Return the interval in which the outcome of every numeric test is uncertain (the original's ``-p``).

    Parameters
    ----------
    tree : Tree
        Usually pruned.
    table : Table
        The training rows, with classes; their weights are not used.

    Returns
    -------
    ndarray of shape (n_nodes, 2), float64
        Lower and upper end, on either side of the threshold or equal to it; NaN in nodes without a numeric
        test. At the ends the test makes one standard error more training errors than at the threshold.

    Notes
    -----
    C4.5 specification, section 6. Classification does not use the intervals, nor does the original's.
    """
    real = np.float32 if tree.single_precision else np.float64
    cells = working_cells(table.X, ~table.schema.is_nominal, real)
    ends = np.full((tree.n_nodes, 2), np.nan)
    last = _last_below(tree)
    stack: list[tuple[int, npt.NDArray[np.int64]]] = [(0, np.arange(table.n_rows))]
    while stack:
        node, rows = stack.pop()
        if len(rows) == 0 or tree.is_leaf(node):
            continue
        column = cells[:, tree.attribute[node]]
        rows = rows[~np.isnan(column[rows])]
        below = tree.children(node).tolist()
        if tree.kind[node] == NUMERIC:
            wrong = [
                predict_codes(_subtree(tree, child, last[child]), table.X[rows]) != table.classes[rows]
                for child in below
            ]
            ends[node] = _interval(column[rows], wrong[0], wrong[1], real(tree.threshold[node]), real)
        branch = _branches(tree, node, column[rows])
        stack.extend((child, rows[branch == b]) for b, child in enumerate(below))
    return ends


def _branches(tree: Tree, node: int, cells: npt.NDArray[Any]) -> npt.NDArray[np.int64]:
    """Return the branch of every known cell, -1 for values of no group."""
    if tree.kind[node] == NUMERIC:
        return (cells > cells.dtype.type(tree.threshold[node])).astype(np.int64)
    codes = cells.astype(np.int64)
    if tree.kind[node] == SUBSET:
        return tree.group[tree.group_start[node] + codes].astype(np.int64)
    return codes


def _interval(
    cells: npt.NDArray[Any],
    wrong_left: npt.NDArray[np.bool_],
    wrong_right: npt.NDArray[np.bool_],
    cut: Any,
    real: Any,
) -> tuple[float, float]:
    """Return where the errors of other thresholds cross those of `cut` plus one standard error."""
    if len(cells) == 0:
        return float(cut), float(cut)
    n = len(cells)
    left = cells.astype(np.float64) <= float(cut) + 1e-6
    base = int(np.sum(np.where(left, wrong_left, wrong_right)))
    spread = real(math.sqrt((base + 0.5) * (n - base + 0.5) / (n + 1)))
    limit = real(base + spread)
    values, inverse = np.unique(cells, return_inverse=True)
    change = np.bincount(inverse, weights=wrong_left.astype(float) - wrong_right, minlength=len(values))
    errors = (np.cumsum(change) + np.sum(wrong_right)).astype(real)
    lower, upper = min(cut, values[0]), max(cut, values[-1])
    found_lower = False
    for p, q, e_p, e_q in zip(values[:-1], values[1:], errors[:-1], errors[1:], strict=True):
        if not found_lower and q <= cut and e_p > limit >= e_q:
            lower = q - (q - p) * (limit - e_q) / (e_p - e_q)
            found_lower = True
        elif q > cut and e_p <= limit < e_q:
            upper = max(p + (q - p) * (limit - e_p) / (e_q - e_p), cut)
    return float(lower), float(upper)


def _last_below(tree: Tree) -> npt.NDArray[np.int32]:
    """Return the last node of every subtree, which in pre-order is a range of nodes."""
    last = np.arange(tree.n_nodes, dtype=np.int32)
    parent = tree.parent
    for node in range(tree.n_nodes - 1, 0, -1):
        last[parent[node]] = max(last[parent[node]], last[node])
    return last


def _subtree(tree: Tree, first: int, last: int) -> Tree:
    """Return the nodes first..last, which are all those below `first`, as a tree."""
    end = last + 1
    starts = {}
    for name in ("child_start", "group_start"):
        start = getattr(tree, name)
        starts[name] = start[first : end + 1] - start[first]
    per_node = ("kind", "attribute", "threshold", "label", "weight", "errors", "class_weight")
    return tree.replaced(
        **{name: getattr(tree, name)[first:end] for name in per_node},
        **starts,
        child=tree.child[tree.child_start[first] : tree.child_start[end]] - np.int32(first),
        group=tree.group[tree.group_start[first] : tree.group_start[end]],
    )
