"""The fast C4.5 grower against its plain twin, the literal engine, and trees worked out by hand."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reference.c45_plain import Growth, in_preorder
from reference.r8_tables import NAN, golf, table_of

from trees import DataError
from trees.growth.fast import grow, grower, run, threads
from trees.growth.literal import grow_literal
from trees.growth.options import GrowthOptions
from trees.growth.tree import LEAF, NOMINAL, NUMERIC, SUBSET

OPTIONS = st.builds(
    GrowthOptions,
    criterion=st.sampled_from(["gain_ratio", "gain"]),
    min_cases=st.sampled_from([0.5, 1.0, 2.0, 2.0, 3.0]),
    collapse=st.booleans(),
    max_depth=st.sampled_from([None, None, None, 1, 3]),
)


@st.composite
def tables(draw, *, missing=False, weights="unit"):
    """Tables full of ties: few values, many equal gains; the class depends on the first column."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    n_rows = draw(st.sampled_from([1, 2, 5, 12, 40, 150]))
    n_classes = draw(st.sampled_from([1, 2, 3, 5]))
    n_values = draw(st.lists(st.sampled_from([0, 0, 0, 1, 2, 4, 50]), min_size=1, max_size=5))
    columns = []
    for V in n_values:
        column = (
            rng.integers(0, V or 4, n_rows) if V or rng.random() < 0.4 else rng.integers(-9, 60, n_rows) / 4
        )
        columns.append(column.astype(np.float64))
    y = np.abs(columns[0]).astype(np.int32) % n_classes
    noisy = rng.random(n_rows) < 0.4
    y[noisy] = rng.integers(0, n_classes, int(noisy.sum()))
    X = np.column_stack(columns)
    if missing:
        X[rng.random(X.shape) < rng.choice([0, 0.1, 0.5], len(n_values))] = NAN
    weight = {
        "unit": np.ones(n_rows),
        "whole": rng.integers(1, 4, n_rows).astype(np.float64),
        "fractional": rng.uniform(0.3, 1.7, n_rows),
    }[weights]
    return table_of(X, y, n_values, n_classes=n_classes, weight=weight)


def plain(table, options):
    columns = [[None if cell != cell else cell for cell in column] for column in table.X.T.tolist()]
    n_values = table.schema.n_values.tolist()
    return Growth(columns, n_values, table.y.tolist(), table.n_classes, table.weight.tolist(), options)


def assert_equals_plain(tree, nodes):
    assert tree.attribute.tolist() == [-1 if n["attribute"] is None else n["attribute"] for n in nodes]
    thresholds = [NAN if n["threshold"] is None else n["threshold"] for n in nodes]
    np.testing.assert_array_equal(tree.threshold, thresholds)
    assert np.diff(tree.child_start).tolist() == [len(n["children"]) for n in nodes]
    assert tree.label.tolist() == [n["label"] for n in nodes]
    np.testing.assert_allclose(tree.weight, [n["N"] for n in nodes], atol=1e-9)
    np.testing.assert_allclose(tree.errors, [n["E"] for n in nodes], atol=1e-9)
    np.testing.assert_allclose(tree.class_weight, [n["class_weight"] for n in nodes], atol=1e-9)


def assert_same_tree(tree, other, atol=0.0):
    for name in ("kind", "attribute", "threshold", "child_start", "child", "label"):
        np.testing.assert_array_equal(getattr(tree, name), getattr(other, name), err_msg=name)
    for name in ("weight", "errors", "class_weight"):
        np.testing.assert_allclose(getattr(tree, name), getattr(other, name), rtol=0, atol=atol, err_msg=name)


@pytest.fixture(params=[0, 200, run.BLOCK_BYTES], ids=lambda size: f"{size} bytes")
def block(request, monkeypatch):
    """Sizes of the block into which the cells of small nodes are copied: none, some rows, all."""
    monkeypatch.setattr(run, "BLOCK_BYTES", request.param)


