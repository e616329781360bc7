"""Scores of predictions, from class codes and probabilities.

A classifier may abstain (class code -1). An abstention is an error in `accuracy` and in everything that
counts hits, as in Hernandez-Leon et al.; the other ways of counting stand beside it under their own names.
"""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import numpy.typing as npt

from trees.errors import DataWarning

__all__ = [
    "LOWER_IS_BETTER",
    "area_under_curve",
    "confusion_matrix",
    "error_concentration",
    "g_mean",
    "recalls",
    "score_predictions",
]

Codes = npt.NDArray[Any]
Floats = npt.NDArray[np.float64]

LOWER_IS_BETTER = frozenset({"error", "log_loss", "brier", "rules", "conditions", "fit_cpu", "predict_cpu"})
"""Scores of which the smaller value is the better one."""


def confusion_matrix(truth: Codes, label: Codes, n_classes: int) -> npt.NDArray[np.int64]:
    """Count rows by class and prediction.

    Returns
    -------
    ndarray of shape (n_classes, n_classes), int64
        Entry (c, d): rows of class c predicted as d. Abstentions are in no entry.
    """
    decided = label >= 0
    cells = truth[decided].astype(np.int64) * n_classes + label[decided]
    return np.bincount(cells, minlength=n_classes * n_classes).reshape(n_classes, n_classes)


def recalls(truth: Codes, label: Codes, n_classes: int) -> Floats:
    """Return the share of each class's rows that are predicted rightly.

    Returns
    -------
    ndarray of shape (n_classes,)
        In [0, 1]; NaN for a class without rows.
    """
    totals = np.bincount(truth, minlength=n_classes)
    hits = np.bincount(truth[truth == label], minlength=n_classes)
    return np.divide(hits, totals, out=np.full(n_classes, np.nan), where=totals > 0)


def g_mean(truth: Codes, label: Codes, n_classes: int) -> float:
    """Return the geometric mean of the recalls of the classes that occur in `truth`, in [0, 1].

    Warns
    -----
    DataWarning
        For classes that are predicted but do not occur: their recall is undefined and does not count.
    """
    recall = recalls(truth, label, n_classes)
    unknown = np.setdiff1d(label[label >= 0], truth)
    if len(unknown):
        warnings.warn(
            f"Recall is undefined for classes without rows, which do not count: {unknown.tolist()}.",
            DataWarning,
            stacklevel=2,
        )
    return _geometric_mean(recall[~np.isnan(recall)])


def _geometric_mean(values: Floats) -> float:
    if len(values) == 0:
        return float("nan")
    return 0.0 if np.any(values == 0) else float(np.exp(np.log(values).mean()))


def area_under_curve(truth: Codes, proba: Floats) -> float:
    """Return the area under the ROC curve.

    Two classes: the chance that a row of the second class gets a higher probability of it than a row of the
    first (a tie counts half). More: the unweighted mean of the areas of each class against the rest, over
    the classes that have both.

    Parameters
    ----------
    truth : ndarray of shape (n_rows,)
        Class codes.
    proba : ndarray of shape (n_rows, n_classes)
        Columns by class code.

    Returns
    -------
    float
        In [0, 1]; NaN if all rows are of one class.
    """
    n_rows, n_classes = proba.shape
    totals = np.bincount(truth, minlength=n_classes)
    asked = [1] if n_classes == 2 else range(n_classes)
    areas = []
    for code in asked:
        n_in, n_out = int(totals[code]), n_rows - int(totals[code])
        if n_in and n_out:
            column = proba[:, code]
            own, others = column[truth == code], np.sort(column[truth != code])
            # per row of the class: rows of others below it, and half of those level with it
            below = others.searchsorted(own, "left").sum() + others.searchsorted(own, "right").sum()
            areas.append(below / 2 / (n_in * n_out))
    return float(np.mean(areas)) if areas else float("nan")


