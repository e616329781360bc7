"""GA-Large-SN: rules for all small disjuncts together, by sequential niching; as published, and repaired."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar, Literal

import numpy as np
import numpy.typing as npt

from evorules.hybrids.evidence import Gate
from evorules.hybrids.ga_parameters import (
    ADDED_PARAMETERS,
    GA_PARAMETERS,
    RunLog,
    ga_class_factor,
    ga_settings,
    warn_of_interrupt,
)
from evorules.hybrids.handler import Answer, DisjunctHandler, Ints, answer_of_rules
from evorules.hybrids.pooling import majority_of_lists, pooled_by_laplace
from evorules.hybrids.problem import DisjunctProblem
from trees.counts import Counts
from trees.errors import ParameterError
from trees.growth.tree import Tree
from trees.match import first_match
from trees.measure_name import MeasureName
from trees.measures import MEASURES
from trees.rule import Rule
from trees.schema import Schema
from trees.seeding import generator
from trees.table import Table
from trees.validation import AnyOf, Check, Choice, Integer

if TYPE_CHECKING:
    import pandas as pd

    from evorules.evolution import Evolution

__all__ = ["VARIANTS", "GALargeSN"]

VARIANTS: dict[str, dict[str, Any]] = {
    "paper": {
        "rows": "small",
        "measure": "sensitivity_specificity",
        "min_conditions": 2,
        "norm": "sum",
        "overrule": "none",
        "default": "rest",
    },
    "improved": {
        "rows": "parents",
        "measure": "m_estimate",
        "min_conditions": 3,
        "norm": "max",
        "overrule": "pessimistic",
        "default": "leaf",
    },
}
"""What a parameter that is None means, by variant."""


class GALargeSN(DisjunctHandler):
    """One list of rules for the rows of all small disjuncts, found by the GA one after the other.

    ``variant="paper"`` is the published method. It loses to its own tree: its fitness ignores precision, two
    conditions cannot restate a leaf, and any rule may contradict any leaf. ``variant="improved"`` learns from
    the rows under the parents of the small leaves, with a fitness that knows precision and at least three
    conditions, and lets the first covering rule overrule the leaf only if its pessimistic accuracy on the
    rows of the small leaves is higher than the leaf's; otherwise the tree's prediction stands.

    Parameters
    ----------
    variant : {"improved", "paper"}, default="improved"
        Decides what every parameter that is None means (`VARIANTS`).
    population_size, n_generations : int, default=200, 50
        Size of a run.
    crossover_rate, mutation_rate : float, default=0.8, 0.01
        Per pair and per gene.
    init : {"seeded", "random"}, default="seeded"
        Whether every first individual accepts a random row.
    min_conditions : int, optional
        Where rule pruning stops: 2 in the paper's variant, 3 in the improved.
    heuristic : {"tree", "gain"}, default="tree"
        What rule pruning goes by: the tree's accuracy by attribute, or information gain.
    norm : str, optional
        How the heuristic is brought to [0, 1]; "sum" and "max" by variant.
    scope : {"active", "all"}, default="active"
        Whether pruning may switch genes on.
    measure : str, optional
        The fitness: a name in `trees.measures.MEASURES`.
    rows : {"small", "parents"}, optional
        Learn from the rows of the small leaves, or from those under their parents.
    overrule : {"none", "pessimistic", "both", "laplace"}, optional
        When a rule may contradict the leaf: always, or if its estimated accuracy is strictly higher; "both"
        takes the smaller of the estimates on the small leaves' rows and on all rows.
    conflict : {"order", "fitness_full", "fitness_run"}, default="order"
        Which covering rule counts: the first found, the fittest on all rows of the small leaves, or the one
        that was fittest in its own run. A gate needs "order".
    default : {"leaf", "rest"}, optional
        What is predicted where no rule covers: as the tree does, or the majority of the rows left over.
    stop : int, default=5
        Look for rules while more rows than this remain.
    max_rules : int, default=400
        Greatest number of rules.
    max_rows : int, default=6000
        Greatest number of rows to learn from under parents; beyond it a random sample joins
        the rows of the small leaves.
    n_lists : int, default=1
        Rule lists found on the same rows with independent random streams.
    combine : {"order", "laplace"}, default="order"
        How they decide together. "order": each list answers by its first covering rule, gate and all, and
        the majority of the answers counts (ties: the tree's prediction, then the more frequent class, then
        class order). "laplace": all covering rules of all lists vote with their Laplace accuracy on the rows
        of the small leaves, and the leaf with its own times `n_lists` (ties as above); there is no gate.
    selection : {"tournament", "nsga2"}, default="tournament"
        Evolve the fittest rule; or, by NSGA-II, the rules of which none is both fitter and shorter than
        another, of which `trade_off` names one. Takes 50 to 100 times as long.
    trade_off : {"one_se", "knee"}, default="one_se"
        With "nsga2": the shortest rule whose fitness is at most one standard error (jackknife) below the
        greatest, or the rule farthest above the line from the shortest to the fittest.
    class_weight : "balanced" or dict, optional
        Factor by class for the rows in the fitness, and in what the majority class is of covered rows and of
        rows left over; "balanced" gives all classes of the training set the same weight. The counts of rules
        and the gate go without it.
    patience : int, optional
        End a run after so many generations without a better rule.
    time_budget : float, optional
        Seconds for all runs together; the rules found by then are kept.

    Attributes
    ----------
    rules_ : tuple of Rule
        List by list in order of discovery. Counts are those on the rows of the small leaves; ``scores`` has
        the "fitness" of the run, with a gate the "estimate", and with several lists the "list", from 0.
    n_rows_ : int
        Rows learnt from.
    stop_reason_ : {"rows", "failures", "rules", "genes", "time", "interrupt"}
        Why the last list ended: few rows left, three runs in vain, enough rules, no attribute of two values,
        time was up, Ctrl-C.
    history_ : DataFrame
        A line per list, run and generation: mean, deviation, least and greatest fitness.

    Notes
    -----
    Carvalho and Freitas (2004), sections 3 and 4. The paper leaves open: initialisation, minimum length,
    normalisation, conflicts, when to give up (three runs without a right row).
    """

    _parameters: ClassVar[Mapping[str, Check]] = {
        **GA_PARAMETERS,
        "variant": Choice(("improved", "paper")),
        "min_conditions": AnyOf((Choice((None,)), Integer(0))),
        "heuristic": Choice(("tree", "gain")),
        "norm": Choice((None, "sum", "max", "none", "entropy", "raw")),
        "measure": AnyOf((Choice((None,)), MeasureName())),
        "rows": Choice((None, "small", "parents")),
        "overrule": Choice((None, "none", "pessimistic", "both", "laplace")),
        "conflict": Choice(("order", "fitness_full", "fitness_run")),
        "default": Choice((None, "leaf", "rest")),
        "stop": Integer(0),
        "max_rules": Integer(1),
        "max_rows": Integer(2),
        "n_lists": Integer(1),
        "combine": Choice(("order", "laplace")),
    }
    added_parameters: ClassVar[Mapping[str, Any]] = ADDED_PARAMETERS
    speaker: ClassVar[str] = "the majority of the rows left over"

    n_rows_: int
    stop_reason_: str

    def __init__(
        self,
        *,
        variant: Literal["improved", "paper"] = "improved",
        population_size: int = 200,
        n_generations: int = 50,
        crossover_rate: float = 0.8,
        mutation_rate: float = 0.01,
        init: Literal["seeded", "random"] = "seeded",
        min_conditions: int | None = None,
        heuristic: Literal["tree", "gain"] = "tree",
        norm: Literal["sum", "max", "none", "entropy", "raw"] | None = None,
        scope: Literal["active", "all"] = "active",
        measure: str | None = None,
        rows: Literal["small", "parents"] | None = None,
        overrule: Gate | None = None,
        conflict: Literal["order", "fitness_full", "fitness_run"] = "order",
        default: Literal["leaf", "rest"] | None = None,
        stop: int = 5,
        max_rules: int = 400,
        max_rows: int = 6000,
        n_lists: int = 1,
        combine: Literal["order", "laplace"] = "order",
        selection: Literal["tournament", "nsga2"] = "tournament",
        trade_off: Literal["one_se", "knee"] = "one_se",
        class_weight: Mapping[Any, float] | Literal["balanced"] | None = None,
        patience: int | None = None,
        time_budget: float | None = None,
    ) -> None:
        self.variant = variant
        self.population_size = population_size
        self.n_generations = n_generations
        self.crossover_rate = crossover_rate
        self.mutation_rate = mutation_rate
        self.init = init
        self.min_conditions = min_conditions
        self.heuristic = heuristic
        self.norm = norm
        self.scope = scope
        self.measure = measure
        self.rows = rows
        self.overrule = overrule
        self.conflict = conflict
        self.default = default
        self.stop = stop
        self.max_rules = max_rules
        self.max_rows = max_rows
        self.n_lists = n_lists
        self.combine = combine
        self.selection = selection
        self.trade_off = trade_off
        self.class_weight = class_weight
        self.patience = patience
        self.time_budget = time_budget

    def _chosen(self, name: str) -> Any:
        """Return a parameter, or what the variant makes of None."""
        value = getattr(self, name)
        return VARIANTS[self.variant][name] if value is None else value

    def _gate_kind(self) -> Gate:
        kind: Gate = "none" if self.combine == "laplace" else self._chosen("overrule")
        return kind

    @property
    def history_(self) -> pd.DataFrame:
        """How the runs went."""
        return self._log.to_frame("list", self._classes)

    def _check_combination(self) -> None:
        """Refuse parameters that are allowed each, but not together."""
        pooled = self.combine == "laplace"
        by_fitness = self.conflict != "order"
        gate = self._gate_kind()
        lists = f"n_lists={self.n_lists}, combine={self.combine!r}"
        for name, value, must, context, wrong in (
            ("overrule", self.overrule, None, lists, pooled and self.overrule is not None),
            ("default", self.default, None, lists, pooled and self.default is not None),
            ("conflict", self.conflict, "order", lists, by_fitness and (pooled or self.n_lists > 1)),
            ("overrule", gate, "none", f"conflict={self.conflict!r}", by_fitness and gate != "none"),
        ):
            if wrong:
                raise ParameterError(
                    f"The {name!r} parameter of GALargeSN must be {must!r} with {context}. "
                    f"Got {value!r} instead."
                )

    @property
    def leaves_stand(self) -> bool:
        """Whether no rule was found and the leaves answer."""
        return not self.rules_ and max(self._defaults, default=-1) < 0

    def _fit(self, problem: DisjunctProblem) -> None:
        from evorules.evolution import ConditionTable, attribute_accuracy, sequential_niching

        self._check_combination()
        norm = self.norm if self.heuristic == "gain" else self._chosen("norm")
        settings = ga_settings(
            self,
            min_conditions=self._chosen("min_conditions"),
            measure=self._chosen("measure"),
            heuristic=self.heuristic,
            norm=norm,
        )
        self._classes = problem.table.schema.classes
        self._log = RunLog(self.time_budget)
        rows = self._rows(problem)
        total = problem.table.weight[rows].sum() * self.n_lists
        # the paper draws nominal values from the whole training set, the repair from the rows learnt from
        domain = np.arange(problem.table.n_rows) if self._chosen("rows") == "small" else None
        factor = ga_class_factor(problem.table, self.class_weight)
        conditions = ConditionTable.build(problem.table, rows, domain_rows=domain, class_factor=factor)
        accuracy = attribute_accuracy(problem.tree, settings.norm_name) if self.heuristic == "tree" else None
        found: list[Rule] = []
        self._list_of, self._defaults = [], []
        for number in range(self.n_lists):

            def observe(evolution: Evolution, number: int = number) -> None:
                self._log.add(number, evolution)
                problem.report(evolution.rule.correct / total)

            niches = sequential_niching(
                conditions,
                root=problem.root,
                list_index=number,
                settings=settings,
                accuracy=accuracy,
                stop=self.stop,
                max_rules=self.max_rules,
                deadline=self._log.deadline((number + 1) / self.n_lists),
                observer=observe,
            )
            found += niches.rules
            self._list_of += [number] * len(niches.rules)
            rest = self._chosen("default") == "rest" and self.combine == "order"
            self._defaults.append(self._majority(problem, niches.left) if rest else -1)
            self.stop_reason_ = niches.stop_reason
            if niches.stop_reason == "interrupt":
                break
        if self.stop_reason_ == "interrupt":
            warn_of_interrupt("GALargeSN")
        self.n_rows_ = len(rows)
        self.rules_ = self._weighed(problem, tuple(found))
        self._tree = problem.tree

    def _rows(self, problem: DisjunctProblem) -> npt.NDArray[np.int64]:
        """Return the rows to learn from, ascending."""
        small = problem.small_rows
        if self._chosen("rows") == "small":
            return small
        around = problem.parent_rows
        if len(around) <= self.max_rows:
            return around
        others = np.setdiff1d(around, small, assume_unique=True)
        n_sampled = min(max(self.max_rows - len(small), 0), len(others))
        sampled = generator(problem.root, "ga-large-sn rows").choice(others, n_sampled, replace=False)
        return np.sort(np.concatenate([small, sampled]))

    def _majority(self, problem: DisjunctProblem, left: npt.NDArray[np.int64]) -> int:
        """Return the majority class of the rows left over, or of all small leaves if there are none."""
        table = problem.table
        rows = left if len(left) else problem.small_rows
        factor = ga_class_factor(table, self.class_weight)
        one = np.ones(table.n_classes) if factor is None else factor
        weight = one * np.bincount(table.classes[rows], weights=table.weight[rows], minlength=table.n_classes)
        best = np.flatnonzero(weight >= weight.max() - 1e-9)
        return int(best[np.argmax((table.class_totals * one)[best])])

    def _weighed(self, problem: DisjunctProblem, rules: tuple[Rule, ...]) -> tuple[Rule, ...]:
        """Return the rules with their counts on the rows of the small leaves, and what the gate compares."""
        small = problem.table.take(problem.small_rows)
        gated = self.gate_.kind != "none"
        bases = (small, problem.table) if self.gate_.kind == "both" else (small,)
        self._evidence = np.zeros((len(rules), len(bases), 2))
        weighed = []
        for r, rule in enumerate(rules):
            counts = [_counts(rule, table) for table in bases]
            self._evidence[r] = [(sum(c), sum(c) - c[rule.consequent]) for c in counts]
            scores = {"fitness": rule.scores["fitness"]}
            if self.n_lists > 1:
                scores["list"] = float(self._list_of[r])
            if gated:
                scores["estimate"] = float(self.gate_.estimates(self._evidence[r : r + 1])[0])
            if self.conflict == "fitness_full":
                totals, consequent = (
                    np.asarray(small.class_totals),
                    np.array([rule.consequent], dtype=np.int32),
                )
                factor = ga_class_factor(problem.table, self.class_weight)
                one = 1.0 if factor is None else factor
                full = Counts(totals * one, np.array(counts[:1]) * one, consequent)
                scores["fitness_full"] = float(MEASURES[self._chosen("measure")](full)[0])
            weighed.append(replace(rule, counts=counts[0], scope="small", scores=scores))
        return tuple(weighed)

    def _order(self, numbers: Sequence[int]) -> list[int]:
        """Return the order in which rules are tried at prediction."""
        if self.conflict == "order":
            return list(numbers)
        name = "fitness" if self.conflict == "fitness_run" else "fitness_full"
        rules = self.rules_
        return sorted(numbers, key=lambda r: (-rules[r].scores[name], -rules[r].covered, rules[r].consequent))

    def _decide(self, table: Table, home: Ints) -> Answer:
        if self.combine == "laplace":
            return pooled_by_laplace(self.rules_, len(self._defaults), self._tree, table, home)
        answers = [self._answer_of_list(number, table) for number in range(len(self._defaults))]
        if len(answers) == 1:
            return answers[0]
        return majority_of_lists(answers, self.gate_, self._tree, table, home)

    def _answer_of_list(self, number: int, table: Table) -> Answer:
        """Return what the covering rule of one list says."""
        own = [r for r, owner in enumerate(self._list_of) if owner == number]
        order = np.array(self._order(own), dtype=np.int32)
        first = first_match([self.rules_[r] for r in order.tolist()], table.schema, table.X)
        rule = np.where(first >= 0, order[first] if len(order) else -1, -1).astype(np.int32)
        classes = np.array([r.consequent for r in self.rules_] or [-1], dtype=np.int32)
        label = np.where(rule >= 0, classes[rule], self._defaults[number]).astype(np.int32)
        return answer_of_rules(self.rules_, rule, label, table.n_classes, self._evidence)

    def _state(self) -> dict[str, Any]:
        return {
            "rules": [rule.to_dict() for rule in self.rules_],
            "lists": self._list_of,
            "defaults": self._defaults,
            "evidence": self._evidence.tolist(),
            "n_rows": self.n_rows_,
            "stop_reason": self.stop_reason_,
            "history": self._log.to_state(),
        }

    def _restore(self, state: Mapping[str, Any], schema: Schema, tree: Tree) -> None:
        self.rules_ = tuple(Rule.from_dict(rule) for rule in state["rules"])
        self._list_of = [int(number) for number in state["lists"]]
        self._defaults = [int(label) for label in state["defaults"]]
        n_bases = 2 if self.gate_.kind == "both" else 1
        evidence = np.array(state["evidence"], dtype=np.float64)
        self._evidence = evidence.reshape(len(self.rules_), n_bases, 2)
        self.n_rows_ = int(state["n_rows"])
        self.stop_reason_ = str(state["stop_reason"])
        self._classes = schema.classes
        self._log = RunLog.from_state(state.get("history", ()), schema.n_classes)
        self._tree = tree


def _counts(rule: Rule, table: Table) -> tuple[float, ...]:
    """Return the weight that a rule covers in a table, per class."""
    covered = rule.match(table)
    weight = np.bincount(table.classes[covered], weights=table.weight[covered], minlength=table.n_classes)
    return tuple(weight.tolist())