@pytest.mark.usefixtures("block")
@pytest.mark.parametrize("weights", ["unit", "whole"])
def test_without_missing_cells_the_tree_is_that_of_both_twins_bit_for_bit(weights):
    @settings(max_examples=60, deadline=None)
    @given(tables(weights=weights), OPTIONS)
    def check(table, options):
        twin = plain(table, options)
        assert not twin.doubtful
        tree = grow(table, options)
        assert_equals_plain(tree, in_preorder(twin.root))
        assert_same_tree(tree, grow_literal(table, options, single_precision=False))

    check()


@pytest.mark.usefixtures("block")
@pytest.mark.parametrize("weights", ["unit", "whole", "fractional"])
def test_with_missing_cells_the_tree_is_that_of_both_twins_unless_rounding_decides(weights):
    compared = []

    @settings(max_examples=60, deadline=None)
    @given(tables(missing=True, weights=weights), OPTIONS)
    def check(table, options):
        twin = plain(table, options)
        tree = grow(table, options)
        if not twin.doubtful:
            assert_equals_plain(tree, in_preorder(twin.root))
            assert_same_tree(tree, grow_literal(table, options, single_precision=False), atol=1e-9)
        compared.append(not twin.doubtful and tree.n_nodes > 1)

    check()
    assert sum(compared) >= 5


def test_a_larger_table_gives_the_tree_of_the_literal_engine():
    rng = np.random.default_rng(3)
    n_rows = 4000
    X = np.column_stack(
        [rng.normal(size=(n_rows, 3)), rng.integers(0, 30, (n_rows, 3)), rng.integers(0, 4, (n_rows, 2))]
    )
    y = ((X[:, 0] > 0).astype(int) + (X[:, 3] > 12) + (rng.random(n_rows) < 0.2)) % 3
    table = table_of(X, y, [0, 0, 0, 0, 0, 30, 4, 4], n_classes=3)
    tree = grow(table, GrowthOptions())
    assert tree.n_nodes > 500
    assert_same_tree(tree, grow_literal(table, GrowthOptions(), single_precision=False))


@settings(max_examples=40, deadline=None)
@given(tables(), OPTIONS, st.randoms(use_true_random=False))
def test_the_order_of_rows_of_weight_1_without_missing_cells_is_irrelevant(table, options, random):
    rows = list(range(table.n_rows))
    random.shuffle(rows)
    assert_same_tree(grow(table, options), grow(table.take(rows), options))


def test_the_tree_of_the_golf_data_is_the_one_of_the_book():
    # Quinlan (1993), figure 1-2; N and E as the original prints them
    tree = grow(golf(), GrowthOptions())
    assert tree.kind.tolist() == [NOMINAL, NUMERIC, LEAF, LEAF, LEAF, NOMINAL, LEAF, LEAF]
    assert tree.attribute.tolist() == [0, 2, -1, -1, -1, 3, -1, -1]
    assert tree.threshold[1] == 75.0
    assert tree.label.tolist() == [0, 1, 0, 1, 0, 0, 1, 0]
    assert tree.weight.tolist() == [14, 5, 2, 3, 4, 5, 2, 3]
    assert tree.errors.tolist() == [0] * 8
    assert tree.class_weight[[0, 1]].tolist() == [[9, 5], [2, 3]]


def test_missing_cells_share_rows_out_by_the_known_weights():
    # S02: 5 x, 3 y, 2 missing; a missing row goes to x by 5/8 and to y by 3/8
    table = table_of([[0]] * 5 + [[1]] * 3 + [[NAN]] * 2, [1] * 5 + [0] * 3 + [1, 0], [2])
    tree = grow(table, GrowthOptions())
    assert tree.weight.tolist() == [10.0, 6.25, 3.75]
    assert tree.class_weight.tolist() == [[4.0, 6.0], [0.625, 5.625], [3.375, 0.375]]
    assert tree.errors.tolist() == [1.0, 0.625, 0.375]


