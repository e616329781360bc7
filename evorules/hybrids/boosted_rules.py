"""Boosted rules: short weighted rules that correct the leaves, within a limit on what has to be read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np
import numpy.typing as npt

from evorules.hybrids.classifier import indicator_columns
from evorules.hybrids.ga_parameters import warn_of_interrupt
from evorules.hybrids.handler import Answer, DisjunctHandler, Floats, Ints, most_frequent
from evorules.hybrids.problem import DisjunctProblem, deal_folds
from evorules.hybrids.regression_paths import known_numbers, paths_of
from trees.c45 import C45Classifier
from trees.errors import DataError
from trees.growth.tree import Tree
from trees.rule import Rule, RuleList
from trees.schema import Schema
from trees.seeding import generator
from trees.table import Table
from trees.validation import Check, Float, Integer

__all__ = ["BoostedRules"]

M = 2.0
"""Weight of the class shares in the m-estimate of a leaf."""
DAMPING = 0.5
"""Added to the denominator of a Newton step, so that few rows cannot make a great vote."""
TOLD = 3
"""Votes for a class that an explanation lists one by one."""


class BoostedRules(DisjunctHandler):
    """Rules that vote for a class, added to what the leaf says: gradient boosting with a reading budget.

    The leaf gives every class a score, the logarithm of its m-estimated share, a quarter of it by default.
    Small regression trees are fitted one after the other to what is still wrong. A path that rows of small
    leaves take becomes a rule: IF the path THEN a vote, for the one class that it raises most. The class with
    the greatest sum of leaf score and votes is predicted. Learning ends when the conditions of all rules
    reach `budget` times the number of small leaves.

    On training rows a leaf looks better than it is. The score from which boosting starts is therefore that
    of a leaf to which the row did not contribute: of a tree grown without the row's fold.

    Parameters
    ----------
    budget : float, default=20
        Conditions to read per small leaf, on average.
    max_depth : int, default=3
        Conditions per rule, at most.
    learning_rate : float, default=0.6
        Share of every vote that counts, in (0, 1].
    leaf_share : float, default=0.25
        How much the leaf counts, in [0, 1]; the rest is the class shares of the training rows.
    subsample : float, default=0.7
        Share of the rows drawn for each tree, in (0, 1].
    min_rows : int, default=3
        Rows behind a rule, at least.
    n_folds : int, default=5
        Trees grown to score the training rows, at least 2.
    max_rules : int, default=1000
        Greatest number of rules.
    max_rows : int, default=10000
        Greatest number of rows to learn from; beyond it a random sample joins the rows of the small leaves.

    Attributes
    ----------
    rules_ : tuple of Rule
        In the order found. The consequent is the class voted for; ``scores`` has the "vote", in logarithms of
        odds. Counts are those of all training rows that the rule covers: a rule may raise a class that is
        not the most frequent of them.
    n_trees_ : int
        Regression trees that the rules come from.
    stop_reason_ : {"budget", "rules", "nothing", "interrupt"}
        Why learning ended: the conditions to read, `max_rules`, a tree without a rule, Ctrl-C.

    Notes
    -----
    Not in the literature on small disjuncts in this form; rules from boosted trees as in Friedman, J. H. and
    Popescu, B. E. (2008), Predictive learning via rule ensembles, Annals of Applied Statistics 2, 916-954,
    multi-class steps as in Friedman (2001), Greedy function approximation, algorithm 6, one class a rule.
    A missing cell satisfies no condition, so such a row gets the votes of the other rules only.
    Cuts lie in the middle half of the gap between two known numbers, where the fewest digits are needed.
    """

    algorithm_version: ClassVar[int] = 2
    speaker: ClassVar[str] = "the rules together"
    _parameters: ClassVar[Mapping[str, Check]] = {
        "budget": Float(0.0),
        "max_depth": Integer(1),
        "learning_rate": Float(0.0, 1.0, "right"),
        "leaf_share": Float(0.0, 1.0, "both"),
        "subsample": Float(0.0, 1.0, "right"),
        "min_rows": Integer(1),
        "n_folds": Integer(2),
        "max_rules": Integer(1),
        "max_rows": Integer(1),
    }
    n_trees_: int
    stop_reason_: str

    def __init__(
        self,
        *,
        budget: float = 20,
        max_depth: int = 3,
        learning_rate: float = 0.6,
        leaf_share: float = 0.25,
        subsample: float = 0.7,
        min_rows: int = 3,
        n_folds: int = 5,
        max_rules: int = 1000,
        max_rows: int = 10_000,
    ) -> None:
        self.budget = budget
        self.max_depth = max_depth
        self.learning_rate = learning_rate
        self.leaf_share = leaf_share
        self.subsample = subsample
        self.min_rows = min_rows
        self.n_folds = n_folds
        self.max_rules = max_rules
        self.max_rows = max_rows

    def _fit(self, problem: DisjunctProblem) -> None:
        self._schema, self._tree = problem.table.schema, problem.tree
        random = generator(problem.root, "boosted rules")
        counts = self._honest_counts(problem)
        problem.report(0.3)
        rows = self._rows(problem, random)
        table = problem.table.take(rows)
        learning = _Learning(
            table,
            indicator_columns(table),
            self._leaf_scores(counts[rows]),
            problem.small[problem.home[rows]],
        )
        n_small = np.count_nonzero(problem.small & (problem.tree.weight > 0))
        limit = self.budget * max(int(n_small), 1)
        found: list[Rule] = []
        self.n_trees_, self.stop_reason_, read = 0, "rules", 0
        try:
            while len(found) < self.max_rules:
                rules, covers = learning.round(self, random)
                cost = sum(len(rule.conditions) for rule in rules)
                if not rules or read + cost > limit:
                    self.stop_reason_ = "budget" if rules else "nothing"
                    break
                if len(found) + len(rules) > self.max_rules:
                    break
                learning.add(rules, covers)
                found.extend(rules)
                read += cost
                self.n_trees_ += 1
        except KeyboardInterrupt:
            self.stop_reason_ = "interrupt"
            warn_of_interrupt("BoostedRules")
        self.rules_ = tuple(found)
        problem.report(0.7)

    def _rows(self, problem: DisjunctProblem, random: np.random.Generator) -> npt.NDArray[np.int64]:
        """Return the rows to learn from, ascending: all, or those of small leaves and a sample of others."""
        n_rows, small = problem.table.n_rows, problem.small_rows
        if n_rows <= self.max_rows:
            return np.arange(n_rows)
        others = np.setdiff1d(np.arange(n_rows), small)
        n_more = max(self.max_rows - len(small), 0)
        return np.sort(
            np.concatenate([small, random.choice(others, min(n_more, len(others)), replace=False)])
        )

    def _honest_counts(self, problem: DisjunctProblem) -> Floats:
        """Return for every training row the class weights of its leaf in a tree grown without its fold."""
        from trees.growth.descend import apply

        table, grower = problem.table, problem.grower or C45Classifier()
        counts = np.zeros((table.n_rows, table.n_classes))
        n_folds = min(self.n_folds, table.n_rows)
        fold = deal_folds(table.classes, n_folds, generator(problem.root, "boosted folds"))
        for number in range(n_folds):
            held = np.flatnonzero(fold == number)
            tree = grower.build_tree(table.take(fold != number))
            counts[held] = tree.class_weight[apply(tree, table.X[held])]
        return counts

    def _leaf_scores(self, counts: Floats) -> Floats:
        """Return the scores of leaves by class weight; -inf for classes without training rows."""
        totals = self._tree.class_weight[0]
        share = totals / totals.sum()
        with np.errstate(divide="ignore"):
            prior = np.log(share)
            estimate = np.log((counts + M * share) / (counts.sum(axis=1, keepdims=True) + M))
        # 0 times -inf would be NaN
        scores: Floats = np.where(
            share > 0, self.leaf_share * estimate + (1 - self.leaf_share) * prior, -np.inf
        )
        return scores

    def _decide(self, table: Table, home: Ints) -> Answer:
        sums = self._sums(table, home)
        covers, label_of_rule, vote, label = sums.covers, sums.consequent, sums.vote, sums.winner
        # the rule that tells a reader most: the strongest of those for the class predicted
        speaks = np.where(covers & (label_of_rule == label[:, np.newaxis]), vote, 0.0)
        strongest = np.argmax(speaks, axis=1) if len(vote) else np.zeros(len(label), dtype=np.int64)
        spoken = speaks.max(axis=1, initial=0.0) > 0
        rule = np.where(spoken, strongest, -1).astype(np.int32)
        return Answer(label, _softmax(sums.total), rule)

    def _sums(self, table: Table, home: Ints) -> _Sums:
        """Add the votes of the rules to the scores of the leaves."""
        consequent = np.array([rule.consequent for rule in self.rules_], dtype=np.int32)
        vote = np.array([rule.scores["vote"] for rule in self.rules_], dtype=np.float64)
        covers = RuleList(self.rules_, self._schema).match(table)
        leaf = self._leaf_scores(self._tree.class_weight[home])
        total = leaf.copy()
        for k in range(table.n_classes):
            total[:, k] += covers[:, consequent == k] @ vote[consequent == k]
        winner = most_frequent(total, self._tree.class_weight[0], 1e-9)
        return _Sums(leaf, covers, consequent, vote, total, winner)

    def votes(self, table: Table, home: Ints, first: int) -> list[str]:
        """Tell what the leaf and the strongest rules give to the class predicted and to the next one."""
        sums, classes = self._sums(table, home), table.schema.classes
        vote, texts = sums.vote, []
        rows = zip(sums.leaf, sums.covers, sums.total, sums.winner.tolist(), strict=True)
        for given, covered, total, winner in rows:
            rest = np.where(np.arange(len(total)) == winner, -np.inf, total)
            shown = [winner, *([int(np.argmax(rest))] if np.isfinite(rest).any() else [])]
            told = []
            for k in shown:
                voting = np.flatnonzero(covered & (sums.consequent == k))
                strongest = voting[np.argsort(-vote[voting], kind="stable")]
                parts = [f"leaf {given[k]:+.2f}"]
                parts += [f"R{first + r} {vote[r]:+.2f}" for r in strongest[:TOLD].tolist()]
                if len(strongest) > TOLD:
                    parts.append(f"{len(strongest) - TOLD} more {vote[strongest[TOLD:]].sum():+.2f}")
                told.append(f"{classes[k]} {total[k]:+.2f} ({', '.join(parts)})")
            texts.append(f"{self.speaker} say {classes[winner]}: {', '.join(told)}")
        return texts

    def _state(self) -> dict[str, Any]:
        return {
            "rules": [rule.to_dict() for rule in self.rules_],
            "n_trees": self.n_trees_,
            "stop_reason": self.stop_reason_,
        }

    def _restore(self, state: Mapping[str, Any], schema: Schema, tree: Tree) -> None:
        self._schema, self._tree = schema, tree
        self.rules_ = tuple(Rule.from_dict(record) for record in state["rules"])
        if not all(isinstance(rule.scores.get("vote"), int | float) for rule in self.rules_):
            raise DataError("A rule of BoostedRules has no vote.")
        self.n_trees_ = int(state["n_trees"])
        self.stop_reason_ = str(state["stop_reason"])


class _Sums(NamedTuple):
    """What decides about some rows: by row, or by rule where it says so."""

    leaf: Floats
    covers: npt.NDArray[np.bool_]
    consequent: Ints
    """Of every rule."""
    vote: Floats
    """Of every rule."""
    total: Floats
    winner: Ints


@dataclass
class _Learning:
    """What boosting knows of its rows.

    Parameters
    ----------
    table : Table
        The rows.
    columns : ndarray of shape (n_rows, n_columns)
        The same as numbers.
    scores : ndarray of shape (n_rows, n_classes)
        Of every class so far.
    small : ndarray of shape (n_rows,), bool
        Which rows are in small leaves.
    """

    table: Table
    columns: Floats
    scores: Floats
    small: npt.NDArray[np.bool_]

    def __post_init__(self) -> None:
        self._known = known_numbers(self.table)

    def round(
        self, settings: BoostedRules, random: np.random.Generator
    ) -> tuple[list[Rule], npt.NDArray[np.bool_]]:
        """Return the rules of one more tree, those that rows of small leaves satisfy, and what they cover."""
        from sklearn.tree import DecisionTreeRegressor

        table = self.table
        indicator = np.zeros_like(self.scores)
        indicator[np.arange(table.n_rows), table.classes] = 1.0
        residual = indicator - _softmax(self.scores)
        drawn = np.flatnonzero(random.random(table.n_rows) < settings.subsample)
        seed = int(random.integers(0, 2**31))
        if len(drawn) == 0:
            return [], np.empty((table.n_rows, 0), dtype=np.bool_)
        regression = DecisionTreeRegressor(
            max_depth=settings.max_depth, min_samples_leaf=settings.min_rows, random_state=seed
        )
        regression.fit(self.columns[drawn], residual[drawn], sample_weight=table.weight[drawn])
        paths = paths_of(regression.tree_, table.schema, self._known)
        covers = RuleList(tuple(Rule(path, 0, ()) for path in paths), table.schema).match(table)
        n_classes = np.count_nonzero(np.isfinite(self.scores[0]))
        rules, kept = [], []
        for p, (path, covered) in enumerate(zip(paths, covers.T, strict=True)):
            if not (covered & self.small).any():
                continue
            weight, wrong = table.weight[covered, np.newaxis], residual[covered]
            above = (weight * wrong).sum(axis=0)
            below = (weight * np.abs(wrong) * (1 - np.abs(wrong))).sum(axis=0) + DAMPING
            step = settings.learning_rate * (n_classes - 1) / n_classes * above / below
            best = int(np.argmax(step))
            if step[best] > 0:
                counts = np.bincount(table.classes[covered], table.weight[covered], table.n_classes)
                scores = {"vote": float(step[best])}
                rules.append(Rule(path, best, tuple(counts.tolist()), "small", scores))
                kept.append(p)
        return rules, covers[:, kept]

    def add(self, rules: list[Rule], covers: npt.NDArray[np.bool_]) -> None:
        """Add the votes of rules to the scores of the rows that they cover."""
        for rule, covered in zip(rules, covers.T, strict=True):
            self.scores[covered, rule.consequent] += rule.scores["vote"]


def _softmax(scores: Floats) -> Floats:
    power = np.exp(scores - scores.max(axis=1, keepdims=True))
    return np.asarray(power / power.sum(axis=1, keepdims=True))
