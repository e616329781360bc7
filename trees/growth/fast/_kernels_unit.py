# mypy: allow-untyped-defs
"""The test of an attribute at a node whose rows all have weight 1: whole counts, exact entropy sums.

Tests are compared by the float64 gains of the original's operation order. Scanning the cuts of a numeric
attribute uses the fixed-point terms instead, updated by table differences; only cuts too close to tell apart
are computed in float64.
"""

from __future__ import annotations

import math

import numpy as np

from trees.growth.fast._kernels_common import EPSILON, LN2, LOW_BITS, least_side, take_cells
from trees.growth.fast.workspace import CELLS, CLASSES, COUNTS
from trees.jit import kernel

NODE_ROWS, KNOWN, LEFT, RIGHT, BEST = range(5)
"""Rows of the int64 class counts: all rows of the node, those with a known value, those below and above the
current cut, those below the best one."""

FAR = 1 << 62


@kernel
def nominal_test(column, cells, counts, n_known, n_rows, base, min_cases, terms, here):
    """Write gain and split information of one branch per rank into the record (section 2.2).

    The int64 `here` holds the rows per class of the current branch.
    """
    info = 0.0
    spread = terms[n_rows - n_known]
    big = 0
    size = 0
    for c in range(len(here)):
        here[c] = 0
    for i in range(len(cells)):
        size += counts[i]
        here[cells[i] & LOW_BITS] += counts[i]
        if i + 1 == len(cells) or cells[i + 1] >> 32 != cells[i] >> 32:
            inner = 0.0
            for c in range(len(here)):
                inner += terms[here[c]]
                here[c] = 0
            info += terms[size] - inner
            spread += terms[size]
            if size >= min_cases:
                big += 1
            size = 0
    column.info = (terms[n_rows] - spread) / n_rows
    if big >= 2:
        unknown = (n_rows - n_known) / n_rows
        column.gain = (1.0 - unknown) * (base - info / n_known)


@kernel
def cut_gain(below, n_below, known, n_known, n_rows, base, terms):
    """Return the gain of a cut with `below` of the `known` rows per class on its lower side."""
    spread_below = 0.0
    spread_above = 0.0
    for c in range(len(known)):
        spread_below += terms[below[c]]
        spread_above += terms[known[c] - below[c]]
    info = (terms[n_below] - spread_below) + (terms[n_known - n_below] - spread_above)
    unknown = 1.0 - n_known / n_rows
    return (1.0 - unknown) * (base - info / n_known)


@kernel
def numeric_test(column, cells, counts, n_known, n_rows, base, settings, terms, fixed, known, per_class):
    """Write gain, split information and the best cut into the record; the gain stays -EPSILON without one.

    `left` and `right` hold the rows per class up to the current cell and behind it, `spread` the sum of
    their fixed terms. The first of the cuts with the greatest float64 gain wins.
    """
    left, right, best = per_class[LEFT], per_class[RIGHT], per_class[BEST]
    n_classes, min_cases = settings.n_classes, settings.min_cases
    side = least_side(float(n_known), n_classes, min_cases)
    near = np.int64((2 * n_classes + 16) * (1.0 + terms[n_known] * settings.rounding))
    spread = np.int64(0)
    for k in range(n_classes):
        left[k] = 0
        right[k] = known[k]
        spread += fixed[known[k]]
    n_left, n_below, tries, at = np.int64(0), np.int64(0), 0, -1
    least, gain, exact = np.int64(FAR), -1.0, True
    for i in range(len(cells) - 1):
        c = np.uint64(cells[i] & LOW_BITS)
        count = counts[i]
        below, above = left[c], right[c]
        spread += fixed[np.uint64(below + count)] - fixed[np.uint64(below)]
        spread += fixed[np.uint64(above - count)] - fixed[np.uint64(above)]
        left[c] = below + count
        right[c] = above - count
        n_left += count
        if cells[i + 1] >> 32 == cells[i] >> 32 or n_left < side:
            continue
        if n_left > n_known - side:
            break
        tries += 1
        if n_left < min_cases or n_known - n_left < min_cases:
            continue
        cost = fixed[np.uint64(n_left)] + fixed[np.uint64(n_known - n_left)] - spread
        if cost > least + near:
            continue
        close = cost >= least - near
        if close and not exact:
            gain = cut_gain(best, n_below, known, n_known, n_rows, base, terms)
        exact = close
        if close:
            rival = cut_gain(left, n_left, known, n_known, n_rows, base, terms)
            if rival <= gain:
                continue
            gain = rival
        least, at, n_below = cost, i, n_left
        for k in range(n_classes):
            best[k] = left[k]
    if at < 0:
        return
    if not exact:
        gain = cut_gain(best, n_below, known, n_known, n_rows, base, terms)
    gain -= math.log(float(tries)) / LN2 / n_rows
    if gain > 0.0:
        spread_sizes = (terms[n_rows - n_known] + terms[n_below]) + terms[n_known - n_below]
        column.gain = gain
        column.info = (terms[n_rows] - spread_sizes) / n_rows
        column.below = cells[at] >> 32
        column.above = cells[at + 1] >> 32


@kernel
def unit_test(column, ranks, by_table, n_known, row, settings, terms, fixed, work, histogram, per_class):
    """Write the test of an attribute into its record; return whether all its known rows have one rank.

    `ranks` is the attribute's row of rank codes. Unless cells are to be counted `by_table`, the first
    `n_known` keys of the work space are the known rows as cells, in order of rank.
    """
    n_rows, n_classes = len(row), settings.n_classes
    classes, cells, counts = work[CLASSES], work[CELLS], work[COUNTS]
    n_cells = n_known
    if by_table:
        for i in range(n_rows):
            rank = np.int64(ranks[np.uint64(row[i])])
            if rank != settings.missing:
                histogram[np.uint64(rank * n_classes + classes[i])] += 1
                n_known += 1
        n_cells = take_cells(histogram, column.n_ranks, n_classes, cells, counts)
    else:
        for i in range(n_known):
            counts[i] = 1
    column.gain = -EPSILON
    column.info = 0.0
    if n_cells == 0 or cells[0] >> 32 == cells[n_cells - 1] >> 32:
        return True
    known = per_class[NODE_ROWS]
    if n_known < n_rows:
        known = per_class[KNOWN]
        for c in range(n_classes):
            known[c] = 0
        for i in range(n_cells):
            known[cells[i] & LOW_BITS] += counts[i]
    spread = 0.0
    for c in range(n_classes):
        spread += terms[known[c]]
    base = (terms[n_known] - spread) / n_known
    cells, min_cases = cells[:n_cells], settings.min_cases
    if column.nominal:
        nominal_test(column, cells, counts, n_known, n_rows, base, min_cases, terms, per_class[LEFT])
    elif n_known >= 2 * min_cases:
        numeric_test(column, cells, counts, n_known, n_rows, base, settings, terms, fixed, known, per_class)
    return False
