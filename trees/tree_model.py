"""What the classifiers that are one tree have in common."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from trees.decisions import Decisions
from trees.growth.descend import apply
from trees.growth.route import decide
from trees.growth.tree import Tree
from trees.rule import RuleList
from trees.schema import Schema
from trees.table import Table

__all__ = ["TreeModel"]


class TreeModel:
    """Mixin of classifiers whose model is a `Tree` over the attributes of the training table.

    Attributes
    ----------
    tree_ : Tree
        The tree.
    """

    tree_: Tree
    schema_: Schema

    if TYPE_CHECKING:

        def _encode(self, X: Any) -> Table: ...

    @property
    def rules_(self) -> RuleList:
        """One rule per leaf that training rows reach."""
        return self.tree_.to_rules()

    def apply(self, X: Any) -> npt.NDArray[np.int32]:
        """Return the leaf of every row: the one that receives the greatest part of its weight.

        Parameters
        ----------
        X : DataFrame, ndarray, list of rows or Table
            A DataFrame's columns are matched by name.

        Returns
        -------
        ndarray of shape (n_rows,), int32
            Node numbers in `tree_`.
        """
        return apply(self.tree_, self._encode(X).X)

    def _decide(self, table: Table) -> Decisions:
        return decide(self.tree_, table.X)

    def _model_state(self) -> dict[str, Any]:
        return {"tree": self.tree_.to_dict()}

    def _restore(self, state: Mapping[str, Any]) -> None:
        self.tree_ = Tree.from_dict(state["tree"], self.schema_)
