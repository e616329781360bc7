# mypy: allow-untyped-defs
"""The search for the rules of rows to classify, for many rows at once.

Sets of training rows (`bits`, one line per item) and of rows to classify (`holders`) are uint64 words, row i
in bit i % 64 of word i // 64; training rows are sorted by class, class c has the words ``class_start[c]`` to
``class_start[c + 1]``. Items are numbered by their position among those that some row to classify holds.

Antecedents are visited depth first in the order of their items, each once however many rows hold it. Level l
of the stack has the candidates that may follow the antecedent ``path[:l]``, its training rows in ``rows[l]``
and the rows to classify that it still concerns in ``asked[l]``. A row leaves `asked` where no longer
antecedent can be frequent for it or better than what it has: so one row alone meets the same antecedents in
the same order.
"""

import numpy as np

from evorules.associative._kernels_cache import code_of_item, find_entry, keep_entry
from trees._kernels_bits import lowest_bit, popcount
from trees.jit import kernel

__all__ = ["count_projected", "open_level", "search"]

GAIN, CONFIDENCE, LAPLACE = 0, 1, 2
TIE = 1e-10
SLACK = 1e-9
_ONE = np.uint64(1)
_NONE = np.uint64(0)

LEVEL, VISITED, GENERATED, READY = range(4)
"""Places in the int64 `state`: level of the stack (-1: done), antecedents visited, rules generated, and the
greatest l for which ``rows[l]`` is that of the antecedent: rows are found only when they are needed."""


@kernel
def count_common(a, b):
    """Return how many rows two sets of uint64 words share, as int64."""
    count = _NONE
    for w in range(len(a)):
        count += popcount(a[w] & b[w])
    return np.int64(count)


@kernel
def count_classes(rows, item, class_start, counts):
    """Write the class counts of the rows in both sets to the int32 `counts` and return the greatest."""
    greatest = 0
    for c in range(len(counts)):
        low, high = class_start[c], class_start[c + 1]
        counts[c] = count_common(rows[low:high], item[low:high])
        greatest = max(greatest, counts[c])
    return greatest


@kernel
def overlap(a, b):
    """Return whether two sets of uint64 words share a row."""
    w = 0
    while w < len(a) and a[w] & b[w] == _NONE:
        w += 1
    return w < len(a)


@kernel
def intersect(a, b, out):
    """Write the rows in both sets to `out`; all are uint64 words."""
    for w in range(len(out)):
        out[w] = a[w] & b[w]


@kernel
def unite(a, out):
    """Add the rows of `a` to `out`; both are uint64 words."""
    for w in range(len(out)):
        out[w] |= a[w]


@kernel
def count_projected(held, bits, class_start, shared, counts):
    """Write per row of the int32 `held` the class counts of the training rows that share an item with it.

    `shared` (uint64, a place per word of `bits`) is scratch.
    """
    for r in range(len(held)):
        shared[:] = _NONE
        for a in range(held.shape[1]):
            if held[r, a] >= 0:
                unite(bits[held[r, a]], shared)
        for c in range(counts.shape[1]):
            rows = shared[class_start[c] : class_start[c + 1]]
            counts[r, c] = count_common(rows, rows)


@kernel
def entropy_of(counts, covered, product):
    """Return the entropy in bits of int32 class counts; ``product[i]`` is i * log2(i)."""
    left = product[covered]
    for c in range(len(counts)):
        left -= product[counts[c]]
    return max(left / covered, 0.0)


@kernel
def is_better(entropy, above, below, count, size, label, best, r):
    """Return whether a rule goes before the best of row r: less entropy, greater above / below, and so on.

    Of equals the rule found first stays: of the same size that is the first in the order of items.
    """
    if best.size[r] == 0:
        return True
    if entropy < best.entropy[r] - TIE:
        return True
    if entropy > best.entropy[r] + TIE:
        return False
    here, there = above * best.below[r], best.above[r] * below
    if here != there:
        return here > there
    if count != best.support[r]:
        return count > best.support[r]
    if size != best.size[r]:
        return size < best.size[r]
    return label < best.rank_label[r]


@kernel
def keep_best(entropy, above, below, count, rank_label, label, path, size, counts, best, r):
    """Write a rule as the best of row r to the arrays of `best`."""
    best.entropy[r] = entropy
    best.above[r] = above
    best.below[r] = below
    best.support[r] = count
    best.size[r] = size
    best.rank_label[r] = rank_label
    best.label[r] = label
    best.items[r, :size] = path[:size]
    best.counts[r] = counts


@kernel
def add_votes(counts, covered, least, options, votes):
    """Add the confidences of the rules of one antecedent to the float64 `votes` per class of one row."""
    for c in range(len(counts)):
        if counts[c] >= least and counts[c] >= options.min_confidence * covered - SLACK:
            votes[c] += counts[c] / covered


