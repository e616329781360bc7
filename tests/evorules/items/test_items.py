"""Items, their bits, and rules as arrays."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from reference.mining_tables import CLASSES, frame_of, items_of, play10, tables

from evorules.items import CarSet, Items
from evorules.mining import Apriori
from trees.discretize import MDLP, EqualWidth
from trees.errors import DataError
from trees.measures import confidence, information_gain
from trees.rule import Condition
from trees.table import Table

NUMBERS = pd.DataFrame({"x": [1.0, 2.0, 3.0, 4.0, np.nan, 9.0], "flat": [1.0] * 6, "c": list("aabbab")})


def numeric_items():
    table = Table.from_frame(NUMBERS, list("ppnnpn"))
    return table, Items.of(table, EqualWidth(2).fit(table))


def test_items_are_numbered_by_attribute_then_value():
    items = items_of(*play10())
    assert items.n_items == 10
    assert [items.describe(i) for i in (0, 2, 3, 6, 9)] == [
        "outlook = rainy",
        "outlook = sunny",
        "temperature = cool",
        "humidity = normal",
        "windy = true",
    ]
    assert items.start.tolist() == [0, 3, 6, 8, 10]
    assert items.class_totals.tolist() == [7, 3]
    assert items.n_rows == 10


def test_every_class_starts_at_a_word_and_rows_keep_their_order_in_it():
    items = items_of(*play10())
    assert items.class_start.tolist() == [0, 1, 2]
    # rows 1 3 5 6 7 8 9 say yes, rows 2 4 10 no (specs/00-conventions); rainy are 1 2 5 7, mild 4 9 10
    assert items.bits[0].tolist() == [0b0010101, 0b001]
    assert items.bits[5].tolist() == [0b1000000, 0b110]
    with pytest.raises(ValueError, match="read-only"):
        items.bits[0, 0] = 0


def test_classes_without_rows_have_no_words():
    items = items_of(pd.DataFrame({"a": ["u"] * 65}), pd.Categorical(["q"] * 65, ["p", "q", "r"]))
    assert items.class_start.tolist() == [0, 0, 2, 2]
    assert items.bits.tolist() == [[2**64 - 1, 1]]


def test_an_interval_is_an_item_and_a_numeric_column_without_cuts_has_none():
    table, items = numeric_items()
    assert [items.describe(i) for i in range(items.n_items)] == ["x <= 5", "x > 5", "c = a", "c = b"]
    assert items.encode(table)[:, 0].tolist() == [0, 0, 0, 0, -1, 1]
    assert items.encode(table)[:, 1].tolist() == [-1] * 6
    assert items.encode(table)[:, 2].tolist() == [2, 2, 3, 3, 2, 3]
    assert items.conditions([1, 3]) == (Condition(0, ">", 5.0), Condition(2, "in", (1,)))


def test_an_inner_interval_reads_as_one():
    table = Table.from_frame(NUMBERS[["x"]], list("ppnnpn"))
    items = Items.of(table, EqualWidth(4).fit(table))
    assert items.describe(1) == "3 < x <= 5"


def test_whole_number_weights_repeat_rows():
    X, y = play10()
    items = items_of(X, y, sample_weight=[3.0] + [1.0] * 9)
    assert items.class_totals.tolist() == [9, 3]
    cars = CarSet.of_rules(items, [([0], 0)])
    assert (cars.covered.tolist(), cars.correct.tolist()) == ([6], [5])


def test_more_rows_than_can_be_counted_are_refused():
    X, y = play10()
    with pytest.raises(
        DataError, match=r"adds up to 1e\+10 rows, of which at most 2147483647 can be counted"
    ):
        items_of(X, y, sample_weight=[1e9] * 10)


def test_other_weights_are_refused_with_the_row_and_the_way_out():
    X, y = play10()
    with pytest.raises(DataError, match=r"whole numbers; row 1 has 0\.5\. Multiply the weights"):
        items_of(X, y, sample_weight=[1.0, 0.5] + [1.0] * 8)


def test_a_table_of_other_attributes_is_refused():
    items = items_of(*play10())
    other = Table.from_frame(pd.DataFrame({"a": ["u", "v"]}), ["p", "q"])
    with pytest.raises(DataError, match="other attributes than the items"):
        items.encode(other)
    with pytest.raises(DataError, match="no class column"):
        Items.of(Table.from_frame(pd.DataFrame({"a": ["u", "v"]})), items.cuts)


@settings(max_examples=50, deadline=None)
@given(tables())
def test_bits_tell_the_cells(table):
    rows, labels = table
    read = Table.from_frame(frame_of(rows), pd.Categorical(labels, CLASSES))
    items = Items.of(read, MDLP().fit(read))
    held = items.encode(read)
    for c in range(len(CLASSES)):
        own = [r for r, label in enumerate(labels) if label == CLASSES[c]]
        for place, row in enumerate(own):
            at = 64 * int(items.class_start[c]) + place
            found = [i for i in range(items.n_items) if int(items.bits[i, at // 64]) >> (at % 64) & 1]
            assert found == sorted(item for item in held[row].tolist() if item >= 0)
            assert [(items.attribute[i], "uvw"[items.code[i]]) for i in found] == [
                (a, value) for a, value in enumerate(rows[row]) if value is not None
            ]


def test_counts_of_rules_equal_those_of_rule_objects():
    X, y = play10()
    table = Table.from_frame(X, y)
    items = Items.of(table, MDLP().fit(table))
    cars = Apriori(min_support=1, min_confidence=0.0).mine(items)
    rules = cars.rules()
    for r, rule in enumerate(rules):
        counts = np.bincount(table.classes[rule.match(table)], minlength=2)
        assert cars.counts.class_counts[r].tolist() == counts.tolist() == list(rule.counts)
        assert (cars.covered[r], cars.correct[r]) == (rule.covered, rule.correct)
    np.testing.assert_allclose(confidence(cars.counts), [rule.confidence for rule in rules])
    assert information_gain(cars.counts).min() >= 0


def test_the_empty_antecedent_covers_all_rows_but_no_padding():
    cars = CarSet.of_rules(items_of(*play10()), [([], 0), ([0], 0), ([], 1), ([0, 8], 1), ([0, 8], 0)])
    assert cars.counts.class_counts.tolist() == [[7, 3], [3, 1], [7, 3], [3, 0], [3, 0]]


def test_rules_can_be_taken_by_position_and_by_mask():
    cars = Apriori(min_support=2).mine(items_of(*play10()))
    some = cars.take([5, 0, 31])
    assert [some.antecedent(r).tolist() for r in range(3)] == [
        cars.antecedent(r).tolist() for r in (5, 0, 31)
    ]
    assert some.counts.class_counts.tolist() == cars.counts.class_counts[[5, 0, 31]].tolist()
    mask = np.zeros(len(cars), dtype=bool)
    mask[[0, 5]] = True
    assert cars.take(mask).covered.tolist() == cars.covered[[0, 5]].tolist()
    rules = cars.rules([5, 0], {"rank": [1, 2]})
    assert [rule.scores["rank"] for rule in rules] == [1.0, 2.0]


def test_the_frame_names_support_and_coverage_apart():
    # specs/orderings-and-voting: h=normal, w=false => yes 5/5, chi-square 4.286
    cars = Apriori(min_support=2).mine(items_of(*play10()))
    frame = cars.to_frame().set_index("rule")
    row = frame.loc["humidity = normal AND windy = false"]
    assert (row["class"], row["covered"], row["correct"], row["n_conditions"]) == ("yes", 5, 5, 2)
    assert (row["support"], row["coverage"], row["confidence"]) == (0.5, 0.5, 1.0)
    assert row["chi_square"] == pytest.approx(4.286, abs=5e-4)
    assert np.isinf(row["conviction"])
    assert frame.loc["windy = false", "information_gain"] == pytest.approx(0.1916, abs=5e-5)
