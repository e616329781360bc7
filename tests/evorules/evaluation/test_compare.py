"""`compare` from end to end, in one process."""

import random

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import cohen_kappa_score
from sklearn.model_selection import StratifiedKFold, cross_val_score
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from stubs.learners import Dice, Stub

from evorules.datasets import Dataset, load
from evorules.evaluation import Comparison, ResultStore, compare
from evorules.evaluation.tables import mean_table, rank_table, size_table, to_markdown, win_table
from evorules.learners import make_learner
from trees import C45Classifier
from trees.errors import DataError, ParameterError

SMALL = {"population_size": 10, "n_generations": 3}
TIMES = ["fit_cpu", "predict_cpu", "wall", "overhead", "is_cold"]


def table(n=60, seed=0):
    rng = np.random.default_rng(seed)
    X = pd.DataFrame({"n": rng.random(n).round(2), "b": rng.choice(["x", "y"], n)})
    y = pd.Series(np.where((X["n"] > 0.5) ^ (rng.random(n) < 0.2), "pos", "neg"), name="class")
    return X, y


def test_a_class_absent_from_a_training_fold_has_probability_zero_there():
    # case S34: 13 rows, the only row of class c is tested in one fold
    X = pd.DataFrame({"A": ["p"] * 6 + ["q"] * 6 + ["r"]})
    y = pd.Series(list("aaaaaabbbbbbc"))
    with pytest.warns(UserWarning, match=r"'c' \(1\)"):
        result = compare(C45Classifier(prune=False), (X, y), folds=3)
    seen = 0
    for _, said in result.predictions():
        assert said.proba.shape == (len(said.truth), 3)
        assert not np.isnan(said.proba).any()
        assert said.proba.sum(axis=1) == pytest.approx(np.ones(len(said.truth)), abs=1e-6)
        if 2 in said.truth:
            assert said.proba[:, 2].tolist() == [0.0] * len(said.truth)
        seen += len(said.truth)
    assert seen == 13


def test_only_stochastic_learners_are_repeated_and_the_global_generators_are_left_alone():
    # cases S35 (rows) and S36
    random.seed(4)
    np.random.seed(4)  # noqa: NPY002
    before = random.getstate(), np.random.get_state()[1].tolist()  # noqa: NPY002
    learners = ["c45", make_learner("ga-large-sn", **SMALL)]
    result = compare(learners, {"t": table()}, folds=3, repeats=3, seeds=1)
    frame = result.to_frame()
    assert len(frame) == 18
    assert (frame["status"] == "ok").all()
    assert frame.groupby("learner")["seed"].nunique().to_dict() == {"SmallDisjunctClassifier": 1, "c45": 0}
    splits = frame[frame["learner"] == "c45"].groupby("repeat")["accuracy"].apply(list)
    assert len({tuple(scores) for scores in splits}) == 3
    assert (random.getstate(), np.random.get_state()[1].tolist()) == before  # noqa: NPY002
    again = compare(learners, {"t": table()}, folds=3, repeats=3, seeds=1).to_frame()
    pd.testing.assert_frame_equal(frame.drop(columns=TIMES), again.drop(columns=TIMES))


def test_accuracy_is_that_of_scikit_learns_cross_validation():
    X, y = table(90)
    numeric = X[["n"]]
    pipeline = make_pipeline(StandardScaler(), GaussianNB())
    result = compare({"nb": pipeline}, (numeric, y), folds=5, random_state=3, reference=None)
    expected = cross_val_score(pipeline, numeric, y, cv=StratifiedKFold(5, shuffle=True, random_state=3))
    assert result.to_frame()["accuracy"].tolist() == expected.tolist()
    [row] = result.summary().to_dict("records")
    assert row["mean"] == pytest.approx(expected.mean())
    assert row["sd"] == pytest.approx(expected.std(ddof=1))
    assert row["pooled"] == pytest.approx(
        (result.to_frame()["accuracy"] * result.to_frame()["n_test"]).sum() / 90
    )


