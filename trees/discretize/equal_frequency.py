"""Intervals that hold equally many rows."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from trees.discretize.column import cuts_of, points_after, value_weights
from trees.discretize.cuts import Cuts
from trees.table import Table
from trees.validation import Integer, check_parameters

__all__ = ["EqualFrequency"]


@dataclass(frozen=True)
class EqualFrequency:
    """Cut every numeric attribute into parts with equally many rows, as far as equal values allow.

    Parameters
    ----------
    n_bins : int, default=5
        Number of parts, at least 1.

    Examples
    --------
    >>> import pandas as pd
    >>> ages = pd.DataFrame({"age": [22, 25, 25, 31, 34, 40, 41, 47, 52, 60]})
    >>> EqualFrequency(4).fit(Table.from_frame(ages)).points
    (array([28. , 37. , 49.5]),)
    """

    n_bins: int = 5

    def __post_init__(self) -> None:
        check_parameters(type(self).__name__, {"n_bins": Integer(1)}, vars(self))

    def fit(self, table: Table) -> Cuts:
        """Return the cut points of every numeric attribute.

        Parameters
        ----------
        table : Table
            Classes are not needed; weights count as rows.

        Returns
        -------
        Cuts
            Behind rank n * i / n_bins, moved to the nearest gap between distinct values (of two equally near
            the upper one); a point is the middle of its gap. Points that fall together are one.
        """

        def find(column: int) -> npt.NDArray[np.float64]:
            values, weights = value_weights(table, column, by_class=False)
            if len(values) < 2:
                return np.empty(0)
            ranks = np.cumsum(weights[:, 0])
            gaps = ranks[:-1]
            targets = ranks[-1] * np.arange(1, self.n_bins) / self.n_bins
            upper = np.clip(np.searchsorted(gaps, targets), 0, len(gaps) - 1)
            lower = np.maximum(upper - 1, 0)
            nearer = np.abs(gaps[lower] - targets) < np.abs(gaps[upper] - targets) - 1e-9
            return points_after(values, np.where(nearer, lower, upper).tolist())

        return cuts_of(table, find)
