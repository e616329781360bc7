# mypy: allow-untyped-defs
"""Nearest stored rows by a distance over numbers and values."""

import numpy as np

from trees.jit import kernel

__all__ = ["nearest_rows"]


@kernel
def nearest_rows(stored, asked, spread, squares, found):
    """Write the nearest stored rows of every asked row, float64 (n, n_attributes), NaN where missing.

    `spread` (n_attributes,) is the range of a numeric attribute, 0 if it is constant, -1 for a nominal one.
    `squares` float64 and `found` int64 (n_asked, n_wanted) are written; both stay in order of distance, and
    of equal distances the first stored row comes first.
    """
    n_wanted = squares.shape[1]
    for i in range(asked.shape[0]):
        squares[i, :] = np.inf
        found[i, :] = -1
        for j in range(stored.shape[0]):
            total = 0.0
            for a in range(stored.shape[1]):
                one, other = asked[i, a], stored[j, a]
                if np.isnan(one) or np.isnan(other):
                    total += 1.0
                elif spread[a] > 0:
                    step = (one - other) / spread[a]
                    total += step * step
                elif spread[a] < 0 and one != other:
                    total += 1.0
                if total >= squares[i, n_wanted - 1]:
                    break
            place = n_wanted - 1
            if not total < squares[i, place]:
                continue
            while place > 0 and total < squares[i, place - 1]:
                squares[i, place] = squares[i, place - 1]
                found[i, place] = found[i, place - 1]
                place -= 1
            squares[i, place] = total
            found[i, place] = j
