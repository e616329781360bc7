"""Scores, by hand and against scikit-learn."""

import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn import metrics

from evorules.evaluation import (
    area_under_curve,
    confusion_matrix,
    error_concentration,
    g_mean,
    recalls,
    score_predictions,
)
from trees.errors import DataWarning

# case S46
TRUTH_A, LABEL_A = np.array([0, 0, 0, 0, 1, 1, 2]), np.array([0, 0, 0, 1, 1, 1, 0])


def test_never_hit_class_makes_g_mean_zero():
    scores = score_predictions(TRUTH_A, LABEL_A, None, 3, np.array([4, 2, 1]))
    assert scores["accuracy"] == pytest.approx(5 / 7, abs=1e-12)
    assert confusion_matrix(TRUTH_A, LABEL_A, 3).tolist() == [[3, 1, 0], [0, 2, 0], [1, 0, 0]]
    assert scores["recall"] == [0.75, 1.0, 0.0]
    assert scores["g_mean"] == 0.0
    assert scores["balanced_accuracy"] == pytest.approx(0.5833333333333334, abs=1e-12)
    assert scores["f1"] == pytest.approx(0.5166666666666667, abs=1e-12)
    swapped = score_predictions(LABEL_A, TRUTH_A, None, 3, np.array([4, 2, 1]))
    assert swapped["balanced_accuracy"] != scores["balanced_accuracy"]


def test_g_mean_of_two_classes():
    truth, label = np.array([1, 1, 1, 0, 0, 0, 0, 0]), np.array([1, 0, 0, 0, 0, 0, 0, 1])
    assert g_mean(truth, label, 2) == pytest.approx(0.5163977794943222, abs=1e-12)


def test_recall_of_an_absent_class_is_undefined_and_named():
    truth, label = np.array([0, 0, 1]), np.array([0, 2, 1])
    assert np.isnan(recalls(truth, label, 3)[2])
    with pytest.warns(DataWarning, match=r"classes without rows.*\[2\]"):
        assert g_mean(truth, label, 3) == pytest.approx(0.7071067811865476, abs=1e-12)
    assert score_predictions(truth, label, None, 3, np.ones(3))["recall"] == [0.5, 1.0, None]


def test_abstentions_are_counted_in_four_ways():
    # ten rows: five right, two wrong, three abstained; the majority of the training rows is class 1
    truth = np.array([0, 0, 0, 1, 1, 0, 1, 1, 1, 0])
    label = np.array([0, 0, 0, 1, 1, 1, 0, -1, -1, -1])
    scores = score_predictions(truth, label, None, 2, np.array([3, 8]))
    assert scores["accuracy"] == 0.5
    assert scores["accuracy_covered"] == pytest.approx(5 / 7)
    assert scores["coverage"] == 0.7
    assert scores["accuracy_default"] == 0.7
    assert (scores["n_correct"], scores["n_abstained"]) == (5, 3)
    assert scores["recall"] == [0.6, 0.4]


def test_a_model_that_only_abstains_has_no_accuracy_on_covered_rows():
    scores = score_predictions(np.array([0, 1]), np.array([-1, -1]), None, 2, np.array([1, 0]))
    assert scores["accuracy_covered"] is None
    assert scores["accuracy"] == 0


def test_error_concentration_of_the_worked_example():
    # specs/evaluation.md, section 6: sizes 2, 5, 10, 30
    size = np.repeat([2, 5, 10, 30], [10, 14, 18, 48]).astype(float)
    correct = np.concatenate([np.arange(n) < hits for n, hits in ((10, 6), (14, 8), (18, 15), (48, 46))])
    assert error_concentration(size, correct) == pytest.approx(0.5724, abs=5e-5)


def test_error_concentration_at_its_ends():
    size = np.array([1.0, 1.0, 9.0, 9.0])
    assert error_concentration(size, np.array([False, False, True, True])) == 1.0
    assert error_concentration(size, np.array([True, True, False, False])) == -1.0
    assert error_concentration(np.ones(4), np.array([True, False, True, False])) == 0.0
    assert np.isnan(error_concentration(size, np.ones(4, dtype=bool)))


@settings(max_examples=40, deadline=None)
@given(st.integers(2, 5), st.integers(8, 60), st.integers(0, 2**32 - 1))
def test_scores_equal_those_of_scikit_learn(n_classes, n_rows, seed):
    rng = np.random.default_rng(seed)
    truth = np.concatenate([np.arange(n_classes), rng.integers(0, n_classes, n_rows)])
    proba = rng.integers(1, 5, (len(truth), n_classes)).astype(float)  # with ties
    proba /= proba.sum(axis=1, keepdims=True)
    label = np.argmax(proba, axis=1)
    scores = score_predictions(truth, label, proba, n_classes, np.ones(n_classes))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        expected = {
            "accuracy": metrics.accuracy_score(truth, label),
            "balanced_accuracy": metrics.balanced_accuracy_score(truth, label),
            "f1": metrics.f1_score(truth, label, average="macro"),
            "log_loss": metrics.log_loss(truth, proba),
            "brier": metrics.brier_score_loss(truth, proba, scale_by_half=False),
            "auc": metrics.roc_auc_score(truth, proba[:, 1] if n_classes == 2 else proba, multi_class="ovr"),
        }
    for name, value in expected.items():
        assert scores[name] == pytest.approx(value, abs=1e-9), name
    assert (
        confusion_matrix(truth, label, n_classes).tolist() == metrics.confusion_matrix(truth, label).tolist()
    )


def test_area_is_undefined_for_rows_of_one_class():
    assert np.isnan(area_under_curve(np.zeros(4, dtype=int), np.full((4, 2), 0.5)))
    scores = score_predictions(
        np.zeros(4, dtype=int), np.zeros(4, dtype=int), np.full((4, 2), 0.5), 2, np.ones(2)
    )
    assert scores["auc"] is None
    assert scores["log_loss"] == pytest.approx(np.log(2))
