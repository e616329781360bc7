"""C4.5, release 8: the tree."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Literal

import numpy as np
import numpy.typing as npt

from trees.decisions import Decisions
from trees.estimator import TableClassifier
from trees.growth.options import GrowthOptions
from trees.growth.tree import Tree
from trees.rule import RuleList
from trees.table import Table
from trees.validation import AnyOf, Boolean, Check, Choice, Float, Integer

__all__ = ["C45Classifier"]


class C45Classifier(TableClassifier):
    """Decision tree by C4.5 release 8: gain ratio, fractional missing values, pessimistic pruning.

    Parameters
    ----------
    criterion : {"gain_ratio", "gain"}, default="gain_ratio"
        Worth of a test (original option ``-g`` for "gain").
    min_cases : float, default=2
        Least weight in at least two branches of a test (``-m``).
    confidence : float in (0, 1], default=0.25
        Confidence level of pruning; smaller prunes more (``-c``, there in percent).
    prune : bool, default=True
        Prune the tree by pessimistic error estimates.
    raising : bool, default=True
        While pruning, also try to replace a node by its largest branch.
    collapse : bool, default=True
        While growing, undo subtrees that make no fewer training errors than a leaf.
    group_values : bool, default=False
        Group the values of nominal attributes (``-s``).
    max_depth : int or None, default=None
        Greatest number of tests on a path. Not in the original.
    mode : {"standard", "r8"}, default="standard"
        "standard" computes in double precision, counts weights where the original counts cases and takes
        -999 for a number. "r8" repeats the original's single precision, case order and known defects.
    nominal : list of str or int, optional
        Columns to read as nominal whatever they hold.
    unknown : {"missing", "error"}, default="missing"
        What to do at prediction with a category not seen in fit.

    Attributes
    ----------
    tree_ : Tree
        The tree; ``print(model.tree_)`` shows it as the original does.
    rules_ : RuleList
        One rule per leaf that training rows reach.

    Notes
    -----
    Quinlan, J. R. (1993). C4.5: Programs for Machine Learning. Morgan Kaufmann; (1996). Improved use of
    continuous attributes in C4.5. Journal of Artificial Intelligence Research 4, 77-90.

    Examples
    --------
    >>> import pandas as pd
    >>> weather = pd.DataFrame(
    ...     {
    ...         "outlook": ["sunny", "sunny", "overcast", "rain", "rain", "overcast"] * 2,
    ...         "windy": [False, True, False, False, True, True] * 2,
    ...     }
    ... )
    >>> play = ["no", "no", "yes", "yes", "no", "yes"] * 2
    >>> model = C45Classifier().fit(weather, play)
    >>> print(model.tree_)
    outlook = sunny: no (4.0/1.2)
    outlook = overcast: yes (4.0/1.2)
    outlook = rain:
    |   windy = False: yes (2.0/1.0)
    |   windy = True: no (2.0/1.0)
    >>> model.predict(pd.DataFrame({"outlook": ["rain", None], "windy": [True, False]}))
    array(['no', 'yes'], dtype='<U3')
    """

    _parameters: ClassVar[Mapping[str, Check]] = {
        "criterion": Choice(("gain_ratio", "gain")),
        "min_cases": Float(0.0),
        "confidence": Float(0.0, 1.0, "right"),
        "prune": Boolean(),
        "raising": Boolean(),
        "collapse": Boolean(),
        "group_values": Boolean(),
        "max_depth": AnyOf((Choice((None,)), Integer(1))),
        "mode": Choice(("standard", "r8")),
    }

    tree_: Tree

    def __init__(
        self,
        *,
        criterion: Literal["gain_ratio", "gain"] = "gain_ratio",
        min_cases: float = 2,
        confidence: float = 0.25,
        prune: bool = True,
        raising: bool = True,
        collapse: bool = True,
        group_values: bool = False,
        max_depth: int | None = None,
        mode: Literal["standard", "r8"] = "standard",
        nominal: list[str | int] | None = None,
        unknown: Literal["missing", "error"] = "missing",
    ) -> None:
        self.criterion = criterion
        self.min_cases = min_cases
        self.confidence = confidence
        self.prune = prune
        self.raising = raising
        self.collapse = collapse
        self.group_values = group_values
        self.max_depth = max_depth
        self.mode = mode
        self.nominal = nominal
        self.unknown = unknown

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
            Node numbers in `tree_`. Only rows with missing cells reach several leaves; of equal parts the
            first in pre-order counts.
        """
        from trees.growth.descend import apply

        return apply(self.tree_, self._encode(X).X)

    def build_tree(self, table: Table) -> Tree:
        """Return the tree of a table with classes, without becoming fitted."""
        from trees.growth.builder import grow
        from trees.growth.literal import grow_literal
        from trees.pruning.pessimistic import prune_pessimistic

        self._check_parameters()
        options = GrowthOptions(
            self.criterion, float(self.min_cases), self.group_values, self.collapse, self.max_depth
        )
        if self.mode == "r8":
            tree = grow_literal(table, options, single_precision=True)
        else:
            tree = grow(table, options)
        if self.prune:
            tree = prune_pessimistic(tree, table, confidence=self.confidence, raising=self.raising)
        return tree

    def _fit(self, table: Table) -> None:
        self.tree_ = self.build_tree(table)

    def _decide(self, table: Table) -> Decisions:
        from trees.growth.descend import apply, class_weights

        sums = class_weights(self.tree_, table.X)
        label = np.argmax(sums, axis=1).astype(np.int32)
        rule = self.tree_.rule_of_node[apply(self.tree_, table.X)]
        return Decisions(label, sums / sums.sum(axis=1, keepdims=True), rule)

    def _predict_codes(self, table: Table) -> npt.NDArray[np.int32]:
        from trees.growth.descend import predict_codes

        return predict_codes(self.tree_, table.X)

    def _model_state(self) -> dict[str, Any]:
        return {"tree": self.tree_.to_dict()}

    def _restore(self, state: Mapping[str, Any]) -> None:
        self.tree_ = Tree.from_dict(state["tree"], self.schema_)
