import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reference import rules_plain
from reference.play10 import TESTS, X, Y, cars, named
from reference.rules_plain import antecedents_of, random_table, rows_of

from evorules.associative import CBAClassifier
from evorules.associative.cba_builders import build_m1, build_m2
from evorules.items import CarSet, Items
from evorules.mining import Apriori
from evorules.rules import TrainingRules
from evorules.rules.ordering import csa
from trees.discretize import MDLP
from trees.errors import DataWarning, ParameterError
from trees.table import Table

PLAIN = {"min_support": 2, "prune": False, "one_rule_per_antecedent": False}


@pytest.mark.parametrize("builder", ["M1", "M2"])
def test_the_list_of_the_ten_rows(builder):
    # specification of CBA, worked example: 0 errors after two rules, default no
    model = CBAClassifier(**PLAIN, builder=builder).fit(X, Y)
    assert named(model.rules_) == ["normal, false => yes 5/5", "overcast => yes 2/2"]
    assert model.schema_.classes[model.rules_.default] == "no"
    assert model.n_rules_mined_ == 32
    assert model.score(X, Y) == 1.0
    assert model.predict(TESTS).tolist() == ["no", "yes"]


def test_errors_after_each_rule_of_the_trace():
    # the trace of the same example: 2, 0, 0, 0 errors; the first of the least is the cut
    mined = cars()
    rules = TrainingRules.of_cars(mined.take(csa(mined)))
    chosen = build_m1(rules)
    assert (chosen.default, chosen.default_counts.tolist()) == (1, [0, 3])
    one = build_m1(rules.take([0]))
    assert (one.kept.tolist(), one.default, one.default_counts.tolist()) == ([0], 1, [2, 3])


@settings(deadline=None, max_examples=60)
@given(
    seed=st.integers(0, 100_000),
    n_classes=st.sampled_from([2, 3]),
    missing=st.sampled_from([0.0, 0.15]),
    least=st.sampled_from([1, 2, 4]),
    confidence=st.sampled_from([0.0, 0.5, 0.8]),
    allow_empty=st.booleans(),
)
def test_both_builders_make_the_list_of_plain_loops(seed, n_classes, missing, least, confidence, allow_empty):
    table = Table.from_frame(*random_table(seed, n_classes=n_classes, missing=missing))
    items = Items.of(table, MDLP().fit(table))
    mined = Apriori(least, confidence, max_len=3).mine(items)
    mined = mined.take(csa(mined))
    rules = TrainingRules.of_cars(mined)
    first, second = build_m1(rules, allow_empty=allow_empty), build_m2(rules, allow_empty=allow_empty)
    assert first.kept.tolist() == second.kept.tolist()
    assert first.default == second.default
    np.testing.assert_array_equal(first.default_counts, second.default_counts)
    if not allow_empty:
        totals = items.class_totals.tolist()
        y = table.classes.tolist()
        listed = (antecedents_of(mined), mined.consequent.tolist(), rows_of(items, table), y, totals)
        kept, default = rules_plain.build_m1(*listed)
        assert (first.kept.tolist(), first.default) == (kept, default)


@settings(deadline=None, max_examples=30)
@given(seed=st.integers(0, 100_000))
def test_builders_agree_whatever_the_order_of_the_rules(seed):
    table = Table.from_frame(*random_table(seed, n_rows=30, n_classes=3))
    items = Items.of(table, MDLP().fit(table))
    mined = Apriori(1, 0.0, max_len=2).mine(items)
    rules = TrainingRules.of_cars(mined).take(np.random.default_rng(seed).permutation(len(mined)))
    first, second = build_m1(rules), build_m2(rules)
    assert (first.kept.tolist(), first.default) == (second.kept.tolist(), second.default)


def test_the_default_alone_competes_only_if_asked():
    # the only rule is wrong as often as right; the class alone makes 1 error in 5
    table = Table.from_frame(pd.DataFrame({"a": list("ttsss")}), list("xyxxx"))
    items = Items.of(table, MDLP().fit(table))
    rules = TrainingRules.of_cars(CarSet.of_rules(items, [([0], 1)]))
    for build in (build_m1, build_m2):
        assert build(rules).kept.tolist() == [0]
        assert build(rules, allow_empty=True).kept.tolist() == []
        assert build(rules, allow_empty=True).default == 0


