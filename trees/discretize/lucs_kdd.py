"""The discretisation of the LUCS-KDD data sets: buckets of equal width, merged by their dominant class.

Coenen, F. (2005). The LUCS-KDD DN software, version 2. The details follow a public re-implementation of it.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from trees.discretize.column import cuts_of, value_weights
from trees.discretize.cuts import Cuts
from trees.table import Table
from trees.validation import AnyOf, Check, Choice, Integer, check_parameters

__all__ = ["LucsKdd"]

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class LucsKdd:
    """Cut where the dominant class of equally wide buckets changes, and merge the purest neighbours.

    Parameters
    ----------
    max_divisions : int, default=5
        Greatest number of intervals, at least 1.
    n_buckets : int or None, default=None
        Number of buckets; None is 100, or for whole numbers of a range below 100 that range.

    Examples
    --------
    >>> import pandas as pd
    >>> table = Table.from_frame(pd.DataFrame({"x": range(1, 13)}), list("AAAABAABBBBB"))
    >>> LucsKdd().fit(table).points, LucsKdd(3).fit(table).points
    ((array([4., 5., 7.]),), (array([7.]),))
    """

    max_divisions: int = 5
    n_buckets: int | None = None

    def __post_init__(self) -> None:
        checks: dict[str, Check] = {
            "max_divisions": Integer(1),
            "n_buckets": AnyOf((Choice((None,)), Integer(1))),
        }
        check_parameters(type(self).__name__, checks, vars(self))

    def fit(self, table: Table) -> Cuts:
        """Return the cut points of every numeric attribute; none for a constant one.

        Parameters
        ----------
        table : Table
            With classes; weights count as rows.

        Returns
        -------
        Cuts
            Points are right ends of buckets.
        """

        def find(column: int) -> Floats:
            values, weights = value_weights(table, column, by_class=True)
            if len(values) < 2 or not np.isfinite(values[-1] - values[0]):
                return np.empty(0)
            ends, counts = self._buckets(values, weights)
            divisions = _merged(_divisions(_imputed(_dominant(counts)), counts), self.max_divisions)
            return np.unique([ends[division.last] for division in divisions[:-1]])

        return cuts_of(table, find)

    def _buckets(self, values: Floats, weights: Floats) -> tuple[Floats, Floats]:
        """Return the right ends of the buckets and their class weights, of shape (n_buckets, n_classes)."""
        low, width = values[0], values[-1] - values[0]
        n_buckets = self.n_buckets
        if n_buckets is None:
            whole = width < 100 and np.array_equal(values, np.floor(values))
            n_buckets = int(width) if whole else 100
        ends = low + np.arange(1, n_buckets + 1) * (width / n_buckets)
        bucket = np.minimum(np.searchsorted(ends, values, side="left"), n_buckets - 1)
        counts = np.zeros((n_buckets, weights.shape[1]))
        np.add.at(counts, bucket, weights)
        return ends, counts


@dataclass
class _Division:
    """Consecutive buckets of one dominant class, the last of them, and their class weights."""

    label: int
    last: int
    counts: Floats


def _dominant(counts: Floats) -> list[int]:
    """Return the class of the greatest weight in every row, -1 where there is none or several have it."""
    return [_unique_greatest(row) for row in counts]


def _unique_greatest(row: Floats) -> int:
    greatest = np.flatnonzero(row == row.max())
    return int(greatest[0]) if len(greatest) == 1 and row.max() > 0 else -1


def _imputed(labels: list[int]) -> list[int]:
    """Return the labels with gaps filled from both ends inwards; the middle of an odd gap takes the right."""
    known = [b for b, label in enumerate(labels) if label >= 0]
    if not known:
        return [0] * len(labels)
    filled = labels.copy()
    filled[: known[0]] = [labels[known[0]]] * known[0]
    filled[known[-1] :] = [labels[known[-1]]] * (len(labels) - known[-1])
    for left, right in pairwise(known):
        gap = right - left - 1
        filled[left + 1 : left + 1 + gap // 2] = [labels[left]] * (gap // 2)
        filled[left + 1 + gap // 2 : right] = [labels[right]] * (gap - gap // 2)
    return filled


def _divisions(labels: list[int], counts: Floats) -> list[_Division]:
    divisions: list[_Division] = []
    for bucket, label in enumerate(labels):
        if divisions and divisions[-1].label == label:
            divisions[-1].last = bucket
            divisions[-1].counts = divisions[-1].counts + counts[bucket]
        else:
            divisions.append(_Division(label, bucket, counts[bucket]))
    return divisions


def _merged(divisions: list[_Division], most: int) -> list[_Division]:
    """Merge neighbours until at most `most` are left, those of the greatest dominant share first."""
    while len(divisions) > max(most, 1):
        unions = [a.counts + b.counts for a, b in pairwise(divisions)]
        shares = [union.max() / union.sum() if _unique_greatest(union) >= 0 else 0.0 for union in unions]
        d = int(np.argmax(shares))
        label = _unique_greatest(unions[d])
        _join(divisions, d, divisions[d].label if label < 0 else label)
        if d + 1 < len(divisions) and divisions[d + 1].label == divisions[d].label:
            _join(divisions, d, divisions[d].label)
        if d > 0 and divisions[d - 1].label == divisions[d].label:
            _join(divisions, d - 1, divisions[d].label)
    return divisions


def _join(divisions: list[_Division], d: int, label: int) -> None:
    """Merge division d with the next."""
    right = divisions.pop(d + 1)
    divisions[d] = _Division(label, right.last, divisions[d].counts + right.counts)
