"""Nearest neighbours: the rows stored answer for those like them (IB1, IB5)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Literal

import numpy as np
import numpy.typing as npt

from evorules.hybrids.handler import Answer, DisjunctHandler, Floats, Ints, most_frequent, peaked
from evorules.hybrids.problem import DisjunctProblem
from trees.growth.tree import Tree
from trees.schema import Schema
from trees.table import Table
from trees.validation import Check, Choice, Integer

__all__ = ["NearestNeighbours"]

TIE = 1e-9


class NearestNeighbours(DisjunctHandler):
    """The class of the most similar training rows.

    The squared distance of two rows is the sum over the attributes of the squared difference: of numbers
    divided by the range of the stored rows (0 for a constant), of values 0 or 1, and 1 where a cell is
    missing. Each of the `k` nearest rows votes with 1 / (squared distance + 0.01).

    Parameters
    ----------
    k : int, default=1
        Neighbours that vote: training weight, so that a row of weight 2 is two neighbours. Of rows at the
        same distance the first in training order.
    ib_data : {"small", "all"}, default="small"
        Store the rows of the small leaves, or all training rows.
    overrule : {"none", "pessimistic", "laplace"}, default="none"
        When the neighbours may contradict the leaf: always, or if the estimated accuracy behind their vote
        (k rows, of which those of another class are errors) is strictly higher than the leaf's.

    Attributes
    ----------
    n_rows_ : int
        Rows stored.

    Notes
    -----
    Ting, K. M. (1994). The problem of small disjuncts: its remedy in decision trees (C4.5/IB1); Aha, D. W.
    and others (1991). Instance-based learning algorithms. Equal votes go to the class more frequent in
    training, then by class order.
    """

    is_stochastic: ClassVar[bool] = False
    speaker: ClassVar[str] = "the vote of the nearest rows"
    _parameters: ClassVar[Mapping[str, Check]] = {
        "k": Integer(1),
        "ib_data": Choice(("small", "all")),
        "overrule": Choice(("none", "pessimistic", "laplace")),
    }
    n_rows_: int

    def __init__(
        self,
        *,
        k: int = 1,
        ib_data: Literal["small", "all"] = "small",
        overrule: Literal["none", "pessimistic", "laplace"] = "none",
    ) -> None:
        self.k = k
        self.ib_data = ib_data
        self.overrule = overrule

    def _fit(self, problem: DisjunctProblem) -> None:
        table = problem.table
        rows = problem.small_rows if self.ib_data == "small" else np.arange(table.n_rows)
        self._keep(table.X[rows], table.classes[rows], table.weight[rows], table.schema, problem.tree)
        self.rules_ = ()
        problem.report(1.0)

    def _keep(self, cells: Floats, classes: Ints, weight: Floats, schema: Schema, tree: Tree) -> None:
        self._cells = np.ascontiguousarray(cells, dtype=np.float64)
        self._stored_classes = classes
        self._weight = weight
        self._frequency = tree.class_weight[0]
        self.n_rows_ = len(cells)
        known = np.where(np.isnan(cells), -np.inf, cells).max(axis=0)
        least = np.where(np.isnan(cells), np.inf, cells).min(axis=0)
        nominal = np.array([attribute.is_nominal for attribute in schema.attributes], dtype=np.bool_)
        # all cells missing: nothing is ever compared
        with np.errstate(invalid="ignore"):
            self._spread = np.where(nominal, -1.0, np.maximum(known - least, 0.0)).astype(np.float64)

    def neighbours(self, table: Table) -> tuple[Floats, npt.NDArray[np.int64]]:
        """Return squared distances and positions among the stored rows, nearest first.

        Parameters
        ----------
        table : Table
            Rows to find neighbours for.

        Returns
        -------
        squares : ndarray of shape (n_rows, n_neighbours), float64
        found : ndarray of shape (n_rows, n_neighbours), int64
            As many as are needed to make up the weight `k`; all, if they are fewer.
        """
        from evorules.hybrids._kernels_neighbours import nearest_rows

        # however light the nearest rows are, so many of them weigh k
        reached = np.cumsum(np.sort(self._weight)) >= self.k - TIE
        n_wanted = int(np.argmax(reached)) + 1 if reached[-1] else self.n_rows_
        squares = np.empty((table.n_rows, n_wanted))
        found = np.empty((table.n_rows, n_wanted), dtype=np.int64)
        cells = np.ascontiguousarray(table.X, dtype=np.float64)
        nearest_rows(self._cells, cells, self._spread, squares, found)
        return squares, found

    def _decide(self, table: Table, home: Ints) -> Answer:
        squares, found = self.neighbours(table)
        weight = self._weight[found]
        before = np.cumsum(weight, axis=1) - weight
        counted = np.clip(self.k - before, 0.0, weight)
        rows = np.repeat(np.arange(table.n_rows), found.shape[1])
        classes = self._stored_classes[found]
        votes = np.zeros((table.n_rows, table.n_classes))
        np.add.at(votes, (rows, classes.ravel()), (counted / (squares + 0.01)).ravel())
        label = most_frequent(votes, self._frequency, TIE)
        wrong = np.where(classes == label[:, np.newaxis], 0.0, counted).sum(axis=1)
        evidence = np.stack([counted.sum(axis=1), wrong], axis=1)[:, np.newaxis]
        return Answer(label, peaked(votes, label), np.full(table.n_rows, -1, dtype=np.int32), evidence)

    def _state(self) -> dict[str, Any]:
        missing = np.isnan(self._cells)
        cells = self._cells.astype(object)
        cells[missing] = None
        return {
            "cells": cells.tolist(),
            "classes": self._stored_classes.tolist(),
            "weight": self._weight.tolist(),
        }

    def _restore(self, state: Mapping[str, Any], schema: Schema, tree: Tree) -> None:
        cells = np.array(state["cells"], dtype=np.float64).reshape(-1, schema.n_attributes)
        classes = np.array(state["classes"], dtype=np.int32)
        self._keep(cells, classes, np.array(state["weight"], dtype=np.float64), schema, tree)
        self.rules_ = ()
