"""Model files: safe to load, complete, and refused with a reason when they are damaged."""

import json

import numpy as np
import pandas as pd
import pytest

from evorules.associative import CBAClassifier
from evorules.export.model_file import load_model, model_from_dict, model_to_dict, save_model
from evorules.hybrids import SecondTree, SmallDisjunctClassifier
from trees import C45Classifier, ModelFileError
from trees.discretize import EqualWidth
from trees.id3 import ID3Classifier

X = pd.DataFrame({"a": list("uuvvuuvv") * 5, "n": np.arange(40) % 7})
Y = np.where((X["a"] == "u") & (X["n"] > 2), "in", "out")


def kinds(record):
    return record["model"]["state"]["tree"]["kind"]


@pytest.fixture
def record():
    return model_to_dict(C45Classifier(min_cases=3).fit(X, Y))


def written(record, path):
    path.write_text(json.dumps(record), encoding="utf-8")
    return path


def test_a_model_comes_back_with_its_parameters(tmp_path):
    model = SmallDisjunctClassifier(C45Classifier(min_cases=5), SecondTree(prune=False), 8).fit(X, Y)
    save_model(model, tmp_path / "model.json")
    again = load_model(tmp_path / "model.json")
    assert repr(again) == repr(model)
    np.testing.assert_array_equal(again.predict(X), model.predict(X))
    pd.testing.assert_frame_equal(again.disjuncts_, model.disjuncts_)


@pytest.mark.parametrize(
    "labels", [[0, 1], [True, False], [0.5, 1.5], [np.datetime64("2020"), np.datetime64("2021")]]
)
def test_labels_keep_their_type_or_are_refused(labels, tmp_path):
    y = np.where(Y == "in", labels[0], labels[1])
    if y.dtype.kind == "M" or labels == [0.5, 1.5]:
        with pytest.raises(ValueError, match=r"Labels of type|Unknown label type"):
            save_model(C45Classifier().fit(X, y), tmp_path / "model.json")
        return
    save_model(C45Classifier().fit(X, y), tmp_path / "model.json")
    predicted = load_model(tmp_path / "model.json").predict(X)
    assert predicted.dtype == y.dtype
    np.testing.assert_array_equal(predicted, y)


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda r: r.update(format="other"), "lacks the mark 'evorules-model'"),
        (lambda r: r.update(version=99), "version 99; this release reads up to 1"),
        (
            lambda r: r["learner"].update({"class": "os.system"}),
            "'os.system' that this release does not know",
        ),
        (lambda r: r["learner"]["parameters"].update(min_cases=-1), "'min_cases' parameter of C45Classifier"),
        (lambda r: r["learner"]["parameters"].update(bonus=1), "parameters that C45Classifier does not take"),
        (lambda r: r["model"].pop("schema"), "damaged: KeyError"),
        (lambda r: r["model"]["state"]["tree"]["child"].append(1), "lengths that do not fit"),
        (lambda r: r["model"]["state"]["tree"]["child"].__setitem__(0, 0), "do not fit the schema"),
        (lambda r: r["model"]["state"]["tree"]["attribute"].__setitem__(0, 7), "do not fit the schema"),
        (
            lambda r: r["model"]["state"]["tree"].update(kind=[k and -1 for k in kinds(r)]),
            "do not fit the schema",
        ),
        (lambda r: r["model"]["class_codes"].__setitem__(0, 5), "labels do not fit"),
        (lambda r: r["model"]["labels"].update(dtype="V8"), "cannot be read"),
    ],
)
def test_a_damaged_file_is_refused_with_the_reason(record, damage, message, tmp_path):
    damage(record)
    with pytest.raises(ModelFileError, match=message):
        load_model(written(record, tmp_path / "model.json"))


@pytest.mark.parametrize("text", ["", "{", "[]", "\x80", "[" * 100_000])
def test_what_is_no_json_object_is_refused(text, tmp_path):
    path = tmp_path / "model.json"
    path.write_bytes(text.encode("latin-1"))
    with pytest.raises(ModelFileError, match="not a model file"):
        load_model(path)


BROKEN_RULES = [
    (lambda rule: rule.update(then=9), r"Rule 1 does not fit the 2 classes"),
    (lambda rule: rule.update(counts=[1.0]), r"Rule 1 does not fit the 2 classes"),
    (lambda rule: rule["if"][0].__setitem__(0, 9), r"Rule 1 tests attribute 9, which the schema lacks"),
    (lambda rule: rule["if"][0].__setitem__(0, -1), r"Rule 1 tests attribute -1"),
    (
        lambda rule: rule.update({"if": [[1, "in", [0]]]}),
        r"Rule 1 tests 'n' for what that attribute cannot hold",
    ),
    (
        lambda rule: rule.update({"if": [[0, "in", [7]]]}),
        r"Rule 1 tests 'a' for what that attribute cannot hold",
    ),
]


