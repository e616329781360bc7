"""Soft thresholds; the original's intervals on whole files are compared in tests/oracles."""

import math

import numpy as np
import pytest
from reference.r8_tables import NAN, grow, table_of

from trees.growth.tree import NUMERIC
from trees.pruning.soft import soft_thresholds


def test_the_interval_ends_where_one_standard_error_more_is_made():
    # 1..10 class 0, 11..20 class 1: cut 10, no error there; limit sqrt(0.5 * 20.5 / 21) = 0.6986 errors;
    # at 9 and at 11 one error is made: the ends lie 0.6986 of the way to either
    table = table_of(np.arange(1, 21)[:, None], [0] * 10 + [1] * 10, [0])
    tree = grow(table)
    assert tree.threshold[0] == 10
    limit = math.sqrt(0.5 * 20.5 / 21)
    assert soft_thresholds(tree, table)[0] == pytest.approx([10 - limit, 10 + limit])


def test_where_errors_stay_within_the_limit_the_interval_reaches_the_last_value():
    # 1..4 class 1, then 0 and 1 in turn: 3 errors at the cut, limit 3 + sqrt(3.5 * 8.5 / 12) = 4.5745;
    # to the right never more than 4 errors; to the left 4 at 3 and 5 at 2
    y = [1, 1, 1, 1, 0, 1, 0, 1, 0, 1, 0]
    table = table_of(np.arange(1, 12)[:, None], y, [0])
    tree = grow(table, max_depth=1)
    assert tree.threshold[0] == 4
    limit = 3 + math.sqrt(3.5 * 8.5 / 12)
    assert soft_thresholds(tree, table)[0] == pytest.approx([3 - (limit - 4), 11])


def test_only_numeric_tests_have_an_interval():
    X = [[i % 2, i] for i in range(12)]
    table = table_of(X, [0 if a == 0 else int(i > 6) for a, i in X], [2, 0])
    tree = grow(table)
    ends = soft_thresholds(tree, table)
    assert tree.kind.tolist().count(NUMERIC) == 1
    assert np.array_equal(np.isnan(ends).all(axis=1), tree.kind != NUMERIC)
    assert np.array_equal(np.isnan(ends).any(axis=1), tree.kind != NUMERIC)


def test_a_test_that_no_known_row_reaches_keeps_its_threshold():
    table = table_of(np.arange(1, 21)[:, None], [0] * 10 + [1] * 10, [0])
    unknown = table_of(np.full((20, 1), NAN), table.y, [0])
    assert soft_thresholds(grow(table), unknown)[0].tolist() == [10, 10]
