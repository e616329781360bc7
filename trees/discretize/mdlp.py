"""The entropy method with the minimum description length principle as its end.

Fayyad, U. and Irani, K. (1993). Multi-interval discretization of continuous-valued attributes for
classification learning. IJCAI-93, 1022-1027; (1992) Machine Learning 8, 87-102 for the boundary points.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from trees.criteria.entropy import entropy
from trees.discretize.column import cuts_of, points_after, value_weights
from trees.discretize.cuts import Cuts
from trees.table import Table
from trees.validation import Boolean, Check, Integer, check_parameters

__all__ = ["MDLP"]

Floats = npt.NDArray[np.float64]

TIE = 1e-10


@dataclass(frozen=True)
class MDLP:
    """Cut where the class entropy falls most, again and again, while a cut pays for its description.

    Parameters
    ----------
    better_encoding : bool, default=False
        Charge log2 of the number of cuts between distinct values instead of log2(N - 1).
    min_bins : {1, 2}, default=1
        2: an attribute for which no cut pays gets its best one all the same.

    Examples
    --------
    >>> import pandas as pd
    >>> table = Table.from_frame(pd.DataFrame({"x": range(1, 13)}), list("AAAAABBBBBCC"))
    >>> MDLP().fit(table).points
    (array([ 5.5, 10.5]),)
    """

    better_encoding: bool = False
    min_bins: int = 1

    def __post_init__(self) -> None:
        checks: dict[str, Check] = {"better_encoding": Boolean(), "min_bins": Integer(1, 2)}
        check_parameters(type(self).__name__, checks, vars(self))

    def fit(self, table: Table) -> Cuts:
        """Return the cut points of every numeric attribute.

        Parameters
        ----------
        table : Table
            With classes. The weights are the numbers N of rows.

        Returns
        -------
        Cuts
            Points are midpoints between neighbouring values. Of equally good cuts the lowest is taken.
        """

        def find(column: int) -> Floats:
            values, weights = value_weights(table, column, by_class=True)
            return points_after(values, self._positions(weights))

        return cuts_of(table, find)

    def _positions(self, weights: Floats) -> list[int]:
        """Return the positions of the values behind which to cut, for ndarray (n_values, n_classes)."""
        sums = np.vstack((np.zeros(weights.shape[1]), np.cumsum(weights, axis=0)))
        boundaries = np.flatnonzero(_is_boundary(weights))
        accepted: list[int] = []
        waiting = [(0, len(weights))]
        while waiting:
            start, end = waiting.pop()
            inside = boundaries[(boundaries >= start) & (boundaries < end - 1)]
            if len(inside) == 0:
                continue
            best = _best_cut(sums, start, end, inside)
            whole = sums[end] - sums[start]
            n_cuts = end - start - 1 if self.better_encoding else whole.sum() - 1
            if _pays(sums[best + 1] - sums[start], sums[end] - sums[best + 1], n_cuts):
                accepted.append(best)
                waiting += [(start, best + 1), (best + 1, end)]
        if not accepted and self.min_bins > 1 and len(boundaries):
            accepted.append(_best_cut(sums, 0, len(weights), boundaries))
        return accepted


def _is_boundary(weights: Floats) -> npt.NDArray[np.bool_]:
    """Return between which neighbours a cut can be best: not between pure ones of the same class."""
    present = weights > 0
    pure = present.sum(axis=1) == 1
    same = np.argmax(present[:-1], axis=1) == np.argmax(present[1:], axis=1)
    return ~(pure[:-1] & pure[1:] & same)


def _best_cut(sums: Floats, start: int, end: int, positions: npt.NDArray[np.int64]) -> int:
    """Return the position with the least entropy, the first of equals, among values start to end - 1."""
    below = sums[positions + 1] - sums[start]
    above = sums[end] - sums[positions + 1]
    n_below, n_above = below.sum(axis=1), above.sum(axis=1)
    inside = (n_below * entropy(below) + n_above * entropy(above)) / (n_below + n_above)
    return int(positions[np.flatnonzero(inside <= inside.min() + TIE)[0]])


def _pays(below: Floats, above: Floats, n_cuts: float) -> bool:
    """Return whether a cut gains more than its description costs (Fayyad and Irani 1993, section 3)."""
    whole = below + above
    n, n_below, n_above = float(whole.sum()), float(below.sum()), float(above.sum())
    if n_cuts <= 0:
        return False
    bits, bits_below, bits_above = float(entropy(whole)), float(entropy(below)), float(entropy(above))
    gain = bits - (n_below * bits_below + n_above * bits_above) / n
    k, k_below, k_above = (int(np.count_nonzero(part > 0)) for part in (whole, below, above))
    delta = k * math.log2(3) + math.log2(1 - 2 * 3.0**-k)
    delta -= k * bits - k_below * bits_below - k_above * bits_above
    return gain > (math.log2(n_cuts) + delta) / n
