"""Growing C4.5 trees step by step; whole files of the original's trees are compared in tests/oracles."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reference import r8_plain
from reference.r8_tables import GOLF, NAN, described, flattened, golf, grow, table_of, tables

from trees.growth.literal import grow_literal
from trees.growth.options import GrowthOptions
from trees.growth.tree import LEAF, NOMINAL, NUMERIC, SUBSET


def plain_growth(table, options, *, single_precision):
    real = np.float32 if single_precision else np.float64
    columns = [[real(v) for v in column] for column in table.X.T]
    fractional = bool(np.isnan(table.X).any() or np.any(table.weight != np.floor(table.weight)))
    return r8_plain.Growth(
        columns,
        table.schema.n_values.tolist(),
        table.y.tolist(),
        table.n_classes,
        table.weight.tolist(),
        options,
        real,
        literal=single_precision and fractional,
        defects=single_precision,
    )


OPTIONS = st.builds(
    GrowthOptions,
    criterion=st.sampled_from(["gain_ratio", "gain"]),
    min_cases=st.sampled_from([1.0, 2.0, 3.0]),
    group_values=st.booleans(),
    collapse=st.booleans(),
    max_depth=st.sampled_from([None, None, 2]),
)


@settings(max_examples=60, deadline=None)
@given(tables(), OPTIONS, st.booleans())
def test_trees_equal_those_of_the_plain_twin_bit_for_bit(table, options, single_precision):
    tree = grow_literal(table, options, single_precision=single_precision)
    plain = plain_growth(table, options, single_precision=single_precision)
    assert described(tree) == flattened(plain.root)
    if single_precision:
        assert tree.case_order.tolist() == plain.row


@settings(max_examples=30, deadline=None)
@given(tables(weighted=True), OPTIONS, st.booleans())
def test_trees_of_weighted_rows_equal_those_of_the_plain_twin(table, options, single_precision):
    tree = grow_literal(table, options, single_precision=single_precision)
    assert described(tree) == flattened(plain_growth(table, options, single_precision=single_precision).root)


@settings(max_examples=30, deadline=None)
@given(st.lists(st.integers(0, 9), min_size=1, max_size=60), st.booleans())
def test_sorting_moves_cases_as_the_plain_twin_does(keys, literal):
    from trees.growth.literal._kernels_order import sort_cases

    plain = r8_plain.Cases([keys], [0] * len(keys), 1, [1.0] * len(keys), np.float64)
    plain.sort(0, 0, len(keys) - 1, literal)
    key = np.array(keys, dtype=np.float64)
    row = np.arange(len(keys), dtype=np.int32)
    sort_cases(key, row, np.ones(len(keys)), 0, len(keys) - 1, literal)
    assert row.tolist() == plain.row
    assert key.tolist() == sorted(keys)


@pytest.mark.parametrize("single_precision", [False, True])
def test_golf_gives_the_printed_tree(single_precision):
    # Quinlan 1993, chapter 2: outlook; humidity <= 75 under sunny; windy under rain
    tree = grow(golf(), single_precision=single_precision)
    assert tree.kind.tolist() == [NOMINAL, NUMERIC, LEAF, LEAF, LEAF, NOMINAL, LEAF, LEAF]
    assert tree.attribute.tolist() == [0, 2, -1, -1, -1, 3, -1, -1]
    assert tree.threshold[1] == 75
    assert tree.weight.tolist() == [14, 5, 2, 3, 4, 5, 2, 3]
    assert tree.errors.tolist() == [0] * 8
    assert tree.label.tolist() == [0, 1, 0, 1, 0, 0, 1, 0]
    assert tree.children(0).tolist() == [1, 4, 5]
    assert tree.single_precision is single_precision


def test_the_gain_of_a_threshold_is_penalised_by_the_number_tried():
    # six rows 1..6, classes 000111: cuts at 2, 3 and 4 leave two rows on either side, so three are tried;
    # gain 1 at the middle one, penalty log2(3)/6 = 0.264160...
    from trees.growth.literal._kernels_grow import evaluate_tests
    from trees.growth.literal.grower import _scratch, _settings, training_arrays
    from trees.growth.literal.state import GAIN, INFO, Cases

    table = table_of([[1], [2], [3], [4], [5], [6]], [0, 0, 0, 1, 1, 1], [0])
    data = training_arrays(table, np.float64)
    scratch = _scratch(data, 2, np.float64)
    cases = Cases(np.arange(6, dtype=np.int32), np.ones(6), np.empty(6))
    options = _settings(table, GrowthOptions(), data, False)
    evaluate_tests(data, cases, scratch, options, None, 0, 5, 6.0, True)
    assert scratch.merit[0, GAIN] == pytest.approx(1 - math.log2(3) / 6, abs=1e-12)
    assert scratch.merit[0, INFO] == pytest.approx(1, abs=1e-12)


def test_a_threshold_is_a_value_of_the_training_rows():
    # between 3 and 10 the midpoint is 6.5; 6 occurs, but in the other branch of the first test
    X = [[0, 1], [0, 2], [0, 3], [0, 10], [0, 11], [0, 12], [1, 6], [1, 6], [1, 6], [1, 6]]
    tree = grow(table_of(X, [0, 0, 0, 1, 1, 1, 2, 2, 2, 2], [2, 0], n_classes=3))
    assert tree.threshold[tree.kind == NUMERIC].tolist() == [6]


def test_a_midpoint_that_rounds_up_is_replaced_by_the_lower_value():
    # in float32 the midpoint of these neighbours is the greater one: the original would split for ever
    low = np.float32(1000001.9375)
    high = np.nextafter(low, np.float32(np.inf))
    assert np.float32((low + high) / np.float32(2)) == high
    table = table_of([[low]] * 3 + [[high]] * 3, [0, 0, 0, 1, 1, 1], [0])
    tree = grow(table, single_precision=True)
    assert tree.threshold[0] == low
    assert tree.weight.tolist() == [6, 3, 3]


def test_only_mode_r8_keeps_values_closer_than_a_hundred_thousandth_together():
    near = table_of([[0.0]] * 4 + [[9e-6]] * 4, [0] * 4 + [1] * 4, [0])
    far = table_of([[0.0]] * 4 + [[2e-5]] * 4, [0] * 4 + [1] * 4, [0])
    assert grow(near, single_precision=True).n_nodes == 1
    assert grow(far, single_precision=True).n_nodes == 3
    assert grow(near).n_nodes == 3


def test_splits_without_gain_are_made():
    # parity of two attributes: no single test gains anything, the tree is perfect (specification 1.5)
    X = [[a, b] for a in (0, 1) for b in (0, 1)] * 3
    tree = grow(table_of(X, [a ^ b for a, b in X], [2, 2]))
    assert tree.kind.tolist() == [NOMINAL, NOMINAL, LEAF, LEAF, NOMINAL, LEAF, LEAF]
    assert tree.errors[0] == 0


def test_useless_splits_are_collapsed_unless_asked_not_to():
    X = [[0]] * 4 + [[1]] * 4
    y = [0, 0, 0, 1, 0, 0, 0, 1]
    assert grow(table_of(X, y, [2])).n_nodes == 1
    kept = grow(table_of(X, y, [2]), collapse=False)
    assert kept.weight.tolist() == [8, 4, 4]
    assert kept.errors.tolist() == [2, 1, 1]


def test_depth_is_limited_on_demand():
    X = [[a, b] for a in (0, 1) for b in (0, 1)] * 3
    assert grow(table_of(X, [a ^ b for a, b in X], [2, 2]), max_depth=1, collapse=False).depth == 1


def test_a_value_without_rows_gives_an_empty_leaf_of_the_parents_class():
    tree = grow(table_of([[0]] * 5 + [[2]] * 4, [1] * 5 + [0] * 4, [3]))
    assert tree.weight.tolist() == [9, 5, 0, 4]
    assert tree.label.tolist() == [1, 1, 1, 0]
    assert tree.class_weight[2].tolist() == [4, 5]


def test_rows_with_a_missing_cell_go_down_every_branch():
    # 3 rows left, 6 right, 1 unknown: it goes to 1/3 left and to 2/3 right
    tree = grow(table_of([[0]] * 3 + [[1]] * 6 + [[NAN]], [0] * 3 + [1] * 6 + [0], [2]))
    assert tree.weight.tolist() == pytest.approx([10, 3 + 1 / 3, 6 + 2 / 3])
    assert tree.class_weight[2].tolist() == pytest.approx([2 / 3, 6])
    assert tree.errors.tolist() == pytest.approx([2 / 3, 0, 2 / 3])


def test_an_attribute_without_known_values_is_never_tested():
    X = [[NAN, NAN, i] for i in range(8)]
    for group_values in (False, True):
        tree = grow(table_of(X, [0] * 4 + [1] * 4, [0, 3, 0]), group_values=group_values)
        assert tree.attribute.tolist() == [2, -1, -1]


def test_many_valued_attributes_do_not_raise_the_average_gain():
    # a0 has a value per row (8 >= 0.3 * 8): its gain of 1 would raise the average to 0.594 and bar a1 with
    # 0.189, so that the ratio of a1 were not looked at; alone, a1 is the average
    X = [[i, int(i in (0, 1, 2, 4))] for i in range(8)]
    tree = grow(table_of(X, [0, 0, 0, 0, 1, 1, 1, 1], [8, 2]), collapse=False)
    assert tree.attribute[0] == 1


def test_grouping_joins_values_of_the_same_class():
    # values 0 and 3 are pure in class 0, 1 and 4 in class 1; 2 does not occur: one more branch
    X = [[v] for v in (0, 0, 0, 3, 3, 1, 1, 1, 4, 4)]
    tree = grow(table_of(X, [0] * 5 + [1] * 5, [5]), group_values=True)
    assert tree.kind.tolist() == [SUBSET, LEAF, LEAF, LEAF]
    assert tree.groups(0) == [[0, 3], [1, 4], [2]]
    assert tree.weight.tolist() == [10, 5, 5, 0]


def test_only_mode_r8_forgets_the_least_number_of_cases():
    # a0 has no known value: with grouping, the original goes on with 1 case per branch (defect 9.2)
    X = [[NAN, 0], [NAN, 1], [NAN, 2], [NAN, 3], [NAN, 4], [NAN, 5]]
    table = table_of(X, [1, 0, 0, 0, 0, 0], [3, 0])
    assert grow(table, group_values=True).n_nodes == 1
    assert grow(table, group_values=True, single_precision=True).threshold[0] == 0


def test_only_mode_r8_takes_minus_999_as_unknown():
    X = [[-999], [-999], [1], [2], [3]]
    table = table_of(X, [0, 0, 1, 1, 1], [0])
    assert grow(table).threshold[0] == -999
    assert grow(table, single_precision=True).n_nodes == 1


def test_a_weight_of_two_equals_the_row_twice():
    X = [row[:4] for row in GOLF]
    y = [row[4] for row in GOLF]
    doubled = table_of(X, y, [3, 0, 0, 2], weight=[1, 2] * 7)
    rows = [i for i in range(14) for _ in range(1 + i % 2)]
    repeated = table_of([X[i] for i in rows], [y[i] for i in rows], [3, 0, 0, 2])
    assert described(grow(doubled)) == described(grow(repeated))


def test_one_row_and_one_class_give_a_leaf():
    assert grow(table_of([[1.0]], [0], [0])).kind.tolist() == [LEAF]
    tree = grow(table_of([[1.0], [2.0]] * 4, [1] * 8, [0]))
    assert (tree.n_nodes, tree.label[0], tree.errors[0]) == (1, 1, 0)


def test_node_arrays_and_stack_grow_with_the_tree():
    # attribute a takes two rows of class a % 2 off: a chain of 75 tests, more than the arrays hold at first
    n = 150
    X = np.ones((2 * n + 2, n))
    y = np.arange(2 * n + 2) // 2 % 2
    for a in range(n):
        X[2 * a : 2 * a + 2, a] = 0
    tree = grow(table_of(X, y, [2] * n), collapse=False)
    assert tree.depth > 64
    assert tree.n_nodes > 128
    assert tree.errors[0] == 0
    tree.check()
