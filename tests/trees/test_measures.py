"""Measures of rules from one contingency object."""

import numpy as np
import pytest

from trees.counts import Counts
from trees.measures import (
    MEASURES,
    confidence,
    laplace,
    lift,
    m_estimate,
    sensitivity,
    sensitivity_specificity,
    specificity,
    weighted_relative_accuracy,
)

TWO_CLASSES = Counts(np.array([5, 5]), np.array([[4, 2]]), np.array([0]))


def test_sensitivity_times_specificity_of_the_worked_example():
    # hybrid-ga, section 3: TP=4, FN=1, TN=3, FP=2 -> .8 * .6 = .48
    assert sensitivity(TWO_CLASSES) == pytest.approx(0.8)
    assert specificity(TWO_CLASSES) == pytest.approx(0.6)
    assert sensitivity_specificity(TWO_CLASSES) == pytest.approx(0.48)


def test_no_negatives_left_gives_specificity_one():
    counts = Counts(np.array([5, 0]), np.array([[4, 0]]), np.array([0]))
    assert specificity(counts) == 1
    assert sensitivity_specificity(counts) == pytest.approx(0.8)


def test_an_empty_class_and_a_rule_that_covers_nothing_have_fitness_zero():
    counts = Counts(np.array([5, 0]), np.array([[1, 0], [0, 0]]), np.array([1, 0]))
    assert sensitivity_specificity(counts).tolist() == [0, 0]
    assert m_estimate(counts)[1] == 0


def test_the_rule_without_conditions_has_specificity_zero():
    counts = Counts(np.array([5, 5]), np.array([[5, 5]]), np.array([0]))
    assert sensitivity_specificity(counts) == 0


def test_other_measures_by_hand():
    assert confidence(TWO_CLASSES) == pytest.approx(4 / 6)
    assert lift(TWO_CLASSES) == pytest.approx((4 / 6) / 0.5)
    assert laplace(TWO_CLASSES) == pytest.approx(5 / 8)
    assert m_estimate(TWO_CLASSES) == pytest.approx((4 + 2 * 0.5) / 8)
    assert weighted_relative_accuracy(TWO_CLASSES) == pytest.approx(0.6 * (4 / 6 - 0.5))


@pytest.mark.parametrize("name", sorted(MEASURES))
def test_no_measure_gives_nan(name):
    counts = Counts(np.array([3, 0]), np.array([[0, 0], [3, 0], [1, 0]]), np.array([1, 0, 1]))
    assert np.isfinite(MEASURES[name](counts)).all()


def test_weights_other_than_one_give_floats():
    counts = Counts.of(np.ones((2, 1), dtype=bool), np.array([0, 1], np.int32), np.array([0.5, 2.0]), [1], 2)
    assert counts.class_counts.tolist() == [[0.5, 2.0]]
    assert counts.n_rows == 2.5
