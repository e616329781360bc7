"""A tree for the large disjuncts, a handler for the small ones."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Self

import numpy as np
import numpy.typing as npt
from sklearn.base import clone

from evorules.hybrids.handler import Answer, DisjunctHandler
from evorules.hybrids.problem import DisjunctProblem, small_leaves
from evorules.progress import progress
from trees.c45 import C45Classifier
from trees.decisions import Decisions
from trees.errors import ParameterError
from trees.estimator import TableClassifier
from trees.growth.tree import Tree
from trees.naming import closest_first, listed
from trees.rule import RuleList
from trees.seeding import root_seed
from trees.table import Table
from trees.validation import AnyOf, Check, Choice, Float, Integer, RandomState

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["HANDLERS", "SmallDisjunctClassifier"]

HANDLERS: dict[str, str] = {
    "auto": "evorules.hybrids.auto:Auto",
    "boosted-rules": "evorules.hybrids.boosted_rules:BoostedRules",
    "classifier": "evorules.hybrids.classifier:AnyClassifier",
    "eac": "evorules.hybrids.associative:EagerAssociative",
    "ga-large-sn": "evorules.hybrids.ga_large_sn:GALargeSN",
    "ga-small": "evorules.hybrids.ga_small:GASmall",
    "lac": "evorules.hybrids.associative:LazyAssociative",
    "naive-bayes": "evorules.hybrids.naive_bayes:NaiveBayes",
    "nearest": "evorules.hybrids.nearest:NearestNeighbours",
    "none": "evorules.hybrids.no_remedy:NoRemedy",
    "removal": "evorules.hybrids.removal:Removal",
    "second-tree": "evorules.hybrids.second_tree:SecondTree",
}
"""Every handler by name, as "module:Class"."""


def handler_class(name: str) -> type[DisjunctHandler]:
    """Import and return the class of a handler's name."""
    module, attribute = HANDLERS[name].split(":")
    found: type[DisjunctHandler] = getattr(import_module(module), attribute)
    return found


class _HandlerCheck:
    """A name of the registry or an unfitted handler."""

    def accepts(self, value: Any) -> bool:
        """Return whether a handler can be made of the value."""
        return isinstance(value, DisjunctHandler) or (isinstance(value, str) and value in HANDLERS)

    def describe(self) -> str:
        """Return the names."""
        return f"{', '.join(map(repr, HANDLERS))} or a DisjunctHandler"


class _TreeCheck:
    """An unfitted C45Classifier."""

    def accepts(self, value: Any) -> bool:
        """Return whether the value builds trees."""
        return isinstance(value, C45Classifier)

    def describe(self) -> str:
        """Return the class."""
        return "a C45Classifier"


