"""Lazy association in plain loops: all subsets of the row's items, counted on the projected rows."""

import math
from fractions import Fraction
from itertools import combinations


def entropy(counts):
    total = sum(counts)
    return -sum(c / total * math.log2(c / total) for c in counts if c)


def projection(rows, classes, asked, n_classes):
    """Class counts of the training rows that share an item with the row asked."""
    counts = [0] * n_classes
    for row, label in zip(rows, classes, strict=True):
        if set(row) & set(asked):
            counts[label] += 1
    return counts


def class_counts(rows, classes, items, n_classes):
    counts = [0] * n_classes
    for row, label in zip(rows, classes, strict=True):
        if set(items) <= set(row):
            counts[label] += 1
    return counts


def generated(rows, classes, asked, n_classes, options):
    """All rules (items, class, counts) of the row asked, in generation order.

    `rows` and `asked` are lists of item numbers; options: rank, min_support, min_confidence, max_len,
    minimal, projection.
    """
    if isinstance(options["min_support"], int):
        least = options["min_support"]
    else:
        shared = projection(rows, classes, asked, n_classes)
        n = len(rows) if options["projection"] == "none" else sum(shared)
        least = max(1, math.ceil(options["min_support"] * n - 1e-9))
    longest = len(asked) if options["max_len"] is None else min(len(asked), options["max_len"])
    found = []
    for size in range(1, longest + 1):
        for items in combinations(sorted(asked), size):
            counts = class_counts(rows, classes, items, n_classes)
            for label in range(n_classes):
                if counts[label] < least:
                    continue
                confidence = Fraction(counts[label], sum(counts))
                if options["rank"] == "confidence" and confidence < Fraction(options["min_confidence"]):
                    continue
                if options["minimal"] and any(
                    is_pure(class_counts(rows, classes, part, n_classes), label)
                    for k in range(1, size)
                    for part in combinations(items, k)
                ):
                    continue
                found.append((items, label, counts))
    return found


def is_pure(counts, label):
    return counts[label] > 0 and sum(counts) == counts[label]


def best_rule(rules, options, n_classes):
    """The first rule of the order, None if there is none; equal entropies are within 1e-10."""
    best = None
    for rule in rules:
        if best is None or goes_before(rule, best, options, n_classes):
            best = rule
    return best


def goes_before(one, other, options, n_classes):
    """Whether a rule generated later goes before one generated earlier."""
    (items, label, counts), (its_items, its_label, its_counts) = one, other
    right, covered = counts[label], sum(counts)
    its_right, its_covered = its_counts[its_label], sum(its_counts)
    if options["rank"] == "laplace":
        mine = (Fraction(right + 1, covered + n_classes), covered, -len(items))
        its = (Fraction(its_right + 1, its_covered + n_classes), its_covered, -len(its_items))
        return mine > its
    if options["rank"] == "gain" and abs(entropy(counts) - entropy(its_counts)) > 1e-10:
        return entropy(counts) < entropy(its_counts)
    mine = (Fraction(right, covered), right, -len(items), -label)
    its = (Fraction(its_right, its_covered), its_right, -len(its_items), -its_label)
    return mine > its


def votes(rules, n_classes):
    """Sums of the confidences per class."""
    totals = [0.0] * n_classes
    for _, label, counts in rules:
        totals[label] += counts[label] / sum(counts)
    return totals