@pytest.mark.parametrize(("damage", "message"), BROKEN_RULES)
def test_rules_that_do_not_fit_the_schema_are_refused(damage, message):
    record = model_to_dict(CBAClassifier(min_support=2).fit(X, Y))
    damage(record["model"]["state"]["rules"]["rules"][0])
    with pytest.raises(ModelFileError, match=message):
        model_from_dict(record)


@pytest.mark.parametrize(("damage", "message"), BROKEN_RULES)
def test_rules_of_handlers_that_do_not_fit_are_refused(damage, message):
    model = SmallDisjunctClassifier(C45Classifier(), "boosted-rules", 40, random_state=0).fit(X, Y)
    record = model_to_dict(model)
    damage(record["model"]["state"]["handler"]["rules"][0])
    with pytest.raises(ModelFileError, match=message):
        model_from_dict(record)


def test_a_rule_without_its_vote_is_refused():
    model = SmallDisjunctClassifier(C45Classifier(), "boosted-rules", 40, random_state=0).fit(X, Y)
    record = model_to_dict(model)
    record["model"]["state"]["handler"]["rules"][0]["scores"] = {}
    with pytest.raises(ModelFileError, match="no vote"):
        model_from_dict(record)


def test_weights_of_a_tree_are_numbers(record):
    record["model"]["state"]["tree"]["weight"][0] = None
    with pytest.raises(ModelFileError, match="do not fit the schema"):
        model_from_dict(record)


def test_a_default_class_that_is_none_is_refused():
    record = model_to_dict(CBAClassifier(min_support=2).fit(X, Y))
    record["model"]["state"]["rules"]["default"] = 5
    with pytest.raises(ModelFileError, match="default class 5 is none of 2 classes"):
        model_from_dict(record)


def test_a_configured_discretizer_comes_back(tmp_path):
    frame = pd.DataFrame({"x": [1.0, 2.0, 3.0, 7.0, 8.0, 9.0] * 2})
    model = ID3Classifier(discretizer=EqualWidth(4)).fit(frame, list("ppqqpp") * 2)
    save_model(model, tmp_path / "m.json")
    loaded = load_model(tmp_path / "m.json")
    assert loaded.discretizer == EqualWidth(4)
    assert loaded.predict(frame).tolist() == model.predict(frame).tolist()


def test_a_discretizer_that_is_none_of_ours_is_refused_in_a_file(tmp_path):
    model = ID3Classifier(discretizer=EqualWidth(4)).fit(pd.DataFrame({"x": [1.0, 2.0, 3.0]}), list("ppq"))
    record = model_to_dict(model)
    record["learner"]["parameters"]["discretizer"]["discretizer"] = "Popen"
    with pytest.raises(ModelFileError, match="Popen"):
        load_model(written(record, tmp_path / "model.json"))


def test_a_learner_of_ones_own_cannot_be_written():
    class Mine(C45Classifier):
        pass

    with pytest.raises(ModelFileError, match="Mine, which is not in the registry"):
        model_to_dict(Mine().fit(X, Y))


def test_a_file_that_cannot_be_completed_leaves_the_old_one(tmp_path):
    path = tmp_path / "model.json"
    path.write_text("old")

    class Mine(C45Classifier):
        pass

    with pytest.raises(ModelFileError, match="registry"):
        save_model(Mine().fit(X, Y), path)
    assert path.read_text() == "old"
    assert [entry.name for entry in tmp_path.iterdir()] == ["model.json"]


@pytest.mark.parametrize("reader", [5, {"foo": 1}, {"missing": 5}, {"encoding": 3}])
def test_a_reader_that_cannot_be_is_refused(record, reader, tmp_path):
    record["reader"] = reader
    with pytest.raises(ModelFileError, match="cannot have been read with"):
        load_model(written(record, tmp_path / "model.json"))


def test_class_weights_survive_the_file(tmp_path):
    model = C45Classifier(class_weight={"in": 2.0}).fit(X, Y)
    save_model(model, tmp_path / "model.json")
    assert load_model(tmp_path / "model.json").class_weight == {"in": 2.0}
