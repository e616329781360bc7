"""FP-growth with class counts at the nodes.

Han, J., Pei, J. and Yin, Y. (2000). Mining frequent patterns without candidate generation. SIGMOD, 1-12; with
class counts Li, W., Han, J. and Pei, J. (2001). CMAR: accurate and efficient classification based on multiple
class-association rules. ICDM, 369-376, section 3.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from evorules.items import CarSet, Items
from evorules.mining.arrays import Found
from evorules.mining.limits import Limits
from evorules.mining.miner import BaseMiner
from evorules.mining.portions import PortionedSearch, longer
from evorules.mining.thresholds import Thresholds

__all__ = ["FPGrowth"]


@dataclass(frozen=True)
class FPGrowth(BaseMiner):
    """The miner of CMAR: rows as paths of a tree, most frequent items first; one tree per antecedent.

    It finds the rules of `BitsetMiner`, as a rule in more time.
    """

    def _search(self, items: Items, thresholds: Thresholds, max_len: int, limits: Limits) -> CarSet:
        return _Trees(items, thresholds, max_len, limits).run()


class _Trees(PortionedSearch):
    """The trees of the antecedent at hand, one per item, behind each other in the same arrays.

    `nodes` are the int32 arrays rank, parent, link (next node of the rank), first child and next sibling; -1
    is none, and a root has no parent. `head[d, r]` is the first node of rank r in tree d, below 0 for none;
    `end[d]` is the node behind tree d; `cursor[d]` the rank under work there.
    """

    def __init__(self, items: Items, thresholds: Thresholds, max_len: int, limits: Limits) -> None:
        super().__init__(items, thresholds, max_len, limits)
        self.rank_items(rarest_first=False)
        n, n_levels = len(self.item_of_rank), self.max_len + 1
        self.head = np.full((n_levels, n), -1, dtype=np.int32)
        self.cursor = np.full(n_levels, n - 1, dtype=np.int64)
        self.end = np.zeros(n_levels, dtype=np.int64)
        self.pattern = np.zeros(n_levels, dtype=np.int32)
        self.sums = np.zeros((n, items.n_classes), dtype=np.int32)
        self.total = np.zeros(items.n_classes, dtype=np.int32)
        self.path = np.zeros(items.cuts.schema.n_attributes, dtype=self._rank_type)
        self.nodes = tuple(np.empty(0, dtype=np.int32) for _ in range(5))
        self.counts = np.empty((0, items.n_classes), dtype=np.int32)
        self._plant()

    def _plant(self) -> None:
        from evorules.mining._kernels_tree import plant

        rows, items = self.list_rows(), self.items
        self._give_room(4096)
        while self.end[0] == 0:
            self.head[0] = -1
            self.end[0] = plant(
                rows, items.class_start, items.class_totals, *self.nodes, self.counts, self.head[0]
            )
            if self.end[0] == 0:
                self._give_room(2 * len(self.counts))

    def _give_room(self, need: int) -> None:
        self.nodes = tuple(longer(array, need) for array in self.nodes)
        self.counts = longer(self.counts, need)

    def _portion(self, found: Found, n_nodes: int) -> int:
        from evorules.mining._kernels_tree import grow_patterns

        thresholds = self.thresholds
        return int(
            grow_patterns(
                self.state,
                self.nodes,
                self.counts,
                self.head,
                self.cursor,
                self.end,
                self.pattern,
                self.sums,
                self.total,
                self.path,
                (thresholds.covered, self.max_len),
                thresholds.correct,
                thresholds.confident,
                found,
                n_nodes,
            )
        )

    def widen(self) -> None:
        self._give_room(2 * int(self.end.max()) + 1)