def test_when_the_first_rule_covers_all_rows_the_default_is_the_majority():
    table = Table.from_frame(pd.DataFrame({"a": list("ppp")}), list("xyy"))
    items = Items.of(table, MDLP().fit(table))
    rules = TrainingRules.of_cars(CarSet.of_rules(items, [([0], 0)]))
    for build in (build_m1, build_m2):
        chosen = build(rules)
        assert (chosen.kept.tolist(), chosen.default, chosen.default_counts.tolist()) == ([0], 1, [0, 0])


def test_the_cut_is_at_the_first_of_the_least_errors():
    # after R1 y is the default and z wrong: 1 error; after R2 and R3 none, so R3 is not needed
    table = Table.from_frame(pd.DataFrame({"a": list("pppqqr")}), list("xxxyyz"))
    items = Items.of(table, MDLP().fit(table))
    rules = TrainingRules.of_cars(CarSet.of_rules(items, [([0], 0), ([1], 1), ([2], 2)]))
    for build in (build_m1, build_m2):
        chosen = build(rules)
        assert (chosen.kept.tolist(), chosen.default) == ([0, 1], 2)


def test_a_repeated_antecedent_with_another_class_is_never_reached():
    table = Table.from_frame(pd.DataFrame({"a": list("ppppq")}), list("xxxyy"))
    items = Items.of(table, MDLP().fit(table))
    rules = TrainingRules.of_cars(CarSet.of_rules(items, [([0], 0), ([0], 1), ([1], 1)]))
    for build in (build_m1, build_m2):
        assert 1 not in build(rules).kept


def test_pessimistic_pruning_leaves_conditions_out():
    data = random_table(11, n_rows=200)
    pruned = CBAClassifier().fit(*data)
    exact = CBAClassifier(error_limit="exact").fit(*data)
    full = CBAClassifier(prune=False).fit(*data)
    assert pruned.n_rules_mined_ == full.n_rules_mined_
    assert pruned.rules_.n_conditions < full.rules_.n_conditions
    assert exact.rules_.n_conditions < full.rules_.n_conditions


def test_of_one_antecedent_the_more_confident_rule_is_possible():
    # with confidence 0.2 both classes of a = p are rules, .6 and .4; only the first is possible
    frame, y = pd.DataFrame({"a": list("pppppqqqqq")}), list("xxxyyyyyyy")
    model = CBAClassifier(min_confidence=0.2, prune=False).fit(frame, y)
    assert model.n_rules_mined_ == 3
    assert {(r.conditions[0].codes, r.consequent) for r in model.rules_} <= {((0,), 0), ((1,), 1)}


def test_a_limit_is_told_and_shorter_rules_are_used():
    data = random_table(7, n_rows=100, n_attributes=6)
    with pytest.warns(DataWarning, match="max_rules=50"):
        model = CBAClassifier(max_rules=50).fit(*data)
    assert model.truncated_
    assert max(len(rule.conditions) for rule in model.rules_) == 1
    assert not CBAClassifier().fit(*data).truncated_


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            {"builder": "M3"},
            "The 'builder' parameter of CBAClassifier must be 'M1' or 'M2'. Got 'M3' instead.",
        ),
        ({"confidence": 1.0}, r"'confidence' parameter of CBAClassifier must be a float in \(0, 1\)"),
        ({"min_support": 1.5}, r"'min_support' parameter of CBAClassifier .*Got 1.5 instead"),
        ({"min_support": True}, r"'min_support' parameter of CBAClassifier .*Got True instead"),
        (
            {"discretizer": "bins"},
            r"'discretizer' .* or a discretizer\. Got 'bins'",
        ),
        ({"n_jobs": 1.5}, "'n_jobs' parameter"),
    ],
)
def test_wrong_parameters_are_named(options, message):
    with pytest.raises(ParameterError, match=message):
        CBAClassifier(**options).fit(X, Y)


@pytest.mark.parametrize("flag", [True, False])
def test_truth_values_of_numpy_are_truth_values(flag):
    plain = CBAClassifier(prune=flag, one_rule_per_antecedent=flag).fit(X, Y)
    numpys = CBAClassifier(prune=np.bool_(flag), one_rule_per_antecedent=np.bool_(flag)).fit(X, Y)
    assert str(numpys.rules_) == str(plain.rules_)
