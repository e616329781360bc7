# mypy: allow-untyped-defs, no-check-untyped-defs
"""Information gain of every condition from class counts (Carvalho and Freitas, GA-Small)."""

import math

import numpy as np

from evorules.evolution.gene_columns import KIND, NUMERIC, SIZE, START, WIDE, WORD
from trees.jit import kernel

__all__ = ["condition_gains", "subset_gain"]

_GRID = 2.0**40


@kernel
def _log_term(count, terms):
    """Return count * log2(count), 0 for 0; `terms` float64 holds it for whole numbers, or is empty."""
    if len(terms) > 0:
        return terms[np.int64(count)]
    return count * math.log2(count) if count > 0 else 0.0


@kernel
def gain_of(inside, totals, terms):
    """Return the gain in bits of dividing class counts `totals` into `inside` and the rest (float64 each).

    It is rounded to a multiple of 2**-40, so that divisions which are equally good tie exactly.
    """
    n_inside = n_all = spread = before = 0.0
    for c in range(len(totals)):
        n_inside += inside[c]
        n_all += totals[c]
        spread += _log_term(inside[c], terms) + _log_term(totals[c] - inside[c], terms)
        before += _log_term(totals[c], terms)
    after = _log_term(n_inside, terms) + _log_term(n_all - n_inside, terms) - spread
    gain = (_log_term(n_all, terms) - before - after) / n_all
    return math.floor(max(gain, 0.0) * _GRID + 0.5) / _GRID


@kernel
def subset_gain(words, n_values, counts, totals, terms, inside):
    """Return the gain of a value set (uint64 words), `counts` float64 (values, classes), `inside` scratch."""
    for c in range(len(inside)):
        inside[c] = 0.0
    for v in range(n_values):
        if (words[v >> 6] >> np.uint64(v & 63)) & np.uint64(1):
            for c in range(len(inside)):
                inside[c] += counts[v, c]
    return gain_of(inside, totals, terms)


@kernel
def _count_values(ranks, rows, classes, weight, counts):
    """Add to `counts` (float64 (values, classes), written) the weight of the given rows (int32)."""
    for i in range(len(rows)):
        row = rows[i]
        if ranks[row] >= 0:
            counts[ranks[row], classes[row]] += weight[row]


@kernel
def _numeric_gains(counts, totals, terms, gains):
    """Write the gains of ``<=`` and ``>`` every value; `counts` (values, classes) is overwritten."""
    last = len(counts) - 1
    for r in range(1, last + 1):
        for c in range(len(totals)):
            counts[r, c] += counts[r - 1, c]
    for r in range(last + 1):
        gains[2 * r] = gain_of(counts[r], totals, terms)
        for c in range(len(totals)):
            counts[r, c] = counts[last, c] - counts[r, c]
        gains[2 * r + 1] = gain_of(counts[r], totals, terms)


@kernel
def _narrow_gains(counts, totals, terms, gains):
    """Write the gain of every value set; `counts` is float64 (values, classes)."""
    inside = np.zeros((len(gains), len(totals)))
    for subset in range(1, len(gains)):
        value = 0
        while not (subset >> value) & 1:
            value += 1
        rest = subset & (subset - 1)
        for c in range(len(totals)):
            inside[subset, c] = inside[rest, c] + counts[value, c]
        gains[subset] = gain_of(inside[subset], totals, terms)


@kernel
def condition_gains(genes, ranks, rows, classes, weight, totals, terms, gains, wide_counts):
    """Write the gain of every condition on the given rows, and the class counts of wide genes' values.

    `ranks` int32 (genes, all rows), `rows` int32, `classes` int32 and `weight` float64 (all rows,), `totals`
    float64 (classes,) of the given rows. Written: `gains` float64 (ids,); `wide_counts` float64 (64 * words,
    classes), zero before, where value v of a gene is row 64 * its first word + v.
    """
    for g in range(len(genes)):
        kind, start, size = genes[g, KIND], genes[g, START], genes[g, SIZE]
        if kind == WIDE:
            first = 64 * genes[g, WORD]
            _count_values(ranks[g], rows, classes, weight, wide_counts[first : first + size])
            continue
        counts = np.zeros((size, len(totals)))
        _count_values(ranks[g], rows, classes, weight, counts)
        if kind == NUMERIC:
            _numeric_gains(counts, totals, terms, gains[start : start + 2 * size])
        else:
            _narrow_gains(counts, totals, terms, gains[start : start + (1 << size)])
