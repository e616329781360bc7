"""Do small disjuncts hurt, and does the remedy help? Coverage and errors by size of disjunct."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from evorules.evaluation.scores import error_concentration
from evorules.hybrids import SmallDisjunctClassifier
from trees.errors import DataError, ParameterError
from trees.estimator import TableClassifier
from trees.table import Table

__all__ = ["EDGES", "DisjunctDiagnosis", "small_disjuncts"]

Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]

EDGES = (0, 2, 5, 10, 15, 30, 100, 300, 1000)
"""Greatest sizes of the lines of the table, in training rows; one more line is for what is larger."""


@dataclass(frozen=True, eq=False)
class DisjunctDiagnosis:
    """Rows and errors by the disjunct that they fall into, of the tree alone and of the model.

    Parameters
    ----------
    rows : DataFrame
        A line per row asked about: ``leaf``, ``size`` (training rows that reach it), ``right`` (training rows
        of its class), ``small``, ``before`` and ``after`` (whether the tree alone and the model are right).
    threshold : float
        Greatest size of a small disjunct.
    """

    rows: pd.DataFrame
    threshold: float

    @property
    def table(self) -> pd.DataFrame:
        """A line per range of sizes: disjuncts hit, rows, errors and their shares, before and after.

        Columns: ``size`` (text), ``disjuncts``, ``rows``, ``share of rows``, and for ``before`` and ``after``
        each ``errors``, ``share of errors`` and ``error rate``. Ranges without rows are left out; one range
        ends at the threshold.
        """
        edges = sorted({*(float(edge) for edge in EDGES), self.threshold})
        place = np.searchsorted(edges, self.rows["size"].to_numpy() - 1e-6)
        records = []
        for number in np.unique(place).tolist():
            inside = self.rows[place == number]
            record: dict[str, Any] = {
                "size": _range_text(edges, number),
                "disjuncts": inside["leaf"].nunique(),
                "rows": len(inside),
                "share of rows": len(inside) / len(self.rows),
            }
            for state in ("before", "after"):
                errors = int((~inside[state]).sum())
                total = int((~self.rows[state]).sum())
                record[f"errors {state}"] = errors
                record[f"share of errors {state}"] = errors / total if total else float("nan")
                record[f"error rate {state}"] = errors / len(inside)
            records.append(record)
        return pd.DataFrame(records)

    @property
    def summary(self) -> pd.DataFrame:
        """Before and after: accuracy, on all rows and by size of disjunct, and how errors concentrate.

        Index ``before`` and ``after``; columns ``accuracy``, ``accuracy small``, ``accuracy large``,
        ``share of rows small``, ``share of errors small`` and ``error concentration`` (-1 to 1; 1: all
        errors in the smallest disjuncts). NaN where there is nothing to divide by.

        Notes
        -----
        The size in the error concentration is that of Weiss and Hirsh: training rows that the disjunct
        classifies rightly. The disjuncts are those of the tree, before and after, so that both can be
        compared.
        """
        small = self.rows["small"].to_numpy()
        records = {}
        for state in ("before", "after"):
            right = self.rows[state].to_numpy()
            records[state] = {
                "accuracy": float(right.mean()),
                "accuracy small": _mean(right[small]),
                "accuracy large": _mean(right[~small]),
                "share of rows small": float(small.mean()),
                "share of errors small": _mean(small[~right]),
                "error concentration": error_concentration(self.rows["right"].to_numpy(), right),
            }
        return pd.DataFrame.from_dict(records, orient="index")

    def curve(self, state: str = "before") -> tuple[Floats, Floats]:
        """Return the polyline behind the error concentration.

        Parameters
        ----------
        state : {"before", "after"}
            Of the tree alone, or of the model.

        Returns
        -------
        hits, errors : ndarray of shape (n_sizes + 1,), float64
            Shares of all hits and of all errors in disjuncts of at most each size, from 0 to 1.
        """
        right = self.rows[state].to_numpy()
        sizes, place = np.unique(self.rows["right"].to_numpy(), return_inverse=True)
        hits = np.bincount(place, weights=right, minlength=len(sizes)).cumsum()
        errors = np.bincount(place, weights=~right, minlength=len(sizes)).cumsum()
        x, y = (np.concatenate([[0.0], part / max(part[-1], 1)]) for part in (hits, errors))
        return x, y

    def __str__(self) -> str:
        with pd.option_context("display.width", 200, "display.max_columns", 20):
            table = self.table.round(3).to_string(index=False)
            return f"{table}\n\n{self.summary.T.round(3).to_string()}"


def small_disjuncts(
    model: TableClassifier, X: Any, y: Any = None, *, threshold: float | None = None
) -> DisjunctDiagnosis:
    """Tell where a tree errs by size of disjunct, and what the remedy changes.

    Parameters
    ----------
    model : TableClassifier
        Fitted: a `SmallDisjunctClassifier`, or a classifier that is one tree; of the latter, before and after
        are the same.
    X : DataFrame, ndarray, list of rows or Table
        Rows that the model has not seen; on training rows small disjuncts look better than they are.
    y : array-like of shape (n_rows,), optional
        Their labels; not with a Table, which brings its own.
    threshold : float, optional
        Greatest size of a small disjunct, in training weight. By default that of the model, 15 for a tree.

    Returns
    -------
    DisjunctDiagnosis
        `table` by size, `summary` before and after; `evorules.plots.plot_disjuncts` draws it.

    Raises
    ------
    ParameterError
        For a model that is no tree.
    DataError
        Without rows or labels.

    Examples
    --------
    >>> from evorules.datasets import load
    >>> data = load("tic-tac-toe")
    >>> model = SmallDisjunctClassifier(handler="second-tree").fit(data.X[::2], data.y[::2])
    >>> diagnosis = small_disjuncts(model, data.X[1::2], data.y[1::2])
    >>> diagnosis.summary.index.tolist()
    ['before', 'after']
    """
    tree = getattr(model, "tree_", None)
    if tree is None or not hasattr(model, "apply"):
        raise ParameterError(f"small_disjuncts needs a classifier with one tree. Got {type(model).__name__}.")
    after = model.predict(X)
    before = model.tree_predict(X) if isinstance(model, SmallDisjunctClassifier) else after
    if y is None and isinstance(X, Table):
        y = np.array(X.schema.classes, dtype=object)[X.classes]
    if y is None or len(after) == 0 or len(y) != len(after):
        raise DataError(f"small_disjuncts needs a label for each of {len(after)} rows, and at least one row.")
    truth = np.asarray(y)
    home = model.apply(X)
    if threshold is None:
        threshold = _threshold_of(model) if isinstance(model, SmallDisjunctClassifier) else 15.0
    size = tree.weight[home]
    correct = tree.class_weight[home, tree.label[home]] * (size > 0)
    if truth.dtype.kind != np.asarray(after).dtype.kind:
        # text may come as objects or as str, numbers as int or float
        truth, after, before = (np.asarray(part, dtype=object) for part in (truth, after, before))
    rows = pd.DataFrame(
        {
            "leaf": home,
            "size": size,
            "right": np.round(correct, 9),
            "small": size <= threshold + 1e-6,
            "before": np.asarray(before == truth, dtype=np.bool_),
            "after": np.asarray(after == truth, dtype=np.bool_),
        }
    )
    return DisjunctDiagnosis(rows, float(threshold))


def _threshold_of(model: SmallDisjunctClassifier) -> float:
    """Return the model's threshold in training weight."""
    share = isinstance(model.threshold, float) and model.threshold < 1
    return float(model.threshold * model.tree_.weight[0] if share else model.threshold)


def _range_text(edges: list[float], number: int) -> str:
    if number == len(edges):
        return f"> {edges[-1]:g}"
    low, high = edges[number - 1] if number else -1.0, edges[number]
    if low + 1 == high:
        return f"{high:g}"
    return f"{low + 1:g}-{high:g}" if low.is_integer() else f"> {low:g} to {high:g}"


def _mean(values: Bools) -> float:
    return float(values.mean()) if len(values) else float("nan")
