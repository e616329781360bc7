"""Class association rules by looking at every set of conditions in every row, with exact fractions."""

from fractions import Fraction
from itertools import combinations


def rules(
    rows, labels, classes, *, min_rows, min_confidence, max_len=None, strict=False, on_antecedent=False
):
    """Return {(conditions, class): (covered, correct)}.

    `rows` are tuples of values, None for missing; a condition is (column, value). `min_rows` is a number, or
    one for each class.
    """
    covered, correct = {}, {}
    for row, label in zip(rows, labels, strict=True):
        held = [(column, value) for column, value in enumerate(row) if value is not None]
        longest = len(held) if max_len is None else min(max_len, len(held))
        for size in range(1, longest + 1):
            for conditions in combinations(held, size):
                covered[conditions] = covered.get(conditions, 0) + 1
                correct[conditions, label] = correct.get((conditions, label), 0) + 1
    found = {}
    for (conditions, label), right in correct.items():
        all_of_it = covered[conditions]
        least = min_rows[classes.index(label)] if isinstance(min_rows, list) else min_rows
        share = Fraction(right, all_of_it)
        wanted = Fraction(str(min_confidence))
        passes = share > wanted if strict else share >= wanted
        if (all_of_it if on_antecedent else right) >= least and passes:
            found[conditions, label] = all_of_it, right
    return found


def car_ic(rows, labels, items, *, min_rows, min_confidence, keep_dropped=False):
    """Return the rules of CAR-IC as {(items, class): (covered, correct)}, by recursion over prefixes."""
    found = {}

    def count(chosen, label):
        held = [all(row[column] == value for column, value in chosen) for row in rows]
        right = sum(h and own == label for h, own in zip(held, labels, strict=True))
        return sum(held), right

    def extend(prefix, label, parent, first):
        for place in range(first, len(items)):
            if any(items[place][0] == column for column, _ in prefix):
                continue
            chosen = (*prefix, items[place])
            covered, right = count(chosen, label)
            if right < min_rows or Fraction(right, covered) <= Fraction(str(min_confidence)):
                continue
            falls = parent is not None and Fraction(right, covered) < Fraction(parent[1], parent[0])
            if not falls or keep_dropped:
                found[chosen, label] = covered, right
            if not falls:
                extend(chosen, label, (covered, right), place + 1)

    for label in sorted(set(labels)):
        extend((), label, None, 0)
    return found


def most_general(rules, *, whatever_class=False):
    """Return the rules no proper part of whose conditions makes a rule of their class (or of any)."""
    kept = {}
    for (conditions, label), counts in rules.items():
        parts = [
            part
            for size in range(1, len(conditions))
            for part in combinations(conditions, size)
            if any((part, own) in rules for own in ({c for _, c in rules} if whatever_class else {label}))
        ]
        if not parts:
            kept[conditions, label] = counts
    return kept
