"""Backends and limits: the same rows everywhere, whatever dies on the way."""

import os
import time

import numpy as np
import pandas as pd
import pytest
from sklearn.naive_bayes import GaussianNB
from stubs.learners import Dice, DieOnce, KillsAnother, Stub

from evorules.datasets import load
from evorules.evaluation import compare
from evorules.learners import make_learner
from trees.errors import ParameterError

TIMES = ["fit_cpu", "predict_cpu", "wall", "overhead", "is_cold"]


def small_table(n=60):
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"n": rng.random(n), "m": rng.random(n)})
    return X, pd.Series(np.where(X["n"] > 0.5, "pos", "neg"), name="class")


def rows_of(result):
    return result.to_frame().drop(columns=TIMES)


LEARNERS = {
    "tree": "c45",
    "ga": make_learner("ga-large-sn", population_size=10, n_generations=2),
    "dice": Dice(),
    "nb": GaussianNB(),
    "bad": Stub("raise"),
}


@pytest.fixture(scope="module")
def serial():
    return compare(LEARNERS, {"t": small_table(), "u": small_table(80)}, folds=3, seeds=2)


@pytest.mark.parametrize("backend", ["processes", "threads"])
def test_rows_do_not_depend_on_the_backend(backend, serial):
    result = compare(
        LEARNERS, {"t": small_table(), "u": small_table(80)}, folds=3, seeds=2, n_jobs=2, backend=backend
    )
    pd.testing.assert_frame_equal(rows_of(result), rows_of(serial))
    timed = result.to_frame()["fit_cpu"].notna()
    assert not timed.any() if backend == "threads" else timed[result.to_frame()["status"] == "ok"].all()


def test_one_task_fails_one_hangs_ten_finish():
    # case S37: 12 tasks, limit 2 s each; a learner per task, as all share one fold
    quick = {f"quick {i}": Stub(seconds=0.001 * i) for i in range(10)}
    X, y = small_table()
    begun = time.monotonic()
    result = compare(
        {**quick, "raises": Stub("raise"), "hangs": Stub("sleep")},
        {"t": (X, y)},
        folds=[(np.arange(40), np.arange(40, 60))],
        reference=None,
        n_jobs=2,
        time_limit=2,
    )
    assert time.monotonic() - begun < 60
    frame = result.to_frame()
    assert len(frame) == 12
    assert (frame["status"] == "ok").sum() == 10
    failures = result.failures().set_index("learner")
    assert failures["kind"].to_dict() == {"raises": "RuntimeError", "hangs": "timeout"}
    assert failures.loc["hangs", "message"] == "hangs on t, repeat 0, fold 0, seed None: took longer than 2 s"


@pytest.mark.skipif(not os.path.exists("/proc/self/status"), reason="memory limits need Linux")
def test_memory_hog_and_crash_are_rows_and_chatter_does_no_harm():
    learners = {"hog": Stub("memory"), "dies": Stub("die"), "talks": Stub("print"), "good": Dice()}
    options = {"folds": [(np.arange(40), np.arange(40, 60))], "seeds": 1, "reference": None}
    result = compare(learners, {"t": small_table()}, time_limit=60, memory_limit=300, **options)
    frame = result.to_frame()
    assert dict(zip(frame["learner"], frame["status"], strict=True)) == {
        "hog": "memory",
        "dies": "crashed",
        "talks": "ok",
        "good": "ok",
    }
    assert "signal 9" in result.failures().query("learner == 'dies'")["message"].iloc[0]
    limited = frame.query("learner == 'good'").reset_index(drop=True)
    free = compare({"good": Dice()}, {"t": small_table()}, **options).to_frame()
    pd.testing.assert_frame_equal(
        limited.dropna(axis=1).drop(columns=TIMES), free.dropna(axis=1).drop(columns=TIMES)
    )


def test_a_raised_limit_runs_the_task_again(tmp_path):
    options = {"folds": [(np.arange(40), np.arange(40, 60))], "reference": None, "store": tmp_path / "r.db"}
    slow = {"slow": Stub(seconds=1.5)}
    first = compare(slow, {"t": small_table()}, time_limit=0.5, **options)
    assert first.to_frame()["status"].tolist() == ["timeout"]
    same = compare(slow, {"t": small_table()}, time_limit=0.4, **options)
    assert same.to_frame()["wall"].tolist() == [0.5]
    assert compare(slow, {"t": small_table()}, **options).to_frame()["status"].tolist() == ["ok"]


def test_a_worker_that_dies_is_replaced(tmp_path):
    learners = {"once": DieOnce(str(tmp_path / "flag")), "dice": Dice()}
    result = compare(learners, {"t": small_table()}, folds=4, seeds=4, n_jobs=2, reference=None)
    assert (tmp_path / "flag").exists()
    assert (result.to_frame()["status"] == "ok").all()
    expected = compare(learners, {"t": small_table()}, folds=4, seeds=4, reference=None)
    pd.testing.assert_frame_equal(rows_of(result), rows_of(expected))


@pytest.mark.slow
def test_a_task_that_takes_its_worker_down_every_time_ends_as_a_row():
    learners = {"dies": Stub("die"), "dice": Dice()}
    result = compare(learners, {"t": small_table()}, folds=2, seeds=2, n_jobs=2, reference=None)
    status = result.to_frame().groupby("learner")["status"].unique().map(list).to_dict()
    assert status == {"dies": ["crashed"], "dice": ["ok"]}


@pytest.fixture(scope="module")
def cluster():
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None, silence_logs=50
    ) as cluster:
        yield cluster


@pytest.mark.filterwarnings("default")
def test_a_dask_cluster_gives_the_same_rows_though_a_worker_is_killed(cluster, serial, tmp_path):
    victim = next(iter(cluster.workers.values())).pid
    sets = {"t": small_table(), "u": small_table(80)}
    killer = {"kills": KillsAnother(victim, str(tmp_path / "flag"))}
    result = compare({**LEARNERS, **killer}, sets, folds=3, seeds=2, scheduler=cluster.scheduler_address)
    with pytest.raises(ProcessLookupError):
        os.kill(victim, 0)
    frame = rows_of(result)
    assert (frame.loc[frame["learner"] == "kills", "status"] == "ok").all()
    mine = frame[frame["learner"] != "kills"].reset_index(drop=True)
    pd.testing.assert_frame_equal(mine, rows_of(serial))


@pytest.mark.slow
@pytest.mark.filterwarnings("default")
def test_limits_hold_on_a_dask_cluster(cluster):
    result = compare(
        {"hangs": Stub("sleep"), "good": Stub()},
        "xor",
        folds=[(np.arange(0, 160, 2), np.arange(1, 160, 2))],
        reference=None,
        scheduler=cluster.scheduler_address,
        time_limit=4,
    )
    assert result.to_frame()["status"].tolist() == ["timeout", "ok"]


def test_dask_needs_an_address_or_a_client():
    pytest.importorskip("distributed")
    with pytest.raises(ParameterError, match="needs the 'scheduler' parameter"):
        compare("c45", load("xor"), folds=2, backend="dask")