MOVED = table_of(
    [[0, 2]] * 3 + [[0, 10]] * 3 + [[1, 5]] * 6, [0] * 3 + [1] * 3 + [2] * 6, [2, 0], n_classes=3
)


def test_a_threshold_is_the_greatest_training_value_up_to_the_midpoint():
    # the cut lies between 2 and 10; 5 occurs in another branch
    assert grow(MOVED, GrowthOptions()).threshold[1] == 5.0


def test_a_threshold_is_a_value_of_the_table_itself_not_of_the_one_it_was_taken_from():
    tree = grow(MOVED.take(range(6)), GrowthOptions())
    assert tree.threshold.tolist()[0] == 2.0
    assert tree.n_nodes == 3


def test_rows_of_weight_0_leave_no_trace():
    weightless = MOVED.with_weight(np.array([1.0] * 6 + [0.0] * 6))
    assert_same_tree(grow(weightless, GrowthOptions()), grow(MOVED.take(range(6)), GrowthOptions()))


def test_weight_2_is_the_row_twice():
    rng = np.random.default_rng(5)
    X = rng.normal(size=(200, 4))
    y = (X[:, 0] + X[:, 1] + rng.normal(scale=0.5, size=200) > 0).astype(int)
    twice = rng.integers(1, 3, 200)
    weighted = grow(table_of(X, y, [0] * 4, weight=twice), GrowthOptions())
    repeated = grow(table_of(np.repeat(X, twice, axis=0), np.repeat(y, twice), [0] * 4), GrowthOptions())
    assert weighted.n_nodes > 20
    assert_same_tree(weighted, repeated)


def test_min_cases_counts_weight():
    table = table_of([[0], [1]], [0, 1], [0], weight=[60.0, 60.0])
    assert grow(table, GrowthOptions(min_cases=50)).n_nodes == 3
    assert grow(table, GrowthOptions(min_cases=61)).n_nodes == 1


def test_a_side_of_a_cut_has_25_rows_where_a_tenth_of_a_class_is_more():
    # section 2.3: 0.1 * 600 / 2 = 30, so 25; the best cut would be behind the 24 rows of class 1
    X, y = np.arange(600.0)[:, None], (np.arange(600) < 24).astype(int)
    tree = grow(table_of(X, y, [0]), GrowthOptions())
    assert tree.threshold[0] == 24.0
    assert tree.weight.tolist() == [600, 25, 575]
    assert tree.errors.tolist() == [1, 1, 0]
    # 0.1 * 600 / 10 = 6: classes are counted as declared
    assert grow(table_of(X, y, [0], n_classes=10), GrowthOptions()).threshold[0] == 23.0


def test_a_numeric_gain_pays_for_the_number_of_cuts():
    # 4 rows, one admissible cut, gain 1; 5 rows with 2 cuts: gain 0.971 - log2(2) / 5 still wins
    tree = grow(table_of([[1], [2], [3], [4]], [0, 0, 1, 1], [0]), GrowthOptions())
    assert tree.threshold[0] == 2.0
    # two classes in turn: every gain is below log2(cuts) / n
    alternating = table_of(np.arange(40.0)[:, None], [0, 1] * 20, [0])
    assert grow(alternating, GrowthOptions(collapse=False)).n_nodes == 1


def test_values_that_single_precision_cannot_tell_apart_are_cut():  # S12
    for below, above in ((0.0, 1e-7), (16777216.0, 16777217.0)):
        tree = grow(table_of([[below]] * 3 + [[above]] * 3, [0] * 3 + [1] * 3, [0]), GrowthOptions())
        assert tree.threshold[0] == below
        assert tree.errors[0] == 0.0


