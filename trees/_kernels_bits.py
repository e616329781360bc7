# mypy: allow-untyped-defs
"""Sets of rows as 64-bit words: counting them, and telling rows in no set from rows in exactly one.

A row set is a uint64 array, row i in bit i % 64 of word i // 64. Weights are float64, one per row; an empty
array means that every row weighs 1.
"""

import numpy as np

from trees.jit import kernel

__all__ = ["drop_set", "lowest_bit", "mark", "popcount", "weigh_both", "weigh_missed"]

_ONE = np.uint64(1)
_ODD = np.uint64(0x5555555555555555)
_PAIRS = np.uint64(0x3333333333333333)
_NIBBLES = np.uint64(0x0F0F0F0F0F0F0F0F)
_BYTES = np.uint64(0x0101010101010101)


@kernel
def popcount(word):
    """Return the number of bits set in a uint64, as uint64; the compiler makes one instruction of it."""
    word = word - ((word >> _ONE) & _ODD)
    word = (word & _PAIRS) + ((word >> np.uint64(2)) & _PAIRS)
    word = (word + (word >> np.uint64(4))) & _NIBBLES
    return (word * _BYTES) >> np.uint64(56)


@kernel
def lowest_bit(word):
    """Return the position of the lowest bit set in a uint64 other than 0, as int64."""
    return np.int64(popcount((word & (~word + _ONE)) - _ONE))


@kernel
def mark(word, w, number, chosen):
    """Write `number` to `chosen` (int32, written) for the rows in word number w."""
    while word != np.uint64(0):
        chosen[64 * w + lowest_bit(word)] = number
        word &= word - _ONE


@kernel
def weight_of_word(word, w, weight):
    """Return the weight of the rows in word number w, in row order."""
    total = 0.0
    while word != np.uint64(0):
        total += weight[64 * w + lowest_bit(word)]
        word &= word - _ONE
    return total


@kernel
def weigh_both(a, b, weight):
    """Return the weight of the rows in both sets, as float64."""
    if len(weight) == 0:
        count = np.uint64(0)
        for w in range(len(a)):
            count += popcount(a[w] & b[w])
        return np.float64(count)
    total = 0.0
    for w in range(len(a)):
        total += weight_of_word(a[w] & b[w], w, weight)
    return total


@kernel
def weigh_missed(once, a, target, weight):
    """Return the weight of the rows in `once` but not in `a`, and of those among them in `target`."""
    if len(weight) == 0:
        count, hits = np.uint64(0), np.uint64(0)
        for w in range(len(a)):
            missed = once[w] & ~a[w]
            count += popcount(missed)
            hits += popcount(missed & target[w])
        return np.float64(count), np.float64(hits)
    total, correct = 0.0, 0.0
    for w in range(len(a)):
        missed = once[w] & ~a[w]
        if missed != np.uint64(0):
            total += weight_of_word(missed, w, weight)
            correct += weight_of_word(missed & target[w], w, weight)
    return total, correct


@kernel
def drop_set(never, once, a):
    """Count one more failed set: rows not in `a` leave `never` for `once`, or leave `once` (both written)."""
    for w in range(len(a)):
        once[w] = (once[w] & a[w]) | (never[w] & ~a[w])
        never[w] &= a[w]
