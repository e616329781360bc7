"""Pessimistic pruning; whole files of the original's pruned trees are compared in tests/oracles."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reference import r8_plain
from reference.r8_tables import NAN, chain, described, flattened, golf, grow, plain_tree, table_of, tables

from trees.errors import ParameterError
from trees.growth.tree import LEAF, NOMINAL, SUBSET, Tree
from trees.pruning.pessimistic import added_errors, estimate_level, prune_pessimistic


@pytest.mark.parametrize(
    ("n", "e", "confidence", "expected"),
    [
        # U25(6, 0) = 0.206, U25(9, 0) = 0.143, U25(1, 0) = 0.750, U25(16, 1) = 0.157: Quinlan 1993, chapter 4
        (6, 0, 0.25, 6 * (1 - 0.25 ** (1 / 6))),
        (9, 0, 0.25, 9 * (1 - 0.25 ** (1 / 9))),
        (1, 0, 0.25, 0.75),
        (16, 1, 0.25, 16 * 0.156681 - 1),
        # e + 0.5 >= n: two thirds of what is right
        (2, 1.6, 0.25, 0.67 * 0.4),
        # C = 0.6925 ** 2 = 0.479556; p = (1.5 + C/2 + sqrt(C * (1.5 * 0.625 + C/4))) / (4 + C) = 0.547347
        (4, 1, 0.25, 4 * 0.547347 - 1),
        # halfway between no error and one
        (4, 0.5, 0.25, (4 * (1 - 0.25**0.25) + 4 * 0.547347 - 1) / 2),
        # confidence 1: deviate 0, the observed rate with half an error more
        (10, 2, 1.0, 0.5),
    ],
)
def test_added_errors_are_those_worked_out_by_hand(n, e, confidence, expected):
    assert added_errors(n, e, confidence) == pytest.approx(expected, abs=1e-4)


def test_the_deviate_is_interpolated_in_the_table():
    # specification, section 3: 0.6925 at a quarter, where the exact normal quantile would be 0.6745
    level, coefficient = estimate_level(0.25, np.float64)
    assert (level, coefficient) == pytest.approx((0.25, 0.47956), abs=5e-6)
    assert estimate_level(0.05, np.float64)[1] == pytest.approx(1.65**2)


def test_added_errors_fall_as_the_confidence_rises():
    added = [added_errors(20, 3, confidence) for confidence in (0.01, 0.05, 0.1, 0.25, 0.5, 0.9)]
    assert added == sorted(added, reverse=True)


@pytest.mark.parametrize("confidence", [0.0, -0.1, 1.5, NAN])
def test_a_confidence_outside_zero_to_one_is_refused(confidence):
    with pytest.raises(ParameterError, match=r"'confidence' parameter must be a float in \(0, 1\]"):
        added_errors(10, 1, confidence)


@settings(max_examples=100, deadline=None)
@given(
    st.floats(0.01, 1e4), st.floats(0, 1), st.sampled_from([0.0005, 0.01, 0.1, 0.25, 0.5, 1.0]), st.booleans()
)
def test_added_errors_equal_the_plain_twin(n, share, confidence, single_precision):
    real = np.float32 if single_precision else np.float64
    n, e = real(n), real(n * share)
    expected = r8_plain.added_errors(n, e, confidence, real)
    assert added_errors(n, e, confidence, single_precision=single_precision) == expected


@settings(max_examples=60, deadline=None)
@given(tables(weighted=False), st.sampled_from([0.05, 0.25, 0.6]), st.booleans(), st.booleans())
def test_pruned_trees_equal_those_of_the_plain_twin(table, confidence, raising, single_precision):
    check_against_twin(table, confidence, raising, single_precision)


@settings(max_examples=20, deadline=None)
@given(tables(weighted=True), st.booleans(), st.booleans())
def test_pruned_trees_of_weighted_rows_equal_those_of_the_plain_twin(table, raising, single_precision):
    check_against_twin(table, 0.25, raising, single_precision)


def check_against_twin(table, confidence, raising, single_precision):
    tree = grow(table, single_precision=single_precision, min_cases=1.0)
    pruned = prune_pessimistic(tree, table, confidence=confidence, raising=raising)
    real = np.float32 if single_precision else np.float64
    order = range(table.n_rows) if tree.case_order is None else tree.case_order.tolist()
    root = plain_tree(tree, real)
    columns = [[real(v) for v in column] for column in table.X.T]
    r8_plain.Pruning(
        root, columns, table.y.tolist(), table.n_classes, table.weight.tolist(), real,
        order=order, confidence=confidence, raising=raising,
    )  # fmt: skip
    assert described(pruned) == flattened(root)
    pruned.check()


def test_golf_is_not_pruned_and_shows_the_estimated_errors():
    # printed by the original: estimate 38.5 % of 14 cases
    table = golf()
    pruned = prune_pessimistic(grow(table, single_precision=True), table)
    assert pruned.n_nodes == 8
    expected = [5.3918095, 2.1101184, 1, 1.1101184, 1.1715729, 2.1101184, 1, 1.1101184]
    assert pruned.errors.astype(np.float32).tolist() == np.array(expected, dtype=np.float32).tolist()


def test_a_chain_of_three_thousand_tests_is_pruned():
    tree, table = chain(3000, 3001)
    assert tree.depth == 3000
    pruned = prune_pessimistic(tree, table)
    assert pruned.kind.tolist() == [LEAF]
    assert pruned.weight[0] == 3001


def raising_example():
    # 20 rows of class 0 and 20 of class 1 that a1 tells apart; a0 takes two rows off and says nothing
    X = [[0, i % 2] for i in range(2)] + [[1, i % 2] for i in range(38)]
    table = table_of(X, [i % 2 for i in range(40)], [2, 2])
    kind = np.array([NOMINAL, LEAF, NOMINAL, LEAF, LEAF], dtype=np.int8)
    tree = Tree(
        table.schema, kind, np.array([0, -1, 1, -1, -1], dtype=np.int32), np.full(5, NAN),
        np.array([0, 2, 2, 4, 4, 4], dtype=np.int32), np.array([1, 2, 3, 4], dtype=np.int32),
        np.zeros(6, dtype=np.int32), np.zeros(0, dtype=np.int32), np.array([0, 0, 0, 0, 1], dtype=np.int32),
        np.array([40.0, 2, 38, 19, 19]), np.array([1.0, 1, 0, 0, 0]),
        np.array([[20.0, 20], [1, 1], [19, 19], [19, 0], [0, 19]]),
    )  # fmt: skip
    return tree, table


def test_the_largest_branch_takes_the_place_of_its_parent():
    # tree: 2 U(2, 1) + 38 U(19, 0) = 1.796 + 2.674; the branch on all rows: 40 U(20, 0) = 2.679: it is raised
    tree, table = raising_example()
    pruned = prune_pessimistic(tree, table)
    assert pruned.attribute.tolist() == [1, -1, -1]
    assert pruned.weight.tolist() == [40, 20, 20]
    assert pruned.errors[0] == pytest.approx(2 * 20 * (1 - 0.25 ** (1 / 20)))
    assert tree.n_nodes == 5


def test_without_raising_only_leaves_take_the_place_of_subtrees():
    tree, table = raising_example()
    pruned = prune_pessimistic(tree, table, raising=False)
    assert pruned.attribute.tolist() == [0, -1, 1, -1, -1]
    assert pruned.errors[0] == pytest.approx(1.79624 + 2 * 19 * (1 - 0.25 ** (1 / 19)), abs=1e-5)


def test_of_equally_large_branches_the_last_is_considered_for_raising():
    # a0 divides the rows in halves, both tell a1's classes apart; the raised branch keeps its node's test,
    # and only the last branch tests a1 (the first tests a2, which is the same)
    X = [[i // 10, i % 2, i % 2] for i in range(20)]
    table = table_of(X, [i % 2 for i in range(20)], [2, 2, 2])
    kind = np.array([NOMINAL, NOMINAL, LEAF, LEAF, NOMINAL, LEAF, LEAF], dtype=np.int8)
    tree = Tree(
        table.schema, kind, np.array([0, 2, -1, -1, 1, -1, -1], dtype=np.int32), np.full(7, NAN),
        np.array([0, 2, 4, 4, 4, 6, 6, 6], dtype=np.int32), np.array([1, 4, 2, 3, 5, 6], dtype=np.int32),
        np.zeros(8, dtype=np.int32), np.zeros(0, dtype=np.int32),
        np.array([0, 0, 0, 1, 0, 0, 1], dtype=np.int32), np.array([20.0, 10, 5, 5, 10, 5, 5]), np.zeros(7),
        np.array([[10.0, 10], [5, 5], [5, 0], [0, 5], [5, 5], [5, 0], [0, 5]]),
    )  # fmt: skip
    assert prune_pessimistic(tree, table).attribute.tolist() == [1, -1, -1]


def test_a_node_whose_rows_all_lack_the_tested_value_keeps_or_loses_its_test_but_does_not_fail():
    tree, table = raising_example()
    unknown = table_of(np.full((40, 2), NAN), table.y, [2, 2])
    pruned = prune_pessimistic(tree, unknown)
    assert pruned.errors[0] == 0  # no branch has a row, so the subtree is estimated to make no error
    assert pruned.n_nodes == 5


def test_the_last_group_loses_values_that_cannot_come():
    # a subset test of the same attribute twice on a path: below, value 2 has gone the other way
    X = [[v] for v in (0, 1, 2, 3) for _ in range(10)]
    table = table_of(X, [0] * 10 + [1] * 10 + [2] * 20, [4], n_classes=3)
    tree = Tree(
        table.schema, np.array([SUBSET, SUBSET, LEAF, LEAF, LEAF, LEAF], dtype=np.int8),
        np.array([0, 0, -1, -1, -1, -1], dtype=np.int32), np.full(6, NAN),
        np.array([0, 2, 5, 5, 5, 5, 5], dtype=np.int32), np.array([1, 5, 2, 3, 4], dtype=np.int32),
        np.array([0, 4, 8, 8, 8, 8, 8], dtype=np.int32), np.array([0, 0, 1, 1, 0, 1, 2, 2], dtype=np.int32),
        np.array([2, 0, 0, 1, 0, 2], dtype=np.int32), np.array([40.0, 20, 10, 10, 0, 20]), np.zeros(6),
        np.array([[10.0, 10, 20], [10, 10, 0], [10, 0, 0], [0, 10, 0], [10, 10, 0], [0, 0, 20]]),
    )  # fmt: skip
    pruned = prune_pessimistic(tree, table)
    assert pruned.groups(0) == [[0, 1], [2, 3]]
    assert pruned.groups(1) == [[0], [1]]
    assert pruned.weight.tolist() == [40, 20, 10, 10, 20]
    assert tree.groups(1) == [[0], [1], [2, 3]]
