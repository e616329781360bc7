# mypy: allow-untyped-defs, no-check-untyped-defs
"""Depth-first search for class association rules on bits; `evorules.mining.arrays` describes the arrays.

The search can come back after any antecedent, and goes on from the stack when it is called again.
"""

import numpy as np

from evorules.mining.arrays import (
    BITS,
    COUNTS,
    CURSOR,
    DEPTH,
    DONE,
    EXTENSIONS,
    FULL,
    N_EXTENSIONS,
    N_ITEMS,
    N_NODES,
    N_RULES,
    N_SEGMENTS,
    N_WORDS,
    NARROW,
    PAUSED,
    ROWS,
)
from trees._kernels_bits import lowest_bit, popcount
from trees.jit import kernel

__all__ = ["begin_level", "has_room", "narrow", "pack", "packed_words", "search"]

_ONE = np.uint64(1)
LEAST_WORDS = 4
"""Bits in fewer words than this are not packed more densely."""
PACKING = 2
"""A bit set while packing takes as long as so many words looked at for all pairs of extensions (measured)."""


@kernel
def packed_words(level, segment_class, counts, correct, depth):
    """Return how many words the rows of the extension under work need if segments are made anew."""
    n_segments = level[depth, N_SEGMENTS]
    first = level[depth, COUNTS] + level[depth, CURSOR] * n_segments
    n_words, rest = 0, 0
    for s in range(n_segments):
        consequent, count = segment_class[depth, s], counts[first + s]
        if consequent >= 0 and count >= correct[consequent]:
            n_words += (count + 63) >> 6
        else:
            rest += count
    return n_words + ((rest + 63) >> 6)


@kernel
def has_room(level, depth, need, n_rank, n_counts, n_bits, n_row):
    """Return whether one more level fits into arrays so long; write to `need` what it takes."""
    n, n_words = level[depth, N_EXTENSIONS], level[depth, N_WORDS]
    need[0] = level[depth, EXTENSIONS] + 2 * n
    need[1] = level[depth, COUNTS] + 2 * n * level[depth, N_SEGMENTS]
    need[2] = level[depth, BITS] + 2 * n * n_words
    need[3] = level[depth, ROWS] + 128 * n_words
    return need[0] <= n_rank and need[1] <= n_counts and need[2] <= n_bits and need[3] <= n_row


@kernel
def narrow(level, segment_class, segment_end, rank, covered, counts, bits, correct, least, depth):
    """Fill level depth + 1 by intersecting the extensions behind the one under work with it."""
    child = depth + 1
    n_segments, n_words = level[depth, N_SEGMENTS], level[depth, N_WORDS]
    level[child, N_WORDS] = n_words
    level[child, N_SEGMENTS] = n_segments
    level[child, ROWS] = level[depth, ROWS]
    for s in range(n_segments):
        segment_class[child, s] = segment_class[depth, s]
        segment_end[child, s] = segment_end[depth, s]
    first_other = level[depth, EXTENSIONS]
    own = np.uint64(level[depth, BITS] + level[depth, CURSOR] * n_words)
    n = 0
    for e in range(level[depth, CURSOR] + 1, level[depth, N_EXTENSIONS]):
        other = np.uint64(level[depth, BITS] + e * n_words)
        target = np.uint64(level[child, BITS] + n * n_words)
        place = level[child, COUNTS] + n * n_segments
        total, enough, begin = 0, False, np.uint64(0)
        for s in range(n_segments):
            end = np.uint64(segment_end[depth, s])
            word_count = np.uint64(0)
            # unsigned positions in one array: no sign to look at, so this is one tight loop
            for w in range(begin, end):
                both = bits[own + w] & bits[other + w]
                bits[target + w] = both
                word_count += popcount(both)
            begin, count = end, np.int64(word_count)
            total += count
            counts[place + s] = count
            consequent = segment_class[depth, s]
            enough |= consequent >= 0 and count >= correct[consequent]
        if enough and total >= least:
            rank[level[child, EXTENSIONS] + n] = rank[first_other + e]
            covered[level[child, EXTENSIONS] + n] = total
            n += 1
    level[child, N_EXTENSIONS] = n


