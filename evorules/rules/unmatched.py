"""What to say of a row that no rule covers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

__all__ = ["FALLBACKS", "Fallback", "Unmatched", "class_preference"]

Fallback = Literal["abstain", "default", "majority"]
FALLBACKS = ("abstain", "default", "majority")
"""Abstain; the classifier's own default class; the class most frequent in training."""


@dataclass(frozen=True, eq=False)
class Unmatched:
    """The class of rows that no rule covers, and the rows behind it.

    Parameters
    ----------
    label : int
        Class code, -1 to abstain.
    counts : ndarray of shape (n_classes,)
        Training rows of each class that the decision rests on.
    """

    label: int
    counts: npt.NDArray[Any]

    @classmethod
    def of(
        cls,
        fallback: Fallback,
        class_totals: npt.NDArray[Any],
        default: int | None = None,
        default_counts: npt.NDArray[Any] | None = None,
    ) -> Unmatched:
        """Settle what happens to unmatched rows once the rules are chosen.

        Parameters
        ----------
        fallback : {"abstain", "default", "majority"}
            "default" is the majority where the classifier has no default class of its own.
        class_totals : ndarray of shape (n_classes,)
            Training rows of each class.
        default : int, optional
            The classifier's own default class.
        default_counts : ndarray of shape (n_classes,), optional
            Training rows that the default is the majority of.
        """
        if fallback == "default" and default is not None:
            has_rows = default_counts is not None and np.sum(default_counts) > 0
            return cls(default, default_counts if has_rows and default_counts is not None else class_totals)
        label = -1 if fallback == "abstain" else int(class_preference(class_totals)[0])
        return cls(label, class_totals)


def class_preference(
    class_totals: npt.NDArray[Any],
    tie: Literal["prior", "random"] = "prior",
    rng: np.random.Generator | None = None,
) -> npt.NDArray[np.int64]:
    """Return the class codes in the order in which tied classes are preferred.

    Parameters
    ----------
    class_totals : ndarray of shape (n_classes,)
        Training rows of each class.
    tie : {"prior", "random"}
        The more frequent class, then class order; or one order drawn from `rng`, so that predictions do not
        depend on which rows are asked together.
    rng : Generator, optional
        For "random".

    Examples
    --------
    >>> class_preference(np.array([2, 5, 5]))
    array([1, 2, 0])
    """
    if tie == "random" and rng is not None:
        return rng.permutation(len(class_totals)).astype(np.int64)
    return np.argsort(-np.asarray(class_totals), kind="stable")