class SmallDisjunctClassifier(TableClassifier):
    """C4.5 for the rows in large leaves, a remedy of your choice for the rows in small ones.

    A leaf is a disjunct; it is small if at most `threshold` training rows reach it. Small disjuncts cover
    few rows each, and together a large share of the errors.

    Parameters
    ----------
    tree : C45Classifier or None, default=None
        The tree to grow; None takes C4.5 with default options.
    handler : str or DisjunctHandler, default="ga-large-sn"
        The remedy: "ga-large-sn" (one GA for all small disjuncts), "ga-small" (a GA run for every small
        disjunct and class), "boosted-rules" (short rules with votes), "second-tree" (double C4.5), "nearest"
        (nearest neighbours), "naive-bayes" (on the rows of an ancestor), "eac" (class association rules),
        "lac" (such rules made for the row asked about), "classifier" (any of scikit-learn), "removal" (small
        disjuncts are struck out), "auto" (chosen by inner validation), "none", or a configured handler.
    threshold : int or float, default=15
        Greatest size of a small disjunct: an int counts rows (their weight), a float in (0, 1) is a share
        of the training weight.
    random_state : None, int, RandomState or Generator, default=None
        Source of all randomness; equal values give equal models whatever `n_jobs`.
    n_jobs : int or None, default=None
        Threads; None means 1, -1 all processors.
    verbose : bool, default=False
        Show a progress bar for work of more than two seconds.
    nominal : list of str or int, optional
        Columns to read as nominal whatever they hold.
    unknown : {"missing", "error"}, default="missing"
        What to do at prediction with a category not seen in fit.

    Attributes
    ----------
    tree_ : Tree
        The tree.
    handler_ : DisjunctHandler or None
        The fitted handler; None if a training weight of less than 2 lies in small leaves, and the tree then
        predicts everywhere.
    disjuncts_ : DataFrame
        One row per leaf: its node, rule, class, size, training errors, and whether it is small.
    rules_ : RuleList
        The tree's rules for the leaves that decide themselves, then the handler's rules for the small ones
        (scope "small").

    Notes
    -----
    Carvalho, D. R. and Freitas, A. A. (2004). A hybrid decision tree/genetic algorithm method for data
    mining. Information Sciences 163, 13-35. Deviations are listed by the handlers.

    Examples
    --------
    >>> from evorules.datasets import load
    >>> data = load("tic-tac-toe")
    >>> model = SmallDisjunctClassifier(handler="second-tree").fit(data.X, data.y)
    >>> sorted(model.disjuncts_)
    ['class', 'errors', 'leaf', 'rule', 'size', 'small']
    """

    _parameters: ClassVar[Mapping[str, Check]] = {
        "tree": AnyOf((Choice((None,)), _TreeCheck())),
        "handler": _HandlerCheck(),
        "threshold": AnyOf((Integer(1), Float(0.0, 1.0))),
        "random_state": RandomState(),
        "n_jobs": AnyOf((Choice((None, -1)), Integer(1))),
    }

    tree_: Tree
    handler_: DisjunctHandler | None
    disjuncts_: pd.DataFrame
    rules_: RuleList

    def __init__(
        self,
        tree: C45Classifier | None = None,
        handler: str | DisjunctHandler = "ga-large-sn",
        threshold: float = 15,
        *,
        random_state: int | np.random.RandomState | np.random.Generator | None = None,
        n_jobs: int | None = None,
        verbose: bool = False,
        nominal: list[str | int] | None = None,
        unknown: Literal["missing", "error"] = "missing",
    ) -> None:
        self.tree = tree
        self.handler = handler
        self.threshold = threshold
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose
        self.nominal = nominal
        self.unknown = unknown

    @classmethod
    def configured(cls, parameters: Mapping[str, Any]) -> Self:
        """Return a classifier with some parameters set, those that only the handler has in the handler.

        Raises
        ------
        ParameterError
            For a name that neither class has.
        """
        own = cls().get_params(deep=False)
        named = str(parameters.get("handler", own["handler"]))
        handler = handler_class(named)() if named in HANDLERS else parameters["handler"]
        tree = parameters.get("tree") or C45Classifier()
        mine = {name: value for name, value in parameters.items() if name in own}
        for name, value in parameters.items():
            part, _, rest = name.partition("__")
            if name in own:
                continue
            if part == "tree" and rest in tree.get_params():
                mine["tree"] = tree.set_params(**{rest: value})
            elif (rest if part == "handler" else name) in handler.get_params():
                mine["handler"] = handler.set_params(**{rest if part == "handler" else name: value})
            else:
                known = listed(closest_first(name, [*own, *handler.get_params()]))
                raise ParameterError(
                    f"Neither {cls.__name__} nor {type(handler).__name__} has a parameter {name!r} "
                    f"(known: {known})."
                )
        return cls(**mine)

    @property
    def is_stochastic(self) -> bool:
        """Whether the result depends on `random_state`: it does if the handler draws random numbers."""
        handler = self.handler
        return handler_class(handler).is_stochastic if isinstance(handler, str) else handler.is_stochastic

    @property
    def history_(self) -> pd.DataFrame:
        """How the runs of the handler's genetic algorithm went; no attribute with other handlers."""
        history: pd.DataFrame = self._of_handler("history_")
        return history

    @property
    def selection_(self) -> pd.DataFrame:
        """The table of the inner validation; no attribute with handlers other than `Auto`."""
        selection: pd.DataFrame = self._of_handler("selection_")
        return selection

    def _of_handler(self, name: str) -> Any:
        handler = getattr(self, "handler_", None)
        if not hasattr(handler, name):
            raise AttributeError(f"This {type(self).__name__} has no {name!r}: its handler makes none.")
        return getattr(handler, name)

    def apply(self, X: Any) -> npt.NDArray[np.int32]:
        """Return the home leaf of every row, as in `C45Classifier.apply`; ndarray of shape (n_rows,)."""
        from trees.growth.descend import apply

        return apply(self.tree_, self._encode(X).X)

    @property
    def small_nodes_(self) -> npt.NDArray[np.bool_]:
        """Which nodes of the tree are small leaves; ndarray of shape (n_nodes,)."""
        return self._small

    @property
    def first_handler_rule(self) -> int:
        """Where the handler's rules begin in `rules_`."""
        return self._n_tree_rules

    def explain(self, X: Any) -> list[str]:
        """Tell for every row what its leaf says, what the handler says against it, and both estimates.

        Parameters
        ----------
        X : DataFrame, ndarray, list of rows or Table
            A DataFrame's columns are matched by name.

        Returns
        -------
        list of str
            "leaf says A (4 of 6, pessimistic .44), rule R7 says B (18 of 19, .87)": 4 of the 6 training rows
            of the leaf are right, 18 of the 19 that the rule covers, and the rule decides. Where it does
            not, or nothing speaks against the leaf, the text ends in "leaf stands". The number is that of
            `rules_`; estimates are those of the handler's gate, or pessimistic.
        """
        from evorules.hybrids.explain import explanations

        return explanations(self, self._encode(X))

    def tree_predict(self, X: Any) -> npt.NDArray[Any]:
        """Return what the tree alone predicts, without the handler; ndarray of shape (n_rows,)."""
        from trees.growth.descend import predict_codes

        return self.labels(predict_codes(self.tree_, self._encode(X).X))

    def in_small_disjunct(self, X: Any) -> npt.NDArray[np.bool_]:
        """Return which rows fall into small disjuncts; ndarray of shape (n_rows,), bool."""
        return np.asarray(self._small[self.apply(X)])

    def _fit(self, table: Table) -> None:
        from trees.growth.descend import apply

        root = root_seed(self.random_state)
        tree = C45Classifier() if self.tree is None else self.tree
        self.tree_ = tree.build_tree(table)
        share = isinstance(self.threshold, float) and self.threshold < 1
        limit = self.threshold * table.weight.sum() if share else self.threshold
        self._small = small_leaves(self.tree_, float(limit))
        home = apply(self.tree_, table.X)
        handler = handler_class(self.handler)() if isinstance(self.handler, str) else clone(self.handler)
        with progress("small disjuncts", 1.0, enabled=self.verbose) as report:
            problem = DisjunctProblem(
                table, self.tree_, home, self._small, root, self.n_jobs, report, float(limit), tree
            )
            # by weight: a row of weight 2 is two rows
            enough = table.weight[problem.small_rows].sum() >= 2 - 1e-6
            self.handler_ = handler.fit(problem) if enough else None
        self._describe()

    def _describe(self) -> None:
        """Set `disjuncts_` and `rules_` from tree and handler."""
        import pandas as pd

        leaf_rules = self.tree_.leaf_rules
        asked = np.zeros_like(self._small) if self.handler_ is None else self.handler_.asked_at(self._small)
        records = []
        for leaf in self.tree_.leaves.tolist():
            size = self.tree_.weight[leaf]
            label = self.tree_.label[leaf]
            records.append(
                {
                    "leaf": leaf,
                    "rule": leaf_rules[leaf].antecedent(self.schema_)
                    if leaf in leaf_rules
                    else "(no training row)",
                    "class": self.schema_.classes[label],
                    "size": size,
                    "errors": size - self.tree_.class_weight[leaf, label] if size > 0 else 0.0,
                    "small": bool(self._small[leaf]),
                }
            )
        self.disjuncts_ = pd.DataFrame(records)
        large = [(leaf, rule) for leaf, rule in leaf_rules.items() if not asked[leaf]]
        self._rule_of_node = np.full(self.tree_.n_nodes, -1, dtype=np.int32)
        for number, (leaf, _) in enumerate(large):
            self._rule_of_node[leaf] = number
        self._n_tree_rules = len(large)
        small = self.handler_.rules_ if self.handler_ is not None else ()
        rules = (*(rule for _, rule in large), *small)
        self.rules_ = RuleList(rules, self.schema_, int(self.tree_.label[0]), "tree", self.tree_)

    def _decide(self, table: Table) -> Decisions:
        from trees.growth.descend import classify

        label, scores, home = classify(self.tree_, table.X)
        rule = self._rule_of_node[home]
        asked = np.flatnonzero(self._small[home])
        if self.handler_ is not None and len(asked):
            answer = self.handler_.decide(table.take(asked), home[asked])
            self._overlay(answer, asked, label, scores, rule)
        return Decisions(label, scores, rule)

    def _overlay(
        self,
        answer: Answer,
        asked: npt.NDArray[np.int64],
        label: npt.NDArray[np.int32],
        scores: npt.NDArray[np.float64],
        rule: npt.NDArray[np.int32],
    ) -> None:
        """Write the handler's answers over the tree's, where it gives any."""
        given = answer.label >= 0
        rows = asked[given]
        label[rows] = answer.label[given]
        scores[rows] = answer.scores[given]
        rule[rows] = np.where(answer.rule[given] >= 0, answer.rule[given] + self._n_tree_rules, -1)

    def _model_state(self) -> dict[str, Any]:
        return {
            "tree": self.tree_.to_dict(),
            "small": np.flatnonzero(self._small).tolist(),
            "handler": None if self.handler_ is None else self.handler_.to_dict(),
        }

    def _restore(self, state: Mapping[str, Any]) -> None:
        self.tree_ = Tree.from_dict(state["tree"], self.schema_)
        self._small = np.zeros(self.tree_.n_nodes, dtype=np.bool_)
        self._small[np.array(state["small"], dtype=np.int64)] = True
        self.handler_ = None
        if state["handler"] is not None:
            handler = handler_class(self.handler)() if isinstance(self.handler, str) else clone(self.handler)
            self.handler_ = handler.restore(state["handler"], self.schema_, self.tree_)
        self._describe()
