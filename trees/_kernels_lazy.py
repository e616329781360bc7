# mypy: allow-untyped-defs
"""Lazy trees: the path that one row to classify takes through the training rows.

Line ``first[a] + v`` stands for value v of attribute a; -1 is a missing cell. A set of training rows is known
by the exclusive or of the rows' random uint64 `key`; a set met before for the same row to classify is not
explored again. Sets being explored lie on a stack: their int32 rows end to end in `arena`, their float64
class weights per line in `counts` and in all in `totals`, one level each.
"""

import math

import numpy as np

from trees.jit import kernel

TIE = 1e-10
NEGLIGIBLE = 1e-9
UNEQUAL, EQUAL = 0, 1
FREE = -1
LEAF, LINE, BELOW = 0, 1, 2
"""Columns of the int32 `found`: where a set's path ends, the line of its first test, the set behind it."""

START, END, N_TESTS, NEXT, BEST, BEST_LINE = range(6)
"""Columns of the int64 `frame` of a level: rows, number of tests, next one to follow, best set behind one."""

DONE, NEEDS_ARENA, NEEDS_LEVELS, NEEDS_SETS = 0, -1, -2, -3


@kernel
def count_rows(rows, sign, data, counts, totals):
    """Add `sign` times the weights of the int32 `rows` to the float64 `counts` and `totals`."""
    cells, classes, weight, first = data.cells, data.classes, data.weight, data.first
    for i in rows:
        c, w = classes[i], sign * weight[i]
        totals[c] += w
        for a in range(cells.shape[1]):
            v = cells[i, a]
            if v >= 0:
                counts[first[a] + v, c] += w


@kernel
def gain_of(child, totals, size, penalty):
    """Return the gain of keeping the float64 class weights `child` of `totals`, -1 if that is none or all.

    Every class of the parent counts the same: its entropy is log2 of the number of classes (specification of
    trees, section 8).
    """
    kept = 0.0
    share = 0.0
    n_present = 0
    for c in range(len(totals)):
        if totals[c] > NEGLIGIBLE * size:
            n_present += 1
            if child[c] > NEGLIGIBLE * size:
                kept += child[c]
                share += child[c] / totals[c]
    if kept <= 0.0 or kept >= size * (1.0 - NEGLIGIBLE):
        return -1.0
    gain = math.log2(float(n_present))
    for c in range(len(totals)):
        if child[c] > NEGLIGIBLE * size:
            q = child[c] / totals[c] / share
            gain += q * math.log2(q)
    return max(gain, 0.0) * (kept / size) ** penalty


@kernel
def rate_equal(start, end, v, counts, totals, size, penalty):
    """Return (gain, line) of keeping the rows with value v of the attribute with lines start to end - 1."""
    if end - start < 2:
        return -1.0, -1
    gain = gain_of(counts[start + v], totals, size, penalty)
    return (gain if gain < 0.0 else gain / math.log2(float(end - start))), start + v


@kernel
def rate_unequal(start, end, v, counts, totals, size, penalty, known, child):
    """Return (greatest gain, line) of dropping a value other than v, and the rows without a value.

    Of equal gains the first value wins; the float64 `known` and `child`, a place per class, are scratch.
    """
    known[:] = 0.0
    for x in range(start, end):
        for c in range(len(known)):
            known[c] += counts[x, c]
    best, line = -1.0, -1
    for w in range(start, end):
        if w == start + v:
            continue
        for c in range(len(known)):
            child[c] = known[c] - counts[w, c]
        gain = gain_of(child, totals, size, penalty)
        if gain > best + TIE:
            best, line = gain, w
    return best, line


