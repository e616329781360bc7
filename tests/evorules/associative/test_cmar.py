import numpy as np
import pandas as pd
import pytest
from reference.play10 import TESTS, X, Y, cars, named

from evorules.associative import CMARClassifier
from evorules.rules import AllRules, RuleSet, TrainingRules, Unmatched
from evorules.rules.ordering import csa
from evorules.rules.pruning import general
from trees.errors import ParameterError
from trees.frames import encode_rows


def test_the_three_significant_rules_of_the_ten_rows():
    # specification of CMAR, worked examples
    model = CMARClassifier(min_support=2).fit(X, Y)
    assert named(model.rules_) == [
        "normal, false => yes 5/5",
        "sunny, mild => no 2/2",
        "sunny, high => no 2/2",
    ]
    # T1: only sunny, high matches. T2: nothing does, and rows 2, 3 and 9 that nothing covers are no, yes, yes
    assert model.predict(TESTS).tolist() == ["no", "yes"]
    assert model.decide(TESTS).rule.tolist() == [2, -1]
    np.testing.assert_allclose(model.predict_proba(TESTS), [[1.0, 0.0], [1 / 3, 2 / 3]])
    assert named(CMARClassifier(min_support=2, delta=1).fit(X, Y).rules_) == named(model.rules_)[:2]


def test_the_eighteen_general_rules_vote_no_for_the_first_test_row():
    # the same: weighted chi-square yes 4.792, no 6.335
    mined = cars()
    ranked = mined.take(csa(mined))
    rules = RuleSet.of_cars(ranked.take(general(TrainingRules.of_cars(ranked))))
    rows = encode_rows(TESTS, rules.schema, by_name=True)
    unmatched = Unmatched(0, np.array([7, 3]))
    found = AllRules("wchi2").decide(rules, rows.X[:1], (0,), unmatched, np.array([0, 1]))
    assert found.label.tolist() == [1]
    np.testing.assert_allclose(found.scores, [[4.792 / 11.127, 6.335 / 11.127]], atol=5e-5)


def test_without_significant_rules_the_default_is_all_there_is():
    frame, y = pd.DataFrame({"a": list("pqpq")}), list("xxyx")
    model = CMARClassifier().fit(frame, y)
    assert model.n_rules_mined_ > 0
    assert len(model.rules_) == 0
    assert model.predict(frame).tolist() == ["x"] * 4


def test_delta_one_keeps_fewer_rules_than_delta_four():
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.choice(list("abc"), (200, 5)), columns=list("vwxyz"))
    y = np.where((frame["v"] == "a") | (frame["w"] == "b"), "in", "out")
    sizes = [len(CMARClassifier(delta=delta).fit(frame, y).rules_) for delta in (1, 2, 4)]
    assert sizes == sorted(sizes)
    assert sizes[0] < sizes[2]


@pytest.mark.parametrize(("option", "wrong"), [("delta", 0), ("alpha", 0.0), ("alpha", 1.0)])
def test_wrong_parameters_are_named(option, wrong):
    with pytest.raises(ParameterError, match=f"'{option}' parameter of CMARClassifier"):
        CMARClassifier(**{option: wrong}).fit(X, Y)
