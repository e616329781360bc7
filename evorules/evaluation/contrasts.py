"""Learners against each other in a table of scores: one row per data set, one column per learner.

A score that is missing (NaN) belongs to a run that failed. Tests leave out the data sets where it matters and
say which.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
import pandas as pd
from scipy import stats

from evorules.evaluation.ranks import (
    FriedmanTest,
    friedman,
    holm,
    nemenyi_distance,
    nemenyi_p_values,
)
from evorules.evaluation.significance import (
    NOISE,
    bayesian_signed_rank,
    corrected_t,
    interval_overlap,
    paired_t,
    rank_biserial,
    wilcoxon,
)
from trees.errors import DataError, ParameterError
from trees.naming import closest_first, listed

__all__ = [
    "EACH_TESTS",
    "OVER_TESTS",
    "FoldScores",
    "RankReport",
    "contrast_each",
    "contrast_over",
    "count_wins",
    "rank_learners",
]

OVER_TESTS = ("wilcoxon", "bayesian")
"""Tests over many data sets."""

EACH_TESTS = ("corrected t", "paired t", "interval overlap", "difference")
"""Ways to compare on one data set; "difference" takes any difference of the means for one."""


@dataclass(frozen=True, eq=False)
class FoldScores:
    """Scores of all learners on the folds of one data set.

    Parameters
    ----------
    data : str
        Its name.
    scores : dict of str to ndarray of shape (n_folds,)
        By learner, averaged over seeds, in the same order of folds. Learners with a failed run are absent.
    spread : dict of str to ndarray
        By learner, what the standard deviation is taken over: the same, but the seeds for a single split.
    test_train_ratio : float
        Test rows over training rows.
    """

    data: str
    scores: dict[str, npt.NDArray[np.float64]]
    spread: dict[str, npt.NDArray[np.float64]]
    test_train_ratio: float


@dataclass(frozen=True, eq=False)
class RankReport:
    """Learners by mean rank.

    Parameters
    ----------
    test : FriedmanTest
        Whether any differ.
    ranks : Series
        Mean rank by learner, the best first.
    distance : float
        Nemenyi's critical distance: pairs whose mean ranks are less apart do not differ.
    alpha : float
        Its level.
    pairs : DataFrame
        Every pair with the distance of ranks, Nemenyi's p, and the p of a single comparison (z test of
        Demsar 2006, section 3.2.2) as it is and by Holm's correction for all pairs listed.
    used, dropped : list of str
        Data sets; dropped are those on which a run of some learner failed.
    """

    test: FriedmanTest
    ranks: pd.Series
    distance: float
    alpha: float
    pairs: pd.DataFrame
    used: list[str]
    dropped: list[str]

    def groups(self) -> list[list[str]]:
        """Return the largest groups of learners, by rank, of which no two differ."""
        names, values = list(self.ranks.index), self.ranks.to_numpy()
        found: list[list[str]] = []
        last = 0
        for first in range(len(names)):
            end = int(np.searchsorted(values, values[first] + self.distance, side="left"))
            if end > last and end - first > 1:
                found.append([str(name) for name in names[first:end]])
            last = max(last, end)
        return found


def _pairs(names: list[str], baseline: str | None) -> Iterator[tuple[str, str]]:
    if baseline is None:
        yield from combinations(names, 2)
        return
    if baseline not in names:
        known = listed(closest_first(baseline, names))
        raise ParameterError(f"There is no learner {baseline!r} to compare with (known: {known}).")
    yield from ((name, baseline) for name in names if name != baseline)


def _check(test: str, known: tuple[str, ...]) -> None:
    if test not in known:
        raise ParameterError(
            f"The 'test' parameter must be {', '.join(map(repr, known))}. Got {test!r} instead."
        )


def contrast_over(
    matrix: pd.DataFrame,
    *,
    test: str = "wilcoxon",
    baseline: str | None = None,
    higher_is_better: bool = True,
    **options: Any,
) -> pd.DataFrame:
    """Compare pairs of learners over many data sets.

    Parameters
    ----------
    matrix : DataFrame of shape (n_sets, n_learners)
        Scores, NaN for failed runs.
    test : {"wilcoxon", "bayesian"}
        Wilcoxon's signed ranks, or the Bayesian signed-rank test.
    baseline : str, optional
        Compare every learner with this one; None compares all pairs.
    higher_is_better : bool
        Direction of the score.
    **options
        Of `wilcoxon` or `bayesian_signed_rank`.

    Returns
    -------
    DataFrame
        Per pair: `first`, `second`, `n_sets` (with both scores), `n_failed` (without), `wins`, `ties` and
        `losses` of the first, `mean_difference` and `effect_size` (rank-biserial correlation, in [-1, 1]),
        both positive if the first is better; then `statistic`, `p_value` and `p_holm` (corrected for the
        pairs listed), or the posterior probabilities `p_first`, `p_equal`, `p_second`.
    """
    _check(test, OVER_TESTS)
    sign = 1.0 if higher_is_better else -1.0
    records: list[dict[str, Any]] = []
    for first, second in _pairs([str(name) for name in matrix.columns], baseline):
        both = matrix[[first, second]].dropna() * sign
        record = {
            "first": first,
            "second": second,
            "n_sets": len(both),
            "n_failed": len(matrix) - len(both),
            **_wins_of(both[first].to_numpy(), both[second].to_numpy()),
        }
        if len(both) == 0:
            records.append(record)
            continue
        a, b = both[first].to_numpy(), both[second].to_numpy()
        if test == "wilcoxon":
            found = wilcoxon(a, b, **options)
            record |= {"statistic": found.statistic, "p_value": found.p_value}
        else:
            posterior = bayesian_signed_rank(a, b, **options)
            record |= {
                "rope": posterior.rope,
                "p_first": posterior.first,
                "p_equal": posterior.equal,
                "p_second": posterior.second,
            }
        records.append(record)
    frame = pd.DataFrame(records)
    if test == "wilcoxon" and "p_value" in frame:
        known = frame["p_value"].notna()
        frame.loc[known, "p_holm"] = holm(frame.loc[known, "p_value"].to_numpy())
    return frame


def _wins_of(a: npt.NDArray[np.float64], b: npt.NDArray[np.float64]) -> dict[str, Any]:
    difference = a - b
    return {
        "wins": int(np.sum(difference > NOISE)),
        "ties": int(np.sum(np.abs(difference) <= NOISE)),
        "losses": int(np.sum(difference < -NOISE)),
        "mean_difference": float(difference.mean()) if len(a) else float("nan"),
        "effect_size": rank_biserial(a, b) if len(a) else float("nan"),
    }


def contrast_each(
    folds: list[FoldScores],
    *,
    test: str = "corrected t",
    baseline: str | None = None,
    higher_is_better: bool = True,
    alpha: float = 0.05,
    tails: Literal[1, 2] = 2,
    learners: list[str] | None = None,
) -> pd.DataFrame:
    """Compare pairs of learners on each data set.

    Parameters
    ----------
    folds : list of FoldScores
        One per data set.
    test : str
        One of `EACH_TESTS`.
    baseline : str, optional
        Compare every learner with this one; None compares all pairs.
    higher_is_better : bool
        Direction of the score.
    alpha : float
        Level of the t tests.
    tails : {1, 2}
        1 asks in each direction with a one-tailed test, as Hernandez-Leon et al. do.
    learners : list of str, optional
        In the order wanted; None takes those that occur.

    Returns
    -------
    DataFrame
        Per data set and pair: `data`, `first`, `second`, `mean_difference` and `effect_size` (mean over
        standard deviation of the differences; positive if the first is better), `statistic`, `p_value` (of
        the better one's side with one tail), and `outcome`: 1 if the first is better, -1 if worse, 0 for a
        tie, missing if a run failed.
    """
    _check(test, EACH_TESTS)
    if tails not in (1, 2):
        raise ParameterError(f"The 'tails' parameter must be 1 or 2. Got {tails!r} instead.")
    names = learners or sorted({name for item in folds for name in item.scores})
    sign = 1.0 if higher_is_better else -1.0
    records = []
    for item in folds:
        for first, second in _pairs(names, baseline):
            record: dict[str, Any] = {"data": item.data, "first": first, "second": second}
            if first in item.scores and second in item.scores:
                record |= _contrast(item, first, second, test, sign, alpha, tails)
            records.append(record)
    columns = [
        "data",
        "first",
        "second",
        "mean_difference",
        "effect_size",
        "statistic",
        "p_value",
        "outcome",
    ]
    frame = pd.DataFrame(records, columns=columns)
    return frame.astype({"outcome": "Int64"})


def _contrast(
    item: FoldScores, first: str, second: str, test: str, sign: float, alpha: float, tails: int
) -> dict[str, Any]:
    a, b = sign * item.scores[first], sign * item.scores[second]
    mean = float(np.mean(a - b))
    if test == "interval overlap":
        outcome = interval_overlap(sign * item.spread[first], sign * item.spread[second])
        return {"mean_difference": mean, "outcome": outcome}
    if test == "difference":
        return {"mean_difference": mean, "outcome": 0 if abs(mean) <= NOISE else int(np.sign(mean))}
    side: Any = "two-sided" if tails == 2 else ("greater" if mean >= 0 else "less")
    if test == "paired t":
        found = paired_t(a, b, alternative=side)
    else:
        found = corrected_t(a, b, item.test_train_ratio, alternative=side)
    return {
        "mean_difference": mean,
        "effect_size": found.effect_size,
        "statistic": found.statistic,
        "p_value": found.p_value,
        "outcome": int(np.sign(mean)) if found.p_value < alpha else 0,
    }


def count_wins(contrasts: pd.DataFrame) -> pd.DataFrame:
    """Count the outcomes of `contrast_each` over data sets.

    Returns
    -------
    DataFrame
        Per ordered pair: `first`, `second`, `wins`, `ties`, `losses` of the first, `n_failed` (data sets
        without both scores), `mean_difference` over data sets and `effect_size`, the rank-biserial
        correlation of the differences; positive if the first is better.
    """
    records = []
    for (first, second), part in contrasts.groupby(["first", "second"], sort=False):
        known = part.dropna(subset=["outcome"])
        difference = known["mean_difference"].to_numpy(dtype=np.float64)
        effect = rank_biserial(difference, np.zeros(len(difference))) if len(difference) else float("nan")
        mean = float(difference.mean()) if len(difference) else float("nan")
        counts = [int((known["outcome"] == outcome).sum()) for outcome in (1, 0, -1)]
        failed = len(part) - len(known)
        records.append((first, second, *counts, failed, mean, effect))
        records.append((second, first, *counts[::-1], failed, -mean, -effect))
    columns = ["first", "second", "wins", "ties", "losses", "n_failed", "mean_difference", "effect_size"]
    return pd.DataFrame(records, columns=columns)


def rank_learners(
    matrix: pd.DataFrame,
    *,
    higher_is_better: bool = True,
    alpha: float = 0.05,
    baseline: str | None = None,
) -> RankReport:
    """Rank learners over data sets and say which differ.

    Parameters
    ----------
    matrix : DataFrame of shape (n_sets, n_learners)
        Scores, NaN for failed runs; data sets with any are left out.
    higher_is_better : bool
        Direction of the score.
    alpha : float
        Level of Nemenyi's distance.
    baseline : str, optional
        Compare every learner with this one; None compares all pairs.

    Raises
    ------
    DataError
        If no data set has scores of all learners.
    """
    used = matrix.dropna()
    dropped = [str(name) for name in matrix.index.difference(used.index, sort=False)]
    if len(used) == 0 or matrix.shape[1] < 2:
        raise DataError("Ranks need at least two learners and a data set on which no run failed.")
    test = friedman(used.to_numpy(), higher_is_better=higher_is_better)
    names = [str(name) for name in matrix.columns]
    n, k = test.n_sets, test.n_learners
    nemenyi = nemenyi_p_values(test.mean_ranks, n)
    place = {name: position for position, name in enumerate(names)}
    records = []
    for first, second in _pairs(names, baseline):
        i, j = place[first], place[second]
        distance = float(test.mean_ranks[j] - test.mean_ranks[i])
        z = abs(distance) / np.sqrt(k * (k + 1) / (6 * n))
        records.append((first, second, distance, float(nemenyi[i, j]), float(2 * stats.norm.sf(z))))
    pairs = pd.DataFrame(records, columns=["first", "second", "rank_lead", "p_nemenyi", "p_value"])
    pairs["p_holm"] = holm(pairs["p_value"].to_numpy())
    ranks = pd.Series(test.mean_ranks, index=names, name="mean rank").sort_values(kind="stable")
    return RankReport(
        test, ranks, nemenyi_distance(k, n, alpha), alpha, pairs, [str(name) for name in used.index], dropped
    )
