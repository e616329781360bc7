# mypy: allow-untyped-defs
"""The test of an attribute at a node with weights other than 1: float64 sums, logarithms at the cuts."""

from __future__ import annotations

import math

import numpy as np

from trees.growth.fast._kernels_common import EPSILON, LN2, LOW_BITS, least_side, take_cells, term
from trees.growth.fast.workspace import CELLS, CLASSES
from trees.jit import kernel

KNOWN, LEFT, RIGHT = range(3)
"""Rows of the float64 class weights: rows with a known value, those below and those above the current cut."""


@kernel
def missing_weight(column, missing, row, weight, classes, per_class):
    """Return the weight of the rows with a missing cell, summed by class in float64 `per_class` first."""
    for c in range(len(per_class)):
        per_class[c] = 0.0
    for i in range(len(row)):
        if column[np.uint64(row[i])] == missing:
            per_class[classes[i]] += weight[i]
    total = 0.0
    for c in range(len(per_class)):
        total += per_class[c]
    return total


@kernel
def total_info(masses):
    """Return T log T - sum n log n of a float64 vector with the sum T."""
    spread = 0.0
    total = 0.0
    for i in range(len(masses)):
        spread += term(masses[i])
        total += masses[i]
    return term(total) - spread


@kernel
def nominal_test(column, cells, mass, missing, total, min_cases, per_class):
    """Write gain and split information of one branch per rank into the record (section 2.2)."""
    here = per_class[LEFT]
    known = total - missing
    base = 0.0
    for c in range(len(here)):
        base += term(per_class[KNOWN, c])
        here[c] = 0.0
    base = (term(known) - base) / known
    info = 0.0
    spread = term(missing)
    sizes = missing
    big = 0
    for i in range(len(cells)):
        here[cells[i] & LOW_BITS] += mass[i]
        if i + 1 == len(cells) or cells[i + 1] >> 32 != cells[i] >> 32:
            info += total_info(here)
            size = 0.0
            for c in range(len(here)):
                size += here[c]
                here[c] = 0.0
            spread += term(size)
            sizes += size
            if size >= min_cases:
                big += 1
    column.info = (term(sizes) - spread) / total
    if big >= 2:
        column.gain = (1.0 - missing / total) * (base - info / known)


@kernel
def numeric_test(column, cells, mass, missing, total, settings, per_class):
    """Write gain, split information and the best cut into the record; the gain stays -EPSILON without one.

    `left` and `right` hold the weight per class up to the current cell and behind it. The first of the cuts
    with the greatest gain wins.
    """
    left, right = per_class[LEFT], per_class[RIGHT]
    known = total - missing
    side = least_side(known, settings.n_classes, settings.min_cases)
    base = total_info(per_class[KNOWN]) / known
    unknown = 1.0 - known / total
    for c in range(settings.n_classes):
        left[c] = 0.0
        right[c] = per_class[KNOWN, c]
    low, below, gain = 0.0, 0.0, -1.0
    tries, at = 0, -1
    for i in range(len(cells) - 1):
        c = cells[i] & LOW_BITS
        left[c] += mass[i]
        right[c] -= mass[i]
        low += mass[i]
        if cells[i + 1] >> 32 == cells[i] >> 32 or low < side:
            continue
        if low > known - side:
            break
        tries += 1
        if low < settings.min_cases or known - low < settings.min_cases:
            continue
        rival = (1.0 - unknown) * (base - (total_info(left) + total_info(right)) / known)
        if rival > gain:
            gain, at, below = rival, i, low
    if at < 0:
        return
    gain -= math.log(float(tries)) / LN2 / total
    if gain > 0.0:
        above = known - below
        spread = (term(missing) + term(below)) + term(above)
        column.gain = gain
        column.info = (term((missing + below) + above) - spread) / total
        column.below = cells[at] >> 32
        column.above = cells[at + 1] >> 32


@kernel
def weighted_test(
    column, ranks, by_table, n_known, row, weight, total, settings, work, mass, histogram, per_class
):
    """Write the test of an attribute into its record; return whether all its known rows have one rank.

    `ranks` is the attribute's row of rank codes, `total` the float64 weight of the rows. Unless cells are to
    be counted `by_table`, the first `n_known` keys of the work space are the known rows, rank << 32 | place
    in `row`, in order of rank; they become cells.
    """
    n_classes = settings.n_classes
    classes, cells = work[CLASSES], work[CELLS]
    n_cells = n_known
    if by_table:
        for i in range(len(row)):
            rank = np.int64(ranks[np.uint64(row[i])])
            if rank != settings.missing:
                histogram[np.uint64(rank * n_classes + classes[i])] += weight[i]
        n_cells = take_cells(histogram, column.n_ranks, n_classes, cells, mass)
    else:
        for i in range(n_known):
            place = cells[i] & LOW_BITS
            mass[i] = weight[place]
            cells[i] += classes[place] - place
    column.gain = -EPSILON
    column.info = 0.0
    if n_cells == 0 or cells[0] >> 32 == cells[n_cells - 1] >> 32:
        return True
    missing = missing_weight(ranks, settings.missing, row, weight, classes, per_class[LEFT])
    for c in range(n_classes):
        per_class[KNOWN, c] = 0.0
    for i in range(n_cells):
        per_class[KNOWN, cells[i] & LOW_BITS] += mass[i]
    if column.nominal:
        if total > missing:
            nominal_test(column, cells[:n_cells], mass, missing, total, settings.min_cases, per_class)
    elif total - missing >= 2 * settings.min_cases:
        numeric_test(column, cells[:n_cells], mass, missing, total, settings, per_class)
    return False
