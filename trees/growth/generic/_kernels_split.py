# mypy: allow-untyped-defs
"""The best split of a node under any criterion: cuts, a branch per value, groups of values.

Groups are the distinct known ranks of an attribute in the node, ascending; row g of the float64 array
`weights` holds the weight per class of group g. An impurity comes times the weight of its set, so that the
decrease of a split is a difference of sums.
"""

import math

import numpy as np

from trees.growth.generic._kernels_subset import best_subset
from trees.growth.generic._kernels_worth import NONE, TIE, impurity, split_worth
from trees.jit import kernel

NO_SPLIT, CUT, BRANCHES, SUBSETS = 0, 1, 2, 3


@kernel
def group_by_table(column, missing, rows, classes, weight, n_ranks, slots, ranks, weights):
    """Group rows through the int64 table `slots`, a place per rank; return (number of groups, known weight).

    Writes the int64 `ranks` and the float64 `weights` of the groups; `slots` holds -1 before and after.
    """
    known = 0.0
    for i in range(len(rows)):
        rank = np.int64(column[np.uint64(rows[i])])
        if rank != missing:
            slots[rank] = 0
            known += weight[i]
    n_groups = 0
    for r in range(n_ranks):
        if slots[r] == 0:
            slots[r] = n_groups
            ranks[n_groups] = r
            weights[n_groups, :] = 0.0
            n_groups += 1
    for i in range(len(rows)):
        rank = np.int64(column[np.uint64(rows[i])])
        if rank != missing:
            weights[slots[rank], classes[np.uint64(rows[i])]] += weight[i]
    for g in range(n_groups):
        slots[ranks[g]] = -1
    return n_groups, known


@kernel
def group_by_sort(column, missing, rows, classes, weight, keys, ranks, weights):
    """Group rows by sorting int64 keys rank << 32 | position; return (number of groups, known weight).

    Writes the int64 `ranks` and the float64 `weights` of the groups, and uses `keys`.
    """
    n_known = 0
    known = 0.0
    for i in range(len(rows)):
        rank = np.int64(column[np.uint64(rows[i])])
        if rank != missing:
            keys[n_known] = rank << 32 | i
            known += weight[i]
            n_known += 1
    sorted_keys = keys[:n_known]
    sorted_keys.sort()
    n_groups = 0
    for k in range(n_known):
        rank = sorted_keys[k] >> 32
        i = sorted_keys[k] & 0xFFFFFFFF
        if n_groups == 0 or ranks[n_groups - 1] != rank:
            ranks[n_groups] = rank
            weights[n_groups, :] = 0.0
            n_groups += 1
        weights[n_groups - 1, classes[np.uint64(rows[i])]] += weight[i]
    return n_groups, known


@kernel
def group_rows(a, data, rows, weight, scratch):
    """Group the rows with a known rank of attribute `a`; return (number of groups, known weight)."""
    n_ranks = np.int64(data.n_ranks[a])
    column = data.ranks[a]
    if n_ranks <= 4 * len(rows) + 64:
        return group_by_table(
            column,
            data.missing,
            rows,
            data.classes,
            weight,
            n_ranks,
            scratch.slots,
            scratch.ranks,
            scratch.weights,
        )
    return group_by_sort(
        column, data.missing, rows, data.classes, weight, scratch.keys, scratch.ranks, scratch.weights
    )


@kernel
def part_end(known, part, parts):
    """Return the weight in the first `part` of `parts` equal parts, rounded if the whole is a count."""
    end = known * part / parts
    return np.rint(end) if known == np.rint(known) else end


