# mypy: allow-untyped-defs
"""First match in a rule list: row by row while rows are caught early, else by blocks of rows as bits.

`program` is a `trees.match.Program`, `cells` float64 (n_rows, n_attributes) with NaN for missing, `found`
int32 (n_rows,), which is written. Which kernel a row goes through changes nothing but speed.
"""

import numpy as np

from trees._kernels_bits import lowest_bit
from trees.jit import kernel
from trees.match import ABOVE, AT_MOST

__all__ = ["match_blocks", "match_rows"]

N_WORDS = 32
"""Words of 64 rows in a block."""
_ONE = np.uint64(1)


@kernel
def passes(program, t, cell):
    """Return whether a cell passes test t; a missing one passes none."""
    relation = program.relation[t]
    if relation == AT_MOST:
        return cell <= program.threshold[t]
    if relation == ABOVE:
        return cell > program.threshold[t]
    if not (cell >= 0 and cell < program.n_values[program.attribute[t]]):
        return False
    return program.allowed[program.values[t] + np.int64(cell)]


@kernel
def match_row(program, row, most_tests):
    """Return the first rule that covers a row of cells, -1 for none, -2 if `most_tests` did not tell."""
    n_tests = 0
    for r in range(len(program.start) - 1):
        covers = True
        for t in range(program.start[r], program.start[r + 1]):
            n_tests += 1
            if not passes(program, t, row[program.attribute[t]]):
                covers = False
                break
        if covers:
            return r
        if n_tests >= most_tests:
            return -2
    return -1


@kernel
def match_rows(program, cells, first, stop, most_tests, found, late):
    """Match rows first to stop - 1; write to `late` (int64) those that take too long, return how many."""
    n_late = 0
    for i in range(first, stop):
        found[i] = match_row(program, cells[i], most_tests)
        if found[i] == -2:
            late[n_late] = i
            n_late += 1
    return n_late


@kernel
def first_at_least(cuts, cell):
    """Return the position of the first of the ascending `cuts` not below `cell`, their number if none is."""
    # no branch depends on the cell, so that nothing is mispredicted
    low, n = np.uint64(0), np.uint64(len(cuts))
    while n > np.uint64(1):
        half = n >> _ONE
        low += half * np.uint64(cuts[low + half - _ONE] < cell)
        n -= half
    return low + np.uint64(cuts[low] < cell)


@kernel
def fill_cuts(cuts, cells, rows, a, known, bits):
    """Set in `bits` (uint64, a row per cut) which cells are at most each cut, in `known` which exist."""
    for i in range(len(rows)):
        cell = cells[rows[i], a]
        if not np.isnan(cell):
            bit = _ONE << np.uint64(i & 63)
            known[i >> 6] |= bit
            j = first_at_least(cuts, cell)
            if j < len(cuts):
                bits[j, i >> 6] |= bit
    for j in range(1, len(cuts)):
        bits[j] |= bits[j - 1]


@kernel
def fill_values(cells, rows, a, by_value):
    """Set in `by_value` (uint64, a row per value code) which cells of an attribute hold each value."""
    for i in range(len(rows)):
        cell = cells[rows[i], a]
        if cell >= 0 and cell < len(by_value):
            by_value[np.int64(cell), i >> 6] |= _ONE << np.uint64(i & 63)


@kernel
def fill_set(allowed, by_value, bits):
    """Set in `bits` (uint64) which cells hold a value code that is `allowed` (bool by code)."""
    for code in range(len(allowed)):
        if allowed[code]:
            bits |= by_value[code]


@kernel
def fill_block(program, cells, rows, known, bits, by_value):
    """Answer all tests for the numbered rows, in `known` (by attribute) and `bits` (as `place` says)."""
    known[:] = np.uint64(0)
    bits[:] = np.uint64(0)
    for a in range(len(program.n_values)):
        first, stop = program.cut_start[a], program.cut_start[a + 1]
        if first < stop:
            fill_cuts(program.cuts[first:stop], cells, rows, a, known[a], bits[first:stop])
    filled = -1
    for s in range(len(program.set_attribute)):
        a, first = program.set_attribute[s], program.set_values[s]
        n_values = program.n_values[a]
        if a != filled:
            by_value[:n_values] = np.uint64(0)
            fill_values(cells, rows, a, by_value[:n_values])
            filled = a
        allowed = program.allowed[first : first + n_values]
        fill_set(allowed, by_value[:n_values], bits[len(program.cuts) + s])


@kernel
def cover(program, r, known, bits, covered):
    """Keep in `covered` (uint64, written) the rows that pass all tests of rule r; return whether any do."""
    for t in range(program.start[r], program.start[r + 1]):
        answer = bits[program.place[t]]
        some = np.uint64(0)
        if program.relation[t] == ABOVE:
            exists = known[program.attribute[t]]
            for w in range(len(covered)):
                covered[w] &= exists[w] & ~answer[w]
                some |= covered[w]
        else:
            for w in range(len(covered)):
                covered[w] &= answer[w]
                some |= covered[w]
        if some == np.uint64(0):
            return False
    return True


@kernel
def match_block(program, known, bits, alive, covered, rows, found):
    """Write to `found`, at the numbered rows, the first rule that covers each; the bits are scratch."""
    alive[:] = np.uint64(0)
    for i in range(len(rows)):
        alive[i >> 6] |= _ONE << np.uint64(i & 63)
        found[rows[i]] = -1
    for r in range(len(program.start) - 1):
        covered[:] = alive
        if not cover(program, r, known, bits, covered):
            continue
        left = np.uint64(0)
        for w in range(len(alive)):
            alive[w] &= ~covered[w]
            left |= alive[w]
            word = covered[w]
            while word != np.uint64(0):
                found[rows[64 * w + lowest_bit(word)]] = r
                word &= word - _ONE
        if left == np.uint64(0):
            return


@kernel
def match_blocks(program, cells, rows, found):
    """Match the numbered rows (int64) in blocks."""
    known = np.empty((len(program.n_values), N_WORDS), dtype=np.uint64)
    bits = np.empty((len(program.cuts) + len(program.set_attribute), N_WORDS), dtype=np.uint64)
    by_value = np.empty((max(1, program.n_values.max()), N_WORDS), dtype=np.uint64)
    alive = np.empty(N_WORDS, dtype=np.uint64)
    covered = np.empty(N_WORDS, dtype=np.uint64)
    for first in range(0, len(rows), 64 * N_WORDS):
        block = rows[first : first + 64 * N_WORDS]
        fill_block(program, cells, block, known, bits, by_value)
        match_block(program, known, bits, alive, covered, block, found)
