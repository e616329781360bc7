"""The kernel of nearest rows against its plain twin."""

import math

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from reference import neighbours_plain

from evorules.hybrids._kernels_neighbours import nearest_rows

CELLS = st.one_of(st.just(math.nan), st.integers(0, 3).map(float), st.floats(-2, 2, allow_nan=False))


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_nearest_rows_equal_those_of_the_plain_twin(data):
    n, n_attributes = data.draw(st.integers(1, 12)), data.draw(st.integers(1, 4))
    row = st.lists(CELLS, min_size=n_attributes, max_size=n_attributes)
    stored = data.draw(st.lists(row, min_size=n, max_size=n))
    asked = data.draw(st.lists(row, min_size=1, max_size=3))
    width = st.sampled_from([-1.0, 0.0, 0.5, 3.0])
    spread = data.draw(st.lists(width, min_size=n_attributes, max_size=n_attributes))
    n_wanted = data.draw(st.integers(1, n))
    squares = np.empty((len(asked), n_wanted))
    found = np.empty((len(asked), n_wanted), dtype=np.int64)
    nearest_rows(np.array(stored), np.array(asked), np.array(spread), squares, found)
    for i, cells in enumerate(asked):
        expected = neighbours_plain.nearest_rows(stored, cells, spread, n_wanted)
        assert found[i].tolist() == [j for _, j in expected]
        np.testing.assert_array_equal(squares[i], [distance for distance, _ in expected])
