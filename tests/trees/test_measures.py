"""Measures of rules from one contingency object."""

import numpy as np
import pytest

from trees.counts import Counts
from trees.measures import (
    MEASURES,
    chi_square,
    confidence,
    conviction,
    coverage,
    greatest_chi_square,
    information_gain,
    laplace,
    leverage,
    lift,
    m_estimate,
    sensitivity,
    sensitivity_specificity,
    specificity,
    support,
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
    scores = MEASURES[name](counts)
    assert not np.isnan(scores).any()
    assert np.isfinite(scores).all() or name == "conviction"


def test_measures_of_the_certain_and_of_the_uncertain_rule_of_case_s26():
    # cases/cases.jsonl S26: A=u => p and B=w => p in 9 rows, 4 of them p; exact fractions
    counts = Counts(np.array([4, 5]), np.array([[3, 1], [2, 0]]), np.array([0, 0]))
    assert support(counts) == pytest.approx([3 / 9, 2 / 9])
    assert coverage(counts) == pytest.approx([4 / 9, 2 / 9])
    assert lift(counts) == pytest.approx([1.6875, 2.25])
    assert leverage(counts) == pytest.approx([0.13580246913580246, 0.12345679012345678])
    assert conviction(counts) == pytest.approx([2.2222222222222223, np.inf])


def test_conviction_of_a_rule_that_covers_nothing_is_zero():
    counts = Counts(np.array([3, 2]), np.array([[0, 0], [0, 2]]), np.array([0, 0]))
    assert conviction(counts).tolist() == [0, 0.4]


def test_chi_square_is_that_of_the_specification():
    # specs/orderings-and-voting, section 7: n = 100; covered 20, right 18 of 30; covered 50, right 40 of 45
    counts = Counts(np.array([30, 45, 25]), np.array([[18, 1, 1], [5, 40, 5]]), np.array([0, 1]))
    assert chi_square(counts).round(3).tolist() == [42.857, 49.495]
    # and section 2: margins 10 and 70 with nothing in common, 25.93 of negative association against 4.76
    apart = Counts(np.array([70, 30]), np.array([[0, 10]]), np.array([0]))
    assert chi_square(apart).round(2) == 25.93
    assert chi_square(apart, signed=True).round(2) == -25.93
    assert greatest_chi_square(apart).round(2) == 4.76


def test_chi_square_of_the_credit_example_of_the_cmar_paper():
    # specs/cmar: 500 rows, 50 rejected; job=no => rejected 18/30; education=univ => approved 199/200
    counts = Counts(np.array([50, 450]), np.array([[18, 12], [1, 199]]), np.array([0, 1]))
    assert chi_square(counts).round(2).tolist() == [88.65, 33.43]
    assert greatest_chi_square(counts)[1].round(2) == 37.04


def test_chi_square_without_margins_is_zero():
    all_or_none = Counts(np.array([3, 2]), np.array([[3, 2], [0, 0]]), np.array([0, 0]))
    one_class = Counts(np.array([5, 0]), np.array([[2, 0], [2, 0]]), np.array([0, 1]))
    for counts in (all_or_none, one_class):
        assert chi_square(counts).tolist() == greatest_chi_square(counts).tolist() == [0, 0]


def test_information_gain_is_that_of_covered_against_not_covered():
    # specs/eac-lac, reading (a) on PLAY10: {w=false, cool} 4/4, {sunny, high} 2/2, {sunny, cool} 1/1
    counts = Counts(np.array([7, 3]), np.array([[4, 0], [0, 2], [1, 0], [7, 3]]), np.array([0, 1, 0, 0]))
    assert information_gain(counts).round(4).tolist() == [0.2813, 0.4464, 0.0548, 0]


def test_weights_other_than_one_give_floats():
    counts = Counts.of(np.ones((2, 1), dtype=bool), np.array([0, 1], np.int32), np.array([0.5, 2.0]), [1], 2)
    assert counts.class_counts.tolist() == [[0.5, 2.0]]
    assert counts.n_rows == 2.5
