"""Windowing: trees grown from samples that take in the rows they get wrong (the original's option ``-t``)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from trees.growth.descend import predict_codes
from trees.growth.literal import LiteralGrower
from trees.growth.options import GrowthOptions
from trees.growth.tree import Tree
from trees.pruning.pessimistic import prune_pessimistic
from trees.rulegen.draws import glibc_draws
from trees.table import Table

__all__ = ["Cycle", "Trial", "Windowing", "class_shares", "grow_windows", "least_estimate"]

Ints = npt.NDArray[np.int32]


@dataclass(frozen=True)
class Windowing:
    """How many trees to grow, and from how many rows each.

    Parameters
    ----------
    n_trials : int
        Trees to grow, each from a window of its own (``-t``).
    window : int or None
        Rows of the first window of every tree (``-w``); None: a fifth of all, at least twice their square
        root.
    increment : int or None
        Most rows by which a window grows, unless half of the rows outside it that are wrong are more
        (``-i``); None: a fifth of `window`.
    """

    n_trials: int
    window: int | None = None
    increment: int | None = None

    def sizes(self, n_rows: int) -> tuple[int, int]:
        """Return window and increment for a table."""
        window = self.window or int(max(2 * math.sqrt(n_rows), n_rows // 5))
        return min(window, n_rows), self.increment or max(window // 5, 1)


class Cycle(NamedTuple):
    """One tree on the way of a trial; errors inside are the weight of the wrong rows, rounded."""

    n_nodes: int
    window: int
    errors_inside: int
    errors_outside: int


class Trial(NamedTuple):
    """What one trial ended with."""

    unpruned: Tree
    pruned: Tree
    cycles: tuple[Cycle, ...]


def grow_windows(
    table: Table,
    options: GrowthOptions,
    windowing: Windowing,
    *,
    single_precision: bool,
    confidence: float = 0.25,
    raising: bool = True,
) -> list[Trial]:
    """Grow and prune a tree per trial.

    Parameters
    ----------
    table : Table
        Training rows with classes.
    options : GrowthOptions
        What to grow.
    windowing : Windowing
        Number and size of windows.
    single_precision : bool
        As of `grow_literal`.
    confidence, raising
        As of `prune_pessimistic`.

    Returns
    -------
    list of Trial
        The unpruned tree of a trial is the one with the fewest errors inside and outside its window, the
        first of equals; it is pruned with all rows.

    Notes
    -----
    specs: C4.5 section 7. Rows are drawn with the numbers that the original draws, whose generator is never
    seeded, and every trial starts from the order of rows that the one before it left: the trees are the
    original's, and no seed changes them. Errors outside the window are counted in rows.
    """
    if np.any(table.weight <= 0):
        table = table.take(np.flatnonzero(table.weight > 0))
    grower = LiteralGrower(table, options, single_precision=single_precision, keep_order=True)
    draws = glibc_draws()
    n_rows = table.n_rows
    window, increment = windowing.sizes(n_rows)
    shares = class_shares(table.classes, window, table.n_classes)
    row = np.arange(n_rows, dtype=np.int32)
    trials = []
    for _ in range(windowing.n_trials):
        _shuffle(row, draws.take(n_rows))
        _bring_forward(row, table.classes, shares)
        unpruned, cycles = _grow_trial(grower, table, row, window, increment)
        pruned = prune_pessimistic(unpruned, table, confidence=confidence, raising=raising, case_order=row)
        trials.append(Trial(unpruned, pruned, tuple(cycles)))
    return trials


def least_estimate(trials: list[Trial]) -> int:
    """Return which trial's pruned tree has the fewest estimated errors, the first of equals."""
    return int(np.argmin([trial.pruned.errors[0] for trial in trials]))


def class_shares(classes: Ints, window: int, n_classes: int) -> list[int]:
    """Return how many rows of each class a window holds: as equal as their frequencies allow.

    Examples
    --------
    >>> class_shares(np.array([0] * 9 + [1] * 2 + [3] * 5), 10, 4)
    [4, 2, 0, 4]
    """
    frequency = np.bincount(classes, minlength=n_classes).tolist()
    rarest_first = sorted((count, c) for c, count in enumerate(frequency) if count > 0)
    shares = [0] * n_classes
    for done, (count, c) in enumerate(rarest_first):
        shares[c] = min(count, (window - sum(shares)) // (len(rarest_first) - done))
    return shares


def _grow_trial(
    grower: LiteralGrower, table: Table, row: Ints, window: int, increment: int
) -> tuple[Tree, list[Cycle]]:
    """Grow from ever larger windows until no row outside is wrong; return the best tree."""
    cycles: list[Cycle] = []
    best: Tree | None = None
    fewest = 0
    while True:
        tree = grower.grow(row, window)
        wrong = predict_codes(tree, table.X) != table.classes
        front = window
        for i in (window + np.flatnonzero(wrong[row[window:]])).tolist():
            row[front], row[i] = row[i], row[front]
            front += 1
        outside = front - window
        cycles.append(Cycle(tree.n_nodes, window, int(tree.errors[0] + 0.5), outside))
        errors = cycles[-1].errors_inside + outside
        if best is None or errors < fewest:
            best, fewest = tree, errors
        if outside == 0:
            return best, cycles
        window = min(window + max(min(outside, increment), outside // 2), len(row))


def _shuffle(row: Ints, draws: npt.NDArray[np.float64]) -> None:
    """Put rows in random order, in place: each changes places with itself or one behind it."""
    behind = np.arange(len(row), 0, -1)
    for i, j in enumerate((np.arange(len(row)) + (behind * draws).astype(np.int64)).tolist()):
        row[i], row[j] = row[j], row[i]


def _bring_forward(row: Ints, classes: Ints, shares: list[int]) -> None:
    """Bring as many rows of each class to the front as its share says, in place, class by class."""
    front = 0
    for c, share in enumerate(shares):
        i = front
        for _ in range(share):
            while classes[row[i]] != c:
                i += 1
            row[front], row[i] = row[i], row[front]
            front += 1
            i += 1
