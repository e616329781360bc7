"""The Gini index (Breiman, Friedman, Olshen and Stone 1984)."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

__all__ = ["gini"]


def gini(class_weight: npt.ArrayLike) -> npt.NDArray[np.float64]:
    """Return the Gini index of class weights: the chance that two rows drawn with repetition differ in class.

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
    >>> gini([[50, 50], [30, 10], [8, 0]]).tolist()
    [0.5, 0.375, 0.0]
    """
    weight = np.asarray(class_weight, dtype=np.float64)
    total = weight.sum(axis=-1, keepdims=True)
    share = np.divide(weight, total, out=np.zeros_like(weight), where=total > 0)
    return np.asarray(np.where(total[..., 0] > 0, 1.0 - (share * share).sum(axis=-1), 0.0))
