"""The settled cases of the reference folder, for every learner that they speak of.

Many stand with the modules that they concern as well; here they run from the file itself, so that a case that
is added or altered there is noticed.
"""

import json
import pickle
import random
import re
import subprocess
import sys
import time
import warnings

import numpy as np
import pandas as pd
import pytest
from cases.settled import (
    FORMS,
    attributes_in,
    c45_tree,
    data_of,
    frame_of,
    instance,
    names,
    proba_close,
    read_cases,
    rule_from_text,
)
from cases.tree_checks import CHECKS, NOT_HERE
from conformance.instances import INSTANCES, SMALL_GA
from joblib import Parallel, delayed
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV

import evorules.datasets
from evorules.evaluation import compare
from evorules.export.dot import to_dot
from evorules.export.model_file import model_from_dict, model_to_dict
from evorules.hybrids import GALargeSN, GASmall, SmallDisjunctClassifier
from trees import (
    Attribute,
    C45Classifier,
    C45RulesClassifier,
    CARTClassifier,
    ObliqueTreeClassifier,
    RuleList,
    Schema,
)

pytestmark = pytest.mark.filterwarnings(
    "ignore:The class is .* in every row",
    "ignore:The least populated class",
    "ignore:No rule predicts",
    "ignore:No rule reaches min_support",
)

EVERY = tuple(INSTANCES)
GENETIC = tuple(name for name in INSTANCES if name.startswith("ga-"))
C45_TREE = ("S01", "S02", "S03", "S05", "S06", "S08", "S11", "S17", "S19")

OUT_OF_SCOPE = {
    **dict.fromkeys(("S25", "S26", "S29", "S30"), "mining, in test_mining_cases"),
    **dict.fromkeys(
        ("S27", "S28", "S47"), "mining and its learners, in test_mining_cases and test_associative_cases"
    ),
    **dict.fromkeys(("S33", "S34", "S35", "S37", "S38"), "experiments, in tests/evorules/evaluation"),
    **dict.fromkeys(("S41", "S42", "S46"), "statistics and measures, in tests/evorules/evaluation"),
    "S45": "the package reads no rules from text",
}
"""Cases that are not run here, with the reason."""


@pytest.fixture(scope="module")
def cases(reference):
    return read_cases(reference)


def test_every_case_of_the_file_is_run_here_or_has_a_reason_not_to(cases):
    tests = [name for name in globals() if name.startswith("test_s")]
    named = {found.upper() for name in tests for found in re.findall(r"(?<=_)s\d\d(?=_)", name)}
    assert not (named | set(C45_TREE)) & set(OUT_OF_SCOPE)
    assert named | set(C45_TREE) | set(OUT_OF_SCOPE) == set(cases)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("case_id", C45_TREE)
def test_the_tree_of_c45_is_as_the_case_says(cases, reference, case_id, form):
    case = cases[case_id]
    data = data_of(case, form, reference)
    model = c45_tree(case, data.nominal).fit(data.X, data.y, sample_weight=data.sample_weight)
    asked = case["operation"].get("query")
    query = frame_of(asked, case["data"]["attributes"]) if isinstance(asked, list) else data.X
    checked = [key for key in case["expected"] if key not in NOT_HERE]
    assert checked
    for key in checked:
        CHECKS[key](model, data, query, case["expected"][key])


def test_s04_categories_are_matched_by_label(cases):
    case = cases["S04"]
    data = data_of(case)
    query = pd.DataFrame({"A": pd.Categorical([row["A"] for row in case["operation"]["query"]], ["b", "c"])})
    assert query["A"].cat.codes.tolist() == [0, 1]
    for name in EVERY:
        model = instance(name, min_cases=2).fit(data.X, data.y)
        assert model.predict(query).tolist() == case["expected"]["predict"], name


@pytest.mark.parametrize("name", EVERY)
def test_s07_labels_come_back_as_text(cases, name):
    case = cases["S07"]
    data = data_of(case)
    model = instance(name, min_cases=1, min_support=0.1, min_confidence=0.5).fit(data.X, data.y)
    predicted = model.predict(data.X)
    assert predicted.tolist() == case["expected"]["predict"]
    assert {type(label) for label in predicted.tolist()} == {str}
    assert model.score(data.X, data.y) == case["expected"]["score"]


