# mypy: allow-untyped-defs
"""Searching a hyperplane: one coefficient after another, and jumps in random directions (OC1).

Murthy, S., Kasif, S. and Salzberg, S. (1994). A system for induction of oblique decision trees. Journal of
Artificial Intelligence Research 2, 1-32, section 3. A hyperplane is the float64 vector `plane`: coefficients,
then the threshold; a row z is left of it where coefficients . z - threshold <= 0. `level` holds that sum for
every row, and a step t along a direction changes it to level + t * slope.
"""

import math

import numpy as np

from trees._kernels_random import integer, uniform
from trees.growth.generic._kernels_worth import NONE, TIE, impurity, split_worth
from trees.jit import kernel

MOST_ROUNDS = 100


@kernel
def set_levels(Z, plane, level):
    """Write the level of every row of the float64 `Z`, of shape (n_rows, n_features), into `level`.

    For a direction in place of a plane: what a unit step along it adds to the level.
    """
    n_features = Z.shape[1]
    for i in range(len(Z)):
        level[i] = -plane[n_features]
        for f in range(n_features):
            level[i] += plane[f] * Z[i, f]


@kernel
def worth_of_sides(sides, size, search, terms):
    """Return the worth of a split with the float64 class weights `sides`, of shape (2, n_classes)."""
    left = 0.0
    for c in range(sides.shape[1]):
        left += sides[0, c]
    right = size - left
    if left < search.min_leaf or right < search.min_leaf or left <= 0.0 or right <= 0.0:
        return NONE
    inside = impurity(sides[0], left, search.criterion, terms)
    inside += impurity(sides[1], right, search.criterion, terms)
    both = sides[2]
    for c in range(sides.shape[1]):
        both[c] = sides[0, c] + sides[1, c]
    whole = impurity(both, size, search.criterion, terms)
    return split_worth((whole - inside) / size, left, right, search.by_ratio)


@kernel
def worth_of_levels(level, classes, weight, size, search, terms, sides):
    """Return the worth of the split at level 0; the float64 `sides`, of shape (3, n_classes), is scratch."""
    sides[:] = 0.0
    for i in range(len(level)):
        sides[0 if level[i] <= 0.0 else 1, classes[i]] += weight[i]
    return worth_of_sides(sides, size, search, terms)


@kernel
def best_step(level, slope, classes, weight, size, search, terms, sides, step):
    """Return (greatest worth, step) over the middles between the steps at which rows change sides.

    `step`, a place per row, is scratch. Rows that no step moves stay where they are; of equal middles the
    lowest wins.
    """
    sides[:] = 0.0
    for i in range(len(level)):
        if slope[i] == 0.0:
            step[i] = math.inf
            side = 0 if level[i] <= 0.0 else 1
        else:
            step[i] = -level[i] / slope[i]
            # far below all steps a row that rises is on the left
            side = 0 if slope[i] > 0.0 else 1
        sides[side, classes[i]] += weight[i]
    order = np.argsort(step)
    worth, best = NONE, 0.0
    for k in range(len(order) - 1):
        i = order[k]
        if step[i] == math.inf:
            break
        side = 0 if slope[i] > 0.0 else 1
        sides[side, classes[i]] -= weight[i]
        sides[1 - side, classes[i]] += weight[i]
        after = step[order[k + 1]]
        if after == math.inf or after <= step[i]:
            continue
        middle = step[i] + (after - step[i]) / 2
        if middle <= step[i] or middle >= after:
            continue
        rival = worth_of_sides(sides, size, search, terms)
        if rival > worth + TIE:
            worth, best = rival, middle
    return worth, best


@kernel
def descend(Z, classes, weight, size, search, terms, plane, worth, state, work):
    """Step along one coefficient after another, in random order, until no step helps; return the worth.

    Writes `plane` and advances the uint64[4] `state`. A step that changes nothing in worth is made with a
    chance of 0.3 that falls by a tenth with every one made.
    """
    level, slope, step, sides, _, turn = work
    n_features = Z.shape[1]
    chance = 0.3
    set_levels(Z, plane, level)
    for _ in range(MOST_ROUNDS):
        improved = False
        for k in range(n_features + 1):
            turn[k] = k
        for k in range(n_features, 0, -1):
            j = integer(state, k + 1)
            turn[k], turn[j] = turn[j], turn[k]
        for f in turn:
            for i in range(len(Z)):
                slope[i] = -1.0 if f == n_features else Z[i, f]
            rival, t = best_step(level, slope, classes, weight, size, search, terms, sides, step)
            better = rival > worth + TIE
            equal = not better and rival > worth - TIE
            if better or (equal and uniform(state) < chance):
                before = plane[f]
                plane[f] += t
                set_levels(Z, plane, level)
                now = worth_of_levels(level, classes, weight, size, search, terms, sides)
                if now < worth - TIE or (better and now <= worth + TIE):
                    # rounding took the gain away
                    plane[f] = before
                    set_levels(Z, plane, level)
                elif better:
                    worth, chance, improved = now, 0.3, True
                else:
                    chance *= 0.9
        if not improved:
            break
    return worth


@kernel
def improve(Z, classes, weight, search, terms, plane, n_jumps, state, work):
    """Improve a hyperplane from where it is; return its worth.

    Writes `plane` and advances the uint64[4] `state`. After each descent up to `n_jumps` jumps in random
    directions are tried in all; one that helps is followed by a new descent.
    """
    level, slope, step, sides, direction, _ = work
    n_features = Z.shape[1]
    size = 0.0
    for w in weight:
        size += w
    set_levels(Z, plane, level)
    worth = worth_of_levels(level, classes, weight, size, search, terms, sides)
    worth = descend(Z, classes, weight, size, search, terms, plane, worth, state, work)
    for _ in range(n_jumps):
        for f in range(n_features + 1):
            direction[f] = 2.0 * uniform(state) - 1.0
        set_levels(Z, plane, level)
        set_levels(Z, direction, slope)
        rival, t = best_step(level, slope, classes, weight, size, search, terms, sides, step)
        if rival > worth + TIE:
            for f in range(n_features + 1):
                plane[f] += t * direction[f]
            set_levels(Z, plane, level)
            worth = worth_of_levels(level, classes, weight, size, search, terms, sides)
            worth = descend(Z, classes, weight, size, search, terms, plane, worth, state, work)
    return worth
