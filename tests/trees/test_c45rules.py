"""C45RulesClassifier. Numbers: the specification of C4.5 (sections 8, 9), its oracles, hand calculation."""

import json

import numpy as np
import pandas as pd
import pytest
from oracles.c45_files import read_c45

from trees.c45rules import C45RulesClassifier
from trees.errors import DataError, ParameterError
from trees.schema import Attribute, Schema
from trees.table import Table


def quadrants(counts=(30, 10, 20, 25)):
    """Rows in the four quadrants of two numbers: class p where the signs agree, q where they do not."""
    signs = [(-1, -1), (-1, 1), (1, -1), (1, 1)]
    X = np.repeat(np.array(signs, dtype=float), counts, axis=0)
    return pd.DataFrame(X, columns=["x", "z"]), np.where(X[:, 0] == X[:, 1], "p", "q")


def test_rules_of_the_quadrants_in_order_of_estimated_error():
    X, y = quadrants()
    model = C45RulesClassifier().fit(X, y)
    assert str(model.rules_).splitlines() == [
        "R1: IF x <= -1 AND z <= -1 THEN class = p  (30/30, confidence 1.00)",
        "R2: IF x > -1 AND z > -1 THEN class = p  (25/25, confidence 1.00)",
        "R3: IF x > -1 AND z <= -1 THEN class = q  (20/20, confidence 1.00)",
        "R4: IF x <= -1 AND z > -1 THEN class = q  (10/10, confidence 1.00)",
        "otherwise class = p",
    ]
    # AddErrs(N, 0) / N = 1 - 0.25 ** (1 / N)
    errors = [rule.scores["estimated_error"] for rule in model.rules_]
    assert errors == pytest.approx([1 - 0.25 ** (1 / n) for n in (30, 25, 20, 10)], rel=1e-12)
    assert (model.predict(X) == y).all()


def test_the_original_merges_rules_that_differ_in_direction_only():
    # defect 9.1: two rules are left of four, which cover 30 and 10 rows
    X, y = quadrants()
    model = C45RulesClassifier(mode="r8").fit(X, y)
    assert [(rule.covered, rule.correct) for rule in model.rules_] == [(30, 30), (10, 10)]
    # the second quadrants' greater estimates stay: of 25 rows and of 10
    errors = [rule.scores["estimated_error"] for rule in model.rules_]
    assert errors == pytest.approx([1 - 0.25 ** (1 / 25), 1 - 0.25 ** (1 / 10)], rel=1e-6)
    assert np.sum(model.predict(X) != y) == 20


def test_the_standard_mode_keeps_both_directions_of_the_oracle(reference):
    train, _ = read_c45(reference / "oracles" / "c45" / "data", "edge-dir")
    wrong = {}
    for mode in ("standard", "r8"):
        model = C45RulesClassifier(mode=mode, random_state=0).fit(train)
        wrong[mode] = int(np.sum(model.decide(train).label != train.classes))
    # README of the oracles: the tree is perfect, the rules make 20 errors in 85 cases
    assert wrong == {"standard": 0, "r8": 20}


def test_the_standard_mode_matches_value_numbers_above_127():
    # defect 9.5: 150 values of 6 rows each, the classes alternate
    codes = np.repeat(np.arange(150), 6)
    schema = Schema(
        (Attribute("m", "nominal", tuple(f"v{i}" for i in range(150))), Attribute("z", "numeric")),
        Attribute("class", "nominal", ("p", "q")),
    )
    table = Table(schema, np.column_stack([codes, np.zeros(900)]).astype(float), (codes % 2).astype(np.int32))
    found = {
        mode: len(C45RulesClassifier(mode=mode, random_state=0).derive(table).candidates)
        for mode in ("standard", "r8")
    }
    assert found == {"standard": 150, "r8": 127}
    with pytest.raises(DataError, match=r"Class 'p' has 75 candidate rules; all subsets .* at most 20"):
        C45RulesClassifier(selection="exhaustive").fit(table)


