# mypy: allow-untyped-defs
"""Description lengths of the rules of one class (specification, sections 8.2 and 8.3).

Sums of bits are float64; with `single` every store is rounded to float32, as the original's variables are.
`part` is a `trees.rulegen.search.ClassRules`.
"""

import math

import numpy as np

from trees.jit import kernel
from trees.rulegen.search import LOG2_TOTAL, OWN_TOTAL, TOTAL

__all__ = ["exceptions", "rounded", "rules_length", "subset_lengths"]

SMALL = 1e-6
HUGE = 1e6
LN2 = 0.69314718055994530942


@kernel
def rounded(x, single):
    """Return a float64, as a float32 would hold it if `single`."""
    return np.float64(np.float32(x)) if single else x


@kernel
def log2(x):
    """Return log2 of a float64 greater than 0."""
    return math.log(x) / LN2


@kernel
def exceptions_among(n, e, expected, single):
    """Return the bits to tell e exceptions among n rows if a share expected / n of them is expected."""
    if expected <= SMALL:
        return 0.0 if e <= SMALL else HUGE
    if expected >= n - SMALL:
        return 0.0 if e >= n - SMALL else HUGE
    rate = rounded(expected / n, single)
    return rounded(-e * log2(rate) - (n - e) * log2(rounded(1 - rate, single)), single)


@kernel
def exceptions(totals, covered, wrong, missed, single):
    """Return the bits to tell the wrong ones among the covered rows and the missed ones among the others.

    `totals` is that of `ClassRules`.
    """
    half = rounded(0.5 * (wrong + missed), single)
    if covered > 0.5 * totals[TOTAL]:
        among_covered, among_others = half, missed
    else:
        among_covered, among_others = wrong, half
    bits = rounded(totals[LOG2_TOTAL] + exceptions_among(covered, wrong, among_covered, single), single)
    return rounded(bits + exceptions_among(totals[TOTAL] - covered, missed, among_others, single), single)


@kernel
def rules_length(part, inside):
    """Return the bits of the rules that are `inside` (bool), in any order, and their number."""
    bits = 0.0
    n_inside = 0
    for r in range(len(part.length)):
        if inside[r]:
            bits = rounded(bits + part.length[r], part.single)
            n_inside += 1
    return rounded(bits - part.factorials[n_inside], part.single), n_inside


@kernel
def subset_lengths(part, right, wrong, lengths):
    """Write to `lengths` the description length of all subsets, numbered with the first rule as lowest bit.

    right, wrong: float64 (2**n_rules,), weight of the rows of the class and of others that each covers.
    """
    n_rules = len(part.length)
    inside = np.zeros(n_rules, dtype=np.bool_)
    for s in range(len(lengths)):
        for r in range(n_rules):
            inside[r] = (s >> r) & 1 == 1
        rules, _ = rules_length(part, inside)
        missed = part.totals[OWN_TOTAL] - right[s]
        rest = exceptions(part.totals, right[s] + wrong[s], wrong[s], missed, part.single)
        lengths[s] = rounded(0.5 * rules + rest, part.single)
