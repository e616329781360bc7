"""Impurities and what splits gain. Numbers: the specification of trees, section 2, and hand calculation."""

import math

import numpy as np
import pytest

from trees.criteria import (
    CRITERIA,
    entropy,
    error_rate,
    gain_ratio,
    gini,
    information_gain,
    split_information,
)

PARENT = [50, 50]
BRANCHES = [[30, 10], [20, 40]]


@pytest.mark.parametrize(
    ("name", "before", "after"), [("error_rate", 0.5, 0.3), ("gini", 0.5, 0.4167), ("entropy", 1.0, 0.8755)]
)
def test_impurity_falls_from_parent_to_branches_as_in_the_worked_example(name, before, after):
    criterion = CRITERIA[name]
    assert float(criterion.impurity(PARENT)) == pytest.approx(before)
    assert criterion.decrease(BRANCHES) == pytest.approx(before - after, abs=1e-4)
    assert criterion.worth(BRANCHES) == criterion.decrease(BRANCHES)


def test_gain_ratio_divides_the_gain_by_the_split_information():
    assert information_gain(BRANCHES) == pytest.approx(0.1245, abs=1e-4)
    assert split_information([40, 60]) == pytest.approx(0.9710, abs=1e-4)
    assert gain_ratio(BRANCHES) == pytest.approx(0.1282, abs=1e-4)
    assert CRITERIA["gain_ratio"].worth(BRANCHES) == pytest.approx(0.1282, abs=1e-4)
    assert CRITERIA["gain_ratio"].decrease(BRANCHES) == pytest.approx(0.1245, abs=1e-4)


@pytest.mark.parametrize("impurity", [entropy, gini, error_rate])
def test_pure_and_empty_sets_have_no_impurity(impurity):
    assert impurity([[7, 0, 0], [0, 0, 0]]).tolist() == [0.0, 0.0]


def test_impurities_of_even_classes_are_the_greatest():
    assert float(entropy([1, 1, 1, 1])) == 2.0
    assert float(gini([1, 1, 1, 1])) == 0.75
    assert float(error_rate([1, 1, 1, 1])) == 0.75


def test_impurities_keep_the_leading_axes():
    weights = np.ones((2, 3, 4))
    assert entropy(weights).shape == gini(weights).shape == error_rate(weights).shape == (2, 3)


def test_a_split_into_one_branch_has_no_ratio():
    assert math.isnan(gain_ratio([[3, 4], [0, 0]]))
    assert math.isnan(CRITERIA["gain_ratio"].worth([[3, 4], [0, 0]]))


def test_weights_need_not_be_counts():
    # halves of the worked example
    assert information_gain(np.array(BRANCHES) / 2) == pytest.approx(information_gain(BRANCHES))
