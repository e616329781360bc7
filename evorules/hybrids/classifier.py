"""Any scikit-learn classifier asked about the rows in small leaves: a ceiling, or one of your own."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Literal

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, clone, is_classifier

from evorules.hybrids.handler import Answer, DisjunctHandler, Floats, Ints, peaked
from evorules.hybrids.problem import DisjunctProblem
from trees.errors import ModelFileError
from trees.schema import Schema
from trees.seeding import generator
from trees.table import Table
from trees.validation import AnyOf, Check, Choice

__all__ = ["AnyClassifier", "indicator_columns"]


class _ClassifierCheck:
    """An unfitted classifier."""

    def accepts(self, value: Any) -> bool:
        """Return whether the value is an estimator that classifies."""
        return isinstance(value, BaseEstimator) and is_classifier(value)

    def describe(self) -> str:
        """Return what is wanted."""
        return "a scikit-learn classifier"


def indicator_columns(table: Table) -> Floats:
    """Return a table as numbers: a 0/1 column per nominal value, numeric columns as they are.

    Returns
    -------
    ndarray of shape (n_rows, n_columns), float64
        A missing nominal cell is 0 in every column of its attribute, a missing number stays NaN. Numbers
        that 32 bits cannot hold, as scikit-learn's trees want them, are put at the limits.
    """
    most = float(np.finfo(np.float32).max)
    columns = []
    for a, attribute in enumerate(table.schema.attributes):
        cells = table.X[:, a]
        if attribute.is_nominal:
            columns.append((cells[:, np.newaxis] == np.arange(len(attribute.values))).astype(np.float64))
        else:
            columns.append(np.clip(cells[:, np.newaxis], -most, most))
    return np.concatenate(columns, axis=1) if columns else np.empty((table.n_rows, 0))


class AnyClassifier(DisjunctHandler):
    """Let a scikit-learn classifier answer for the rows in small leaves.

    A random forest asked in this way shows how much better than the leaves one could do, without rules
    that can be read.

    Parameters
    ----------
    estimator : classifier or None, default=None
        Unfitted; None takes a random forest of 100 trees. It gets nominal attributes as 0/1 columns, missing
        numbers as NaN, and a seed if it has a `random_state` that is None.
    rows : {"all", "parents", "small"}, default="all"
        Learn from all training rows, those under the parents of the small leaves, or those in small leaves.

    Attributes
    ----------
    estimator_ : classifier
        The fitted classifier.

    Notes
    -----
    A model file cannot hold it: use one of the other handlers where a model must be stored.
    """

    speaker: ClassVar[str] = "the classifier"
    _parameters: ClassVar[Mapping[str, Check]] = {
        "estimator": AnyOf((Choice((None,)), _ClassifierCheck())),
        "rows": Choice(("all", "parents", "small")),
    }
    estimator_: ClassifierMixin

    def __init__(
        self,
        estimator: ClassifierMixin | None = None,
        *,
        rows: Literal["all", "parents", "small"] = "all",
    ) -> None:
        self.estimator = estimator
        self.rows = rows

    def _fit(self, problem: DisjunctProblem) -> None:
        chosen = {
            "all": np.arange(problem.table.n_rows),
            "parents": problem.parent_rows,
            "small": problem.small_rows,
        }[self.rows]
        table = problem.table.take(chosen)
        self.rules_ = ()
        self.estimator_ = self._unfitted()
        if getattr(self.estimator_, "random_state", 0) is None:
            seed = int(generator(problem.root, "classifier").integers(0, 2**31))
            self.estimator_.set_params(random_state=seed)
        weight = {} if table.has_unit_weights else {"sample_weight": table.weight}
        self.estimator_.fit(indicator_columns(table), table.classes, **weight)
        problem.report(1.0)

    def _unfitted(self) -> Any:
        if self.estimator is not None:
            return clone(self.estimator)
        from sklearn.ensemble import RandomForestClassifier

        return RandomForestClassifier(100)

    def _decide(self, table: Table, home: Ints) -> Answer:
        X = indicator_columns(table)
        label = np.asarray(self.estimator_.predict(X), dtype=np.int32)
        scores = np.zeros((table.n_rows, table.n_classes))
        if hasattr(self.estimator_, "predict_proba"):
            scores[:, self.estimator_.classes_] = self.estimator_.predict_proba(X)
        else:
            scores[np.arange(table.n_rows), label] = 1.0
        return Answer(label, peaked(scores, label), np.full(table.n_rows, -1, dtype=np.int32))

    def _state(self) -> dict[str, Any]:
        raise ModelFileError(
            "The handler 'classifier' cannot be written to a model file, which holds rules and no code. Use "
            "another handler, such as 'boosted-rules', or keep the model with pickle or joblib."
        )

    def _restore(self, state: Mapping[str, Any], schema: Schema, tree: Any) -> None:
        raise TypeError("AnyClassifier cannot be read from a model file.")
