"""Depth first on bitsets: the default miner.

Zaki, M. J., Parthasarathy, S., Ogihara, M. and Li, W. (1997). New algorithms for fast discovery of
association rules. KDD, 283-286 (rows of items, depth first); Uno, T., Kiyomi, M. and Arimura, H. (2004). LCM
ver. 2. FIMI (rows packed anew).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from evorules.items import CarSet, Items, count_classes
from evorules.mining.arrays import (
    DEPTH,
    DONE,
    FULL,
    N_EXTENSIONS,
    N_ITEMS,
    N_NODES,
    N_RULES,
    N_SEGMENTS,
    N_WORDS,
    NARROW,
    Found,
    Problem,
    Stack,
)
from evorules.mining.generation_order import in_generation_order
from evorules.mining.limits import Limits
from evorules.mining.miner import BaseMiner
from evorules.mining.thresholds import Thresholds

__all__ = ["BitsetMiner", "Search"]

Ints = npt.NDArray[np.int32]

PORTION = 1 << 14
"""Antecedents between two looks at the clock and the limits."""


@dataclass(frozen=True)
class BitsetMiner(BaseMiner):
    """The default miner: depth first, rows as bits.

    Items are searched from the rarest on; an antecedent is extended only by items with which its parent was
    frequent; and where the rows of an antecedent fill at most a third of the words they lie in, they are
    packed anew.
    """

    def _search(self, items: Items, thresholds: Thresholds, max_len: int, limits: Limits) -> CarSet:
        return Search(items, thresholds, max_len, limits).run()


class Search:
    """One search by the kernels of `_kernels_search`.

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
    """

    def __init__(self, items: Items, thresholds: Thresholds, max_len: int, limits: Limits) -> None:
        self.items, self.limits = items, limits
        counts = count_classes(items, np.arange(items.n_items + 1), np.arange(items.n_items, dtype=np.int32))
        covered = counts.sum(axis=1)
        frequent = np.flatnonzero(thresholds.frequent(covered, counts))
        self.item_of_rank = frequent[np.argsort(covered[frequent], kind="stable")].astype(np.int32)
        self.problem = self._problem(thresholds, min(max_len, items.cuts.schema.n_attributes))
        self.stack = self._stack(counts[self.item_of_rank].astype(np.int32))

    def _problem(self, thresholds: Thresholds, max_len: int) -> Problem:
        from evorules.mining._kernels_search import list_rows

        bits = self.items.bits[self.item_of_rank]
        small = max(self.items.n_items, 1) < np.iinfo(np.int16).max
        longest = len(np.unique(self.items.attribute[self.item_of_rank]))
        shape = (64 * self.items.n_words, longest + 1)
        rows = np.full(shape, -1, dtype=np.int16 if small else np.int32)
        list_rows(bits, rows, np.zeros(len(rows), dtype=np.int32))
        return Problem(rows, thresholds.correct, thresholds.confident, thresholds.covered, max_len)

    def _stack(self, counts: Ints) -> Stack:
        items, n = self.items, len(self.item_of_rank)
        present = np.flatnonzero(np.diff(items.class_start))
        n_levels = self.problem.max_len + 1
        level = np.zeros((n_levels, 8), dtype=np.int64)
        level[0, N_EXTENSIONS] = n
        level[0, N_WORDS] = items.n_words
        level[0, N_SEGMENTS] = len(present)
        segment_class = np.full((n_levels, items.n_classes + 1), -1, dtype=np.int32)
        segment_end = np.zeros((n_levels, items.n_classes + 1), dtype=np.int64)
        segment_class[0, : len(present)] = present
        segment_end[0, : len(present)] = items.class_start[present + 1]
        bits = items.bits[self.item_of_rank].ravel()
        return Stack(
            np.zeros(4, dtype=np.int64),
            level,
            segment_class,
            segment_end,
            np.arange(n, dtype=np.int32),
            counts.sum(axis=1, dtype=np.int32),
            np.ascontiguousarray(counts[:, present]).ravel(),
            bits,
            np.arange(64 * items.n_words, dtype=np.int32),
            np.zeros(n_levels, dtype=np.int32),
            np.full(n, -1, dtype=np.int32),
            np.zeros(max(4, items.n_classes + 1), dtype=np.int64),
        )

    def run(self) -> CarSet:
        """Return the rules in generation order."""
        from evorules.mining._kernels_search import search

        parts, n_before = [], 0
        found = self._room(1 << 12)
        while True:
            state = self.stack.state
            status = search(self.problem, self.stack, found, state[N_NODES] + PORTION)
            level = int(state[DEPTH]) + 1
            self.limits.check(level, n_before + int(state[N_RULES]), int(state[N_NODES]))
            if status == NARROW:
                self._widen()
            elif status in (FULL, DONE):
                parts.append(self._filled(found))
                n_before += int(state[N_RULES])
                state[[N_RULES, N_ITEMS]] = 0
                if status == DONE:
                    return in_generation_order(self.items, parts, self.item_of_rank)
                found = self._room(min(2 * len(found.size), 1 << 18))

    def _room(self, n_rules: int) -> Found:
        n_rules = max(n_rules, self.items.n_classes + 1)
        n_items = max(6 * n_rules, (self.items.n_classes + 1) * (self.problem.max_len + 1))
        consequent, covered, correct = (np.empty(n_rules, dtype=np.int32) for _ in range(3))
        item = np.empty(n_items, dtype=self.problem.rows.dtype)
        return Found(item, np.empty(n_rules, dtype=np.int16), consequent, covered, correct)

    def _filled(self, found: Found) -> Found:
        n_rules, n_items = self.stack.state[N_RULES], self.stack.state[N_ITEMS]
        item = found.item[:n_items].copy()
        size, consequent = found.size[:n_rules].copy(), found.consequent[:n_rules].copy()
        return Found(item, size, consequent, found.covered[:n_rules].copy(), found.correct[:n_rules].copy())

    def _widen(self) -> None:
        """Make the stack as long as it needs to be, and half as long again."""
        stack = self.stack
        n_rank, n_counts, n_bits, n_row = stack.need[:4].tolist()
        self.stack = stack._replace(
            rank=_longer(stack.rank, n_rank),
            covered=_longer(stack.covered, n_rank),
            counts=_longer(stack.counts, n_counts),
            bits=_longer(stack.bits, n_bits),
            row=_longer(stack.row, n_row),
        )


def _longer(array: npt.NDArray[Any], need: int) -> npt.NDArray[Any]:
    if need <= len(array):
        return array
    longer = np.empty(need + need // 2, dtype=array.dtype)
    longer[: len(array)] = array
    return longer
