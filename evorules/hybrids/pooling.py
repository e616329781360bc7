"""How several rule lists decide together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from evorules.hybrids.evidence import LeafGate, estimated_accuracy, leaf_evidence
from evorules.hybrids.handler import Answer, Ints, most_frequent, peaked
from trees.growth.tree import Tree
from trees.rule import Rule
from trees.table import Table

__all__ = ["majority_of_lists", "pooled_by_laplace"]

Floats = npt.NDArray[np.float64]

TIE = 1e-9


def pooled_by_laplace(rules: Sequence[Rule], n_lists: int, tree: Tree, table: Table, home: Ints) -> Answer:
    """Let all covering rules of all lists vote, and the leaf as often as there are lists.

    A rule that covers n rows of the small leaves, e of them of another class, gives (n - e + 1) / (n + K) to
    its class, with K classes in training; the leaf gives `n_lists` times its own such estimate to the class
    that the tree predicts. The greatest sum wins; ties: the tree's prediction, then the class more frequent
    in training, then class order.

    Parameters
    ----------
    rules : sequence of Rule
        Of all lists; their counts are those on the rows of the small leaves.
    n_lists : int
        Number of lists.
    tree : Tree
        Grown on the training rows.
    table : Table
        Rows to answer for.
    home : ndarray of shape (n_rows,), int32
        Their home leaves.

    Returns
    -------
    Answer
        The rule named is the weightiest that voted for the winner, the evidence its counts. Where none did,
        the leaf stands.
    """
    from trees.growth.descend import predict_codes

    frequency = tree.class_weight[0]
    n_classes = int(np.count_nonzero(frequency > 0))
    rows = np.arange(table.n_rows)
    expected = predict_codes(tree, table.X)
    votes = np.zeros((table.n_rows, table.n_classes))
    leaves, place = np.unique(home, return_inverse=True)
    own = np.array(
        [estimated_accuracy(*leaf_evidence(tree, k), "laplace", n_classes) for k in leaves.tolist()]
    )
    votes[rows, expected] = n_lists * own[place]
    heaviest = np.full((table.n_rows, table.n_classes), -1, dtype=np.int32)
    weights = np.array(
        [estimated_accuracy(r.covered, r.errors, "laplace", n_classes) for r in rules] or [0.0]
    )
    for number, rule in enumerate(rules):
        covered = np.flatnonzero(rule.match(table))
        votes[covered, rule.consequent] += weights[number]
        known = heaviest[covered, rule.consequent]
        better = covered[(known < 0) | (weights[number] > weights[known])]
        heaviest[better, rule.consequent] = number
    winner = _winner(votes, expected, frequency)
    decisive = heaviest[rows, winner]
    label = np.where(decisive >= 0, winner, -1).astype(np.int32)
    behind = np.array([*([r.covered, r.errors] for r in rules), [np.nan, np.nan]])
    return Answer(label, peaked(votes, label), decisive, behind[decisive][:, np.newaxis])


def majority_of_lists(
    answers: Sequence[Answer], gate: LeafGate, tree: Tree, table: Table, home: Ints
) -> Answer:
    """Let each list answer, with the tree's prediction where it does not pass the gate; the majority counts.

    Ties: the tree's prediction, then the class more frequent in training, then class order.

    Parameters
    ----------
    answers : sequence of Answer
        One per list, not yet gated.
    gate : LeafGate
        Of every list.
    tree, table, home
        As in `pooled_by_laplace`.

    Returns
    -------
    Answer
        Rule, scores and evidence are those of the first list of the majority; where lists for the tree's
        prediction prevail without a rule, the leaf stands.
    """
    from trees.growth.descend import predict_codes

    rows = np.arange(table.n_rows)
    expected = predict_codes(tree, table.X)
    votes = np.zeros((table.n_rows, table.n_classes))
    passed = []
    for answer in answers:
        stands = gate.blocked(answer.evidence, home)
        label = np.where(stands, -1, answer.label)
        passed.append(replace(answer, label=label, rule=np.where(stands, -1, answer.rule)))
        votes[rows, np.where(label >= 0, label, expected)] += 1
    winner = _winner(votes, expected, tree.class_weight[0])
    label, rule = np.full((2, table.n_rows), -1, dtype=np.int32)
    scores = np.zeros_like(votes)
    evidence = np.full((table.n_rows, 1, 2), np.nan)
    for answer in reversed(passed):
        agrees = answer.label == winner
        label[agrees], rule[agrees], scores[agrees] = (
            winner[agrees],
            answer.rule[agrees],
            answer.scores[agrees],
        )
        if answer.evidence is not None:
            evidence[agrees] = answer.evidence[agrees, :1]
    # every list was gated by all its evidence; that on the rows of the small leaves is kept to be told
    return Answer(label, scores, rule, evidence)


def _winner(votes: Floats, expected: Ints, frequency: Floats) -> Ints:
    """Return the class of most votes per row, the tree's prediction if it is among the tied."""
    best = votes.max(axis=1)
    tree_wins = votes[np.arange(len(votes)), expected] >= best - TIE
    return np.where(tree_wins, expected, most_frequent(votes, frequency, TIE)).astype(np.int32)
