"""Quality measures of rules: functions of `Counts` that return one number per rule.

The same functions serve the fitness of the genetic algorithms, the orderings, the covering heuristics and
the reports. Divisions by zero give the value that the docstring names, never NaN.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from trees.counts import Counts
from trees.criteria.entropy import entropy

__all__ = [
    "MEASURES",
    "chi_square",
    "confidence",
    "conviction",
    "coverage",
    "greatest_chi_square",
    "information_gain",
    "laplace",
    "leverage",
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


def leverage(counts: Counts) -> Scores:
    """Return by how much the support exceeds that of an independent class, in [-0.25, 0.25].

    Another name of `weighted_relative_accuracy`: coverage * (confidence - share) is the same number.
    """
    return weighted_relative_accuracy(counts)


def conviction(counts: Counts) -> Scores:
    """Return how many times rarer errors are than with an independent class, at least 0.

    Infinite for a rule without errors; 0 for a rule that covers nothing. Brin, S. et al. (1997). Dynamic
    itemset counting and implication rules for market basket data. SIGMOD, 255-264.

    Examples
    --------
    The rule is wrong in 1 of 4 rows, 5 of all 9 rows are of another class:

    >>> conviction(Counts(np.array([4, 5]), np.array([[3, 1]]), np.array([0]))).round(4)
    array([2.2222])
    """
    others = counts.n_rows - counts.in_class
    value = _ratio(counts.covered * _floats(others), counts.n_rows * _floats(counts.wrong), otherwise=np.inf)
    return np.where(counts.covered > 0, value, 0.0)


def chi_square(counts: Counts, *, signed: bool = False) -> Scores:
    """Return the chi-square statistic of antecedent and class, one degree of freedom, in [0, n_rows].

    Parameters
    ----------
    counts : Counts
        Of the rules.
    signed : bool, default=False
        Give rules whose class is rarer among the covered rows than among all a negative sign.

    Returns
    -------
    ndarray of shape (n_rules,)
        0 for an antecedent that covers all rows or none, and for a class with all rows or none.

    Examples
    --------
    Of 30 covered rows 24 are of a class that has 40 of all 100:

    >>> chi_square(Counts(np.array([40, 60]), np.array([[24, 6]]), np.array([0]))).round(3)
    array([28.571])
    """
    covered, in_class, correct, n = (
        _floats(x) for x in (counts.covered, counts.in_class, counts.correct, counts.n_rows)
    )
    excess = correct - _ratio(covered * in_class, n)
    value = n * excess**2 * _inverse_margins(counts)
    return np.where(excess < 0, -value, value) if signed else value


def greatest_chi_square(counts: Counts) -> Scores:
    """Return the greatest `chi_square` that positive association could have with the same margins.

    Li, W., Han, J. and Pei, J. (2001). CMAR. ICDM, 369-376, section 4 (there "max chi-square").

    Examples
    --------
    >>> greatest_chi_square(Counts(np.array([40, 60]), np.array([[24, 6]]), np.array([0]))).round(3)
    array([64.286])
    """
    covered, in_class, n = (_floats(x) for x in (counts.covered, counts.in_class, counts.n_rows))
    excess = np.minimum(covered, in_class) - _ratio(covered * in_class, n)
    return np.asarray(n * excess**2 * _inverse_margins(counts))


def _inverse_margins(counts: Counts) -> Scores:
    """Return the sum of 1 / (row margin * column margin) over the four cells, 0 where a margin is 0."""
    covered, in_class, n = (_floats(x) for x in (counts.covered, counts.in_class, counts.n_rows))
    product = covered * (n - covered) * in_class * (n - in_class)
    return _ratio(n**2, product)


def information_gain(counts: Counts) -> Scores:
    """Return what telling covered rows from others tells about the class, in bits, at least 0.

    The entropy of all rows less the mean entropy of the two parts. It does not depend on the rule's class.

    Examples
    --------
    >>> information_gain(Counts(np.array([50, 50]), np.array([[30, 10]]), np.array([0]))).round(4)
    array([0.1245])
    """
    inside = counts.class_counts
    outside = counts.class_totals - inside
    parts = counts.covered * entropy(inside) + outside.sum(axis=1) * entropy(outside)
    return np.maximum(entropy(counts.class_totals) - _ratio(parts, counts.n_rows), 0.0)


def _floats(numbers: npt.ArrayLike) -> Scores:
    return np.asarray(numbers, dtype=np.float64)


MEASURES: dict[str, Callable[[Counts], Scores]] = {
    "chi_square": chi_square,
    "confidence": confidence,
    "conviction": conviction,
    "coverage": coverage,
    "information_gain": information_gain,
    "laplace": laplace,
    "leverage": leverage,
    "lift": lift,
    "m_estimate": m_estimate,
    "sensitivity": sensitivity,
    "sensitivity_specificity": sensitivity_specificity,
    "specificity": specificity,
    "support": support,
    "weighted_relative_accuracy": weighted_relative_accuracy,
}
"""Every measure by name."""
