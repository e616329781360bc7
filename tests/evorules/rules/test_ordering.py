"""Orders of rules; values from section 7 of the specification of orderings unless said."""

from functools import partial
from types import SimpleNamespace

import numpy as np
import pytest
from reference.play10 import cars, named

from evorules.rules.ordering import (
    ORDERINGS,
    acs,
    by_chi_square,
    by_confidence_then_class,
    by_information_gain,
    by_laplace,
    by_laplace_then_coverage,
    by_wracc,
    csa,
    mcar,
    specific_first,
)
from trees.counts import Counts
from trees.errors import ParameterError


def ranked(class_totals, class_counts, consequent, size):
    return SimpleNamespace(
        counts=Counts(np.array(class_totals), np.array(class_counts), np.array(consequent)),
        size=np.array(size),
    )


@pytest.fixture
def four_rules():
    # r1 and r2: covered 20, right 18, class of 30 rows; r3: 50, 40, 45; r4: 10, 10, 25
    counts = [[18, 2, 0], [18, 2, 0], [5, 40, 5], [0, 0, 10]]
    return ranked([30, 45, 25], counts, [0, 0, 1, 2], [1, 1, 1, 3])


@pytest.mark.parametrize(
    ("order", "expected"),
    [
        (csa, [3, 0, 1, 2]),
        (acs, [3, 0, 1, 2]),
        (by_wracc, [2, 0, 1, 3]),
        (by_laplace, [3, 0, 1, 2]),
        (by_chi_square, [2, 0, 1, 3]),
    ],
)
def test_orders_of_the_worked_example(four_rules, order, expected):
    assert order(four_rules).tolist() == expected


def test_longest_rules_last_in_ascending_acs(four_rules):
    assert acs(four_rules, size="asc").tolist() == [0, 1, 2, 3]
    with pytest.raises(ParameterError, match=r"'desc' or 'asc'\. Got 'up'"):
        acs(four_rules, size="up")


def test_confidences_are_compared_as_fractions_not_as_rounded_numbers():
    # 2/3 of 66,666,666 and one row more: both print as 0.67, and differ in the ninth decimal
    covered = [66_666_665, 66_666_666]
    counts = [[44_444_443, 22_222_222], [44_444_444, 22_222_222]]
    assert np.sum(counts, axis=1).tolist() == covered
    rules = ranked([10**8, 10**8], counts, [0, 0], [1, 1])
    assert csa(rules).tolist() == [1, 0]


def test_equal_confidence_goes_to_support_then_to_the_shorter_antecedent():
    rules = ranked([50, 50], [[2, 1], [4, 2], [4, 2]], [0, 0, 0], [1, 2, 1])
    assert csa(rules).tolist() == [2, 1, 0]


def test_more_specific_rule_goes_before_more_confident_shorter_one():
    # the seed's Table 2: {i4 i5 i6} .65, {i1 i2 i3} .60, {i1} .65
    rules = ranked([100, 100], [[65, 35], [60, 40], [65, 35]], [0, 0, 0], [1, 3, 3])
    assert specific_first(rules).tolist() == [2, 1, 0]
    # equal size and confidence stay as they came: support is no key of CAR-IC
    rules = ranked([100, 100], [[2, 2], [20, 20]], [0, 0], [2, 2])
    assert specific_first(rules).tolist() == [0, 1]
    assert acs(rules).tolist() == [1, 0]


def test_mcar_prefers_the_more_frequent_class_and_then_the_earlier_row():
    rules = ranked([10, 20], [[4, 0], [0, 4], [0, 4]], [0, 1, 1], [1, 1, 1])
    assert mcar(rules).tolist() == [1, 2, 0]
    assert mcar(rules, first_row=np.array([0, 5, 3])).tolist() == [2, 1, 0]


def test_negative_correlation_goes_last_by_chi_square():
    # the same table read for the two classes: the rule for class 1 is as surely wrong as the other is right
    rules = ranked([50, 50], [[18, 2], [18, 2], [11, 9]], [1, 0, 0], [1, 1, 1])
    assert by_chi_square(rules).tolist() == [1, 2, 0]


def test_the_first_rules_of_the_ten_rows_by_csa():
    # section 11 of the specification of mining
    assert named(cars().take(csa(cars())))[:4] == [
        "normal, false => yes 5/5",
        "cool, false => yes 4/4",
        "cool, normal, false => yes 4/4",
        "rainy, false => yes 3/3",
    ]


def test_the_paper_ranks_cool_and_calm_above_sunny_and_humid():
    # Veloso et al.: {windy=false, temperature=cool} => yes above {sunny, high} => no and {sunny, cool} => yes
    rules = cars(min_support=1, min_confidence=0.0)
    order = by_information_gain(rules)
    names = named(rules.take(order))
    wanted = ["cool, false => yes 4/4", "sunny, high => no 2/2", "sunny, cool => yes 1/1"]
    assert [name for name in names if name in wanted] == wanted


def test_equal_entropies_tie_whatever_the_counts_they_are_computed_from():
    # 2 of 3, 4 of 6 and 6 of 9 are the same share, so support decides
    rules = ranked([50, 50, 50], [[2, 1, 0], [0, 4, 2], [3, 0, 6]], [0, 1, 2], [1, 1, 1])
    assert by_information_gain(rules).tolist() == [2, 1, 0]


def test_of_one_antecedent_the_majority_class_goes_first_by_gain():
    rules = ranked([50, 50], [[1, 3], [1, 3]], [0, 1], [1, 1])
    assert by_information_gain(rules).tolist() == [1, 0]


def test_eac_by_confidence_prefers_the_earlier_class_and_by_laplace_more_coverage():
    rules = ranked([50, 50], [[0, 3], [3, 0]], [1, 0], [1, 1])
    assert by_confidence_then_class(rules).tolist() == [1, 0]
    # (2+1)/(4+2) = (3+1)/(6+2): a tie, settled by 6 covered rows against 4
    rules = ranked([50, 50], [[2, 2], [3, 3]], [0, 0], [1, 1])
    assert by_laplace_then_coverage(rules).tolist() == [1, 0]


@pytest.mark.parametrize("order", [*ORDERINGS.values(), partial(acs, size="asc")])
def test_every_order_keeps_rules_that_are_alike_in_their_order(order):
    rules = ranked([50, 50], [[3, 1]] * 4, [0] * 4, [2] * 4)
    assert order(rules).tolist() == [0, 1, 2, 3]


@pytest.mark.parametrize("order", ORDERINGS.values())
def test_no_rules_are_in_order(order):
    assert len(order(ranked([5, 5], np.zeros((0, 2), dtype=int), np.zeros(0, dtype=int), []))) == 0
