# mypy: allow-untyped-defs, no-check-untyped-defs
"""Cells to items, items to bits, and the class counts of sets of items.

Bits are uint64 words, row i of the sorted rows in bit i % 64 of word i // 64; every class starts at a word.
"""

import numpy as np

from trees._kernels_bits import popcount
from trees.jit import kernel

__all__ = ["count_antecedents", "encode_cells", "fill_bits"]

_ONE = np.uint64(1)


@kernel
def encode_cells(cells, start, points, point_start, held):
    """Write to `held` (int32, n_rows x n_attributes) the item of each cell (float64, NaN: missing), or -1.

    Attribute a has the items `start[a]` to `start[a + 1] - 1`, a numeric one (with items) the ascending cut
    `points[point_start[a]:point_start[a + 1]]`, a nominal one none.
    """
    for i in range(cells.shape[0]):
        for a in range(cells.shape[1]):
            cell = cells[i, a]
            n_items = start[a + 1] - start[a]
            low, high = point_start[a], point_start[a + 1]
            if n_items == 0 or np.isnan(cell):
                held[i, a] = -1
            elif low == high:
                held[i, a] = start[a] + np.int32(cell) if 0 <= cell < n_items else -1
            else:
                while low < high:
                    middle = (low + high) >> 1
                    if points[middle] < cell:
                        low = middle + 1
                    else:
                        high = middle
                held[i, a] = start[a] + low - point_start[a]


@kernel
def fill_bits(held, row, place, bits):
    """Set in `bits` (uint64, written) the items that row `row[k]` holds, at bit `place[k]`, for every k."""
    for k in range(len(row)):
        word, bit = place[k] >> 6, _ONE << np.uint64(place[k] & 63)
        for a in range(held.shape[1]):
            item = held[row[k], a]
            if item >= 0:
                bits[item, word] |= bit


@kernel
def count_words(words, class_start, counts):
    """Write to `counts` (int64 by class) the bits set in each class's range of uint64 words."""
    for c in range(len(counts)):
        total = np.uint64(0)
        for w in range(np.uint64(class_start[c]), np.uint64(class_start[c + 1])):
            total += popcount(words[w])
        counts[c] = total


@kernel
def and_words(a, b, both):
    """Write to `both` (uint64) the bits set in a and in b."""
    for w in range(len(both)):
        both[w] = a[w] & b[w]


@kernel
def count_antecedents(bits, class_start, totals, start, item, parts, counts):
    """Write to `counts` (int64, n_sets x n_classes) the rows that hold each set of items.

    Set r is `item[start[r]:start[r + 1]]`; `totals` are the counts of the empty set. `parts` (uint64 scratch,
    longest set x n_words) keeps, in row t, the rows that hold the first t + 1 items of the current set, so
    that sets with a common beginning share its work.
    """
    known = np.int64(0)
    for r in range(len(start) - 1):
        first, size = start[r], start[r + 1] - start[r]
        if size == 0:
            counts[r] = totals
            known = 0
            continue
        if r > 0:
            before, known = start[r - 1], min(known, size)
            for t in range(known):
                if item[before + t] != item[first + t]:
                    known = t
                    break
        if known == size and r > 0 and size == start[r] - start[r - 1]:
            counts[r] = counts[r - 1]
            continue
        for t in range(known, size):
            if t == 0:
                parts[0] = bits[item[first]]
            else:
                and_words(parts[t - 1], bits[item[first + t]], parts[t])
        known = size
        count_words(parts[size - 1], class_start, counts[r])