@kernel
def lay_segments(level, segment_class, segment_end, counts, least, depth, begins):
    """Give level depth + 1 a segment for each class still predictable, and one for the other rows.

    Write to `begins` (int64), for every segment of level `depth`, the first bit for its rows.
    """
    n_segments = level[depth, N_SEGMENTS]
    first = level[depth, COUNTS] + level[depth, CURSOR] * n_segments
    n, n_words, rest = 0, 0, 0
    for s in range(n_segments):
        consequent, count = segment_class[depth, s], counts[first + s]
        if consequent >= 0 and count >= least[consequent]:
            begins[s] = 64 * n_words
            n_words += (count + 63) >> 6
            segment_class[depth + 1, n] = consequent
            segment_end[depth + 1, n] = n_words
            n += 1
    for s in range(n_segments):
        consequent, count = segment_class[depth, s], counts[first + s]
        if consequent < 0 or count < least[consequent]:
            begins[s] = 64 * n_words + rest
            rest += count
    if rest > 0:
        segment_class[depth + 1, n] = -1
        segment_end[depth + 1, n] = n_words + ((rest + 63) >> 6)
        n += 1
    level[depth + 1, N_SEGMENTS] = n


@kernel
def copy_rows(rows, bits, row, slot, least, own, n_words, source, target, place, first_bits, width):
    """Give numbers to the rows in words own to own + n_words - 1 from `place` on and set their items' bits.

    `row` holds the rows of the words from `source` on, and is written from `target` on; an item of a rank
    above `least` with a `slot` has `width` words, the first one's from `first_bits` on.
    """
    for w in range(n_words):
        word = bits[own + w]
        while word != np.uint64(0):
            r = row[source + 64 * w + lowest_bit(word)]
            row[target + place] = r
            at, bit = first_bits + (place >> 6), _ONE << np.uint64(place & 63)
            i = 0
            while rows[r, i] > least:
                j = slot[rows[r, i]]
                if j >= 0:
                    bits[at + j * width] |= bit
                i += 1
            place += 1
            word &= word - _ONE


@kernel
def keep_frequent(
    level, segment_class, segment_end, rank, covered, counts, bits, least, least_covered, depth
):
    """Count the bit sets of level `depth`, whose ranks stand in its place, and keep the frequent ones."""
    n_segments, n_words = level[depth, N_SEGMENTS], level[depth, N_WORDS]
    first = level[depth, EXTENSIONS]
    n = 0
    for j in range(level[depth, N_EXTENSIONS]):
        source = np.uint64(level[depth, BITS] + j * n_words)
        target = np.uint64(level[depth, BITS] + n * n_words)
        place = level[depth, COUNTS] + n * n_segments
        total, enough, begin = 0, False, np.uint64(0)
        for s in range(n_segments):
            end = np.uint64(segment_end[depth, s])
            word_count = np.uint64(0)
            for w in range(begin, end):
                word = bits[source + w]
                bits[target + w] = word
                word_count += popcount(word)
            begin, count = end, np.int64(word_count)
            total += count
            counts[place + s] = count
            consequent = segment_class[depth, s]
            enough |= consequent >= 0 and count >= least[consequent]
        if enough and total >= least_covered:
            rank[first + n] = rank[first + j]
            covered[first + n] = total
            n += 1
    level[depth, N_EXTENSIONS] = n


@kernel
def pack(problem, stack, depth, n_words):
    """Fill level depth + 1 from the items of the rows of the extension under work, `n_words` words each."""
    _, level, segment_class, segment_end, rank, covered, counts, bits, row, _, slot, need = stack
    rows, least, _, least_covered, _ = problem
    child, cursor = depth + 1, level[depth, CURSOR]
    first, n_others = level[depth, EXTENSIONS] + cursor + 1, level[depth, N_EXTENSIONS] - cursor - 1
    level[child, N_WORDS] = n_words
    level[child, N_EXTENSIONS] = n_others
    level[child, ROWS] = level[depth, ROWS] + 64 * level[depth, N_WORDS]
    begins = need  # scratch between calls of has_room
    lay_segments(level, segment_class, segment_end, counts, least, depth, begins)
    for w in range(level[child, BITS], level[child, BITS] + n_others * n_words):
        bits[w] = np.uint64(0)
    for j in range(n_others):
        rank[level[child, EXTENSIONS] + j] = rank[first + j]
        slot[rank[first + j]] = j
    own, begin = level[depth, BITS] + cursor * level[depth, N_WORDS], 0
    for s in range(level[depth, N_SEGMENTS]):
        end = segment_end[depth, s]
        copy_rows(
            rows,
            bits,
            row,
            slot,
            rank[first - 1],
            own + begin,
            end - begin,
            level[depth, ROWS] + 64 * begin,
            level[child, ROWS],
            begins[s],
            level[child, BITS],
            n_words,
        )
        begin = end
    for j in range(n_others):
        slot[rank[first + j]] = -1
    keep_frequent(level, segment_class, segment_end, rank, covered, counts, bits, least, least_covered, child)


