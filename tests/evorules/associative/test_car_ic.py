import numpy as np
import pandas as pd
import pytest
from reference.play10 import TESTS, X, Y, named
from reference.rules_plain import random_table
from sklearn.base import clone

from evorules.associative import CARICClassifier
from trees.errors import ParameterError


@pytest.fixture(scope="module")
def model():
    return CARICClassifier(min_support=2, random_state=0).fit(X, Y)


def test_the_rules_of_the_ten_rows_in_order(model):
    # specification of CAR-IC, worked example
    rules = named(model.rules_)
    assert len(rules) == 22
    assert rules[:5] == [
        "rainy, cool, normal, false => yes 3/3",
        "rainy, cool, false => yes 3/3",
        "rainy, normal, false => yes 3/3",
        "cool, normal, false => yes 4/4",
        "rainy, cool, normal => yes 3/4",
    ]
    assert rules[-6:] == [
        "false => yes 6/7",
        "normal => yes 5/6",
        "cool => yes 4/5",
        "rainy => yes 3/4",
        "mild => no 2/3",
        "true => no 2/3",
    ]
    assert [rule for rule in rules if "=> no" in rule and rule.count(",") == 1] == ["mild, high => no 2/3"]
    # its beginning, sunny, has a confidence of one half only
    assert not any("sunny, mild" in rule for rule in rules)


def test_the_first_test_row_gets_the_mean_of_three_exact_rules(model):
    decided = model.decide(TESTS)
    assert model.predict(TESTS).tolist() == ["yes", "yes"]
    assert named(model.rules_)[decided.rule[0]] == "cool, false => yes 4/4"
    told = model.explain(TESTS)
    assert told[0].startswith(
        "R8 says yes (4 of 4) with a score of 1.00: IF temperature = cool AND windy = false"
    )
    assert told[0].endswith("also R17 yes (6 of 7), R19 yes (4 of 5)")
    # overcast and hot: mean 1; true: 2/3
    np.testing.assert_allclose(decided.scores, [[1, 0], [0.6, 0.4]])


def test_rows_that_miss_one_condition_are_covered_only_if_none_is_covered_exactly():
    rows = pd.DataFrame(
        [["rainy", "?", "?", "?"], ["?", "?", "?", "?"], ["?", "hot", "?", "?"]], columns=X.columns
    )
    shared = {"min_support": 2, "random_state": 0}
    both = CARICClassifier(**shared).fit(X, Y).decide(rows)
    exact = CARICClassifier(**shared, coverage="exact").fit(X, Y).decide(rows)
    inexact = CARICClassifier(**shared, coverage="inexact").fit(X, Y).decide(rows)
    assert both.abstained.tolist() == [False, True, False]
    np.testing.assert_array_equal(both.rule, exact.rule)
    # rainy, cool is the first rule of two conditions that misses one
    assert both.rule[0] != inexact.rule[0] >= 0
    rules = named(CARICClassifier(**shared).fit(X, Y).rules_)
    assert rules[both.rule[2]] == "hot => yes 2/2"
    assert rules[inexact.rule[2]] == "hot, false => yes 2/2"
    assert inexact.abstained.tolist() == [False, True, False]


def test_an_inexact_rule_speaks_where_no_exact_one_does():
    # b = u is x and y in equal parts, so it makes no rule; with a = p or a = q before it, it does
    frame = pd.DataFrame({"a": list("pppqqqqqq"), "b": list("uuuuuuvvv")})
    y = list("xxxyyyyyy")
    model = CARICClassifier(tie="prior").fit(frame, y)
    half = pd.DataFrame({"a": [None], "b": ["u"]}, dtype=object)
    assert model.predict(half).tolist() == ["y"]
    assert model.decide(half).scores.tolist() == [[0.5, 0.5]]
    assert model.explain(half) == [
        "R2 says y (3 of 3) with a score of 0.50: IF a = q AND b = u; also R1 x (3 of 3)"
    ]
    assert clone(model).set_params(coverage="exact").fit(frame, y).decide(half).abstained.tolist() == [True]


