"""The one contingency object from which every measure of a rule is computed."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

__all__ = ["Counts"]

Numbers = npt.NDArray[Any]


@dataclass(frozen=True, eq=False)
class Counts:
    """What a set of rules covers, by class.

    Parameters
    ----------
    class_totals : ndarray of shape (n_classes,)
        Rows (or their weight) of each class in the table; int64 for unit weights, else float64.
    class_counts : ndarray of shape (n_rules, n_classes)
        Covered rows of each class.
    consequent : ndarray of shape (n_rules,), int32
        Class code that each rule predicts.

    Examples
    --------
    Five rows of class 0, of which the rule for class 0 covers four, and two of the five of class 1:

    >>> counts = Counts(np.array([5, 5]), np.array([[4, 2]]), np.array([0]))
    >>> counts.covered, counts.correct
    (array([6]), array([4]))
    """

    class_totals: Numbers
    class_counts: Numbers
    consequent: npt.NDArray[np.int32]

    @property
    def n_rows(self) -> Any:
        """Rows (or weight) of the whole table."""
        return self.class_totals.sum()

    @property
    def n_rules(self) -> int:
        """Number of rules."""
        return len(self.consequent)

    @cached_property
    def covered(self) -> Numbers:
        """Rows that each rule covers; ndarray of shape (n_rules,)."""
        return self.class_counts.sum(axis=1)

    @cached_property
    def correct(self) -> Numbers:
        """Covered rows of the rule's own class (true positives); ndarray of shape (n_rules,)."""
        return self.class_counts[np.arange(self.n_rules), self.consequent]

    @cached_property
    def in_class(self) -> Numbers:
        """Rows of the rule's own class, covered or not; ndarray of shape (n_rules,)."""
        return self.class_totals[self.consequent]

    @property
    def wrong(self) -> Numbers:
        """Covered rows of other classes (false positives); ndarray of shape (n_rules,)."""
        return self.covered - self.correct

    @classmethod
    def of(
        cls,
        covers: npt.NDArray[np.bool_],
        y: npt.NDArray[np.int32],
        weight: npt.NDArray[np.float64],
        consequent: npt.ArrayLike,
        n_classes: int,
    ) -> Counts:
        """Count the rows that rules cover.

        Parameters
        ----------
        covers : ndarray of shape (n_rows, n_rules)
            Which row satisfies which rule, as `RuleList.match` returns it.
        y : ndarray of shape (n_rows,), int32
            Class codes.
        weight : ndarray of shape (n_rows,)
            Row weights; if all are 1 the counts are integers.
        consequent : array-like of shape (n_rules,)
            Class codes that the rules predict.
        n_classes : int
            Number of declared classes.
        """
        indicator = np.zeros((len(y), n_classes))
        indicator[np.arange(len(y)), y] = weight
        class_counts = covers.T.astype(np.float64) @ indicator
        totals = indicator.sum(axis=0)
        if np.all(weight == 1.0):
            class_counts, totals = np.rint(class_counts).astype(np.int64), np.rint(totals).astype(np.int64)
        return cls(totals, class_counts, np.asarray(consequent, dtype=np.int32))
