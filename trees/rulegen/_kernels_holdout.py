# mypy: allow-untyped-defs
"""Dropping conditions from rules by their accuracy on rows held out, on row sets."""

import numpy as np

from trees.jit import kernel
from trees.rulegen._kernels_generalise import ERRORS, TOTAL, tally_misses

__all__ = ["prune_conjuncts"]


@kernel
def accuracy(tally, column):
    """Return the share of the covered rows that a column of the tally gets right; 0 if it covers none."""
    total = tally[TOTAL, column]
    return (total - tally[ERRORS, column]) / total if total > 0 else 0.0


@kernel
def prune_conjuncts(bits, start, ids, label, targets, weight, active, right):
    """Drop, again and again, the condition without which accuracy is greatest, while it does not fall.

    bits, targets: uint64 row sets of conditions and classes; start, ids: int64, int32 rules; label: int32;
    weight: float64; writes active (bool, as `ids`) and right (float64 per rule), the accuracy in the end.
    """
    longest = 0
    for r in range(len(label)):
        longest = max(longest, start[r + 1] - start[r])
    tally = np.zeros((2, longest + 1))
    rows = np.zeros(bits.shape[1], dtype=np.uint64)
    for c in range(len(targets)):
        rows |= targets[c]
    never, once = np.empty_like(rows), np.empty_like(rows)
    for r in range(len(label)):
        own, kept = ids[start[r] : start[r + 1]], active[start[r] : start[r + 1]]
        kept[:] = True
        while True:
            tally_misses(bits, own, kept, rows, targets[label[r]], weight, never, once, tally)
            best = -1
            for d in range(len(own)):
                if kept[d] and (best < 0 or accuracy(tally, d + 1) >= accuracy(tally, best + 1)):
                    best = d
            if best < 0 or accuracy(tally, best + 1) < accuracy(tally, 0):
                break
            kept[best] = False
        right[r] = accuracy(tally, 0)
