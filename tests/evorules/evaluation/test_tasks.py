"""Keys of tasks: what they cover, and what cannot be written down."""

import json

import numpy as np
import pandas as pd
import pytest
from sklearn.compose import ColumnTransformer, make_column_selector
from sklearn.ensemble import RandomForestClassifier
from sklearn.model_selection import GridSearchCV, StratifiedKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, OrdinalEncoder, StandardScaler
from sklearn.tree import DecisionTreeClassifier
from stubs.learners import Dice, Stub

from evorules.evaluation import canonical
from evorules.evaluation.canonical import canonical_json, describe
from evorules.evaluation.data import TaskData
from evorules.evaluation.folds import make_folds
from evorules.evaluation.tasks import is_stochastic, name_learners, plan_tasks, seeds_of
from evorules.hybrids import GALargeSN, SmallDisjunctClassifier
from evorules.learners import make_learner
from trees import C45Classifier
from trees.errors import ParameterError

X = pd.DataFrame({"a": [1.0, 2.0, 3.0, 4.0] * 5, "b": ["x", "y"] * 10})
Y = pd.Series(["yes", "no", "no", "yes"] * 5, name="class")


def plan_of(learner, X=X, y=Y, seeds=(0,), folds=2, random_state=0, reference=None):
    data = TaskData.read("set", X, y)
    split = {
        data.fingerprint: make_folds(data.classes, data.labels.tolist(), folds, 1, random_state, data.splits)
    }
    return plan_tasks(name_learners({"it": learner}), [data], split, list(seeds), reference)


def keys(*arguments, **options):
    return set(plan_of(*arguments, **options).tasks)


BASE = SmallDisjunctClassifier(handler=GALargeSN())


@pytest.mark.parametrize(
    "other",
    [
        {"learner": SmallDisjunctClassifier(handler=GALargeSN(), threshold=14)},
        {"learner": SmallDisjunctClassifier(handler=GALargeSN(variant="paper"))},
        {"learner": SmallDisjunctClassifier(handler="ga-large-sn")},
        {"learner": SmallDisjunctClassifier(tree=C45Classifier(), handler=GALargeSN())},
        {"seeds": (1,)},
        {"folds": 4},
        {"random_state": 1},
        {"X": X.assign(a=X["a"] + 1)},
        {"X": X.assign(a=X["a"].astype("float32"))},
        {"X": X.rename(columns={"a": "c"})},
        {"X": X[["b", "a"]]},
        {"X": X.assign(a=X["a"].mask(X["a"] == 1))},
        {"X": X.assign(b=pd.Categorical(X["b"], categories=["y", "x"]))},
        {"y": Y.map({"yes": 1, "no": 0})},
        {"y": pd.Series(pd.Categorical(Y, categories=["yes", "no"]), name="class")},
        {"y": Y.mask(Y.index == 3, "no")},
    ],
)
def test_key_changes_with_everything_that_may_change_the_result(other):
    assert keys(BASE).isdisjoint(keys(**{"learner": BASE, **other}))


def test_key_does_not_depend_on_names_for_people_or_the_index():
    data = TaskData.read("set", X, Y)
    assert TaskData.read("another name", X.set_axis(range(7, 27)), Y).fingerprint == data.fingerprint
    # the name of the class column is printed with every rule
    assert TaskData.read("set", X, Y.rename("play")).fingerprint != data.fingerprint


def test_key_changes_with_versions_of_code(monkeypatch):
    before = keys(BASE)
    monkeypatch.setattr(GALargeSN, "algorithm_version", 2)
    raised = keys(BASE)
    assert before.isdisjoint(raised)
    monkeypatch.setattr(canonical, "__version__", "99")
    canonical.versions.cache_clear()
    try:
        assert raised.isdisjoint(keys(BASE))
    finally:
        canonical.versions.cache_clear()


def test_key_covers_the_source_of_a_class_without_version(tmp_path, monkeypatch):
    import importlib

    monkeypatch.syspath_prepend(tmp_path)
    text = (
        "from sklearn.base import BaseEstimator, ClassifierMixin\n"
        "class Own(ClassifierMixin, BaseEstimator):\n"
        "    def fit(self, X, y):\n        return self\n"
        "    def predict(self, X):\n        return [{}] * len(X)\n"
    )
    path = tmp_path / "own_learner.py"
    path.write_text(text.format("'yes'"))
    module = importlib.import_module("own_learner")
    before = keys(module.Own())
    path.write_text(text.format("'nobody'"))
    assert before.isdisjoint(keys(importlib.reload(module).Own()))


def test_parameters_are_spelled_out_with_class_and_version():
    written = json.loads(canonical_json(describe(SmallDisjunctClassifier(handler=GALargeSN(stop=7)))))
    assert written["estimator"] == ["evorules.hybrids.small_disjuncts:SmallDisjunctClassifier", 1]
    handler = written["params"]["handler"]
    assert handler["estimator"] == ["evorules.hybrids.ga_large_sn:GALargeSN", 1]
    assert handler["params"]["stop"] == 7
    assert written["params"]["threshold"] == 15


