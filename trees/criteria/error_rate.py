"""The error rate of predicting the majority class."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

__all__ = ["error_rate"]


def error_rate(class_weight: npt.ArrayLike) -> npt.NDArray[np.float64]:
    """Return the share of the weight that is not of the heaviest class.

    Parameters
    ----------
    class_weight : array-like of shape (..., n_classes)
        Weights of at least 0.

    Returns
    -------
    ndarray of shape (...)
        In [0, 1); 0 for a set without weight.

    Examples
    --------
    >>> error_rate([[50, 50], [30, 10], [8, 0]]).tolist()
    [0.5, 0.25, 0.0]
    """
    weight = np.asarray(class_weight, dtype=np.float64)
    total = weight.sum(axis=-1)
    rest = total - weight.max(axis=-1)
    return np.asarray(np.divide(rest, total, out=np.zeros_like(total), where=total > 0))
