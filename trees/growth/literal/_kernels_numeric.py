# mypy: allow-untyped-defs
"""The best threshold of a numeric attribute (specification, section 2.3)."""

from __future__ import annotations

import numpy as np

from trees.growth.literal._kernels_info import clear, log2, table_gain, total_info
from trees.growth.literal._kernels_order import sort_cases, swap
from trees.growth.literal.state import CUT, GAIN, INFO
from trees.jit import kernel

GAP = 1e-5


@kernel
def split_off_unknown(column, y, row, weight, low, high, counts):
    """Swap the unknown cases to the front, write their class weights into counts; return (front, weight)."""
    real = counts.dtype.type
    clear(counts)
    front = low
    for i in range(low, high + 1):
        value = column[row[i]]
        if value != value:
            counts[y[row[i]]] += weight[i]
            swap(row, weight, front, i)
            front += 1
    missing = real(0)
    if front > low:
        for n in counts:
            missing = real(missing + n)
    return front, missing


@kernel
def least_side(known, n_classes, min_cases):
    """Return the real weight that either side of a cut needs: a tenth of a class, from min_cases to 25."""
    real = type(known)
    side = real(0.10 * known / n_classes)
    if side <= min_cases:
        return min_cases
    return real(25) if side > 25 else side


@kernel
def scan_cuts(
    y, row, weight, key, first, high, known, unknown, min_cases, counts, sizes, trials, trial_at, terms
):
    """Try every cut of the sorted cases first..high; write gain, weight, place of each, return their number.

    Row 1 of the real `counts` holds the classes of the cases up to the cut, row 2 those of the others.
    """
    real = type(known)
    clear(counts[1])
    clear(counts[2])
    for i in range(first, high + 1):
        counts[2, y[row[i]]] += weight[i]
    base = total_info(counts[2], terms) / known
    side = least_side(known, counts.shape[1], min_cases)
    limit = known - side
    gap = GAP if counts.itemsize == 4 else 0.0  # a rule of single precision only
    low = real(0)
    tries = 0
    for i in range(first, high):
        c = y[row[i]]
        counts[1, c] += weight[i]
        counts[2, c] -= weight[i]
        low = real(low + weight[i])
        if low < side:
            continue
        if low > limit:
            break
        if np.float64(key[i]) < np.float64(key[i + 1]) - gap:
            sizes[1] = low
            sizes[2] = known - low
            trials[tries, 0] = table_gain(counts, sizes, np.int64(2), base, unknown, known, min_cases, terms)
            trials[tries, 1] = low
            trial_at[tries] = i
            tries += 1
    return tries


@kernel
def best_cut(trials, tries, total):
    """Return (the first cut with the greatest gain after the penalty or -1, that real gain)."""
    real = type(total)
    penalty = real(log2(real(tries)) / total)
    best = -1
    most = real(0)
    for t in range(tries):
        value = real(trials[t, 0] - penalty)
        if value > most:
            most = value
            best = t
    return best, most


@kernel
def evaluate_numeric(column, data, cases, scratch, merit, low, high, total, min_cases, literal):
    """Write gain, split information and midpoint of a numeric column to `merit`; sorts the cases low..high.

    `total` is the weight of the range. The gain stays -EPSILON where no cut is admissible.
    """
    real = type(total)
    row, weight, key, sizes = cases.row, cases.weight, cases.key, scratch.sizes
    first, missing = split_off_unknown(column, data.y, row, weight, low, high, scratch.counts[0])
    known = real(total - missing)
    if known < 2 * min_cases:
        return
    unknown = real(1.0 - known / total)
    for i in range(first, high + 1):
        key[i] = column[row[i]]
    sort_cases(key, row, weight, first, high, literal)
    tries = scan_cuts(
        data.y, row, weight, key, first, high, known, unknown, min_cases,
        scratch.counts, sizes, scratch.trials, scratch.trial_at, data.terms,
    )  # fmt: skip
    best, gain = best_cut(scratch.trials, tries, total)
    if best < 0:
        return
    sizes[0] = missing
    sizes[1] = scratch.trials[best, 1]
    sizes[2] = known - sizes[1]
    below = key[scratch.trial_at[best]]
    above = key[scratch.trial_at[best] + 1]
    middle = real((below + above) / real(2))
    merit[GAIN] = gain
    merit[INFO] = total_info(sizes[:3], data.terms) / total
    # where the midpoint rounds up to its upper neighbour the original recurses until it crashes
    merit[CUT] = middle if middle < above else below