def test_equal_values_give_equal_text():
    assert canonical_json(describe({"b": 1, "a": (1, 2.5)})) == canonical_json(
        describe({"a": (np.int64(1), np.float64(2.5)), "b": 1})
    )
    assert canonical_json(describe([1, 2])) != canonical_json(describe((1, 2)))
    assert canonical_json(describe(float("nan"))) == '{"float":"nan"}'
    assert describe(np.arange(3)) != describe(np.arange(3.0))


def test_ordinary_pipelines_can_be_written():
    steps = ColumnTransformer(
        [
            ("n", StandardScaler(), ["a"]),
            ("c", OrdinalEncoder(), make_column_selector(dtype_include="object")),
        ]
    )
    search = GridSearchCV(
        make_pipeline(steps, FunctionTransformer(np.abs), DecisionTreeClassifier()),
        {"decisiontreeclassifier__max_depth": [1, 2]},
        cv=StratifiedKFold(3),
    )
    text = canonical_json(describe(search))
    for part in ("max_depth", '"n_splits":3', "numpy:absolute", "make_column_selector", "OrdinalEncoder"):
        assert part in text


@pytest.mark.parametrize("value", [lambda x: x, np.random.default_rng(0), np.random.RandomState(0), object()])
def test_what_cannot_be_written_is_an_error_that_says_where(value):
    with pytest.raises(
        ParameterError, match=r"The learner 'it'\.steps\[0\]\[1\]\.func holds .* cannot be written"
    ):
        plan_of(make_pipeline(FunctionTransformer(value), Stub()))


def test_a_function_of_a_module_is_written_by_name_and_source():
    [place, version] = describe(test_ordinary_pipelines_can_be_written)["code"]
    assert place.endswith(":test_ordinary_pipelines_can_be_written")
    assert len(version) == 64


def test_seed_is_every_random_state():
    plan = plan_of(make_pipeline(StandardScaler(), RandomForestClassifier(random_state=99)), seeds=(3, 4))
    seeds = {
        task.seed: task.estimator.get_params()["randomforestclassifier__random_state"]
        for task in plan.tasks.values()
    }
    assert seeds == {3: 3, 4: 4}


@pytest.mark.parametrize(
    ("learner", "expected"),
    [
        (C45Classifier(), False),
        (make_learner("double-c45"), False),
        (SmallDisjunctClassifier(handler="none"), False),
        (make_learner("ga-small"), True),
        (SmallDisjunctClassifier(handler=GALargeSN()), True),
        (Stub(), False),
        (Dice(), True),
        (make_pipeline(StandardScaler(), Stub()), False),
        (make_pipeline(StandardScaler(), DecisionTreeClassifier()), True),
        (GridSearchCV(DecisionTreeClassifier(), {}), True),
    ],
)
def test_stochastic_is_what_depends_on_a_seed(learner, expected):
    assert is_stochastic(learner) is expected


def test_learners_without_randomness_are_planned_once_per_fold():
    plan = plan_of(C45Classifier(), seeds=(0, 1, 2))
    assert len(plan.tasks) == 2
    assert len(plan_of(make_learner("ga-large-sn"), seeds=(0, 1, 2)).tasks) == 6


def test_reference_tree_shares_its_tasks_with_an_equal_learner():
    plan = plan_of(C45Classifier(), reference=C45Classifier())
    assert len(plan.tasks) == 2
    assert [entry.is_reference for entry in plan.entries] == [False, False, True, True]


def test_labels_tell_learners_of_one_class_apart():
    named = name_learners(["c45", Stub(), Stub("warn"), make_pipeline(StandardScaler(), Stub())])
    assert list(named) == ["c45", "Stub", "Stub 2", "Stub 3"]


@pytest.mark.parametrize(
    ("learners", "message"),
    [("c5", "no learner 'c5'"), ([], "at least one"), (Stub, "an unfitted classifier"), (3, "an unfitted")],
)
def test_what_is_no_learner_is_refused(learners, message):
    with pytest.raises(ParameterError, match=message):
        name_learners(learners)


@pytest.mark.parametrize("seeds", [0, -1, True, "12", [], [1, 1], [-1], 2.5])
def test_seeds_must_be_a_number_or_different_numbers(seeds):
    with pytest.raises(ParameterError, match="The 'seeds' parameter of compare must be"):
        seeds_of(seeds)


def test_parameters_that_came_later_change_keys_only_when_they_are_used():
    held = [describe(GALargeSN(class_weight=weight))["params"] for weight in (None, "balanced")]
    assert held[1].keys() - held[0].keys() == {"class_weight"}
    assert not {"selection", "trade_off"} & held[1].keys()
    assert keys(BASE) != keys(SmallDisjunctClassifier(handler=GALargeSN(class_weight="balanced")))
