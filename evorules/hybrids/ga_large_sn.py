"""GA-Large-SN: rules for all small disjuncts together, by sequential niching; as published, and repaired."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, ClassVar, Literal

import numpy as np
import numpy.typing as npt

from evorules.hybrids.evidence import Gate, estimated_accuracy
from evorules.hybrids.ga_parameters import GA_PARAMETERS, ga_settings
from evorules.hybrids.handler import Answer, DisjunctHandler, Floats, Ints, answer_of_rules
from evorules.hybrids.problem import DisjunctProblem
from trees.counts import Counts
from trees.errors import ParameterError
from trees.growth.tree import Tree
from trees.match import first_match
from trees.measures import sensitivity_specificity
from trees.rule import Rule
from trees.schema import Schema
from trees.seeding import generator
from trees.table import Table
from trees.validation import AnyOf, Check, Choice, Integer

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
    measure : {"sensitivity_specificity", "m_estimate"}, optional
        The fitness.
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

    Attributes
    ----------
    rules_ : tuple of Rule
        In order of discovery. Counts are those on the rows of the small leaves; ``scores`` has the
        "fitness" of the run and, with a gate, the "estimate".
    n_rows_ : int
        Rows learnt from.

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
        "measure": Choice((None, "sensitivity_specificity", "m_estimate")),
        "rows": Choice((None, "small", "parents")),
        "overrule": Choice((None, "none", "pessimistic", "both", "laplace")),
        "conflict": Choice(("order", "fitness_full", "fitness_run")),
        "default": Choice((None, "leaf", "rest")),
        "stop": Integer(0),
        "max_rules": Integer(1),
        "max_rows": Integer(2),
    }

    n_rows_: int

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
        measure: Literal["sensitivity_specificity", "m_estimate"] | None = None,
        rows: Literal["small", "parents"] | None = None,
        overrule: Gate | None = None,
        conflict: Literal["order", "fitness_full", "fitness_run"] = "order",
        default: Literal["leaf", "rest"] | None = None,
        stop: int = 5,
        max_rules: int = 400,
        max_rows: int = 6000,
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

    def _chosen(self, name: str) -> Any:
        """Return a parameter, or what the variant makes of None."""
        value = getattr(self, name)
        return VARIANTS[self.variant][name] if value is None else value

    def _fit(self, problem: DisjunctProblem) -> None:
        from evorules.evolution import ConditionTable, attribute_accuracy, sequential_niching

        if self._chosen("overrule") != "none" and self.conflict != "order":
            raise ParameterError(
                f"The 'overrule' parameter of GALargeSN must be 'none' with conflict={self.conflict!r}. "
                f"Got {self._chosen('overrule')!r} instead."
            )
        norm = self.norm if self.heuristic == "gain" else self._chosen("norm")
        settings = ga_settings(
            self,
            min_conditions=self._chosen("min_conditions"),
            measure=self._chosen("measure"),
            heuristic=self.heuristic,
            norm=norm,
        )
        rows = self._rows(problem)
        total = problem.table.weight[rows].sum()
        # the paper draws nominal values from the whole training set, the repair from the rows learnt from
        domain = np.arange(problem.table.n_rows) if self._chosen("rows") == "small" else None
        niches = sequential_niching(
            ConditionTable.build(problem.table, rows, domain_rows=domain),
            root=problem.root,
            settings=settings,
            accuracy=attribute_accuracy(problem.tree, settings.norm_name)
            if self.heuristic == "tree"
            else None,
            stop=self.stop,
            max_rules=self.max_rules,
            observer=lambda evolution: problem.report(evolution.rule.correct / total),
        )
        self.n_rows_ = len(rows)
        self._default = self._majority(problem, niches.left) if self._chosen("default") == "rest" else -1
        self.rules_ = self._weighed(problem, niches.rules)
        self._leaf_estimates = self._estimates_of_leaves(problem)

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
        weight = np.bincount(table.classes[rows], weights=table.weight[rows], minlength=table.n_classes)
        best = np.flatnonzero(weight >= weight.max() - 1e-9)
        return int(best[np.argmax(table.class_totals[best])])

    def _weighed(self, problem: DisjunctProblem, rules: tuple[Rule, ...]) -> tuple[Rule, ...]:
        """Return the rules with their counts on the rows of the small leaves, and what the gate compares."""
        small = problem.table.take(problem.small_rows)
        gate = self._chosen("overrule")
        n_classes = int(np.count_nonzero(problem.table.class_totals))
        weighed = []
        for rule in rules:
            scores = {"fitness": rule.scores["fitness"]}
            counts = _counts(rule, small)
            if gate != "none":
                bases = [counts, _counts(rule, problem.table)] if gate == "both" else [counts]
                scores["estimate"] = min(
                    estimated_accuracy(sum(base), sum(base) - base[rule.consequent], gate, n_classes)
                    for base in bases
                )
            if self.conflict == "fitness_full":
                totals, consequent = (
                    np.asarray(small.class_totals),
                    np.array([rule.consequent], dtype=np.int32),
                )
                full = Counts(totals, np.array([counts]), consequent)
                scores["fitness_full"] = float(sensitivity_specificity(full)[0])
            weighed.append(replace(rule, counts=counts, scope="small", scores=scores))
        return tuple(weighed)

    def _estimates_of_leaves(self, problem: DisjunctProblem) -> Floats:
        """Return what the gate compares, by node; 0 where there is nothing to compare."""
        tree, gate = problem.tree, self._chosen("overrule")
        estimates = np.zeros(tree.n_nodes)
        n_classes = int(np.count_nonzero(problem.table.class_totals))
        for leaf in np.flatnonzero(problem.small).tolist():
            n = float(tree.weight[leaf])
            e = n - float(tree.class_weight[leaf, tree.label[leaf]]) if n > 0 else 0.0
            estimates[leaf] = estimated_accuracy(n, e, gate, n_classes)
        return estimates

    def _order(self) -> list[int]:
        """Return the order in which the rules are tried at prediction."""
        numbers = list(range(len(self.rules_)))
        if self.conflict == "order":
            return numbers
        name = "fitness" if self.conflict == "fitness_run" else "fitness_full"
        rules = self.rules_
        return sorted(numbers, key=lambda r: (-rules[r].scores[name], -rules[r].covered, rules[r].consequent))

    def _decide(self, table: Table, home: Ints) -> Answer:
        order = np.array(self._order(), dtype=np.int32)
        first = first_match([self.rules_[r] for r in order.tolist()], table.schema, table.X)
        rule = np.where(first >= 0, order[first] if len(order) else -1, -1).astype(np.int32)
        if self._chosen("overrule") != "none":
            estimates = np.array([r.scores["estimate"] for r in self.rules_] or [0.0])
            rule[(rule >= 0) & (estimates[rule] <= self._leaf_estimates[home])] = -1
        classes = np.array([r.consequent for r in self.rules_] or [-1], dtype=np.int32)
        label = np.where(rule >= 0, classes[rule], self._default).astype(np.int32)
        return answer_of_rules(self.rules_, rule, label, table.n_classes)

    def _state(self) -> dict[str, Any]:
        return {
            "rules": [rule.to_dict() for rule in self.rules_],
            "default": self._default,
            "leaf_estimates": self._leaf_estimates.tolist(),
            "n_rows": self.n_rows_,
        }

    def _restore(self, state: Mapping[str, Any], schema: Schema, tree: Tree) -> None:
        self.rules_ = tuple(Rule.from_dict(rule) for rule in state["rules"])
        self._default = int(state["default"])
        self._leaf_estimates = np.array(state["leaf_estimates"], dtype=np.float64)
        self.n_rows_ = int(state["n_rows"])


def _counts(rule: Rule, table: Table) -> tuple[float, ...]:
    """Return the weight that a rule covers in a table, per class."""
    covered = rule.match(table)
    weight = np.bincount(table.classes[covered], weights=table.weight[covered], minlength=table.n_classes)
    return tuple(weight.tolist())
