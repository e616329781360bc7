"""Every miner against brute force, against each other, and against the worked examples."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reference import mining_plain
from reference.mining_tables import (
    CLASSES,
    arrays_of,
    as_dict,
    frame_of,
    items_of,
    play10,
    random_table,
    tables,
)

from evorules.items import CarSet
from evorules.mining import MINERS, CarCA, TFPCMiner
from evorules.mining.thresholds import least_rows

ALL_RULES = ("apriori", "bitset", "fp_growth")
"""The miners that find every rule; with survival="all" also car_ca."""


def complete(name, **parameters):
    if name == "car_ca":
        parameters = {"strict_confidence": False, "survival": "all", **parameters}
    return MINERS[name](**parameters)


@settings(max_examples=25, deadline=None)
@given(
    tables(),
    st.sampled_from([1, 2, 0.1, 0.25]),
    st.sampled_from([0.0, 0.3, 0.5, 0.9, 1.0]),
    st.sampled_from(["rule", "antecedent", "balanced"]),
    st.booleans(),
    st.sampled_from([None, 1, 2, 3]),
)
@pytest.mark.parametrize("name", [*ALL_RULES, "car_ca"])
def test_miners_find_the_rules_of_brute_force(name, table, support, confidence, on, strict, max_len):
    rows, labels = table
    items = items_of(frame_of(rows), pd.Categorical(labels, CLASSES))
    miner = complete(
        name,
        min_support=support,
        min_confidence=confidence,
        strict_confidence=strict,
        support_on="antecedent" if on == "antecedent" else "rule",
        class_support="balanced" if on == "balanced" else "global",
        max_len=max_len,
    )
    least = least_rows(support, len(rows))
    if on == "balanced":
        least = [least_rows(support, labels.count(c)) for c in CLASSES]
    expected = mining_plain.rules(
        rows,
        labels,
        CLASSES,
        min_rows=least,
        min_confidence=confidence,
        max_len=max_len,
        strict=strict,
        on_antecedent=on == "antecedent",
    )
    cars = miner.mine(items)
    assert as_dict(cars) == expected
    assert not cars.truncated


@pytest.mark.parametrize("name", [*ALL_RULES, "car_ca"])
@pytest.mark.parametrize("shape", [(3000, 6, 4, 2), (2500, 5, 5, 9), (700, 7, 3, 1)])
def test_miners_agree_on_tables_large_enough_to_pack_rows_anew(name, shape):
    items = items_of(*random_table(7, *shape))
    for support_on in ("rule", "antecedent"):
        parameters = {"min_support": 0.002, "support_on": support_on, "min_confidence": 0.4}
        expected = MINERS["bitset"](**parameters).mine(items)
        assert len(expected) > 100
        assert expected.counts.class_counts.sum(axis=1).tolist() == expected.covered.tolist()
        for found, wanted in zip(
            arrays_of(complete(name, **parameters).mine(items)), arrays_of(expected), strict=True
        ):
            np.testing.assert_array_equal(found, wanted)


@pytest.mark.parametrize("name", [*ALL_RULES, "car_ca"])
def test_play10_has_the_rules_that_the_specification_counts(name):
    # specs/car-mining, section 11
    items = items_of(*play10())
    assert len(complete(name, min_support=2).mine(items)) == 32
    assert len(complete(name, min_support=2, strict_confidence=True).mine(items)) == 28
    pure = complete(name, min_support=1, min_confidence=1.0).mine(items)
    assert len(pure) == 56
    assert len(mining_plain.most_general(as_dict(pure))) == 14
    assert len(TFPCMiner(min_support=1, min_confidence=1.0).mine(items)) == 14


def test_rules_stand_in_generation_order():
    cars = MINERS["bitset"](min_support=2).mine(items_of(*play10()))
    keys = [(len(cars.antecedent(r)), *cars.antecedent(r), cars.consequent[r]) for r in range(len(cars))]
    assert keys == sorted(keys)
    frame = cars.to_frame()
    assert frame["rule"].tolist()[:3] == ["outlook = rainy", "outlook = overcast", "outlook = sunny"]
    assert frame["class"].tolist()[2:4] == ["yes", "no"]


def test_tfpc_finds_the_general_rules_of_the_worked_example():
    # specs/tfpc, worked example
    items = items_of(*play10())
    general = TFPCMiner(min_support=2, min_confidence=0.9).mine(items).to_frame()
    assert (general["rule"] + " => " + general["class"]).tolist() == [
        "outlook = overcast => yes",
        "temperature = hot => yes",
        "outlook = rainy AND windy = false => yes",
        "outlook = sunny AND temperature = mild => no",
        "outlook = sunny AND humidity = normal => yes",
        "outlook = sunny AND humidity = high => no",
        "temperature = cool AND windy = false => yes",
        "humidity = normal AND windy = false => yes",
    ]
    half = TFPCMiner(min_support=2).mine(items)
    assert half.size.tolist() == [1] * 12


@settings(max_examples=25, deadline=None)
@given(tables(), st.sampled_from([1, 2, 3]), st.sampled_from([0.3, 0.5, 0.8]), st.booleans())
def test_tfpc_finds_the_rules_without_a_more_general_one(table, least, confidence, block):
    rows, labels = table
    items = items_of(frame_of(rows), pd.Categorical(labels, CLASSES))
    cars = TFPCMiner(min_support=least, min_confidence=confidence, block_all_classes=block).mine(items)
    found = mining_plain.rules(rows, labels, CLASSES, min_rows=least, min_confidence=confidence)
    assert as_dict(cars) == mining_plain.most_general(found, whatever_class=block)


def test_car_ic_keeps_the_22_rules_of_the_worked_example():
    # specs/car-ic, worked example, minimum count 2; the order here is generation order
    cars = CarCA(min_support=2).mine(items_of(*play10()))
    assert len(cars) == 22
    texts = cars.to_frame()["rule"].tolist()
    counts = dict(zip(texts, zip(cars.correct.tolist(), cars.covered.tolist(), strict=True), strict=True))
    assert texts[-1] == "outlook = rainy AND temperature = cool AND humidity = normal AND windy = false"
    assert counts[texts[-1]] == (3, 3)
    assert counts["temperature = cool AND humidity = normal AND windy = false"] == (4, 4)
    assert counts["temperature = mild AND humidity = high"] == (2, 3)
    assert counts["windy = false"] == (6, 7)
    # a certain rule whose beginning fails
    assert "outlook = sunny AND temperature = mild" not in counts


@settings(max_examples=25, deadline=None)
@given(tables(), st.sampled_from([1, 2, 3]), st.sampled_from([0.3, 0.5, 0.8]), st.booleans(), st.data())
def test_car_ic_equals_the_recursion_over_prefixes(table, least, confidence, keep_dropped, data):
    rows, labels = table
    items = items_of(frame_of(rows), pd.Categorical(labels, CLASSES))
    miner = CarCA(min_support=least, min_confidence=confidence, keep_dropped=keep_dropped)
    held = [(c, value) for c in range(len(rows[0])) for value in "uvw"]
    expected = mining_plain.car_ic(
        rows, labels, held, min_rows=least, min_confidence=confidence, keep_dropped=keep_dropped
    )
    assert as_dict(miner.mine(items)) == expected
    order = data.draw(st.sampled_from(["support_desc", "conf_desc"]))
    other = as_dict(CarCA(min_support=least, min_confidence=confidence, item_order=order).mine(items))
    every = mining_plain.rules(rows, labels, CLASSES, min_rows=least, min_confidence=confidence, strict=True)
    assert other.items() <= every.items()
    assert {key for key in other if len(key[0]) == 1} == {key for key in every if len(key[0]) == 1}


def test_the_strict_join_of_car_ic_extends_by_items_that_made_rules_only():
    # specs/car-mining, section 4: a=p => yes 2/3; c=x fails with it (1/2), but not with a=p and b=s (1/1)
    X = pd.DataFrame([("p", "s", "x"), ("p", "t", "x"), ("p", "s", "y")], columns=["a", "b", "c"])
    items = items_of(X, ["yes", "no", "yes"])
    texts = {
        join: set(CarCA(min_support=1, sibling_join=join).mine(items).to_frame()["rule"])
        for join in ("frequent", "strict")
    }
    assert texts["frequent"] - texts["strict"] == {
        "a = p AND b = s AND c = x",
        "b = s AND c = x",
        "b = t AND c = x",
    }
    assert texts["strict"] < texts["frequent"]


def test_the_order_of_rows_and_weights_of_two_do_not_matter():
    X, y = random_table(3, 200, 4, 3, 3)
    shuffled = np.random.default_rng(0).permutation(200)
    twice = np.repeat(np.arange(200), 2)
    for name in MINERS:
        miner = MINERS[name](min_support=0.02)
        plain = miner.mine(items_of(X, y))
        moved = miner.mine(items_of(X.iloc[shuffled].reset_index(drop=True), y[shuffled]))
        weighted = miner.mine(items_of(X, y, sample_weight=np.full(200, 2.0)))
        repeated = miner.mine(items_of(X.iloc[twice].reset_index(drop=True), y[twice]))
        for a, b in zip(arrays_of(plain), arrays_of(moved), strict=True):
            np.testing.assert_array_equal(a, b)
        for a, b in zip(arrays_of(weighted), arrays_of(repeated), strict=True):
            np.testing.assert_array_equal(a, b)
        assert weighted.covered.tolist() == (2 * plain.covered).tolist()


@pytest.mark.parametrize("name", MINERS)
def test_a_table_without_frequent_items_gives_no_rules(name):
    items = items_of(pd.DataFrame({"a": list("abcd")}), list("xyxy"))
    cars = MINERS[name](min_support=0.9).mine(items)
    assert isinstance(cars, CarSet)
    assert len(cars) == 0
    assert len(cars.to_frame()) == 0
    assert MINERS[name](min_support=50).mine(items).start.tolist() == [0]
    assert MINERS[name](min_support=50, support_on="antecedent").mine(items).start.tolist() == [0]