@pytest.mark.parametrize(
    ("below", "above"),
    [(1.0, np.nextafter(1.0, 2.0)), (1e308, 1.7e308), (-1.7e308, -1e308), (-1.7e308, 1.7e308)],
)
def test_a_midpoint_that_rounds_up_or_overflows_is_replaced_by_the_lower_value(below, above):
    tree = grow(table_of([[below]] * 3 + [[above]] * 3, [0] * 3 + [1] * 3, [0]), GrowthOptions())
    assert tree.threshold[0] == below
    assert tree.weight.tolist() == [6, 3, 3]


def test_minus_999_is_a_number():
    tree = grow(table_of([[-999]] * 3 + [[1]] * 3, [0] * 3 + [1] * 3, [0]), GrowthOptions())
    assert tree.threshold[0] == -999.0
    assert tree.weight.tolist() == [6, 3, 3]


def test_splits_without_gain_are_made_and_kept_if_they_pay_below():
    X = [[a, b] for a in (0, 1) for b in (0, 1) for _ in range(2)]
    tree = grow(table_of(X, [0, 0, 1, 1, 1, 1, 0, 0], [2, 2]), GrowthOptions())
    assert tree.attribute.tolist() == [0, 1, -1, -1, 1, -1, -1]
    assert tree.errors[0] == 0.0


def test_a_subtree_that_saves_no_error_collapses():
    table = table_of([[0]] * 3 + [[1]] * 3, [0, 0, 0, 0, 0, 1], [2])
    tree = grow(table, GrowthOptions())
    assert tree.kind.tolist() == [LEAF]
    assert tree.errors.tolist() == [1.0]
    assert grow(table, GrowthOptions(collapse=False)).kind.tolist() == [NOMINAL, LEAF, LEAF]


def test_a_branch_without_rows_has_the_class_and_the_weights_of_its_parent():
    tree = grow(table_of([[0]] * 2 + [[2]] * 3, [0, 0, 1, 1, 1], [4]), GrowthOptions())
    assert tree.label.tolist() == [1, 0, 1, 1, 1]
    assert tree.weight.tolist() == [5, 2, 0, 3, 0]
    assert tree.errors.tolist() == [0] * 5
    assert tree.class_weight.tolist() == [[2, 3], [2, 0], [2, 3], [0, 3], [2, 3]]


def test_cuts_of_equal_gain_are_told_apart_by_the_rounding_of_the_original():
    # behind row 1: 2 rows of one class, and 8 rows 2:2:4, 8 * 3 - 12 = 12 bits; behind row 5: 3:3 and 1:2:1,
    # 6 + 6 = 12 bits, but 6 * log2(6) - 2 * 3 * log2(3) = 5.999999999999998 in float64: the greater gain
    y = [0, 0, 2, 2, 0, 2, 1, 0, 2, 1]
    table = table_of(np.arange(10.0)[:, None], y, [0], n_classes=3)
    tree = grow(table, GrowthOptions(max_depth=1))
    assert tree.threshold[0] == 5.0
    assert_same_tree(tree, grow_literal(table, GrowthOptions(max_depth=1), single_precision=False))


def test_of_equal_tests_the_first_attribute_wins():
    tree = grow(table_of([[1, 0, 0]] * 2 + [[0, 1, 1]] * 2, [0, 0, 1, 1], [2, 2, 2]), GrowthOptions())
    assert tree.attribute[0] == 0


def test_attributes_with_many_values_enter_the_average_only_if_all_have_many():
    # 3 values in 6 rows are many (3 >= 0.3 * 6): alone they are used
    X, y = np.repeat([0.0, 1.0, 2.0], 2)[:, None], [0, 0, 1, 1, 0, 0]
    assert grow(table_of(X, y, [3]), GrowthOptions()).n_nodes == 4
    # beside a numeric attribute, useless here, there is no average gain that they could reach
    both = np.hstack([X, np.ones((6, 1))])
    assert grow(table_of(both, y, [3, 0]), GrowthOptions()).n_nodes == 1
    assert grow(table_of(both, y, [3, 0]), GrowthOptions(criterion="gain")).n_nodes == 4