@kernel
def begin_level(level, depth):
    """Lay level depth + 1 behind level `depth`."""
    n = level[depth, N_EXTENSIONS]
    level[depth + 1, CURSOR] = 0
    level[depth + 1, EXTENSIONS] = level[depth, EXTENSIONS] + n
    level[depth + 1, COUNTS] = level[depth, COUNTS] + n * level[depth, N_SEGMENTS]
    level[depth + 1, BITS] = level[depth, BITS] + n * level[depth, N_WORDS]


@kernel
def search(problem, stack, found, n_nodes):
    """Go on with the search until it is over, needs room, or has seen `n_nodes` frequent antecedents."""
    # handing arrays on counts references, which takes longer than a small antecedent: so much stands here
    state, level, segment_class, segment_end, rank, covered, counts, bits, row, path, _, need = stack
    rows, least, confident, least_covered, max_len = problem
    item, size, consequent, covers, correct = found
    depth = state[DEPTH]
    while depth >= 0:
        state[DEPTH] = depth
        if level[depth, CURSOR] == level[depth, N_EXTENSIONS]:
            depth -= 1
            if depth >= 0:
                level[depth, CURSOR] += 1
            continue
        n_segments = level[depth, N_SEGMENTS]
        if state[N_NODES] >= n_nodes:
            return PAUSED
        if state[N_RULES] + n_segments > len(size):
            return FULL
        if state[N_ITEMS] + n_segments * (depth + 1) > len(item):
            return FULL
        grows = depth + 1 < max_len and level[depth, CURSOR] + 1 < level[depth, N_EXTENSIONS]
        if grows and not has_room(level, depth, need, len(rank), len(counts), len(bits), len(row)):
            return NARROW
        state[N_NODES] += 1
        place = level[depth, EXTENSIONS] + level[depth, CURSOR]
        first_count = level[depth, COUNTS] + level[depth, CURSOR] * n_segments
        path[depth] = rank[place]
        enough = confident[covered[place]]
        for s in range(n_segments):
            c, count = segment_class[depth, s], counts[first_count + s]
            if c >= 0 and count >= enough and count >= least[c]:
                r, first = state[N_RULES], state[N_ITEMS]
                for d in range(depth + 1):
                    item[first + d] = path[d]
                size[r], consequent[r] = depth + 1, c
                covers[r], correct[r] = covered[place], count
                state[N_RULES] = r + 1
                state[N_ITEMS] = first + depth + 1
        if grows:
            begin_level(level, depth)
            n_words, n_packed = (
                level[depth, N_WORDS],
                packed_words(level, segment_class, counts, least, depth),
            )
            # packing takes time by the items of the rows, and saves it by the pairs of extensions and words
            n_others = level[depth, N_EXTENSIONS] - level[depth, CURSOR] - 1
            saving = n_others * n_others * (n_words - n_packed)
            deep = depth + 2 < max_len and saving >= PACKING * covered[place] * rows.shape[1]
            if deep and n_words >= LEAST_WORDS and 3 * n_packed <= n_words:
                pack(problem, stack, depth, n_packed)
            else:
                narrow(
                    level,
                    segment_class,
                    segment_end,
                    rank,
                    covered,
                    counts,
                    bits,
                    least,
                    least_covered,
                    depth,
                )
            depth += 1
        else:
            level[depth, CURSOR] += 1
    state[DEPTH] = -1
    return DONE
