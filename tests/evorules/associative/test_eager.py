"""What every eager associative classifier does, whatever its parts."""

import json
import warnings

import numpy as np
import pandas as pd
import pytest
from reference.play10 import TESTS, X, Y
from reference.rules_plain import random_table
from sklearn.base import clone
from sklearn.exceptions import NotFittedError

from evorules.associative import (
    CBAClassifier,
    CMARClassifier,
    EACClassifier,
    EagerClassifier,
    MCARClassifier,
    Parts,
)
from evorules.export.model_file import load_model, model_from_dict, model_to_dict, save_model
from evorules.mining import BitsetMiner
from evorules.rules import ORDERINGS, AllRules
from trees.discretize import MDLP, EqualWidth
from trees.errors import DataError, DataWarning, MiningLimitError, ParameterError
from trees.rule import RuleList
from trees.table import Table

CLASSIFIERS = (CBAClassifier, CMARClassifier, EACClassifier, MCARClassifier)


@pytest.fixture(params=CLASSIFIERS, ids=lambda cls: cls.__name__)
def classifier(request):
    return request.param


def numeric_data(n_rows=300, seed=0):
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame(
        {"x": rng.normal(size=n_rows), "z": rng.normal(size=n_rows), "c": rng.choice(list("ab"), n_rows)}
    )
    y = np.where((frame["x"] > 0.3) & (frame["c"] == "a"), "in", np.where(frame["z"] > 1, "up", "out"))
    frame.loc[::13, "x"] = np.nan
    return frame, y


def test_rules_speak_of_numbers_and_decide_as_they_are_printed(classifier):
    frame, y = numeric_data()
    model = classifier().fit(frame, y)
    relations = {c.relation for rule in model.rules_ for c in rule.conditions}
    assert {"<=", ">"} <= relations
    table = Table.from_frame(frame, y)
    counts = model.rules_.counts(table)
    np.testing.assert_array_equal(counts.class_counts, [rule.counts for rule in model.rules_])
    covers = model.rules_.match(table)
    decided = model.decide(frame)
    np.testing.assert_array_equal(decided.rule < 0, ~covers.any(axis=1))
    if model.rules_.semantics == "first":
        first = np.where(covers.any(axis=1), covers.argmax(axis=1), -1)
        np.testing.assert_array_equal(decided.rule, first)
    fired = decided.rule >= 0
    assert covers[np.flatnonzero(fired), decided.rule[fired]].all()
    said = np.array([rule.consequent for rule in model.rules_] + [model.rules_.default])
    np.testing.assert_array_equal(decided.label, said[decided.rule])


def test_semantics_are_those_of_the_vote():
    frame, y = numeric_data()
    assert CBAClassifier().fit(frame, y).rules_.semantics == "first"
    assert CMARClassifier().fit(frame, y).rules_.semantics == "vote"
    assert EACClassifier().fit(frame, y).rules_.semantics == "first"
    assert EACClassifier(vote="all").fit(frame, y).rules_.semantics == "vote"


def test_scores_are_probabilities_that_the_label_leads(classifier):
    frame, y = numeric_data()
    model = classifier().fit(frame, y)
    found = model.decide(numeric_data(seed=1)[0])
    np.testing.assert_allclose(found.scores.sum(axis=1), 1)
    assert found.scores.min() >= 0
    lead = found.scores[np.arange(len(found.label)), found.label]
    np.testing.assert_array_equal(lead, found.scores.max(axis=1))


def test_nothing_frequent_leaves_the_default_with_a_warning(classifier):
    # case S27 of the reference folder
    frame, y = pd.DataFrame({"A": list("abcde")}), list("PPNPN")
    with pytest.warns(DataWarning, match="No rule reaches min_support and min_confidence"):
        model = classifier(min_support=0.9, min_confidence=0.9).fit(frame, y)
    query = pd.DataFrame({"A": ["a", None]})
    assert len(model.rules_) == 0
    assert model.predict(query).tolist() == ["P", "P"]
    np.testing.assert_allclose(model.predict_proba(query), [[0.4, 0.6]] * 2)
    assert str(model.rules_) == "otherwise class = P"
    assert model_from_dict(model_to_dict(model)).predict(query).tolist() == ["P", "P"]
    assert model.explain(query) == ["no rule covers the row: P by default"] * 2


