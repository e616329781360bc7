import numpy as np
import pandas as pd
import pytest
from reference.play10 import cars, named, table

from evorules.hybrids import GARuleClassifier
from evorules.rules import AllRules, BestK, BestRule, RuleSet, TrainingRules, Unmatched, class_preference
from evorules.rules.ordering import ORDERINGS, csa
from evorules.rules.pruning import correlated, cover, general
from trees.errors import DataError
from trees.rule import Condition, Rule, RuleList
from trees.schema import Attribute, Schema
from trees.table import Table


def test_mined_rules_speak_of_the_schema_before_cutting():
    mined = cars()
    rules = RuleSet.of_cars(mined)
    assert rules.rules() == mined.rules()
    assert rules.size.tolist() == mined.size.tolist()
    assert rules.rules({"weight": np.arange(32)})[3].scores == {"weight": 3}


def test_rules_come_back_from_objects():
    mined = cars()
    again = RuleSet.of_rules(RuleList(mined.rules(), table().schema), [7, 3])
    assert again.rules() == mined.rules()
    np.testing.assert_array_equal(again.counts.class_counts, mined.counts.class_counts)
    assert again.counts.class_counts.dtype == np.int64


def test_some_rules_in_another_order():
    mined = cars()
    picked = [7, 0, 31]
    assert named(RuleList(RuleSet.of_cars(mined).take(picked).rules(), table().schema)) == [
        named(mined)[k] for k in picked
    ]


def test_an_interval_is_one_test_and_bounds_are_merged():
    schema = Schema((Attribute("x", "numeric"),), Attribute("y", "nominal", ("a", "b")))
    rule = Rule((Condition(0, ">", 1), Condition(0, "<=", 3), Condition(0, "<=", 5)), 0, (1.5, 0))
    rules = RuleSet.of_rules(RuleList((rule,), schema), [2, 2])
    assert rules.size.tolist() == [1]
    assert rules.rules()[0].conditions == (Condition(0, ">", 1), Condition(0, "<=", 3))
    assert rules.counts.class_counts.tolist() == [[1.5, 0]]


def test_a_threshold_on_a_nominal_attribute_is_refused():
    schema = Schema((Attribute("x", "nominal", ("p",)),), Attribute("y", "nominal", ("a",)))
    rules = RuleSet.of_rules(RuleList((Rule((Condition(0, ">", 1),), 0, (1,)),), schema), [1])
    with pytest.raises(DataError, match="about a nominal attribute"):
        rules.table


def test_a_set_of_values_of_a_numeric_attribute_is_refused():
    schema = Schema((Attribute("x", "numeric"),), Attribute("y", "nominal", ("a",)))
    rules = RuleSet.of_rules(RuleList((Rule((Condition(0, "in", (0,)),), 0, (1,)),), schema), [1])
    with pytest.raises(DataError, match="about a numeric attribute"):
        rules.table


@pytest.fixture(scope="module")
def genetic():
    rng = np.random.default_rng(1)
    frame = pd.DataFrame(
        {"age": rng.integers(18, 80, 300).astype(float), "town": rng.choice(["Oslo", "Rome", "Bern"], 300)}
    )
    frame.loc[::11, "age"] = np.nan
    label = np.where((frame["age"] > 50) ^ (frame["town"] == "Rome"), "yes", "no")
    rows = Table.from_frame(frame, label)
    model = GARuleClassifier(min_conditions=1, random_state=0).fit(rows)
    return model.rules_, rows


def test_rules_of_the_genetic_algorithm_are_ordered_pruned_and_vote(genetic):
    found, rows = genetic
    assert len(found) > 1
    rules = RuleSet.of_rules(found, rows.class_totals)
    order = csa(rules)
    trained = TrainingRules.of_rules(rules, rows).take(order)
    kept = order[cover(trained).kept]
    chosen = rules.take(kept)
    unmatched = Unmatched.of("default", rows.class_totals, cover(trained).default)
    preference = class_preference(rows.class_totals)
    for satisfaction in (BestRule(), BestK(3), AllRules("wchi2")):
        decided = satisfaction.decide(chosen, rows.X, (0,), unmatched, preference)
        assert np.mean(decided.label == rows.classes) > 0.8
    # the first rule that covers a row, found by matching one rule after the other
    covers = RuleList(chosen.rules(), rows.schema).match(rows)
    first = np.where(covers.any(axis=1), covers.argmax(axis=1), -1)
    np.testing.assert_array_equal(BestRule().first(chosen, rows.X, (0,)), first)
    assert len(general(trained)) <= len(trained)
    assert len(correlated(trained)) >= 1


@pytest.mark.parametrize("name", ORDERINGS)
def test_every_order_takes_rules_of_the_genetic_algorithm(genetic, name):
    found, rows = genetic
    rules = RuleSet.of_rules(found, rows.class_totals.astype(int))
    assert sorted(ORDERINGS[name](rules).tolist()) == list(range(len(found)))
