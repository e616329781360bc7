"""Class association rules for small disjuncts: found in advance, or searched for each row to classify."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, ClassVar, Literal

import numpy as np
import numpy.typing as npt

from evorules.associative.lac import leading_class
from evorules.associative.lazy import LazyRules, LazySearch, Rank
from evorules.associative.stored_rows import rows_from_record, rows_to_record
from evorules.hybrids.handler import Answer, DisjunctHandler, Floats, Ints, answer_of_rules, peaked
from evorules.hybrids.problem import DisjunctProblem
from evorules.items import CarSet, Items
from evorules.mining import MINERS, MINING_PARAMETERS
from evorules.rules.ordering import by_confidence_then_class, by_information_gain, by_laplace_then_coverage
from evorules.rules.pruning import general
from evorules.rules.training import TrainingRules
from trees.discretize import MDLP
from trees.errors import ParameterError
from trees.growth.tree import Tree
from trees.match import first_match
from trees.rule import Rule
from trees.schema import Schema
from trees.table import Table
from trees.validation import AnyOf, Check, Choice, Integer

__all__ = ["EagerAssociative", "LazyAssociative", "affordable_length"]

ORDERS = {
    "gain": by_information_gain,
    "confidence": by_confidence_then_class,
    "laplace": by_laplace_then_coverage,
}
TIE = 1e-9

_SHARED: dict[str, Check] = {
    "rank": Choice(("gain", "confidence", "laplace")),
    "min_support": MINING_PARAMETERS["min_support"],
    "min_confidence": MINING_PARAMETERS["min_confidence"],
    "max_len": AnyOf((Choice(("auto", None)), Integer(1))),
    "rows": Choice(("small", "all")),
    "overrule": Choice(("none", "pessimistic", "laplace")),
}


def affordable_length(n_attributes: int, n_rows: int, n_classes: int) -> int:
    """Return how many conditions antecedents may have: 3, or 2 where that would take long.

    Examples
    --------
    >>> affordable_length(16, 14000, 26), affordable_length(9, 958, 2)
    (2, 3)
    """
    return 2 if math.comb(n_attributes, 3) * math.ceil(n_rows / 64) * n_classes >= 4e5 else 3


class _Associative(DisjunctHandler):
    """What both forms share: which rows they learn from, and how long antecedents may be."""

    is_stochastic: ClassVar[bool] = False
    rows: Literal["small", "all"]
    max_len: int | Literal["auto"] | None

    def _items(self, problem: DisjunctProblem) -> tuple[Items, Items]:
        """Return the items of the rows to learn from, and those of the rows in small leaves.

        Numbers are cut on all training rows, so that both have the same items.
        """
        table = problem.table
        cuts = MDLP().fit(table)
        small = Items.of(table.take(problem.small_rows), cuts)
        return (small if self.rows == "small" else Items.of(table, cuts)), small

    def _length(self, items: Items, n_classes: int) -> int | None:
        if self.max_len != "auto":
            return self.max_len
        cuts = items.cuts
        return affordable_length(cuts.schema.n_attributes - len(cuts.uncut), items.n_rows, n_classes)


class LazyAssociative(_Associative):
    """Lazy association: for a row in a small leaf, the best class association rule over the row's own items.

    Parameters
    ----------
    rank : {"laplace", "gain", "confidence"}, default="laplace"
        The order of the rules, as in `LACClassifier`.
    vote : {"best", "all"}, default="best"
        The best rule answers, or all do: the class with the greatest sum of confidences.
    min_support : float in (0, 1] or int, default=1
        Least number of right rows of a rule: an int, or a share of the rows that have an item in common with
        the row to classify.
    min_confidence : float in [0, 1], default=0.5
        Least confidence of a rule, with ``rank="confidence"``.
    max_len : "auto", int or None, default="auto"
        Most conditions of a rule; "auto" is 3, or 2 where that would take long.
    rows : {"small", "all"}, default="small"
        Learn from the rows of the small leaves, or from all training rows.
    overrule : {"none", "pessimistic", "laplace"}, default="none"
        When a rule may contradict the leaf: always, or if its estimated accuracy on the rows of the small
        leaves is strictly higher than the leaf's. Not with ``vote="all"``, which has no one rule to weigh.
    max_nodes : int or None, default=10000000
        Most antecedents to look at in a call of `predict` (for every 8192 rows of it); beyond that it raises
        an error that says what to change.

    Attributes
    ----------
    items_ : Items
        The rows learnt from.
    max_len_ : int or None
        Most conditions of a rule.
    rules_ : tuple
        Empty: rules are made only for a row to classify.

    Notes
    -----
    Veloso, A., Meira, W. and Zaki, M. J. (2006). Lazy associative classification. ICDM 2006. Weights must be
    whole numbers. A row without a rule gets the majority of the rows near it, of all rows if it has no item
    of theirs.
    """

    speaker: ClassVar[str] = "the best rule for the row"
    _parameters: ClassVar[Mapping[str, Check]] = {
        **_SHARED,
        "vote": Choice(("best", "all")),
        "max_nodes": MINING_PARAMETERS["max_nodes"],
    }
    added_parameters: ClassVar[Mapping[str, Any]] = {"max_nodes": 10_000_000}
    items_: Items
    max_len_: int | None

    def __init__(
        self,
        *,
        rank: Rank = "laplace",
        vote: Literal["best", "all"] = "best",
        min_support: float | int = 1,
        min_confidence: float = 0.5,
        max_len: int | Literal["auto"] | None = "auto",
        rows: Literal["small", "all"] = "small",
        overrule: Literal["none", "pessimistic", "laplace"] = "none",
        max_nodes: int | None = 10_000_000,
    ) -> None:
        self.rank = rank
        self.vote = vote
        self.min_support = min_support
        self.min_confidence = min_confidence
        self.max_len = max_len
        self.rows = rows
        self.overrule = overrule
        self.max_nodes = max_nodes

    def _fit(self, problem: DisjunctProblem) -> None:
        if self.vote == "all" and self.overrule != "none":
            raise ParameterError(
                "The 'overrule' parameter of LazyAssociative must be 'none' with vote='all'. "
                f"Got {self.overrule!r} instead."
            )
        self._keep(*self._items(problem), problem.tree)
        problem.report(1.0)

    def _keep(self, items: Items, small: Items, tree: Tree) -> None:
        self.items_, self._small_items = items, small
        # what the training rows have, as in the gate: declared classes may have no rows
        n_classes = int(np.count_nonzero(tree.class_weight[0] > 0))
        self.max_len_ = self._length(items, n_classes)
        self._search = LazySearch(
            items,
            self.rank,
            self.min_support,
            self.min_confidence,
            self.max_len_,
            n_classes=n_classes,
            max_nodes=self.max_nodes,
        )
        self.rules_ = ()

    def _decide(self, table: Table, home: Ints) -> Answer:
        found = self._search.find(self.items_.encode(table), votes=self.vote == "all")
        totals = self.items_.class_totals
        near = np.where(found.projected.any(axis=1, keepdims=True), found.projected, totals)
        decided = found.consequent >= 0
        label = np.where(decided, found.consequent, leading_class(near, totals)).astype(np.int32)
        scores = np.where(decided[:, np.newaxis], found.counts, near).astype(np.float64)
        evidence = None
        if self.vote == "all":
            scores[decided] = found.votes[decided]
            label[decided] = leading_class(found.votes[decided], totals, TIE)
        else:
            evidence = self._evidence(found)
        return Answer(label, peaked(scores, label), np.full(table.n_rows, -1, dtype=np.int32), evidence)

    def _evidence(self, found: LazyRules) -> Floats:
        """Return N and E of each row's rule on the rows of the small leaves; NaN without a rule."""
        evidence = np.full((len(found.consequent), 1, 2), np.nan)
        rows = np.flatnonzero(found.consequent >= 0)
        counts = found.counts[rows].astype(np.int64)
        if self.rows != "small":
            rules = [(found.antecedent(r).tolist(), int(found.consequent[r])) for r in rows.tolist()]
            counts = CarSet.of_rules(self._small_items, rules).counts.class_counts
        evidence[rows, 0, 0] = counts.sum(axis=1)
        evidence[rows, 0, 1] = evidence[rows, 0, 0] - counts[np.arange(len(rows)), found.consequent[rows]]
        return evidence

    def _state(self) -> dict[str, Any]:
        small = None if self.rows == "small" else rows_to_record(self._small_items)
        return {"rows": rows_to_record(self.items_), "small": small}

    def _restore(self, state: Mapping[str, Any], schema: Schema, tree: Tree) -> None:
        items = rows_from_record(state["rows"], schema)
        small = items if state["small"] is None else rows_from_record(state["small"], schema)
        self._keep(items, small, tree)


