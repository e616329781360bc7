"""Naive Bayes on the rows of the nearest ancestor with enough of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np

from evorules.hybrids.handler import Answer, DisjunctHandler, Floats, Ints, most_frequent, peaked
from evorules.hybrids.problem import DisjunctProblem
from trees.discretize import MDLP, Cuts
from trees.growth.tree import Tree
from trees.schema import Schema
from trees.table import Table
from trees.validation import Check, Float

__all__ = ["NaiveBayes"]

TIE = 1e-9


class NaiveBayes(DisjunctHandler):
    """Naive Bayes learnt where the tree still had rows enough: at an ancestor of the small leaf.

    The first node upwards from the home leaf, the leaf included, with a training weight of at least
    `min_rows` answers, else the root. Numbers are cut by MDLP on all training rows. With n_c the weight of
    class c among the rows under the node and K the classes of the training set, the prior is
    (n_c + 1) / (n + K); the probability of a value is (n_cv + 1) / (n_c + V), V being the number of values or
    intervals. Missing cells count nowhere: there n_c is the weight of the rows whose cell is known.

    Parameters
    ----------
    min_rows : float, default=50
        Least training weight of the node that answers, at least 1.

    Attributes
    ----------
    cuts_ : Cuts
        The cut points.

    Notes
    -----
    Specified with the choice by inner validation (`Auto`); it has no evidence to weigh against the leaf's,
    hence no gate. Equal probabilities go to the class more frequent in training, then by class order.
    """

    is_stochastic: ClassVar[bool] = False
    speaker: ClassVar[str] = "naive Bayes"
    _parameters: ClassVar[Mapping[str, Check]] = {"min_rows": Float(1, closed="left")}
    cuts_: Cuts

    def __init__(self, *, min_rows: float = 50) -> None:
        self.min_rows = min_rows

    def _fit(self, problem: DisjunctProblem) -> None:
        table, tree = problem.table, problem.tree
        self.cuts_ = MDLP().fit(table)
        codes = self.cuts_.encode(table.X)
        self._set_nodes(tree)
        self._priors: dict[int, Floats] = {}
        self._counts: dict[int, list[Floats]] = {}
        wanted = np.unique(self._node_of[np.flatnonzero(problem.small)]).tolist()
        for node in wanted:
            rows = np.flatnonzero(_is_below(tree, node)[problem.home])
            classes, weight = table.classes[rows], table.weight[rows]
            self._priors[node] = _sums(classes, weight, table.n_classes)
            self._counts[node] = []
            for a, size in enumerate(self.cuts_.n_intervals.tolist()):
                known = ~np.isnan(codes[rows, a])
                place = codes[rows[known], a].astype(np.int64) * table.n_classes + classes[known]
                counts = _sums(place, weight[known], size * table.n_classes)
                self._counts[node].append(counts.reshape(size, table.n_classes))
        self.rules_ = ()
        problem.report(1.0)

    def _set_nodes(self, tree: Tree) -> None:
        """Find the node that answers for each leaf."""
        enough = tree.weight >= self.min_rows - 1e-6
        self._frequency = tree.class_weight[0]
        self._node_of = np.zeros(tree.n_nodes, dtype=np.int64)
        # nodes are in pre-order: a parent is settled before its children
        for node in range(1, tree.n_nodes):
            self._node_of[node] = node if enough[node] else self._node_of[tree.parent[node]]

    def _decide(self, table: Table, home: Ints) -> Answer:
        codes = self.cuts_.encode(table.X)
        node_of = self._node_of[home]
        log = np.zeros((table.n_rows, table.n_classes))
        for node in np.unique(node_of).tolist():
            rows = np.flatnonzero(node_of == node)
            log[rows] = self._log_probability(node, codes[rows])
        label = most_frequent(log, self._frequency, TIE)
        log[:, self._frequency == 0] = -np.inf
        scores = np.exp(log - log.max(axis=1, keepdims=True))
        return Answer(label, peaked(scores, label), np.full(table.n_rows, -1, dtype=np.int32))

    def _log_probability(self, node: int, codes: Floats) -> Floats:
        """Return the logarithm of prior times probability of the values, by row and class."""
        prior = self._priors[node]
        n_classes = np.count_nonzero(self._frequency > 0)
        log = np.tile(np.log((prior + 1) / (prior.sum() + n_classes)), (len(codes), 1))
        for a, counts in enumerate(self._counts[node]):
            if len(counts) == 0:
                continue
            conditional = np.log((counts + 1) / (counts.sum(axis=0) + len(counts)))
            known = np.flatnonzero(~np.isnan(codes[:, a]))
            log[known] += conditional[codes[known, a].astype(np.int64)]
        return log

    def _state(self) -> dict[str, Any]:
        nodes = [
            {"node": node, "prior": prior.tolist(), "counts": [c.tolist() for c in self._counts[node]]}
            for node, prior in self._priors.items()
        ]
        return {"cuts": self.cuts_.to_dict(), "nodes": nodes}

    def _restore(self, state: Mapping[str, Any], schema: Schema, tree: Tree) -> None:
        self.cuts_ = Cuts.from_dict(state["cuts"], schema)
        self._set_nodes(tree)
        self._priors, self._counts = {}, {}
        for record in state["nodes"]:
            node = int(record["node"])
            self._priors[node] = np.array(record["prior"], dtype=np.float64)
            self._counts[node] = [
                np.array(counts, dtype=np.float64).reshape(-1, schema.n_classes)
                for counts in record["counts"]
            ]
        self.rules_ = ()


def _sums(codes: np.ndarray[Any, Any], weight: Floats, size: int) -> Floats:
    """Return the weight of each code below `size`."""
    return np.bincount(codes, weights=weight, minlength=size).astype(np.float64)


def _is_below(tree: Tree, top: int) -> np.ndarray[Any, np.dtype[np.bool_]]:
    """Return which nodes are a node or lie under it; ndarray of shape (n_nodes,)."""
    below = np.zeros(tree.n_nodes, dtype=np.bool_)
    below[top] = True
    for node in range(top + 1, tree.n_nodes):
        below[node] = below[tree.parent[node]]
    return below
