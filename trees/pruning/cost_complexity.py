"""Minimal cost-complexity pruning: weakest links, and cross-validation to choose how many to cut.

Breiman, L., Friedman, J., Olshen, R. and Stone, C. (1984). Classification and Regression Trees, chapter 3.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from trees.growth.route import node_class_weight
from trees.growth.tree import LEAF, Tree
from trees.pruning.collapse import as_leaf_errors, collapse
from trees.table import Table

__all__ = ["PruningPath", "choose_alpha", "prune_cost_complexity", "weakest_links"]

Floats = npt.NDArray[np.float64]

TIE = 1e-12


@dataclass(frozen=True, eq=False)
class PruningPath:
    """The nested subtrees of a tree and their cross-validated error.

    Parameters
    ----------
    alphas : ndarray of shape (n_subtrees,)
        Ascending from 0; subtree k is the smallest with the least errors + alphas[k] * leaves, errors as a
        share of the training weight.
    n_leaves : ndarray of shape (n_subtrees,), int64
        Leaves of each subtree.
    error : ndarray of shape (n_subtrees,)
        Share of the weight that the subtrees of the fold trees misclassify in the folds held out.
    chosen : int
        Position of the subtree chosen.
    """

    alphas: Floats
    n_leaves: npt.NDArray[np.int64]
    error: Floats
    chosen: int

    @property
    def alpha(self) -> float:
        """The alpha chosen."""
        return float(self.alphas[self.chosen])


def weakest_links(tree: Tree) -> Floats:
    """Return, for every inner node, the alpha from which on it is cut; infinity for leaves.

    Parameters
    ----------
    tree : Tree
        The tree, with training errors.

    Returns
    -------
    ndarray of shape (n_nodes,)
        The subtree for an alpha is the tree without the nodes whose alpha is no greater. Repeatedly the
        nodes with the least (R(t) - R(T_t)) / (leaves - 1) are cut, those within 1e-12 together, R being
        training errors over the training weight.
    """
    n = tree.n_nodes
    total = tree.weight[0]
    reached = np.where((tree.weight > 0)[:, np.newaxis], tree.class_weight, 0.0)
    own = as_leaf_errors(tree, reached)
    parent = tree.parent
    below = np.where(tree.kind == LEAF, own, 0.0)
    n_leaves = (tree.kind == LEAF).astype(np.int64)
    size = np.ones(n, dtype=np.int64)
    for node in range(n - 1, 0, -1):
        above = parent[node]
        below[above] += below[node]
        n_leaves[above] += n_leaves[node]
        size[above] += size[node]
    alpha = np.full(n, math.inf)
    present = tree.kind != LEAF

    def link(node: int) -> float:
        return float((own[node] - below[node]) / (n_leaves[node] - 1) / total)

    strength = [link(node) if present[node] else math.inf for node in range(n)]
    heap = [(strength[node], node) for node in np.flatnonzero(present).tolist()]
    heapq.heapify(heap)
    current = 0.0
    while heap:
        strongest, node = heapq.heappop(heap)
        if not present[node] or strongest != strength[node]:
            continue
        if strongest > current + TIE:
            current = strongest
        inside = slice(node, node + size[node])
        alpha[inside][present[inside]] = current
        present[inside] = False
        fewer, more = n_leaves[node] - 1, own[node] - below[node]
        while (node := int(parent[node])) >= 0:
            n_leaves[node] -= fewer
            below[node] += more
            strength[node] = link(node)
            heapq.heappush(heap, (strength[node], node))
    return alpha


def prune_cost_complexity(tree: Tree, alpha: float) -> Tree:
    """Prune to the smallest subtree with the least training errors plus alpha times leaves.

    Parameters
    ----------
    tree : Tree
        The tree, with training errors.
    alpha : float
        Share of the training weight, at least 0, that a leaf must save in errors.

    Returns
    -------
    Tree
    """
    return collapse(tree, weakest_links(tree) <= alpha)


def choose_alpha(tree: Tree, folds: Sequence[tuple[Tree, Table]], *, se_rule: float = 1.0) -> PruningPath:
    """Choose a subtree by cross-validation.

    Parameters
    ----------
    tree : Tree
        Grown from all rows.
    folds : sequence of (Tree, Table)
        Trees grown without a part of the rows, each with that part.
    se_rule : float
        The smallest subtree is chosen whose error exceeds the least by at most so many standard errors
        sqrt(R (1 - R) / n).

    Returns
    -------
    PruningPath
        The fold trees are pruned with the geometric means of neighbouring alphas, the last with infinity.
    """
    links = weakest_links(tree)
    alphas = np.unique(np.append(links[np.isfinite(links)], 0.0))
    middles = np.append(np.sqrt(alphas[:-1] * alphas[1:]), math.inf)
    wrong = np.zeros(len(alphas))
    total = 0.0
    for fold_tree, held_out in folds:
        wrong += _errors_by_alpha(fold_tree, held_out, middles)
        total += float(held_out.weight.sum())
    error = wrong / total
    # least error, and of equal ones the smallest subtree
    best = len(error) - 1 - int(np.argmin(error[::-1]))
    margin = se_rule * math.sqrt(error[best] * (1 - error[best]) / total)
    chosen = int(np.flatnonzero(error <= error[best] + margin + TIE)[-1])
    n_leaves = _sum_by_alpha(tree, links, np.ones(tree.n_nodes), alphas)
    return PruningPath(alphas, np.rint(n_leaves).astype(np.int64), error, chosen)


def _errors_by_alpha(tree: Tree, held_out: Table, alphas: Floats) -> Floats:
    """Return the weight that the subtree for every one of the ascending `alphas` misclassifies."""
    wrong = as_leaf_errors(tree, node_class_weight(tree, held_out))
    return _sum_by_alpha(tree, weakest_links(tree), wrong, alphas)


def _sum_by_alpha(tree: Tree, links: Floats, values: Floats, alphas: Floats) -> Floats:
    """Return the sum of `values` over the leaves of the subtree for every one of the ascending `alphas`."""
    first = np.where(tree.kind == LEAF, 0, np.searchsorted(alphas, links))
    end = np.full(tree.n_nodes, len(alphas))
    for node, above in enumerate(tree.parent.tolist()):
        if above >= 0:
            end[node] = min(end[above], first[above])
    change = np.zeros(len(alphas) + 1)
    # a node that goes before it would become a leaf counts nowhere
    np.add.at(change, np.minimum(first, end), values)
    np.subtract.at(change, end, values)
    return np.cumsum(change)[:-1]
