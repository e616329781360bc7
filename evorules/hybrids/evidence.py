"""How much training evidence a leaf or a rule has, and the gate that weighs one against the other."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from trees.growth.tree import Tree
from trees.pruning.pessimistic import added_errors

__all__ = ["Gate", "LeafGate", "estimated_accuracy", "leaf_evidence", "pessimistic_accuracy"]

Gate = Literal["none", "pessimistic", "both", "laplace"]
Floats = npt.NDArray[np.float64]


def pessimistic_accuracy(n: float, e: float) -> float:
    """Return C4.5's pessimistic estimate of the accuracy behind `e` errors in `n` rows, 0 without rows.

    Confidence 0.25, as in pruning.

    Examples
    --------
    >>> round(pessimistic_accuracy(6, 2), 3), round(pessimistic_accuracy(19, 1), 3)
    (0.443, 0.867)
    """
    return 0.0 if n <= 0 else 1.0 - (e + added_errors(n, e)) / n


def estimated_accuracy(n: float, e: float, gate: Gate, n_classes: int) -> float:
    """Return the estimate that a gate compares: pessimistic, or Laplace's (n - e + 1) / (n + n_classes)."""
    return (n - e + 1) / (n + n_classes) if gate == "laplace" else pessimistic_accuracy(n, e)


def leaf_evidence(tree: Tree, leaf: int) -> tuple[float, float]:
    """Return the training weight N of a leaf and the part E of it that is not of the leaf's class."""
    n = float(tree.weight[leaf])
    return n, n - float(tree.class_weight[leaf, tree.label[leaf]]) if n > 0 else 0.0


@dataclass(frozen=True, eq=False)
class LeafGate:
    """Lets a handler contradict a leaf only where its evidence gives the higher estimate.

    One mechanism for all handlers: they tell the evidence behind their answers, the gate compares.

    Parameters
    ----------
    kind : {"none", "pessimistic", "both", "laplace"}
        The estimate. "none" lets everything pass; "both" is pessimistic, of evidence on two sets of rows.
    n_classes : int
        Classes that have training rows.
    leaf_estimate : ndarray of shape (n_nodes,), float64
        What an answer has to exceed, by leaf; 0 at inner nodes.
    """

    kind: Gate
    n_classes: int
    leaf_estimate: Floats

    @classmethod
    def of(cls, tree: Tree, kind: Gate) -> LeafGate:
        """Return the gate of a tree grown on the training rows."""
        n_classes = int(np.count_nonzero(tree.class_weight[0] > 0))
        estimate = np.zeros(tree.n_nodes)
        if kind != "none":
            for leaf in tree.leaves.tolist():
                estimate[leaf] = estimated_accuracy(*leaf_evidence(tree, leaf), kind, n_classes)
        return cls(kind, n_classes, estimate)

    def estimates(self, evidence: Floats) -> Floats:
        """Return the estimate behind each answer.

        Parameters
        ----------
        evidence : ndarray of shape (n_answers, n_bases, 2)
            N and E on one set of rows or several, of which the least estimate counts; N is NaN where there
            is nothing to weigh.

        Returns
        -------
        ndarray of shape (n_answers,), float64
            NaN where there is nothing to weigh.
        """
        pairs, place = np.unique(evidence.reshape(-1, 2), axis=0, return_inverse=True)
        values = np.array(
            [
                np.nan if np.isnan(n) else estimated_accuracy(n, e, self.kind, self.n_classes)
                for n, e in pairs.tolist()
            ]
        )
        return np.asarray(values[place].reshape(evidence.shape[:2]).min(axis=1, initial=np.inf))

    def blocked(self, evidence: Floats | None, home: npt.NDArray[np.int32]) -> npt.NDArray[np.bool_]:
        """Return for which answers the leaf stands; ndarray of shape (n_answers,), bool.

        Parameters
        ----------
        evidence : ndarray of shape (n_answers, n_bases, 2), optional
            As in `estimates`. An answer with nothing to weigh passes.
        home : ndarray of shape (n_answers,), int32
            The home leaves.
        """
        if self.kind == "none" or evidence is None or len(home) == 0:
            return np.zeros(len(home), dtype=np.bool_)
        return np.asarray(self.estimates(evidence) <= self.leaf_estimate[home])