@pytest.mark.parametrize("name", EVERY)
def test_s09_columns_in_another_order(cases, name):
    case = cases["S09"]
    data = data_of(case)
    model = instance(name, **case["operation"]["settings"]).fit(data.X, data.y)
    query = frame_of(case["operation"]["query"], case["data"]["attributes"])
    assert list(query.columns) == case["operation"]["query_as_frame_with_columns"] == ["v", "u"]
    assert {"predict": model.predict(query).tolist()} == case["expected"]["either"][0]


@pytest.mark.parametrize("name", EVERY)
def test_s10_a_column_that_is_absent(cases, name):
    case = cases["S10"]
    data = data_of(case)
    model = instance(name).fit(data.X, data.y)
    with pytest.raises(ValueError, match="now missing") as caught:
        model.predict(frame_of(case["operation"]["query"], case["data"]["attributes"]))
    assert names(str(caught.value), case["expected"]["message_must_name"])


def test_s12_values_that_single_precision_cannot_tell_apart(cases):
    case = cases["S12"]
    for k, table in enumerate(case["data"]["tables"]):
        data = data_of({**case, "data": table})
        model = c45_tree(case).fit(data.X, data.y)
        assert model.score(data.X, data.y) == case["expected"]["score"][k]
        assert model.tree_.n_leaves == case["expected"]["n_leaves"][k]


def test_s13_the_text_of_tiny_thresholds_means_the_same_rules(cases):
    case = cases["S13"]
    data = data_of(case)
    model = c45_tree(case).fit(data.X, data.y)
    printed = [str(model.tree_), str(model.rules_), to_dot(model)]
    bounds = case["expected"]["threshold_in_text"]
    for text in printed:
        thresholds = {float(number) for number in re.findall(r"(?:<=|(?<!-)>) ([-+.\de]+)", text)}
        assert len(thresholds) == 1
        assert bounds["at_least"] <= thresholds.pop() < bounds["below"]
        assert not any(wrong in text for wrong in case["expected"]["text_must_not_contain"])
    said = np.full(len(data.X), "", dtype=object)
    pattern = r"IF rate (<=|>) (\S+) THEN class = (\w)"
    for relation, number, label in re.findall(pattern, str(model.rules_)):
        covered = (data.X["rate"] <= float(number)) == (relation == "<=")
        said[covered] = label
    assert said.tolist() == model.predict(data.X).tolist()
    assert model.score(data.X, data.y) == case["expected"]["score"]


@pytest.mark.parametrize("kind", ["nominal", "numeric"])
@pytest.mark.parametrize("name", ["c45_tree", *EVERY])
def test_s14_an_attribute_that_is_missing_in_every_row(cases, name, kind):
    case = cases["S14"]
    attributes = {**case["data"]["attributes"]}
    asked = case["operation"]["query"]
    if kind == "numeric":
        attributes["A"] = {"type": "numeric"}
        asked = [{**row, "A": None if row["A"] is None else 3.5} for row in asked]
    data = data_of({**case, "data": {**case["data"], "attributes": attributes}})
    model = c45_tree(case) if name == "c45_tree" else instance(name, **case["operation"]["settings"])
    model.fit(data.X, data.y)
    assert model.predict(frame_of(asked, attributes)).tolist() == case["expected"]["predict"]
    assert not attributes_in(model.rules_) & set(case["expected"]["no_condition_mentions"])


@pytest.mark.parametrize("name", EVERY)
def test_s15_rows_whose_class_is_missing_are_refused(cases, name):
    case = cases["S15"]
    data = data_of(case)
    expected = case["expected"]["either"][0]
    assert expected["raises"] == "ValueError"
    for labels in (data.y, pd.Series(data.y, name="y"), pd.Categorical(data.y)):
        with pytest.raises(ValueError, match="Drop these rows, or name their class") as caught:
            instance(name).fit(data.X, labels)
        assert names(str(caught.value), expected["message_must_name"])


