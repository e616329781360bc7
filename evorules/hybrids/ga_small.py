"""GA-Small: for every small disjunct and every class in it, one run of the GA and one rule."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar, Literal

import numpy as np
import numpy.typing as npt
from joblib import Parallel, delayed

from evorules.hybrids.ga_parameters import (
    ADDED_PARAMETERS,
    GA_PARAMETERS,
    RunLog,
    ga_class_factor,
    ga_settings,
    warn_of_interrupt,
)
from evorules.hybrids.handler import Answer, DisjunctHandler, Ints, answer_of_rules
from evorules.hybrids.problem import DisjunctProblem
from trees.growth.tree import Tree
from trees.measure_name import MeasureName
from trees.rule import Rule
from trees.schema import Schema
from trees.table import Table
from trees.validation import Check, Choice

if TYPE_CHECKING:
    import pandas as pd

    from evorules.evolution import GASettings

__all__ = ["GASmall"]


class GASmall(DisjunctHandler):
    """One GA run per small disjunct and class, on the rows of that disjunct alone.

    A genome has the attributes that are not tested on the path to the leaf, rule pruning goes by information
    gain, the class is fixed per run. A row in the leaf gets the class of the fittest rule that covers it
    (ties: more covered rows, class order); without one the leaf's class stands. Pure leaves need no run.

    Parameters
    ----------
    population_size, n_generations : int, default=200, 50
        Size of the runs.
    crossover_rate, mutation_rate : float, default=0.8, 0.01
        Per pair and per gene.
    init : {"seeded", "random"}, default="seeded"
        Whether every first individual accepts a random row.
    min_conditions : int, default=2
        Where rule pruning stops.
    norm : {"entropy", "sum", "max", "raw"}, default="entropy"
        How information gains are brought to [0, 1].
    scope : {"active", "all"}, default="active"
        Whether pruning may switch genes on.
    measure : str, default="sensitivity_specificity"
        The fitness: a name in `trees.measures.MEASURES`.
    overrule : {"none", "pessimistic", "laplace"}, default="none"
        When a rule may contradict its leaf: always, or if its estimated accuracy on the leaf's rows is
        strictly higher than the leaf's.
    selection : {"tournament", "nsga2"}, default="tournament"
        Evolve the fittest rule; or, by NSGA-II, the rules of which none is both fitter and shorter than
        another, of which `trade_off` names one. Takes 50 to 100 times as long.
    trade_off : {"one_se", "knee"}, default="one_se"
        With "nsga2": the shortest rule whose fitness is at most one standard error (jackknife) below the
        greatest, or the rule farthest above the line from the shortest to the fittest.
    class_weight : "balanced" or dict, optional
        Factor by class for the rows in the fitness; "balanced" gives all classes of the training set the same
        weight. The counts of rules and the gate go without it.
    patience : int, optional
        End a run after so many generations without a better rule.
    time_budget : float, optional
        Seconds for all runs together; leaves whose turn has not come keep their class.

    Attributes
    ----------
    rules_ : tuple of Rule
        By leaf in pre-order, the fittest first. Each begins with the conditions of the leaf's path;
        ``scores["fitness"]`` is that of the run, counts are those on the leaf's rows.
    stop_reason_ : {"leaves", "time", "interrupt"}
        Every leaf had its turn; time was up; Ctrl-C.
    history_ : DataFrame
        A line per leaf, run and generation: mean, deviation, least and greatest fitness.

    Notes
    -----
    Carvalho and Freitas (2004), section 3. Open in the paper and chosen here: initialisation, minimum length,
    normalisation, no run for pure leaves and absent classes.
    """

    _parameters: ClassVar[Mapping[str, Check]] = {
        **GA_PARAMETERS,
        "norm": Choice(("entropy", "sum", "max", "raw")),
        "measure": MeasureName(),
        "overrule": Choice(("none", "pessimistic", "laplace")),
    }
    added_parameters: ClassVar[Mapping[str, Any]] = {**ADDED_PARAMETERS, "measure": "sensitivity_specificity"}
    stop_reason_: str

    def __init__(
        self,
        *,
        population_size: int = 200,
        n_generations: int = 50,
        crossover_rate: float = 0.8,
        mutation_rate: float = 0.01,
        init: Literal["seeded", "random"] = "seeded",
        min_conditions: int = 2,
        norm: Literal["entropy", "sum", "max", "raw"] = "entropy",
        scope: Literal["active", "all"] = "active",
        measure: str = "sensitivity_specificity",
        overrule: Literal["none", "pessimistic", "laplace"] = "none",
        selection: Literal["tournament", "nsga2"] = "tournament",
        trade_off: Literal["one_se", "knee"] = "one_se",
        class_weight: Mapping[Any, float] | Literal["balanced"] | None = None,
        patience: int | None = None,
        time_budget: float | None = None,
    ) -> None:
        self.population_size = population_size
        self.n_generations = n_generations
        self.crossover_rate = crossover_rate
        self.mutation_rate = mutation_rate
        self.init = init
        self.min_conditions = min_conditions
        self.norm = norm
        self.scope = scope
        self.measure = measure
        self.overrule = overrule
        self.selection = selection
        self.trade_off = trade_off
        self.class_weight = class_weight
        self.patience = patience
        self.time_budget = time_budget

    @property
    def history_(self) -> pd.DataFrame:
        """How the runs went."""
        return self._log.to_frame("leaf", self._classes)

    @property
    def leaves_stand(self) -> bool:
        """Whether no rule was found and the leaves answer."""
        return not self.rules_

    def _fit(self, problem: DisjunctProblem) -> None:
        settings = ga_settings(self, heuristic="gain", norm=self.norm, measure=self.measure)
        factor = ga_class_factor(problem.table, self.class_weight)
        self._classes = problem.table.schema.classes
        self._log = log = RunLog(self.time_budget)
        leaves = [leaf for leaf in np.flatnonzero(problem.small).tolist() if len(problem.rows_of(leaf)) > 1]
        runs = Parallel(n_jobs=problem.n_jobs, prefer="threads", return_as="generator")(
            delayed(_rules_of_leaf)(problem, leaf, settings, log, factor) for leaf in leaves
        )
        own: list[tuple[int, Rule]] = []
        n_done = 0
        try:
            for leaf, rules in zip(leaves, runs, strict=True):
                own += [(leaf, rule) for rule in rules or ()]
                n_done += rules is not None
                problem.report(1 / len(leaves))
        except KeyboardInterrupt:
            log.interrupted = True
        self.stop_reason_ = "interrupt" if log.interrupted else "leaves" if n_done == len(leaves) else "time"
        if log.interrupted:
            warn_of_interrupt("GASmall")
        self._keep([leaf for leaf, _ in own], [rule for _, rule in own], problem.tree)

    def _keep(self, leaves: Sequence[int], own: Sequence[Rule], tree: Tree) -> None:
        """Keep the rules of the runs, and in front of them the paths of their leaves."""
        self._leaves = list(leaves)
        self._own = tuple(own)
        path = dict(tree.paths())
        self.rules_ = tuple(
            replace(rule, conditions=(*path[leaf], *rule.conditions)).simplify()
            for leaf, rule in zip(leaves, own, strict=True)
        )

    def _decide(self, table: Table, home: Ints) -> Answer:
        rule = np.full(table.n_rows, -1, dtype=np.int32)
        for number, (leaf, own) in enumerate(zip(self._leaves, self._own, strict=True)):
            waiting = np.flatnonzero((home == leaf) & (rule < 0))
            if len(waiting):
                rule[waiting[own.match(table.take(waiting))]] = number
        classes = np.array([own.consequent for own in self._own] or [-1], dtype=np.int32)
        label = np.where(rule >= 0, classes[np.maximum(rule, 0)], -1).astype(np.int32)
        return answer_of_rules(self._own, rule, label, table.n_classes)

    def _state(self) -> dict[str, Any]:
        rules = [rule.to_dict() for rule in self._own]
        return {
            "leaves": self._leaves,
            "rules": rules,
            "stop_reason": self.stop_reason_,
            "history": self._log.to_state(),
        }

    def _restore(self, state: Mapping[str, Any], schema: Schema, tree: Tree) -> None:
        self._keep(state["leaves"], [Rule.from_dict(rule) for rule in state["rules"]], tree)
        self.stop_reason_ = str(state["stop_reason"])
        self._classes = schema.classes
        self._log = RunLog.from_state(state.get("history", ()), schema.n_classes)


def _rules_of_leaf(
    problem: DisjunctProblem,
    leaf: int,
    settings: GASettings,
    log: RunLog,
    factor: npt.NDArray[np.float64] | None,
) -> list[Rule] | None:
    """Return the rules of one leaf, in the order in which they are tried; None if its turn came too late."""
    from evorules.evolution import ConditionTable, class_rules

    if log.interrupted or log.out_of_time:
        return None
    rows = problem.rows_of(leaf)
    free = sorted(set(range(problem.table.n_attributes)) - problem.tested_above(leaf))
    try:
        # the paper draws nominal values from the whole training set
        conditions = ConditionTable.build(
            problem.table,
            rows,
            attributes=free,
            domain_rows=np.arange(problem.table.n_rows),
            class_factor=factor,
        )
        rules = class_rules(
            conditions,
            root=problem.root,
            disjunct=leaf,
            settings=settings,
            deadline=log.deadline(),
            observer=lambda evolution: log.add(leaf, evolution),
        )
    except KeyboardInterrupt:
        log.interrupted = True
        return None
    found = [replace(rule, scope="small") for rule in rules if rule.correct > 0]
    return sorted(found, key=lambda rule: (-rule.scores["fitness"], -rule.covered, rule.consequent))
