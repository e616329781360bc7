# mypy: allow-untyped-defs
"""CBA's classifier builder: one pass of ranked rules over the training rows.

Arrays as in `evorules.rules._kernels_training`: rules in CSR form, rows as bits sorted by class.
"""

import numpy as np

from evorules.rules._kernels_coverage import hold_all
from evorules.rules._kernels_training import count_words
from trees._kernels_bits import lowest_bit
from trees.jit import kernel

__all__ = ["build_first", "first_right_and_wrong"]

_ONE = np.uint64(1)
_NONE = np.uint64(0)


@kernel
def leading(counts, preference):
    """Return the class with the greatest count (int64), of equal ones the first in `preference`."""
    best = preference[0]
    for c in preference:
        if counts[c] > counts[best]:
            best = c
    return best


@kernel
def build_first(
    start, test, consequent, bits, class_start, preference, left, alive, hit, chosen, default, errors
):
    """Select rules (M1): `chosen` their positions, `default` the class after each, `errors` the total there.

    Row 0 of `left` (int64 (n_rules + 1, n_classes)) is the rows of each class; row i + 1 gets what the i-th
    rule chosen leaves. `left` and all arrays behind it are written. Return the number of rules chosen.
    """
    n_chosen, wrong = 0, 0
    last = preference[0]
    for r in range(len(start) - 1):
        own = consequent[r]
        if not hold_all(test[start[r] : start[r + 1]], bits, alive, hit):
            continue
        if count_words(hit[class_start[own] : class_start[own + 1]]) == 0:
            continue
        total = 0
        for c in range(len(class_start) - 1):
            count = count_words(hit[class_start[c] : class_start[c + 1]])
            left[n_chosen + 1, c] = left[n_chosen, c] - count
            total += left[n_chosen + 1, c]
            if c != own:
                wrong += count
        if total > 0:
            last = leading(left[n_chosen + 1], preference)
        chosen[n_chosen], default[n_chosen] = r, last
        errors[n_chosen] = wrong + total - left[n_chosen + 1, last]
        n_chosen += 1
        if total == 0:
            break
        for w in range(len(alive)):
            alive[w] &= ~hit[w]
    return n_chosen


@kernel
def first_right_and_wrong(
    start, test, consequent, bits, class_start, unright, unwrong, wanted, hit, right, wrong
):
    """Write to `right` and `wrong` (int32 per row) the first covering rule of the row's class, of another.

    `unright` and `unwrong` are the rows that have none yet (both written); `wanted` and `hit` are scratch.
    """
    for r in range(len(start) - 1):
        low, high = class_start[consequent[r]], class_start[consequent[r] + 1]
        some = _NONE
        for w in range(len(wanted)):
            wanted[w] = unright[w] if low <= w < high else unwrong[w]
            some |= unright[w] | unwrong[w]
        if some == _NONE:
            return
        if not hold_all(test[start[r] : start[r + 1]], bits, wanted, hit):
            continue
        for w in range(len(hit)):
            word = hit[w]
            inside = low <= w < high
            if inside:
                unright[w] &= ~word
            else:
                unwrong[w] &= ~word
            while word != _NONE:
                row = 64 * w + lowest_bit(word)
                if inside:
                    right[row] = r
                else:
                    wrong[row] = r
                word &= word - _ONE