@pytest.mark.parametrize("name", EVERY)
def test_s16_one_class_only(cases, name):
    case = cases["S16"]
    data = data_of(case)
    model = instance(name).fit(data.X, data.y)
    query = frame_of(case["operation"]["query"], case["data"]["attributes"])
    assert list(model.classes_) == case["expected"]["classes"]
    assert model.predict(query).tolist() == case["expected"]["predict"]
    assert model.predict_proba(query).tolist() == case["expected"]["predict_proba"]
    assert "neg" in str(model.rules_)
    if hasattr(model, "tree_"):
        assert "neg" in str(model.tree_)
        assert 'label="neg' in to_dot(model.tree_)
    assert model_from_dict(model_to_dict(model)).predict(query).tolist() == case["expected"]["predict"]


GROUPING = {
    "c45-groups": C45Classifier(prune=False, group_values=True),
    "c45-groups-r8": C45Classifier(prune=False, group_values=True, mode="r8"),
    "cart": CARTClassifier(pruning=None),
    "cart-one-vs-rest": CARTClassifier(pruning=None, nominal_split="one_vs_rest"),
    "oblique": ObliqueTreeClassifier(pruning=None, random_state=0),
}


@pytest.mark.parametrize("name", GROUPING)
def test_s17_200_values_do_not_start_a_search_of_all_subsets(cases, name):
    data = data_of(cases["S17"])
    begun = time.perf_counter()
    model = clone(GROUPING[name]).fit(data.X, data.y)
    assert time.perf_counter() - begun < 60
    assert model.score(data.X, data.y) == 1.0


MISSING = {
    "None and float nan": lambda cells: np.array([*cells, None, float("nan")], dtype=object),
    "pandas NA twice": lambda cells: np.array([*cells, pd.NA, pd.NA], dtype=object),
    "numpy nan twice": lambda cells: np.array([*cells, np.nan, np.nan], dtype=object),
    "pandas categorical with nan": lambda cells: pd.Categorical([*cells, np.nan, np.nan]),
    "pandas string dtype with NA": lambda cells: pd.array([*cells, pd.NA, pd.NA], dtype="string"),
}


def test_s18_every_spelling_of_missing_is_the_same_missing(cases):
    case, same = cases["S18"], cases[cases["S18"]["expected"]["each_variant_equals_case"]]
    labels = [row[1] for row in case["data"]["rows"]]
    query = frame_of(same["operation"]["query"], same["data"]["attributes"])
    for variant in case["data"]["variants"]:
        X = pd.DataFrame({"A": MISSING[variant]([row[0] for row in case["data"]["rows"][:8]])})
        model = c45_tree(case).fit(X, labels)
        assert list(model.schema_.attributes[0].values) == case["expected"]["categories"]
        proba_close(model.predict_proba(query), same["expected"]["predict_proba"])
        for key in ("leaf_weights", "leaf_class_weights", "root_attribute", "predict"):
            CHECKS[key](model, None, query, same["expected"][key])


read_arff = getattr(evorules.datasets, "read_arff", None)
needs_arff = pytest.mark.skipif(read_arff is None, reason="the package reads no ARFF files yet")


def _plain_rows(data):
    whole = pd.concat([data.X.astype(object), pd.Series(data.y).astype(object)], axis=1)
    return [[None if pd.isna(cell) else cell for cell in row] for row in whole.to_numpy().tolist()]


@needs_arff
@pytest.mark.parametrize("case_id", ["S20", "S22"])
def test_s20_and_s22_cells_of_arff_files(cases, reference, case_id):
    case = cases[case_id]
    data = read_arff(reference / "cases" / case["data"]["path"], target=case["data"]["target"])
    assert _plain_rows(data) == case["expected"]["rows"]
    for name, kind in case["expected"].get("attributes", []):
        column = data.y if name == case["data"]["target"] else data.X[name]
        declared = "numeric" if pd.api.types.is_numeric_dtype(column) else column.cat.categories.tolist()
        assert declared == kind


@needs_arff
def test_s21_an_undeclared_value_in_an_arff_file(cases, reference):
    case = cases["S21"]
    with pytest.raises(ValueError, match="hgih") as caught:
        read_arff(reference / "cases" / case["data"]["path"], target=case["data"]["target"])
    assert names(str(caught.value), case["expected"]["message_must_name"])


