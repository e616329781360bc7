"""C4.5, release 8: the tree."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Literal

import numpy as np
import numpy.typing as npt

from trees.class_weight import ClassWeights, class_weighted
from trees.decisions import Decisions
from trees.estimator import TableClassifier
from trees.growth.descend import classify, predict_codes
from trees.growth.fast import grow
from trees.growth.literal import grow_literal
from trees.growth.options import GrowthOptions
from trees.growth.tree import Tree
from trees.pruning.pessimistic import prune_pessimistic
from trees.pruning.soft import soft_thresholds
from trees.table import Table
from trees.tree_model import TreeModel
from trees.validation import AnyOf, Boolean, Check, Choice, Columns, Float, Integer
from trees.windowing import Windowing, grow_windows, least_estimate

__all__ = ["C45Classifier"]


class C45Classifier(TreeModel, TableClassifier):
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
    soft_thresholds : bool, default=False
        Also find the interval in which the outcome of each numeric test is uncertain (``-p``); as in the
        original, predictions do not depend on it.
    max_depth : int or None, default=None
        Greatest number of tests on a path. Not in the original.
    exclude : list of str or int, optional
        Columns that no test may use, as those that the original's names file declares "ignore".
    class_weight : dict, "balanced" or None, default=None
        Factor of the weights of each class's rows, by label; "balanced" gives all classes the same total.
        Not in the original.
    mode : {"standard", "r8"}, default="standard"
        "standard" computes in double precision, counts weights where the original counts cases and takes
        -999 for a number. "r8" repeats the original's single precision, case order and known defects.
    n_trials : int or None, default=None
        Windowing (``-t``): grow so many trees, each from a window of rows that takes in those it gets wrong,
        and keep the one with the fewest estimated errors. Rows are drawn as the original draws them, from a
        generator that is never seeded. None: one tree from all rows.
    window : int or None, default=None
        Rows of the first window (``-w``); None: a fifth of all, at least twice their square root.
    increment : int or None, default=None
        Rows by which a window grows at most, unless half of the wrong rows outside are more (``-i``); None: a
        fifth of `window`.
    n_jobs : int or None, default=None
        Threads to grow the tree in; None means 1, -1 one per processor. The tree does not depend on it, bit
        for bit. With ``mode="r8"``, `group_values` or `n_trials` trees grow in one thread, because there
        every node works on the order of rows that the nodes before it left.
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
    soft_thresholds_ : ndarray of shape (n_nodes, 2)
        Lower and upper end of every numeric test's interval, NaN in other nodes; with `soft_thresholds`.

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
        "soft_thresholds": Boolean(),
        "exclude": AnyOf((Choice((None,)), Columns())),
        "class_weight": AnyOf((Choice((None, "balanced")), ClassWeights())),
        "max_depth": AnyOf((Choice((None,)), Integer(1))),
        "mode": Choice(("standard", "r8")),
        "n_trials": AnyOf((Choice((None,)), Integer(1))),
        "window": AnyOf((Choice((None,)), Integer(1))),
        "increment": AnyOf((Choice((None,)), Integer(1))),
        "n_jobs": AnyOf((Choice((None, -1)), Integer(1))),
    }

    soft_thresholds_: npt.NDArray[np.float64]

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
        soft_thresholds: bool = False,
        max_depth: int | None = None,
        exclude: list[str | int] | None = None,
        class_weight: dict[Any, float] | Literal["balanced"] | None = None,
        mode: Literal["standard", "r8"] = "standard",
        n_trials: int | None = None,
        window: int | None = None,
        increment: int | None = None,
        n_jobs: int | None = None,
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
        self.soft_thresholds = soft_thresholds
        self.max_depth = max_depth
        self.exclude = exclude
        self.class_weight = class_weight
        self.mode = mode
        self.n_trials = n_trials
        self.window = window
        self.increment = increment
        self.n_jobs = n_jobs
        self.nominal = nominal
        self.unknown = unknown

    def build_tree(self, table: Table) -> Tree:
        """Return the tree of a table with classes, without becoming fitted."""
        self._check_parameters()
        weighted = table.with_weight(class_weighted(table, self.class_weight)) if self.class_weight else table
        if not self.exclude:
            return self._grow_and_prune(weighted)
        columns = table.schema.without(self.exclude)
        tree = self._grow_and_prune(weighted.select(columns))
        attribute = np.where(tree.attribute >= 0, columns[tree.attribute], -1).astype(np.int32)
        return tree.replaced(schema=table.schema, attribute=attribute)

    def _grow_and_prune(self, table: Table) -> Tree:
        options = GrowthOptions(
            self.criterion, float(self.min_cases), self.group_values, self.collapse, self.max_depth
        )
        if self.n_trials is not None:
            return self._best_of_trials(table, options, Windowing(self.n_trials, self.window, self.increment))
        if self.mode == "r8":
            tree = grow_literal(table, options, single_precision=True)
        else:
            tree = grow(table, options, n_jobs=self.n_jobs)
        if self.prune:
            tree = prune_pessimistic(tree, table, confidence=self.confidence, raising=self.raising)
        return tree

    def _best_of_trials(self, table: Table, options: GrowthOptions, windowing: Windowing) -> Tree:
        trials = grow_windows(
            table,
            options,
            windowing,
            single_precision=self.mode == "r8",
            confidence=self.confidence,
            raising=self.raising,
        )
        best = trials[least_estimate(trials)]
        return best.pruned if self.prune else best.unpruned

    def _fit(self, table: Table) -> None:
        self.tree_ = self.build_tree(table)
        self.__dict__.pop("soft_thresholds_", None)
        if self.soft_thresholds:
            self.soft_thresholds_ = soft_thresholds(self.tree_, table)

    def _decide(self, table: Table) -> Decisions:
        label, scores, leaf = classify(self.tree_, table.X)
        return Decisions(label, scores, self.tree_.rule_of_node[leaf])

    def _predict_codes(self, table: Table) -> npt.NDArray[np.int32]:
        return predict_codes(self.tree_, table.X)
