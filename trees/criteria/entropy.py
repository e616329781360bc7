"""Entropy in bits, information gain and gain ratio (Quinlan 1986)."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

__all__ = ["entropy", "gain_ratio", "information_gain", "split_information"]


def entropy(class_weight: npt.ArrayLike) -> npt.NDArray[np.float64]:
    """Return the entropy in bits of class weights.

    Parameters
    ----------
    class_weight : array-like of shape (..., n_classes)
        Weights of at least 0.

    Returns
    -------
    ndarray of shape (...)
        In [0, log2(n_classes)]; 0 for a set without weight.

    Examples
    --------
    >>> entropy([[50, 50], [8, 0]]).tolist()
    [1.0, 0.0]
    """
    weight = np.asarray(class_weight, dtype=np.float64)
    total = weight.sum(axis=-1, keepdims=True)
    share = np.divide(weight, total, out=np.zeros_like(weight), where=total > 0)
    bits = np.log2(share, out=np.zeros_like(share), where=share > 0)
    return np.asarray(np.abs((share * bits).sum(axis=-1)))


def information_gain(branches: npt.ArrayLike) -> float:
    """Return the entropy of a set less the weighted mean entropy of its branches, in bits.

    Parameters
    ----------
    branches : array-like of shape (n_branches, n_classes)
        Class weights of every branch.

    Examples
    --------
    >>> round(information_gain([[30, 10], [20, 40]]), 4)
    0.1245
    """
    parts = np.asarray(branches, dtype=np.float64)
    sizes = parts.sum(axis=1)
    return float(entropy(parts.sum(axis=0)) - np.dot(sizes, entropy(parts)) / sizes.sum())


def split_information(sizes: npt.ArrayLike) -> float:
    """Return the entropy in bits of the branch sizes, an array-like of shape (n_branches,)."""
    return float(entropy(sizes))


def gain_ratio(branches: npt.ArrayLike) -> float:
    """Return the information gain over the split information; NaN if all weight is in one branch.

    Parameters
    ----------
    branches : array-like of shape (n_branches, n_classes)
        Class weights of every branch.
    """
    information = split_information(np.asarray(branches, dtype=np.float64).sum(axis=1))
    return information_gain(branches) / information if information > 0 else float("nan")