def test_s23_na_and_none_are_honest_categories(cases, reference):
    case = cases["S23"]
    X = data_of(case, reference=reference).X
    for name, categories in case["expected"]["categories"].items():
        assert sorted(X[name].dropna().unique()) == categories
    assert X.isna().sum().to_dict() == case["expected"]["n_missing"]


def test_s24_names_and_values_that_are_code_somewhere(cases):
    case = cases["S24"]
    data = data_of(case)
    model = c45_tree(case).fit(data.X, data.y)
    assert model.score(data.X, data.y) == case["expected"]["training_score"]
    labels = re.findall(r'\[label=("(?:[^"\\]|\\.)*")[\],]', dot := to_dot(model))
    assert dot.count("[label=") == len(labels)
    assert dot.count("\n") == 3 + 2 * model.tree_.n_nodes - 1
    shown = [label[1:-1].replace('\\"', '"') for label in labels]
    assert {'say "hi"', "= O'Hara", "= R&D <x>", "a b"} <= set(shown)
    again = model_from_dict(json.loads(json.dumps(model_to_dict(model))))
    assert again.predict(data.X).tolist() == data.y


def _rules_of(case, schema):
    classes = schema.classes
    return tuple(
        rule_from_text(rule["if"], classes.index(rule["then"]), schema) for rule in case["data"]["rules"]
    )


def test_s31_identical_rows_all_get_their_prediction(cases):
    case = cases["S31"]
    schema = Schema((Attribute("c", "nominal", ("r", "b")),), Attribute("class", "nominal", ("n", "p")))
    rules = RuleList(_rules_of(case, schema), schema, schema.classes.index(case["data"]["default"]))
    fitted = C45RulesClassifier().fit(pd.DataFrame({"c": ["r", "b"] * 5}), ["p", "n"] * 5).to_dict()
    state = {"rules": rules.to_dict(), "default_counts": [1.0, 0.0]}
    model = C45RulesClassifier().restore({**fitted, "schema": schema.to_dict(), "state": state})
    query = pd.DataFrame(case["operation"]["query"])
    assert model.predict(query).tolist() == case["expected"]["predict"]
    twice = pd.concat([query, query], ignore_index=True)
    assert model.score(twice, case["expected"]["predict"] * 2) == case["expected"]["score"]


def test_s32_the_same_rule_in_another_order_and_nested_bounds(cases):
    case = cases["S32"]
    attributes = (
        Attribute("a", "nominal", ("1", "2")),
        Attribute("b", "nominal", ("1", "2")),
        Attribute("x", "numeric"),
    )
    schema = Schema(attributes, Attribute("class", "nominal", ("N", "P")))
    kept = RuleList(_rules_of(case, schema), schema, 0).simplify()
    assert len(kept) == case["expected"]["n_rules"]
    found = [[rule.antecedent(schema).split(" AND "), schema.classes[rule.consequent]] for rule in kept]
    assert found == case["expected"]["rules_as_sets"]


def _global_generators():
    return random.getstate(), [str(part) for part in np.random.get_state()]  # noqa: NPY002


@pytest.mark.parametrize("name", GENETIC)
def test_s36_the_global_random_state_is_left_alone(cases, reference, name):
    case = cases["S36"]
    data = data_of(case, reference=reference)
    models = []
    for _ in range(2):
        before = _global_generators()
        model = instance(name).set_params(random_state=case["operation"]["settings"]["random_state"])
        models.append(model.fit(data.X, data.y))
        assert _global_generators() == before
        random.seed(99)
        np.random.seed(99)  # noqa: NPY002
        [random.random() for _ in range(10)]
        np.random.random(10)  # noqa: NPY002
    assert len(models[0].rules_) > 0 or name == "ga-auto"  # which may settle on a remedy without rules
    assert models[0].rules_.rules == models[1].rules_.rules
    np.testing.assert_array_equal(*(model.predict_proba(data.X) for model in models))


@pytest.fixture(scope="module")
def big():
    """The array of case S39: 20,000 rows, read-only."""
    X = np.random.default_rng(0).normal(size=(20000, 10))
    y = X[:, 0] > 0
    X.setflags(write=False)
    y.setflags(write=False)
    return X, y


