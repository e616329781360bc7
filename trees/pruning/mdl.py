"""Pruning by description length: the bits that tell the tree and the classes of its rows.

Mehta, M., Rissanen, J. and Agrawal, R. (1995). MDL-based decision tree pruning. KDD-95, 216-221.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from trees.growth.route import rows_at_nodes
from trees.growth.tree import NOMINAL, NUMERIC, Tree
from trees.pruning.collapse import prune_bottom_up
from trees.table import Table

__all__ = ["leaf_bits", "prune_mdl", "split_bits"]

Floats = npt.NDArray[np.float64]


def leaf_bits(class_weight: npt.ArrayLike, n_classes: int) -> Floats:
    """Return the bits that tell the classes of the rows in a leaf.

    Parameters
    ----------
    class_weight : array-like of shape (..., n_declared_classes)
        Weight per class.
    n_classes : int
        Number k of classes that a row can have.

    Returns
    -------
    ndarray of shape (...)
        ``sum n_i log2(n / n_i) + (k - 1) / 2 log2(n / 2) + log2(pi^(k/2) / Gamma(k/2))``, at least 0; 0 for
        a leaf without rows.

    Examples
    --------
    >>> leaf_bits([[50, 50], [30, 10], [10, 0]], 2).round(3).tolist()
    [104.473, 36.264, 2.812]
    """
    weight = np.asarray(class_weight, dtype=np.float64)
    total = weight.sum(axis=-1)
    share = np.divide(weight, total[..., np.newaxis], out=np.ones_like(weight), where=weight > 0)
    bits = -(weight * np.log2(share)).sum(axis=-1)
    half = n_classes / 2
    constant = half * math.log2(math.pi) - math.lgamma(half) / math.log(2)
    known = np.where(total > 0, total, 2.0)
    bits = bits + (n_classes - 1) / 2 * np.log2(known / 2) + constant
    return np.asarray(np.where(total > 0, np.maximum(bits, 0.0), 0.0))


def split_bits(tree: Tree, table: Table) -> Floats:
    """Return the bits that tell the test of every inner node, 0 for leaves; ndarray of shape (n_nodes,).

    log2 of the number of attributes, and for a cut log2 of the number of cuts between the values in the
    node, for two groups of r values log2 of the 2^(r-1) - 1 ways to form them.
    """
    bits = np.zeros(tree.n_nodes)
    which = math.log2(max(tree.schema.n_attributes, 1))
    for node, rows in rows_at_nodes(tree, table.X):
        bits[node] = which
        if tree.kind[node] == NUMERIC:
            cells = table.X[rows, tree.attribute[node]]
            n_values = len(np.unique(cells[~np.isnan(cells)]))
            bits[node] += math.log2(max(n_values - 1, 1))
        elif tree.kind[node] != NOMINAL:
            codes = tree.group[tree.group_start[node] : tree.group_start[node + 1]]
            n_values = int(np.count_nonzero(codes >= 0))
            bits[node] += n_values - 1 + math.log2(1 - 2.0 ** (1 - n_values))
    return bits


def prune_mdl(tree: Tree, table: Table) -> Tree:
    """Prune to the subtree with the shortest description.

    Parameters
    ----------
    tree : Tree
        The tree.
    table : Table
        The rows that it was grown from.

    Returns
    -------
    Tree
        Every node costs 1 bit to tell whether it is a leaf, a test `split_bits` and a leaf `leaf_bits`, with
        the classes that occur in the table. Of equally short ones the smallest tree.
    """
    n_classes = int(np.count_nonzero(table.class_totals))
    reached = np.where((tree.weight > 0)[:, np.newaxis], tree.class_weight, 0.0)
    return prune_bottom_up(tree, 1.0 + leaf_bits(reached, n_classes), 1.0 + split_bits(tree, table))