@pytest.mark.parametrize("wrong", [1.5, -0.1, 0.0, 0])
def test_a_percentage_as_support_is_refused(classifier, wrong):
    # case S28 of the reference folder; 10 is a number of rows here, so its other values are used
    frame, y = pd.DataFrame({"A": list("aaaaabbbbb")}), list("PPPPPNNNNN")
    with pytest.raises(ParameterError, match=rf"'min_support' .*\(0, 1\].*Got {wrong} instead"):
        classifier(min_support=wrong).fit(frame, y)


def test_an_explosion_is_bounded(classifier):
    # case S29 of the reference folder: 50 attributes with one value each
    frame = pd.DataFrame({f"b{k:02d}": ["t"] * 30 for k in range(50)})
    y = ["P", "N"] * 15
    options = {"min_support": 0.01, "min_confidence": 0.1, "max_rules": 5000}
    with pytest.warns(DataWarning, match="max_rules=5000"):
        model = classifier(**options, on_limit="stop").fit(frame, y)
    assert model.truncated_
    assert model.n_rules_mined_ == 2 * (50 + 1225)
    with pytest.raises(MiningLimitError, match=r"(?s)min_support.*max_len"):
        classifier(**options, on_limit="error").fit(frame, y)


def test_missing_is_not_an_item(classifier):
    # case S30 of the reference folder
    frame = pd.DataFrame({"A": ["u"] * 4 + [None] * 4 + ["u"] * 2, "B": [None] * 4 + ["w"] * 6})
    y = list("PPPPNNNNPP")
    model = classifier(min_support=0.1).fit(frame, y)
    assert model.predict(frame).tolist() == y
    query = pd.DataFrame({"A": [None], "B": [None]}, dtype=object)
    assert model.decide(query).rule.tolist() == [-1]


def test_identical_rows_all_get_their_prediction(classifier):
    # case S31 of the reference folder, with the rule learnt
    frame, y = pd.DataFrame({"c": list("rrrrbbbb")}), list("ppppnnnn")
    model = classifier().fit(frame, y)
    query = pd.DataFrame({"c": list("rrbr")})
    assert model.predict(query).tolist() == list("ppnp")
    assert model.score(pd.concat([query, query]), list("ppnp") * 2) == 1.0


def test_rows_without_rules_abstain_if_asked(classifier):
    model = classifier(fallback="abstain", min_support=2).fit(X, Y)
    nothing = pd.DataFrame({name: ["never seen"] for name in X.columns})
    decided = model.decide(nothing)
    assert decided.abstained.tolist() == [True]
    assert decided.rule.tolist() == [-1]
    assert model.rules_.default is None
    # predict always gives a label, of the majority, and its probability is the greatest
    assert model.predict(nothing).tolist() == ["yes"]
    np.testing.assert_allclose(model.predict_proba(nothing), [[0.3, 0.7]])
    assert model.explain(nothing) == ["no rule covers the row: it abstains"]
    again = model_from_dict(model_to_dict(model))
    assert again.decide(nothing).abstained.tolist() == [True]


def test_the_rule_that_decides_and_those_that_fire_too_are_told():
    model = CBAClassifier(min_support=2, prune=False, one_rule_per_antecedent=False).fit(X, Y)
    assert model.explain(TESTS) == [
        "no rule covers the row: no by default",
        "R2 says yes (2 of 2): IF outlook = overcast",
    ]
    many = MCARClassifier(min_support=2, random_state=0).fit(X, Y)
    assert many.explain(X.iloc[[8]]) == ["R2 says yes (2 of 2): IF outlook = overcast; also R4 no (2 of 3)"]
    voted = CMARClassifier(min_support=2, alpha=0.9).fit(X, Y).explain(X.iloc[[0]])[0]
    assert voted.startswith(
        "R1 says yes (5 of 5) with a score of 1.00: IF humidity = normal AND windy = false"
    )


