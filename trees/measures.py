"""Quality measures of rules: functions of `Counts` that return one number per rule.

The same functions serve the fitness of the genetic algorithms, the orderings, the covering heuristics and
the reports. Divisions by zero give the value that the docstring names, never NaN.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from trees.counts import Counts

__all__ = [
    "MEASURES",
    "confidence",
    "coverage",
    "laplace",
    "lift",
    "m_estimate",
    "sensitivity",
    "sensitivity_specificity",
    "specificity",
    "support",
    "weighted_relative_accuracy",
]

Scores = npt.NDArray[np.float64]


def _ratio(above: npt.ArrayLike, below: npt.ArrayLike, otherwise: float = 0.0) -> Scores:
    """Divide, and put `otherwise` where the denominator is 0."""
    a, b = np.broadcast_arrays(np.asarray(above, dtype=np.float64), np.asarray(below, dtype=np.float64))
    return np.divide(a, b, out=np.full(a.shape, otherwise), where=b != 0)


def coverage(counts: Counts) -> Scores:
    """Return the share of all rows that the antecedent covers, in [0, 1]."""
    return _ratio(counts.covered, counts.n_rows)


def support(counts: Counts) -> Scores:
    """Return the share of all rows that antecedent and class cover together, in [0, 1]."""
    return _ratio(counts.correct, counts.n_rows)


def confidence(counts: Counts) -> Scores:
    """Return the share of the covered rows that are of the rule's class, in [0, 1]; 0 without coverage."""
    return _ratio(counts.correct, counts.covered)


def lift(counts: Counts) -> Scores:
    """Return confidence over the share of the class, at least 0; 0 for a class without rows."""
    return _ratio(confidence(counts) * counts.n_rows, counts.in_class)


def sensitivity(counts: Counts) -> Scores:
    """Return TP / (TP + FN), the share of the class that is covered, in [0, 1]; 0 for an empty class."""
    return _ratio(counts.correct, counts.in_class)


def specificity(counts: Counts) -> Scores:
    """Return TN / (TN + FP), the share of the other classes that is left out; 1 if there are none."""
    others = counts.n_rows - counts.in_class
    return _ratio(others - counts.wrong, others, otherwise=1.0)


def sensitivity_specificity(counts: Counts) -> Scores:
    """Return the fitness of Carvalho and Freitas, sensitivity times specificity, in [0, 1].

    A rule that covers nothing has fitness 0.

    Examples
    --------
    TP = 4, FN = 1, TN = 3, FP = 2:

    >>> sensitivity_specificity(Counts(np.array([5, 5]), np.array([[4, 2]]), np.array([0])))
    array([0.48])
    """
    return sensitivity(counts) * specificity(counts)


def laplace(counts: Counts) -> Scores:
    """Return (TP + 1) / (covered + number of classes), in (0, 1)."""
    return _ratio(counts.correct + 1, counts.covered + len(counts.class_totals))


def m_estimate(counts: Counts, m: float = 2.0) -> Scores:
    """Return (TP + m * share of the class) / (covered + m), in [0, 1]; 0 for a rule that covers nothing."""
    prior = _ratio(counts.in_class, counts.n_rows)
    return np.where(counts.covered > 0, _ratio(counts.correct + m * prior, counts.covered + m), 0.0)


def weighted_relative_accuracy(counts: Counts) -> Scores:
    """Return coverage * (confidence - share of the class), in [-0.25, 0.25]."""
    return coverage(counts) * (confidence(counts) - _ratio(counts.in_class, counts.n_rows))


MEASURES: dict[str, Callable[[Counts], Scores]] = {
    "confidence": confidence,
    "coverage": coverage,
    "laplace": laplace,
    "lift": lift,
    "m_estimate": m_estimate,
    "sensitivity": sensitivity,
    "sensitivity_specificity": sensitivity_specificity,
    "specificity": specificity,
    "support": support,
    "weighted_relative_accuracy": weighted_relative_accuracy,
}
"""Every measure by name."""