def error_concentration(size: Floats, correct: npt.NDArray[np.bool_]) -> float:
    """Return how far errors are concentrated in small disjuncts.

    Parameters
    ----------
    size : ndarray of shape (n_rows,)
        Size of the disjunct that each test row falls into: its correctly classified training rows.
    correct : ndarray of shape (n_rows,), bool
        Whether the row is predicted rightly.

    Returns
    -------
    float
        In [-1, 1]. 1: all errors are in the smallest disjuncts; 0: size does not matter. NaN without errors
        or without hits.

    Notes
    -----
    Weiss, G. and Hirsh, H. (2000). A quantitative study of small disjuncts. For sizes s in increasing order,
    x is the share of all hits and y that of all errors in disjuncts of size at most s; twice the area under
    the polyline through these points, minus 1.
    """
    sizes, place = np.unique(size, return_inverse=True)
    hits = np.bincount(place, weights=correct, minlength=len(sizes))
    errors = np.bincount(place, weights=~correct, minlength=len(sizes))
    if hits.sum() == 0 or errors.sum() == 0:
        return float("nan")
    x = np.concatenate([[0.0], np.cumsum(hits) / hits.sum()])
    y = np.concatenate([[0.0], np.cumsum(errors) / errors.sum()])
    return float(2 * np.trapezoid(y, x) - 1)


def score_predictions(
    truth: Codes, label: Codes, proba: Floats | None, n_classes: int, train_counts: Codes
) -> dict[str, Any]:
    """Return all scores that follow from predictions alone.

    Parameters
    ----------
    truth : ndarray of shape (n_rows,)
        Class codes.
    label : ndarray of shape (n_rows,)
        Predicted class codes, -1 for an abstention.
    proba : ndarray of shape (n_rows, n_classes), optional
        Probabilities by class code.
    n_classes : int
        Number of declared classes.
    train_counts : ndarray of shape (n_classes,)
        Training rows of each class; the most frequent one stands in for abstentions in `accuracy_default`.

    Returns
    -------
    dict
        Shares in [0, 1], None where undefined: `accuracy` (abstentions are errors), `accuracy_covered`
        (without them), `coverage`, `accuracy_default`, `error`, `balanced_accuracy` (mean recall of the
        classes that occur), `g_mean` (their geometric mean), `f1` (mean over classes that occur or are
        predicted), `auc`; `log_loss` in nats; `brier`, the sum over classes of squared differences, in
        [0, 2]; `recall`, a list by class code; the counts `n_correct` and `n_abstained`.
    """
    n_rows = len(truth)
    correct, abstained = int(np.sum(truth == label)), int(np.sum(label < 0))
    default = np.where(label < 0, int(np.argmax(train_counts)), label)
    recall = recalls(truth, label, n_classes)
    known = recall[~np.isnan(recall)]
    totals = np.bincount(truth, minlength=n_classes)
    said = np.bincount(label[label >= 0], minlength=n_classes)
    hits = np.bincount(truth[truth == label], minlength=n_classes)
    occurs = totals + said > 0
    scores = {
        "accuracy": correct / n_rows,
        "error": 1 - correct / n_rows,
        "accuracy_covered": correct / (n_rows - abstained) if abstained < n_rows else None,
        "coverage": 1 - abstained / n_rows,
        "accuracy_default": float(np.mean(default == truth)),
        "balanced_accuracy": float(known.mean()),
        "g_mean": _geometric_mean(known),
        "f1": float(np.mean(2 * hits[occurs] / (totals + said)[occurs])),
        "recall": [None if np.isnan(share) else float(share) for share in recall],
        "n_correct": correct,
        "n_abstained": abstained,
        "auc": None,
        "log_loss": None,
        "brier": None,
    }
    if proba is not None:
        area = area_under_curve(truth, proba)
        given = proba[np.arange(n_rows), truth]
        sums = proba.sum(axis=1)
        least = np.finfo(np.float64).eps
        scores["auc"] = None if np.isnan(area) else area
        scores["log_loss"] = float(-np.log(np.clip(given / sums, least, 1)).mean())
        scores["brier"] = float((np.sum(proba * proba, axis=1) - 2 * given + 1).mean())
    return scores
