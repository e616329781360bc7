"""Frequent antecedents of one length, how those of the next are made, and the rules they give."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from evorules.items import CarSet, Items, count_classes
from evorules.mining.limits import Limits
from evorules.mining.thresholds import Thresholds

__all__ = ["Level", "Levels"]

Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Level:
    """Antecedents of k items, in lexicographic order.

    Parameters
    ----------
    sets : ndarray of shape (n_sets, k), int64
        Their items, ascending.
    counts : ndarray of shape (n_sets, n_classes), int64
        Covered rows of each class.
    is_open : ndarray of shape (n_sets, n_classes), bool
        For which classes they may be extended.
    """

    sets: Ints
    counts: Ints
    is_open: Bools

    @property
    def n_sets(self) -> int:
        """Number of antecedents."""
        return len(self.sets)

    @property
    def n_items(self) -> int:
        """Their length k."""
        return self.sets.shape[1]

    @property
    def covered(self) -> Ints:
        """Covered rows; ndarray of shape (n_sets,)."""
        return np.asarray(self.counts.sum(axis=1))


@dataclass(eq=False)
class Levels:
    """One search, level by level."""

    items: Items
    thresholds: Thresholds
    limits: Limits
    _kept: list[tuple[Ints, npt.NDArray[np.int64], Ints, Ints]] = field(default_factory=list)
    _n_rules: int = 0
    _n_nodes: int = 0

    def first(self) -> Level:
        """Return the frequent single items."""
        sets = np.arange(self.items.n_items, dtype=np.int64)[:, None]
        return self._counted(sets, np.ones((len(sets), self.items.n_classes), dtype=np.bool_))

    def following(self, level: Level) -> Level:
        """Return the frequent antecedents of one item more, all of whose parts are open for a class."""
        left, right = self._pairs(level)
        sets = np.hstack((level.sets[left], level.sets[right, -1:]))
        is_open = level.is_open[left] & level.is_open[right]
        for t in range(level.n_items - 1):
            place = _find(level.sets, np.delete(sets, t, axis=1))
            is_open &= level.is_open[place] & (place >= 0)[:, None]
        kept = np.any(is_open, axis=1)
        return self._counted(sets[kept], is_open[kept])

    def _pairs(self, level: Level) -> tuple[Ints, Ints]:
        """Return positions of antecedents that share all but the last item, which are of two attributes."""
        n = level.n_sets
        new = np.any(level.sets[1:, :-1] != level.sets[:-1, :-1], axis=1)
        ends = np.append(np.flatnonzero(new) + 1, n)
        end = np.repeat(ends, np.diff(np.concatenate(([0], ends))))
        sizes = end - np.arange(n) - 1
        self.limits.check(level.n_items + 1, self._n_rules, self._n_nodes + int(sizes.sum()))
        left = np.repeat(np.arange(n), sizes)
        offset = np.arange(len(left)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
        right = left + 1 + offset
        attribute = self.items.attribute
        differ = attribute[level.sets[left, -1]] != attribute[level.sets[right, -1]]
        return left[differ], right[differ]

    def _counted(self, sets: Ints, is_open: Bools) -> Level:
        self._n_nodes += len(sets)
        self.limits.check(sets.shape[1], self._n_rules, self._n_nodes)
        counts = count_sets(self.items, sets)
        is_open = is_open & (counts >= self.thresholds.correct)
        kept = np.any(is_open, axis=1) & (counts.sum(axis=1) >= self.thresholds.covered)
        return Level(sets[kept], counts[kept], is_open[kept])

    def keep(self, level: Level, passing: Bools) -> None:
        """Add rules: ndarray of shape (n_sets, n_classes), bool."""
        which, consequent = np.nonzero(passing)
        self._n_rules += len(which)
        self.limits.check(level.n_items, self._n_rules, self._n_nodes)
        chosen = level.counts[which]
        right = chosen[np.arange(len(which)), consequent]
        self._kept.append((level.sets[which], consequent, chosen.sum(axis=1), right))

    def rules(self) -> CarSet:
        """Return the rules added so far."""
        if not self._kept:
            return CarSet.of_rules(self.items, [])
        sizes = np.concatenate([[0], *(np.full(len(sets), sets.shape[1]) for sets, *_ in self._kept)])
        item = [sets.ravel() for sets, *_ in self._kept]
        consequent, covered, correct = (
            np.concatenate([kept[part] for kept in self._kept]).astype(np.int32) for part in (1, 2, 3)
        )
        start = np.cumsum(sizes, dtype=np.int64)
        return CarSet(self.items, start, np.concatenate(item).astype(np.int32), consequent, covered, correct)


def count_sets(items: Items, sets: Ints) -> Ints:
    """Count the rows of each class that hold antecedents, an ndarray of shape (n_sets, k)."""
    start = np.arange(len(sets) + 1, dtype=np.int64) * sets.shape[1]
    return count_classes(items, start, sets.ravel().astype(np.int32))


def _find(sets: Ints, wanted: Ints) -> Ints:
    """Return where the rows of `wanted` stand among the rows of `sets`, -1 for those that are not there."""
    place = {tuple(row): number for number, row in enumerate(sets.tolist())}
    return np.array([place.get(tuple(row), -1) for row in wanted.tolist()], dtype=np.int64)
