"""Cells in the precision in which a tree compares them."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

__all__ = ["working_cells"]

UNKNOWN_MARK = -999.0
"""The original stores an unknown numeric cell as this value: a genuine -999 is unknown (defect 9.3)."""


def working_cells(X: npt.NDArray[np.float64], numeric: npt.NDArray[np.bool_], real: Any) -> npt.NDArray[Any]:
    """Return the cells in the working precision, shape (n_rows, n_attributes).

    In single precision -999 in a column that is `numeric` becomes NaN, as the original reads it.
    """
    if real is np.float64:
        return X
    with np.errstate(over="ignore"):
        cells = X.astype(real)
    if np.any(numeric):
        cells[(cells == UNKNOWN_MARK) & numeric] = np.nan
    return cells
