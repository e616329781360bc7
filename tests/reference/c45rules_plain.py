"""C4.5's rules generator in plain loops: the twins of the kernels of `trees.rulegen` and `trees.match`.

Rows are lists of cells (NaN = missing), conditions are `trees.rule.Condition`, weights are per row.
"""

import itertools
import math
from fractions import Fraction

from trees.pruning.pessimistic import added_errors

LN2 = 0.69314718055994530942


def holds(condition, row):
    cell = row[condition.attribute]
    if condition.relation == "<=":
        return cell <= condition.threshold
    if condition.relation == ">":
        return cell > condition.threshold
    return cell in condition.codes


def covers(conditions, row):
    return all(holds(condition, row) for condition in conditions)


def first_match(rules, row):
    return next((r for r, rule in enumerate(rules) if covers(rule.conditions, row)), -1)


def first_two(fires, alive, row):
    firing = [r for r in range(len(fires)) if alive[r] and fires[r][row]] + [-1, -1]
    return firing[0], firing[1]


def glibc(n):
    """The first n numbers of random() with seed 1, by the recurrence of section 10."""
    r = [1]
    for _ in range(30):
        r.append(16807 * r[-1] % (2**31 - 1))
    for i in range(31, 34):
        r.append(r[i - 31])
    for i in range(34, 344 + n):
        r.append((r[i - 31] + r[i - 3]) % 2**32)
    return [(word >> 1) / 2**31 for word in r[344:]]


def chance(a, b, c, d):
    """One-sided probability of a 2x2 table, exact: the greater row at least as over-represented."""
    if a + b < c + d:
        a, b, c, d = c, d, a, b
    if a * d < b * c:
        a, b, c, d = b, a, d, c
    row, other, column = a + b, c + d, a + c
    ways = math.comb(row + other, column)
    terms = (
        Fraction(math.comb(row, x) * math.comb(other, column - x), ways)
        for x in range(a, min(row, column) + 1)
    )
    return sum(terms, Fraction(0))


def tally(conditions, rows, y, weight, label):
    """Weight that conditions cover, and the errors among it."""
    total = errors = 0.0
    for row, c, w in zip(rows, y, weight, strict=True):
        if covers(conditions, row):
            total += w
            errors += w if c != label else 0.0
    return total, errors


def generalise(conditions, rows, y, weight, label, confidence, fisher):
    """Return which conditions stay, and the estimated error, 2 for a rule to leave out."""
    n_own = sum(w for c, w in zip(y, weight, strict=True) if c == label)
    default = 1 - (n_own + 1) / (sum(weight) + 2)

    def judge(kept):
        total, errors = tally([conditions[d] for d in kept], rows, y, weight, label)
        if total == 0:
            return default, 0.0, total, errors
        return (errors + added_errors(total, errors, confidence)) / total, errors / total, total, errors

    kept = list(range(len(conditions)))
    while kept:
        whole = judge(kept)
        without = {d: judge([x for x in kept if x != d]) for d in kept}
        drop = False
        for other in without.values():
            drop = drop or other[0] <= whole[0] or other[1] <= whole[1]
            if not drop and fisher is not None and fisher < 1:
                right, more_right = whole[2] - whole[3], other[2] - other[3]
                table = (whole[3], other[3] - whole[3], right, more_right - right)
                drop = chance(*map(int, table)) > fisher + 1e-10
        if not drop:
            break
        least = min(other[0] for other in without.values())
        kept.remove(max(d for d in kept if without[d][0] == least))
    estimate, _, total, _ = judge(kept)
    useless = not kept or total == 0 or estimate >= default
    return kept, 2.0 if useless else estimate


def prune_conjuncts(conditions, rows, y, weight, label):
    """Return which conditions stay by accuracy, and that accuracy."""

    def accuracy(kept):
        total, errors = tally([conditions[d] for d in kept], rows, y, weight, label)
        return (total - errors) / total if total > 0 else 0.0

    kept = list(range(len(conditions)))
    while kept:
        best = max(kept, key=lambda d: (accuracy([x for x in kept if x != d]), d))
        shorter = [x for x in kept if x != best]
        if accuracy(shorter) < accuracy(kept):
            break
        kept = shorter
    return kept, accuracy(kept)


def exceptions_among(n, e, expected):
    if expected <= 1e-6:
        return 0.0 if e <= 1e-6 else 1e6
    if expected >= n - 1e-6:
        return 0.0 if e >= n - 1e-6 else 1e6
    rate = expected / n
    return -e * (math.log(rate) / LN2) - (n - e) * (math.log(1 - rate) / LN2)


def exceptions(total, covered, wrong, missed):
    half = 0.5 * (wrong + missed)
    among_covered, among_others = (half, missed) if covered > 0.5 * total else (wrong, half)
    bits = math.log(total) / LN2 + exceptions_among(covered, wrong, among_covered)
    return bits + exceptions_among(total - covered, missed, among_others)


def description_length(inside, fires, length, own, weight):
    """Bits of the rules `inside` and of the exceptions they leave; own: which rows are of the class."""
    chosen = [r for r in range(len(length)) if inside[r]]
    rules = 0.0
    for r in chosen:
        rules += length[r]
    rules -= sum(math.log2(i) for i in range(1, len(chosen) + 1))
    covered = [any(fires[r][i] for r in chosen) for i in range(len(own))]
    right = sum(w for c, o, w in zip(covered, own, weight, strict=True) if c and o)
    wrong = sum(w for c, o, w in zip(covered, own, weight, strict=True) if c and not o)
    missed = sum(w for c, o, w in zip(covered, own, weight, strict=True) if o and not c)
    return 0.5 * rules + exceptions(sum(weight), right + wrong, wrong, missed)


def shortest(fires, length, own, weight):
    """The first shortest subset, counting up with the first rule as lowest bit, and its length."""
    subsets = [bits[::-1] for bits in itertools.product((False, True), repeat=len(length))]
    lengths = [description_length(s, fires, length, own, weight) for s in subsets]
    # lengths that differ by rounding alone are equal
    best = next(i for i, bits in enumerate(lengths) if bits <= min(lengths) + 1e-9)
    return list(subsets[best]), lengths[best]


def moved(inside, r):
    return [flag != (q == r) for q, flag in enumerate(inside)]


def climb(inside, fires, length, own, weight, best):
    """Climb from a subset; `best` is the shortest (subset, length) so far, returned if none is shorter."""
    inside = list(inside)
    while True:
        bits = description_length(inside, fires, length, own, weight)
        if bits < best[1] - 1e-9:
            best = (list(inside), bits)
        saved = [
            bits - description_length(moved(inside, r), fires, length, own, weight)
            for r in range(len(length))
        ]
        most = max(saved)
        if most <= 1e-9:
            return best
        inside = moved(inside, next(r for r, s in enumerate(saved) if s >= most - 1e-9))


def anneal(draws, fires, length, own, weight):
    """Anneal from the empty subset; return the shortest (subset, length) met and how many draws it took."""
    inside, best, heat, used = [False] * len(length), ([], math.inf), 1000.0, 0
    while heat > 0.001:
        bits = description_length(inside, fires, length, own, weight)
        if bits < best[1] - 1e-9:
            best = (list(inside), bits)
        for _ in range(100):
            r = int(len(length) * draws[used])
            saved = bits - description_length(moved(inside, r), fires, length, own, weight)
            used += 1
            if saved > 1e-9:
                break
            used += 1
            if draws[used - 1] < math.exp(saved / heat):
                break
        else:
            return best, used
        inside, heat = moved(inside, r), heat * 0.95
    return best, used