def test_ties_are_resolved_once_for_all_rows():
    # a = p is x in one half of the rows, b = u is y in the other half: equal means
    frame = pd.DataFrame({"a": ["p"] * 4 + ["q"] * 4, "b": ["v"] * 4 + ["u"] * 4})
    y = ["x"] * 4 + ["y"] * 4
    tied = pd.DataFrame({"a": ["p"] * 9, "b": ["u"] * 9})
    said = set()
    for seed in range(12):
        model = CARICClassifier(random_state=seed).fit(frame, y)
        labels = set(model.predict(tied).tolist())
        assert len(labels) == 1
        assert model.predict(tied.head(1))[0] in labels
        said |= labels
    assert said == {"x", "y"}
    assert CARICClassifier(tie="prior").fit(frame, y).predict(tied)[0] == "x"


def test_abstentions_of_decide_get_a_label_in_predict(model):
    nothing = pd.DataFrame({name: ["?"] for name in X.columns})
    assert model.decide(nothing).label.tolist() == [-1]
    assert model.predict(nothing).tolist() == ["yes"]
    assert model.rules_.default is None
    with_class = clone(model).set_params(fallback="majority").fit(X, Y)
    assert with_class.decide(nothing).label.tolist() == [0]


@pytest.mark.filterwarnings("ignore:No rule predicts")
def test_confidence_must_be_greater_than_the_least():
    # a = p is x in two of four rows
    frame = pd.DataFrame({"a": list("ppppqq"), "b": list("uvuvuv")})
    rules = CARICClassifier(random_state=0).fit(frame, list("xxyyxx")).rules_
    assert all(rule.confidence > 0.5 for rule in rules)
    assert "a = p" not in {rule.antecedent(rules.schema) for rule in rules}


@pytest.mark.filterwarnings("ignore:No rule predicts")
def test_at_most_one_class_has_a_rule_for_an_antecedent():
    frame, y = random_table(5, n_rows=150, n_classes=3)
    rules = CARICClassifier(random_state=0).fit(frame, y).rules_
    assert len({rule.conditions for rule in rules}) == len(rules)


def test_dropped_rules_and_other_orders_of_search_are_options():
    frame, y = random_table(5, n_rows=150, n_attributes=5)
    sizes = {
        str(options): len(CARICClassifier(random_state=0, **options).fit(frame, y).rules_)
        for options in ({}, {"keep_dropped": True}, {"item_order": "conf_desc"}, {"sibling_join": "strict"})
    }
    plain = sizes["{}"]
    assert sizes["{'keep_dropped': True}"] > plain
    assert sizes["{'item_order': 'conf_desc'}"] != plain
    assert sizes["{'sibling_join': 'strict'}"] < plain


def test_k_rules_of_a_class_vote():
    frame, y = random_table(2, n_rows=150)
    one = CARICClassifier(k=1, random_state=0).fit(frame, y)
    covers = one.rules_.match(one._encode(frame))
    first = covers.argmax(axis=1)
    exact = covers.any(axis=1)
    best = {c: np.array([r.confidence if r.consequent == c else -1.0 for r in one.rules_]) for c in (0, 1)}
    for i in np.flatnonzero(exact)[:50]:
        means = []
        for c in (0, 1):
            fired = np.flatnonzero(covers[i] & (best[c] >= 0))
            means.append(best[c][fired[0]] if len(fired) else 0.0)
        np.testing.assert_allclose(one.decide(frame.iloc[[i]]).scores[0], np.array(means) / sum(means))
    assert len(first) == 150
    with pytest.raises(
        ParameterError, match=r"'k' parameter of CARICClassifier must be an int in \[1, inf\)"
    ):
        CARICClassifier(k=0).fit(frame, y)