def test_s39_read_only_and_memory_mapped_input(cases, big, tmp_path):
    X, y = big
    np.save(tmp_path / "X.npy", X)
    np.save(tmp_path / "y.npy", y)
    mapped = np.load(tmp_path / "X.npy", mmap_mode="r"), np.load(tmp_path / "y.npy", mmap_mode="r")
    for rows, labels in (big, mapped):
        model = c45_tree(cases["S39"]).fit(rows, labels)
        assert model.score(rows, labels) == cases["S39"]["expected"]["training_score"]
    assert (tmp_path / "X.npy").read_bytes().endswith(X.tobytes())
    result = compare(c45_tree(cases["S39"]), (X, y), folds=2, reference=None).to_frame()
    assert result["status"].tolist() == ["ok", "ok"]
    assert (result["accuracy"] > 0.999).all()
    generated = np.random.default_rng(0).normal(size=X.shape)
    np.testing.assert_array_equal(X, generated)
    np.testing.assert_array_equal(y, generated[:, 0] > 0)


@pytest.mark.slow
def test_s39_arrays_that_joblib_maps_into_its_workers(cases, big):
    X, y = big
    fit = delayed(C45Classifier.fit)
    models = Parallel(n_jobs=2, max_nbytes="1M")(fit(c45_tree(cases["S39"]), X, y) for _ in range(2))
    assert [model.score(X, y) for model in models] == [1.0, 1.0]


@pytest.mark.parametrize("name", EVERY)
def test_s40_clone_keeps_parameters_and_fit_does_not_touch_them(cases, name):
    assert cases["S40"]["expected"] == {"holds": True}
    data = data_of(cases["S02"])
    model = instance(name)
    before = model.get_params()
    written = repr(before)
    model.fit(data.X, data.y)
    assert model.get_params() == before
    assert repr(model.get_params()) == written
    assert any(attribute.endswith("_") for attribute in vars(model))
    copy = clone(model)
    assert repr(copy.get_params()) == written
    assert not any(attribute.endswith("_") for attribute in vars(copy))
    search = GridSearchCV(copy, {"unknown": ["missing", "error"]}, cv=2, error_score="raise")
    assert search.fit(data.X, data.y).predict(data.X).shape == (10,)


def test_s43_a_pickled_model_predicts_in_a_fresh_interpreter(cases, reference, tmp_path):
    data = data_of(cases["S43"], reference=reference)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        first, _ = (instance("ga-large-sn").fit(data.X, data.y) for _ in range(2))
    assert len(first.handler_.rules_) > 0
    (tmp_path / "model").write_bytes(pickle.dumps(first))
    (tmp_path / "X").write_bytes(pickle.dumps(data.X))
    code = (
        "import pathlib, pickle, sys, warnings; warnings.simplefilter('error')\n"
        "import evorules\n"
        "model, X = (pickle.loads(pathlib.Path(path).read_bytes()) for path in sys.argv[1:])\n"
        "print(*model.predict(X))"
    )
    command = [sys.executable, "-c", code, str(tmp_path / "model"), str(tmp_path / "X")]
    done = subprocess.run(command, check=True, capture_output=True, text=True, cwd=tmp_path)
    assert done.stdout.split() == first.predict(data.X).tolist()
    assert done.stderr == ""


@pytest.mark.parametrize("handler", [GALargeSN, GASmall])
def test_s44_the_genetic_algorithm_stops_on_its_time_budget(cases, reference, handler):
    case = cases["S44"]
    asked = case["operation"]["settings"]
    data = data_of(case, reference=reference)
    endless = handler(
        population_size=SMALL_GA["population_size"],
        n_generations=asked["n_generations"],
        time_budget=asked["time_budget_s"],
    )
    begun = time.perf_counter()
    model = SmallDisjunctClassifier(handler=endless, random_state=0).fit(data.X, data.y)
    assert time.perf_counter() - begun < case["expected"]["wall_s_below"]
    assert model.handler_.stop_reason_ == case["expected"]["stop_reason"]
    assert len(model.handler_.rules_) > 0
    assert model.score(data.X, data.y) > 0.5