def test_max_depth_is_the_greatest_number_of_tests_on_a_path():
    full = grow(golf(), GrowthOptions(collapse=False))
    assert full.depth == 2
    tree = grow(golf(), GrowthOptions(collapse=False, max_depth=1))
    assert tree.kind.tolist() == [NOMINAL, LEAF, LEAF, LEAF]
    assert grow(golf(), GrowthOptions(max_depth=0)).n_nodes == 1


def test_value_groups_are_left_to_the_literal_engine():
    options = GrowthOptions(group_values=True)
    tree = grow(golf(), options)
    assert SUBSET in tree.kind
    assert_same_tree(tree, grow_literal(golf(), options, single_precision=False))
    # no attribute has more than two values
    X, y = [[0, 1.0]] * 3 + [[1, 2.0]] * 3, [0] * 3 + [1] * 3
    assert grow(table_of(X, y, [2, 0]), options).kind.tolist() == [NOMINAL, LEAF, LEAF]


@pytest.mark.parametrize(
    ("X", "y", "n_values"),
    [
        ([[1.0, 0]], [1], [0, 3]),
        ([[NAN, NAN]] * 8, [0, 1] * 4, [0, 3]),
        ([[2.5, 1]] * 8, [0, 1] * 4, [0, 3]),
        ([[1, 0], [2, 1], [3, 2], [4, 0]], [1] * 4, [0, 3]),
        (np.empty((4, 0)), [1, 1, 1, 0], []),
    ],
    ids=["one row", "all missing", "constant", "one class", "no attributes"],
)
def test_a_table_that_offers_no_test_gives_a_leaf(X, y, n_values):
    tree = grow(table_of(X, y, n_values), GrowthOptions())
    assert tree.kind.tolist() == [LEAF]
    assert tree.weight.tolist() == [len(y)]
    assert tree.label.tolist() == [int(2 * sum(y) > len(y))]
    assert tree.errors.tolist() == [min(sum(y), len(y) - sum(y))]


def test_a_table_without_weight_is_refused():
    with pytest.raises(DataError, match="at least one row with a weight above 0"):
        grow(table_of([[1.0]], [0], [0]).with_weight(np.zeros(1)), GrowthOptions())