@kernel
def choose_tests(cells, data, options, counts, totals, all_good, known, child, gain, line, tests):
    """Write the lines of the tests to follow in a set into the int32 `tests`; return their number.

    `cells` is the row to classify. 0 for a set of one class, of no more weight than `options.min_split`, or
    without an admissible test. Of the attributes within `options.rate` of the best all if `all_good`; else
    the first of the best.
    """
    size = 0.0
    for t in totals:
        size += t
    n_present = 0
    for t in totals:
        n_present += t > NEGLIGIBLE * size
    if n_present < 2 or size <= options.min_split:
        return 0
    best = -1.0
    for a in range(len(cells)):
        gain[a] = -1.0
        if cells[a] >= 0:
            start, end, v = data.first[a], data.first[a + 1], cells[a]
            if options.test == EQUAL:
                gain[a], line[a] = rate_equal(start, end, v, counts, totals, size, options.penalty)
            else:
                gain[a], line[a] = rate_unequal(
                    start, end, v, counts, totals, size, options.penalty, known, child
                )
            best = max(best, gain[a])
    least = best * (1.0 - options.rate) - TIE if all_good else best - TIE
    n_tests = 0
    for a in range(len(cells)):
        if gain[a] >= 0.0 and gain[a] >= least:
            tests[n_tests] = line[a]
            n_tests += 1
            if not all_good:
                break
    return n_tests


@kernel
def keep_rows(x, start, end, arena, data, test):
    """Write the rows of arena[start:end] that pass the test of line x behind them; return (end, key)."""
    a = data.attribute[x]
    v = x - data.first[a]
    key = np.uint64(0)
    top = end
    for k in range(start, end):
        i = arena[k]
        cell = data.cells[i, a]
        if (cell == v) if test == EQUAL else (cell >= 0 and cell != v):
            arena[top] = i
            key ^= data.key[i]
            top += 1
    return top, key


@kernel
def count_kept(x, depth, stack, data, test):
    """Count the rows of level `depth`: as the level above less those lost by the test of line x, if fewer."""
    frame, arena, counts, totals = stack.frame, stack.arena, stack.counts, stack.totals
    start, end = frame[depth, START], frame[depth, END]
    above, below = counts[depth - 1], counts[depth]
    if 2 * (end - start) <= frame[depth - 1, END] - frame[depth - 1, START]:
        below[:] = 0.0
        totals[depth, :] = 0.0
        count_rows(arena[start:end], 1.0, data, below, totals[depth])
        return
    for y in range(below.shape[0]):
        for c in range(below.shape[1]):
            below[y, c] = above[y, c]
    for c in range(below.shape[1]):
        totals[depth, c] = totals[depth - 1, c]
    a = data.attribute[x]
    v = x - data.first[a]
    for k in range(frame[depth - 1, START], frame[depth - 1, END]):
        cell = data.cells[arena[k], a]
        if (cell != v) if test == EQUAL else (cell < 0 or cell == v):
            count_rows(arena[k : k + 1], -1.0, data, below, totals[depth])


@kernel
def place_of(key, table, keys):
    """Return the place of a key in the int32 hash `table` (its length a power of two), or a free place."""
    mask = np.uint64(len(table) - 1)
    place = key & mask
    while table[place] != FREE and keys[table[place]] != key:
        place = (place + np.uint64(1)) & mask
    return place


@kernel
def open_level(depth, cells, data, options, all_good, stack):
    """Choose the tests of the set whose rows and counts are on level `depth`; nothing is found for it yet."""
    frame = stack.frame
    frame[depth, N_TESTS] = choose_tests(
        cells,
        data,
        options,
        stack.counts[depth],
        stack.totals[depth],
        all_good,
        stack.known,
        stack.child,
        stack.gain,
        stack.line,
        stack.tests[depth],
    )
    frame[depth, NEXT] = 0
    frame[depth, BEST] = -1
    stack.best[depth] = -1.0


