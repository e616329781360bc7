"""Tasks: one fit of one learner on one fold with one seed, and the key that tells it from all others."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.base import clone

from evorules.evaluation.canonical import canonical_json, describe, versions
from evorules.evaluation.data import TaskData
from evorules.evaluation.folds import Fold
from evorules.learners import make_learner
from trees.errors import ParameterError

__all__ = ["Entry", "Plan", "Task", "is_stochastic", "name_learners", "plan_tasks", "seeds_of"]

KEY_FORMAT = 1


@dataclass(frozen=True, eq=False)
class Task:
    """What a worker needs to know, beside the data.

    Parameters
    ----------
    key : str
        SHA-256 of everything that determines the result, in hexadecimal.
    data : str
        Fingerprint of the data set.
    fold : Fold
        Rows to train on and to test.
    estimator : estimator
        Unfitted, with the seed set.
    seed : int or None
        None for a learner without randomness.
    name : str
        Data set, learner, repeat, fold and seed for messages.
    kind : str
        The same for all tasks of a learner: they run the same code.
    needs_sizes : bool
        Whether the sizes of the leaves of the test rows are wanted, as this is a reference tree.
    """

    key: str
    data: str
    fold: Fold
    estimator: Any
    seed: int | None
    name: str
    kind: str
    needs_sizes: bool = False


@dataclass(frozen=True)
class Entry:
    """The place of a task in a comparison; two entries may share a task.

    Parameters
    ----------
    key : str
        Of the task.
    data, learner : str
        Names for people.
    repeat, fold : int
        Which run of the cross-validation, and which fold of it.
    seed : int or None
        None for a learner without randomness.
    is_reference : bool
        Whether this is the reference tree, which the comparison needs but does not compare.
    """

    key: str
    data: str
    learner: str
    repeat: int
    fold: int
    seed: int | None
    is_reference: bool = False


@dataclass(frozen=True, eq=False)
class Plan:
    """All tasks of a comparison, each once, and the entries that use them.

    Parameters
    ----------
    entries : list of Entry
        In the order of data sets, learners, repeats, folds, seeds.
    tasks : dict of str to Task
        By key.
    data : dict of str to TaskData
        By fingerprint.
    specs : dict of str to str
        Canonical JSON of every learner, by label.
    """

    entries: list[Entry]
    tasks: dict[str, Task]
    data: dict[str, TaskData]
    specs: dict[str, str]


def is_stochastic(estimator: Any) -> bool:
    """Return whether the result of an estimator depends on a seed.

    A class that knows better than its parameters has a property (or class attribute) `is_stochastic`; else
    an estimator with `random_state` is stochastic, and so is one that holds a stochastic estimator.
    """
    if not hasattr(estimator, "get_params") or isinstance(estimator, type):
        return False
    own = getattr(estimator, "is_stochastic", None)
    if own is not None:
        return bool(own)
    params = estimator.get_params(deep=False)
    return "random_state" in params or any(_holds_stochastic(value) for value in params.values())


def _holds_stochastic(value: Any) -> bool:
    if isinstance(value, list | tuple):
        return any(_holds_stochastic(item) for item in value)
    if isinstance(value, Mapping):
        return any(_holds_stochastic(item) for item in value.values())
    return is_stochastic(value)


def with_seed(estimator: Any, seed: int | None) -> Any:
    """Return an unfitted copy whose every `random_state`, nested ones too, is the seed (None: as it is)."""
    copy = clone(estimator)
    if seed is not None:
        names = [
            name
            for name in copy.get_params(deep=True)
            if name == "random_state" or name.endswith("__random_state")
        ]
        copy.set_params(**dict.fromkeys(names, seed))
    return copy


def name_learners(learners: Any) -> dict[str, Any]:
    """Return the learners of a comparison by label.

    Parameters
    ----------
    learners : str, estimator, list of these, or mapping of label to either
        A str is a name of the registry `evorules.LEARNERS` and becomes its own label; an estimator without
        a label is called by its class, a second one of the class with a number.

    Raises
    ------
    ParameterError
        For an unknown name, or what is no estimator.
    """
    if isinstance(learners, Mapping):
        pairs = [(str(label), learner) for label, learner in learners.items()]
    else:
        items = learners if isinstance(learners, list | tuple) else [learners]
        pairs = [(item if isinstance(item, str) else _label(item), item) for item in items]
    if not pairs:
        raise ParameterError("The 'learners' parameter of compare must hold at least one learner.")
    named: dict[str, Any] = {}
    for label, learner in pairs:
        made = make_learner(learner) if isinstance(learner, str) else learner
        if isinstance(made, type) or not all(
            hasattr(made, part) for part in ("fit", "predict", "get_params")
        ):
            raise ParameterError(
                f"A learner must be a name, or an unfitted classifier with fit, predict and get_params. "
                f"Got {learner!r} instead."
            )
        free, number = label, 2
        while free in named:
            free, number = f"{label} {number}", number + 1
        named[free] = made
    return named


def _label(estimator: Any) -> str:
    steps = getattr(estimator, "steps", None)
    if isinstance(steps, list) and steps:
        return _label(steps[-1][1])
    return type(estimator).__name__


def seeds_of(seeds: Any) -> list[int]:
    """Return seeds as a list; an int counts them from 0."""
    if isinstance(seeds, int | np.integer) and not isinstance(seeds, bool) and seeds >= 1:
        return list(range(int(seeds)))
    if isinstance(seeds, Sequence | range) and not isinstance(seeds, str) and len(seeds):
        numbers = [int(seed) for seed in seeds]
        if min(numbers) >= 0 and len(set(numbers)) == len(numbers):
            return numbers
    raise ParameterError(
        "The 'seeds' parameter of compare must be an int of at least 1, or a list of different ints of at "
        f"least 0. Got {seeds!r} instead."
    )


def plan_tasks(
    learners: Mapping[str, Any],
    data: Sequence[TaskData],
    folds: Mapping[str, Sequence[Fold]],
    seeds: Sequence[int],
    reference: Any = None,
) -> Plan:
    """List every fit of a comparison.

    Parameters
    ----------
    learners : mapping of str to estimator
        By label.
    data : sequence of TaskData
        Data sets.
    folds : mapping of str to sequence of Fold
        By fingerprint of the data set.
    seeds : sequence of int
        For stochastic learners; the others are fitted once per fold.
    reference : estimator, optional
        A tree whose leaves say which test rows lie in small disjuncts.

    Raises
    ------
    ParameterError
        For a parameter that cannot be written down, with the learner and the parameter.
    """
    plan = Plan([], {}, {item.fingerprint: item for item in data}, {})
    variants = [
        (label, *item, False) for label, learner in learners.items() for item in _variants(learner, seeds)
    ]
    if reference is not None:
        variants += [("reference tree", *item, True) for item in _variants(reference, [0])]
    written = []
    for label, estimator, seed, is_reference in variants:
        text = canonical_json(describe(estimator, f"The learner {label!r}"))
        plan.specs.setdefault(label, text)
        written.append((label, estimator, seed, is_reference, text))
    for item in data:
        for fold in folds[item.fingerprint]:
            for label, estimator, seed, is_reference, text in written:
                key = _key(item.fingerprint, fold.digest, text, seed)
                if key not in plan.tasks or is_reference:
                    name = f"{label} on {item.name}, repeat {fold.repeat}, fold {fold.number}, seed {seed}"
                    kind = plan.specs[label]
                    task = Task(key, item.fingerprint, fold, estimator, seed, name, kind, is_reference)
                    plan.tasks[key] = task
                entry = Entry(key, item.name, label, fold.repeat, fold.number, seed, is_reference)
                plan.entries.append(entry)
    places = {label: place for place, label in enumerate(learners)}
    sets = {item.name: place for place, item in enumerate(data)}
    plan.entries.sort(
        key=lambda e: (sets[e.data], places.get(e.learner, len(places)), e.repeat, e.fold, e.seed or 0)
    )
    return plan


def _variants(learner: Any, seeds: Sequence[int]) -> list[tuple[Any, int | None]]:
    if is_stochastic(learner):
        return [(with_seed(learner, seed), seed) for seed in seeds]
    return [(with_seed(learner, None), None)]


def _key(data: str, fold: str, learner: str, seed: int | None) -> str:
    parts = {
        "format": KEY_FORMAT,
        "data": data,
        "fold": fold,
        "learner": learner,
        "seed": seed,
        "versions": versions(),
    }
    return hashlib.sha256(canonical_json(parts).encode()).hexdigest()
