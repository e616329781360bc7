"""The general rules of TFPC: an antecedent that makes a rule is not extended.

Coenen, F., Leng, P. and Zhang, L. (2005). Threshold tuning for improved classification association rule
mining. PAKDD, 216-225.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from evorules.items import CarSet, Items
from evorules.mining.levels import Levels
from evorules.mining.limits import Limits
from evorules.mining.miner import BaseMiner
from evorules.mining.thresholds import Thresholds
from trees.validation import Boolean, Check

__all__ = ["TFPCMiner"]


@dataclass(frozen=True)
class TFPCMiner(BaseMiner):
    """Level by level, per class: the most general antecedents that reach support and confidence.

    An antecedent that makes a rule for a class is closed for that class: no antecedent that contains it makes
    another one.

    Parameters
    ----------
    block_all_classes : bool, default=False
        Close it for every class.

    Notes
    -----
    That a rule of one class leaves the others open is our reading: the paper's tree prunes a node of
    antecedent and class.
    """

    block_all_classes: bool = False

    _of_which: ClassVar[str] = "in all, of which this miner wants some only."
    _more: ClassVar[dict[str, Check]] = {"block_all_classes": Boolean()}

    def _search(self, items: Items, thresholds: Thresholds, max_len: int, limits: Limits) -> CarSet:
        levels = Levels(items, thresholds, limits)
        level = levels.first()
        while level.n_sets and level.n_items <= max_len:
            passing = thresholds.passing(level.covered, level.counts) & level.is_open
            levels.keep(level, passing)
            if level.n_items == max_len:
                break
            closed = np.any(passing, axis=1, keepdims=True) if self.block_all_classes else passing
            np.logical_and(level.is_open, ~closed, out=level.is_open)
            level = levels.following(level)
        return levels.kept.rules()
