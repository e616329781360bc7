# mypy: allow-untyped-defs, no-check-untyped-defs
"""Fitness of whole populations: AND of the conditions' bitsets, counts by class, and the measure.

What every individual needs stands in one loop: a call with many arrays takes longer than to AND and count a
few words. Tuples of arrays would cost reference counting in it.
"""

import numpy as np

from evorules.evolution._kernels_bits import (
    and_into,
    clear_all,
    clear_bits,
    count_bits,
    or_into,
    sum_bits,
)
from evorules.evolution.gene_columns import KIND, ROW, SIZE, WIDE, WORD
from trees._kernels_bits import popcount
from trees.jit import kernel

__all__ = ["class_counts", "evaluate"]

LONG = 16
"""Words from which a function on a part of an array, which the compiler turns into vectors, is worth it."""

# the places of the measures in `fitness.COMPILED`
M_ESTIMATE, CONFIDENCE, COVERAGE, LAPLACE, LIFT, SENSITIVITY, SPECIFICITY, SUPPORT, GAIN = range(1, 10)


@kernel
def _cover_with_subsets(active, subset, p, genes, bits, covered, union):
    """Keep in `covered` (uint64) what satisfies individual p's active wide genes; `union` is scratch."""
    for g in range(len(genes)):
        if genes[g, KIND] != WIDE or not active[p, g]:
            continue
        clear_all(union)
        first, word = genes[g, ROW], genes[g, WORD]
        for v in range(genes[g, SIZE]):
            if (subset[p, word + (v >> 6)] >> np.uint64(v & 63)) & np.uint64(1):
                or_into(union, bits[first + v])
        and_into(covered, union)


@kernel
def _weigh_classes(covered, class_words, weight, counts):
    """Write to `counts` (float64) the weight of the rows of `covered` in each class."""
    for c in range(len(counts)):
        begin, end = class_words[c], class_words[c + 1]
        counts[c] = sum_bits(covered[begin:end], weight[64 * begin : 64 * end])


@kernel
def class_counts(genome, genes, coverage, alive, counts, n_active, covered):
    """Write what individuals cover to `counts`, float64 (individuals, classes), and their active genes.

    `covered` (uint64) is scratch, and holds the rows of the last individual in the end.
    """
    active, condition, subset = genome
    bits, base, clear, sorted_bits, class_words, weight = coverage
    n_words = len(alive)
    union, on = np.empty(n_words, dtype=np.uint64), np.empty(active.shape[1] + 1, dtype=np.int64)
    for p in range(len(counts)):
        for w in range(n_words):
            covered[w] = alive[w]
        # listed without a branch, which would be taken at random
        n = 0
        for g in range(active.shape[1]):
            on[n] = g
            n += active[p, g] != 0
        n_active[p] = n
        for k in range(n):
            c = condition[p, on[k]]
            if c < 0:
                continue
            row = base[c]
            if n_words < LONG:
                for w in range(n_words):
                    covered[w] &= bits[row, w]
            else:
                and_into(covered, bits[row])
            if clear[c, 0] < clear[c, 1]:
                clear_bits(covered, sorted_bits[clear[c, 0] : clear[c, 1]])
        if subset.shape[1] > 0:
            _cover_with_subsets(active, subset, p, genes, bits, covered, union)
        if len(weight) > 0:
            _weigh_classes(covered, class_words, weight, counts[p])
            continue
        for c in range(counts.shape[1]):
            begin, end = np.int64(class_words[c]), np.int64(class_words[c + 1])
            if end - begin < LONG:
                total = np.uint64(0)
                for w in range(begin, end):
                    total += popcount(covered[w])
                counts[p, c] = np.int64(total)
            else:
                counts[p, c] = count_bits(covered[begin:end])


@kernel
def _majority(counts, p, totals):
    """Return the class of which p covers most rows; ties: the more frequent one, then class order."""
    winner = 0
    for c in range(1, len(totals)):
        more = counts[p, c] - counts[p, winner]
        if more > 0 or (more == 0 and totals[c] > totals[winner]):
            winner = c
    return winner


@kernel
def _of_covered(correct, covered, in_class, total, measure, m):
    """Return one of the measures that look at what is covered only, and at shares (all float64)."""
    if measure == M_ESTIMATE:
        return (correct + m * (in_class / total)) / (covered + m)
    if measure == LAPLACE:
        return (correct + 1) / (covered + m)
    if measure == COVERAGE:
        return covered / total
    if measure == SUPPORT:
        return correct / total
    confidence = correct / covered
    if measure == LIFT:
        return confidence * total / in_class if in_class > 0 else 0.0
    if measure == GAIN:
        return covered / total * (confidence - in_class / total)
    return confidence


@kernel
def _measure(correct, covered, in_class, total, measure, m):
    """Return the measure of a rule from its counts, all float64; 0 for a rule that covers nothing.

    `m` is the m of the m-estimate, and the number of classes for Laplace.
    """
    if covered == 0:
        return 0.0
    if M_ESTIMATE <= measure <= LIFT or measure >= SUPPORT:
        return _of_covered(correct, covered, in_class, total, measure, m)
    sensitivity = correct / in_class if in_class > 0 else 0.0
    if measure == SENSITIVITY:
        return sensitivity
    others = total - in_class
    specificity = (others - (covered - correct)) / others if others > 0 else 1.0
    return specificity if measure == SPECIFICITY else sensitivity * specificity


@kernel
def evaluate(genome, genes, coverage, alive, totals, factor, target, measure, m, fitness):
    """Write the fitness (float64) of every individual as a rule for class `target` (-1: its majority class).

    All counts are multiplied by the `factor` (float64) of their class. A rule without active genes has
    fitness 0.
    """
    n_active = np.empty(len(fitness), dtype=np.int32)
    counts = np.empty((len(fitness), len(totals)))
    class_counts(genome, genes, coverage, alive, counts, n_active, np.empty(len(alive), dtype=np.uint64))
    total = 0.0
    weighted = np.empty(len(totals))
    for c in range(len(totals)):
        weighted[c] = totals[c] * factor[c]
        total += weighted[c]
    for p in range(len(fitness)):
        fitness[p] = 0.0
        if n_active[p] > 0:
            covered = 0.0
            for k in range(len(totals)):
                counts[p, k] *= factor[k]
                covered += counts[p, k]
            c = target if target >= 0 else _majority(counts, p, weighted)
            fitness[p] = _measure(counts[p, c], covered, weighted[c], total, measure, m)
