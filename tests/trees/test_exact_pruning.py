"""Pruning with exact sums against the step-by-step pruning that it stands in for."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reference.r8_tables import NAN, table_of

from trees.growth.fast import grow
from trees.growth.options import GrowthOptions
from trees.pruning import pessimistic
from trees.pruning.exact import can_prune_exactly
from trees.pruning.pessimistic import prune_pessimistic


@st.composite
def tables(draw):
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    n_rows = draw(st.sampled_from([1, 5, 20, 80, 250]))
    n_classes = draw(st.sampled_from([2, 2, 3, 6]))
    n_values = draw(st.lists(st.sampled_from([0, 0, 2, 5]), min_size=1, max_size=5))
    X = np.column_stack([rng.integers(0, V or 30, n_rows) for V in n_values])
    y = (X[:, 0] + (rng.random(n_rows) < 0.25)) % n_classes
    weight = rng.integers(1, 4, n_rows) if draw(st.booleans()) else np.ones(n_rows)
    return table_of(X, y, n_values, n_classes=n_classes, weight=weight)


def pruned_step_by_step(tree, table, **options):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pessimistic, "can_prune_exactly", lambda tree, table: False)
        return prune_pessimistic(tree, table, **options)


def arrays_of(tree):
    names = ("kind", "attribute", "threshold", "child_start", "child", "label", "weight", "errors")
    return [getattr(tree, name).tolist() for name in names] + [tree.class_weight.tolist()]


@settings(max_examples=150, deadline=None)
@given(
    tables(),
    st.sampled_from([1.0, 2.0]),
    st.booleans(),
    st.sampled_from([0.05, 0.25, 0.7, 1.0]),
    st.booleans(),
)
def test_the_pruned_tree_is_the_same_bit_for_bit(table, min_cases, collapse, confidence, raising):
    tree = grow(table, GrowthOptions(min_cases=min_cases, collapse=collapse))
    assert can_prune_exactly(tree, table)
    options = {"confidence": confidence, "raising": raising}
    exact = prune_pessimistic(tree, table, **options)
    assert repr(arrays_of(exact)) == repr(arrays_of(pruned_step_by_step(tree, table, **options)))


def test_branches_are_raised_as_step_by_step_also_below_raised_ones():
    # seed 9: while a raised branch is estimated anew, a branch below it is raised too
    rng = np.random.default_rng(9)
    X = rng.integers(0, 12, (2000, 8)).astype(np.float64)
    y = ((X[:, 0] + X[:, 1] > 11).astype(int) + (X[:, 2] * X[:, 3] > 30) + (rng.random(2000) < 0.15)) % 3
    table = table_of(X, y, [0] * 8, n_classes=3)
    tree = grow(table, GrowthOptions())
    raised, kept = prune_pessimistic(tree, table), prune_pessimistic(tree, table, raising=False)
    assert raised.n_nodes < kept.n_nodes < tree.n_nodes
    assert repr(arrays_of(raised)) == repr(arrays_of(pruned_step_by_step(tree, table)))


def test_a_node_that_no_row_reaches_keeps_what_it_had():
    table = table_of([[0]] * 4 + [[2]] * 6, [0] * 4 + [1] * 6, [3])
    tree = prune_pessimistic(grow(table, GrowthOptions()), table)
    assert tree.weight.tolist() == [10, 4, 0, 6]
    assert tree.label.tolist() == [1, 0, 1, 1]
    assert tree.class_weight[2].tolist() == [4, 6]


def test_rows_with_missing_tested_cells_or_broken_weights_are_not_pruned_exactly():
    X, y = [[0.0, 1.0]] * 3 + [[1.0, 2.0]] * 3, [0] * 3 + [1] * 3
    tree = grow(table_of(X, y, [0, 0]), GrowthOptions())
    assert tree.attribute[0] == 0
    assert can_prune_exactly(tree, table_of(X, y, [0, 0]))
    assert not can_prune_exactly(tree, table_of(X, y, [0, 0], weight=[1.5, 1, 1, 1, 1, 1]))
    assert not can_prune_exactly(tree.replaced(single_precision=True), table_of(X, y, [0, 0]))
    X[2] = [0.0, NAN]
    assert can_prune_exactly(tree, table_of(X, y, [0, 0]))
    X[2] = [NAN, 1.0]
    assert not can_prune_exactly(tree, table_of(X, y, [0, 0]))
