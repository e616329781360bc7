"""Rule after rule: sequential niching (GA-Large-SN, GA alone) and one rule per class of a leaf (GA-Small)."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from evorules.evolution.arrays import Worth
from evorules.evolution.conditions import ConditionTable, Remaining
from evorules.evolution.heuristics import attribute_worth, gain_worth
from evorules.evolution.loop import evolve
from evorules.evolution.pareto import evolve_front
from evorules.evolution.result import Evolution
from evorules.evolution.settings import GASettings
from evorules.evolution.toolbox import Toolbox
from trees.errors import ParameterError
from trees.rule import Rule
from trees.seeding import stream_state

__all__ = ["Niches", "class_rules", "sequential_niching"]

Floats = npt.NDArray[np.float64]
Observer = Callable[[Evolution], object]
NichingStop = Literal["rows", "failures", "rules", "time", "interrupt", "genes"]


@dataclass(frozen=True, eq=False)
class Niches:
    """Rules in the order of their discovery.

    Parameters
    ----------
    rules : tuple of Rule
        `Rule.counts` are the weights that a rule covered, per class, among the rows that then remained;
        `Rule.scores` has its "fitness" on them.
    left : ndarray of int64
        Row numbers in the table of the rows that no rule took.
    n_runs : int
        Runs of the genetic algorithm, failed ones included.
    n_failures : int
        Runs whose rule covered no row of its class, or had no condition.
    stop_reason : {"rows", "failures", "rules", "time", "interrupt", "genes"}
        No more than `stop` rows were left; too many runs failed; enough rules; time was up; Ctrl-C; no
        attribute has two values.
    """

    rules: tuple[Rule, ...]
    left: npt.NDArray[np.int64]
    n_runs: int
    n_failures: int
    stop_reason: NichingStop


def sequential_niching(
    conditions: ConditionTable,
    *,
    root: int,
    stage: str = "ga-large-sn",
    list_index: int = 0,
    settings: GASettings | None = None,
    toolbox: Toolbox | None = None,
    accuracy: Floats | None = None,
    stop: int = 5,
    max_rules: int = 400,
    max_failures: int = 3,
    deadline: float | None = None,
    observer: Observer | None = None,
) -> Niches:
    """Evolve rules one after the other, each on the rows that the earlier ones left over.

    A rule takes away the rows that it covers and that are of its class; wrongly covered rows stay. Every run
    starts from a fresh population and measures fitness on the rows still there.

    Parameters
    ----------
    conditions : ConditionTable
        Conditions on the rows to start from.
    root : int
        From `trees.seeding.root_seed`; run r of list l draws from the stream (stage, l, 0, r).
    stage : str
        Name of the stream.
    list_index : int
        Number of the rule list, if several are made from the same rows.
    settings : GASettings, optional
        Of every run.
    toolbox : Toolbox, optional
        Operators; by default ours, bound to `settings`.
    accuracy : ndarray of shape (n_attributes,), float64, optional
        From `attribute_accuracy`; needed with the heuristic "tree".
    stop : int
        End when no more rows than this remain.
    max_rules : int
        End with so many rules.
    max_failures : int
        End after so many runs, not necessarily in a row, whose rule covered no row of its class.
    deadline : float, optional
        Value of `time.monotonic` after which the run that is on ends, and no other begins. The time budget of
        the settings is one for all runs together.
    observer : callable, optional
        Called with every run's `Evolution`.

    Notes
    -----
    Carvalho and Freitas, Figure 6: the text has "> 5" in the loop and "smaller than 5" in the comment; the
    loop counts here. The paper does not say when to give up. A rule without conditions counts as a failure.
    """
    toolbox = toolbox or Toolbox(settings)
    settings = settings or toolbox.settings
    if settings.time_budget is not None:
        end = time.monotonic() + settings.time_budget
        deadline = end if deadline is None else min(deadline, end)
    alive = np.ones(conditions.n_rows, dtype=np.bool_)
    rules: list[Rule] = []
    n_runs = n_failures = 0
    reason: NichingStop | None = "genes" if conditions.n_genes == 0 else None
    while reason is None:
        if np.count_nonzero(alive) <= stop:
            reason = "rows"
        elif len(rules) >= max_rules:
            reason = "rules"
        elif n_failures >= max_failures:
            reason = "failures"
        elif n_runs > 0 and deadline is not None and time.monotonic() >= deadline:
            reason = "time"
        else:
            try:
                remaining = conditions.remaining(alive)
                evolution = _evolve(
                    remaining,
                    _worth(remaining, settings, accuracy),
                    stream_state(root, stage, list_index, 0, n_runs),
                    toolbox=toolbox,
                    settings=settings,
                    deadline=deadline,
                )
            except KeyboardInterrupt:
                # before the run had a population: there is nothing of it to keep
                reason = "interrupt"
                break
            n_runs += 1
            if observer is not None:
                observer(evolution)
            rule = evolution.rule
            if rule.conditions and rule.correct > 0:
                rules.append(rule)
                of_class = conditions.class_codes[conditions.classes] == rule.consequent
                alive &= ~(remaining.covered(evolution.genome) & of_class)
            else:
                n_failures += 1
            if evolution.stop_reason in ("interrupt", "time"):
                reason = "time" if evolution.stop_reason == "time" else "interrupt"
    return Niches(tuple(rules), np.sort(conditions.rows[alive]), n_runs, n_failures, reason)


def class_rules(
    conditions: ConditionTable,
    *,
    root: int,
    stage: str = "ga-small",
    disjunct: int = 0,
    repeat: int = 0,
    settings: GASettings | None = None,
    toolbox: Toolbox | None = None,
    accuracy: Floats | None = None,
    deadline: float | None = None,
    observer: Observer | None = None,
) -> tuple[Rule, ...]:
    """Evolve one rule for every class that has rows, as GA-Small does in a small disjunct.

    Parameters
    ----------
    conditions : ConditionTable
        Conditions on the rows of the disjunct, on the attributes that are not tested above it.
    root : int
        From `trees.seeding.root_seed`; the run for class c draws from the stream (stage, disjunct, c,
        repeat).
    stage : str
        Name of the stream.
    disjunct : int
        Number of the disjunct.
    repeat : int
        Number of the repetition.
    settings, toolbox, accuracy, deadline, observer
        As in `sequential_niching`, except that a time budget in the settings is one for every run.

    Returns
    -------
    tuple of Rule
        In class order, with the "fitness" of each among its scores; fewer after Ctrl-C. None for a pure
        disjunct, where every run would end in the same constant, or without an attribute of two values.
    """
    toolbox = toolbox or Toolbox(settings)
    settings = settings or toolbox.settings
    if len(conditions.class_codes) < 2 or conditions.n_genes == 0:
        return ()
    remaining = conditions.remaining()
    worth = _worth(remaining, settings, accuracy)
    rules = []
    for code in conditions.class_codes.tolist():
        evolution = _evolve(
            remaining,
            worth,
            stream_state(root, stage, disjunct, code, repeat),
            consequent=code,
            toolbox=toolbox,
            settings=settings,
            deadline=deadline,
        )
        if observer is not None:
            observer(evolution)
        rules.append(evolution.rule)
        if evolution.stop_reason == "interrupt":
            break
    return tuple(rules)


def _evolve(
    remaining: Remaining,
    worth: Worth,
    state: npt.NDArray[np.uint64],
    *,
    toolbox: Toolbox,
    settings: GASettings,
    consequent: int | None = None,
    deadline: float | None = None,
) -> Evolution:
    """Evolve one rule, or a front of which one is taken."""
    how = evolve_front if settings.selection == "nsga2" else evolve
    return how(
        remaining,
        worth,
        state,
        consequent=consequent,
        toolbox=toolbox,
        settings=settings,
        deadline=deadline,
    )


def _worth(remaining: Remaining, settings: GASettings, accuracy: Floats | None) -> Worth:
    """Return what rule pruning goes by, on the rows that remain."""
    if settings.heuristic == "gain":
        return gain_worth(remaining, settings.norm_name)
    if accuracy is None:
        raise ParameterError(
            "The heuristic 'tree' needs the accuracy of the tree by attribute: pass "
            "attribute_accuracy(tree, norm), or set heuristic='gain'."
        )
    return attribute_worth(remaining.conditions, accuracy)
