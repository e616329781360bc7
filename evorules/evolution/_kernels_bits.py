# mypy: allow-untyped-defs, no-check-untyped-defs
"""Bitsets of rows: one bit per row, 64 to a word, the rows of a class in words of their own."""

import numpy as np

from trees._kernels_bits import popcount
from trees.jit import kernel

__all__ = ["and_into", "clear_all", "clear_bits", "copy_bits", "count_bits", "or_into", "set_bit", "sum_bits"]

_ONE = np.uint64(1)


@kernel
def count_bits(words):
    """Return the number of bits set in uint64 words, as int64."""
    total = np.uint64(0)
    for w in range(len(words)):
        total += popcount(words[w])
    return np.int64(total)


@kernel
def sum_bits(words, weight):
    """Return the sum of weight (float64, 64 per word) over the bits set in uint64 words, in row order."""
    total = 0.0
    for w in range(len(words)):
        word = words[w]
        while word != np.uint64(0):
            lowest = word & (~word + _ONE)
            total += weight[64 * w + np.int64(popcount(lowest - _ONE))]
            word ^= lowest
    return total


@kernel
def clear_all(target):
    """Clear all bits of `target` (uint64, written)."""
    for w in range(len(target)):
        target[w] = np.uint64(0)


@kernel
def copy_bits(target, source):
    """Copy `source` to `target` (uint64, written)."""
    for w in range(len(target)):
        target[w] = source[w]


@kernel
def and_into(target, other):
    """Keep in `target` (uint64, written) the bits that are set in `other` as well."""
    for w in range(len(target)):
        target[w] &= other[w]


@kernel
def or_into(target, other):
    """Add to `target` (uint64, written) the bits that are set in `other`."""
    for w in range(len(target)):
        target[w] |= other[w]


@kernel
def set_bit(words, position):
    """Set the bit of one row in `words` (uint64, written)."""
    words[position >> 6] |= _ONE << np.uint64(position & 63)


@kernel
def clear_bits(words, positions):
    """Clear in `words` (uint64, written) the bits of some rows (int32 positions)."""
    for i in range(len(positions)):
        position = np.int64(positions[i])
        words[position >> 6] &= ~(_ONE << np.uint64(position & 63))
