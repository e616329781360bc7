"""Orders of rules: in which the first to cover a row decides, or the first of each class vote.

Every order is total: rules that are equal in all keys stay in the order in which they came, for mined rules
that of generation. Confidences of counts below 2**26 are compared exactly: two fractions that differ, differ
as floating-point numbers too.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, Protocol

import numpy as np
import numpy.typing as npt

from trees.counts import Counts
from trees.criteria.entropy import entropy
from trees.errors import ParameterError
from trees.measures import chi_square

__all__ = [
    "ORDERINGS",
    "Ordering",
    "Ranked",
    "acs",
    "by_chi_square",
    "by_confidence_then_class",
    "by_information_gain",
    "by_laplace",
    "by_laplace_then_coverage",
    "by_wracc",
    "csa",
    "mcar",
    "specific_first",
]

Ints = npt.NDArray[np.int64]
Numbers = npt.NDArray[Any]

TIE = 1e-10


class Ranked(Protocol):
    """What an order looks at: `CarSet`, `RuleSet` and `TrainingRules` have it."""

    @property
    def counts(self) -> Counts:
        """What each rule covers."""

    @property
    def size(self) -> Numbers:
        """Number of items in each antecedent; ndarray of shape (n_rules,)."""


Ordering = Callable[[Ranked], Ints]
"""Returns positions of rules, first to last; ndarray of shape (n_rules,)."""


def _sorted(*keys: Numbers) -> Ints:
    """Return positions sorted by keys, the first of them first; equal ones stay in order."""
    return np.lexsort(keys[::-1])


def _confidence(counts: Counts) -> Numbers:
    covered = counts.covered
    return np.divide(counts.correct, covered, out=np.zeros(len(covered)), where=covered > 0)


def _levels(values: Numbers) -> Ints:
    """Return the place of each value among the sorted ones, where values closer than `TIE` share a place."""
    order = np.argsort(values, kind="stable")
    place = np.empty(len(values), dtype=np.int64)
    place[order] = np.cumsum(np.diff(values[order], prepend=values[order[:1]]) >= TIE)
    return place


def csa(rules: Ranked) -> Ints:
    """Order by confidence, then support (both falling), then size (rising): CBA and CMAR."""
    counts = rules.counts
    return _sorted(-_confidence(counts), -counts.correct, rules.size)


def acs(rules: Ranked, *, size: Literal["desc", "asc"] = "desc") -> Ints:
    """Order by antecedent size, falling unless asked, then confidence, then support (both falling): TFPC.

    The papers name this order without its direction; longer antecedents first is what its name as the
    counterpart of CSA, and later texts of the same group, suggest.
    """
    if size not in ("desc", "asc"):
        raise ParameterError(f"The 'size' of the order ACS must be 'desc' or 'asc'. Got {size!r} instead.")
    counts = rules.counts
    length = np.asarray(rules.size, dtype=np.int64)
    return _sorted(length if size == "asc" else -length, -_confidence(counts), -counts.correct)


def specific_first(rules: Ranked) -> Ints:
    """Order by antecedent size, then confidence (both falling): CAR-IC, section 3.2 there."""
    return _sorted(-np.asarray(rules.size, dtype=np.int64), -_confidence(rules.counts))


def mcar(rules: Ranked, *, first_row: Numbers | None = None) -> Ints:
    """Order by confidence, support (falling), size (rising), frequency of the class (falling), first row.

    Parameters
    ----------
    rules : CarSet, RuleSet or TrainingRules
        The rules.
    first_row : ndarray of shape (n_rules,), optional
        Place in the shuffled training rows of the first row that each rule covers.
    """
    counts = rules.counts
    last = () if first_row is None else (first_row,)
    return _sorted(-_confidence(counts), -counts.correct, rules.size, -counts.in_class, *last)


def by_wracc(rules: Ranked) -> Ints:
    """Order by weighted relative accuracy, falling; whole-number counts are compared exactly."""
    counts = rules.counts
    exact = np.issubdtype(counts.covered.dtype, np.integer)
    kind = np.int64 if exact else np.float64
    correct, covered = counts.correct.astype(kind), counts.covered.astype(kind)
    return _sorted(-(correct * counts.n_rows - covered * counts.in_class))


def by_laplace(rules: Ranked) -> Ints:
    """Order by (correct + 1) / (covered + number of classes), falling: CPAR and CN2."""
    return _sorted(-_laplace(rules.counts))


def by_chi_square(rules: Ranked) -> Ints:
    """Order by chi-square, falling; rules of negative correlation count as minus theirs."""
    return _sorted(_levels(-chi_square(rules.counts, signed=True)))


def by_information_gain(rules: Ranked) -> Ints:
    """Order by entropy of the rows covered (rising), confidence, support, size (rising), class: EAC, LAC."""
    counts = rules.counts
    left = _levels(entropy(counts.class_counts))
    return _sorted(left, -_confidence(counts), -counts.correct, rules.size, counts.consequent)


def by_confidence_then_class(rules: Ranked) -> Ints:
    """Order by confidence, support (falling), size (rising), class: EAC with ``rank="confidence"``."""
    counts = rules.counts
    return _sorted(-_confidence(counts), -counts.correct, rules.size, counts.consequent)


def by_laplace_then_coverage(rules: Ranked) -> Ints:
    """Order by Laplace accuracy, coverage (falling), size (rising): EAC with ``rank="laplace"``."""
    counts = rules.counts
    return _sorted(-_laplace(counts), -counts.covered, rules.size)


def _laplace(counts: Counts) -> Numbers:
    return (counts.correct + 1) / (counts.covered + len(counts.class_totals))


ORDERINGS: dict[str, Ordering] = {
    "ACS": acs,
    "CHI2": by_chi_square,
    "CONFIDENCE": by_confidence_then_class,
    "CSA": csa,
    "IG": by_information_gain,
    "LAP": by_laplace,
    "LAPLACE": by_laplace_then_coverage,
    "MCAR": mcar,
    "SC": specific_first,
    "WRA": by_wracc,
}
"""Every order by its name in the papers; those of EAC and LAC by their `rank` (IG for "gain")."""
