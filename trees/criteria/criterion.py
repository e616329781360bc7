"""What a split is worth: the decrease of an impurity, as it is or divided by the split information."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from trees.criteria.entropy import split_information

__all__ = ["Criterion"]


@dataclass(frozen=True)
class Criterion:
    """An impurity and the way splits are compared by it.

    Parameters
    ----------
    name : str
        Its key in `CRITERIA`.
    impurity : callable
        Maps class weights of shape (..., n_classes) to impurities of shape (...); 0 for a pure set.
    code : int
        Number of the impurity in the kernels.
    by_ratio : bool
        Divide the decrease by the split information, so that splits of different degree can be compared.

    Notes
    -----
    Decreases of splits with different numbers of branches are not comparable: more branches gain more. Only
    the ratio corrects for that (Aggarwal, Data Mining: The Textbook, section 10.3.1).

    Examples
    --------
    >>> from trees.criteria import CRITERIA
    >>> branches = np.array([[30, 10], [20, 40]])
    >>> round(CRITERIA["gini"].decrease(branches), 4), round(CRITERIA["gain_ratio"].worth(branches), 4)
    (0.0833, 0.1282)
    """

    name: str
    impurity: Callable[[npt.ArrayLike], npt.NDArray[np.float64]]
    code: int
    by_ratio: bool = False

    def decrease(self, branches: npt.ArrayLike) -> float:
        """Return the impurity of the whole less the weighted mean impurity of its branches.

        Parameters
        ----------
        branches : array-like of shape (n_branches, n_classes)
            Class weights of every branch.
        """
        parts = np.asarray(branches, dtype=np.float64)
        sizes = parts.sum(axis=1)
        inside = float(np.dot(sizes, self.impurity(parts)) / sizes.sum())
        return float(self.impurity(parts.sum(axis=0))) - inside

    def worth(self, branches: npt.ArrayLike) -> float:
        """Return what splits are compared by; NaN for a ratio whose split information is 0."""
        if not self.by_ratio:
            return self.decrease(branches)
        information = split_information(np.asarray(branches, dtype=np.float64).sum(axis=1))
        return self.decrease(branches) / information if information > 0 else float("nan")
