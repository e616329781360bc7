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
from trees.reading import Explanation, attribute_importance, explain
from trees.rule import RuleList
from trees.schema import Schema
from trees.table import Table

if TYPE_CHECKING:
    import pandas as pd

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
        return apply(self.tree_, self._tree_cells(self._encode(X)))

    @property
    def importance_(self) -> pd.Series:
        """Share of each attribute in the decrease of the class entropy, greatest first."""
        return attribute_importance(self.tree_)

    def explain(self, X: Any) -> list[Explanation]:
        """Return the path of every row through the tree; print one to read it.

        Parameters
        ----------
        X : DataFrame, ndarray, list of rows or Table
            A DataFrame's columns are matched by name.

        Returns
        -------
        list of Explanation
            With several paths, and the part of the row that takes each, where a tested cell is missing.
        """
        table = self._encode(X)
        return explain(self.tree_, self._tree_cells(table), self._decide(table))

    def _decide(self, table: Table) -> Decisions:
        return decide(self.tree_, self._tree_cells(table))

    def _tree_cells(self, table: Table) -> npt.NDArray[np.float64]:
        """Return the cells of the attributes that the tree is over."""
        return table.X

    def _model_state(self) -> dict[str, Any]:
        return {"tree": self.tree_.to_dict()}

    def _restore(self, state: Mapping[str, Any]) -> None:
        self.tree_ = Tree.from_dict(state["tree"], self.schema_)
