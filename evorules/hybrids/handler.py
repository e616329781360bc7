"""The contract of a remedy for small disjuncts, and the parts that handlers share."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator

from evorules.hybrids.evidence import Gate, LeafGate
from evorules.hybrids.problem import DisjunctProblem
from trees.growth.tree import Tree
from trees.rule import Rule, check_rules
from trees.schema import Schema
from trees.table import Table
from trees.validation import Check, check_parameters

__all__ = ["Answer", "DisjunctHandler", "answer_of_rules", "most_frequent", "peaked"]

Ints = npt.NDArray[np.int32]
Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Answer:
    """What a handler says of rows whose home leaf is small.

    Parameters
    ----------
    label : ndarray of shape (n_rows,), int32
        Class code, -1 where the tree's own prediction stands.
    scores : ndarray of shape (n_rows, n_classes), float64
        Rows sum to 1, greatest at the label; of no meaning where the label is -1.
    rule : ndarray of shape (n_rows,), int32
        Which of the handler's rules decided, -1 for none.
    evidence : ndarray of shape (n_rows, n_bases, 2), float64, optional
        N and E, the training rows behind the answer and those of them of another class, on one set of rows
        or several; N is NaN where there is nothing to weigh. None from a handler without evidence.
    """

    label: Ints
    scores: Floats
    rule: Ints
    evidence: Floats | None = None


class DisjunctHandler(BaseEstimator):
    """A remedy: learns from the rows of the small leaves and answers for rows that fall into them.

    A subclass declares its parameters in `_parameters` and implements `_fit`, `_decide`, `_state` and
    `_restore`. It sees tables and node numbers only. One that tells its evidence may have a parameter
    `overrule`: the gate then lets its answer pass only where the estimate is higher than the leaf's.

    Attributes
    ----------
    rules_ : tuple of Rule
        The rules learnt, all of scope "small".
    gate_ : LeafGate
        What an answer has to pass.
    """

    algorithm_version: ClassVar[int] = 1
    """Raised by hand with every change of results: stored results of older code are then not used."""

    is_stochastic: ClassVar[bool] = True
    """Whether the seed of the classifier matters to this handler."""

    speaker: ClassVar[str] = "the handler"
    """Who says what no rule says, in explanations."""

    _parameters: ClassVar[Mapping[str, Check]] = {}
    rules_: tuple[Rule, ...]
    gate_: LeafGate

    @property
    def leaves_stand(self) -> bool:
        """Whether the tree's prediction stands for every row, so that the small leaves are the rules."""
        return False

    def asked_at(self, small: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
        """Return at which of the small leaves the handler answers; at others the leaf is the rule.

        Parameters
        ----------
        small : ndarray of shape (n_nodes,), bool
            Which nodes are small leaves.

        Returns
        -------
        ndarray of shape (n_nodes,), bool
        """
        return np.zeros_like(small) if self.leaves_stand else small

    def fit(self, problem: DisjunctProblem) -> Self:
        """Learn from a problem with a training weight of at least 2 in small leaves."""
        check_parameters(type(self).__name__, self._parameters, self.get_params(deep=False))
        self.gate_ = LeafGate.of(problem.tree, self._gate_kind())
        self._fit(problem)
        return self

    def decide(self, table: Table, home: Ints) -> Answer:
        """Answer for rows of which `home`, an ndarray of shape (n_rows,), names the small home leaf."""
        answer = self.propose(table, home)
        blocked = self.gate_.blocked(answer.evidence, home)
        if not blocked.any():
            return answer
        stands = np.int32(-1)
        label, rule = np.where(blocked, stands, answer.label), np.where(blocked, stands, answer.rule)
        return replace(answer, label=label, rule=rule)

    def propose(self, table: Table, home: Ints) -> Answer:
        """Return what `decide` would answer if the gate let everything pass."""
        return self._decide(table, home)

    def votes(self, table: Table, home: Ints, first: int) -> list[str] | None:
        """Tell for rows how several rules together came to the answer; None if it is one rule's or nobody's.

        Parameters
        ----------
        table : Table
            The rows.
        home : ndarray of shape (n_rows,)
            Their small home leaves.
        first : int
            What the handler's first rule is called: 12 if "R12".
        """
        return None

    def _gate_kind(self) -> Gate:
        kind: Gate = getattr(self, "overrule", "none")
        return kind

    def _fit(self, problem: DisjunctProblem) -> None:
        raise TypeError(f"{type(self).__name__} is a base class: use one of its subclasses.")

    def _decide(self, table: Table, home: Ints) -> Answer:
        raise TypeError(f"{type(self).__name__} is a base class: use one of its subclasses.")

    def to_dict(self) -> dict[str, Any]:
        """Return the fitted handler without its parameters, in a JSON-ready form."""
        return self._state()

    def restore(self, state: Mapping[str, Any], schema: Schema, tree: Tree) -> Self:
        """Become the fitted handler that `to_dict` described."""
        self.gate_ = LeafGate.of(tree, self._gate_kind())
        self._restore(state, schema, tree)
        check_rules(self.rules_, schema)
        return self

    def _state(self) -> dict[str, Any]:
        raise TypeError(f"{type(self).__name__} cannot be written to a model file.")

    def _restore(self, state: Mapping[str, Any], schema: Schema, tree: Tree) -> None:
        raise TypeError(f"{type(self).__name__} cannot be read from a model file.")


def peaked(scores: Floats, label: Ints) -> Floats:
    """Return rows of scores that sum to 1 with the greatest at the label.

    Where another class scores higher, its score and the label's change places: the deciding order of a
    rule list may differ from the order of the counts, but probabilities must agree with the prediction.
    """
    total = scores.sum(axis=1, keepdims=True)
    result: Floats = np.divide(scores, total, out=np.full(scores.shape, 1 / scores.shape[1]), where=total > 0)
    rows = np.arange(len(label))
    best = np.argmax(result, axis=1)
    swap = (label >= 0) & (result[rows, np.maximum(label, 0)] < result[rows, best])
    r, a, b = rows[swap], best[swap], label[swap]
    result[r, a], result[r, b] = result[r, b], result[r, a]
    return result


def most_frequent(scores: Floats, frequency: Floats, tolerance: float = 0.0) -> Ints:
    """Return the class of the greatest score per row; ties: more frequent in training, then class order.

    Parameters
    ----------
    scores : ndarray of shape (n_rows, n_classes)
        Any numbers; classes without training rows are never chosen.
    frequency : ndarray of shape (n_classes,)
        Training weight of the classes.
    tolerance : float
        Scores this close to the greatest count as equal, where rounding may tell equals apart.
    """
    allowed = np.where(frequency > 0, scores, -np.inf)
    tied = allowed >= allowed.max(axis=1, keepdims=True) - tolerance
    return np.argmax(np.where(tied, frequency, -1.0), axis=1).astype(np.int32)


def answer_of_rules(
    rules: tuple[Rule, ...], rule: Ints, label: Ints, n_classes: int, evidence: Floats | None = None
) -> Answer:
    """Return the answer in which given rules decide, with the Laplace shares of their counts as scores.

    Parameters
    ----------
    rules : tuple of Rule
        All rules of the handler.
    rule : ndarray of shape (n_rows,), int32
        Deciding rule, -1 for none.
    label : ndarray of shape (n_rows,), int32
        Class code decided, -1 where the tree stands; a default class where no rule decides.
    n_classes : int
        Number of declared classes.
    evidence : ndarray of shape (n_rules, n_bases, 2), optional
        Of every rule; by default its own counts.
    """
    counts = np.array([r.counts for r in rules], dtype=np.float64).reshape(len(rules), n_classes)
    scores = np.ones((len(label), n_classes))
    scores[rule >= 0] += counts[rule[rule >= 0]]
    if evidence is None:
        evidence = np.array([[[r.covered, r.errors]] for r in rules]).reshape(len(rules), 1, 2)
    # the last line is for rows on which no rule decides: nothing to weigh
    behind = np.concatenate([evidence, np.full((1, *evidence.shape[1:]), np.nan)])
    return Answer(label, peaked(scores, label), rule, behind[rule])
