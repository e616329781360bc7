"""Many learners over many data sets: Friedman's test, Nemenyi's distance, Holm's correction."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy import stats

from trees.errors import ParameterError

__all__ = ["FriedmanTest", "friedman", "holm", "mean_ranks", "nemenyi_distance", "nemenyi_p_values"]

Floats = npt.NDArray[np.float64]
DECIMALS = 10


@dataclass(frozen=True, eq=False)
class FriedmanTest:
    """Outcome of Friedman's test.

    Parameters
    ----------
    mean_ranks : ndarray of shape (n_learners,)
        1 is best; tied learners share the mean of their ranks.
    statistic, p_value : float
        Chi-square with the correction for ties, k - 1 degrees of freedom. Equal columns: 0 and 1.
    uncorrected : float
        Chi-square without that correction.
    f_statistic, f_p_value : float
        Of Iman and Davenport, from the uncorrected chi-square.
    n_sets, n_learners : int
        Data sets used, and learners.
    n_ties : int
        Data sets on which at least two learners are equal.
    """

    mean_ranks: Floats
    statistic: float
    p_value: float
    uncorrected: float
    f_statistic: float
    f_p_value: float
    n_sets: int
    n_learners: int
    n_ties: int


def _ranks(scores: npt.ArrayLike, higher_is_better: bool) -> Floats:
    values = np.round(np.asarray(scores, dtype=np.float64), DECIMALS)
    if values.ndim != 2 or values.shape[0] < 1 or values.shape[1] < 2:
        raise ParameterError(
            f"Scores must have a row per data set and a column per learner, at least two. Got {values.shape}."
        )
    if np.isnan(values).any():
        raise ParameterError("Scores must not be missing: leave out the data sets of failed runs.")
    ranks: Floats = stats.rankdata(-values if higher_is_better else values, axis=1)
    return ranks


def mean_ranks(scores: npt.ArrayLike, *, higher_is_better: bool = True) -> Floats:
    """Return the mean rank of every learner, 1 for the best; scores have shape (n_sets, n_learners)."""
    return np.asarray(_ranks(scores, higher_is_better).mean(axis=0))


def friedman(scores: npt.ArrayLike, *, higher_is_better: bool = True) -> FriedmanTest:
    """Test whether some learner is better than some other, over many data sets.

    Parameters
    ----------
    scores : array-like of shape (n_sets, n_learners)
        Without missing scores.
    higher_is_better : bool
        Direction of the score.

    Notes
    -----
    Demsar (2006), section 3.2.2. Friedman (1937); Iman and Davenport (1980).
    """
    ranks = _ranks(scores, higher_is_better)
    n, k = ranks.shape
    means = ranks.mean(axis=0)
    uncorrected = max(0.0, 12 * n / (k * (k + 1)) * (float(np.sum(means**2)) - k * (k + 1) ** 2 / 4))
    sizes = [np.unique(row, return_counts=True)[1] for row in ranks]
    ties = float(sum(np.sum(size.astype(np.float64) ** 3 - size) for size in sizes))
    scale = 1 - ties / (n * k * (k**2 - 1))
    statistic = 0.0 if scale < 1e-12 else uncorrected / scale
    rest = n * (k - 1) - uncorrected
    f = float("inf") if rest < 1e-12 else (n - 1) * uncorrected / rest
    return FriedmanTest(
        means,
        statistic,
        float(stats.chi2.sf(statistic, k - 1)),
        uncorrected,
        f,
        float(stats.f.sf(f, k - 1, (k - 1) * (n - 1))) if n > 1 else 1.0,
        n,
        k,
        sum(len(size) < k for size in sizes),
    )


def nemenyi_distance(n_learners: int, n_sets: int, alpha: float = 0.05) -> float:
    """Return the distance of mean ranks from which on two of k learners differ, all pairs tested at once.

    Notes
    -----
    ``q sqrt(k (k + 1) / (6 N))``, q the quantile of the studentized range divided by the square root of 2.
    Demsar (2006), section 3.2.2.

    Examples
    --------
    >>> round(nemenyi_distance(5, 20), 4)
    1.3639
    """
    q = float(stats.studentized_range.ppf(1 - alpha, n_learners, np.inf)) / np.sqrt(2)
    return float(q * np.sqrt(n_learners * (n_learners + 1) / (6 * n_sets)))


def nemenyi_p_values(ranks: npt.ArrayLike, n_sets: int) -> Floats:
    """Return Nemenyi's p-value of every pair, from mean ranks of shape (n_learners,).

    Returns
    -------
    ndarray of shape (n_learners, n_learners)
        Symmetric, 1 on the diagonal.
    """
    means = np.asarray(ranks, dtype=np.float64)
    k = len(means)
    distance = np.abs(means[:, None] - means[None, :]) / np.sqrt(k * (k + 1) / (6 * n_sets))
    p: Floats = stats.studentized_range.sf(distance * np.sqrt(2), k, np.inf)
    return np.clip(p, 0.0, 1.0)


def holm(p_values: npt.ArrayLike) -> Floats:
    """Return p-values adjusted for being several, by Holm's steps down.

    Examples
    --------
    >>> holm([0.01, 0.04, 0.03]).tolist()
    [0.03, 0.06, 0.06]
    """
    p = np.asarray(p_values, dtype=np.float64)
    order = np.argsort(p, kind="stable")
    stepped = np.maximum.accumulate(p[order] * np.arange(len(p), 0, -1))
    adjusted = np.empty_like(p)
    adjusted[order] = np.minimum(stepped, 1.0)
    return adjusted
