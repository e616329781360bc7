"""Which class's rules come first, and the class for rows that no rule fires on."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from trees.rulegen.cases import Cases

__all__ = ["by_description_length", "by_false_positives", "default_class"]

Words = npt.NDArray[np.uint64]
Floats = npt.NDArray[np.float64]


def by_false_positives(covers: Words, cases: Cases) -> tuple[list[int], Floats]:
    """Order classes by the false positives of their rules, counted when their turn comes.

    Parameters
    ----------
    covers : ndarray of shape (n_classes, n_words), uint64
        Rows on which some rule of each class fires.
    cases : Cases
        The rows to count.

    Returns
    -------
    order : list of int
        Class codes: always the one whose rules fire on the least weight of rows of other classes that the
        classes before it leave uncovered; the lowest code on ties.
    wrong : ndarray of shape (n_classes,)
        That weight, by class code.

    Notes
    -----
    specs: C4.5 section 8.4.
    """
    order: list[int] = []
    wrong = np.zeros(len(covers))
    left = list(range(len(covers)))
    uncovered = ~np.zeros(covers.shape[1], dtype=np.uint64)
    while left:
        false_positives = cases.weigh(covers[left] & ~cases.class_bits[left] & uncovered)
        chosen = left.pop(int(np.argmin(false_positives)))
        wrong[chosen] = false_positives.min()
        order.append(chosen)
        uncovered &= ~covers[chosen]
    return order, wrong


def by_description_length(lengths: Sequence[float]) -> list[int]:
    """Return class codes by the description length of their chosen rules, shortest first, ties by code."""
    return sorted(range(len(lengths)), key=lambda label: lengths[label])


def default_class(covers: Words, cases: Cases) -> tuple[int, Floats]:
    """Return the class with the greatest weight of rows on which no rule fires, and that weight by class.

    Ties go to the class with more rows in all, then to the lower code.
    """
    covered = np.bitwise_or.reduce(covers, axis=0)
    uncovered = cases.weigh(cases.class_bits & ~covered)
    totals = cases.table.class_totals
    best = max(range(len(totals)), key=lambda label: (uncovered[label], totals[label], -label))
    return best, uncovered