@kernel
def offer(size, path, counts, board, options, asked, best, state):
    """Offer the rules of one antecedent to the rows in `asked`, from which rows that are done leave.

    Writes `best`, `asked` and the number of rules generated in `state`; returns whether a row is left.
    """
    covered, label = np.int64(0), 0
    for c in range(len(counts)):
        covered += counts[c]
        if counts[c] > counts[label]:
            label = c
    top = np.int64(counts[label])
    entropy = entropy_of(counts, covered, board.product) if options.rank == GAIN else 0.0
    above, below, count, rank_label = top, covered, top, label
    bound_above, bound_below = top, top
    if options.rank == LAPLACE:
        above, below, count, rank_label = top + 1, covered + options.n_classes, covered, 0
        bound_above, bound_below = top + 1, top + options.n_classes
    is_rule = top >= options.min_confidence * covered - SLACK
    smallest = np.int64(2) ** 62
    left = False
    for w in range(len(asked)):
        word = asked[w]
        kept = word
        while word != _NONE:
            r = 64 * w + lowest_bit(word)
            bit = word & (~word + _ONE)
            word &= word - _ONE
            least = board.least[r]
            if top < least:
                kept &= ~bit
                continue
            smallest = min(smallest, least)
            if is_rule and is_better(entropy, above, below, count, size, rank_label, best, r):
                keep_best(entropy, above, below, count, rank_label, label, path, size, counts, best, r)
            if options.votes:
                add_votes(counts, covered, least, options, best.votes[r])
            # the best that a longer antecedent can be: all of its rows of this class, and no fewer of them
            if not options.exhaustive and not is_better(
                0.0, bound_above, bound_below, top, size + 1, 0, best, r
            ):
                kept &= ~bit
        asked[w] = kept
        left = left or kept != _NONE
    for c in range(len(counts)):
        if counts[c] >= smallest and counts[c] >= options.min_confidence * covered - SLACK:
            state[GENERATED] += 1
    return left


@kernel
def has_pure_subset(path, size, label, bits, class_start):
    """Return whether all rows of some non-empty proper subset of the items are of class `label` already."""
    low, high = class_start[label], class_start[label + 1]
    for left_out in range(size):
        is_pure = size > 1
        for w in range(bits.shape[1]):
            if not is_pure:
                break
            if w < low or w >= high:
                word = ~_NONE
                for i in range(size):
                    if i != left_out:
                        word &= bits[path[i], w]
                is_pure = word == _NONE
        if is_pure:
            return True
    return False


@kernel
def count_item(level, item, board, stack, memory, state, counts):
    """Write the class counts of the antecedent of a level with one more item; return the greatest.

    They are looked up in `memory` (see the kernels of the cache), and kept there if they had to be counted.
    """
    remembers = len(memory.code) > 0
    code = stack.code[level]
    if remembers:
        code ^= code_of_item(board.number[item])
        if find_entry(code, stack.name, level, board.number[item], counts, memory):
            return np.int64(counts.max())
    for ready in range(state[READY], level):
        intersect(stack.rows[ready], board.bits[stack.path[ready]], stack.rows[ready + 1])
    state[READY] = max(state[READY], level)
    greatest = count_classes(stack.rows[level], board.bits[item], board.class_start, counts)
    if remembers:
        keep_entry(code, stack.name, level, board.number[item], counts, memory)
    return np.int64(greatest)


@kernel
def open_level(level, board, options, stack, memory, state):
    """Find which items may follow the antecedent of a level and write them to the stack; return how many.

    An item qualifies if a row to classify is still concerned and enough training rows of one class are left.
    """
    n_sources = len(board.bits) if level == 0 else stack.n[level - 1]
    first = 0 if level == 0 else stack.at[level - 1] + 1
    found = 0
    for i in range(first, n_sources):
        item = i if level == 0 else stack.candidate[level - 1, i]
        if not overlap(stack.asked[level], board.holders[item]):
            continue
        counts = stack.counts[level, found]
        if count_item(level, item, board, stack, memory, state, counts) >= options.least:
            stack.candidate[level, found] = item
            found += 1
    stack.n[level] = found
    stack.at[level] = -1
    return found


@kernel
def is_single_class(counts):
    """Return the only class with rows in int32 counts, -1 if there are several."""
    label = -1
    for c in range(len(counts)):
        if counts[c] > 0:
            if label >= 0:
                return -1
            label = c
    return label


@kernel
def search(board, options, stack, best, memory, state, limit):
    """Go on with a search until it is done or so many antecedents have been visited; writes all but `board`.

    Level 0 is open at the start. A search stopped by the limit goes on when called again.
    """
    level = state[LEVEL]
    while level >= 0 and state[VISITED] < limit:
        i = stack.at[level] + 1
        if i >= stack.n[level]:
            level -= 1
            continue
        stack.at[level] = i
        item, counts = stack.candidate[level, i], stack.counts[level, i]
        stack.path[level] = item
        stack.name[level] = board.number[item]
        stack.code[level + 1] = stack.code[level] ^ code_of_item(board.number[item])
        state[READY] = min(state[READY], level)
        state[VISITED] += 1
        asked = stack.asked[level + 1]
        intersect(stack.asked[level], board.holders[item], asked)
        pure = is_single_class(counts) if options.minimal else -1
        if pure >= 0 and has_pure_subset(stack.path, level + 1, pure, board.bits, board.class_start):
            continue
        left = offer(level + 1, stack.path, counts, board, options, asked, best, state)
        if not left or pure >= 0 or level + 1 >= options.max_len or i + 1 >= stack.n[level]:
            continue
        if open_level(level + 1, board, options, stack, memory, state) > 0:
            level += 1
    state[LEVEL] = level
