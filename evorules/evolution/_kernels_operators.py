# mypy: allow-untyped-defs, no-check-untyped-defs
"""Selection, crossover, rule pruning and the elite, on whole populations (arrays as in `_kernels_genes`).

One random word is spent per tournament, per pair and per individual, whatever comes of it; all numbers that
are needed are derived from it with splitmix64.
"""

import numpy as np

from evorules.evolution._kernels_gain import subset_gain
from evorules.evolution.gene_columns import N_WORDS, SIZE, WORD
from trees._kernels_random import below, next_word, splitmix64, unit
from trees.jit import kernel

__all__ = ["best", "copy_individuals", "cross", "prune", "summary", "tournaments"]


@kernel
def _tournaments_of_two(fitness, state, picks):
    """Do what `tournaments` does with size 2, without branches: they would be taken at random."""
    n = np.uint64(len(fitness))
    for i in range(len(picks)):
        word = next_word(state)
        first = np.int64(below(splitmix64(word, 0), n))
        second = np.int64(below(splitmix64(word, 1), n - np.uint64(1)))
        second += np.int64(second >= first)
        a, b = fitness[first], fitness[second]
        lucky = splitmix64(word, 3) >> np.uint64(63) == np.uint64(0)
        picks[i] = second if (b > a) | ((b == a) & lucky) else first


@kernel
def tournaments(fitness, size, state, picks):
    """Write to `picks` (int32) the winner of one tournament each, and advance `state`.

    `size` distinct individuals meet; the fittest wins, a tie is decided by chance.
    """
    n = len(fitness)
    if size == 2:
        _tournaments_of_two(fitness, state, picks)
        return
    met = np.empty(size, dtype=np.int64)
    for i in range(len(picks)):
        word = next_word(state)
        winner, tied = 0, 0
        for k in range(size):
            # the r-th of those that have not met yet, kept in ascending order
            r = np.int64(below(splitmix64(word, k), np.uint64(n - k)))
            place = 0
            while place < k and r >= met[place]:
                r += 1
                place += 1
            for other in range(k, place, -1):
                met[other] = met[other - 1]
            met[place] = r
            if k == 0 or fitness[r] > fitness[winner]:
                winner, tied = r, 1
            elif fitness[r] == fitness[winner]:
                tied += 1
                if below(splitmix64(word, size + k), np.uint64(tied)) == np.uint64(0):
                    winner = r
        picks[i] = winner


@kernel
def _copy_rows(source, picks, target):
    """Copy rows `picks` (int32) of a 2-d array to the rows of `target` (written)."""
    width = source.shape[1]
    for i in range(len(picks)):
        # on rows of their own the compiler copies many cells at once
        row, place = source[picks[i]], target[i]
        for k in range(width):
            place[k] = row[k]


@kernel
def copy_individuals(source, picks, target):
    """Copy individuals `picks` (int32) of genome `source` to the rows of genome `target` (written)."""
    active, condition, subset = source
    new_active, new_condition, new_subset = target
    _copy_rows(active, picks, new_active)
    _copy_rows(condition, picks, new_condition)
    if subset.shape[1] > 0:
        _copy_rows(subset, picks, new_subset)


@kernel
def _swap(array, p, begin):
    """Exchange rows p and p + 1 of a 2-d array (written) from column `begin` on."""
    for k in range(begin, array.shape[1]):
        array[p, k], array[p + 1, k] = array[p + 1, k], array[p, k]


@kernel
def cross(genome, genes, rate, state):
    """Cross individuals 0 and 1, 2 and 3, ... of `genome` (written) at one point, and advance `state`.

    A pair is crossed with probability `rate`: the genes from a cut in 1..genes-1 on change sides, with their
    active bits.
    """
    active, condition, subset = genome
    n, n_genes = active.shape
    for p in range(0, n - 1, 2):
        key = next_word(state)
        if n_genes < 2 or unit(key) >= rate:
            continue
        cut = 1 + np.int64(below(splitmix64(key, 0), np.uint64(n_genes - 1)))
        _swap(active, p, cut)
        _swap(condition, p, cut)
        _swap(subset, p, genes[cut, WORD])


