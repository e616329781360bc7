"""How many rules there are about, before a search that may be long."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from evorules.items import Items
from evorules.mining.bitset import Search
from evorules.mining.limits import Limits
from evorules.mining.thresholds import Thresholds

__all__ = ["estimate_rules"]

N_PROBES = 1000
SEED = (0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB, 0x2545F4914F6CDD1D)
"""Always the same random ways, so that the same table gives the same number."""


def estimate_rules(
    items: Items, thresholds: Thresholds, max_len: int, n_probes: int = N_PROBES
) -> npt.NDArray[np.float64]:
    """Return about how many rules there are of each length, from one item on.

    The numbers for one and two items are close, those for long antecedents rough: they are means over random
    ways down the search tree, each of which costs one intersection per item left.

    Parameters
    ----------
    items : Items
        Of the table.
    thresholds : Thresholds
        What is a rule.
    max_len : int
        Most items of an antecedent.
    n_probes : int, default=1000
        Number of ways.

    Returns
    -------
    ndarray of shape (max_len,) or (n_attributes,) if that is less, float64
    """
    from evorules.mining._kernels_estimate import probe

    search = Search(items, thresholds, max_len, Limits())
    n_rules = np.zeros(search.max_len)
    random = np.array(SEED, dtype=np.uint64)
    scratch = np.empty(len(search.item_of_rank)), np.empty(len(search.item_of_rank))
    done = 0
    while done < n_probes:
        before = n_rules.copy(), random.copy()
        if probe(search.problem, search.stack, random, n_rules, *scratch):
            done += 1
        else:
            n_rules, random = before
            search.widen()
    return n_rules / n_probes
