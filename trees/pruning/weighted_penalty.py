"""Pruning by a price for every node (Aggarwal, Data Mining: The Textbook, section 10.3.2)."""

from __future__ import annotations

import numpy as np

from trees.growth.tree import Tree
from trees.pruning.collapse import as_leaf_errors, prune_bottom_up

__all__ = ["prune_weighted_penalty"]


def prune_weighted_penalty(tree: Tree, penalty: float = 0.5) -> Tree:
    """Prune to the subtree with the least training errors plus penalty times number of nodes.

    Parameters
    ----------
    tree : Tree
        The tree.
    penalty : float
        Training errors (their weight) that a node is worth, at least 0.

    Returns
    -------
    Tree
        Of equally good subtrees the smallest.
    """
    reached = np.where((tree.weight > 0)[:, np.newaxis], tree.class_weight, 0.0)
    price = np.full(tree.n_nodes, float(penalty))
    return prune_bottom_up(tree, as_leaf_errors(tree, reached) + price, price)
