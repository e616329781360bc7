"""The generic grower. Numbers: the specification of trees, sections 1 to 4, and hand calculation."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reference import splits_plain

from trees.errors import DataError
from trees.growth.generic import GenericOptions, grow_generic
from trees.growth.route import node_class_weight
from trees.growth.tree import LEAF, NOMINAL, NUMERIC, SUBSET
from trees.schema import Attribute, Schema
from trees.table import Table

NAN = float("nan")
CLASSES = Attribute("class", "nominal", ("p", "n"))


def of_counts(counts, name="A"):
    """A table of one nominal attribute with (p, n) rows per value."""
    values = tuple(counts)
    cells, classes = [], []
    for code, per_class in enumerate(counts.values()):
        for c, n in enumerate(per_class):
            cells += [[float(code)]] * n
            classes += [c] * n
    schema = Schema((Attribute(name, "nominal", values),), CLASSES)
    return Table(schema, np.array(cells), np.array(classes, np.int32))


def of_numbers(values, classes):
    return Table.from_frame(pd.DataFrame({"x": np.array(values, dtype=float)}), list(classes))


# the specification's section 3, a(8,2) b(1,9) c(5,5) d(6,4)
FOUR_VALUES = of_counts({"a": (8, 2), "b": (1, 9), "c": (5, 5), "d": (6, 4)})


def test_two_groups_of_values_are_the_best_of_all_partitions():
    tree = grow_generic(FOUR_VALUES, GenericOptions("gini", "subset", max_depth=1))
    assert tree.kind.tolist() == [SUBSET, LEAF, LEAF]
    assert tree.groups(0) == [[0, 2, 3], [1]]
    inside = sum(
        tree.weight[leaf] / 40 * (1 - ((tree.class_weight[leaf] / tree.weight[leaf]) ** 2).sum())
        for leaf in (1, 2)
    )
    assert inside == pytest.approx(0.3933, abs=1e-4)


def test_more_values_than_may_be_enumerated_are_ordered_by_the_principal_component():
    # three classes along one line: the groups are {v0..v6} and {v7..v13}
    values = tuple(f"v{v}" for v in range(14))
    schema = Schema((Attribute("A", "nominal", values),), Attribute("class", "nominal", ("a", "b", "c")))
    counts = [(6, 3, 1)] * 7 + [(1, 3, 6)] * 7
    cells = np.repeat(np.arange(14.0), 10)[:, np.newaxis]
    y = np.concatenate([np.repeat([0, 1, 2], per_class) for per_class in counts]).astype(np.int32)
    tree = grow_generic(Table(schema, cells, y), GenericOptions("gini", "subset", max_depth=1))
    assert tree.groups(0) == [list(range(7)), list(range(7, 14))]


def test_one_value_against_the_rest():
    tree = grow_generic(FOUR_VALUES, GenericOptions("gini", "one_vs_rest", max_depth=1))
    assert tree.groups(0) == [[1], [0, 2, 3]]
    assert tree.label.tolist() == [0, 1, 0]


def test_equal_splits_take_the_earlier_value():
    # both values gain the same: the two partitions are one
    tree = grow_generic(of_counts({"u": (3, 0), "v": (0, 3)}), GenericOptions("gini", "one_vs_rest"))
    assert tree.groups(0) == [[0], [1]]


def test_equal_splits_take_the_lower_attribute_and_the_lower_threshold():
    X = pd.DataFrame({"x": [1.0, 2.0, 3.0, 4.0], "y": [1.0, 2.0, 3.0, 4.0]})
    tree = grow_generic(Table.from_frame(X, list("abba")), GenericOptions("gini", max_depth=1))
    assert (tree.attribute[0], tree.threshold[0]) == (0, 1.5)


def test_a_branch_per_value_ends_in_the_parents_class_where_no_row_is():
    schema = Schema((Attribute("A", "nominal", ("u", "never", "v")),), CLASSES)
    table = Table(schema, np.array([[0.0], [0.0], [2.0]]), np.array([0, 0, 1], np.int32))
    tree = grow_generic(table, GenericOptions("entropy"))
    assert tree.kind.tolist() == [NOMINAL, LEAF, LEAF, LEAF]
    assert tree.label.tolist() == [0, 0, 0, 1]
    assert tree.weight.tolist() == [3, 2, 0, 1]
    assert tree.class_weight[2].tolist() == [2, 1]
    tree.check()


def test_thresholds_are_midpoints_of_the_values_in_the_node():
    tree = grow_generic(of_numbers([1, 2, 4, 8], "aabb"), GenericOptions())
    assert tree.kind.tolist() == [NUMERIC, LEAF, LEAF]
    assert tree.threshold[0] == 3


def test_a_midpoint_that_rounds_up_becomes_the_lower_value():
    low, high = 1.0, np.nextafter(1.0, 2)
    tree = grow_generic(of_numbers([low, low, high, high], "aabb"), GenericOptions())
    assert tree.threshold[0] == low
    assert tree.errors[0] == 0


@pytest.mark.parametrize(
    ("classes", "threshold"), [("aaabbbbbbb", 28), ("aaaaabbbbb", 37), ("aaaaaaaabb", 49.5)]
)
def test_equidepth_candidates_move_forward_out_of_ties(classes, threshold):
    # section 3: ranks 2, 5, 8 of ten values give 28 (moved out of 25, 25), 37 and 49.5
    values = [22, 25, 25, 31, 34, 40, 41, 47, 52, 60]
    tree = grow_generic(of_numbers(values, classes), GenericOptions(thresholds=4, max_depth=1))
    assert tree.threshold[0] == threshold


def test_equidepth_candidates_leave_other_cuts_untried():
    values = [22, 25, 25, 31, 34, 40, 41, 47, 52, 60]
    tree = grow_generic(of_numbers(values, "abbbbbbbbb"), GenericOptions(thresholds=4, max_depth=1))
    assert tree.threshold[0] == 28


@pytest.mark.parametrize(
    ("options", "n_leaves"),
    [
        (GenericOptions(), 4),
        (GenericOptions(max_depth=1), 2),
        (GenericOptions(min_split=4), 2),
        (GenericOptions(min_leaf=2), 2),
        (GenericOptions(max_leaves=3), 3),
        (GenericOptions(max_leaves=1), 1),
        (GenericOptions(min_gain=0.6), 1),
    ],
)
def test_limits_stop_growing(options, n_leaves):
    table = Table.from_frame(
        pd.DataFrame({"x": [1.0, 2.0, 3.0, 4.0], "y": [1.0, 2.0, 1.0, 2.0]}), list("abcd")
    )
    tree = grow_generic(table, options)
    assert tree.n_leaves == n_leaves
    tree.check()


def test_best_first_splits_where_the_impurity_falls_most():
    # A = u: 9 a and 1 c, decrease .18 times 10 rows; A = v: 5 b and 5 d, decrease .5 times 10 rows
    X = pd.DataFrame({"A": ["u"] * 10 + ["v"] * 10, "x": [float(i) for i in range(10)] * 2})
    tree = grow_generic(Table.from_frame(X, list("aaaaaaaaacbbbbbddddd")), GenericOptions(max_leaves=3))
    assert tree.n_leaves == 3
    assert tree.kind.tolist() == [NOMINAL, LEAF, NUMERIC, LEAF, LEAF]
    assert tree.threshold[2] == 4.5


def test_a_split_without_gain_is_made_only_when_asked():
    xor = pd.DataFrame({"A": list("uuvv"), "B": list("xyxy")})
    table = Table.from_frame(xor, list("pnnp"))
    assert grow_generic(table, GenericOptions("entropy")).n_nodes == 1
    assert grow_generic(table, GenericOptions("entropy", min_gain=-1.0)).n_leaves == 4


def test_labels_tie_to_the_class_more_frequent_in_the_table_then_to_class_order():
    tree = grow_generic(of_counts({"u": (1, 1), "v": (0, 3)}), GenericOptions("entropy", max_depth=1))
    assert tree.label.tolist() == [1, 1, 1]
    tree = grow_generic(of_counts({"u": (1, 1), "v": (1, 1)}), GenericOptions("entropy"))
    assert tree.label.tolist() == [0]


def test_rows_with_a_missing_cell_go_to_the_heavier_branch():
    table = of_numbers([1, 1, 1, 2, 2, NAN], "aaabbb")
    tree = grow_generic(table, GenericOptions(max_depth=1, missing="largest"))
    assert tree.missing == "largest"
    assert tree.weight.tolist() == [6, 4, 2]
    assert tree.class_weight.tolist() == [[3, 3], [3, 1], [0, 2]]


def test_rows_with_a_missing_cell_are_divided_among_the_branches():
    table = of_numbers([1, 1, 1, 2, 2, NAN], "aaabbb")
    tree = grow_generic(table, GenericOptions(max_depth=1, missing="fractions"))
    assert tree.weight.tolist() == [6, 3.6, 2.4]
    np.testing.assert_allclose(tree.class_weight, [[3, 3], [3, 0.6], [0, 2.4]])


def test_missing_cells_lower_what_a_split_is_worth():
    # y separates the classes in the three rows where it is known, x all but one row
    X = pd.DataFrame({"y": [1, NAN, NAN, NAN, 2, 2], "x": [1, 1, 1, 2, 2, 1.0]})
    tree = grow_generic(Table.from_frame(X, list("aaabbb")), GenericOptions(max_depth=1))
    assert tree.attribute[0] == 1


def test_a_table_without_rows_is_an_error():
    table = of_numbers([1, 2], "ab").take([])
    with pytest.raises(DataError, match="at least one row"):
        grow_generic(table, GenericOptions())


def test_weight_two_counts_as_the_row_twice_and_row_order_does_not_matter():
    rng = np.random.default_rng(5)
    X = pd.DataFrame({"x": rng.normal(size=60), "A": rng.choice(list("uvw"), 60)})
    y = rng.choice(list("abc"), 60)
    table = Table.from_frame(X.assign(A=pd.Categorical(X["A"])), y)
    weight = rng.integers(1, 4, 60)
    weighted = grow_generic(table.with_weight(weight.astype(float)), GenericOptions("gini", "subset"))
    repeated = grow_generic(
        table.take(rng.permutation(np.repeat(np.arange(60), weight))), GenericOptions("gini", "subset")
    )
    assert str(weighted) == str(repeated)


@st.composite
def nodes(draw):
    n_rows = draw(st.integers(2, 14))
    n_classes = draw(st.integers(2, 4))
    attributes, columns = [], []
    for a in range(draw(st.integers(1, 3))):
        if draw(st.booleans()):
            n_values = draw(st.integers(1, 5))
            attributes.append(Attribute(f"a{a}", "nominal", tuple(f"v{v}" for v in range(n_values))))
            cells = st.integers(0, n_values - 1).map(float)
        else:
            attributes.append(Attribute(f"a{a}", "numeric"))
            cells = st.integers(-3, 6).map(float) | st.just(1e9)
        columns.append(draw(st.lists(cells | st.just(NAN), min_size=n_rows, max_size=n_rows)))
    target = Attribute("class", "nominal", tuple("abcd"[:n_classes]))
    y = draw(st.lists(st.integers(0, n_classes - 1), min_size=n_rows, max_size=n_rows))
    weight = draw(
        st.just([1.0] * n_rows)
        | st.lists(st.sampled_from([0.25, 1.0, 1.5, 3.0]), min_size=n_rows, max_size=n_rows)
    )
    return Table(
        Schema(tuple(attributes), target),
        np.ascontiguousarray(np.array(columns).T),
        np.array(y, np.int32),
        np.array(weight),
    )


@settings(max_examples=150, deadline=None)
@given(
    nodes(),
    st.sampled_from(["gini", "entropy", "error_rate", "gain_ratio"]),
    st.sampled_from(["multiway", "subset", "one_vs_rest"]),
    st.sampled_from(["all", 2, 3]),
    st.sampled_from([1.0, 2.5]),
)
def test_the_root_split_is_that_of_plain_enumeration(table, criterion, nominal_split, thresholds, min_leaf):
    options = GenericOptions(
        criterion, nominal_split, thresholds, min_leaf=min_leaf, min_gain=-1.0, max_depth=1, min_split=0.0
    )
    tree = grow_generic(table, options)
    if np.count_nonzero(tree.class_weight[0]) < 2:
        assert tree.is_leaf(0)
        return
    plain = splits_plain.best_split(table, np.arange(table.n_rows), table.weight, options)
    assert tree.is_leaf(0) == (plain is None)
    if plain is None:
        return
    attribute, what, worth, _ = plain
    found = _worth_of_root(tree, table, options)
    assert found == pytest.approx(worth, abs=1e-9)
    if tree.attribute[0] == attribute and tree.kind[0] == NUMERIC:
        low, high = what
        assert low <= tree.threshold[0] < high
    tree.check()
    np.testing.assert_allclose(node_class_weight(tree, table)[0], tree.class_weight[0])


def _worth_of_root(tree, table, options):
    """What the rows with a known cell say of the test at the root."""
    known = ~np.isnan(table.X[:, tree.attribute[0]])
    counts = node_class_weight(tree, table.take(known))[tree.children(0)]
    branches = [row.tolist() for row in counts if row.sum() > 0]
    worth, _ = splits_plain.judge(branches, options)
    return worth * table.weight[known].sum() / table.weight.sum()
