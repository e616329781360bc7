"""How the rules that cover a row decide its class: the first, the first K of each class, or all of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Literal, Protocol

import numpy as np
import numpy.typing as npt

from evorules.rules.coverage import Block, Coverage, for_blocks
from evorules.rules.ruleset import RuleSet
from evorules.rules.unmatched import Unmatched
from trees.decisions import Decisions
from trees.errors import ParameterError
from trees.measures import chi_square, confidence, greatest_chi_square, laplace

__all__ = ["AllRules", "BestK", "BestRule", "Satisfaction", "shares"]

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

EVERY = np.iinfo(np.int64).max
WEIGHTS = {"confidence": confidence, "laplace": laplace}
TIE = 1e-12


class Satisfaction(Protocol):
    """Decides by rules in order."""

    first_decides: ClassVar[bool]
    """Whether the first covering rule settles the class, so that the rules are a decision list."""

    def decide(
        self,
        rules: RuleSet,
        X: Floats,
        coverage: Coverage,
        unmatched: Unmatched,
        preference: Ints,
        n_jobs: int | None = 1,
    ) -> Decisions:
        """Return the class of every row, the scores of all classes and the first rule for the class.

        Parameters
        ----------
        rules : RuleSet
            In order.
        X : ndarray of shape (n_rows, n_attributes), float64
            Cells as in `Table.X`.
        coverage : tuple of int
            One of `evorules.rules.coverage.COVERAGES`.
        unmatched : Unmatched
            For rows that no rule covers.
        preference : ndarray of shape (n_classes,), int64
            Class codes, of which tied ones are preferred in this order.
        n_jobs : int or None
            Threads.
        """


@dataclass(frozen=True)
class BestRule:
    """The first rule that covers a row decides.

    The score of a class is its share, with one row of each observed class added, of the training rows that
    the rule covers, and if that does not let the rule's own class lead, is averaged with certainty.
    """

    first_decides: ClassVar[bool] = True

    def decide(
        self,
        rules: RuleSet,
        X: Floats,
        coverage: Coverage,
        unmatched: Unmatched,
        preference: Ints,
        n_jobs: int | None = 1,
    ) -> Decisions:
        """Return the class of every row, as `Satisfaction.decide` says."""
        found = self.first(rules, X, coverage, n_jobs)
        counts = rules.counts
        observed = (np.asarray(counts.class_totals) > 0).astype(np.float64)
        by_rule = shares(counts.class_counts + observed, counts.consequent)
        scores = np.concatenate([by_rule, unmatched_scores(unmatched)])
        said = np.append(counts.consequent, unmatched.label).astype(np.int32)
        return Decisions(said[found], scores[found], found)

    def first(
        self, rules: RuleSet, X: Floats, coverage: Coverage, n_jobs: int | None = 1
    ) -> npt.NDArray[np.int32]:
        """Return the first rule that covers each row, -1 where none does; ndarray of shape (n_rows,)."""
        from evorules.rules._kernels_coverage import first_block

        found = np.full(len(X), -1, dtype=np.int32)

        def work(block: Block) -> None:
            for missed in coverage:
                if np.any(block.alive):
                    first_block(
                        rules.start, rules.test, block.bits, missed, block.alive, block.planes, block.hit,
                        found[block.rows],
                    )  # fmt: skip

        if len(rules):
            for_blocks(rules, X, coverage, work, n_jobs)
        return found


@dataclass(frozen=True)
class BestK:
    """The first K rules of each class that cover a row vote; the class with the best mean weight wins.

    Parameters
    ----------
    k : int
        Rules of each class, at least 1. A class with fewer uses those it has.
    weight : {"confidence", "laplace"}
        What is averaged.
    """

    k: int = 5
    weight: Literal["confidence", "laplace"] = "confidence"
    first_decides: ClassVar[bool] = False

    def decide(
        self,
        rules: RuleSet,
        X: Floats,
        coverage: Coverage,
        unmatched: Unmatched,
        preference: Ints,
        n_jobs: int | None = 1,
    ) -> Decisions:
        """Return the class of every row, as `Satisfaction.decide` says."""
        weight = WEIGHTS[self.weight](rules.counts)
        return _vote(rules, X, coverage, unmatched, preference, n_jobs, weight, self.k, "mean")


@dataclass(frozen=True)
class AllRules:
    """All rules that cover a row vote.

    Parameters
    ----------
    aggregate : {"sum", "mean", "count", "wchi2", "noisy_or"}
        What a class gets: sum or mean of the weights of its rules, their number, their weighted chi-square
        (CMAR; of classes tied in it, that with the greatest chi-square of one rule is preferred), or one
        minus the product of the shares of rows that they get wrong.
    weight : {"confidence", "laplace"}
        For "sum" and "mean".
    """

    aggregate: Literal["sum", "mean", "count", "wchi2", "noisy_or"] = "sum"
    weight: Literal["confidence", "laplace"] = "confidence"
    first_decides: ClassVar[bool] = False

    def decide(
        self,
        rules: RuleSet,
        X: Floats,
        coverage: Coverage,
        unmatched: Unmatched,
        preference: Ints,
        n_jobs: int | None = 1,
    ) -> Decisions:
        """Return the class of every row, as `Satisfaction.decide` says."""
        counts = rules.counts
        single = None
        if self.aggregate == "wchi2":
            single, bound = chi_square(counts), greatest_chi_square(counts)
            weight = np.divide(single**2, bound, out=np.zeros_like(single), where=bound > 0)
        elif self.aggregate == "noisy_or":
            with np.errstate(divide="ignore"):
                weight = np.log1p(-confidence(counts))
        elif self.aggregate == "count":
            weight = np.ones(len(rules))
        elif self.aggregate in ("sum", "mean"):
            weight = WEIGHTS[self.weight](counts)
        else:
            raise ParameterError(f"There is no aggregate {self.aggregate!r} of votes.")
        return _vote(rules, X, coverage, unmatched, preference, n_jobs, weight, EVERY, self.aggregate, single)


def _vote(
    rules: RuleSet,
    X: Floats,
    coverage: Coverage,
    unmatched: Unmatched,
    preference: Ints,
    n_jobs: int | None,
    weight: Floats,
    k: int,
    aggregate: str,
    single: Floats | None = None,
) -> Decisions:
    from evorules.rules._kernels_coverage import vote_block

    n_rows, n_classes = len(X), len(preference)
    label = np.full(n_rows, -1, dtype=np.int32)
    decider = np.full(n_rows, -1, dtype=np.int32)
    scores = np.empty((n_rows, n_classes))
    weight = np.ascontiguousarray(weight, dtype=np.float64)
    alone = np.zeros(len(rules)) if single is None else np.ascontiguousarray(single, dtype=np.float64)

    def work(block: Block) -> None:
        shape = (block.rows.stop - block.rows.start, n_classes)
        total, peak = np.zeros(shape), np.zeros(shape)
        count, first = np.zeros(shape, dtype=np.int64), np.full(shape, -1, dtype=np.int32)
        for missed in coverage:
            if np.any(block.alive):
                vote_block(
                    rules.start, rules.test, rules.counts.consequent, weight, alone, k, block.bits, missed,
                    block.alive, block.planes, block.hit, total, count, first, peak,
                )  # fmt: skip
        won, said = _elect(_aggregated(total, count, aggregate), count > 0, peak, preference)
        voted = np.any(count > 0, axis=1)
        won[~voted] = unmatched.label
        said[~voted] = unmatched_scores(unmatched)
        label[block.rows], scores[block.rows] = won, said
        decider[block.rows] = np.where(voted, first[np.arange(len(won)), np.maximum(won, 0)], -1)

    for_blocks(rules, X, coverage, work, n_jobs)
    return Decisions(label, scores, decider)


def _aggregated(total: Floats, count: Ints, aggregate: str) -> Floats:
    if aggregate == "mean":
        return total / np.maximum(count, 1)
    return -np.expm1(total) if aggregate == "noisy_or" else total


def _elect(
    votes: Floats, has_rule: npt.NDArray[np.bool_], peak: Floats, preference: Ints
) -> tuple[npt.NDArray[np.int32], Floats]:
    """Return the winner of every row, and the votes as scores that sum to 1 where some class has a rule."""
    votes = np.where(has_rule, votes, 0.0)
    most = votes.max(axis=1, keepdims=True)
    tied = has_rule & (votes >= most * (1 - TIE))
    votes[tied] = np.broadcast_to(most, votes.shape)[tied]
    highest = np.where(tied, peak, -1.0).max(axis=1, keepdims=True)
    best = tied & (peak >= highest * (1 - TIE))
    won = preference[np.argmax(best[:, preference], axis=1)].astype(np.int32)
    # rules whose votes are all 0 leave no more than which classes they named
    sums = votes.sum(axis=1, keepdims=True)
    named = has_rule / np.maximum(has_rule.sum(axis=1, keepdims=True), 1)
    return won, np.divide(votes, sums, out=named, where=sums > 0)


def shares(counts: npt.NDArray[Any], said: npt.NDArray[Any]) -> Floats:
    """Return each row of counts as shares, averaged with certainty where they do not let the class said lead.

    Parameters
    ----------
    counts : ndarray of shape (n, n_classes)
        Rows of each class, at least one in all.
    said : ndarray of shape (n,)
        Class codes.

    Examples
    --------
    >>> shares(np.array([[3, 1], [2, 2]]), np.array([0, 1]))
    array([[0.75, 0.25],
           [0.25, 0.75]])
    """
    found: Floats = np.asarray(counts, dtype=np.float64)
    found = found / found.sum(axis=1, keepdims=True)
    rows = np.arange(len(found))
    own = found[rows, said]
    found[rows, said] = -1
    behind = rows[own <= found.max(axis=1, initial=-1)]
    found[rows, said] = own
    found[behind] /= 2
    found[behind, said[behind]] += 0.5
    return found


def unmatched_scores(unmatched: Unmatched) -> Floats:
    """Return the scores of rows that no rule covers; ndarray of shape (1, n_classes).

    Where the model abstains they are the shares of the classes in training.
    """
    counts = np.asarray(unmatched.counts, dtype=np.float64)[None]
    if unmatched.label < 0:
        return counts / counts.sum()
    return shares(counts, np.array([unmatched.label]))