def test_long_lists_of_rules_that_fire_are_cut():
    frame, y = random_table(2, n_rows=200, n_attributes=5)
    told = EACClassifier(vote="all").fit(frame, y).explain(frame.head(1))[0]
    assert told.count("(") == 1 + 5
    assert told.endswith(" more")


def test_another_list_of_rules_may_take_the_place_of_the_one_learnt(classifier):
    frame, y = numeric_data()
    model = classifier().fit(frame, y)
    shorter = RuleList(model.rules_.rules[:1], model.schema_, 0, model.rules_.semantics)
    model.rules_ = shorter
    assert model.rules_ is shorter
    decided = model.decide(frame)
    assert set(decided.rule.tolist()) == {-1, 0}
    assert set(decided.label[decided.rule < 0].tolist()) == {0}
    np.testing.assert_array_equal(decided.rule == 0, shorter.match(Table.from_frame(frame, y))[:, 0])


@pytest.mark.filterwarnings("ignore:No rule predicts")
def test_rules_of_another_schema_are_refused(classifier):
    frame, y = numeric_data()
    model, whole = classifier().fit(frame[["x"]], y), classifier().fit(frame, y)
    before = model.rules_
    with pytest.raises(
        DataError, match=r"they are over 3 attribute\(s\), the model has 1. Assign rules over"
    ):
        model.rules_ = whole.rules_
    assert model.rules_ is before
    with pytest.raises(DataError, match=r"attribute 0 is 'z' \(numeric\) there and 'x' \(numeric\)"):
        model.rules_ = classifier().fit(frame[["z"]], y).rules_
    with pytest.raises(DataError, match="their classes are 0in, 0out, 0up, those of the model in, out, up"):
        model.rules_ = classifier().fit(frame[["x"]], [f"0{label}" for label in y]).rules_
    other = frame[["c"]].replace("b", "d")
    with pytest.raises(DataError, match=r"in the model: with other values\. Assign"):
        classifier().fit(frame[["c"]], y).rules_ = classifier().fit(other, y).rules_


@pytest.mark.filterwarnings("ignore:No rule predicts")
def test_an_unfitted_classifier_takes_no_rules(classifier):
    frame, y = numeric_data()
    rules = classifier().fit(frame, y).rules_
    with pytest.raises(NotFittedError, match=f"This {classifier.__name__} instance is not fitted yet"):
        classifier().rules_ = rules


@pytest.mark.parametrize("wrong", [0, -2, 1.5, True])
def test_numbers_of_threads_are_minus_one_or_positive(classifier, wrong):
    with pytest.raises(ParameterError, match="'n_jobs' parameter"):
        classifier(n_jobs=wrong).fit(X, Y)
    assert classifier(n_jobs=-1).fit(X, Y).predict(X).shape == (10,)


@pytest.mark.parametrize(
    ("place", "wrong"),
    [
        ("class_totals", [3]),
        ("class_totals", [3, -7]),
        ("class_totals", [0, 0]),
        ("class_totals", [3, 7.5]),
        ("class_totals", "37"),
        ("counts", [3, 7, 1]),
        ("counts", [3, None]),
        ("label", 2),
        ("label", -2),
        ("label", 0.5),
        ("preference", [0, 0]),
        ("preference", [1]),
        ("preference", None),
    ],
)
def test_a_state_that_does_not_fit_the_classes_is_refused(classifier, place, wrong):
    record = model_to_dict(classifier().fit(X, Y))
    record = json.loads(json.dumps(record))
    state = record["model"]["state"] if "model" in record else record["state"]
    (state if place in state else state["unmatched"])[place] = wrong
    with pytest.raises(ValueError, match=rf"The state's (unmatched\.)?{place} is"):
        model_from_dict(record)


def test_an_unfitted_classifier_has_no_rules(classifier):
    assert not hasattr(classifier(), "rules_")
    with pytest.raises(AttributeError, match=f"This {classifier.__name__} is not fitted yet"):
        classifier().rules_


