"""Is the difference between two learners more than luck? Tests on one data set and over many.

Differences are first score minus second; those below 1e-12 are noise of the arithmetic and count as none.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
from scipy import stats

from trees.errors import ParameterError

__all__ = [
    "BayesianComparison",
    "PairTest",
    "bayesian_signed_rank",
    "corrected_t",
    "interval_overlap",
    "paired_t",
    "rank_biserial",
    "wilcoxon",
]

Alternative = Literal["two-sided", "greater", "less"]
Floats = npt.NDArray[np.float64]
NOISE = 1e-12


@dataclass(frozen=True)
class PairTest:
    """Outcome of a test of two learners.

    Parameters
    ----------
    test : str
        Its name.
    statistic : float
        W (the smaller rank sum) or t; NaN where the differences leave it undefined.
    p_value : float
        In [0, 1].
    mean_difference : float
        Mean of first minus second.
    n : int
        Pairs given.
    n_ties : int
        Pairs without difference.
    effect_size : float
        Wilcoxon: matched-pairs rank-biserial correlation. t tests: mean over standard deviation of the
        differences, infinite if they are all equal and not 0.
    """

    test: str
    statistic: float
    p_value: float
    mean_difference: float
    n: int
    n_ties: int
    effect_size: float


def _differences(first: npt.ArrayLike, second: npt.ArrayLike) -> Floats:
    a, b = np.asarray(first, dtype=np.float64), np.asarray(second, dtype=np.float64)
    if a.shape != b.shape or a.ndim != 1 or len(a) == 0:
        raise ParameterError(f"Paired scores must be two lists of one length. Got {a.shape} and {b.shape}.")
    if np.isnan(a).any() or np.isnan(b).any():
        raise ParameterError("Paired scores must not be missing: leave out the pairs of failed runs.")
    difference: Floats = a - b
    difference[np.abs(difference) < NOISE] = 0.0
    return difference


def rank_biserial(first: npt.ArrayLike, second: npt.ArrayLike) -> float:
    """Return the matched-pairs rank-biserial correlation, (W+ - W-) / (W+ + W-), in [-1, 1]; 0 if all tie."""
    return _rank_biserial(_differences(first, second))


def _rank_biserial(difference: Floats) -> float:
    difference = difference[difference != 0]
    if len(difference) == 0:
        return 0.0
    ranks = stats.rankdata(np.abs(difference))
    return float(np.sum(np.sign(difference) * ranks) / ranks.sum())


def wilcoxon(
    first: npt.ArrayLike,
    second: npt.ArrayLike,
    *,
    zero_method: Literal["wilcox", "pratt", "zsplit"] = "wilcox",
    correction: bool = False,
    method: Literal["auto", "exact", "normal"] = "auto",
    decimals: int | None = None,
    alternative: Alternative = "two-sided",
) -> PairTest:
    """Test two learners over many data sets by Wilcoxon's signed ranks.

    Parameters
    ----------
    first, second : array-like of shape (n_sets,)
        Scores by data set.
    zero_method : {"wilcox", "pratt", "zsplit"}
        Drop ties of the two learners, rank them and drop the ranks, or split their ranks.
    correction : bool
        Continuity correction of the normal approximation.
    method : {"auto", "exact", "normal"}
        Distribution of the statistic. "auto" is exact for up to 25 differences without ties, neither of the
        learners nor among the differences; else normal.
    decimals : int, optional
        Round the differences so: for printed scores, of which 28.0 - 27.0 and 16.7 - 15.7 are meant to tie.
    alternative : {"two-sided", "greater", "less"}
        Of first over second.

    Notes
    -----
    The normal distribution has its variance corrected for ties. Without any difference p is 1.
    Wilcoxon (1945); Demsar (2006), section 3.1.3.
    """
    difference = _differences(first, second)
    if decimals is not None:
        difference = np.round(difference, decimals)
    n_ties = int(np.sum(difference == 0))
    name = "wilcoxon signed ranks"
    if n_ties == len(difference):
        return PairTest(name, 0.0, 1.0, 0.0, len(difference), n_ties, 0.0)
    if method == "auto":
        distinct = n_ties == 0 and len(np.unique(np.abs(difference))) == len(difference)
        method = "exact" if distinct and len(difference) <= 25 else "normal"
    found: Any = stats.wilcoxon(
        difference,
        zero_method=zero_method,
        correction=correction,
        alternative=alternative,
        method="exact" if method == "exact" else "approx",
    )
    return PairTest(
        name,
        float(found.statistic),
        float(found.pvalue),
        float(difference.mean()),
        len(difference),
        n_ties,
        _rank_biserial(difference),
    )


def paired_t(
    first: npt.ArrayLike, second: npt.ArrayLike, *, alternative: Alternative = "two-sided"
) -> PairTest:
    """Test two learners on one data set by the paired t test over folds.

    Folds share training rows, so the test finds too many differences; `corrected_t` allows for that. It is
    here because papers use it.

    Parameters
    ----------
    first, second : array-like of shape (n_folds,)
        Scores by fold.
    alternative : {"two-sided", "greater", "less"}
        Of first over second.

    Notes
    -----
    If all differences are equal, p follows from their sign: 0 or 1, and for no difference at all 1
    (two-sided) or 0.5. Dietterich (1998).
    """
    difference = _differences(first, second)
    return _t_test("paired t", difference, 1 / len(difference), alternative)


def corrected_t(
    first: npt.ArrayLike,
    second: npt.ArrayLike,
    test_train_ratio: float,
    *,
    alternative: Alternative = "two-sided",
) -> PairTest:
    """Test two learners on one data set by the corrected resampled t test.

    Parameters
    ----------
    first, second : array-like of shape (n_folds,)
        Scores by fold (of all repeats).
    test_train_ratio : float
        Test rows over training rows of a fold; 1/9 with ten folds.
    alternative : {"two-sided", "greater", "less"}
        Of first over second.

    Notes
    -----
    Nadeau and Bengio (2003): the variance of the mean is ``(1/k + n_test/n_train) * variance``.
    """
    difference = _differences(first, second)
    return _t_test("corrected resampled t", difference, 1 / len(difference) + test_train_ratio, alternative)


def _t_test(name: str, difference: Floats, factor: float, alternative: Alternative) -> PairTest:
    n, mean = len(difference), float(difference.mean())
    n_ties = int(np.sum(difference == 0))
    deviation = float(difference.std(ddof=1)) if n > 1 else float("nan")
    if n < 2:
        return PairTest(name, float("nan"), 1.0, mean, n, n_ties, float("nan"))
    if deviation < NOISE:
        sign = np.sign(mean) if abs(mean) >= NOISE else 0
        one_sided = {1: 0.0, -1: 1.0, 0: 0.5}[int(sign)]
        p = {
            "greater": one_sided,
            "less": 1 - one_sided,
            "two-sided": 1.0 if sign == 0 else 0.0,
        }[alternative]
        effect = float(sign) * float("inf") if sign else 0.0
        return PairTest(name, float("nan"), p, mean, n, n_ties, effect)
    t = mean / (deviation * np.sqrt(factor))
    if alternative == "two-sided":
        p = 2 * stats.t.sf(abs(t), n - 1)
    else:
        p = stats.t.sf(t if alternative == "greater" else -t, n - 1)
    return PairTest(name, float(t), float(p), mean, n, n_ties, mean / deviation)


def interval_overlap(first: npt.ArrayLike, second: npt.ArrayLike) -> int:
    """Compare two learners on one data set by the rule of Carvalho and Freitas.

    Parameters
    ----------
    first, second : array-like of shape (n,)
        Scores of each: by fold, averaged over seeds, or by seed for a single split.

    Returns
    -------
    int
        1 if the interval mean ± standard deviation of the first lies above that of the second, -1 if below,
        0 if they overlap or touch. It is no calibrated test.

    Notes
    -----
    Carvalho and Freitas (2004), section 5.
    """
    (low_a, high_a), (low_b, high_b) = _interval(first), _interval(second)
    if low_a > high_b + NOISE:
        return 1
    return -1 if high_a + NOISE < low_b else 0


def _interval(scores: npt.ArrayLike) -> tuple[float, float]:
    values = np.asarray(scores, dtype=np.float64)
    deviation = float(values.std(ddof=1)) if len(values) > 1 else 0.0
    mean = float(values.mean())
    return mean - deviation, mean + deviation


@dataclass(frozen=True)
class BayesianComparison:
    """Posterior probabilities of a Bayesian signed-rank test.

    Parameters
    ----------
    first, equal, second : float
        Probability that the first learner is better, that they differ by less than the region of practical
        equivalence, that the second is better. They sum to 1.
    rope : float
        Half width of that region, in units of the score.
    n : int
        Data sets.
    """

    first: float
    equal: float
    second: float
    rope: float
    n: int


def bayesian_signed_rank(
    first: npt.ArrayLike,
    second: npt.ArrayLike,
    *,
    rope: float = 0.01,
    random_state: int = 0,
    n_samples: int = 50_000,
) -> BayesianComparison:
    """Compare two learners over many data sets by the Bayesian signed-rank test of baycomp.

    Parameters
    ----------
    first, second : array-like of shape (n_sets,)
        Scores by data set, higher is better.
    rope : float
        Differences up to this count as none; 0 asks only who is better.
    random_state : int
        Seed of the sampling.
    n_samples : int
        Draws from the posterior.

    Raises
    ------
    ImportError
        If baycomp is not installed (extra "stats").

    Notes
    -----
    Benavoli et al. (2014), A Bayesian Wilcoxon signed-rank test based on the Dirichlet process.
    """
    try:
        from baycomp import SignedRankTest
    except ImportError as error:
        raise ImportError("The Bayesian test needs baycomp: pip install 'evorules[stats]'.") from error
    difference = _differences(first, second)
    zeros = np.zeros(len(difference))
    options: dict[str, Any] = {"nsamples": n_samples, "random_state": random_state}
    # baycomp's left is its first argument being better
    found = SignedRankTest.probs(difference, zeros, rope, **options)
    left, equal, right = (found[0], 0.0, found[1]) if rope == 0 else found
    return BayesianComparison(float(left), float(equal), float(right), rope, len(difference))
