"""Folds and samples held out: stratified, and the same whatever the order or repetition of rows."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from trees.pruning.samples import folds, hold_out
from trees.table import Table


def made(values, classes, weight=None):
    table = Table.from_frame(pd.DataFrame({"x": np.array(values, float)}), list(classes))
    return table if weight is None else table.with_weight(np.array(weight, float))


def content(table):
    """Summed weight per (cell, class)."""
    sums = {}
    for x, c, w in zip(table.X[:, 0].tolist(), table.classes.tolist(), table.weight.tolist(), strict=True):
        sums[x, c] = sums.get((x, c), 0.0) + w
    return {key: round(w, 9) for key, w in sums.items()}


def test_folds_partition_the_rows_and_keep_the_class_shares():
    table = made(range(50), "aaaab" * 10)
    pairs = folds(table, 5, np.random.default_rng(0))
    assert len(pairs) == 5
    for rest, fold in pairs:
        assert fold.class_totals.tolist() == [8, 2]
        assert rest.class_totals.tolist() == [32, 8]
        assert {**content(rest), **content(fold)} == content(table)
    held = [x for _, fold in pairs for x in fold.X[:, 0].tolist()]
    assert sorted(held) == list(range(50))


def test_a_sample_held_out_has_its_share_of_every_class():
    table = made(range(50), "aaaab" * 10)
    rest, sample = hold_out(table, 0.2, np.random.default_rng(0))
    assert sample.class_totals.tolist() == [8, 2]
    assert rest.class_totals.tolist() == [32, 8]
    rest, sample = hold_out(table, 0.7, np.random.default_rng(0))
    assert sample.class_totals.tolist() == [28, 7]


def test_fewer_rows_than_folds_give_fewer_folds():
    assert len(folds(made([1, 2, 3], "aba"), 10, np.random.default_rng(0))) == 3
    assert folds(made([1], "a"), 10, np.random.default_rng(0)) == []
    assert hold_out(made([1], "a"), 0.2, np.random.default_rng(0)) is None


def test_copies_of_a_row_are_dealt_one_by_one():
    table = made([1] * 20 + [2] * 20, "a" * 20 + "b" * 20)
    for rest, fold in folds(table, 10, np.random.default_rng(0)):
        assert content(fold) == {(1.0, 0): 2.0, (2.0, 1): 2.0}
        assert content(rest) == {(1.0, 0): 18.0, (2.0, 1): 18.0}


@settings(max_examples=50, deadline=None)
@given(
    st.lists(st.tuples(st.integers(0, 4), st.sampled_from("ab"), st.integers(1, 4)), min_size=1, max_size=15),
    st.integers(2, 6),
    st.randoms(use_true_random=False),
)
def test_repeating_rows_and_weighting_them_deals_the_same(cells, n_folds, random):
    values, classes, weight = zip(*cells, strict=True)
    classes = pd.Categorical(classes, categories=["a", "b"])
    weighted = made(values, classes, weight)
    order = [i for i, w in enumerate(weight) for _ in range(w)]
    random.shuffle(order)
    repeated = made(values, classes).take(order)
    first = folds(weighted, n_folds, np.random.default_rng(7))
    second = folds(repeated, n_folds, np.random.default_rng(7))
    assert [(content(a), content(b)) for a, b in first] == [(content(a), content(b)) for a, b in second]


def test_weights_that_are_no_counts_are_dealt_in_units_of_their_mean():
    table = made(range(20), "ab" * 10, np.full(20, 0.05))
    pairs = folds(table, 5, np.random.default_rng(0))
    assert [fold.weight.sum() for _, fold in pairs] == pytest.approx([0.2] * 5)
