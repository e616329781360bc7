# mypy: allow-untyped-defs
"""Grouping the values of a nominal attribute (specification, section 2.4).

A *block* is a group of values: row b of `counts` holds its class weights, `sizes[b]` its weight and
`block_info[b]` its information. Blocks are numbered from 1; row 0 is unknown. Merging block y into x moves
the last block into place y, which decides the order of the branches and of additions.
"""

from __future__ import annotations

import numpy as np

from trees.growth.literal._kernels_info import EPSILON, copy_row, log2_term, total_info, worth
from trees.growth.literal._kernels_nominal import base_info
from trees.growth.literal.state import GAIN, INFO
from trees.jit import kernel

PRESENT = 0.5
"""A value of no more weight than this belongs to no block at first."""
PURE = 0.1
"""Weight of other classes that a block of one class may hold."""
BETTER = 1e-5


@kernel
def merge_blocks(counts, sizes, block_info, block_of, n_blocks, x, y, terms):
    """Merge block y into x and move the last block into place y, in all arrays; return n_blocks - 1."""
    for c in range(counts.shape[1]):
        counts[x, c] += counts[y, c]
        counts[y, c] = counts[n_blocks, c]
    sizes[x] += sizes[y]
    sizes[y] = sizes[n_blocks]
    block_info[x] = total_info(counts[x], terms)
    block_info[y] = block_info[n_blocks]
    for v in range(len(block_of) - 1):
        if block_of[v] == y:
            block_of[v] = x
        elif block_of[v] == n_blocks:
            block_of[v] = y
    return n_blocks - 1


@kernel
def evaluate_blocks(counts, sizes, block_info, n_blocks, x, y, node, min_cases, terms):
    """Return (gain, split information) of the blocks with y merged into x, or as they are if x is 0.

    `node` holds the weight of the cases, that of the known ones, the unknown share and the base information.
    """
    real = type(min_cases)
    total, known, unknown, base = node
    merged_info = real(0)
    merged_size = real(0)
    n = n_blocks
    if x > 0:
        n = n_blocks - 1
        row = counts[len(counts) - 1]
        for c in range(len(row)):
            row[c] = counts[x, c] + counts[y, c]
        merged_info = total_info(row, terms)
        merged_size = real(sizes[x] + sizes[y])
    info = real(0)
    spread = real(log2_term(sizes[0], terms))
    weight = sizes[0]
    big = 0
    for b in range(1, n + 1):
        source = n_blocks if x > 0 and b == y else b
        size = merged_size if b == x else sizes[source]
        info = real(info + (merged_info if b == x else block_info[source]))
        spread = real(np.float64(spread) + log2_term(size, terms))
        weight = real(weight + size)
        if size >= min_cases:
            big += 1
    split = real(real(log2_term(weight, terms) - np.float64(spread)) / total)
    if known == 0 or big < 2:
        return real(-EPSILON), split
    return real((real(1) - unknown) * (base - info / known)), split


@kernel
def first_blocks(counts, sizes, block_info, block_of, n_values, terms):
    """Make a block of every value that occurs, in value order, 0 for the others; return their number."""
    n_blocks = 0
    for v in range(1, n_values + 1):
        block_of[v - 1] = 0
        if sizes[v] > PRESENT:
            n_blocks += 1
            block_of[v - 1] = n_blocks
            copy_row(counts, v, n_blocks)
            sizes[n_blocks] = sizes[v]
            block_info[n_blocks] = block_info[v]
    return n_blocks


@kernel
def merge_pure(counts, sizes, block_info, block_of, n_blocks, terms):
    """Merge the blocks that hold one class only, class by class; return how many blocks remain."""
    x = np.int64(1)
    while x < n_blocks:
        only = -1
        for c in range(counts.shape[1]):
            if counts[x, c] >= PURE:
                only = c
                break
        if only >= 0 and counts[x, only] >= sizes[x] - PURE:
            y = x + 1
            while y <= n_blocks:
                if counts[y, only] >= sizes[y] - PURE:
                    n_blocks = merge_blocks(counts, sizes, block_info, block_of, n_blocks, x, y, terms)
                else:
                    y += 1
        x += 1
    return n_blocks


@kernel
def survey_blocks(sizes, n_blocks, min_cases):
    """Return (number of blocks of at least min_cases, the largest block or 0 if there are three of them)."""
    reasonable = 0
    largest = 1
    for b in range(1, n_blocks + 1):
        if sizes[b] >= min_cases:
            reasonable += 1
        if sizes[b] > sizes[largest]:
            largest = b
    return reasonable, 0 if reasonable >= 3 else largest


