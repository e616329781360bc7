"""Comparing learners, and telling where a model is right.

`compare` is the door; `Comparison` holds what came out. Below them: folds, tasks with keys, a runner,
backends and a store; scores; tests of significance on one data set and over many.
"""

from evorules.evaluation.backends import BACKENDS
from evorules.evaluation.compare import compare
from evorules.evaluation.contrasts import RankReport, contrast_over, count_wins, rank_learners
from evorules.evaluation.diagnosis import DisjunctDiagnosis, small_disjuncts
from evorules.evaluation.disjuncts import DisjunctScores, check_folds, cross_validate_disjuncts
from evorules.evaluation.folds import stratified_folds
from evorules.evaluation.ranks import (
    FriedmanTest,
    friedman,
    holm,
    mean_ranks,
    nemenyi_distance,
    nemenyi_p_values,
)
from evorules.evaluation.results import Comparison
from evorules.evaluation.scores import (
    area_under_curve,
    confusion_matrix,
    error_concentration,
    g_mean,
    recalls,
    score_predictions,
)
from evorules.evaluation.significance import (
    BayesianComparison,
    PairTest,
    bayesian_signed_rank,
    corrected_t,
    interval_overlap,
    paired_t,
    rank_biserial,
    wilcoxon,
)
from evorules.evaluation.store import Predictions, ResultStore

__all__ = [
    "BACKENDS",
    "BayesianComparison",
    "Comparison",
    "DisjunctDiagnosis",
    "DisjunctScores",
    "FriedmanTest",
    "PairTest",
    "Predictions",
    "RankReport",
    "ResultStore",
    "area_under_curve",
    "bayesian_signed_rank",
    "check_folds",
    "compare",
    "confusion_matrix",
    "contrast_over",
    "corrected_t",
    "count_wins",
    "cross_validate_disjuncts",
    "error_concentration",
    "friedman",
    "g_mean",
    "holm",
    "interval_overlap",
    "mean_ranks",
    "nemenyi_distance",
    "nemenyi_p_values",
    "paired_t",
    "rank_biserial",
    "rank_learners",
    "recalls",
    "score_predictions",
    "small_disjuncts",
    "stratified_folds",
    "wilcoxon",
]
