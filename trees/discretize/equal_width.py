"""Intervals of equal width."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from trees.discretize.column import cuts_of, value_weights
from trees.discretize.cuts import Cuts
from trees.table import Table
from trees.validation import AnyOf, Choice, Integer, check_parameters

__all__ = ["EqualWidth"]


@dataclass(frozen=True)
class EqualWidth:
    """Cut the range of every numeric attribute into parts of equal width.

    Parameters
    ----------
    n_bins : int or "sturges", default=5
        Number of parts, at least 1; "sturges" is ``ceil(1 + log2 n)`` for n rows with a known value (their
        weight).

    Examples
    --------
    >>> import pandas as pd
    >>> EqualWidth(4).fit(Table.from_frame(pd.DataFrame({"x": [0.0, 1.0, 8.0]}))).points
    (array([2., 4., 6.]),)
    """

    n_bins: int | Literal["sturges"] = 5

    def __post_init__(self) -> None:
        checks = {"n_bins": AnyOf((Integer(1), Choice(("sturges",))))}
        check_parameters(type(self).__name__, checks, vars(self))

    def fit(self, table: Table) -> Cuts:
        """Return the cut points of every numeric attribute; none for a constant one.

        Parameters
        ----------
        table : Table
            Classes are not needed.

        Returns
        -------
        Cuts
            Points ``min + i * (max - min) / n_bins``.
        """

        def find(column: int) -> npt.NDArray[np.float64]:
            values, weights = value_weights(table, column, by_class=False)
            if len(values) < 2:
                return np.empty(0)
            low, high = float(values[0]), float(values[-1])
            n_bins = math.ceil(1 + math.log2(weights.sum())) if isinstance(self.n_bins, str) else self.n_bins
            share = np.arange(1, max(n_bins, 1)) / max(n_bins, 1)
            if math.isinf(high - low):
                return np.unique(low * (1 - share) + high * share)
            points = np.unique(low + share * (high - low))
            return points[points < high]

        return cuts_of(table, find)
