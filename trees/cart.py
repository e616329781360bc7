"""CART: binary trees by the Gini index, pruned by cross-validated cost complexity."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Literal

import numpy as np
import numpy.typing as npt

from trees.columns import plain_value
from trees.criteria import CRITERIA
from trees.errors import ParameterError
from trees.estimator import TableClassifier
from trees.growth.generic import GenericOptions, grow_generic
from trees.growth.tree import Tree
from trees.pruning.by_name import PruningOptions, grow_and_prune
from trees.pruning.cost_complexity import PruningPath
from trees.table import Table
from trees.tree_model import TreeModel
from trees.validation import AnyOf, Check, Choice, Float, Integer

__all__ = ["CARTClassifier"]


class _ByLabel:
    """A number above 0 for some labels."""

    def accepts(self, value: Any) -> bool:
        """Return whether the value maps labels to numbers above 0."""
        return isinstance(value, Mapping) and all(Float(0.0).accepts(number) for number in value.values())

    def describe(self) -> str:
        """Return what is allowed."""
        return "a dict of label to a float in (0, inf)"


class CARTClassifier(TreeModel, TableClassifier):
    """Binary decision tree in the manner of CART: Gini index, cost-complexity pruning by cross-validation.

    Parameters
    ----------
    criterion : {"gini", "entropy", "error_rate", "gain_ratio"}, default="gini"
        Impurity whose decrease chooses the split; "gain_ratio" divides that of the entropy by the split
        information.
    nominal_split : {"subset", "one_vs_rest"}, default="subset"
        Split nominal attributes into two groups of values, or into one value and the rest.
    thresholds : "all" or int, default="all"
        Cuts of a numeric attribute to try: between all neighbouring values, or only those at the borders of
        so many parts of equal size.
    min_split : float, default=2
        Weight that a node needs to be split.
    min_leaf : float, default=1
        Least weight in a branch.
    max_depth : int or None, default=None
        Greatest number of tests on a path.
    max_leaves : int or None, default=None
        Greatest number of leaves; the splits that decrease the impurity most are made first.
    min_gain : float, default=0
        A split must decrease the impurity by more.
    max_subset_values : int, default=12
        Up to so many values in a node all groupings are tried; beyond that, with more than two classes,
        only those along the first principal component of the class shares.
    priors : "equal", dict of label to float, or None, default=None
        Probability of each class (scaled to sum 1); None takes the frequencies in the training rows. A dict
        names every class of the training rows.
    costs : dict of label to float, or None, default=None
        Cost of misclassifying a row of a class, 1 for those not named. Priors are multiplied by the costs.
    pruning : str or None, default="cost_complexity"
        "cost_complexity", "reduced_error", "mdl" or "weighted_penalty"; None does not prune.
    alpha : float or None, default=None
        Share of the training weight that a leaf must save in errors; None chooses it by cross-validation.
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
        The tree; its weights are those that priors and costs give.
    rules_ : RuleList
        One rule per leaf.
    pruning_path_ : PruningPath or None
        The subtrees and their cross-validated errors, if cross-validation chose.

    Notes
    -----
    Breiman, L., Friedman, J., Olshen, R. and Stone, C. (1984). Classification and Regression Trees.

    Deviations: a row with a missing cell goes down the heavier branch, in training and prediction; there are
    no surrogate splits. Values of a nominal attribute that do not occur in a node are treated likewise (with
    "one_vs_rest" they are with the rest). Costs are altered priors, exact for two classes. Identical rows are
    dealt to the folds one by one, so that a weight of 2 counts as the row twice in pruning too.

    Examples
    --------
    >>> import pandas as pd
    >>> X = pd.DataFrame({"outlook": ["sunny", "rain", "rain", "rain"] * 5, "wind": [1.0, 7.0, 5.0, 2.0] * 5})
    >>> print(CARTClassifier(random_state=0).fit(X, ["yes", "no", "yes", "yes"] * 5).tree_)
    wind <= 6 : yes (15.0)
    wind > 6 : no (5.0)
    """

    _parameters: ClassVar[Mapping[str, Check]] = {
        "criterion": Choice(tuple(CRITERIA)),
        "nominal_split": Choice(("subset", "one_vs_rest")),
        "thresholds": AnyOf((Choice(("all",)), Integer(2))),
        "min_split": Float(0.0),
        "min_leaf": Float(0.0, closed="left"),
        "max_depth": AnyOf((Choice((None,)), Integer(1))),
        "max_leaves": AnyOf((Choice((None,)), Integer(1))),
        "min_gain": Float(0.0, closed="left"),
        "max_subset_values": Integer(2, 20),
        "priors": AnyOf((Choice((None, "equal")), _ByLabel())),
        "costs": AnyOf((Choice((None,)), _ByLabel())),
        **PruningOptions.checks,
    }

    pruning_path_: PruningPath | None

    def __init__(
        self,
        *,
        criterion: Literal["gini", "entropy", "error_rate", "gain_ratio"] = "gini",
        nominal_split: Literal["subset", "one_vs_rest"] = "subset",
        thresholds: Literal["all"] | int = "all",
        min_split: float = 2,
        min_leaf: float = 1,
        max_depth: int | None = None,
        max_leaves: int | None = None,
        min_gain: float = 0.0,
        max_subset_values: int = 12,
        priors: Literal["equal"] | Mapping[Any, float] | None = None,
        costs: Mapping[Any, float] | None = None,
        pruning: Literal["cost_complexity", "reduced_error", "mdl", "weighted_penalty"]
        | None = "cost_complexity",
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
        self.nominal_split = nominal_split
        self.thresholds = thresholds
        self.min_split = min_split
        self.min_leaf = min_leaf
        self.max_depth = max_depth
        self.max_leaves = max_leaves
        self.min_gain = min_gain
        self.max_subset_values = max_subset_values
        self.priors = priors
        self.costs = costs
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
        options = GenericOptions(
            criterion=self.criterion,
            nominal_split=self.nominal_split,
            thresholds=self.thresholds,
            min_split=float(self.min_split),
            min_leaf=float(self.min_leaf),
            max_depth=self.max_depth,
            max_leaves=self.max_leaves,
            min_gain=float(self.min_gain),
            max_subset_values=self.max_subset_values,
            missing="largest",
        )
        factors = self._class_factors(table)

        def grow(rows: Table) -> Tree:
            return grow_generic(rows, options)

        def reweight(rows: Table) -> Table:
            return rows if factors is None else rows.with_weight(rows.weight * factors[rows.classes])

        self.tree_, self.pruning_path_ = grow_and_prune(
            table,
            grow,
            PruningOptions.of(self),
            reweight=reweight,
            random_state=self.random_state,
            n_jobs=self.n_jobs,
        )

    def _class_factors(self, table: Table) -> npt.NDArray[np.float64] | None:
        """Return what the rows of each class are weighted by; None without priors and costs.

        Class j gets pi_j * cost_j over its share of the rows, scaled to leave the total weight as it is.
        """
        if self.priors is None and self.costs is None:
            return None
        totals = table.class_totals
        factors = np.ones(table.n_classes)
        present = totals > 0
        if self.priors is not None:
            equal = isinstance(self.priors, str)
            priors = np.ones(len(totals)) if equal else self._by_class(table, "priors", self.priors, None)
            factors[present] = priors[present] / totals[present]
        if self.costs is not None:
            factors *= self._by_class(table, "costs", self.costs, 1.0)
        return np.asarray(factors * (totals.sum() / np.dot(factors, totals)))

    def _by_class(
        self, table: Table, parameter: str, numbers: Any, default: float | None
    ) -> npt.NDArray[np.float64]:
        """Return the numbers by class code; raise ParameterError for a label that is not there or lacking."""
        classes = table.schema.classes
        known = {plain_value(label): float(number) for label, number in numbers.items()}
        owner = type(self).__name__
        labels = ", ".join(map(repr, classes))
        if unknown := [label for label in known if label not in classes]:
            raise ParameterError(
                f"The {parameter!r} parameter of {owner} names the class {unknown[0]!r}, which is not there "
                f"(known: {labels})."
            )
        lacking = [
            label for code, label in enumerate(classes) if table.class_totals[code] > 0 and label not in known
        ]
        if default is None and lacking:
            raise ParameterError(
                f"The {parameter!r} parameter of {owner} must name every class. {lacking[0]!r} is lacking."
            )
        return np.array([known.get(label, default or 1.0) for label in classes])