def test_the_standard_mode_takes_minus_999_for_a_number():
    X = pd.DataFrame({"x": [-999.0] * 10 + [5.0] * 10, "z": [0.0, 1.0] * 10})
    y = ["p"] * 10 + ["q"] * 10
    assert len(C45RulesClassifier().fit(X, y).rules_) > 0
    assert len(C45RulesClassifier(mode="r8").fit(X, y).rules_) == 0


def test_the_original_reads_cells_as_32_bit_floats_at_prediction_too():
    x = np.float64(np.float32(0.1))  # 0.1 rounds up to 0.10000000149
    X = pd.DataFrame({"x": [x] * 10 + [5.0] * 10})
    y = ["p"] * 10 + ["q"] * 10
    just_above = pd.DataFrame({"x": [np.nextafter(x, 1)]})
    assert C45RulesClassifier(mode="r8").fit(X, y).predict(just_above).tolist() == ["p"]
    assert C45RulesClassifier().fit(X, y).predict(just_above).tolist() == ["q"]


@pytest.fixture(scope="module")
def noisy():
    rng = np.random.default_rng(5)
    X = pd.DataFrame(
        {
            "x": rng.integers(0, 12, 300).astype(float),
            "z": rng.integers(0, 12, 300).astype(float),
            "a": rng.choice(list("uvw"), 300),
        }
    )
    y = np.where((X["x"] > 5) ^ (X["z"] > 7) & (X["a"] != "w"), "p", "q")
    y = np.where(rng.random(300) < 0.2, rng.choice(["p", "q", "r"], 300), y)
    X.loc[::11, "x"] = np.nan
    X.loc[::13, "a"] = None
    return X, y


def test_predictions_are_those_of_the_first_matching_rule(noisy):
    X, y = noisy
    model = C45RulesClassifier(random_state=0).fit(X, y)
    table = Table.from_frame(X, y)
    covers = model.rules_.match(table)
    first = np.where(covers.any(axis=1), covers.argmax(axis=1), -1)
    assert model.decide(X).rule.tolist() == first.tolist()
    said = [*(rule.consequent for rule in model.rules_), model.rules_.default]
    assert model.predict(X).tolist() == [table.schema.classes[said[r]] for r in first]


def test_the_deciding_class_leads_and_classes_without_rows_score_nothing(noisy):
    X, y = noisy
    y = pd.Categorical(y, categories=["p", "none", "q", "r"])
    model = C45RulesClassifier(random_state=0).fit(X, y)
    decisions = model.decide(X)
    others = decisions.scores.copy()
    others[np.arange(300), decisions.label] = -1
    assert (decisions.scores.max(axis=1) > others.max(axis=1)).all()
    np.testing.assert_allclose(decisions.scores.sum(axis=1), 1)
    assert (decisions.scores[:, 1] == 0).all()


def test_a_score_is_the_corrected_share_of_the_rows_that_the_rule_covers():
    X, y = quadrants()
    model = C45RulesClassifier().fit(X, y)
    # rule R1 covers 30 p; nothing is left for the default class p
    assert model.predict_proba(X.head(1)).tolist() == [[31 / 32, 1 / 32]]
    assert model.decide(pd.DataFrame({"x": [np.nan], "z": [np.nan]})).rule.tolist() == [-1]
    # shares of 1/2 each do not let the class of the default lead: averaged with certainty
    assert model.predict_proba(pd.DataFrame({"x": [np.nan], "z": [1.0]})).tolist() == [[0.75, 0.25]]


def test_weight_2_is_the_row_twice(noisy):
    X, y = noisy
    weight = np.tile([1, 2, 3], 100)
    rows = np.repeat(np.arange(300), weight)
    for mode in ("standard", "r8"):
        model = C45RulesClassifier(mode=mode, random_state=0)
        weighted = str(model.fit(X, y, sample_weight=weight).rules_)
        assert weighted == str(model.fit(X.iloc[rows], y[rows]).rules_)


