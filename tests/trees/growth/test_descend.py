"""Sending rows down a tree; error counts on whole files are compared in tests/oracles."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reference import r8_plain
from reference.r8_tables import NAN, chain, golf, grow, plain_tree, table_of, tables

from trees.growth.descend import apply, class_weights, classify, predict_codes
from trees.growth.tree import LEAF
from trees.pruning.pessimistic import prune_pessimistic

# golf: outlook sunny (humidity <= 75: 2 play; else 3 don't), overcast (4 play), rain (windy: 2 don't; else
# 3 play); nodes 0 outlook, 1 humidity, 2, 3, 4 overcast, 5 windy, 6, 7


@pytest.fixture(params=[False, True], ids=["standard", "r8"])
def golf_tree(request):
    return grow(golf(), single_precision=request.param)


def test_rows_without_missing_cells_reach_one_leaf(golf_tree):
    X = np.array([[0, 70, 75, 0], [0, 70, 75.5, 0], [1, 70, 99, 0], [2, 70, 99, 0], [2, 70, 99, 1.0]])
    assert apply(golf_tree, X).tolist() == [2, 3, 4, 6, 7]
    assert class_weights(golf_tree, X).tolist() == [[1, 0], [0, 1], [1, 0], [0, 1], [1, 0]]
    assert predict_codes(golf_tree, X).tolist() == [0, 1, 0, 1, 0]


def test_a_missing_cell_sends_parts_down_every_branch(golf_tree):
    # outlook unknown, humidity 70, windy: 5/14 sunny and play, 4/14 overcast and play, 5/14 rain and don't
    X = np.array([[NAN, 70, 70, 0]])
    assert class_weights(golf_tree, X)[0] == pytest.approx([9 / 14, 5 / 14])
    assert predict_codes(golf_tree, X).tolist() == [0]


def test_parts_multiply_along_a_path(golf_tree):
    # all unknown: play 5/14 * 2/5 + 4/14 + 5/14 * 3/5 = 9/14
    X = np.full((1, 4), NAN)
    assert class_weights(golf_tree, X)[0] == pytest.approx([9 / 14, 5 / 14])
    # the leaves get 2/14, 3/14, 4/14, 2/14 and 3/14 of the row
    assert apply(golf_tree, X).tolist() == [4]


def test_a_value_that_the_test_does_not_know_is_missing(golf_tree):
    X = np.array([[3, 70, 70, 0], [-1, 70, 70, 0], [2, 70, 70, 2]])
    assert class_weights(golf_tree, X)[0] == pytest.approx([9 / 14, 5 / 14])
    assert class_weights(golf_tree, X)[1] == pytest.approx([9 / 14, 5 / 14])
    assert class_weights(golf_tree, X)[2] == pytest.approx([3 / 5, 2 / 5])


def test_only_trees_of_mode_r8_take_minus_999_as_missing():
    X = np.array([[0, 70, -999, 0]])
    assert class_weights(grow(golf()), X)[0].tolist() == [1, 0]
    assert class_weights(grow(golf(), single_precision=True), X)[0] == pytest.approx([2 / 5, 3 / 5])


def test_trees_of_mode_r8_compare_in_single_precision():
    # 0.1 and its float32 neighbourhood: the double just above float32(0.1) rounds to it
    table = table_of([[0.1]] * 3 + [[0.9]] * 3, [0, 0, 0, 1, 1, 1], [0])
    tree = grow(table, single_precision=True)
    above = np.nextafter(float(np.float32(0.1)), 1)
    assert tree.threshold[0] == float(np.float32(0.1))
    assert predict_codes(tree, np.array([[above]])).tolist() == [0]
    assert predict_codes(grow(table), np.array([[above]])).tolist() == [1]


def test_a_leaf_without_rows_answers_with_its_class():
    tree = grow(table_of([[0]] * 5 + [[2]] * 4, [1] * 5 + [0] * 4, [3]))
    assert class_weights(tree, np.array([[1.0]])).tolist() == [[0, 1]]


def test_equal_class_sums_give_the_lowest_class():
    tree = grow(table_of([[0.0]] * 4, [1, 1, 0, 0], [0]))
    assert class_weights(tree, np.array([[0.0]])).tolist() == [[0.5, 0.5]]
    assert predict_codes(tree, np.array([[0.0]])).tolist() == [0]


def test_of_equal_parts_the_first_leaf_counts():
    tree = grow(table_of([[0]] * 3 + [[1]] * 3, [0] * 3 + [1] * 3, [2]))
    assert apply(tree, np.array([[NAN]])).tolist() == [1]


def test_a_tree_may_send_missing_cells_to_its_largest_branch():
    tree = grow(golf()).replaced(missing="largest")
    # sunny and rain have 5 rows each, the first counts; there, 3 of 5 rows are humid
    X = np.array([[NAN, 70, NAN, 0], [2, 70, 70, NAN]])
    assert apply(tree, X).tolist() == [3, 7]
    assert class_weights(tree, X).tolist() == [[0, 1], [1, 0]]


def test_values_of_no_group_go_down_every_branch():
    X = [[v] for v in (0, 0, 0, 3, 3, 1, 1, 1, 4, 4)]
    tree = grow(table_of(X, [0] * 5 + [1] * 5, [5]), group_values=True)
    pruned = tree.replaced(group=np.where(tree.group == 2, -1, tree.group).astype(np.int32))
    rows = np.array([[0.0], [1], [2], [3], [4]])
    assert predict_codes(tree, rows).tolist() == [0, 1, 0, 0, 1]
    assert class_weights(pruned, rows)[2] == pytest.approx([0.5, 0.5])


def test_no_rows_give_no_answers(golf_tree):
    X = np.empty((0, 4))
    assert apply(golf_tree, X).shape == (0,)
    assert class_weights(golf_tree, X).shape == (0, 2)
    assert predict_codes(golf_tree, X).shape == (0,)


def test_neither_layout_nor_the_cells_given_are_changed(golf_tree):
    X = np.asfortranarray(golf().X)
    before = X.copy()
    assert predict_codes(golf_tree, X).tolist() == golf().y.tolist()
    assert predict_codes(golf_tree, X[::2]).tolist() == golf().y[::2].tolist()
    assert np.array_equal(X, before)


def test_a_chain_of_three_thousand_tests_can_be_descended():
    tree, table = chain(3000, 3001)
    tree = tree.replaced(weight=np.ones(tree.n_nodes))
    assert apply(tree, table.X).tolist() == [*range(1, 6000, 2), 6000]
    assert apply(tree, np.array([[NAN]])).tolist() == [1]


@settings(max_examples=60, deadline=None)
@given(tables(), st.booleans(), st.booleans(), st.integers(0, 2**32 - 1))
def test_class_sums_leaves_and_codes_equal_the_plain_twin(table, prune, single_precision, seed):
    real = np.float32 if single_precision else np.float64
    tree = grow(table, single_precision=single_precision, min_cases=1.0)
    if prune:
        tree = prune_pessimistic(tree, table, confidence=0.6)
    rng = np.random.default_rng(seed)
    X = table.X[rng.integers(0, table.n_rows, 30)]
    X[rng.random(X.shape) < 0.3] = NAN
    root = plain_tree(tree, real)
    number = {id(node): i for i, node in enumerate(root.walk())}
    sums, codes, leaves = class_weights(tree, X), predict_codes(tree, X), apply(tree, X)
    found = classify(tree, X)
    np.testing.assert_array_equal(found.label, np.argmax(sums, axis=1))
    np.testing.assert_array_equal(found.scores, sums / sums.sum(axis=1, keepdims=True))
    np.testing.assert_array_equal(found.leaf, leaves)
    for i, row in enumerate(X):
        expected, reached = r8_plain.class_sums(root, [real(v) for v in row], table.n_classes, real)
        assert sums[i].tolist() == [float(n) for n in expected]
        assert codes[i] == expected.index(max(expected))
        most = max(part for _, part in reached)
        assert leaves[i] == number[id(next(leaf for leaf, part in reached if part == most))]
        assert tree.kind[leaves[i]] == LEAF
