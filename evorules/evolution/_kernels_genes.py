# mypy: allow-untyped-defs, no-check-untyped-defs
"""Drawing the conditions of genes: the first population and mutation.

A genome is three arrays: `active` uint8 (individuals, genes), `condition` int32 (individuals, genes), the
id of the condition, and `subset` uint64 (individuals, words), the value sets of the wide nominal genes.
The columns of `genes` int32 (genes, 8) are named in `gene_columns`; `values` int32 (genes, rows) are the
ranks of the rows that remain, ascending, of which the first `n_values` int32 (genes,) hold.

One random word is spent per individual, whatever comes of it: splitmix64 derives from it a key for every
gene, and from that the numbers that the gene needs.
"""

import numpy as np

from evorules.evolution.gene_columns import KIND, N_WORDS, NARROW, NUMERIC, SIZE, START, WIDE, WORD
from trees._kernels_random import below, next_word, splitmix64, unit
from trees.jit import kernel

__all__ = ["initialise", "mutate"]

_ONE = np.uint64(1)


@kernel
def _count_below(values, g, n, value):
    """Return how many of the first n ascending int32 in row g of `values` are less than a value."""
    low, high = 0, n
    while low < high:
        middle = (low + high) >> 1
        if values[g, middle] < value:
            low = middle + 1
        else:
            high = middle
    return low


@kernel
def _draw_numeric(values, g, n, size, greater, forced, word):
    """Return a condition of numeric gene g, 2 * rank + `greater`, its value that of a random remaining row.

    `values` int32 (genes, rows) are the ranks that remain, n of gene g. With a forced rank the condition
    accepts it: ``<=`` draws from the rows with a value not below it, ``>`` from those below it; if there are
    none the condition is a ``<=``. Without known cells any of `size` ranks is drawn.
    """
    if n == 0:
        return 2 * np.int64(below(word, np.uint64(size))) + greater
    low, high = 0, n
    if forced >= 0:
        smaller = _count_below(values, g, n, forced)
        if greater == 1 and smaller > 0:
            high = smaller
        else:
            greater, low = 0, smaller
    return 2 * np.int64(values[g, low + np.int64(below(word, np.uint64(high - low)))]) + greater


@kernel
def _draw_subset(n_values, forced, word):
    """Return a random non-empty proper subset of at most 62 values as uint64, with the forced value."""
    if forced < 0:
        return _ONE + below(word, (_ONE << np.uint64(n_values)) - np.uint64(2))
    others = below(word, (_ONE << np.uint64(n_values - 1)) - _ONE)
    under = (_ONE << np.uint64(forced)) - _ONE
    return (others & under) | ((others & ~under) << _ONE) | (_ONE << np.uint64(forced))


@kernel
def _draw_wide(words, n_values, forced, key):
    """Write a random non-empty proper subset with the forced value to `words` (uint64)."""
    if n_values <= 62:
        words[0] = _draw_subset(n_values, forced, splitmix64(key, 1))
        return
    full = empty = True
    for w in range(len(words)):
        n_bits = np.uint64(min(64, n_values - 64 * w))
        mask = ~np.uint64(0) >> (np.uint64(64) - n_bits)
        words[w] = splitmix64(key, 1 + w) & mask
        if w == forced >> 6:
            words[w] |= _ONE << np.uint64(forced & 63)
        full, empty = full and words[w] == mask, empty and words[w] == np.uint64(0)
    if full or empty:
        # once in 2**62 draws: turn one value that is not forced
        words[0] ^= _ONE << np.uint64(1 if forced == 0 else 0)


@kernel
def _draw_with_id(genes, g, values, n_values, greater, forced, key):
    """Return the id of a random condition of gene g, -1 if it is wide; it accepts `forced` unless -1."""
    kind, start, size = genes[g, KIND], np.int64(genes[g, START]), np.int64(genes[g, SIZE])
    if kind == NUMERIC:
        return start + _draw_numeric(
            values, g, np.int64(n_values[g]), size, greater, forced, splitmix64(key, 1)
        )
    if kind == NARROW:
        return start + np.int64(_draw_subset(size, forced, splitmix64(key, 1)))
    return -1


@kernel
def _draw_wide_gene(genes, g, subset, p, forced, key):
    """Write a random value set to wide gene g of individual p in `subset` (uint64)."""
    first = genes[g, WORD]
    _draw_wide(subset[p, first : first + genes[g, N_WORDS]], np.int64(genes[g, SIZE]), forced, key)


@kernel
def initialise(genome, genes, ranks, rows, values, n_values, seeded, state):
    """Write random individuals to `genome`, all genes active, and advance `state`.

    With `seeded` every individual accepts one random remaining row; where that row's cell is missing the gene
    is drawn freely and inactive.
    """
    active, condition, subset = genome
    for p in range(len(active)):
        word = next_word(state)
        seed = rows[np.int64(below(splitmix64(word, len(genes)), np.uint64(len(rows))))]
        for g in range(len(genes)):
            key = splitmix64(word, g)
            forced = np.int64(ranks[g, seed]) if seeded else -1
            active[p, g] = 0 if seeded and forced < 0 else 1
            greater = np.int64(splitmix64(key, 0) & _ONE)
            condition[p, g] = _draw_with_id(genes, g, values, n_values, greater, forced, key)
            if genes[g, KIND] == WIDE:
                _draw_wide_gene(genes, g, subset, p, forced, key)


@kernel
def _mutate_gene(genes, g, values, n_values, active, condition, p, key):
    """Change gene g of individual p in `active` or `condition` (written); return whether its set is due."""
    numeric = genes[g, KIND] == NUMERIC
    choice = np.int64(below(splitmix64(key, 0), np.uint64(3 if numeric else 2)))
    at = np.int64(condition[p, g] - genes[g, START])
    if choice == 0:
        active[p, g] ^= 1
    elif choice == 1:
        condition[p, g] = _draw_with_id(genes, g, values, n_values, at & 1, -1, key)
        return genes[g, KIND] == WIDE
    else:
        condition[p, g] = genes[g, START] + (at ^ 1)
    return False


@kernel
def mutate(genome, genes, values, n_values, rate, state):
    """Change each gene of `genome` (written) with probability `rate`, and advance `state`.

    With equal chances the active bit is turned, the value redrawn, or (numeric genes only) the operator
    turned.
    """
    active, condition, subset = genome
    for p in range(len(active)):
        word = next_word(state)
        for g in range(len(genes)):
            key = splitmix64(word, g)
            if unit(key) < rate and _mutate_gene(genes, g, values, n_values, active, condition, p, key):
                _draw_wide_gene(genes, g, subset, p, -1, key)
