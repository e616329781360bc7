"""Minimum support and confidence as whole numbers of rows, so that searches compare integers only."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from evorules.items import Items

__all__ = ["Thresholds", "least_rows"]

TOLERANCE = 1e-9
"""A share times a number of rows this little above a whole number is that number."""

Ints = npt.NDArray[np.int32]


def least_rows(share: float | int, n_rows: int) -> int:
    """Return how many of `n_rows` a threshold asks for: a share of them (float), or a number (int).

    Examples
    --------
    >>> least_rows(0.28, 25), least_rows(0.281, 25), least_rows(3, 25)
    (7, 8, 3)
    """
    if isinstance(share, int | np.integer):
        return int(share)
    return max(1, math.ceil(share * n_rows - TOLERANCE))


@dataclass(frozen=True, eq=False)
class Thresholds:
    """What an antecedent must count to be searched on, and a rule to be returned.

    An antecedent X is *frequent* if it covers `covered` rows and, for some class c, ``correct[c]`` rows of it
    are of class c. That never comes true again by adding items. A rule X => c is returned if it reaches both
    and ``confident[covered rows]`` of the rows are of class c.

    Parameters
    ----------
    covered : int
        Least number of rows that hold the antecedent.
    correct : ndarray of shape (n_classes,), int32
        Least number among them of each class.
    confident : ndarray of shape (n_rows + 1,), int32
        Least number of right rows by the number of covered ones.
    """

    covered: int
    correct: Ints
    confident: Ints

    @classmethod
    def of(
        cls,
        items: Items,
        min_support: float | int,
        min_confidence: float,
        *,
        strict_confidence: bool = False,
        support_on: str = "rule",
        class_support: str = "global",
    ) -> Thresholds:
        """Return the thresholds for a table; `Miner` describes the parameters."""
        n_rows = items.n_rows
        exact = min_confidence * np.arange(n_rows + 1)
        if strict_confidence:
            confident = np.floor(exact + TOLERANCE) + 1
        else:
            confident = np.ceil(exact - TOLERANCE)
        confident = np.maximum(confident, 1).astype(np.int32)
        least = least_rows(min_support, n_rows)
        if support_on == "antecedent":
            # right rows are at least this share of at least so many covered ones
            smallest = confident[min(least, n_rows)] if least <= n_rows else n_rows + 1
            return cls(least, np.full(items.n_classes, smallest, dtype=np.int32), confident)
        if class_support == "balanced":
            correct = [least_rows(min_support, int(n)) for n in items.class_totals]
        else:
            correct = [least] * items.n_classes
        return cls(1, np.minimum(correct, n_rows + 1).astype(np.int32), confident)

    def frequent(self, covered: npt.NDArray[np.integer], counts: npt.NDArray[np.integer]) -> Bools:
        """Return which antecedents are frequent, by covered rows (n,) and class counts (n, n_classes)."""
        return (covered >= self.covered) & np.any(counts >= self.correct, axis=1)

    def passing(self, covered: npt.NDArray[np.integer], counts: npt.NDArray[np.integer]) -> Bools:
        """Return which rules to return; ndarray of shape (n_antecedents, n_classes), bool."""
        least = np.maximum(self.correct, self.confident[covered][:, None])
        return (covered >= self.covered)[:, None] & (counts >= least)


Bools = npt.NDArray[np.bool_]
