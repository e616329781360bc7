"""Trees that may test a weighted sum of attributes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Literal

import numpy as np
import numpy.typing as npt

from trees.criteria import CRITERIA
from trees.errors import DataError
from trees.estimator import TableClassifier
from trees.growth.generic import GenericOptions
from trees.growth.oblique import Combination, extended, extended_cells, grow_oblique, without_unused
from trees.growth.tree import Tree
from trees.pruning.by_name import PruningOptions, grow_and_prune
from trees.pruning.cost_complexity import PruningPath
from trees.seeding import root_seed
from trees.table import Table
from trees.tree_model import TreeModel
from trees.validation import AnyOf, Boolean, Check, Choice, Float, Integer

__all__ = ["ObliqueTreeClassifier"]


class ObliqueTreeClassifier(TreeModel, TableClassifier):
    """Binary decision tree whose tests may weigh several attributes, after OC1.

    Parameters
    ----------
    criterion : {"gini", "entropy", "error_rate", "gain_ratio"}, default="gini"
        Impurity whose decrease chooses the test.
    n_jumps : int, default=5
        Random jumps to try in every node after the search along the coefficients has ended.
    one_hot : bool, default=False
        Let combinations include values of nominal attributes, as 1 where a row has the value and 0 elsewhere.
        Nominal attributes are tested on their own in any case.
    nominal_split : {"subset", "one_vs_rest"}, default="subset"
        Split nominal attributes into two groups of values, or into one value and the rest.
    min_split : float, default=2
        Weight that a node needs to be split.
    min_leaf : float, default=1
        Least weight in a branch.
    max_depth : int or None, default=None
        Greatest number of tests on a path.
    min_gain : float, default=0
        A split must decrease the impurity by more.
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
        Orders the coefficients, makes the jumps and deals rows to folds.
    n_jobs : int or None, default=None
        Threads for the folds; None means 1, -1 all processors. The result does not depend on it.
    nominal : list of str or int, optional
        Columns to read as nominal whatever they hold.
    unknown : {"missing", "error"}, default="missing"
        What to do at prediction with a category not seen in fit.

    Attributes
    ----------
    tree_ : Tree
        The tree. Its schema is that of the training table with a numeric attribute appended for every
        combination tested, named by its formula.
    rules_ : RuleList
        One rule per leaf, over that schema: match them with the table that `extend` returns.
    pruning_path_ : PruningPath or None
        The subtrees and their cross-validated errors, if cross-validation chose. Not in a model file.

    Notes
    -----
    Murthy, S., Kasif, S. and Salzberg, S. (1994). A system for induction of oblique decision trees. Journal
    of Artificial Intelligence Research 2, 1-32; Aggarwal, Data Mining: The Textbook, figure 10.3(b).

    Deviations: the search also starts from Fisher's discriminant; coefficients are rounded as far as the
    split stays as good, so that the printed test is the one that is applied. Where a cell of a combination
    is missing, a row goes down the heavier branch.

    Examples
    --------
    >>> import pandas as pd
    >>> salary = [40000, 40000, 35000, 70000, 85000, 40000]
    >>> donors = pd.DataFrame({"age": [30, 44, 60, 55, 30, 70], "salary": salary})
    >>> model = ObliqueTreeClassifier(pruning=None, random_state=0).fit(donors, list("NNNYYY"))
    >>> print(model.tree_)
    1200 * age + salary <= 114000 : N (3.0)
    1200 * age + salary > 114000 : Y (3.0)
    """

    _parameters: ClassVar[Mapping[str, Check]] = {
        "criterion": Choice(tuple(CRITERIA)),
        "n_jumps": Integer(0),
        "one_hot": Boolean(),
        "nominal_split": Choice(("subset", "one_vs_rest")),
        "min_split": Float(0.0),
        "min_leaf": Float(0.0, closed="left"),
        "max_depth": AnyOf((Choice((None,)), Integer(1))),
        "min_gain": Float(0.0, closed="left"),
        **PruningOptions.checks,
    }

    pruning_path_: PruningPath | None

    def __init__(
        self,
        *,
        criterion: Literal["gini", "entropy", "error_rate", "gain_ratio"] = "gini",
        n_jumps: int = 5,
        one_hot: bool = False,
        nominal_split: Literal["subset", "one_vs_rest"] = "subset",
        min_split: float = 2,
        min_leaf: float = 1,
        max_depth: int | None = None,
        min_gain: float = 0.0,
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
        self.n_jumps = n_jumps
        self.one_hot = one_hot
        self.nominal_split = nominal_split
        self.min_split = min_split
        self.min_leaf = min_leaf
        self.max_depth = max_depth
        self.min_gain = min_gain
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

    def extend(self, X: Any) -> Table:
        """Return rows as a table over the schema of `tree_`, the combinations computed.

        Parameters
        ----------
        X : DataFrame, ndarray, list of rows or Table
            A DataFrame's columns are matched by name.

        Returns
        -------
        Table
            Without classes.
        """
        return Table(self.tree_.schema, self._tree_cells(self._encode(X)))

    def _fit(self, table: Table) -> None:
        options = GenericOptions(
            criterion=self.criterion,
            nominal_split=self.nominal_split,
            min_split=float(self.min_split),
            min_leaf=float(self.min_leaf),
            max_depth=self.max_depth,
            min_gain=float(self.min_gain),
            missing="largest",
        )
        root = root_seed(self.random_state)

        def grow(rows: Table) -> Tree:
            return grow_oblique(rows, options, root=root, n_jumps=self.n_jumps, one_hot=self.one_hot)

        def fitted(tree: Tree, rows: Table) -> Table:
            return Table(tree.schema, extended_cells(tree.schema, rows.X), rows.y, rows.weight)

        tree, self.pruning_path_ = grow_and_prune(
            table, grow, PruningOptions.of(self), fitted=fitted, random_state=root, n_jobs=self.n_jobs
        )
        self.tree_ = without_unused(tree, table.n_attributes)

    def _tree_cells(self, table: Table) -> npt.NDArray[np.float64]:
        return extended_cells(self.tree_.schema, table.X)

    def _model_state(self) -> dict[str, Any]:
        attributes = self.tree_.schema.attributes[self.schema_.n_attributes :]
        combinations = [
            {"name": a.name, "terms": [list(term) for term in a.terms]}
            for a in attributes
            if isinstance(a, Combination)
        ]
        return {"tree": self.tree_.to_dict(), "combinations": combinations}

    def _restore(self, state: Mapping[str, Any]) -> None:
        combinations = []
        for record in state["combinations"]:
            terms = tuple((int(a), int(code), float(size)) for a, code, size in record["terms"])
            for a, code, _ in terms:
                if not 0 <= a < self.schema_.n_attributes or code >= max(self.schema_.n_values[a], 0):
                    raise DataError("The combinations of the tree do not fit its schema.")
            combinations.append(Combination(str(record["name"]), "numeric", (), terms))
        self.tree_ = Tree.from_dict(state["tree"], extended(self.schema_, combinations))
