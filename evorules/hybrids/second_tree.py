"""Double C4.5: a second tree, grown on the rows of all small leaves together."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, ClassVar, Literal

import numpy as np

from evorules.hybrids.handler import Answer, DisjunctHandler, Ints
from evorules.hybrids.problem import DisjunctProblem
from trees.c45 import C45Classifier
from trees.growth.tree import Tree
from trees.schema import Schema
from trees.table import Table
from trees.validation import Boolean, Check, Choice

__all__ = ["SecondTree"]


class SecondTree(DisjunctHandler):
    """A second C4.5 with default options for the rows that fall into small leaves.

    Parameters
    ----------
    prune : bool, default=True
        Prune the second tree.
    overrule : {"none", "pessimistic", "laplace"}, default="none"
        When the second tree may contradict the first: always, or if the estimated accuracy of its leaf is
        strictly higher than that of the first tree's leaf.

    Attributes
    ----------
    tree_ : Tree
        The second tree.
    rules_ : tuple of Rule
        Its leaves.

    Notes
    -----
    The baseline "double C4.5" of Carvalho and Freitas, A hybrid decision tree/genetic algorithm for coping
    with the problem of small disjuncts in data mining, section 4.
    """

    is_stochastic: ClassVar[bool] = False
    _parameters: ClassVar[Mapping[str, Check]] = {
        "prune": Boolean(),
        "overrule": Choice(("none", "pessimistic", "laplace")),
    }
    speaker: ClassVar[str] = "the second tree"
    tree_: Tree

    def __init__(
        self, *, prune: bool = True, overrule: Literal["none", "pessimistic", "laplace"] = "none"
    ) -> None:
        self.prune = prune
        self.overrule = overrule

    def _fit(self, problem: DisjunctProblem) -> None:
        self._keep(C45Classifier(prune=self.prune).build_tree(problem.table.take(problem.small_rows)))
        problem.report(1.0)

    def _keep(self, tree: Tree) -> None:
        self.tree_ = tree
        self.rules_ = tuple(replace(rule, scope="small") for rule in tree.leaf_rules.values())

    def _decide(self, table: Table, home: Ints) -> Answer:
        from trees.growth.descend import classify

        label, scores, leaf = classify(self.tree_, table.X)
        n = self.tree_.weight[leaf]
        wrong = np.where(n > 0, n - self.tree_.class_weight[leaf, label], 0.0)
        evidence = np.stack([n, wrong], axis=1)[:, np.newaxis]
        rule = self.tree_.rule_of_node[leaf]
        return Answer(label, scores, rule, evidence)

    def _state(self) -> dict[str, Any]:
        return {"tree": self.tree_.to_dict()}

    def _restore(self, state: Mapping[str, Any], schema: Schema, tree: Tree) -> None:
        self._keep(Tree.from_dict(state["tree"], schema))
