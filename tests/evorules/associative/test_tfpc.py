import numpy as np
import pytest
from reference.play10 import TESTS, X, Y, named
from reference.rules_plain import random_table

from evorules.associative import TFPCClassifier
from trees.errors import ParameterError


def test_the_general_rules_of_the_ten_rows():
    # specification of TFPC, worked example
    sure = TFPCClassifier(min_support=2, min_confidence=0.9).fit(X, Y)
    assert sorted(named(sure.rules_)) == sorted(
        [
            "overcast => yes 2/2",
            "hot => yes 2/2",
            "rainy, false => yes 3/3",
            "sunny, mild => no 2/2",
            "sunny, normal => yes 2/2",
            "sunny, high => no 2/2",
            "cool, false => yes 4/4",
            "normal, false => yes 5/5",
        ]
    )
    loose = TFPCClassifier(min_support=2).fit(X, Y)
    assert len(loose.rules_) == 12
    assert {len(rule.conditions) for rule in loose.rules_} == {1}
    assert {"sunny => yes 2/4", "sunny => no 2/4", "rainy => yes 3/4"} <= set(named(loose.rules_))


def test_the_order_decides():
    csa = TFPCClassifier(min_support=2, min_confidence=0.9).fit(X, Y)
    assert named(csa.rules_)[0] == "normal, false => yes 5/5"
    long = TFPCClassifier(min_support=2, min_confidence=0.9, ordering="ACS").fit(X, Y)
    assert [len(rule.conditions) for rule in long.rules_] == [2] * 6 + [1] * 2
    short = TFPCClassifier(min_support=2, min_confidence=0.9, ordering="ACS-asc").fit(X, Y)
    assert [len(rule.conditions) for rule in short.rules_] == [1] * 2 + [2] * 6
    assert csa.predict(TESTS).tolist() == ["yes", "yes"]


def test_no_rule_extends_another_of_its_class():
    frame, y = random_table(4, n_rows=200, n_attributes=5, n_classes=3)
    rules = TFPCClassifier(min_confidence=0.7).fit(frame, y).rules_
    for rule in rules:
        for other in rules:
            if rule.consequent == other.consequent:
                assert not set(rule.conditions) < set(other.conditions)


def test_a_rule_of_one_class_may_close_its_antecedent_for_all():
    frame, y = random_table(4, n_rows=200, n_attributes=5, n_classes=3)
    own = TFPCClassifier().fit(frame, y).rules_
    every = TFPCClassifier(block_all_classes=True).fit(frame, y).rules_
    assert len(every) < len(own)
    sets = [set(rule.conditions) for rule in every]
    assert not any(a < b for a in sets for b in sets)


def test_the_best_k_of_each_class_may_vote():
    model = TFPCClassifier(min_support=2, vote="best_k", k=2).fit(X, Y)
    assert model.rules_.semantics == "vote"
    # T1: yes false 6/7, cool 4/5; no sunny and high, each 2/4
    scores = np.array([(6 / 7 + 4 / 5) / 2, 0.5])
    np.testing.assert_allclose(model.decide(TESTS).scores[0], scores / scores.sum())


def test_rows_without_a_rule_get_the_majority():
    frame = X.head(1).astype(object)
    frame[:] = "?"
    assert TFPCClassifier(min_support=2).fit(X, Y).predict(frame).tolist() == ["yes"]


def test_wrong_parameters_are_named():
    with pytest.raises(ParameterError, match="'ordering' parameter of TFPCClassifier"):
        TFPCClassifier(ordering="size").fit(X, Y)