def test_labels_of_any_type_come_back_right():
    X, y = table()
    for labels in (y.map({"pos": 1, "neg": -1}), y == "pos", y.to_numpy(), pd.Categorical(y, ["pos", "neg"])):
        result = compare({"tree": "c45", "dice": Dice()}, (X, labels), folds=3, seeds=1)
        means = result.matrix().iloc[0]
        assert means["tree"] > 0.7
        assert 0.2 < means["dice"] < 0.8


def test_a_stopped_run_is_taken_up_again(tmp_path, monkeypatch):
    # case S38: 20 tasks, stopped after 8; 12 are run in the second call
    from evorules.evaluation import backends

    sets = {"one": table(), "two": table(seed=1)}
    learners = {"tree": "c45", "stub": Stub()}
    counted = []
    real = backends.run_task

    def stop_after_eight(task, *args, **options):
        if len(counted) == 8:
            raise KeyboardInterrupt
        counted.append(task.key)
        return real(task, *args, **options)

    monkeypatch.setattr(backends, "run_task", stop_after_eight)
    with pytest.raises(KeyboardInterrupt):
        compare(learners, sets, folds=5, store=tmp_path / "run.db")
    first = list(counted)
    counted.clear()
    monkeypatch.setattr(
        backends, "run_task", lambda task, *a, **o: counted.append(task.key) or real(task, *a, **o)
    )
    result = compare(learners, sets, folds=5, store=tmp_path / "run.db")
    assert len(counted) == 12
    assert set(first).isdisjoint(counted)
    assert len(result.store) == 20
    whole = compare(learners, sets, folds=5)
    pd.testing.assert_frame_equal(result.to_frame().drop(columns=TIMES), whole.to_frame().drop(columns=TIMES))
    counted.clear()
    compare(learners, sets, folds=5, store=tmp_path / "run.db")
    assert counted == []
    compare(learners, sets, folds=5, store=tmp_path / "run.db", resume=False)
    assert len(counted) == 20


def test_stale_results_are_never_mixed_in(tmp_path):
    store = ResultStore(tmp_path / "run.db")
    X, y = table()
    first = compare("c45", (X, y), folds=3, store=store, reference=None)
    accuracy = first.to_frame()["accuracy"].tolist()
    compare(make_learner("c45", prune=False, min_cases=1), (X, y), folds=3, store=store, reference=None)
    compare("c45", (X.assign(n=1.0), y), folds=3, store=store, reference=None)
    assert len(store) == 9
    again = compare("c45", (X, y), folds=3, store=store, reference=None)
    assert len(store) == 9
    assert again.to_frame()["accuracy"].tolist() == accuracy
    # the file alone gives the comparison used last
    assert Comparison.open(tmp_path / "run.db").to_frame()["accuracy"].tolist() == accuracy


def test_a_failing_task_is_a_row_that_names_it():
    result = compare({"good": "c45", "bad": Stub("raise")}, {"t": table()}, folds=2)
    failures = result.failures()
    assert failures["status"].tolist() == ["failed", "failed"]
    assert failures["kind"].tolist() == ["RuntimeError"] * 2
    assert failures["message"].str.contains("bad on t, repeat 0, fold 0, seed None: RuntimeError: boom").any()
    assert np.isnan(result.matrix().loc["t", "bad"])
    assert not np.isnan(result.matrix().loc["t", "good"])
    summary = result.summary().loc["t"]
    assert summary["failed"].tolist() == [0, 2]
    [pair] = result.wins().query("first == 'good'").to_dict("records")
    assert (pair["wins"], pair["ties"], pair["losses"], pair["n_failed"]) == (0, 0, 0, 1)
    assert "-" in mean_table(result)["bad"].tolist()
    with pytest.raises(RuntimeError, match="bad on t, repeat 0, fold 0"):
        compare({"bad": Stub("raise")}, {"t": table()}, folds=2, strict=True)


