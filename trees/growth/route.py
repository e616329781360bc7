"""Where rows go in a tree: the weight that reaches every node, and what the tree decides."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from trees.decisions import Decisions
from trees.growth.cells import working_cells
from trees.growth.descend import classify
from trees.growth.draft import majority
from trees.growth.tree import LEAF, NOMINAL, NUMERIC, Tree
from trees.table import Table

__all__ = [
    "branch_shares",
    "branches_of",
    "decide",
    "largest_children",
    "node_class_weight",
    "rows_at_nodes",
    "working_cells_of",
]

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int32]


class _Walk(NamedTuple):
    """A tree as the kernels read it; `share` is the part of a row without a branch, per entry of `child`."""

    kind: npt.NDArray[np.int8]
    attribute: Ints
    threshold: Floats
    child_start: Ints
    child: Ints
    group_start: Ints
    group: Ints
    share: Floats


def decide(tree: Tree, X: Floats) -> Decisions:
    """Return what a tree decides for rows, rows with missing cells sent as `tree.missing` says.

    Parameters
    ----------
    tree : Tree
        The tree.
    X : ndarray of shape (n_rows, n_attributes)
        Cells as in `Table.X`.

    Returns
    -------
    Decisions
        Scores are the class shares of the leaf, or of the leaves by the row's shares; of equal classes the
        one more frequent in training is decided, then the first. The rule is that of the leaf with the
        greatest share, numbered as in ``tree.to_rules()``.
    """
    _, scores, leaf = classify(tree, X)
    return Decisions(majority(scores, tree.class_weight[0]), scores, tree.rule_of_node[leaf])


def largest_children(tree: Tree) -> Ints:
    """Return the heaviest child of every node, the first of equals, -1 for leaves; of shape (n_nodes,)."""
    largest = np.full(tree.n_nodes, -1, dtype=np.int32)
    for node in np.flatnonzero(tree.kind != LEAF).tolist():
        children = tree.children(node)
        largest[node] = children[np.argmax(tree.weight[children])]
    return largest


def node_class_weight(tree: Tree, table: Table) -> Floats:
    """Return the weight per class of the rows of a table that reach every node.

    Parameters
    ----------
    tree : Tree
        The tree; rows with missing cells are sent as `tree.missing` says.
    table : Table
        With classes.

    Returns
    -------
    ndarray of shape (n_nodes, n_classes)
    """
    from trees.growth._kernels_route import count_nodes

    counts = np.zeros((tree.n_nodes, table.n_classes))
    waiting, part = np.empty(tree.n_nodes, dtype=np.int32), np.empty(tree.n_nodes)
    count_nodes(
        working_cells_of(tree, table.X),
        table.classes.copy(),
        table.weight.copy(),
        _walk(tree),
        counts,
        waiting,
        part,
    )
    return counts


def rows_at_nodes(tree: Tree, X: Floats) -> Iterator[tuple[int, npt.NDArray[np.int64]]]:
    """Yield every inner node in pre-order with the rows that reach it, if only in part.

    Parameters
    ----------
    tree : Tree
        The tree; rows with missing cells are sent as `tree.missing` says.
    X : ndarray of shape (n_rows, n_attributes)
        Cells as in `Table.X`.
    """
    cells = working_cells_of(tree, X)
    share = branch_shares(tree)
    waiting = [(0, np.arange(len(X)))]
    while waiting:
        node, rows = waiting.pop()
        if tree.is_leaf(node):
            continue
        yield node, rows
        branch = branches_of(tree, node, cells[rows, tree.attribute[node]])
        start = tree.child_start[node]
        below = []
        for b, child in enumerate(tree.children(node).tolist()):
            takes = (branch == b) | ((branch < 0) & (share[start + b] > 0))
            below.append((child, rows[takes]))
        waiting.extend(reversed(below))


def branches_of(tree: Tree, node: int, cells: Floats) -> npt.NDArray[np.int64]:
    """Return the branch of every cell of a node's attribute, -1 where none is its own; both of shape (n,)."""
    branch = np.full(len(cells), -1, dtype=np.int64)
    known = ~np.isnan(cells)
    if tree.kind[node] == NUMERIC:
        branch[known] = cells[known] > tree.threshold[node]
    elif tree.kind[node] == NOMINAL:
        branch[known] = cells[known].astype(np.int64)
    else:
        group = tree.group[tree.group_start[node] : tree.group_start[node + 1]]
        branch[known] = group[cells[known].astype(np.int64)]
    return branch


def working_cells_of(tree: Tree, X: Floats) -> Floats:
    """Return the cells as the tree compares them, in C order."""
    real = np.float32 if tree.single_precision else np.float64
    return np.ascontiguousarray(working_cells(X, ~tree.schema.is_nominal, real), dtype=np.float64)


def branch_shares(tree: Tree) -> Floats:
    """Return, per entry of `tree.child`, the part of a row without a branch of its own that goes there."""
    above = np.repeat(np.arange(tree.n_nodes), np.diff(tree.child_start))
    if tree.missing == "largest":
        return (largest_children(tree)[above] == tree.child).astype(np.float64)
    weight = tree.weight[tree.child]
    sums = np.bincount(above, weights=weight, minlength=tree.n_nodes)[above]
    equal = 1.0 / np.diff(tree.child_start)[above]
    return np.divide(weight, sums, out=equal, where=sums > 0)


def _walk(tree: Tree) -> _Walk:
    return _Walk(
        tree.kind,
        tree.attribute,
        tree.threshold,
        tree.child_start,
        tree.child,
        tree.group_start,
        tree.group,
        branch_shares(tree),
    )
