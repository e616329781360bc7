"""`run_task`: fit, predict, score; whatever happens, a row comes back."""

from __future__ import annotations

import threading
import time
import traceback
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
from sklearn.base import clone

from evorules.evaluation.canonical import versions
from evorules.evaluation.data import TaskData
from evorules.evaluation.packing import pack
from evorules.evaluation.scores import error_concentration, score_predictions
from evorules.evaluation.tasks import Task
from trees.estimator import TableClassifier
from trees.growth.tree import Tree

__all__ = ["Row", "Status", "collect_warnings", "run_task"]

Status = Literal["ok", "failed", "timeout", "memory", "crashed"]
LONGEST_MESSAGE = 2000
MOST_NOTES = 20


@dataclass(frozen=True)
class Row:
    """What became of a task.

    Parameters
    ----------
    key : str
        Of the task.
    status : str
        "ok", "failed" (an exception), "timeout", "memory", or "crashed" (its process died).
    kind, message : str
        Of the error: its class, and data set, learner, fold, seed and text. Empty if ok.
    scores : dict
        Names and numbers, None where undefined.
    labels, proba, sizes : bytes or None
        Packed: predicted class codes, int of shape (n_test,); probabilities by class code, float32 of shape
        (n_test, n_classes); for a reference tree, training weight of the leaf of each test row, float32 of
        shape (n_test,).
    notes : tuple of str
        Warnings, each text once.
    fit_cpu, predict_cpu : float or None
        CPU seconds; None where the process works on other tasks at the same time.
    wall : float
        Seconds from begin to end.
    overhead : float
        CPU seconds of this thread that went neither into fit nor into predict.
    is_cold : bool
        Whether it was the first fit of the learner in its process, which may have loaded or compiled kernels.
    """

    key: str
    status: Status
    kind: str = ""
    message: str = ""
    scores: dict[str, Any] = field(default_factory=dict)
    labels: bytes | None = None
    proba: bytes | None = None
    sizes: bytes | None = None
    notes: tuple[str, ...] = ()
    fit_cpu: float | None = None
    predict_cpu: float | None = None
    wall: float = 0.0
    overhead: float = 0.0
    is_cold: bool = False


_seen: set[str] = set()
_notes = threading.local()


@contextmanager
def collect_warnings() -> Iterator[None]:
    """Send warnings to the task that causes them, each thread to its own; to be entered by one thread."""

    def note(message: Warning | str, category: type[Warning], *_: Any, **__: Any) -> None:
        text = f"{category.__name__}: {message}"
        collected = getattr(_notes, "texts", None)
        if collected is not None and text not in collected and len(collected) < MOST_NOTES:
            collected.append(text)

    with warnings.catch_warnings():
        warnings.simplefilter("always")
        warnings.showwarning = note
        yield


def run_task(task: Task, data: TaskData, *, owns_process: bool = True, collect: bool = True) -> Row:
    """Run one task: pure, but for the times.

    Parameters
    ----------
    task : Task
        The task.
    data : TaskData
        Its data set.
    owns_process : bool
        Whether nothing else runs in this process, so that its CPU time is that of the task.
    collect : bool
        False if somebody has entered `collect_warnings` for all threads of this process.

    Returns
    -------
    Row
        Of status "ok", "failed" or "memory".
    """
    if collect:
        with collect_warnings():
            return run_task(task, data, owns_process=owns_process, collect=False)
    notes: list[str] = []
    _notes.texts = notes
    begun = time.perf_counter()
    clock = _Clock(owns_process)
    try:
        outcome = _run(task, data, clock)
    except MemoryError as error:
        outcome = {"status": "memory", **_failure(task, error)}
    except Exception as error:
        outcome = {"status": "failed", **_failure(task, error)}
    finally:
        _notes.texts = None
    wall = time.perf_counter() - begun
    times: dict[str, Any] = {"wall": wall, "overhead": clock.overhead(), "is_cold": clock.is_cold}
    if owns_process:
        times |= {"fit_cpu": clock.spent.get("fit"), "predict_cpu": clock.spent.get("predict")}
    return Row(task.key, **{"status": "ok", "notes": tuple(notes), **outcome, **times})


class _Clock:
    """CPU seconds of the parts of a task."""

    def __init__(self, owns_process: bool) -> None:
        self._cpu: Callable[[], float] = time.process_time if owns_process else time.thread_time
        self._begun = self._cpu()
        self.spent: dict[str, float] = {}
        self.is_cold = False

    @contextmanager
    def measure(self, part: str) -> Iterator[None]:
        begun = self._cpu()
        try:
            yield
        finally:
            self.spent[part] = self._cpu() - begun

    def overhead(self) -> float:
        return max(0.0, self._cpu() - self._begun - sum(self.spent.values()))