@pytest.mark.parametrize("missing", [0.0, 0.02])
def test_a_chain_of_tests_may_be_deep(missing):
    # every attribute tells three rows from all others, the classes of which alternate
    n_tests = 150
    X = np.kron(np.eye(n_tests), np.ones((3, 1)))
    X[np.random.default_rng(1).random(X.shape) < missing] = NAN
    table = table_of(X, np.arange(3 * n_tests) // 3 % 2, [2] * n_tests)
    tree = grow(table, GrowthOptions(collapse=False))
    assert tree.depth >= 70
    literal = grow_literal(table, GrowthOptions(collapse=False), single_precision=False)
    assert_same_tree(tree, literal, atol=1e-9)


def test_thousands_of_values_and_classes_need_no_table_of_both():
    rng = np.random.default_rng(2)
    n_rows, n_values, n_classes = 6000, 3000, 1000
    values = rng.integers(0, n_values, n_rows)
    X = np.column_stack([values, rng.integers(0, n_values, n_rows)])
    table = table_of(X, values % n_classes, [n_values, n_values], n_classes=n_classes)
    tree = grow(table, GrowthOptions())
    assert tree.attribute[0] == 0
    assert tree.errors[0] == 0.0
    assert tree.n_nodes == 1 + n_values


def test_columns_of_more_than_65534_values_are_grown_from_wide_codes():
    x = np.random.default_rng(4).permutation(70_000).astype(np.float64)
    table = table_of(x[:, None], (x > 12_345).astype(int), [0])
    assert table.codes.ranks.dtype == np.uint32
    tree = grow(table, GrowthOptions())
    assert tree.threshold[0] == 12_345.0
    assert tree.weight.tolist() == [70_000, 12_346, 57_654]


@settings(max_examples=60, deadline=None)
@given(st.integers(1, 3000), st.integers(1, 2**20), st.integers(0, 2**32 - 1))
def test_keys_are_sorted_by_rank_and_stay_in_row_order(n_rows, span, seed):
    from trees.growth.fast._kernels_common import sorted_keys

    rng = np.random.default_rng(seed)
    missing = 2**32 - 1
    column = (rng.integers(0, span, n_rows) + rng.integers(0, 1000)).astype(np.uint32)
    column[rng.random(n_rows) < 0.1] = missing
    row = rng.permutation(n_rows).astype(np.int32)
    keys, spare, digits = np.zeros(n_rows, dtype=np.int64), np.arange(n_rows), np.zeros(2050, dtype=np.int64)
    payload = np.arange(n_rows)
    n_known = sorted_keys(column, missing, row, payload, keys, spare, digits)
    ranks = column[row].astype(np.int64)
    known = np.flatnonzero(ranks != missing)
    expected = known[np.argsort(ranks[known], kind="stable")]
    assert keys[:n_known].tolist() == ((ranks[expected] << 32) | expected).tolist()


ARRAYS = (
    "kind",
    "attribute",
    "threshold",
    "child_start",
    "child",
    "label",
    "weight",
    "errors",
    "class_weight",
)


def assert_identical(tree, other):
    for name in ARRAYS:
        np.testing.assert_array_equal(getattr(tree, name), getattr(other, name), err_msg=name)


@pytest.mark.parametrize("least_rows", [0, 1, 7], ids=lambda n: f"from {n} rows")
def test_any_number_of_threads_grows_the_same_tree_bit_for_bit(monkeypatch, least_rows):
    monkeypatch.setattr(threads, "LEAST_ROWS", least_rows)
    in_threads = []
    whole = threads.finish_in_threads
    monkeypatch.setattr(grower, "finish_in_threads", lambda *a: in_threads.append(1) or whole(*a))

    @settings(max_examples=60, deadline=None)
    @given(
        st.booleans(),
        st.sampled_from(["unit", "whole", "fractional"]),
        OPTIONS,
        st.sampled_from([2, 4]),
        st.data(),
    )
    def check(missing, weights, options, n_jobs, data):
        table = data.draw(tables(missing=missing, weights=weights))
        assert_identical(grow(table, options), grow(table, options, n_jobs=n_jobs))

    check()
    assert len(in_threads) >= 60


def test_large_tables_with_missing_cells_grow_the_same_tree_in_threads():
    rng = np.random.default_rng(8)
    X = rng.normal(size=(9000, 6)).round(2)
    X[:, 4] = rng.integers(0, 30, 9000)
    X[:, 5] = rng.integers(0, 3, 9000)
    y = (X[:, 0] * X[:, 1] > 0.3).astype(np.int32) + (X[:, 4] % 3 == 0)
    X[rng.random(X.shape) < 0.15] = NAN
    table = table_of(X, y, [0, 0, 0, 0, 30, 3], n_classes=3, weight=rng.uniform(0.5, 2, 9000))
    tree = grow(table, GrowthOptions())
    assert tree.n_nodes > 300
    for n_jobs in (2, 4, -1):
        assert_identical(tree, grow(table, GrowthOptions(), n_jobs=n_jobs))


def test_thousands_of_small_branches_are_grown_together(monkeypatch):
    monkeypatch.setattr(threads, "LEAST_ROWS", 1)
    rng = np.random.default_rng(2)
    X = np.column_stack([rng.integers(0, 3000, 9000), rng.integers(0, 9, 9000)]).astype(float)
    table = table_of(X, rng.integers(0, 2, 9000), [3000, 0])
    options = GrowthOptions(collapse=False, criterion="gain")
    tree = grow(table, options)
    assert tree.child_start[1] == 3000
    assert_identical(tree, grow(table, options, n_jobs=2))
