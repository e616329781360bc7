import numpy as np
import pytest
from reference.play10 import TESTS, X, Y, cars, named
from reference.rules_plain import random_table

from evorules.associative import EACClassifier
from evorules.associative.eac import RANKS, minimal_pure
from evorules.rules import BestRule, RuleSet, TrainingRules, Unmatched
from evorules.rules.ordering import csa
from trees.errors import DataWarning, ParameterError


def test_the_first_test_row_is_decided_by_cool_and_calm():
    # specification of EAC, worked examples: E = 0, 4 right rows
    model = EACClassifier(min_support=1).fit(X, Y)
    decided = model.decide(TESTS)
    assert named(model.rules_)[decided.rule[0]] == "cool, false => yes 4/4"
    assert model.predict(TESTS).tolist() == ["yes", "yes"]


def test_with_forty_percent_support_nothing_covers_the_second_test_row():
    # the same: two rules that are pure and minimal, neither matches T2
    model = EACClassifier(min_support=0.4, rank="confidence", min_confidence=1.0, minimal=True)
    with pytest.warns(DataWarning, match="No rule predicts no"):  # 3 rows, and 4 are asked for
        model.fit(X, Y)
    assert named(model.rules_) == ["normal, false => yes 5/5", "cool, false => yes 4/4"]
    assert model.decide(TESTS).rule.tolist() == [1, -1]


def test_the_rules_of_figure_4_and_the_one_that_it_lacks():
    # 14 pure minimal rules, three of which match T1; the figure has 13, without sunny & mild => no
    rules = EACClassifier(min_support=1, rank="confidence", min_confidence=1.0, minimal=True).fit(X, Y).rules_
    assert len(rules) == 14
    assert "sunny, mild => no 2/2" in named(rules)
    matching = rules.match(EACClassifier().fit(X, Y)._encode(TESTS))[0]
    found = [name for name, covers in zip(named(rules), matching, strict=True) if covers]
    assert found == ["cool, false => yes 4/4", "sunny, high => no 2/2", "sunny, cool => yes 1/1"]


def test_there_are_56_pure_rules_of_which_14_are_minimal():
    # specification of mining, section 11
    mined = cars(min_support=1, min_confidence=1.0)
    assert len(mined) == 56
    assert len(minimal_pure(TrainingRules.of_cars(mined.take(csa(mined))))) == 14


@pytest.mark.parametrize("rank", RANKS)
def test_rules_that_can_never_decide_are_left_out_without_a_trace(rank):
    frame, y = random_table(9, n_rows=120, n_classes=3, missing=0.1)
    model = EACClassifier(rank=rank, min_confidence=0.3).fit(frame, y)
    everything = EACClassifier(rank=rank, min_confidence=0.3, vote="all").fit(frame, y)
    assert len(model.rules_) < len(everything.rules_) == model.n_rules_mined_
    table = model._encode(random_table(10, n_rows=200, missing=0.3)[0])
    full = RuleSet.of_rules(everything.rules_, np.bincount(y))
    unmatched = Unmatched.of("majority", np.bincount(y))
    decided = BestRule().decide(full, table.X, (0,), unmatched, np.arange(3))
    mine = model._decide(table)
    np.testing.assert_array_equal(mine.label, decided.label)
    kept, all_rules = model.rules_.rules, everything.rules_.rules
    for own, other in zip(mine.rule.tolist(), decided.rule.tolist(), strict=True):
        assert (own < 0) == (other < 0)
        assert own < 0 or kept[own] == all_rules[other]


def test_min_confidence_is_for_the_rank_by_confidence_only():
    frame, y = random_table(9, n_rows=120)
    for rank in ("gain", "laplace"):
        strict, loose = (EACClassifier(rank=rank, min_confidence=c).fit(frame, y) for c in (0.9, 0.1))
        assert str(strict.rules_) == str(loose.rules_)
    strict = EACClassifier(rank="confidence", min_confidence=0.9).fit(frame, y)
    assert min(rule.confidence for rule in strict.rules_) >= 0.9


def test_the_sum_of_confidences_decides_if_asked():
    model = EACClassifier(min_support=2, vote="all", rank="confidence").fit(X, Y)
    row = model.decide(TESTS.head(1))
    covers = model.rules_.match(model._encode(TESTS.head(1)))[0]
    sums = [0.0, 0.0]
    for rule, fires in zip(model.rules_, covers, strict=True):
        sums[rule.consequent] += rule.confidence * fires
    np.testing.assert_allclose(row.scores, [np.array(sums) / sum(sums)])


def test_wrong_parameters_are_named():
    with pytest.raises(
        ParameterError, match="'rank' parameter of EACClassifier must be 'confidence', 'gain' or"
    ):
        EACClassifier(rank="lift").fit(X, Y)