def _run(task: Task, data: TaskData, clock: _Clock) -> dict[str, Any]:
    """Fit, predict, score; return the parts of the row."""
    model = clone(task.estimator)
    clock.is_cold = task.kind not in _seen
    _seen.add(task.kind)
    train, test = task.fold.train, task.fold.test
    ours = isinstance(model, TableClassifier) and getattr(model, "nominal", None) is None
    run = _run_ours if ours else _run_any
    answer = run(model, data, train, test, clock)
    sizes = None
    if task.needs_sizes and isinstance(getattr(model, "tree_", None), Tree):
        held_out = data.table.take(test) if ours else data.X.iloc[test]
        sizes = pack(model.tree_.weight[model.apply(held_out)].astype(np.float32))
    truth = data.classes[test]
    counts = np.bincount(data.classes[train], minlength=len(data.labels))
    proba = None if answer.proba is None else answer.proba.astype(np.float32)
    # scored as stored, so that scores computed later from the store are the same
    seen = None if proba is None else proba.astype(np.float64)
    scores = score_predictions(truth, answer.label, seen, len(data.labels), counts)
    scores |= _size_scores(model, answer, truth)
    return {
        "scores": scores,
        "labels": pack(answer.label),
        "proba": None if proba is None else pack(proba),
        "sizes": sizes,
    }


@dataclass(frozen=True)
class _Answer:
    """Class codes, probabilities by class code, deciding rules; of the test rows."""

    label: npt.NDArray[Any]
    proba: npt.NDArray[np.float64] | None
    rule: npt.NDArray[Any] | None = None


def _run_ours(model: Any, data: TaskData, train: Any, test: Any, clock: _Clock) -> _Answer:
    """Fit and ask a learner of ours, which works on the table that all tasks share."""
    training, held_out = data.table.take(train), data.table.take(test)
    with clock.measure("fit"):
        model.fit(training)
    with clock.measure("predict"):
        decisions = model.decide(held_out)
    return _Answer(decisions.label, decisions.scores, decisions.rule)


def _run_any(model: Any, data: TaskData, train: Any, test: Any, clock: _Clock) -> _Answer:
    """Fit and ask an estimator or pipeline on frames and labels."""
    y = data.labels[data.classes[train]]
    with clock.measure("fit"):
        model.fit(data.X.iloc[train], y)
    held_out = data.X.iloc[test]
    with clock.measure("predict"):
        predicted = np.asarray(model.predict(held_out))
        given = model.predict_proba(held_out) if hasattr(model, "predict_proba") else None
    code = {label: place for place, label in enumerate(data.labels.tolist())}
    label = np.array([code[value] for value in predicted.tolist()], dtype=np.int32)
    if given is None:
        return _Answer(label, None)
    # columns by label: a class may be absent from the training part
    proba = np.zeros((len(test), len(data.labels)))
    proba[:, [code[value] for value in np.asarray(model.classes_).tolist()]] = given
    return _Answer(label, proba)


def _size_scores(model: Any, answer: _Answer, truth: npt.NDArray[Any]) -> dict[str, Any]:
    """Return the size of a model, and what its rules were good for.

    Rules are those of `rules_` (leaves, for a tree), the default not counted; lazy learners have none.
    """
    final = model[-1] if hasattr(model, "steps") else model
    if getattr(final, "is_lazy", False):
        return {"rules": None, "conditions": None}
    rules = getattr(final, "rules_", None)
    if rules is None or not hasattr(rules, "n_conditions"):
        leaves = final.get_n_leaves() if hasattr(final, "get_n_leaves") else None
        return {"rules": None if leaves is None else int(leaves), "conditions": None}
    lengths = [len(rule.conditions) for rule in rules]
    scores: dict[str, Any] = {
        "rules": len(rules),
        "conditions": sum(lengths),
        "longest_rule": max(lengths, default=0),
    }
    if answer.rule is not None:
        fired = np.unique(answer.rule[answer.rule >= 0])
        scores["utilisation"] = len(fired) / len(rules) if len(rules) else None
        if rules.semantics != "vote":
            right = np.array([*(float(rule.correct) for rule in rules), 0.0])
            share = error_concentration(right[answer.rule], answer.label == truth)
            scores["error_concentration"] = None if np.isnan(share) else share
    return scores


def _failure(task: Task, error: BaseException) -> dict[str, Any]:
    """Return kind and message, which name the task and where the error arose."""
    frames = traceback.extract_tb(error.__traceback__)
    place = f" ({frames[-1].filename}:{frames[-1].lineno})" if frames else ""
    text = f"{task.name}: {type(error).__name__}: {error}{place}"
    return {"kind": type(error).__name__, "message": text[:LONGEST_MESSAGE]}


def check_versions(expected: dict[str, str]) -> None:
    """Raise RuntimeError if this process runs other versions than the one that planned the tasks."""
    if versions() != expected:
        raise RuntimeError(
            f"A worker has other versions than the process that plans: {versions()} instead of {expected}. "
            "Results would be filed under the wrong versions. Install the same versions everywhere."
        )