def test_failed_tasks_run_again_only_when_asked(tmp_path):
    options = {"folds": 2, "store": tmp_path / "run.db", "reference": None}
    compare({"bad": Stub("raise")}, {"t": table()}, **options)
    result = compare({"bad": Stub("raise")}, {"t": table()}, **options)
    wall = result.to_frame()["wall"].tolist()
    assert compare({"bad": Stub("raise")}, {"t": table()}, **options).to_frame()["wall"].tolist() == wall
    again = compare({"bad": Stub("raise")}, {"t": table()}, retry_failed=True, **options)
    assert again.to_frame()["wall"].tolist() != wall
    assert len(again.store) == 2


def test_warnings_of_tasks_are_kept():
    result = compare({"w": Stub("warn")}, {"t": table()}, folds=3, reference=None)
    assert result.warnings().to_dict("records") == [
        {"data": "t", "learner": "w", "warning": "UserWarning: too few rows", "tasks": 3}
    ]
    assert (result.to_frame()["status"] == "ok").all()


def test_new_scores_need_no_rerun():
    result = compare("c45", {"t": table()}, folds=3)
    frame = result.score_with(lambda said: cohen_kappa_score(said.truth, said.label), "kappa")
    assert frame["kappa"].between(-1, 1).all()
    assert result.matrix("kappa").shape == (1, 1)
    same = result.score_with(lambda said: float(np.mean(said.truth == said.label)), "again", proba=False)
    assert same["again"].tolist() == same["accuracy"].tolist()


def test_small_disjuncts_are_those_of_the_reference_tree():
    data = load("tic-tac-toe")
    result = compare(["c45", "double-c45"], data, folds=2)
    frame = result.to_frame(threshold=10)
    # the small rows are the same for both learners, and grow with the threshold
    rows = frame.pivot(index="fold", columns="learner", values="small_rows")
    assert (rows["c45"] == rows["double-c45"]).all()
    assert (result.to_frame(threshold=20)["small_rows"] > frame["small_rows"]).all()
    assert (frame["small_rows"] + frame["large_rows"] == frame["n_test"]).all()
    assert (frame["small_correct"] + frame["large_correct"] == frame["n_correct"]).all()
    # the second tree answers for leaves of at most 15 rows only
    large = result.to_frame(threshold=15).pivot(index="fold", columns="learner", values="large_correct")
    assert (large["c45"] == large["double-c45"]).all()
    without = compare(["c45"], data, folds=2, reference=None)
    assert "small_rows" not in without.to_frame()
    assert result.matrix("small_accuracy", threshold=10).loc["tic-tac-toe", "c45"] == pytest.approx(
        (frame["small_correct"] / frame["small_rows"])[frame["learner"] == "c45"].mean()
    )


def test_a_split_of_the_data_set_is_kept_and_spread_is_over_seeds():
    X, y = table()

    class Split:
        name, splits = "split", [(np.arange(40), np.arange(40, 60))]

    Split.X, Split.y = X, y
    result = compare({"dice": Dice(), "tree": "c45"}, Split(), folds=10, seeds=3)
    frame = result.to_frame()
    assert frame["n_test"].unique().tolist() == [20]
    assert len(frame) == 4
    dice = frame.loc[frame["learner"] == "dice", "accuracy"]
    summary = result.summary().loc["split"]
    assert summary.loc["dice", "sd"] == pytest.approx(dice.std(ddof=1))
    assert np.isnan(summary.loc["tree", "sd"])


def test_data_come_as_frames_pairs_objects_files_and_names(tmp_path):
    X, y = table()
    frame = X.assign(play=y)
    path = tmp_path / "play.csv"
    frame.to_csv(path, index=False)
    sets = [frame, Dataset("object", X, y), str(path), "xor"]
    result = compare("c45", sets, folds=2, target="play")
    assert result.datasets == ["data", "object", "play", "xor"]
    assert result.matrix().loc["data", "c45"] == result.matrix().loc["play", "c45"]
    assert compare("c45", (X.to_numpy(dtype=object), y), folds=2).datasets == ["data"]


