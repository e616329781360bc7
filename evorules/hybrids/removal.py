"""Removal: small disjuncts are struck from the tree, and what is left above them answers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Literal

import numpy as np

from evorules.hybrids.evidence import leaf_evidence
from evorules.hybrids.handler import Answer, DisjunctHandler, Ints, most_frequent, peaked
from evorules.hybrids.problem import DisjunctProblem
from trees.growth.tree import Tree
from trees.schema import Schema
from trees.table import Table
from trees.validation import Check, Choice, Float

__all__ = ["Removal"]


class Removal(DisjunctHandler):
    """Strike small leaves out: all of them, or those that chance explains.

    A row whose leaf is struck out goes up to the nearest node under which a leaf with training rows is left,
    and gets the majority class of the training rows of the leaves left there (ties: the class more frequent
    in training, then class order). If no leaf is left in the whole tree, the majority class of the training
    set answers.

    Parameters
    ----------
    test : {"size", "significance"}, default="size"
        "size" strikes out every small leaf. "significance" keeps a small leaf if so many rows of its class
        are unlikely in a random draw from the training set: one-sided exact binomial test with the class's
        share as the probability.
    alpha : float, default=0.05
        A leaf is kept if the probability is at most this; in (0, 1). Only with "significance".

    Attributes
    ----------
    removed_ : ndarray of shape (n_removed,), int64
        The leaves struck out, ascending.

    Notes
    -----
    Holte, R. C., Acker, L. E. and Porter, B. W. (1989). Concept learning and the problem of small disjuncts.
    IJCAI-89, 813-818, "eliminating small disjuncts" by size and by a test of significance. There a row that
    no disjunct covers is of the other of two classes; the way up is ours, for any number of classes. Counts
    are rounded for the test, which is exact where the paper's is asymptotic: small leaves are small samples.
    """

    is_stochastic: ClassVar[bool] = False
    speaker: ClassVar[str] = "what is left above it"
    _parameters: ClassVar[Mapping[str, Check]] = {
        "test": Choice(("size", "significance")),
        "alpha": Float(0, 1),
    }

    def __init__(self, *, test: Literal["size", "significance"] = "size", alpha: float = 0.05) -> None:
        self.test = test
        self.alpha = alpha

    @property
    def leaves_stand(self) -> bool:
        """Whether no leaf was struck out."""
        return len(self.removed_) == 0

    def _fit(self, problem: DisjunctProblem) -> None:
        tree = problem.tree
        leaves = np.flatnonzero(problem.small).tolist()
        self._keep([leaf for leaf in leaves if self._is_struck(tree, leaf)], tree)
        problem.report(1.0)

    def _is_struck(self, tree: Tree, leaf: int) -> bool:
        return self.test == "size" or chance_of(tree, leaf) > self.alpha

    def _keep(self, removed: list[int], tree: Tree) -> None:
        self.rules_ = ()
        self.removed_ = np.array(removed, dtype=np.int64)
        left = np.zeros((tree.n_nodes, tree.class_weight.shape[1]))
        kept = np.setdiff1d(tree.leaves, self.removed_)
        left[kept] = tree.class_weight[kept] * (tree.weight[kept] > 0)[:, np.newaxis]
        # pre-order: children come after their parent
        for node in range(tree.n_nodes - 1, 0, -1):
            left[tree.parent[node]] += left[node]
        if left[0].sum() == 0:
            left[0] = tree.class_weight[0]
        self._left = np.full((tree.n_nodes, left.shape[1]), np.nan)
        for leaf in removed:
            node = leaf
            while node > 0 and left[node].sum() == 0:
                node = int(tree.parent[node])
            self._left[leaf] = left[node]
        self._frequency = tree.class_weight[0]

    def _decide(self, table: Table, home: Ints) -> Answer:
        left = self._left[home]
        label = most_frequent(np.nan_to_num(left), self._frequency, 1e-9)
        label[np.isnan(left[:, 0])] = -1
        stands = np.full(table.n_rows, -1, dtype=np.int32)
        return Answer(label, peaked(np.nan_to_num(left), label), stands)

    def _state(self) -> dict[str, Any]:
        return {"removed": self.removed_.tolist()}

    def _restore(self, state: Mapping[str, Any], schema: Schema, tree: Tree) -> None:
        self._keep([int(leaf) for leaf in state["removed"]], tree)


def chance_of(tree: Tree, leaf: int) -> float:
    """Return how likely so many rows of a leaf's class are in a random draw of its size; 1 without rows."""
    from scipy.stats import binom

    n, e = leaf_evidence(tree, leaf)
    size, right = round(n), round(n - e)
    totals = tree.class_weight[0]
    share = float(totals[tree.label[leaf]] / totals.sum())
    return float(binom.sf(right - 1, size, share)) if size > 0 else 1.0
