"""Making leaves of inner nodes, and the figures that decide which."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from trees.growth.tree import LEAF, Tree

__all__ = ["as_leaf_errors", "collapse", "prune_bottom_up"]

Floats = npt.NDArray[np.float64]


def as_leaf_errors(tree: Tree, class_weight: Floats) -> Floats:
    """Return the weight at every node that is not of the node's class.

    Parameters
    ----------
    tree : Tree
        The tree.
    class_weight : ndarray of shape (n_nodes, n_classes)
        Weight per class of the rows that reach every node; 0 in a node that no row reaches.

    Returns
    -------
    ndarray of shape (n_nodes,)
    """
    own = class_weight[np.arange(tree.n_nodes), tree.label]
    return np.asarray(np.maximum(class_weight.sum(axis=1) - own, 0.0))


def prune_bottom_up(tree: Tree, leaf_cost: Floats, test_cost: Floats, *, strict: bool = False) -> Tree:
    """Make a leaf of every node that costs no more as a leaf than its pruned subtree does.

    Parameters
    ----------
    tree : Tree
        The tree.
    leaf_cost : ndarray of shape (n_nodes,)
        Cost of every node as a leaf.
    test_cost : ndarray of shape (n_nodes,)
        Cost of the test of every node; it is added to the cost of the branches.
    strict : bool
        Ask for a lower cost; costs that differ by less than 1e-9 are equal.

    Returns
    -------
    Tree
    """
    cost = leaf_cost.copy()
    pruned = np.zeros(tree.n_nodes, dtype=np.bool_)
    margin = -1e-9 if strict else 1e-9
    for node in reversed(np.flatnonzero(tree.kind != LEAF).tolist()):
        below = test_cost[node] + cost[tree.children(node)].sum()
        pruned[node] = leaf_cost[node] <= below + margin
        cost[node] = leaf_cost[node] if pruned[node] else below
    return collapse(tree, pruned)


def collapse(tree: Tree, pruned: npt.NDArray[np.bool_]) -> Tree:
    """Return the tree whose marked nodes are leaves.

    Parameters
    ----------
    tree : Tree
        The tree.
    pruned : ndarray of shape (n_nodes,), bool
        Nodes to make leaves of; what is below them goes.

    Returns
    -------
    Tree
        Nodes keep their order; the errors are those of the training rows.
    """
    if not np.any(pruned & (tree.kind != LEAF)):
        return tree
    kept = np.ones(tree.n_nodes, dtype=np.bool_)
    parent = tree.parent
    for node in range(1, tree.n_nodes):
        kept[node] = kept[parent[node]] and not pruned[parent[node]]
    old = np.flatnonzero(kept)
    number = np.cumsum(kept, dtype=np.int32) - 1
    kind = np.where(pruned, LEAF, tree.kind)[old].astype(np.int8)
    inner = kind != LEAF
    child_start, child = _kept_ranges(tree.child_start, tree.child, old, inner)
    group_start, group = _kept_ranges(tree.group_start, tree.group, old, inner)
    class_weight, weight = tree.class_weight[old], tree.weight[old]
    child = number[child]
    own = class_weight[np.arange(len(old)), tree.label[old]]
    errors = np.where(weight > 0, np.maximum(class_weight.sum(axis=1) - own, 0.0), 0.0)
    for node in reversed(np.flatnonzero(inner).tolist()):
        errors[node] = errors[child[child_start[node] : child_start[node + 1]]].sum()
    return tree.replaced(
        kind=kind,
        attribute=np.where(inner, tree.attribute[old], -1).astype(np.int32),
        threshold=np.where(inner, tree.threshold[old], np.nan),
        child_start=child_start,
        child=child,
        group_start=group_start,
        group=group,
        label=tree.label[old],
        weight=weight,
        errors=errors,
        class_weight=class_weight,
    )


def _kept_ranges(
    start: npt.NDArray[np.int32],
    flat: npt.NDArray[np.int32],
    old: npt.NDArray[np.int64],
    inner: npt.NDArray[np.bool_],
) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]:
    """Return starts and entries of the nodes `old`, without the entries of those that are no inner nodes."""
    lengths = np.where(inner, np.diff(start)[old], 0)
    new_start = np.concatenate(([0], np.cumsum(lengths))).astype(np.int32)
    offset = np.arange(new_start[-1]) - np.repeat(new_start[:-1], lengths)
    return new_start, flat[np.repeat(start[old], lengths) + offset]
