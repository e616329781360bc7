# mypy: allow-untyped-defs
"""What rules cover in the training rows: counts, pruning, database coverage.

`bits`, uint64 (n_tests, n_words), are the rows that hold each test; the rows of class c are in the words
``class_start[c]`` to ``class_start[c + 1]``. Rules are in CSR form: ``test[start[r]:start[r + 1]]``.
"""

import numpy as np

from evorules.rules._kernels_coverage import hold_all
from trees._kernels_bits import lowest_bit, popcount
from trees.jit import kernel
from trees.pruning._kernels_pessimistic import added_errors

__all__ = [
    "count_classes",
    "count_deletions",
    "cover_delta",
    "find_general",
    "least_key",
    "limit_errors",
]

_ONE = np.uint64(1)
_NONE = np.uint64(0)


@kernel
def count_words(words):
    """Return the number of bits in a uint64 array, as int64."""
    total = _NONE
    for w in range(len(words)):
        total += popcount(words[w])
    return np.int64(total)


@kernel
def count_classes(start, test, bits, class_start, alive, hit, counts):
    """Write to `counts` (int64 (n_rules, n_classes)) how many alive rows of each class every rule covers."""
    for r in range(len(start) - 1):
        if hold_all(test[start[r] : start[r + 1]], bits, alive, hit):
            for c in range(len(class_start) - 1):
                counts[r, c] = count_words(hit[class_start[c] : class_start[c + 1]])


@kernel
def least_key(start, test, bits, alive, hit, chosen, key, least):
    """Write to `least` (uint64), for chosen rules, the least `key` (uint64 per row) of the rows covered."""
    for r in chosen:
        hold_all(test[start[r] : start[r + 1]], bits, alive, hit)
        for w in range(len(hit)):
            word = hit[w]
            while word != _NONE:
                least[r] = min(least[r], key[64 * w + lowest_bit(word)])
                word &= word - _ONE


@kernel
def count_both(a, b):
    """Return the number of bits that two uint64 arrays share, as int64."""
    total = _NONE
    for w in range(len(a)):
        total += popcount(a[w] & b[w])
    return np.int64(total)


@kernel
def meet(a, b, both):
    """Write to `both` (uint64) the bits that two arrays share; it may be one of them."""
    for w in range(len(a)):
        both[w] = a[w] & b[w]


@kernel
def count_deletions(start, test, consequent, bits, class_start, alive, before, after, covered, correct):
    """Count what each rule would cover without each of its tests: `covered`, `correct` (int64, as `test`).

    ``before[j]`` (scratch, as `after`) are the rows that hold the first j tests; `after` those that hold all
    behind the one left out.
    """
    for r in range(len(start) - 1):
        first, size = start[r], start[r + 1] - start[r]
        low, high = class_start[consequent[r]], class_start[consequent[r] + 1]
        before[0, :] = alive
        for j in range(size - 1):
            meet(before[j], bits[test[first + j]], before[j + 1])
        after[:] = alive
        for j in range(size - 1, -1, -1):
            covered[first + j] = count_both(before[j], after)
            correct[first + j] = count_both(before[j, low:high], after[low:high])
            meet(after, bits[test[first + j]], after)


@kernel
def limit_errors(covered, wrong, confidence, coefficient, limit):
    """Write to `limit` C4.5's pessimistic error rates of rules; all float64, covered rows at least 1."""
    for r in range(len(covered)):
        limit[r] = (wrong[r] + added_errors(covered[r], wrong[r], confidence, coefficient)) / covered[r]


@kernel
def cover_delta(start, test, consequent, bits, class_start, delta, alive, hit, times, kept):
    """Keep rules (`kept`, bool, written) that cover an alive row of their class, until no row is alive.

    `times` (int32 per row, written) counts the kept rules that cover a row; at `delta` it leaves `alive`.
    """
    for r in range(len(start) - 1):
        own = consequent[r]
        if not hold_all(test[start[r] : start[r + 1]], bits, alive, hit):
            continue
        if count_words(hit[class_start[own] : class_start[own + 1]]) == 0:
            continue
        kept[r] = True
        left = _NONE
        for w in range(len(alive)):
            word = hit[w]
            while word != _NONE:
                place = lowest_bit(word)
                times[64 * w + place] += 1
                if times[64 * w + place] >= delta:
                    alive[w] &= ~(_ONE << np.uint64(place))
                word &= word - _ONE
            left |= alive[w]
        if left == _NONE:
            return


@kernel
def is_generalised(tests, proper, within, root, child, sibling, label, ends, stack):
    """Return whether a set in the tree of sets is within `tests`.

    `stack` (int64 (n_nodes + 1, 2)) holds nodes yet to visit with the number of tests on the way to them.
    """
    top = 0
    for t in tests:
        if root[t] >= 0:
            stack[top, 0], stack[top, 1] = root[t], 1
            top += 1
    while top > 0:
        top -= 1
        node, depth = stack[top, 0], stack[top, 1]
        if ends[node] and (depth < len(tests) or not proper):
            return True
        node = child[node]
        while node >= 0:
            if within[label[node]]:
                stack[top, 0], stack[top, 1] = node, depth + 1
                top += 1
            node = sibling[node]
    return False


@kernel
def add_set(tests, n_nodes, root, child, sibling, label, ends):
    """Add an ascending set to the tree of sets (last five arrays, written); return its number of nodes."""
    node = -1
    for t in tests:
        found = root[t] if node < 0 else child[node]
        while node >= 0 and found >= 0 and label[found] != t:
            found = sibling[found]
        if found < 0:
            found = n_nodes
            n_nodes += 1
            label[found] = t
            if node < 0:
                root[t] = found
            else:
                sibling[found] = child[node]
                child[node] = found
        node = found
    ends[node] = True
    return n_nodes


@kernel
def find_general(start, test, proper, within, root, child, sibling, label, ends, stack, kept):
    """Write to `kept` (bool) the rules whose tests include those of no kept rule before them.

    Kept sets are in a tree of sets: ``root[t]`` is the node of the sets that start with t, `child` its first
    child, `sibling` the next one of the same parent, `label` its test, `ends` whether a set ends there.
    """
    n_nodes = 0
    has_empty = False
    for r in range(len(start) - 1):
        tests = test[start[r] : start[r + 1]]
        if len(tests) == 0 or has_empty:
            kept[r] = not has_empty or (proper and len(tests) == 0)
            has_empty = True
            continue
        for t in tests:
            within[t] = True
        kept[r] = not is_generalised(tests, proper, within, root, child, sibling, label, ends, stack)
        if kept[r]:
            n_nodes = add_set(tests, n_nodes, root, child, sibling, label, ends)
        for t in tests:
            within[t] = False
