# mypy: allow-untyped-defs
"""Ranking the cells of a column: whole numbers by a table of what occurs, others by their sorted order."""

from __future__ import annotations

import math

import numpy as np

from trees.jit import kernel


@kernel
def survey(cells):
    """Return (known cells, least, greatest, whether all are whole) of a float64 column; NaN is missing."""
    n_known = 0
    low = math.inf
    high = -math.inf
    whole = True
    for i in range(len(cells)):
        cell = cells[i]
        if cell == cell:
            n_known += 1
            low = min(low, cell)
            high = max(high, cell)
            whole &= cell == math.floor(cell)
    return n_known, low, high, whole


@kernel
def mark_whole(cells, low, seen):
    """Set the int32 `seen[cell - low]` to 1 for every known cell of a column of whole numbers."""
    for i in range(len(cells)):
        cell = cells[i]
        if cell == cell:
            seen[np.uint64(cell - low)] = 1


@kernel
def rank_whole(cells, low, number, ranks):
    """Write `number[cell - low]`, or -1 for NaN, into the int32 `ranks`."""
    for i in range(len(cells)):
        cell = cells[i]
        ranks[i] = number[np.uint64(cell - low)] if cell == cell else -1


@kernel
def rank_sorted(cells, order, n_known, ranks):
    """Write dense ranks to int32 `ranks`; int64 `order` sorts the float64 cells, the NaN behind `n_known`."""
    rank = 0
    for i in range(n_known):
        if i > 0 and cells[order[i]] != cells[order[i - 1]]:
            rank += 1
        ranks[order[i]] = rank
    for i in range(n_known, len(order)):
        ranks[order[i]] = -1
