"""ID3: a branch per value, chosen by information gain."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Literal

import numpy as np

from trees.criteria import CRITERIA
from trees.discretize import Cuts, Discretizer
from trees.discretize.by_name import DiscretizerCheck, make_discretizer
from trees.discretize.column import points_after
from trees.estimator import TableClassifier
from trees.growth.generic import GenericOptions, grow_generic
from trees.growth.generic.intervals import expand_intervals
from trees.growth.tree import Tree
from trees.pruning.by_name import PruningOptions, grow_and_prune
from trees.pruning.cost_complexity import PruningPath
from trees.table import Table
from trees.tree_model import TreeModel
from trees.validation import AnyOf, Check, Choice, Float, Integer

__all__ = ["ID3Classifier"]


class ID3Classifier(TreeModel, TableClassifier):
    """Decision tree by ID3: information gain, a branch per value, each attribute once on a path.

    Parameters
    ----------
    criterion : {"entropy", "gain_ratio", "gini", "error_rate"}, default="entropy"
        Impurity whose decrease chooses the attribute; "gain_ratio" divides that of the entropy by the split
        information.
    discretizer : {"mdlp", "lucs_kdd", "equal_frequency", "equal_width"} or Discretizer, default="mdlp"
        How numeric attributes are cut into intervals, once, before growing.
    max_ordinal_values : int, default=0
        A numeric attribute that holds whole numbers, at most so many, gets a branch per value instead.
    min_split : float, default=2
        Weight that a node needs to be split.
    max_depth : int or None, default=None
        Greatest number of attributes on a path.
    pruning : str or None, default=None
        "cost_complexity", "reduced_error", "mdl" or "weighted_penalty"; None does not prune.
    alpha : float or None, default=None
        Of cost-complexity pruning: share of the training weight that a leaf must save in errors; None chooses
        it by cross-validation.
    n_folds : int, default=10
        Folds of that cross-validation, stratified.
    se_rule : float, default=1
        The smallest subtree within so many standard errors of the least error is chosen.
    held_out : float in (0, 1), default=0.2
        Share of the rows that reduced-error pruning keeps for itself.
    rep_strict : bool, default=False
        Reduced-error pruning only where errors become fewer, not where they stay the same.
    penalty : float, default=0.5
        Errors that a node is worth to the weighted penalty.
    random_state : None, int, RandomState or Generator, default=None
        Deals rows to folds. Used only by "cost_complexity" without `alpha` and by "reduced_error".
    n_jobs : int or None, default=None
        Threads for the folds; None means 1, -1 all processors. The result does not depend on it.
    nominal : list of str or int, optional
        Columns to read as nominal whatever they hold.
    unknown : {"missing", "error"}, default="missing"
        What to do at prediction with a category not seen in fit.

    Attributes
    ----------
    tree_ : Tree
        The tree. A test with a branch per interval stands in it as a chain of tests ``value <= point``.
    rules_ : RuleList
        One rule per leaf that training rows reach.
    cuts_ : Cuts
        The intervals of the numeric attributes. Not in a model file.
    pruning_path_ : PruningPath or None
        The subtrees and their cross-validated errors, if cross-validation chose. Not in a model file.

    Notes
    -----
    Quinlan, J. R. (1986). Induction of decision trees. Machine Learning 1, 81-106.

    A split that gains nothing is made too, so that growing ends only where rows are of one class or no
    attribute tells them apart. Rows with missing cells go down all branches in fractions (section 6 of the
    paper). With "entropy" attributes of many values are preferred; "gain_ratio" corrects for it.

    Examples
    --------
    >>> import pandas as pd
    >>> X = pd.DataFrame({"sky": ["sunny", "sunny", "rain", "rain"], "windy": [True, False, True, False]})
    >>> print(ID3Classifier().fit(X, ["yes", "yes", "no", "yes"]).tree_)
    sky = sunny: yes (2.0)
    sky = rain:
    |   windy = True: no (1.0)
    |   windy = False: yes (1.0)
    """

    _parameters: ClassVar[Mapping[str, Check]] = {
        "criterion": Choice(tuple(CRITERIA)),
        "discretizer": DiscretizerCheck(),
        "max_ordinal_values": Integer(0),
        "min_split": Float(0.0),
        "max_depth": AnyOf((Choice((None,)), Integer(1))),
        **PruningOptions.checks,
    }

    cuts_: Cuts
    pruning_path_: PruningPath | None

    def __init__(
        self,
        *,
        criterion: Literal["entropy", "gain_ratio", "gini", "error_rate"] = "entropy",
        discretizer: Literal["mdlp", "lucs_kdd", "equal_frequency", "equal_width"] | Discretizer = "mdlp",
        max_ordinal_values: int = 0,
        min_split: float = 2,
        max_depth: int | None = None,
        pruning: Literal["cost_complexity", "reduced_error", "mdl", "weighted_penalty"] | None = None,
        alpha: float | None = None,
        n_folds: int = 10,
        se_rule: float = 1.0,
        held_out: float = 0.2,
        rep_strict: bool = False,
        penalty: float = 0.5,
        random_state: Any = None,
        n_jobs: int | None = None,
        nominal: list[str | int] | None = None,
        unknown: Literal["missing", "error"] = "missing",
    ) -> None:
        self.criterion = criterion
        self.discretizer = discretizer
        self.max_ordinal_values = max_ordinal_values
        self.min_split = min_split
        self.max_depth = max_depth
        self.pruning = pruning
        self.alpha = alpha
        self.n_folds = n_folds
        self.se_rule = se_rule
        self.held_out = held_out
        self.rep_strict = rep_strict
        self.penalty = penalty
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.nominal = nominal
        self.unknown = unknown

    def _fit(self, table: Table) -> None:
        self.cuts_ = self._cuts(table)
        options = GenericOptions(
            criterion=self.criterion,
            nominal_split="multiway",
            min_split=float(self.min_split),
            max_depth=self.max_depth,
            min_gain=-1.0,
            missing="fractions",
        )

        def grow(rows: Table) -> Tree:
            # parts of the table find their own cuts, so that rows held out leave no trace
            cuts = self.cuts_ if rows is table else self._cuts(rows)
            return expand_intervals(grow_generic(cuts.apply(rows), options), cuts)

        self.tree_, self.pruning_path_ = grow_and_prune(
            table, grow, PruningOptions.of(self), random_state=self.random_state, n_jobs=self.n_jobs
        )

    def _cuts(self, table: Table) -> Cuts:
        """Return the cuts of the discretizer, and those between the values of few whole numbers."""
        cuts = make_discretizer(self.discretizer).fit(table)
        if self.max_ordinal_values == 0:
            return cuts
        points = list(cuts.points)
        for a, attribute in enumerate(table.schema.attributes):
            cells = table.X[:, a]
            values = np.unique(cells[~np.isnan(cells)])
            few = len(values) <= self.max_ordinal_values and np.array_equal(values, np.floor(values))
            if not attribute.is_nominal and few:
                points[a] = points_after(values, range(len(values) - 1))
        return Cuts(table.schema, tuple(points))
