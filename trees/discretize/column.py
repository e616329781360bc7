"""The distinct known values of a numeric column, with what the rows weigh at each."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np
import numpy.typing as npt

from trees.discretize.cuts import Cuts, midpoint
from trees.table import Table

__all__ = ["cuts_of", "points_after", "value_weights"]

Floats = npt.NDArray[np.float64]


def value_weights(table: Table, column: int, *, by_class: bool) -> tuple[Floats, Floats]:
    """Return the sorted distinct values of a column and the weight at each.

    Parameters
    ----------
    table : Table
        Rows of weight 0 and missing cells do not count.
    column : int
        Of a numeric attribute.
    by_class : bool
        Give the weights per class.

    Returns
    -------
    ndarray of shape (n_values,)
        The values.
    ndarray of shape (n_values, n_classes) or (n_values, 1)
        Their weights.
    """
    codes = table.codes
    ranks, values = codes.ranks[column], codes.values[column]
    rows = np.flatnonzero((ranks != codes.missing) & (table.weight > 0))
    n_columns = table.n_classes if by_class else 1
    cells = ranks[rows].astype(np.int64) * n_columns
    if by_class:
        cells += table.classes[rows]
    weight = np.bincount(cells, weights=table.weight[rows], minlength=len(values) * n_columns)
    weight = weight.reshape(len(values), n_columns)
    met = weight.sum(axis=1) > 0
    return values[met], weight[met]


def points_after(values: Floats, positions: Iterable[int]) -> Floats:
    """Return the midpoints behind some of the sorted values, ascending, without repetition."""
    return np.array(
        [midpoint(float(values[p]), float(values[p + 1])) for p in sorted(set(positions))], dtype=np.float64
    )


def cuts_of(table: Table, find: Callable[[int], Floats]) -> Cuts:
    """Return the cuts whose points `find` gives for the column of every numeric attribute."""
    points = [
        None if attribute.is_nominal else find(column)
        for column, attribute in enumerate(table.schema.attributes)
    ]
    return Cuts(table.schema, tuple(points))
