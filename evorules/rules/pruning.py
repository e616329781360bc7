"""Parts that drop rules: filters that judge rules, and builders that choose a list by the rows it covers.

All of them take `TrainingRules` in order. A filter returns the positions of the rules that stay, ascending; a
builder returns a `Selection`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from evorules.rules.training import TrainingRules
from evorules.rules.unmatched import class_preference
from trees.errors import ParameterError
from trees.measures import chi_square

__all__ = [
    "Builder",
    "Filter",
    "Pruner",
    "Selection",
    "correlated",
    "cover",
    "general",
    "keep_all",
    "one_per_antecedent",
    "pessimistic",
]

Ints = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Selection:
    """The rules that a builder chose.

    Parameters
    ----------
    kept : ndarray of shape (n_kept,), int64
        Positions of the rules, in order.
    default : int, optional
        Class code for rows that no rule covers; None leaves it to the classifier.
    default_counts : ndarray of shape (n_classes,), optional
        Training rows of each class that no rule kept covers.
    """

    kept: Ints
    default: int | None = None
    default_counts: npt.NDArray[Any] | None = None


Filter = Callable[[TrainingRules], Ints]
Builder = Callable[[TrainingRules], Selection]


def keep_all(rules: TrainingRules) -> Selection:
    """Keep every rule."""
    return Selection(np.arange(len(rules)))


@dataclass(frozen=True)
class Pruner:
    """Filters one after the other, and a builder that chooses from what they leave.

    Parameters
    ----------
    filters : tuple of callable
        Each sees the rules that those before it left.
    builder : callable
        Makes the list.
    """

    filters: tuple[Filter, ...] = ()
    builder: Builder = keep_all

    def __call__(self, rules: TrainingRules) -> Selection:
        """Return the selection, in positions of `rules`."""
        left = np.arange(len(rules))
        for drop in self.filters:
            left = left[drop(rules.take(left))]
        chosen = self.builder(rules.take(left))
        return Selection(left[chosen.kept], chosen.default, chosen.default_counts)


def one_per_antecedent(rules: TrainingRules) -> Ints:
    """Keep the first rule of each antecedent."""
    size = rules.size
    first = []
    for length in np.unique(size).tolist():
        same = np.flatnonzero(size == length)
        antecedents = rules.test[rules.start[same][:, None] + np.arange(length)]
        order = np.lexsort(antecedents.T[::-1]) if length else np.arange(len(same))
        ordered = antecedents[order]
        new = np.ones(len(same), dtype=np.bool_)
        new[1:] = np.any(ordered[1:] != ordered[:-1], axis=1)
        # the sort is stable, so the first of equal antecedents is the one that came first
        first.append(same[order[new]])
    return np.sort(np.concatenate([*first, np.empty(0, dtype=np.int64)]))


def general(rules: TrainingRules, *, proper: bool = True) -> Ints:
    """Drop a rule if one kept before it has a proper subset of its antecedent, whatever the classes.

    Parameters
    ----------
    rules : TrainingRules
        In order.
    proper : bool
        False also drops a rule with the very antecedent of one before it.
    """
    from evorules.rules._kernels_training import find_general

    n_tests, most = len(rules.bits), len(rules.test) + 1
    kept = np.empty(len(rules), dtype=np.bool_)
    nodes = [np.full(most, -1, dtype=np.int32) for _ in range(3)]
    find_general(
        rules.start, rules.test, proper, np.zeros(n_tests, dtype=np.bool_),
        np.full(n_tests, -1, dtype=np.int32), *nodes, np.zeros(most, dtype=np.bool_),
        np.empty((most, 2), dtype=np.int64), kept,
    )  # fmt: skip
    return np.flatnonzero(kept)


CRITICAL = {0.1: 2.706, 0.05: 3.841, 0.025: 5.024, 0.01: 6.635, 0.005: 7.879, 0.001: 10.828}
"""Critical values of chi-square with one degree of freedom, as tables print them."""


def correlated(rules: TrainingRules, *, alpha: float = 0.05) -> Ints:
    """Keep rules whose class is positively correlated with the antecedent, chi-square at least critical.

    Parameters
    ----------
    rules : TrainingRules
        The rules.
    alpha : float
        Level of the test, in (0, 1). Where tables print the critical value, that is used.
    """
    critical = CRITICAL.get(alpha)
    if critical is None:
        from scipy.stats import chi2

        critical = float(chi2.isf(alpha, 1))
    counts = rules.counts
    return np.flatnonzero(chi_square(counts, signed=True) >= critical)


def pessimistic(
    rules: TrainingRules, *, confidence: float = 0.25, method: Literal["c45", "exact"] = "c45"
) -> Ints:
    """Drop a rule if leaving out one condition lowers the upper limit of its error rate.

    The shorter rule has the same class and need not be a rule that was mined; of a single condition, it is
    the rule that covers every row.

    Parameters
    ----------
    rules : TrainingRules
        The rules.
    confidence : float
        Level of the limit, in (0, 1).
    method : {"c45", "exact"}
        C4.5's estimate, or the exact binomial limit: the rate at which errors as few as those seen have
        probability `confidence`.
    """
    from evorules.rules._kernels_training import count_deletions

    counts, n_words = rules.counts, rules.bits.shape[1]
    longest = int(rules.size.max(initial=1))
    covered = np.empty(len(rules.test), dtype=np.int64)
    correct = np.empty_like(covered)
    count_deletions(
        rules.start, rules.test, rules.consequent, rules.bits, rules.class_start, rules.all_rows,
        np.empty((longest, n_words), dtype=np.uint64), np.empty(n_words, dtype=np.uint64), covered, correct,
    )  # fmt: skip
    own = error_limits(counts.covered, counts.wrong, confidence, method)
    shorter = error_limits(covered, covered - correct, confidence, method)
    owner = np.repeat(np.arange(len(rules)), rules.size)
    worse = np.zeros(len(rules), dtype=np.bool_)
    worse[owner[shorter < own[owner]]] = True
    return np.flatnonzero(~worse)


def error_limits(
    covered: Ints, wrong: Ints, confidence: float, method: Literal["c45", "exact"] = "c45"
) -> npt.NDArray[np.float64]:
    """Return the upper limit of the error rate of rules that cover so many rows, so many of them wrongly.

    Examples
    --------
    >>> error_limits(np.array([6, 16]), np.array([0, 1]), 0.25, "exact").round(4)
    array([0.2063, 0.1596])
    """
    if method == "exact":
        from scipy.special import betaincinv

        pairs, place = np.unique(covered * (int(covered.max(initial=0)) + 1) + wrong, return_inverse=True)
        n, e = np.divmod(pairs, int(covered.max(initial=0)) + 1)
        limit = np.where(e < n, betaincinv(e + 1, np.maximum(n - e, 1), 1 - confidence), 1.0)
        return np.asarray(limit[place])
    if method != "c45":
        raise ParameterError(f"The method must be 'c45' or 'exact'. Got {method!r} instead.")
    from evorules.rules._kernels_training import limit_errors
    from trees.pruning.pessimistic import estimate_level

    found = np.empty(len(covered))
    limit_errors(
        covered.astype(np.float64), wrong.astype(np.float64), *estimate_level(confidence, np.float64), found
    )
    return found


def cover(rules: TrainingRules, *, delta: int = 1) -> Selection:
    """Keep rules that classify a row rightly which fewer than `delta` rules kept before them cover.

    The default class is that of most rows that no rule kept covers, of all rows if there is none such.

    Parameters
    ----------
    rules : TrainingRules
        In order.
    delta : int
        Rules that must cover a row before it is done with, at least 1.
    """
    from evorules.rules._kernels_training import cover_delta

    alive = rules.all_rows.copy()
    times = np.zeros(64 * len(alive), dtype=np.int32)
    kept = np.zeros(len(rules), dtype=np.bool_)
    cover_delta(
        rules.start, rules.test, rules.consequent, rules.bits, rules.class_start, delta, alive,
        np.empty_like(alive), times, kept,
    )  # fmt: skip
    bare = np.packbits(times == 0, bitorder="little").view("<u8").astype(np.uint64) & rules.all_rows
    left = rules.class_of_words(bare)
    return Selection(np.flatnonzero(kept), majority(left, rules.class_totals), left)


def majority(left: Ints, class_totals: Ints) -> int:
    """Return the class of most rows; of equal ones that of most training rows, then the first."""
    order = class_preference(class_totals)
    return int(order[np.argmax(left[order])])
