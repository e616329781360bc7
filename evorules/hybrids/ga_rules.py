"""The genetic algorithm alone: an ordered list of rules for the whole table, without a tree."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar, Literal

import numpy as np

from evorules.hybrids.ga_parameters import (
    ADDED_PARAMETERS,
    GA_PARAMETERS,
    RunLog,
    ga_class_factor,
    ga_settings,
    warn_of_interrupt,
)
from evorules.hybrids.handler import answer_of_rules, most_frequent
from evorules.progress import progress
from trees.decisions import Decisions
from trees.estimator import TableClassifier
from trees.match import first_match
from trees.measure_name import MeasureName
from trees.rule import Rule, RuleList
from trees.seeding import root_seed
from trees.table import Table
from trees.validation import Check, Choice, Integer, RandomState

if TYPE_CHECKING:
    import pandas as pd

    from evorules.evolution import Evolution

__all__ = ["GARuleClassifier"]


class GARuleClassifier(TableClassifier):
    """Rules found one after the other by a genetic algorithm, for any number of classes.

    Each run evolves one rule on the rows that the earlier rules left over; a rule predicts the majority
    class of the rows that it covers, and takes away those of them that are of this class. To predict, the
    first rule found that covers the row decides; without one the majority class of the rows left over.

    Parameters
    ----------
    population_size, n_generations : int, default=200, 50
        Size of a run.
    crossover_rate, mutation_rate : float, default=0.8, 0.01
        Per pair and per gene.
    init : {"seeded", "random"}, default="seeded"
        Whether every first individual accepts a random row.
    min_conditions : int, default=2
        Where rule pruning stops.
    norm : {"entropy", "sum", "max", "raw"}, default="entropy"
        How information gains, by which rules are pruned, are brought to [0, 1].
    scope : {"active", "all"}, default="active"
        Whether pruning may switch genes on.
    measure : str, default="sensitivity_specificity"
        The fitness: a name in `trees.measures.MEASURES`.
    stop : int, default=5
        Look for rules while more rows than this remain.
    max_rules : int, default=400
        Greatest number of rules.
    selection : {"tournament", "nsga2"}, default="tournament"
        Evolve the fittest rule; or, by NSGA-II, the rules of which none is both fitter and shorter than
        another, of which `trade_off` names one. Takes 50 to 100 times as long.
    trade_off : {"one_se", "knee"}, default="one_se"
        With "nsga2": the shortest rule whose fitness is at most one standard error (jackknife) below the
        greatest, or the rule farthest above the line from the shortest to the fittest.
    class_weight : "balanced" or dict, optional
        Factor by class for the rows in the fitness, and in what the majority class is of covered rows and of
        rows left over; "balanced" gives all classes of the training set the same weight. The counts of rules
        go without it. Rules for light classes are still found once the rows of heavy ones are taken.
    patience : int, optional
        End a run after so many generations without a better rule.
    time_budget : float, optional
        Seconds for all runs together; the rules found by then are kept.
    random_state : None, int, RandomState or Generator, default=None
        Source of all randomness.
    verbose : bool, default=False
        Show a progress bar for work of more than two seconds.
    nominal : list of str or int, optional
        Columns to read as nominal whatever they hold.
    unknown : {"missing", "error"}, default="missing"
        What to do at prediction with a category not seen in fit.

    Attributes
    ----------
    rules_ : RuleList
        In order of discovery, with counts on all training rows and the "fitness" of the run.
    stop_reason_ : {"rows", "failures", "rules", "genes", "time", "interrupt"}
        Few rows were left; three runs covered no row rightly; enough rules; no attribute has two values; time
        was up; Ctrl-C.
    history_ : DataFrame
        A line per run and generation: mean, deviation, least and greatest fitness.

    Notes
    -----
    Carvalho and Freitas (2004), Figure 6, applied to the whole training set; the paper's rule pruning needs a
    tree, here it goes by information gain on the rows left over, as in GA-Small.

    Examples
    --------
    >>> from evorules.datasets import load
    >>> data = load("tic-tac-toe")
    >>> model = GARuleClassifier(n_generations=5, max_rules=2, random_state=0).fit(data.X, data.y)
    >>> len(model.rules_), model.stop_reason_
    (2, 'rules')
    """

    _parameters: ClassVar[Mapping[str, Check]] = {
        **GA_PARAMETERS,
        "norm": Choice(("entropy", "sum", "max", "raw")),
        "measure": MeasureName(),
        "stop": Integer(0),
        "max_rules": Integer(1),
        "random_state": RandomState(),
    }

    added_parameters: ClassVar[Mapping[str, Any]] = ADDED_PARAMETERS
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
        stop: int = 5,
        max_rules: int = 400,
        selection: Literal["tournament", "nsga2"] = "tournament",
        trade_off: Literal["one_se", "knee"] = "one_se",
        class_weight: Mapping[Any, float] | Literal["balanced"] | None = None,
        patience: int | None = None,
        time_budget: float | None = None,
        random_state: int | np.random.RandomState | np.random.Generator | None = None,
        verbose: bool = False,
        nominal: list[str | int] | None = None,
        unknown: Literal["missing", "error"] = "missing",
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
        self.stop = stop
        self.max_rules = max_rules
        self.selection = selection
        self.trade_off = trade_off
        self.class_weight = class_weight
        self.patience = patience
        self.time_budget = time_budget
        self.random_state = random_state
        self.verbose = verbose
        self.nominal = nominal
        self.unknown = unknown

    @property
    def history_(self) -> pd.DataFrame:
        """How the runs went."""
        return self._log.to_frame("list", self.schema_.classes)

    def _fit(self, table: Table) -> None:
        from evorules.evolution import ConditionTable, sequential_niching

        settings = ga_settings(self, heuristic="gain", norm=self.norm, measure=self.measure)
        self._log = RunLog(self.time_budget)
        factor = ga_class_factor(table, self.class_weight)
        total = table.weight.sum()
        with progress("rules", 1.0, enabled=self.verbose) as report:

            def observe(evolution: Evolution) -> None:
                self._log.add(0, evolution)
                report(evolution.rule.correct / total)

            niches = sequential_niching(
                ConditionTable.build(table, class_factor=factor),
                root=root_seed(self.random_state),
                stage="ga",
                settings=settings,
                stop=self.stop,
                max_rules=self.max_rules,
                deadline=self._log.deadline(),
                observer=observe,
            )
        self.stop_reason_ = niches.stop_reason
        if niches.stop_reason == "interrupt":
            warn_of_interrupt(type(self).__name__)
        left = table.take(niches.left) if len(niches.left) else table
        one = 1.0 if factor is None else factor
        default = int(most_frequent((left.class_totals * one)[np.newaxis], table.class_totals * one, 1e-9)[0])
        rules = RuleList(niches.rules, table.schema, default)
        counts = rules.counts(table).class_counts
        counted = [
            replace(rule, counts=tuple(map(float, line)))
            for rule, line in zip(niches.rules, counts.tolist(), strict=True)
        ]
        self.rules_ = replace(rules, rules=tuple(counted))

    def _decide(self, table: Table) -> Decisions:
        rules, default = self.rules_.rules, np.int32(self.rules_.default or 0)
        rule = first_match(rules, table.schema, table.X)
        classes = np.array([r.consequent for r in rules] or [-1], dtype=np.int32)
        label = np.where(rule >= 0, classes[rule], default).astype(np.int32)
        answer = answer_of_rules(rules, rule, label, table.n_classes)
        return Decisions(label, answer.scores, rule)

    def _model_state(self) -> dict[str, Any]:
        return {
            "rules": [rule.to_dict() for rule in self.rules_],
            "default": self.rules_.default,
            "stop_reason": self.stop_reason_,
            "history": self._log.to_state(),
        }

    def _restore(self, state: Mapping[str, Any]) -> None:
        rules = tuple(Rule.from_dict(rule) for rule in state["rules"])
        self.rules_ = RuleList(rules, self.schema_, int(state["default"]))
        self.stop_reason_ = str(state["stop_reason"])
        self._log = RunLog.from_state(state.get("history", ()), self.schema_.n_classes)
