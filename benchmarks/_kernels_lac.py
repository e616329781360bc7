# mypy: allow-untyped-defs
"""The direct search of a lazy associative classifier: for each row alone, depth first over its items."""

import numpy as np

from trees._kernels_bits import popcount
from trees.jit import kernel

__all__ = ["decide_directly"]

TIE = 1e-10


@kernel
def count_both(a, b, out, class_start, counts):
    """Write the rows in both sets of words to `out` and their class counts to the int32 `counts`."""
    for c in range(len(counts)):
        count = np.uint64(0)
        for w in range(class_start[c], class_start[c + 1]):
            out[w] = a[w] & b[w]
            count += popcount(out[w])
        counts[c] = np.int32(count)


@kernel
def goes_before(entropy, right, covered, size, label, best, whole):
    """Return whether a rule goes before the best (`whole`: right, covered, size, class; `best`: entropy)."""
    if whole[2] == 0 or entropy < best[0] - TIE:
        return True
    if entropy > best[0] + TIE:
        return False
    here, there = right * whole[1], whole[0] * covered
    if here != there:
        return here > there
    if right != whole[0]:
        return right > whole[0]
    return size < whole[2] or (size == whole[2] and label < whole[3])


@kernel
def decide_directly(held, bits, class_start, valid, least, max_len, product, rows, counts, labels):
    """Write the class of the best rule by information gain to the int32 `labels`, -1 where there is none.

    Visits all frequent antecedents of at most `max_len` items; `rows` (a set per level) and `counts` are
    scratch.
    """
    at = np.empty(max_len, dtype=np.int64)
    best, whole = np.zeros(1), np.zeros(4, dtype=np.int64)
    for r in range(len(held)):
        items = held[r][held[r] >= 0]
        whole[:] = 0
        rows[0] = valid
        level = 0
        at[0] = -1
        while level >= 0:
            at[level] += 1
            i = at[level]
            if i == len(items):
                level -= 1
                continue
            count_both(rows[level], bits[items[i]], rows[level + 1], class_start, counts)
            label = 0
            covered = np.int64(0)
            for c in range(len(counts)):
                covered += counts[c]
                if counts[c] > counts[label]:
                    label = c
            if counts[label] < least[r]:
                continue
            entropy = product[covered]
            for c in range(len(counts)):
                entropy -= product[counts[c]]
            entropy = max(entropy / covered, 0.0)
            right = np.int64(counts[label])
            if goes_before(entropy, right, covered, level + 1, label, best, whole):
                best[0] = entropy
                whole[0], whole[1], whole[2], whole[3] = right, covered, level + 1, label
            if level + 1 < max_len and i + 1 < len(items):
                level += 1
                at[level] = i
        labels[r] = whole[3] if whole[2] > 0 else -1
