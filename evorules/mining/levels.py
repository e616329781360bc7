"""Frequent antecedents of one length, how those of the next are made, and the rules they give."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from evorules.items import CarSet, Items, count_classes
from evorules.mining.limits import Limits
from evorules.mining.thresholds import Thresholds

__all__ = ["Kept", "Level", "Levels", "count_sets", "pairs_within"]

Ints = npt.NDArray[np.int32]
Longs = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]

BLOCK = 1 << 18
"""Pairs of antecedents looked at at once."""


@dataclass(frozen=True, eq=False)
class Level:
    """Antecedents of k items, in lexicographic order.

    Parameters
    ----------
    sets : ndarray of shape (n_sets, k), int32
        Their items, ascending.
    counts : ndarray of shape (n_sets, n_classes), int64
        Covered rows of each class.
    is_open : ndarray of shape (n_sets, n_classes), bool
        For which classes they may be extended.
    """

    sets: Ints
    counts: Longs
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
    def covered(self) -> Longs:
        """Covered rows; ndarray of shape (n_sets,)."""
        return np.asarray(self.counts.sum(axis=1))


@dataclass(eq=False)
class Kept:
    """Rules gathered length by length; their number is checked against the limits."""

    items: Items
    limits: Limits
    n_rules: int = 0
    n_nodes: int = 0
    _parts: list[tuple[Ints, Longs, Longs, Longs]] = field(default_factory=list)

    def check(self, level: int, n_more_nodes: int = 0) -> None:
        """Count antecedents; raise `Overrun` if they or the time are too many."""
        self.n_nodes += n_more_nodes
        self.limits.check(level, self.n_rules, self.n_nodes)

    def add(self, sets: Ints, consequent: Longs, covered: Longs, correct: Longs) -> None:
        """Add rules whose antecedents are ``sets``, of shape (n_rules, k)."""
        self.n_rules += len(sets)
        self.check(sets.shape[1])
        self._parts.append((sets, consequent, covered, correct))

    def rules(self) -> CarSet:
        """Return the rules in the order added."""
        if not self._parts:
            return CarSet.of_rules(self.items, [])
        sizes = np.concatenate([[0], *(np.full(len(part[0]), part[0].shape[1]) for part in self._parts)])
        item = np.concatenate([part[0].ravel() for part in self._parts]).astype(np.int32)
        consequent, covered, correct = (
            np.concatenate([part[field] for part in self._parts]).astype(np.int32) for field in (1, 2, 3)
        )
        return CarSet(self.items, np.cumsum(sizes, dtype=np.int64), item, consequent, covered, correct)


class Levels:
    """One search, level by level.

    Parameters
    ----------
    items : Items
        Of the table.
    thresholds : Thresholds
        What is frequent.
    limits : Limits
        Raise `Overrun`.
    """

    def __init__(self, items: Items, thresholds: Thresholds, limits: Limits) -> None:
        self.items, self.thresholds = items, thresholds
        self.kept = Kept(items, limits)

    def first(self) -> Level:
        """Return the frequent single items."""
        sets = np.arange(self.items.n_items, dtype=np.int32)[:, None]
        return self._counted(sets, np.ones((len(sets), self.items.n_classes), dtype=np.bool_))

    def following(self, level: Level) -> Level:
        """Return the frequent antecedents of one item more, all of whose parts are open for some class."""
        n = level.n_sets
        new = np.any(level.sets[1:, :-1] != level.sets[:-1, :-1], axis=1)
        ends = np.append(np.flatnonzero(new) + 1, n)
        end = np.repeat(ends, np.diff(np.concatenate(([0], ends))))
        keys = _keys(level.sets)
        found = []
        for left, right in pairs_within(np.arange(n), end):
            found.append(self._joined(level, keys, left, right))
        if not found:
            nothing = np.empty((0, self.items.n_classes))
            return Level(
                np.empty((0, level.n_items + 1), np.int32), nothing.astype(int), nothing.astype(bool)
            )
        return Level(*(np.concatenate([getattr(f, name) for f in found]) for name in _FIELDS))

    def _joined(self, level: Level, keys: npt.NDArray[np.bytes_], left: Longs, right: Longs) -> Level:
        attribute = self.items.attribute
        differ = attribute[level.sets[left, -1]] != attribute[level.sets[right, -1]]
        left, right = left[differ], right[differ]
        sets = np.hstack((level.sets[left], level.sets[right, -1:]))
        is_open = level.is_open[left] & level.is_open[right]
        for t in range(level.n_items - 1):
            wanted = _keys(np.delete(sets, t, axis=1))
            place = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
            is_open &= level.is_open[place] & (keys[place] == wanted)[:, None]
        kept = np.any(is_open, axis=1)
        return self._counted(sets[kept], is_open[kept])

    def _counted(self, sets: Ints, is_open: Bools) -> Level:
        self.kept.check(sets.shape[1], len(sets))
        counts = count_sets(self.items, sets)
        is_open = is_open & (counts >= self.thresholds.correct)
        kept = np.any(is_open, axis=1) & (counts.sum(axis=1) >= self.thresholds.covered)
        return Level(sets[kept], counts[kept], is_open[kept])

    def keep(self, level: Level, passing: Bools) -> None:
        """Add the rules of a level: `passing` of shape (n_sets, n_classes), bool."""
        which, consequent = np.nonzero(passing)
        self.kept.add(level.sets[which], consequent, level.covered[which], level.counts[which, consequent])


_FIELDS = ("sets", "counts", "is_open")


def pairs_within(first: Longs, end: Longs) -> list[tuple[Longs, Longs]]:
    """Return pairs of positions, each of `first` with all behind it and before its `end`, in blocks."""
    sizes = np.maximum(end - first - 1, 0)
    cuts = np.searchsorted(np.cumsum(sizes), np.arange(BLOCK, max(int(sizes.sum()), 1), BLOCK))
    blocks = []
    for chosen in np.split(np.arange(len(first)), cuts):
        n = sizes[chosen]
        left = np.repeat(first[chosen], n)
        if len(left):
            blocks.append((left, left + 1 + np.arange(len(left)) - np.repeat(np.cumsum(n) - n, n)))
    return blocks


def count_sets(items: Items, sets: Ints) -> Longs:
    """Count the rows of each class that hold antecedents, an ndarray of shape (n_sets, k)."""
    start = np.arange(len(sets) + 1, dtype=np.int64) * sets.shape[1]
    return count_classes(items, start, np.ascontiguousarray(sets, dtype=np.int32).ravel())


def _keys(sets: Ints) -> npt.NDArray[np.bytes_]:
    """Return a string of bytes for every row of items, in the same order as the rows."""
    raised = np.ascontiguousarray(sets + 1, dtype=">u4")
    return raised.view(f"S{4 * sets.shape[1]}").ravel()