@pytest.mark.parametrize(
    ("data", "target", "error", "message"),
    [
        ("tictactoe", None, DataError, "no data set of that name .*'tic-tac-toe'"),
        (table()[0], None, ParameterError, "needs 'target'"),
        (table()[0], "klass", DataError, "no column 'klass'"),
        ([], None, ParameterError, "at least one data set"),
        (["xor", "xor"], None, ParameterError, "Two data sets are named 'xor'"),
        (Dataset("d", table()[0], None), None, DataError, "has no class column"),
        (7, None, ParameterError, "A data set must be"),
    ],
)
def test_what_is_no_data_is_refused(data, target, error, message):
    with pytest.raises(error, match=message):
        compare("c45", data, folds=2, target=target)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"repeats": 0}, "'repeats' parameter"),
        ({"n_jobs": 0}, "'n_jobs' parameter"),
        ({"backend": "mpi"}, "'backend' parameter of compare must be 'serial'"),
        ({"time_limit": 0}, "'time_limit' parameter"),
        ({"memory_limit": -1}, "'memory_limit' parameter"),
        ({"backend": "threads", "time_limit": 5}, "threads cannot be stopped"),
        ({"backend": "threads", "memory_limit": 5}, "threads cannot be stopped"),
    ],
)
def test_wrong_parameters_are_refused_before_anything_runs(options, message):
    with pytest.raises(ParameterError, match=message):
        compare("c45", "xor", folds=2, **options)


def test_unknown_scores_and_tests_are_named():
    result = compare(["c45", "double-c45"], "xor", folds=2)
    with pytest.raises(ParameterError, match=r"no score 'accurracy' \(known: 'accuracy'"):
        result.matrix("accurracy")
    with pytest.raises(ParameterError, match="'test' parameter must be 'corrected t'"):
        result.wins(test="sign")
    with pytest.raises(ParameterError, match="'tails' parameter must be 1 or 2"):
        result.wins(tails=3)


def test_lazy_learners_have_no_rules_to_count():
    result = compare({"lazy": "lac", "tree": "c45"}, {"one": table(60)}, folds=3)
    sizes = size_table(result).set_index("learner")
    assert sizes.loc["lazy", ["rules", "conditions", "utilisation"]].tolist() == ["-", "-", "-"]
    assert float(sizes.loc["tree", "rules"]) >= 2


def test_tables_show_means_marks_wins_and_ranks():
    sets = {"one": table(80), "two": table(80, seed=1)}
    result = compare({"tree": "c45", "dice": Dice()}, sets, folds=5, seeds=2)
    shown = mean_table(result, baseline="tree")
    assert shown["data"].tolist() == ["one", "two", "mean of 2", "mean rank"]
    assert shown["dice"].iloc[0].endswith("-")
    assert shown["tree"].iloc[3] == "1.00"
    wins = win_table(result.wins())
    assert wins.set_index("learner").loc["tree", "dice"] == "2/0/0"
    assert rank_table(result)["mean rank"].tolist() == ["1.00", "2.00"]
    assert size_table(result)["rules"].iloc[1] == "-"
    lines = to_markdown(wins).splitlines()
    assert lines[0] == "| learner | tree | dice |"
    assert lines[2] == "| tree |  | 2/0/0 |"
    assert result.recalls().loc[("one", "pos"), "tree"] > 0.5
    assert repr(result) == "<Comparison: 2 learners on 2 data sets, 30 of 30 tasks ok>"


def test_other_files_are_not_taken_for_stores(tmp_path):
    import sqlite3

    text = tmp_path / "notes.txt"
    text.write_text("not a database, but long enough to have a header of one hundred bytes" * 3)
    with pytest.raises(DataError, match="cannot be used as a store"):
        ResultStore(text)
    other = tmp_path / "other.db"
    with sqlite3.connect(other) as connection:
        connection.execute("CREATE TABLE t (x)")
    connection.close()
    with pytest.raises(DataError, match="another kind of database"):
        ResultStore(other)
    with pytest.raises(DataError, match="no folder"):
        ResultStore(tmp_path / "nowhere" / "run.db")
    with pytest.raises(DataError, match="There is no store"):
        Comparison.open(tmp_path / "absent.db")
    ResultStore(tmp_path / "empty.db").close()
    with pytest.raises(DataError, match="has no comparison"):
        Comparison.open(tmp_path / "empty.db")
