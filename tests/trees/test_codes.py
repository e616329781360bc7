"""Rank codes of tables."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reference.r8_tables import NAN, table_of

from trees.schema import Attribute, Schema
from trees.table import Codes


def codes_of(X, n_values=None):
    X = np.asarray(X, dtype=np.float64)
    attributes = tuple(
        Attribute(f"a{a}", "nominal", tuple(range(V))) if V else Attribute(f"a{a}", "numeric")
        for a, V in enumerate(n_values or [0] * X.shape[1])
    )
    return Codes.of(X, Schema(attributes))


def plain_codes(column):
    """Ranks among the sorted distinct values, None where missing, and these values."""
    values = sorted({cell for cell in column if cell == cell})
    return [values.index(cell) if cell == cell else None for cell in column], values


CELLS = st.one_of(
    st.sampled_from([NAN, 0.0, -0.0, 1.0, 2.0, -3.0, 1e300, -1e300]),
    st.integers(-5, 4000).map(float),
    st.floats(-4, 4, width=16),
)


@settings(max_examples=100, deadline=None)
@given(st.lists(st.tuples(CELLS, CELLS, st.integers(0, 9).map(float)), min_size=1, max_size=40))
def test_ranks_are_those_of_the_sorted_distinct_values(rows):
    codes = codes_of(rows)
    assert codes.ranks.dtype == np.uint16
    for a, column in enumerate(zip(*rows, strict=True)):
        ranks, values = plain_codes(column)
        assert codes.ranks[a].tolist() == [65535 if rank is None else rank for rank in ranks]
        assert codes.values[a].tolist() == values
        assert not np.signbit(codes.values[a][codes.values[a] == 0.0]).any()


@pytest.mark.parametrize("order", ["C", "F"])
def test_more_columns_and_rows_than_a_block_are_ranked_alike(order):
    rng = np.random.default_rng(0)
    X = rng.integers(0, 50, (5000, 19)).astype(np.float64)
    X[:, 3::4] += rng.random((5000, 4))
    X[rng.random(X.shape) < 0.05] = NAN
    codes = codes_of(np.asarray(X, order=order))
    for a in range(X.shape[1]):
        known = ~np.isnan(X[:, a])
        values, ranks = np.unique(X[known, a], return_inverse=True)
        np.testing.assert_array_equal(codes.values[a], values)
        np.testing.assert_array_equal(codes.ranks[a, known], ranks)
        assert np.all(codes.ranks[a, ~known] == codes.missing)


def test_a_nominal_cell_has_its_value_code_as_rank():
    codes = codes_of([[2.0], [NAN], [0.0]], [4])
    assert codes.ranks.tolist() == [[2, 65535, 0]]
    assert codes.values[0].tolist() == [0.0, 1.0, 2.0, 3.0]


def test_a_column_without_a_known_cell_has_no_values():
    codes = codes_of([[NAN, 1.0], [NAN, 1.0]])
    assert codes.ranks.tolist() == [[65535, 65535], [0, 0]]
    assert [v.tolist() for v in codes.values] == [[], [1.0]]


def test_infinite_cells_are_ranked():
    codes = codes_of([[np.inf], [-np.inf], [3.0], [np.inf]])
    assert codes.ranks.tolist() == [[2, 0, 1, 2]]
    assert codes.values[0].tolist() == [-np.inf, 3.0, np.inf]


@pytest.mark.parametrize(("n_distinct", "dtype"), [(65534, np.uint16), (65535, np.uint32)])
def test_codes_are_wide_where_a_column_has_65535_values(n_distinct, dtype):
    few = np.arange(n_distinct) % 3.0
    few[7] = NAN
    many = np.random.default_rng(0).permutation(n_distinct) / 8
    codes = codes_of(np.column_stack([few, many, few]))
    assert codes.ranks.dtype == dtype
    assert codes.missing == np.iinfo(dtype).max
    for a in (0, 2):
        assert codes.ranks[a, 7] == codes.missing
        assert codes.ranks[a, 8] == 2
    np.testing.assert_array_equal(codes.values[1][codes.ranks[1]], many)


def test_whole_numbers_far_apart_are_sorted_not_tabled():
    codes = codes_of([[1e15], [-1e15], [5.0]])
    assert codes.ranks.tolist() == [[2, 0, 1]]
    assert codes.values[0].tolist() == [-1e15, 5.0, 1e15]


def test_codes_cannot_be_written_to():
    with pytest.raises(ValueError, match="read-only"):
        codes_of([[1.0]]).ranks[0, 0] = 3


def test_a_table_taken_from_another_shares_its_ranks_and_values():
    table = table_of([[4.0], [2.0], [9.0]], [0, 1, 0], [0])
    part = table.take([2, 0])
    assert part.codes.ranks.tolist() == [[2, 1]]
    assert part.codes.values is table.codes.values


def test_ranks_of_no_rows_and_of_no_columns_are_empty():
    assert codes_of(np.empty((0, 2))).ranks.shape == (2, 0)
    assert codes_of(np.empty((3, 0))).ranks.shape == (0, 3)
