"""A search in compiled portions: between them limits are checked and arrays get room."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

import numpy as np
import numpy.typing as npt

from evorules.items import CarSet, Items, count_classes
from evorules.mining.arrays import DEPTH, DONE, N_ITEMS, N_NODES, N_RULES, NARROW, PAUSED, Found
from evorules.mining.generation_order import in_generation_order
from evorules.mining.limits import Limits
from evorules.mining.thresholds import Thresholds

__all__ = ["PortionedSearch", "longer"]

PORTION = 1 << 14
"""Antecedents between two looks at the clock and the limits."""


class PortionedSearch(ABC):
    """One search.

    Parameters
    ----------
    items : Items
        Of the table.
    thresholds : Thresholds
        What is frequent and what is a rule.
    max_len : int
        Most items of an antecedent.
    limits : Limits
        Raise `Overrun`.

    Attributes
    ----------
    state : ndarray of shape (4,), int64
        Where the search stands, as `evorules.mining.arrays` says; written by the kernels.
    item_of_rank : ndarray of shape (n_frequent,), int32
        The frequent items, in the order of the search.
    """

    def __init__(self, items: Items, thresholds: Thresholds, max_len: int, limits: Limits) -> None:
        self.items, self.thresholds, self.limits = items, thresholds, limits
        self.max_len = min(max_len, items.cuts.schema.n_attributes)
        self.state = np.zeros(4, dtype=np.int64)
        self.item_of_rank = np.empty(0, dtype=np.int32)

    def rank_items(self, *, rarest_first: bool) -> npt.NDArray[np.int32]:
        """Set `item_of_rank`; return the class counts by rank, of shape (n_frequent, n_classes)."""
        n_items = self.items.n_items
        counts = count_classes(self.items, np.arange(n_items + 1), np.arange(n_items, dtype=np.int32))
        covered = counts.sum(axis=1)
        frequent = np.flatnonzero(self.thresholds.frequent(covered, counts))
        order = np.argsort(covered[frequent] if rarest_first else -covered[frequent], kind="stable")
        self.item_of_rank = frequent[order].astype(np.int32)
        return counts[self.item_of_rank].astype(np.int32)

    def list_rows(self) -> npt.NDArray[Any]:
        """Return the ranks of the items of each row, descending, closed by -1; one row for each bit."""
        from evorules.mining._kernels_rows import list_rows

        longest = len(np.unique(self.items.attribute[self.item_of_rank]))
        rows = np.full((64 * self.items.n_words, longest + 1), -1, dtype=self._rank_type)
        list_rows(self.items.bits, self.item_of_rank, rows, np.zeros(len(rows), dtype=np.int32))
        return rows

    @property
    def _rank_type(self) -> type[np.signedinteger[Any]]:
        return np.int16 if self.items.n_items < np.iinfo(np.int16).max else np.int32

    @abstractmethod
    def _portion(self, found: Found, n_nodes: int) -> int:
        """Search on until `n_nodes` antecedents were seen in all; return why it came back."""

    @abstractmethod
    def widen(self) -> None:
        """Give the search the room that it asked for."""

    def run(self) -> CarSet:
        """Return the rules in generation order."""
        parts: list[Found] = []
        n_before = 0
        found = self._room(1 << 12)
        while True:
            status = self._portion(found, int(self.state[N_NODES]) + PORTION)
            n_rules, level = n_before + int(self.state[N_RULES]), int(self.state[DEPTH]) + 1
            self.limits.check(level, n_rules, int(self.state[N_NODES]))
            if status == NARROW:
                self.widen()
            elif status != PAUSED:
                parts.append(self._filled(found))
                n_before = n_rules
                self.state[[N_RULES, N_ITEMS]] = 0
                if status == DONE:
                    return in_generation_order(self.items, parts, self.item_of_rank)
                found = self._room(min(2 * len(found.size), 1 << 18))

    def _room(self, n_rules: int) -> Found:
        n_rules = max(n_rules, self.items.n_classes + 1)
        n_items = max(6 * n_rules, (self.items.n_classes + 1) * (self.max_len + 1))
        consequent, covered, correct = (np.empty(n_rules, dtype=np.int32) for _ in range(3))
        item = np.empty(n_items, dtype=self._rank_type)
        return Found(item, np.empty(n_rules, dtype=np.int16), consequent, covered, correct)

    def _filled(self, found: Found) -> Found:
        n_rules, n_items = self.state[N_RULES], self.state[N_ITEMS]
        item = found.item[:n_items].copy()
        size, consequent = found.size[:n_rules].copy(), found.consequent[:n_rules].copy()
        return Found(item, size, consequent, found.covered[:n_rules].copy(), found.correct[:n_rules].copy())


def longer(array: npt.NDArray[Any], need: int) -> npt.NDArray[Any]:
    """Return the array, or if it is shorter than `need` a copy with half as much room again as that."""
    if need <= len(array):
        return array
    copied = np.empty((need + need // 2, *array.shape[1:]), dtype=array.dtype)
    copied[: len(array)] = array
    return copied
