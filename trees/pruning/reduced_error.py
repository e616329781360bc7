"""Reduced-error pruning: rows that the tree was not grown from decide (Quinlan 1987)."""

from __future__ import annotations

import numpy as np

from trees.growth.route import node_class_weight
from trees.growth.tree import Tree
from trees.pruning.collapse import as_leaf_errors, prune_bottom_up
from trees.table import Table

__all__ = ["prune_reduced_error"]


def prune_reduced_error(tree: Tree, held_out: Table, *, strict: bool = False) -> Tree:
    """Make leaves of nodes, from the bottom up, while that makes no more errors on rows held out.

    Parameters
    ----------
    tree : Tree
        Grown from other rows; a pruned node keeps the class of those.
    held_out : Table
        Rows with classes.
    strict : bool
        Prune only where that makes fewer errors; then a node that no row reaches stays.

    Returns
    -------
    Tree

    Notes
    -----
    A node's decision depends on what is below it alone, so one pass from the bottom up leaves nothing to
    prune for a second.
    """
    errors = as_leaf_errors(tree, node_class_weight(tree, held_out))
    return prune_bottom_up(tree, errors, np.zeros(tree.n_nodes), strict=strict)
