"""From a tree to paths: the rules before anything is generalised."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from trees.growth.tree import LEAF, NOMINAL, NUMERIC, SUBSET, Tree
from trees.rule import Condition

__all__ = ["Paths", "flattened", "leaf_paths"]

LEAST_WEIGHT = 1.0
"""Training weight at which a leaf gives a rule."""


@dataclass(frozen=True, eq=False)
class Paths:
    """The conditions on the way to every leaf, each distinct condition numbered once.

    Parameters
    ----------
    conditions : tuple of Condition
        Distinct conditions.
    kind : ndarray of shape (n_conditions,), int8
        `NOMINAL`, `NUMERIC` or `SUBSET`, by the test that the condition is an outcome of.
    test : ndarray of shape (n_conditions,), int64
        What the original compares when it looks for a duplicate: equal for both sides of a threshold and for
        all branches of a test on groups of values.
    start : ndarray of shape (n_paths + 1,), int64
        Path p holds the conditions ``ids[start[p]:start[p + 1]]``, from the root down.
    ids : ndarray, int32
        Condition numbers.
    label : ndarray of shape (n_paths,), int32
        Class code of the leaf.
    """

    conditions: tuple[Condition, ...]
    kind: npt.NDArray[np.int8]
    test: npt.NDArray[np.int64]
    start: npt.NDArray[np.int64]
    ids: npt.NDArray[np.int32]
    label: npt.NDArray[np.int32]

    @property
    def n_paths(self) -> int:
        """Number of paths."""
        return len(self.label)

    def rules(self) -> list[list[int]]:
        """Return the condition numbers of every path."""
        ids = self.ids.tolist()
        return [ids[start:stop] for start, stop in pairwise(self.start.tolist())]


def leaf_paths(tree: Tree) -> Paths:
    """Return the path to every leaf that a training weight of at least 1 reaches, in pre-order.

    A tree that is a single leaf has no path: its rule would have no condition.

    Parameters
    ----------
    tree : Tree
        Any tree; C4.5rules takes the unpruned one.

    Returns
    -------
    Paths

    Notes
    -----
    specs: C4.5 section 8.1. Two tests on groups of values are different tests even if their groups agree,
    where `tree` is of single precision, as in the original.
    """
    book = _ConditionBook(tree)
    least = LEAST_WEIGHT if tree.single_precision else LEAST_WEIGHT - 1e-6
    useful = (tree.kind != LEAF) | (tree.weight >= least)
    # None: no row can come here, since no value leads into some branch above
    paths: list[tuple[int, ...] | None] = [None] * tree.n_nodes
    paths[0] = ()
    kept: list[tuple[int, ...]] = []
    labels: list[int] = []
    for node in range(tree.n_nodes):
        path = paths[node]
        if path is None:
            continue
        if path and tree.is_leaf(node):
            kept.append(path)
            labels.append(int(tree.label[node]))
        for branch, below in enumerate(tree.children(node).tolist()):
            condition = book.number(node, branch) if useful[below] else None
            paths[below] = None if condition is None else (*path, condition)
    return Paths(
        tuple(book.conditions),
        np.array(book.kinds, dtype=np.int8),
        np.array(book.tests, dtype=np.int64),
        *flattened(kept),
        np.array(labels, dtype=np.int32),
    )


class _ConditionBook:
    """Numbers the distinct conditions of a tree."""

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._number_of: dict[Hashable, int] = {}
        self._test_of: dict[Hashable, int] = {}
        self.conditions: list[Condition] = []
        self.kinds: list[int] = []
        self.tests: list[int] = []

    def number(self, node: int, branch: int) -> int | None:
        """Return the number of the condition of a branch, None if no value leads there."""
        tree = self._tree
        kind, attribute = int(tree.kind[node]), int(tree.attribute[node])
        test: Hashable = (attribute, float(tree.threshold[node])) if kind == NUMERIC else (attribute, node)
        key: Hashable = (test, branch)
        condition = None
        if kind == NOMINAL:
            test = key = (attribute, branch)
        elif kind == SUBSET and not tree.single_precision:
            condition = tree.condition(node, branch)
            key = condition
        if key not in self._number_of:
            condition = condition or tree.condition(node, branch)
            if condition is None:
                return None
            self._number_of[key] = len(self.conditions)
            self.conditions.append(condition)
            self.kinds.append(kind)
            self.tests.append(self._test_of.setdefault((kind, test), len(self._test_of)))
        return self._number_of[key]


def flattened(rules: Sequence[Sequence[int]]) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int32]]:
    """Return lists of condition numbers one behind the other: (start, ids)."""
    start = np.zeros(len(rules) + 1, dtype=np.int64)
    np.cumsum([len(rule) for rule in rules], out=start[1:])
    return start, np.array([c for rule in rules for c in rule], dtype=np.int32)