class EagerAssociative(_Associative):
    """Eager association: rules from the rows of the small leaves, of which the first to cover a row answers.

    Parameters
    ----------
    rank : {"laplace", "gain", "confidence"}, default="laplace"
        The order of the rules, as in `EACClassifier`.
    min_support : float in (0, 1] or int, default=0.01
        Least number of right rows of a rule: an int, or a share of the rows learnt from.
    min_confidence : float in [0, 1], default=0.5
        Least confidence of a rule.
    max_len : "auto", int or None, default="auto"
        Most conditions of a rule; "auto" is 3, or 2 where that would take long.
    rows : {"small", "all"}, default="small"
        Learn from the rows of the small leaves, or from all training rows.
    overrule : {"none", "pessimistic", "laplace"}, default="none"
        When a rule may contradict the leaf: always, or if its estimated accuracy on the rows of the small
        leaves is strictly higher than the leaf's.

    Attributes
    ----------
    rules_ : tuple of Rule
        The rules in order, without those that never answer, because one before them has a part of their
        antecedent.

    Notes
    -----
    The eager classifier of Veloso, Meira and Zaki, Lazy associative classification (2006). There a row that
    no rule covers gets the majority class; here its leaf stands. Weights must be whole numbers. If the search
    comes upon a limit, shorter rules are all that is learnt, with a warning.
    """

    _parameters: ClassVar[Mapping[str, Check]] = _SHARED
    speaker: ClassVar[str] = "the rules"

    def __init__(
        self,
        *,
        rank: Rank = "laplace",
        min_support: float | int = 0.01,
        min_confidence: float = 0.5,
        max_len: int | Literal["auto"] | None = "auto",
        rows: Literal["small", "all"] = "small",
        overrule: Literal["none", "pessimistic", "laplace"] = "none",
    ) -> None:
        self.rank = rank
        self.min_support = min_support
        self.min_confidence = min_confidence
        self.max_len = max_len
        self.rows = rows
        self.overrule = overrule

    def _fit(self, problem: DisjunctProblem) -> None:
        items, small = self._items(problem)
        n_classes = int(np.count_nonzero(problem.tree.class_weight[0] > 0))
        miner = MINERS["bitset"](
            min_support=self.min_support,
            min_confidence=self.min_confidence,
            max_len=self._length(items, n_classes),
            on_limit="stop",
        )
        mined = miner.mine(items)
        ordered = mined.take(ORDERS[self.rank](mined))
        reached = ordered.take(general(TrainingRules.of_cars(ordered), proper=False))
        rules = tuple(_scoped(rule) for rule in reached.rules())
        pairs = [(reached.antecedent(r).tolist(), rule.consequent) for r, rule in enumerate(rules)]
        counts = CarSet.of_rules(small, pairs).counts.class_counts
        covered = counts.sum(axis=1)
        wrong = covered - counts[np.arange(len(rules)), reached.consequent]
        self._keep(rules, np.stack([covered, wrong], axis=1)[:, np.newaxis].astype(np.float64))
        problem.report(1.0)

    def _keep(self, rules: tuple[Rule, ...], evidence: npt.NDArray[np.float64]) -> None:
        self.rules_, self._evidence = rules, evidence

    @property
    def leaves_stand(self) -> bool:
        """Whether no rule was found."""
        return not self.rules_

    def _decide(self, table: Table, home: Ints) -> Answer:
        rule = first_match(self.rules_, table.schema, table.X)
        consequent = np.array([r.consequent for r in self.rules_] + [-1], dtype=np.int32)
        return answer_of_rules(self.rules_, rule, consequent[rule], table.n_classes, self._evidence)

    def _state(self) -> dict[str, Any]:
        return {"rules": [rule.to_dict() for rule in self.rules_], "evidence": self._evidence[:, 0].tolist()}

    def _restore(self, state: Mapping[str, Any], schema: Schema, tree: Tree) -> None:
        rules = tuple(Rule.from_dict(record) for record in state["rules"])
        evidence = np.array(state["evidence"], dtype=np.float64).reshape(len(rules), 1, 2)
        self._keep(rules, evidence)


def _scoped(rule: Rule) -> Rule:
    return Rule(rule.conditions, rule.consequent, rule.counts, "small")
