"""`compare`: learners against each other on the same folds."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from evorules.data_sources import find_data
from evorules.evaluation.backends import Backend, run_tasks
from evorules.evaluation.child import Limits
from evorules.evaluation.data import Resolver, read_data
from evorules.evaluation.folds import make_folds
from evorules.evaluation.results import Comparison
from evorules.evaluation.store import ResultStore
from evorules.evaluation.tasks import name_learners, plan_tasks, seeds_of
from evorules.learners import make_learner
from evorules.progress import progress
from trees.errors import ParameterError

__all__ = ["compare"]


def compare(
    learners: Any,
    data: Any,
    folds: Any = 10,
    repeats: int = 1,
    seeds: int | Sequence[int] = 10,
    *,
    target: str | None = None,
    random_state: int = 0,
    reference: Any = "c45",
    n_jobs: int = 1,
    backend: str | None = None,
    scheduler: str | None = None,
    store: str | Path | ResultStore | None = None,
    time_limit: float | None = None,
    memory_limit: float | None = None,
    resume: bool = True,
    retry_failed: bool = False,
    strict: bool = False,
    verbose: bool = False,
    resolve: Resolver = find_data,
) -> Comparison:
    """Compare learners by cross-validation: same folds for all, one fit per fold and seed.

    Every fit is a task with a key that covers the data, the rows of the fold, the learner with all its
    parameters, the seed and the versions of the code. A task whose key is in the store is not run again: a
    run that was killed goes on where it was, and one with more data or learners adds to it.

    Parameters
    ----------
    learners : str, estimator, list of these, or mapping of label to either
        A name of `evorules.LEARNERS`, or any classifier or pipeline with scikit-learn's interface.
    data : data set, list of data sets, or mapping of name to data set
        A DataFrame (with `target`), a pair (X, y), an object with X, y and name, a file or a name that
        `resolve` knows. An object with `splits`, a list of (train, test), keeps its split.
    folds : int, splitter or list of (train, test), default=10
        Number of stratified folds, a scikit-learn splitter, or row positions.
    repeats : int, default=1
        Runs of the cross-validation with other folds.
    seeds : int or list of int, default=10
        Seeds of stochastic learners, an int counts them from 0; learners without randomness are fitted once.
        The seed becomes every `random_state` of the learner, nested ones too.
    target : str, optional
        Class column of DataFrames and files.
    random_state : int, default=0
        Shuffles the folds; run r of the cross-validation uses ``random_state + r``.
    reference : str, estimator or None, default="c45"
        Tree whose leaves tell the test rows in small disjuncts from those in large ones. None: none.
    n_jobs : int, default=1
        Processes or threads, -1 for all processors.
    backend : {"serial", "processes", "threads", "dask"}, optional
        Where tasks run. None: "dask" with a `scheduler`, else by `n_jobs`. No result depends on it.
    scheduler : str, optional
        Address of a Dask scheduler, as in ``tcp://host:8786``.
    store : path or ResultStore, optional
        SQLite file to keep results in; None keeps them in memory.
    time_limit : float, optional
        Wall seconds per task.
    memory_limit : float, optional
        Megabytes per task, beyond what its process had before (Linux).
    resume : bool, default=True
        Take results that the store has. False runs every task again and replaces them.
    retry_failed : bool, default=False
        Run tasks again that did not end well. Those that broke a limit run again anyway if it was raised.
    strict : bool, default=False
        Raise RuntimeError at the first task that does not end well.
    verbose : bool, default=False
        Show a progress bar with the time left.
    resolve : callable
        Finds data by name or path.

    Returns
    -------
    Comparison
        Rows, summaries, tests.

    Raises
    ------
    ParameterError
        For parameters that do not fit, and for learners that cannot be written down.
    DataError
        For data that cannot be used.

    Examples
    --------
    >>> result = compare(["c45", "double-c45"], "tic-tac-toe", folds=3)
    >>> result
    <Comparison: 2 learners on 1 data sets, 6 of 6 tasks ok>
    >>> result.matrix().round(3).to_dict("index")
    {'tic-tac-toe': {'c45': 0.837, 'double-c45': 0.847}}
    """
    begun = time.thread_time()
    where = Backend(backend, n_jobs, scheduler, Limits(time_limit, memory_limit))
    _check_count("repeats", repeats)
    named = name_learners(learners)
    sets = read_data(data, target, resolve)
    split = {
        item.fingerprint: make_folds(
            item.classes, item.labels.tolist(), folds, repeats, random_state, item.splits
        )
        for item in sets
    }
    tree = make_learner(reference) if isinstance(reference, str) else reference
    plan = plan_tasks(named, sets, split, seeds_of(seeds), tree)
    settings = {
        "learners": plan.specs,
        "data": [
            {"name": item.name, "rows": item.table.n_rows, "attributes": item.table.n_attributes}
            for item in sets
        ],
        "folds": folds if isinstance(folds, int) else "given",
        "repeats": repeats,
        "seeds": seeds_of(seeds),
        "random_state": random_state,
        "time_limit": time_limit,
        "memory_limit": memory_limit,
    }
    kept = store if isinstance(store, ResultStore) else ResultStore(store)
    record = kept.begin(plan, settings)
    done = kept.finished(plan.tasks.values(), where.limits, retry_failed) if resume else set()
    left = [task for key, task in plan.tasks.items() if key not in done]
    overhead = {"planning": time.thread_time() - begun, "storing": 0.0}
    keep = _Keeper(kept, plan.tasks, where.limits, overhead)
    with progress("comparing", max(len(left), 1), enabled=verbose) as report:
        for row in run_tasks(left, plan.data, where):
            keep(row)
            report(1)
            if strict and row.status != "ok":
                raise RuntimeError(row.message)
    return Comparison(kept, record, overhead)


class _Keeper:
    """Puts rows into the store and counts the time."""

    def __init__(self, store: ResultStore, tasks: Any, limits: Limits, overhead: dict[str, float]) -> None:
        self._store, self._tasks, self._limits, self._overhead = store, tasks, limits, overhead

    def __call__(self, row: Any) -> None:
        begun = time.thread_time()
        task = self._tasks[row.key]
        self._store.put(row, task.data, task.fold, self._limits)
        self._overhead["storing"] += time.thread_time() - begun


def _check_count(name: str, value: Any) -> None:
    if not isinstance(value, int) or isinstance(value, bool) or value < 1:
        raise ParameterError(
            f"The {name!r} parameter of compare must be an int of at least 1. Got {value!r}."
        )