@kernel
def _gain_of_subset(genes, g, subset, p, wide_counts, totals, terms, inside):
    """Return the gain of the value set that wide gene g of individual p holds; `inside` is scratch."""
    first, size = genes[g, WORD], genes[g, SIZE]
    words = subset[p, first : first + genes[g, N_WORDS]]
    return subset_gain(words, size, wide_counts[64 * first : 64 * first + size], totals, terms, inside)


@kernel
def _normalise(values, active, p, norm):
    """Divide `values` (float64, written) by the sum (norm 1) or greatest (2) of p's active genes."""
    top = total = 0.0
    for g in range(len(values)):
        if active[p, g]:
            total += values[g]
            top = max(top, values[g])
    divisor = total if norm == 1 else top
    for g in range(len(values)):
        values[g] = values[g] / divisor if divisor > 0 else 0.0


@kernel
def _by_worth(values, active, p, whole, key, order):
    """Write to `order` (int64) individual p's active genes, or all, by worth ascending, ties by chance.

    Returns how many they are.
    """
    n = 0
    low = np.uint64(0xFFFFFFFF)
    for g in range(len(values)):
        if not (whole or active[p, g]):
            continue
        place = n
        tie = splitmix64(key, g) & low
        while place > 0:
            other = order[place - 1]
            if values[other] < values[g] or (
                values[other] == values[g] and splitmix64(key, other) & low <= tie
            ):
                break
            order[place] = other
            place -= 1
        order[place] = g
        n += 1
    return n


@kernel
def _drop(values, order, n_listed, n_active, min_conditions, key, active, p):
    """Visit genes in `order`; keep each active with probability `values`, until `min_conditions` are left."""
    for i in range(n_listed):
        if n_active <= min_conditions:
            break
        g = order[i]
        chance = np.float64(splitmix64(key, g) >> np.uint64(32)) * 2.3283064365386963e-10
        kept = 1 if chance < values[g] else 0
        n_active += kept - active[p, g]
        active[p, g] = kept


@kernel
def prune(genome, genes, worth, min_conditions, whole, state):
    """Switch off genes of every individual of `genome` (written), the least worthy first; advance `state`.

    Each gene in turn stays active with a probability equal to its worth, until `min_conditions` are left.
    With `whole` inactive genes take part and may be switched on.
    """
    active, condition, subset = genome
    listed, per_gene, norm, scale, wide_counts, totals, terms = worth
    n, n_genes = active.shape
    values, inside, order = np.empty(n_genes), np.empty(len(totals)), np.empty(n_genes, dtype=np.int64)
    for p in range(n):
        key = next_word(state)
        n_active = np.int64(0)
        for g in range(n_genes):
            n_active += active[p, g]
        if n_active <= min_conditions:
            continue
        for g in range(n_genes):
            if not (whole or active[p, g]):
                continue
            if per_gene:
                values[g] = listed[g]
            elif condition[p, g] >= 0:
                values[g] = listed[condition[p, g]]
            else:
                values[g] = scale * _gain_of_subset(genes, g, subset, p, wide_counts, totals, terms, inside)
        if norm > 0:
            _normalise(values, active, p, norm)
        n_listed = _by_worth(values, active, p, whole, key, order)
        _drop(values, order, n_listed, n_active, min_conditions, key, active, p)


@kernel
def best(fitness, active, picks):
    """Write to `picks` (int32) the best individuals; ties: fewer active genes, then lower position."""
    n, n_genes = active.shape
    for i in range(len(picks)):
        winner, fewest = -1, 0
        for p in range(n):
            taken = False
            for k in range(i):
                taken = taken or picks[k] == p
            if taken or (winner >= 0 and fitness[p] < fitness[winner]):
                continue
            n_active = 0
            for g in range(n_genes):
                n_active += active[p, g]
            if winner < 0 or fitness[p] > fitness[winner] or n_active < fewest:
                winner, fewest = p, n_active
        picks[i] = winner


@kernel
def summary(fitness, record):
    """Write mean, standard deviation, least and greatest fitness to `record` (float64[4])."""
    n = len(fitness)
    total = spread = 0.0
    low = high = fitness[0]
    for p in range(n):
        total += fitness[p]
        low, high = min(low, fitness[p]), max(high, fitness[p])
    mean = total / n
    for p in range(n):
        spread += (fitness[p] - mean) ** 2
    record[0], record[1], record[2], record[3] = mean, np.sqrt(spread / n), low, high