@kernel
def best_pair(counts, sizes, block_info, n_blocks, least_gain, barred, must_merge, node, use_gain, terms):
    """Return (x, y, gain, split information, worth) of the best merge, x = 0 if there is none.

    Later pairs win ties; the first pair is taken whatever its worth if `must_merge`.
    """
    real = type(least_gain)
    best_x = 0
    best_y = 0
    best_gain = real(-EPSILON)
    best_info = real(0)
    best_worth = real(0)
    for x in range(1, n_blocks):
        for y in range(x + 1, n_blocks + 1):
            if x == barred or y == barred:
                continue
            gain, info = evaluate_blocks(counts, sizes, block_info, n_blocks, x, y, node, real(1), terms)
            value = worth(gain, info, real(EPSILON), real(-EPSILON), use_gain)
            reaches = gain >= least_gain and best_gain < least_gain
            if reaches or value >= best_worth or (best_x == 0 and must_merge):
                best_x, best_y = x, y
                best_gain, best_info, best_worth = gain, info, value
    return best_x, best_y, best_gain, best_info, best_worth


@kernel
def merge_greedily(counts, sizes, block_info, block_of, n_blocks, before, node, min_cases, use_gain, terms):
    """Merge pairs while the worth rises; return the blocks left, their split information and worth.

    `before` holds gain, split information and worth of the partition at the start.
    """
    gain, info, value = before
    least_gain = type(gain)(gain / type(gain)(2))
    while n_blocks > 2:
        reasonable, barred = survey_blocks(sizes, n_blocks, min_cases)
        must_merge = use_gain or reasonable < 2
        x, y, new_gain, new_info, new_value = best_pair(
            counts, sizes, block_info, n_blocks, least_gain, barred, must_merge, node, use_gain, terms
        )
        no_better = np.float64(new_value) < np.float64(value) + BETTER or (
            new_value == value and new_gain < gain
        )
        if x == 0 or (not must_merge and no_better):
            break
        n_blocks = merge_blocks(counts, sizes, block_info, block_of, n_blocks, x, y, terms)
        gain, info, value = new_gain, new_info, new_value
    return n_blocks, info, value


@kernel
def name_branches(block_of):
    """Turn blocks into branches, values of no block into one more, the last; write their number behind."""
    n_values = len(block_of) - 1
    n_branches = 0
    for v in range(n_values):
        n_branches = max(n_branches, block_of[v])
    rest = n_branches
    for v in range(n_values):
        if block_of[v] == 0:
            block_of[v] = rest
            n_branches = rest + 1
        else:
            block_of[v] -= 1
    block_of[n_values] = n_branches


@kernel
def evaluate_subset(
    counts, sizes, block_info, block_of, merit, total, here, min_cases, use_gain, keep_defects, terms
):
    """Write gain, split information and grouping, from the table that `fill_table` made.

    `total` and `here` are as in `evaluate_nominal`.

    `block_of` gets the branch of every value and, last, the number of branches. The real array `min_cases` of
    one element is lowered to 1 for good where the original does so (defect 9.2).
    """
    real = type(total)
    n_values = len(block_of) - 1
    known = real(total - sizes[0])
    if known < EPSILON:
        if keep_defects:
            min_cases[0] = 1
        return
    none = np.int64(0)
    node = (total, known, real(sizes[0] / here), base_info(counts, n_values, known, terms))
    for v in range(1, n_values + 1):
        block_info[v] = total_info(counts[v], terms)
    gain, info = evaluate_blocks(counts, sizes, block_info, n_values, none, none, node, real(1), terms)
    n_first = first_blocks(counts, sizes, block_info, block_of, n_values, terms)
    n_blocks = merge_pure(counts, sizes, block_info, block_of, n_first, terms)
    if n_blocks < n_first:
        gain, info = evaluate_blocks(counts, sizes, block_info, n_blocks, none, none, node, real(1), terms)
    before = (gain, info, worth(gain, info, real(EPSILON), real(-EPSILON), use_gain))
    n_blocks, info, value = merge_greedily(
        counts, sizes, block_info, block_of, n_blocks, before, node, min_cases[0], use_gain, terms
    )
    if value <= 0:
        return
    gain, _ = evaluate_blocks(counts, sizes, block_info, n_blocks, none, none, node, min_cases[0], terms)
    merit[GAIN] = gain
    merit[INFO] = info
    name_branches(block_of)