def test_only_the_standard_mode_takes_parts_of_cases():
    X, y = quadrants()
    weight = np.full(85, 1.5)
    model = C45RulesClassifier().fit(X, y, sample_weight=weight)
    assert [rule.covered for rule in model.rules_] == [45, 37.5, 30, 15]
    with pytest.raises(DataError, match="whole numbers as sample_weight only"):
        C45RulesClassifier(mode="r8").fit(X, y, sample_weight=weight)


def test_the_same_seed_gives_the_same_rules_and_the_original_needs_none(noisy):
    X, y = noisy
    for selection in ("auto", "greedy", "anneal"):
        texts = {
            str(C45RulesClassifier(selection=selection, random_state=7).fit(X, y).rules_) for _ in range(3)
        }
        assert len(texts) == 1
    texts = {str(C45RulesClassifier(mode="r8", random_state=seed).fit(X, y).rules_) for seed in range(3)}
    assert len(texts) == 1


def test_description_length_orders_classes_as_the_textbook_says(noisy):
    X, y = noisy
    table = Table.from_frame(X, y)
    derivation = C45RulesClassifier(class_order="description_length", random_state=0).derive(table)
    lengths = [derivation.lengths[label] for label in derivation.class_order]
    assert lengths == sorted(derivation.lengths)
    other = C45RulesClassifier(random_state=0).derive(table)
    assert other.lengths == derivation.lengths
    assert {*other.chosen} == {*derivation.chosen}


def test_hold_out_pruning_judges_rules_on_rows_that_the_tree_did_not_see(noisy):
    X, y = noisy
    model = C45RulesClassifier(conjunct_pruning="holdout", holdout_share=0.3, random_state=1)
    derivation = model.derive(Table.from_frame(X, y))
    assert len(derivation.candidates) > 0
    # an accuracy on at most 90 rows is a ratio of small numbers
    for rule in derivation.candidates:
        ratios = {round(k / n, 12) for n in range(1, 91) for k in range(n + 1)}
        assert round(rule.error, 12) in ratios
    model.fit(X, y)
    assert model.score(X, y) > 0.6
    assert str(model.rules_) == str(model.fit(X, y).rules_)


def test_groups_of_values_make_conditions_on_value_sets(noisy):
    X, y = noisy
    X = X.assign(b=np.random.default_rng(9).choice(list("abcdefgh"), 300))
    y = np.where(X["b"].isin(list("aceg")), y, "p")
    for mode in ("standard", "r8"):
        model = C45RulesClassifier(group_values=True, mode=mode, random_state=0).fit(X, y)
        assert any(len(c.codes) > 1 for rule in model.rules_ for c in rule.conditions)
        assert model.score(X, y) > 0.8


def test_fishers_test_drops_no_fewer_conditions(noisy):
    table = Table.from_frame(*noisy)
    few = C45RulesClassifier(fisher=0.01, random_state=0).derive(table).candidates
    none = C45RulesClassifier(random_state=0).derive(table).candidates
    assert np.mean([len(r.conditions) for r in few]) < np.mean([len(r.conditions) for r in none])


def test_a_fitted_model_survives_a_model_file(noisy):
    X, y = noisy
    model = C45RulesClassifier(random_state=0).fit(X, y)
    again = C45RulesClassifier().restore(json.loads(json.dumps(model.to_dict())))
    assert str(again.rules_) == str(model.rules_)
    np.testing.assert_array_equal(again.predict_proba(X), model.predict_proba(X))
    assert [r.scores for r in again.rules_] == [r.scores for r in model.rules_]


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("fisher", 0.0, r"must be None or a float in \(0, 1\]. Got 0.0"),
        ("redundancy", 0, r"must be a float in \(0, inf\). Got 0"),
        ("holdout_share", 1.0, r"must be a float in \(0, 1\). Got 1.0"),
        ("selection", "best", r"must be 'auto', 'exhaustive', 'greedy' or 'anneal'. Got 'best'"),
    ],
)
def test_a_wrong_parameter_is_named(name, value, message):
    X, y = quadrants()
    with pytest.raises(ParameterError, match=f"The '{name}' parameter of C45RulesClassifier {message}"):
        C45RulesClassifier(**{name: value}).fit(X, y)
