# mypy: allow-untyped-defs
"""Dropping conditions from rules by pessimistic error estimates, on row sets (specification, section 8.1).

`real` stands for the working precision, float32 in mode "r8": counts and estimates come in arrays of it, and
every store rounds as the original's `float` variables do.
"""

import math

import numpy as np

from trees._kernels_bits import drop_set, weigh_both, weigh_missed
from trees.jit import kernel
from trees.pruning._kernels_pessimistic import added_errors

__all__ = ["chance", "generalise"]

ROUNDING = 1e-10
TOTAL, ERRORS, ESTIMATE, RATE = range(4)
"""Rows of the tally: weight covered, errors among it, pessimistic and observed error rate."""


@kernel
def log_factorial(n, table):
    """Return log2(n!) from the float64 table, or, if that is empty, the natural logarithm of n!."""
    return math.lgamma(n + 1.0) if len(table) == 0 else table[np.int64(n)]


@kernel
def chance(a, b, c, d, table):
    """Return the one-sided probability of a 2x2 table (a, b; c, d; all float64) by Fisher's exact test.

    `table` is as in `log_factorial`; the exponential is natural in both cases, which is right for the
    natural logarithms and the original's defect (9.7) for the binary ones.
    """
    if a + b < c + d:
        a, b, c, d = c, d, a, b
    if a * d < b * c:
        a, b, c, d = b, a, d, c
    row, other, column, rest = a + b, c + d, a + c, b + d
    fixed = log_factorial(row, table) + log_factorial(other, table)
    fixed += log_factorial(column, table) + log_factorial(rest, table)
    fixed -= log_factorial(row + other, table)
    total = 0.0
    while a <= min(row, column):
        b, c = row - a, column - a
        d = other - c
        cells = log_factorial(a, table) + log_factorial(b, table)
        cells += log_factorial(c, table) + log_factorial(d, table)
        total += math.exp(fixed - cells)
        a += 1.0
    return total


@kernel
def tally_misses(bits, ids, active, rows, target, weight, never, once, tally):
    """Weigh what the active conditions cover, column 0, and what they would without d, column d + 1.

    `rows` is the set of all rows, `never` and `once` are scratch; writes rows TOTAL and ERRORS of `tally`.
    """
    never[:] = rows
    once[:] = np.uint64(0)
    for d in range(len(ids)):
        if active[d]:
            drop_set(never, once, bits[ids[d]])
    covered = weigh_both(never, never, weight)
    correct = weigh_both(never, target, weight)
    tally[TOTAL, 0] = covered
    tally[ERRORS, 0] = covered - correct
    for d in range(len(ids)):
        if active[d]:
            more, hits = weigh_missed(once, bits[ids[d]], target, weight)
            tally[TOTAL, d + 1] = covered + more
            tally[ERRORS, d + 1] = covered + more - correct - hits


@kernel
def estimate(tally, column, confidence, coefficient, default_error):
    """Write the error rates of one column of the tally; a rule that covers nothing gets `default_error`."""
    total, errors = tally[TOTAL, column], tally[ERRORS, column]
    if total == 0:
        tally[ESTIMATE, column] = default_error
        tally[RATE, column] = 0
    else:
        tally[ESTIMATE, column] = (errors + added_errors(total, errors, confidence, coefficient)) / total
        tally[RATE, column] = errors / total


@kernel
def worst_condition(tally, active, significance, table):
    """Return the active condition to drop, -1 for none: that of least estimate, the last on ties.

    It goes if the rule without any one condition is no worse, or differs no more than by chance; a
    `significance` of 1 or more switches the latter off.
    """
    worst = -1
    drop = False
    for d in range(len(active)):
        if not active[d]:
            continue
        if worst < 0 or tally[ESTIMATE, d + 1] <= tally[ESTIMATE, worst + 1]:
            worst = d
        if tally[ESTIMATE, d + 1] <= tally[ESTIMATE, 0] or tally[RATE, d + 1] <= tally[RATE, 0]:
            drop = True
        elif significance < 1:
            wrong, more_wrong = np.float64(tally[ERRORS, 0]), np.float64(tally[ERRORS, d + 1])
            right = np.float64(tally[TOTAL, 0]) - wrong
            more_right = np.float64(tally[TOTAL, d + 1]) - more_wrong
            p = chance(wrong, more_wrong - wrong, right, more_right - right, table)
            # logarithms of factorials leave a probability only nearly what it is
            drop = drop or p > significance + (ROUNDING if len(table) == 0 else 0.0)
    return worst if drop else -1


@kernel
def generalise(
    bits, start, ids, label, targets, weight, level, default_error, significance, table, active, error
):
    """Drop conditions from every rule; `active` gets the kept conditions, `error` the estimated error rates.

    bits, targets: uint64 row sets of conditions and classes; start, ids: int64, int32 rules; label: int32;
    weight: float64; level, default_error, error: real; active: bool, as `ids`. A rule that is to be discarded
    gets the error 2.
    """
    longest = 0
    for r in range(len(label)):
        longest = max(longest, start[r + 1] - start[r])
    tally = np.zeros((4, longest + 1), dtype=error.dtype)
    rows = np.zeros(bits.shape[1], dtype=np.uint64)
    for c in range(len(targets)):
        rows |= targets[c]
    never, once = np.empty_like(rows), np.empty_like(rows)
    for r in range(len(label)):
        own, kept = ids[start[r] : start[r + 1]], active[start[r] : start[r + 1]]
        target, base = targets[label[r]], default_error[label[r]]
        kept[:] = True
        left = len(own)
        while left > 0:
            tally_misses(bits, own, kept, rows, target, weight, never, once, tally)
            for d in range(len(own) + 1):
                if d == 0 or kept[d - 1]:
                    estimate(tally, d, level[0], level[1], base)
            worst = worst_condition(tally, kept, significance, table)
            if worst < 0:
                break
            kept[worst] = False
            left -= 1
        useless = left == 0 or tally[TOTAL, 0] == 0 or tally[ESTIMATE, 0] >= base
        error[r] = 2 if useless else tally[ESTIMATE, 0]
