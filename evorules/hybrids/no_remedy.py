"""No remedy: the leaf's own class stands. The baseline that every handler has to beat."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np

from evorules.hybrids.handler import Answer, DisjunctHandler, Ints
from evorules.hybrids.problem import DisjunctProblem
from trees.growth.tree import Tree
from trees.schema import Schema
from trees.table import Table

__all__ = ["NoRemedy"]


class NoRemedy(DisjunctHandler):
    """Leave the small leaves as they are; the hybrid then predicts as its tree does."""

    is_stochastic: ClassVar[bool] = False

    @property
    def leaves_stand(self) -> bool:
        """True: there is no remedy."""
        return True

    def _fit(self, problem: DisjunctProblem) -> None:
        self.rules_ = ()
        problem.report(1.0)

    def _decide(self, table: Table, home: Ints) -> Answer:
        stands = np.full(table.n_rows, -1, dtype=np.int32)
        return Answer(stands, np.zeros((table.n_rows, table.n_classes)), stands)

    def _state(self) -> dict[str, Any]:
        return {}

    def _restore(self, state: Mapping[str, Any], schema: Schema, tree: Tree) -> None:
        self.rules_ = ()