@kernel
def best_cut(n_groups, known, search, terms, scratch):
    """Return (worth, decrease, last group below) of the best cut, the lowest of equals; `NONE` without one.

    With `search.parts` > 0 only the cuts behind the first groups that fill i / parts of the weight are tried.
    The float64 `left` and `right` hold the weight per class up to the current cut and behind it.
    """
    weights, left, right = scratch.weights, scratch.left, scratch.right
    for c in range(len(left)):
        left[c] = 0.0
        right[c] = scratch.total[c]
    whole = impurity(right, known, search.criterion, terms)
    worth, decrease, at = NONE, 0.0, -1
    part = 1
    below = 0.0
    for g in range(n_groups - 1):
        for c in range(len(left)):
            w = weights[g, c]
            if w != 0.0:
                left[c] += w
                right[c] -= w
                below += w
        if search.parts > 0:
            tried = False
            while part < search.parts and below >= part_end(known, part, search.parts) - 1e-9:
                tried = True
                part += 1
            if not tried:
                continue
        above = known - below
        if below < search.min_leaf or above < search.min_leaf:
            continue
        inside = impurity(left, below, search.criterion, terms)
        inside += impurity(right, above, search.criterion, terms)
        gained = (whole - inside) / known
        rival = split_worth(gained, below, above, search.by_ratio)
        if rival > worth + TIE:
            worth, decrease, at = rival, gained, g
    return worth, decrease, at


@kernel
def all_branches(n_groups, known, search, terms, scratch):
    """Return (worth, decrease) of a branch per group; worth `NONE` if it is not admissible."""
    weights = scratch.weights
    inside = 0.0
    information = 0.0
    for g in range(n_groups):
        size = scratch.sizes[g]
        if size < search.min_leaf:
            return NONE, 0.0
        inside += impurity(weights[g], size, search.criterion, terms)
        information -= size / known * math.log2(size / known)
    decrease = (impurity(scratch.total, known, search.criterion, terms) - inside) / known
    return (decrease / information if search.by_ratio else decrease), decrease


@kernel
def sum_groups(n_groups, scratch):
    """Write the weight per class into the float64 `scratch.total` and per group into `scratch.sizes`."""
    total, sizes = scratch.total, scratch.sizes
    total[:] = 0.0
    for g in range(n_groups):
        sizes[g] = 0.0
        for c in range(len(total)):
            total[c] += scratch.weights[g, c]
            sizes[g] += scratch.weights[g, c]


@kernel
def evaluate(a, n_groups, known, data, search, scratch, branch):
    """Return (worth, decrease, kind, group) of the best split of one attribute with at least two groups.

    For a `CUT` the group is the last one below; for `SUBSETS` the int32 `branch` gets a branch per group.
    """
    sum_groups(n_groups, scratch)
    if not data.nominal[a]:
        worth, decrease, at = best_cut(n_groups, known, search, data.terms, scratch)
        return worth, decrease, CUT, at
    if search.subsets == 0:
        worth, decrease = all_branches(n_groups, known, search, data.terms, scratch)
        return worth, decrease, BRANCHES, -1
    worth, decrease = best_subset(n_groups, known, search, data.terms, scratch, branch)
    return worth, decrease, SUBSETS, -1


@kernel
def best_split(rows, weight, active, data, search, scratch, found, next_active):
    """Find the best split of a node, of the lowest attribute among equals.

    Writes worth and decrease of the split into `found.floats`, its kind, attribute, last rank below and
    first rank above the cut into `found.ints`, for `SUBSETS` the branch of every rank (-1: none) into
    `found.branch_of_rank`. Returns the number of attributes that vary, listed in the int32 `next_active`.
    """
    floats, ints, branch_of_rank = found.floats, found.ints, found.branch_of_rank
    floats[0], floats[1] = NONE, 0.0
    ints[0], ints[1] = NO_SPLIT, -1
    n_rows = 0.0
    for w in weight:
        n_rows += w
    n_next = 0
    for a in active:
        n_groups, known = group_rows(a, data, rows, weight, scratch)
        if n_groups < 2:
            continue
        next_active[n_next] = a
        n_next += 1
        worth, decrease, kind, at = evaluate(a, n_groups, known, data, search, scratch, scratch.branch)
        share = known / n_rows
        if worth <= NONE or worth * share <= floats[0] + TIE:
            continue
        floats[0], floats[1] = worth * share, decrease * share
        ints[0], ints[1] = kind, a
        if kind == CUT:
            ints[2], ints[3] = scratch.ranks[at], scratch.ranks[at + 1]
        elif kind == SUBSETS:
            branch_of_rank[: data.n_ranks[a]] = 1 if search.subsets == 2 else -1
            for g in range(n_groups):
                branch_of_rank[scratch.ranks[g]] = scratch.branch[g]
    return n_next