def test_the_template_alone_is_no_classifier():
    with pytest.raises(TypeError, match="abstract"):
        EagerClassifier()


def test_a_model_file_holds_rules_and_default_only(classifier, tmp_path):
    frame, y = numeric_data()
    model = classifier().fit(frame, y)
    path = tmp_path / "model.json"
    save_model(model, path)
    state = json.loads(path.read_text())["model"]["state"]
    assert set(state) == {"rules", "class_totals", "unmatched", "preference", "n_rules_mined", "truncated"}
    again = load_model(path)
    new = numeric_data(seed=3)[0]
    np.testing.assert_array_equal(again.predict_proba(new), model.predict_proba(new))
    assert again.n_rules_mined_ == model.n_rules_mined_


def test_cuts_are_learnt_from_the_training_rows_alone(classifier):
    frame, y = numeric_data()
    model = classifier().fit(frame[:200], y[:200])
    thresholds = {c.threshold for rule in model.rules_ for c in rule.conditions if c.relation != "in"}
    points = MDLP().fit(Table.from_frame(frame[:200], y[:200])).points
    assert thresholds <= {float(p) for found in points if found is not None for p in found}


def test_discretizers_go_by_name_or_as_objects(classifier):
    frame, y = numeric_data()
    seed = {"random_state": 0} if classifier is MCARClassifier else {}
    by_name = classifier(discretizer="equal_width", **seed).fit(frame, y)
    as_object = classifier(discretizer=EqualWidth(), **seed).fit(frame, y)
    assert str(by_name.rules_) == str(as_object.rules_)
    assert str(by_name.rules_) != str(classifier().fit(frame, y).rules_)
    assert str(clone(as_object).fit(frame, y).rules_) == str(by_name.rules_)


def test_weights_of_whole_numbers_are_repeated_rows(classifier):
    frame, y = random_table(8, n_rows=60)
    weight = np.random.default_rng(0).integers(0, 4, 60)
    options = {"random_state": 0} if "random_state" in classifier().get_params() else {}
    weighted = classifier(**options).fit(frame, y, sample_weight=weight)
    repeated = classifier(**options).fit(frame.loc[frame.index.repeat(weight)], np.repeat(y, weight))
    assert str(weighted.rules_) == str(repeated.rules_)
    with pytest.raises(DataError, match="sample_weight must be whole numbers"):
        classifier().fit(frame, y, sample_weight=weight + 0.5)


def test_fitting_again_forgets_the_rules_before(classifier):
    frame, y = numeric_data()
    model = classifier().fit(frame, y)
    before = str(model.rules_)
    other, z = random_table(1)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model.fit(other, z)
    assert str(model.rules_) != before
    assert model.rules_.schema is model.schema_


def test_how_many_rules_there_are_about_is_told_if_asked(classifier, capfd):
    classifier(verbose=True).fit(X, Y)
    told = capfd.readouterr()
    assert "rules" in told.err
    assert told.out == ""
    classifier().fit(X, Y)
    assert capfd.readouterr().err == ""


class Voters(EagerClassifier):
    """The classifier that the documentation shows."""

    def _parts(self, root):
        return Parts(MDLP(), BitsetMiner(0.02, 0.8), ORDERINGS["WRA"], satisfaction=AllRules("noisy_or"))


def test_a_classifier_of_ones_own_is_one_expression():
    frame, y = numeric_data()
    model = Voters().fit(frame, y)
    assert model.score(frame, y) > 0.8
    assert model.rules_.semantics == "vote"


def test_rules_of_use_are_counted_against_those_mined():
    model = MCARClassifier(min_support=2, random_state=0).fit(X, Y)
    use = model.use(X)
    # four rules are kept and all of them decide for some training row, of the 32 mined
    assert (use.generated, use.used, use.utilisation) == (32, 4, 4 / 32)
    assert model.use(TESTS).used == len(set(model.decide(TESTS).rule.tolist()) - {-1})
