# mypy: allow-untyped-defs
"""Impurities of class weights, times the weight of the set, and what binary splits are compared by."""

import math

import numpy as np

from trees.jit import kernel

TIE = 1e-10
"""Worths that differ by no more are equal."""

NONE = -1.0
"""The worth where there is no admissible split."""

ERROR_RATE, GINI, ENTROPY = 0, 1, 2


@kernel
def term(x, terms):
    """Return x * log2(x) of a float64, 0 for x <= 0; whole numbers are looked up in the float64 `terms`."""
    if x <= 0.0:
        return 0.0
    whole = np.int64(x)
    if whole == x and whole < len(terms):
        return terms[whole]
    return x * math.log2(x)


@kernel
def impurity(weight, total, criterion, terms):
    """Return `total` times the impurity of float64 class weights that add up to `total` > 0."""
    inside = 0.0
    if criterion == ERROR_RATE:
        for w in weight:
            inside = max(inside, w)
        return total - inside
    if criterion == GINI:
        for w in weight:
            inside += w * w
        return total - inside / total
    for w in weight:
        inside += term(w, terms)
    return term(total, terms) - inside


@kernel
def split_worth(decrease, left, right, by_ratio):
    """Return the decrease of a binary split or, if `by_ratio`, its ratio to the split information."""
    if not by_ratio:
        return decrease
    share = left / (left + right)
    other = right / (left + right)
    return decrease / -(share * math.log2(share) + other * math.log2(other))