@kernel
def close_level(depth, e, stack, memo):
    """Write what was found for the set on level `depth` as set number `e` into `memo`."""
    frame, totals, found = stack.frame, stack.totals[depth], memo.found
    memo.key[e] = stack.key[depth]
    memo.table[place_of(stack.key[depth], memo.table, memo.key)] = e
    best = frame[depth, BEST]
    if best < 0:
        found[e, LEAF], found[e, LINE], found[e, BELOW] = e, -1, -1
        for c in range(len(totals)):
            memo.totals[e, c] = totals[c]
    else:
        found[e, LEAF], found[e, BELOW] = found[best, LEAF], best
        found[e, LINE] = frame[depth, BEST_LINE]
    leaf = memo.totals[found[e, LEAF]]
    heaviest = 0
    for c in range(len(totals)):
        if leaf[c] > leaf[heaviest] + NEGLIGIBLE * leaf[heaviest]:
            heaviest = c
    memo.ratio[e] = leaf[heaviest] / totals[heaviest]


@kernel
def decide_row(cells, data, options, stack, memo):
    """Explore the sets that a row to classify leads to, the whole training set last; return their number.

    Level 0 holds the whole training set. Of the paths behind good tests the one wins whose leaf keeps the
    greatest share of its class among the rows of the set behind the test (the first of equals). A negative
    number tells which arrays are too short.
    """
    frame, arena, tests = stack.frame, stack.arena, stack.tests
    memo.table[:] = FREE
    n_sets = 0
    depth = 0
    open_level(0, cells, data, options, options.multi, stack)
    while True:
        if frame[depth, NEXT] < frame[depth, N_TESTS]:
            start, end = frame[depth, START], frame[depth, END]
            if 2 * end - start > len(arena):
                return NEEDS_ARENA
            x = tests[depth, frame[depth, NEXT]]
            top, key = keep_rows(x, start, end, arena, data, options.test)
            e = np.int64(memo.table[place_of(key, memo.table, memo.key)])
            if e == FREE:
                depth += 1
                if depth == len(frame):
                    return NEEDS_LEVELS
                frame[depth, START], frame[depth, END] = end, top
                stack.key[depth] = key
                count_kept(x, depth, stack, data, options.test)
                all_good = options.multi and n_sets < options.max_sets
                open_level(depth, cells, data, options, all_good, stack)
                continue
        else:
            if n_sets == len(memo.key):
                return NEEDS_SETS
            e = np.int64(n_sets)
            close_level(depth, e, stack, memo)
            n_sets += 1
            if depth == 0:
                return n_sets
            depth -= 1
        if memo.ratio[e] > stack.best[depth] + TIE:
            stack.best[depth] = memo.ratio[e]
            frame[depth, BEST] = e
            frame[depth, BEST_LINE] = tests[depth, frame[depth, NEXT]]
        frame[depth, NEXT] += 1


@kernel
def decide_rows(T, first, data, options, stack, memo, out, n_sets, lines):
    """Decide for the int32 rows of `T` from number `first` on; return (where it stopped, `DONE` or a need).

    Writes the class weights of the rows' leaves into the float64 `out`, the numbers of sets explored into the
    int64 `n_sets`, and the tests of the last row's path into the int32 `lines`, ended by -1.
    """
    frame = stack.frame
    n = len(data.classes)
    stack.key[0] = 0
    for k in range(n):
        stack.arena[k] = k
        stack.key[0] ^= data.key[k]
    frame[0, START], frame[0, END] = 0, n
    stack.counts[0, :, :] = 0.0
    stack.totals[0, :] = 0.0
    count_rows(stack.arena[:n], 1.0, data, stack.counts[0], stack.totals[0])
    for i in range(first, len(T)):
        n_sets[i] = decide_row(T[i], data, options, stack, memo)
        if n_sets[i] < 0:
            return i, n_sets[i]
        e = n_sets[i] - 1
        leaf = memo.found[e, LEAF]
        for c in range(out.shape[1]):
            out[i, c] = memo.totals[leaf, c]
        depth = 0
        while memo.found[e, LINE] >= 0:
            lines[depth] = memo.found[e, LINE]
            depth += 1
            e = np.int64(memo.found[e, BELOW])
        lines[depth] = -1
    return len(T), DONE
