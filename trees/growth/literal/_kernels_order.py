# mypy: allow-untyped-defs
"""Moving cases: the order of C4.5's case array decides how fractional weights are rounded (section 2.5)."""

from __future__ import annotations

import numpy as np

from trees.growth.literal.state import ATTRIBUTE, GROUP_START, KIND, THRESHOLD
from trees.growth.tree import NUMERIC, SUBSET
from trees.jit import kernel


@kernel
def swap(row, weight, i, j):
    """Exchange two cases of the int32 rows and real weights."""
    row[i], row[j] = row[j], row[i]
    weight[i], weight[j] = weight[j], weight[i]


@kernel
def gather_unknown(values, a, row, weight, low, high):
    """Swap the cases low..high whose cell in values[a] is NaN to the front; return the place behind them."""
    front = low
    for i in range(low, high + 1):
        value = values[a, row[i]]
        if value != value:
            swap(row, weight, front, i)
            front += 1
    return front


@kernel
def gather_side(values, a, threshold, branch, row, weight, front, high):
    """Swap the cases front..high on a side of a threshold to the front (0: <=, 1: >); return their end."""
    for i in range(front, high + 1):
        value = values[a, row[i]]
        if (value <= threshold) if branch == 0 else (value > threshold):
            swap(row, weight, front, i)
            front += 1
    return front


@kernel
def gather_value(values, a, group, first, grouped, branch, row, weight, front, high):
    """Swap the cases front..high whose value leads to a branch to the front; return their end.

    Where `grouped`, the int32 `group` holds the branches of the values from `first` on, else the value is it.
    """
    for i in range(front, high + 1):
        value = values[a, row[i]]
        if value == value:
            code = int(value)
            if grouped:
                code = int(group[first + code])
            if code == branch:
                swap(row, weight, front, i)
                front += 1
    return front


@kernel
def gather_branch(values, ints, reals, group, node, branch, row, weight, front, high):
    """Swap the cases front..high that a node's test sends to a branch to the front; return their end."""
    a = ints[node, ATTRIBUTE]
    if ints[node, KIND] == NUMERIC:
        end = gather_side(values, a, reals[node, THRESHOLD], branch, row, weight, front, high)
    else:
        first, grouped = ints[node, GROUP_START], ints[node, KIND] == SUBSET
        end = gather_value(values, a, group, first, grouped, branch, row, weight, front, high)
    return end


@kernel
def give_unknown(weight, low, front, factor):
    """Multiply the weights of the unknown cases low..front - 1 by a branch's real share."""
    for i in range(low, front):
        weight[i] *= factor


@kernel
def take_unknown(values, a, row, weight, low, front, end, factor):
    """Gather the unknown cases, low..front - 1 before, out of low..end - 1 and divide their weights again."""
    if front > low:
        gather_unknown(values, a, row, weight, low, end - 1)
        for i in range(low, front):
            weight[i] /= factor


@kernel
def total_weight(weight, low, high, counting):
    """Return the real weight of the cases low..high: their number if `counting`, else the sum in order."""
    real = weight.dtype.type
    if counting:
        return real(high + 1 - low)
    total = real(0)
    for i in range(low, high + 1):
        total = real(total + weight[i])
    return total


@kernel
def swap_keyed(key, row, weight, i, j):
    """Exchange two cases together with their sort keys."""
    key[i], key[j] = key[j], key[i]
    swap(row, weight, i, j)


@kernel
def median_to_end(key, row, weight, low, high):
    """Swap the median of the first, middle and last key to the end, so that sorted input sorts fast."""
    middle = (low + high) // 2
    a, b, c = key[low], key[middle], key[high]
    if (a <= b) == (b <= c):
        swap_keyed(key, row, weight, middle, high)
    elif (b <= a) == (a <= c):
        swap_keyed(key, row, weight, low, high)


@kernel
def sort_cases(key, row, weight, low, high, literal):
    """Sort the cases low..high by their real keys with C4.5's quicksort, step by step if `literal`.

    The stack holds ranges still to be sorted; the smaller part goes on top, so 64 entries are enough.
    """
    stack = np.empty((64, 2), dtype=np.int64)
    stack[0, 0], stack[0, 1] = low, high
    top = 0
    while top >= 0:
        first, last = stack[top, 0], stack[top, 1]
        top -= 1
        if first >= last:
            continue
        if not literal:
            median_to_end(key, row, weight, first, last)
        pivot = key[last]
        middle = first
        for i in range(first, last):
            if key[i] <= pivot:
                swap_keyed(key, row, weight, middle, i)
                middle += 1
        below = middle
        for i in range(middle - 1, first - 1, -1):
            if key[i] == pivot:
                below -= 1
                swap_keyed(key, row, weight, below, i)
        swap_keyed(key, row, weight, middle, last)
        smaller_below = below - first < last - middle
        for part in range(2):
            top += 1
            if (part == 0) == smaller_below:
                stack[top, 0], stack[top, 1] = middle + 1, last
            else:
                stack[top, 0], stack[top, 1] = first, below - 1
