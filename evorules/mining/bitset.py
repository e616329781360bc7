"""Depth first on bitsets: the default miner.

Zaki, M. J., Parthasarathy, S., Ogihara, M. and Li, W. (1997). New algorithms for fast discovery of
association rules. KDD, 283-286 (rows of items, depth first); Uno, T., Kiyomi, M. and Arimura, H. (2004). LCM
ver. 2. FIMI (rows packed anew).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from evorules.items import CarSet, Items
from evorules.mining.arrays import N_EXTENSIONS, N_SEGMENTS, N_WORDS, Found, Problem, Stack
from evorules.mining.limits import Limits
from evorules.mining.miner import BaseMiner
from evorules.mining.portions import PortionedSearch, longer
from evorules.mining.thresholds import Thresholds

__all__ = ["BitsetMiner", "Search"]

Ints = npt.NDArray[np.int32]


@dataclass(frozen=True)
class BitsetMiner(BaseMiner):
    """The default miner: depth first, rows as bits.

    Items are searched from the rarest on; an antecedent is extended only by items with which its parent was
    frequent; and where the rows of an antecedent fill at most a third of the words they lie in, they are
    packed anew.
    """

    def _search(self, items: Items, thresholds: Thresholds, max_len: int, limits: Limits) -> CarSet:
        return Search(items, thresholds, max_len, limits).run()


class Search(PortionedSearch):
    """One search by the kernels of `_kernels_search`; the parameters are those of `PortionedSearch`."""

    def __init__(self, items: Items, thresholds: Thresholds, max_len: int, limits: Limits) -> None:
        super().__init__(items, thresholds, max_len, limits)
        counts = self.rank_items(rarest_first=True)
        self.problem = self._problem(thresholds)
        self.stack = self._stack(counts)
        self.state = self.stack.state

    def _problem(self, thresholds: Thresholds) -> Problem:
        correct, confident = thresholds.correct, thresholds.confident
        return Problem(self.list_rows(), correct, confident, thresholds.covered, self.max_len)

    def _stack(self, counts: Ints) -> Stack:
        items, n = self.items, len(self.item_of_rank)
        present = np.flatnonzero(np.diff(items.class_start))
        n_levels = self.max_len + 1
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

    def _portion(self, found: Found, n_nodes: int) -> int:
        from evorules.mining._kernels_search import search

        return int(search(self.problem, self.stack, found, n_nodes))

    def widen(self) -> None:
        """Make the stack as long as it needs to be, and half as long again."""
        stack = self.stack
        n_rank, n_counts, n_bits, n_row = stack.need[:4].tolist()
        self.stack = stack._replace(
            rank=longer(stack.rank, n_rank),
            covered=longer(stack.covered, n_rank),
            counts=longer(stack.counts, n_counts),
            bits=longer(stack.bits, n_bits),
            row=longer(stack.row, n_row),
        )
