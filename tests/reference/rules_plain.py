"""Plain-loop twins of the kernels of `evorules.rules` and of CBA's builder; rows are sets of items."""

import math
from collections import Counter

import numpy as np


def covered(antecedent, row, missed=0):
    """Whether a rule covers a row, up to `missed` of its items forgiven."""
    absent = len(set(antecedent) - set(row))
    return absent <= missed and (missed == 0 or len(antecedent) > missed)


def covering(antecedents, row, coverage):
    """The rules that cover a row at the first number of items forgiven at which any does."""
    for missed in coverage:
        found = [r for r, antecedent in enumerate(antecedents) if covered(antecedent, row, missed)]
        if found:
            return found
    return []


def votes(fired, consequent, weight, k, aggregate):
    """The score of every class that has a rule among those that fired."""
    scores = {}
    for c in sorted({consequent[r] for r in fired}):
        chosen = [weight[r] for r in fired if consequent[r] == c][:k]
        if aggregate == "mean":
            scores[c] = sum(chosen) / len(chosen)
        elif aggregate == "noisy_or":
            scores[c] = 1 - math.prod(1 - w for w in chosen)
        else:
            scores[c] = sum(chosen)
    return scores


def general(antecedents, proper=True):
    """Positions of rules that no rule kept before them generalises."""
    kept = []
    for r, antecedent in enumerate(map(set, antecedents)):
        before = [set(antecedents[k]) for k in kept]
        if not any(other < antecedent or (not proper and other == antecedent) for other in before):
            kept.append(r)
    return kept


def leader(left, totals):
    """The class with most rows; of equal ones that with the greatest total, then the first."""
    return min(range(len(totals)), key=lambda c: (-left[c], -totals[c], c))


def cover(antecedents, consequent, rows, y, delta):
    """Positions of the rules that database coverage keeps, and how often each row is covered."""
    times, alive, kept = [0] * len(rows), set(range(len(rows))), []
    for r, antecedent in enumerate(antecedents):
        hit = [i for i in sorted(alive) if covered(antecedent, rows[i])]
        if any(y[i] == consequent[r] for i in hit):
            kept.append(r)
            for i in hit:
                times[i] += 1
                if times[i] >= delta:
                    alive.discard(i)
        if not alive:
            break
    return kept, times


def build_m1(antecedents, consequent, rows, y, totals):
    """The rules that CBA's builder M1 keeps, and the default class (specification of CBA)."""
    remaining, listed, wrong = set(range(len(rows))), [], 0
    default = leader(totals, totals)
    for r, antecedent in enumerate(antecedents):
        hit = {i for i in remaining if covered(antecedent, rows[i])}
        if any(y[i] == consequent[r] for i in hit):
            wrong += sum(y[i] != consequent[r] for i in hit)
            remaining -= hit
            left = Counter(y[i] for i in remaining)
            if remaining:
                default = leader([left[c] for c in range(len(totals))], totals)
            listed.append((r, default, wrong + len(remaining) - left[default]))
    if not listed:
        return [], leader(totals, totals)
    least = min(error for _, _, error in listed)
    end = next(k for k, (_, _, error) in enumerate(listed) if error == least)
    return [r for r, _, _ in listed[: end + 1]], listed[end][1]


def deletions(antecedent, consequent, rows, y):
    """Covered and right rows of a rule without each of its items."""
    found = []
    for item in antecedent:
        rest = [other for other in antecedent if other != item]
        hit = [i for i in range(len(rows)) if covered(rest, rows[i])]
        found.append((len(hit), sum(y[i] == consequent for i in hit)))
    return found


def rows_of(items, table):
    """The items of each row of a table."""
    return [[i for i in row if i >= 0] for row in items.encode(table).tolist()]


def antecedents_of(cars):
    """The antecedents of mined rules as lists."""
    return [cars.antecedent(r).tolist() for r in range(len(cars))]


def exact_binomial_limit(covered_rows, wrong, confidence):
    """The error rate p with P[Binomial(covered_rows, p) <= wrong] = confidence, by bisection."""
    if wrong == covered_rows:
        return 1.0
    low, high = 0.0, 1.0
    for _ in range(60):
        p = (low + high) / 2
        chance = sum(
            math.comb(covered_rows, e) * p**e * (1 - p) ** (covered_rows - e) for e in range(wrong + 1)
        )
        low, high = (p, high) if chance > confidence else (low, p)
    return low


def random_table(seed, n_rows=40, n_attributes=4, n_values=3, n_classes=2, missing=0.0):
    """A frame and labels of random nominal values, the class leaning on the first attributes."""
    import pandas as pd

    rng = np.random.default_rng(seed)
    codes = rng.integers(0, n_values, (n_rows, n_attributes))
    y = np.where(rng.random(n_rows) < 0.5, (codes[:, 0] + codes[:, 1]) % n_classes, codes[:, 0] % n_classes)
    y = np.where(rng.random(n_rows) < 0.3, rng.integers(0, n_classes, n_rows), y)
    cells = np.array(list("abcdefgh"), dtype=object)[codes]
    cells[rng.random(cells.shape) < missing] = None
    return pd.DataFrame(cells, columns=[f"a{j}" for j in range(n_attributes)]), y
