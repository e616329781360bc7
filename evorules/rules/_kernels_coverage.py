# mypy: allow-untyped-defs
"""Which rules cover which rows, a block of rows at a time, one bit a row.

A block is `bits`, uint64 (n_tests, n_words): the rows that hold each test. Rules are in CSR form: rule r asks
for the tests ``test[start[r]:start[r + 1]]``. Row i of the block is bit i % 64 of word i // 64. `alive` holds
the rows that are still asked about; `hit` (n_words) and `planes` (n_missed + 1, n_words) are scratch.
"""

import numpy as np

from trees._kernels_bits import lowest_bit
from trees.jit import kernel

__all__ = [
    "accumulate",
    "covered_rows",
    "fill_block",
    "first_block",
    "join_codes",
    "pack_codes",
    "vote_block",
]

_ONE = np.uint64(1)
_NONE = np.uint64(0)


@kernel
def code_of(cell, low, high, cuts):
    """Return how many of ``cuts[low:high]`` (float64, ascending) are less than a cell, as int64."""
    first = low
    while low < high:
        middle = (low + high) // 2
        if cuts[middle] < cell:
            low = middle + 1
        else:
            high = middle
    return low - first


@kernel
def pack_codes(X, columns, cut_start, cuts, code_start, held):
    """Set in `held` (uint64 (n_codes, n_words), all 0 before, written) the bits of the rows by their codes.

    Column ``columns[j]`` has the codes ``code_start[j]`` to ``code_start[j + 1]``, of its values or, with
    cuts, of the intervals between them. A missing cell (NaN) has none.
    """
    for j in range(len(columns)):
        numeric = cut_start[j + 1] > cut_start[j]
        for i in range(len(X)):
            cell = X[i, columns[j]]
            if np.isnan(cell):
                continue
            code = code_of(cell, cut_start[j], cut_start[j + 1], cuts) if numeric else np.int64(cell)
            code += code_start[j]
            if code < code_start[j + 1]:
                held[code, i >> 6] |= _ONE << np.uint64(i & 63)


@kernel
def accumulate(cut_start, code_start, held):
    """Add to the rows of each code (`held`, written) of a column with cuts those of the codes before it."""
    for j in range(len(code_start) - 1):
        if cut_start[j + 1] > cut_start[j]:
            for code in range(code_start[j] + 1, code_start[j + 1]):
                row, before = held[code], held[code - 1]
                for w in range(len(row)):
                    row[w] |= before[w]


@kernel
def join_codes(low, high, list_start, lists, held, bits):
    """Write to `bits` (all 0 before) the rows that hold each test, from those of the codes, accumulated.

    Test t asks for one of the codes ``lists[list_start[t]:list_start[t + 1]]``; if there are none, for one
    above ``low[t]`` (-1: any) up to ``high[t]`` (-1: none).
    """
    for t in range(len(low)):
        row = bits[t]
        for k in range(list_start[t], list_start[t + 1]):
            other = held[lists[k]]
            for w in range(len(row)):
                row[w] |= other[w]
        if high[t] >= 0:
            upper = held[high[t]]
            for w in range(len(row)):
                row[w] = upper[w]
            if low[t] >= 0:
                lower = held[low[t]]
                for w in range(len(row)):
                    row[w] &= ~lower[w]


@kernel
def hold_all(tests, bits, alive, hit):
    """Write to `hit` the alive rows that hold all tests; return whether there is one."""
    some = _NONE
    for w in range(len(alive)):
        hit[w] = alive[w]
        some |= hit[w]
    for t in tests:
        if some == _NONE:
            return False
        row = bits[t]
        some = _NONE
        for w in range(len(row)):
            hit[w] &= row[w]
            some |= hit[w]
    return some != _NONE


@kernel
def hold_most(tests, bits, alive, n_missed, planes, hit):
    """Write to `hit` the alive rows that hold all tests but at most `n_missed`; return whether there is one.

    ``planes[j]`` are the rows that have missed exactly j of the tests seen.
    """
    for w in range(len(alive)):
        planes[0, w] = alive[w]
        for j in range(1, n_missed + 1):
            planes[j, w] = _NONE
    for t in tests:
        row = bits[t]
        for j in range(n_missed, 0, -1):
            same, less = planes[j], planes[j - 1]
            for w in range(len(row)):
                same[w] = (same[w] & row[w]) | (less[w] & ~row[w])
        none = planes[0]
        for w in range(len(row)):
            none[w] &= row[w]
    some = _NONE
    for w in range(len(alive)):
        hit[w] = _NONE
        for j in range(n_missed + 1):
            hit[w] |= planes[j, w]
        some |= hit[w]
    return some != _NONE


@kernel
def covered_rows(tests, bits, alive, n_missed, planes, hit):
    """Write to `hit` the alive rows that a rule covers, n_missed tests forgiven; return whether there is one.

    A rule of no more tests than are forgiven covers nothing, unless none is forgiven.
    """
    if n_missed == 0:
        return hold_all(tests, bits, alive, hit)
    if len(tests) <= n_missed:
        return False
    return hold_most(tests, bits, alive, n_missed, planes, hit)


@kernel
def first_block(start, test, bits, n_missed, alive, planes, hit, first):
    """Write to `first` (int32) the first rule that covers each row; rows found leave `alive` (written)."""
    for r in range(len(start) - 1):
        if not covered_rows(test[start[r] : start[r + 1]], bits, alive, n_missed, planes, hit):
            continue
        left = _NONE
        for w in range(len(alive)):
            word = hit[w]
            alive[w] &= ~word
            left |= alive[w]
            while word != _NONE:
                first[64 * w + lowest_bit(word)] = r
                word &= word - _ONE
        if left == _NONE:
            return


@kernel
def vote_block(
    start, test, consequent, weight, single, k, bits, n_missed, alive, planes, hit, total, count, first, peak
):
    """Let the first k covering rules of each class vote; rows that some rule covers leave `alive` (written).

    Written, each (n_rows, n_classes): `total` (float64, sum of the weights of the votes), `count` (int64,
    their number), `first` (int32, the first of the rules), `peak` (float64, the greatest of their `single`).
    """
    voted = np.zeros_like(alive)
    for r in range(len(start) - 1):
        if not covered_rows(test[start[r] : start[r + 1]], bits, alive, n_missed, planes, hit):
            continue
        c = consequent[r]
        for w in range(len(alive)):
            word = hit[w]
            voted[w] |= word
            while word != _NONE:
                i = 64 * w + lowest_bit(word)
                word &= word - _ONE
                if count[i, c] < k:
                    if count[i, c] == 0:
                        first[i, c] = r
                        peak[i, c] = single[r]
                    count[i, c] += 1
                    total[i, c] += weight[r]
                    peak[i, c] = max(peak[i, c], single[r])
    for w in range(len(alive)):
        alive[w] &= ~voted[w]


@kernel
def fill_block(start, test, bits, n_missed, alive, planes, hit, covers):
    """Write to `covers` (bool (n_rows, n_rules)) which rules cover alive rows; drop these from `alive`."""
    found = np.zeros_like(alive)
    for r in range(len(start) - 1):
        if covered_rows(test[start[r] : start[r + 1]], bits, alive, n_missed, planes, hit):
            for w in range(len(alive)):
                word = hit[w]
                found[w] |= word
                while word != _NONE:
                    covers[64 * w + lowest_bit(word), r] = True
                    word &= word - _ONE
    for w in range(len(alive)):
        alive[w] &= ~found[w]
