# mypy: allow-untyped-defs, no-check-untyped-defs
"""Fitness of whole populations: AND of the conditions' bitsets, counts by class, and the measure.

The loops over individuals call small functions on plain arrays: tuples of arrays cost reference counting
there.
"""

import numpy as np

from evorules.evolution._kernels_bits import (
    and_into,
    clear_all,
    clear_bits,
    copy_bits,
    count_bits,
    or_into,
    sum_bits,
)
from evorules.evolution.gene_columns import KIND, ROW, SIZE, WIDE, WORD
from trees.jit import kernel

__all__ = ["class_counts", "covered_rows", "evaluate"]

# the places of the measures in `fitness.COMPILED`
M_ESTIMATE, CONFIDENCE, COVERAGE, LAPLACE, LIFT, SENSITIVITY, SPECIFICITY, SUPPORT, GAIN = range(1, 10)


@kernel
def _cover_with_ids(active, condition, p, bits, base, clear, sorted_bits, alive, covered):
    """Write to `covered` (uint64) the rows of `alive` that satisfy individual p's active genes with an id.

    Returns the number of its active genes, wide ones included.
    """
    n_active = 0
    copy_bits(covered, alive)
    for g in range(active.shape[1]):
        if not active[p, g]:
            continue
        n_active += 1
        c = condition[p, g]
        if c >= 0:
            and_into(covered, bits[base[c]])
            begin, end = clear[c, 0], clear[c, 1]
            if begin < end:
                clear_bits(covered, sorted_bits[begin:end])
    return n_active


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
def _count_classes(covered, class_words, counts):
    """Write to `counts` (float64) the rows of `covered` in each class."""
    for c in range(len(counts)):
        counts[c] = count_bits(covered[class_words[c] : class_words[c + 1]])


@kernel
def _weigh_classes(covered, class_words, weight, counts):
    """Write to `counts` (float64) the weight of the rows of `covered` in each class."""
    for c in range(len(counts)):
        begin, end = class_words[c], class_words[c + 1]
        counts[c] = sum_bits(covered[begin:end], weight[64 * begin : 64 * end])


@kernel
def covered_rows(genome, p, genes, coverage, alive, covered):
    """Write to `covered` (uint64) the rows of `alive` that individual p covers."""
    active, condition, subset = genome
    bits, base, clear, sorted_bits, _, _ = coverage
    _cover_with_ids(active, condition, p, bits, base, clear, sorted_bits, alive, covered)
    if subset.shape[1] > 0:
        union = np.empty(len(covered), dtype=np.uint64)
        _cover_with_subsets(active, subset, p, genes, bits, covered, union)


@kernel
def class_counts(genome, genes, coverage, alive, counts, n_active):
    """Write what individuals cover to `counts`, float64 (individuals, classes), and their active genes."""
    active, condition, subset = genome
    bits, base, clear, sorted_bits, class_words, weight = coverage
    covered, union = np.empty(len(alive), dtype=np.uint64), np.empty(len(alive), dtype=np.uint64)
    for p in range(len(counts)):
        n_active[p] = _cover_with_ids(active, condition, p, bits, base, clear, sorted_bits, alive, covered)
        if subset.shape[1] > 0:
            _cover_with_subsets(active, subset, p, genes, bits, covered, union)
        if len(weight) > 0:
            _weigh_classes(covered, class_words, weight, counts[p])
        else:
            _count_classes(covered, class_words, counts[p])


@kernel
def _majority(counts, totals):
    """Return the class with most covered rows; ties: the more frequent one, then class order."""
    winner = 0
    for c in range(1, len(counts)):
        if counts[c] > counts[winner] or (counts[c] == counts[winner] and totals[c] > totals[winner]):
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
    class_counts(genome, genes, coverage, alive, counts, n_active)
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
            c = target if target >= 0 else _majority(counts[p], weighted)
            fitness[p] = _measure(counts[p, c], covered, weighted[c], total, measure, m)
