"""Level by level: antecedents of k + 1 items are made of pairs of frequent ones of k items.

Agrawal, R. and Srikant, R. (1994). Fast algorithms for mining association rules. VLDB, 487-499; for class
association rules Liu, B., Hsu, W. and Ma, Y. (1998). Integrating classification and association rule mining.
KDD, 80-86 ("ruleitems").
"""

from __future__ import annotations

from dataclasses import dataclass

from evorules.items import CarSet, Items
from evorules.mining.levels import Levels
from evorules.mining.limits import Limits
from evorules.mining.miner import BaseMiner
from evorules.mining.thresholds import Thresholds

__all__ = ["Apriori"]


@dataclass(frozen=True)
class Apriori(BaseMiner):
    """The level-wise miner; every other one finds the same rules, most of them sooner.

    Examples
    --------
    >>> import pandas as pd
    >>> from trees.discretize import MDLP
    >>> from trees.table import Table
    >>> frame = pd.DataFrame({"outlook": ["sunny", "rain", "rain"], "windy": ["no", "no", "yes"]})
    >>> table = Table.from_frame(frame, ["play", "play", "stay"])
    >>> cars = Apriori(min_confidence=0.9).mine(Items.of(table, MDLP().fit(table)))
    >>> cars.to_frame()["rule"].tolist()
    ['outlook = sunny', 'windy = no', 'windy = yes',
     'outlook = sunny AND windy = no', 'outlook = rain AND windy = no', 'outlook = rain AND windy = yes']
    """

    def _search(self, items: Items, thresholds: Thresholds, max_len: int, limits: Limits) -> CarSet:
        levels = Levels(items, thresholds, limits)
        level = levels.first()
        while level.n_sets and level.n_items <= max_len:
            levels.keep(level, thresholds.passing(level.covered, level.counts))
            if level.n_items == max_len:
                break
            level = levels.following(level)
        return levels.kept.rules()
