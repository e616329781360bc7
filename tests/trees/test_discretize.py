"""Cutting numeric attributes. Numbers: the specification of discretisation, and hand calculation."""

import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reference import mdlp_plain

from trees.discretize import DISCRETIZERS, MDLP, Cuts, EqualFrequency, EqualWidth, LucsKdd
from trees.discretize.cuts import midpoint
from trees.errors import DataError, ParameterError
from trees.schema import Attribute, Schema
from trees.table import Table

NAN = float("nan")
SCHEMA = Schema(
    (Attribute("age", "numeric"), Attribute("town", "nominal", ("Oslo", "Rome"))),
    Attribute("buys", "nominal", ("no", "yes")),
)
CUTS = Cuts(SCHEMA, (np.array([30.0, 60.5]), None))


def made(values, classes=None):
    frame = pd.DataFrame({"x": np.array(values, dtype=float)})
    return Table.from_frame(frame, list("a" * len(values) if classes is None else classes))


@pytest.mark.parametrize(
    ("make", "name"),
    [
        (lambda: EqualWidth(0), "n_bins"),
        (lambda: EqualWidth("ten"), "n_bins"),
        (lambda: EqualWidth(2.5), "n_bins"),
        (lambda: EqualFrequency(True), "n_bins"),
        (lambda: MDLP(min_bins=3), "min_bins"),
        (lambda: MDLP(better_encoding="no"), "better_encoding"),
        (lambda: LucsKdd(0), "max_divisions"),
        (lambda: LucsKdd(n_buckets=-3), "n_buckets"),
    ],
)
def test_parameters_are_checked_when_a_discretizer_is_made(make, name):
    with pytest.raises(ParameterError, match=f"The '{name}' parameter of"):
        make()


def points(discretizer, values, classes=None):
    return discretizer.fit(made(values, classes)).points[0].tolist()


@pytest.mark.parametrize(
    ("classes", "expected"),
    [
        ("AAAAABBBBBCC", [5.5, 10.5]),
        ("AAAABAABBBBB", [7.5]),
        ("AAAABBBBAAAA", []),
        ("A" * 8 + "B" * 8, [8.5]),
        ("AAAA", []),
    ],
)
def test_mdlp_gives_the_cuts_of_the_worked_examples(classes, expected):
    assert points(MDLP(), range(1, len(classes) + 1), classes) == expected


def test_mdlp_cuts_only_between_distinct_values():
    assert points(MDLP(), [1, 1, 2, 2, 3, 3, 4, 4], "AAABBBBA") == []
    assert points(MDLP(min_bins=2), [1, 1, 2, 2, 3, 3, 4, 4], "AAABBBBA") == [1.5]


def test_mdlp_takes_the_lowest_of_equally_good_cuts():
    # section 1: 4.5 and 8.5 tie
    assert points(MDLP(min_bins=2), range(1, 13), "AAAABBBBAAAA") == [4.5]


def test_the_fallback_cuts_no_attribute_without_gaps():
    assert points(MDLP(min_bins=2), [3, 3, 3], "ABA") == []
    assert points(MDLP(min_bins=2), [1, 2, 3], "AAA") == []


def test_the_better_encoding_charges_less():
    # 40 rows, 4 values: gain .1911 against (log2 39 + 4.028) / 40 = .2328 or (log2 3 + 4.028) / 40 = .1403
    values = np.repeat([1, 2, 3, 4], 10)
    classes = ("A" * 8 + "B" * 2) * 2 + ("A" * 3 + "B" * 7) * 2
    assert points(MDLP(), values, classes) == []
    assert points(MDLP(better_encoding=True), values, classes) == [2.5]


def test_mdlp_takes_weights_for_numbers_of_rows():
    table = made(range(1, 9), "AAABABBB")
    assert MDLP().fit(table).points[0].tolist() == []
    assert MDLP().fit(table.with_weight(np.full(8, 2.0))).points[0].tolist() == [3.5]
    assert points(MDLP(), list(range(1, 9)) * 2, "AAABABBB" * 2) == [3.5]


def test_mdlp_leaves_missing_cells_out():
    values = [*range(1, 17), NAN, NAN]
    assert points(MDLP(), values, "A" * 8 + "B" * 8 + "BB") == [8.5]


@settings(max_examples=150, deadline=None)
@given(
    st.lists(st.tuples(st.integers(0, 12), st.integers(0, 3)), min_size=1, max_size=40),
    st.booleans(),
)
def test_mdlp_over_boundaries_equals_mdlp_over_all_midpoints(cells, better):
    values, classes = [float(v) for v, _ in cells], [c for _, c in cells]
    found = points(MDLP(better_encoding=better), values, classes)
    assert found == pytest.approx(mdlp_plain.cuts(values, classes, better))


def test_equal_width_cuts_the_range_evenly():
    assert points(EqualWidth(), [0, 1, 2, 10]) == [2, 4, 6, 8]
    assert points(EqualWidth(2), [-1, 1]) == [0]
    assert points(EqualWidth(1), [0, 1]) == []
    assert points(EqualWidth(), [3, 3, NAN]) == []
    # ceil(1 + log2 8) = 4 bins
    assert points(EqualWidth("sturges"), [0, 1, 2, 3, 4, 5, 6, 8]) == [2, 4, 6]


def test_equal_width_of_an_enormous_range_stays_finite():
    assert points(EqualWidth(2), [-1.5e308, 1.5e308]) == [0]


