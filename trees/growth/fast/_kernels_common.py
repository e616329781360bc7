# mypy: allow-untyped-defs
"""Steps that nodes with and without fractional rows share: n log n, sorted keys, cells, the choice of a test.

A *cell* is a pair (rank, class) packed as rank << 32 | class; each has a size, the rows or the weight in it.
"""

from __future__ import annotations

import math

import numpy as np

from trees.jit import kernel

LN2 = 0.69314718055994530942
EPSILON = 0.001
LOW_BITS = 0xFFFFFFFF


@kernel
def term(x):
    """Return x * log2(x) of a float64 in C4.5's operation order, 0 for x <= 0."""
    return x * (math.log(x) / LN2) if x > 0.0 else 0.0


@kernel
def fill_terms(terms, fixed, unit):
    """Write n * log2(n) into float64 `terms` and, in whole multiples of 1 / unit, into int64 `fixed`."""
    for n in range(len(terms)):
        terms[n] = term(float(n))
        fixed[n] = np.int64(terms[n] * unit + 0.5)


@kernel
def least_side(known, n_classes, min_cases):
    """Return the weight that either side of a cut needs to be tried (section 2.3, step 3); float64."""
    side = 0.10 * known / n_classes
    if side <= min_cases:
        return min_cases
    return 25.0 if side > 25.0 else side


@kernel
def sort_long(keys, spare, low, span, digits):
    """Sort int64 `keys` stably by their upper 32 bits, which are below `low` + `span`, by digits of these.

    `spare` is as long as `keys`; `digits` counts up to 2048 values of a digit.
    """
    n_bits = 0
    while span - 1 >> n_bits > 0:
        n_bits += 1
    widest = 8 if len(keys) < 1024 else 11
    n_passes = (n_bits + widest - 1) // widest
    for p in range(n_passes):
        shift = n_bits * p // n_passes
        mask = (1 << (n_bits * (p + 1) // n_passes - shift)) - 1
        for d in range(mask + 2):
            digits[d] = 0
        for i in range(len(keys)):
            digits[np.uint64((((keys[i] >> 32) - low >> shift) & mask) + 1)] += 1
        for d in range(1, mask + 1):
            digits[d] += digits[d - 1]
        for i in range(len(keys)):
            digit = np.uint64(((keys[i] >> 32) - low >> shift) & mask)
            spare[np.uint64(digits[digit])] = keys[i]
            digits[digit] += 1
        for i in range(len(keys)):
            keys[i] = spare[i]


@kernel
def sorted_keys(column, missing, row, payload, keys, spare, digits):
    """Write rank << 32 | payload of the rows with a known rank in order of rank; return their number.

    Rows of equal rank stay in order unless they are few; `payload` then decides.
    """
    n_known = 0
    low = np.int64(missing)
    high = np.int64(-1)
    for i in range(len(row)):
        rank = np.int64(column[np.uint64(row[i])])
        if rank != missing:
            keys[np.uint64(n_known)] = rank << 32 | payload[i]
            n_known += 1
            low = min(low, rank)
            high = max(high, rank)
    if n_known > 32:
        sort_long(keys[:n_known], spare, low, high - low + 1, digits)
        return n_known
    for i in range(1, n_known):
        key = keys[i]
        j = i - 1
        while j >= 0 and keys[j] > key:
            keys[j + 1] = keys[j]
            j -= 1
        keys[j + 1] = key
    return n_known


@kernel
def take_cells(histogram, n_ranks, n_classes, cells, sizes):
    """Write the filled cells of the (rank, class) histogram in order, empty it, and return their number."""
    n_cells = 0
    at = 0
    for rank in range(n_ranks):
        for c in range(n_classes):
            if histogram[at] > 0:
                cells[n_cells] = rank << 32 | c
                sizes[n_cells] = histogram[at]
                histogram[at] = 0
                n_cells += 1
            at += 1
    return n_cells


@kernel
def choose(active, columns, use_gain):
    """Return the attribute of the greatest worth among `active`, the first on ties; -1 if none is usable."""
    total = 0.0
    possible = 0
    for i in range(len(active)):
        column = columns[active[i]]
        if column.gain > -EPSILON and column.in_average:
            total += column.gain
            possible += 1
    average = total / possible if possible > 0 else 1e6
    most = -EPSILON
    best = np.int64(-1)
    for i in range(len(active)):
        column = columns[active[i]]
        worth = -EPSILON
        if use_gain:
            if column.info > 0.0 and column.gain > -EPSILON:
                worth = column.gain
        elif column.gain >= average - EPSILON and column.info > EPSILON:
            worth = column.gain / column.info
        if worth > most:
            most = worth
            best = np.int64(active[i])
    return best