def test_equal_frequency_moves_cuts_to_the_nearest_gap():
    assert points(EqualFrequency(4), [22, 25, 25, 31, 34, 40, 41, 47, 52, 60]) == [28, 37, 49.5]
    # rank 2 of 8 inside the ones: the gap behind them is the nearest; rank 4 likewise; rank 6 exact
    assert points(EqualFrequency(4), [1, 1, 1, 1, 1, 2, 3, 4]) == [1.5, 2.5]
    assert points(EqualFrequency(3), [1, 2, 2, 2, 2, 2]) == [1.5]
    assert points(EqualFrequency(3), [5, 5, 5]) == []


def test_lucs_kdd_divisions_are_those_of_the_worked_examples():
    # section 4: whole numbers 1 to 12 give 11 buckets
    assert points(LucsKdd(), range(1, 13), "AAAABAABBBBB") == [4, 5, 7]
    # A4+B1 4/5, B1+A2 2/3, A2+B5 5/7: the first pair becomes A and takes the next A
    assert points(LucsKdd(3), range(1, 13), "AAAABAABBBBB") == [7]
    values, classes = [0, 1, 2.5, 4, 4, 7, 9, 10], "AABBACCC"
    assert points(LucsKdd(5, n_buckets=10), values, classes) == [1, 4]
    assert points(LucsKdd(2, n_buckets=10), values, classes) == [4]
    assert points(LucsKdd(1, n_buckets=10), values, classes) == []


def test_lucs_kdd_merges_the_neighbours_on_both_sides_of_a_new_class():
    # divisions A3 B1 A3: any union is A, and takes the other A
    assert points(LucsKdd(2), range(7), "AAABAAA") == []
    # C2 A2 B1 A2 C2: A2 and B1 become A and take the next A
    assert points(LucsKdd(4), range(9), "CCAABAACC") == [1, 6]


def test_lucs_kdd_without_any_dominant_class_cuts_nothing():
    assert points(LucsKdd(), [0, 0, 1, 1], "ABAB") == []
    assert points(LucsKdd(), [3, 3], "AB") == []


def test_codes_of_intervals_are_closed_on_the_right():
    X = np.array([[29.0, 1], [30.0, 0], [30.1, NAN], [60.5, 1], [1e300, 1], [NAN, 0]])
    coded = CUTS.encode(X)
    np.testing.assert_array_equal(coded[:, 0], [0, 0, 1, 1, 2, NAN])
    np.testing.assert_array_equal(coded[:, 1], X[:, 1])


def test_a_cut_table_is_nominal_and_keeps_classes_and_weights():
    table = Table(SCHEMA, np.array([[25.0, 0], [70.0, 1]]), np.array([0, 1], np.int32), np.array([1.0, 2.0]))
    cut = CUTS.apply(table)
    assert cut.schema.attributes[0].values == ("(-inf, 30]", "(30, 60.5]", "(60.5, inf)")
    assert cut.schema.target == SCHEMA.target
    assert cut.X.tolist() == [[0, 0], [2, 1]]
    assert cut.weight.tolist() == [1, 2]


def test_intervals_turn_back_into_conditions_that_match_their_rows():
    rng = np.random.default_rng(0)
    X = np.column_stack([rng.choice([10, 30, 30.5, 60.5, 61, NAN], 50), rng.choice([0, 1, NAN], 50)])
    coded = CUTS.encode(X)
    for a in range(2):
        for code in range(CUTS.n_intervals[a]):
            matches = np.all([condition.match(X) for condition in CUTS.conditions(a, code)], axis=0)
            np.testing.assert_array_equal(matches, coded[:, a] == code)
    texts = [[c.describe(SCHEMA) for c in CUTS.conditions(0, code)] for code in range(3)]
    assert texts == [["age <= 30"], ["age > 30", "age <= 60.5"], ["age > 60.5"]]
    assert CUTS.conditions(1, 1)[0].describe(SCHEMA) == "town = Rome"


def test_attributes_without_cuts_are_listed_and_have_one_interval():
    cuts = Cuts(SCHEMA, (np.empty(0), None))
    assert cuts.uncut == [0]
    assert CUTS.uncut == []
    assert cuts.n_intervals.tolist() == [1, 2]
    assert cuts.conditions(0, 0) == ()
    assert cuts.cut_schema.attributes[0].values == ("(-inf, inf)",)


def test_cuts_survive_a_round_trip():
    again = Cuts.from_dict(CUTS.to_dict(), SCHEMA)
    assert again.points[1] is None
    np.testing.assert_array_equal(again.points[0], CUTS.points[0])


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        ((np.array([1.0]),), "entry for each"),
        ((None, None), "'age' is numeric"),
        ((np.array([1.0]), np.array([1.0])), "'town' is nominal"),
        ((np.array([2.0, 1.0]), None), "ascending"),
        ((np.array([np.inf]), None), "finite"),
    ],
)
def test_cuts_that_do_not_fit_are_errors(bad, message):
    with pytest.raises(DataError, match=message):
        Cuts(SCHEMA, bad)


def test_tables_of_another_schema_are_refused():
    with pytest.raises(DataError, match="other attributes"):
        CUTS.apply(made([1, 2]))


@pytest.mark.parametrize("name", DISCRETIZERS)
def test_cuts_are_found_in_the_rows_given_alone(name):
    # a subset of a table shares the parent's encoding, but not its values
    rng = np.random.default_rng(2)
    table = made(rng.normal(size=80), rng.choice(list("ab"), 80))
    part = np.arange(0, 80, 2)
    alone = made(table.X[part, 0], np.array(list("ab"))[table.classes[part]])
    shared = DISCRETIZERS[name]().fit(table.take(part))
    np.testing.assert_array_equal(shared.points[0], DISCRETIZERS[name]().fit(alone).points[0])


def test_midpoints_stay_between_their_neighbours():
    assert midpoint(1, 2) == 1.5
    low = 1.0
    assert midpoint(low, math.nextafter(low, 2)) == low
    assert math.isfinite(midpoint(1.6e308, 1.7e308))
