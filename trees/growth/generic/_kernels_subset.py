# mypy: allow-untyped-defs
"""Binary splits of a nominal attribute: one value against the rest, or two groups of values.

Rows of the float64 `weights` are the class weights of the values met in the node, in value order; the
int32 `branch` of a split has 0 for the first of them.
"""

from trees.growth.generic._kernels_worth import NONE, TIE, impurity, split_worth
from trees.jit import kernel

ONE_VS_REST = 2


@kernel
def worth_of_left(left, known, whole, search, terms, scratch):
    """Return (worth, decrease) of the split with class weights `left` on one side; `NONE` if inadmissible."""
    right = scratch.right
    below = 0.0
    for c in range(len(left)):
        below += left[c]
        right[c] = scratch.total[c] - left[c]
    above = known - below
    if below < search.min_leaf or above < search.min_leaf:
        return NONE, 0.0
    inside = impurity(left, below, search.criterion, terms)
    inside += impurity(right, above, search.criterion, terms)
    decrease = (whole - inside) / known
    return split_worth(decrease, below, above, search.by_ratio), decrease


@kernel
def one_against_rest(n_groups, known, whole, search, terms, scratch, branch):
    """Return (worth, decrease) of the best single value against the rest; `branch` gets 0 for that value."""
    worth, decrease, best = NONE, 0.0, -1
    for g in range(n_groups):
        rival, gained = worth_of_left(scratch.weights[g], known, whole, search, terms, scratch)
        if rival > worth + TIE:
            worth, decrease, best = rival, gained, g
    for g in range(n_groups):
        branch[g] = 0 if g == best else 1
    return worth, decrease


@kernel
def all_partitions(n_groups, known, whole, search, terms, scratch, branch):
    """Return (worth, decrease) of the best of all partitions in two; the first value is in branch 0.

    Bit g - 1 of a mask puts value g in branch 1; of equal partitions the smallest mask wins.
    """
    weights, left = scratch.weights, scratch.left
    worth, decrease, best = NONE, 0.0, 0
    for mask in range(1, 1 << (n_groups - 1)):
        for c in range(len(left)):
            left[c] = weights[0, c]
        for g in range(1, n_groups):
            if not mask >> (g - 1) & 1:
                for c in range(len(left)):
                    left[c] += weights[g, c]
        rival, gained = worth_of_left(left, known, whole, search, terms, scratch)
        if rival > worth + TIE:
            worth, decrease, best = rival, gained, mask
    branch[0] = 0
    for g in range(1, n_groups):
        branch[g] = best >> (g - 1) & 1
    return worth, decrease


@kernel
def principal_scores(n_groups, known, scratch):
    """Write into `scratch.scores` the values' class shares along their first principal component.

    The component is that of the weighted covariance of the shares, found by power iteration from its
    longest column, its greatest coordinate positive.
    """
    weights, total, scores, axis = scratch.weights, scratch.total, scratch.scores, scratch.left
    n_classes = len(total)
    covariance, turned = scratch.covariance, scratch.right
    covariance[:] = 0.0
    for g in range(n_groups):
        size = scratch.sizes[g]
        for c in range(n_classes):
            for d in range(n_classes):
                shift = (weights[g, c] / size - total[c] / known) * (weights[g, d] / size - total[d] / known)
                covariance[c, d] += size * shift
    longest = 0
    for c in range(n_classes):
        if covariance[c, c] > covariance[longest, longest]:
            longest = c
    for c in range(n_classes):
        axis[c] = covariance[longest, c]
    for _ in range(100):
        for c in range(n_classes):
            turned[c] = 0.0
            for d in range(n_classes):
                turned[c] += covariance[c, d] * axis[d]
        longest = 0
        for c in range(n_classes):
            if abs(turned[c]) > abs(turned[longest]):
                longest = c
        if turned[longest] == 0.0:
            break
        for c in range(n_classes):
            axis[c] = turned[c] / abs(turned[longest])
    sign = 1.0 if axis[longest] >= 0.0 else -1.0
    for g in range(n_groups):
        along = 0.0
        for c in range(n_classes):
            along += weights[g, c] * axis[c]
        scores[g] = sign * along / scratch.sizes[g]


@kernel
def class_scores(n_groups, scratch):
    """Write into `scratch.scores` the share of the last class met in the node, for every value."""
    last = len(scratch.total) - 1
    while scratch.total[last] <= 0.0:
        last -= 1
    for g in range(n_groups):
        scratch.scores[g] = scratch.weights[g, last] / scratch.sizes[g]


@kernel
def sort_by_score(scores, n_groups, order):
    """Write the positions below `n_groups` into the int64 `order`, by score, then position (Shell sort)."""
    for k in range(n_groups):
        order[k] = k
    gap = n_groups
    while gap > 1:
        gap = max(1, gap * 5 // 11)
        for k in range(gap, n_groups):
            moved = order[k]
            i = k
            while i >= gap and (
                scores[order[i - gap]] > scores[moved]
                or (scores[order[i - gap]] == scores[moved] and order[i - gap] > moved)
            ):
                order[i] = order[i - gap]
                i -= gap
            order[i] = moved


@kernel
def prefixes(n_groups, known, whole, search, terms, scratch, branch):
    """Return (worth, decrease) of the best cut of the values in order of `scratch.scores`."""
    weights, left = scratch.weights, scratch.left
    order = scratch.order
    sort_by_score(scratch.scores, n_groups, order)
    worth, decrease, size = NONE, 0.0, 1
    left[:] = 0.0
    for k in range(n_groups - 1):
        for c in range(len(left)):
            left[c] += weights[order[k], c]
        rival, gained = worth_of_left(left, known, whole, search, terms, scratch)
        if rival > worth + TIE:
            worth, decrease, size = rival, gained, k + 1
    for k in range(n_groups):
        branch[order[k]] = 0 if k < size else 1
    if branch[0] == 1:
        for g in range(n_groups):
            branch[g] = 1 - branch[g]
    return worth, decrease


@kernel
def best_subset(n_groups, known, search, terms, scratch, branch):
    """Return (worth, decrease) of the best binary split of the values, and write its branches.

    Two classes: some cut of the values ordered by class share is optimal for a concave impurity (Breiman et
    al. 1984, section 4.2.2). More classes or a ratio: all partitions of up to `search.most_values` values,
    beyond that the cuts along the first principal component (Coppersmith, Hong and Hosking 1999).
    """
    whole = impurity(scratch.total, known, search.criterion, terms)
    if search.subsets == ONE_VS_REST:
        return one_against_rest(n_groups, known, whole, search, terms, scratch, branch)
    present = 0
    for t in scratch.total:
        present += t > 0.0
    two_classes = present <= 2
    if two_classes and not search.by_ratio:
        class_scores(n_groups, scratch)
    elif n_groups <= search.most_values:
        return all_partitions(n_groups, known, whole, search, terms, scratch, branch)
    elif two_classes:
        class_scores(n_groups, scratch)
    else:
        principal_scores(n_groups, known, scratch)
    return prefixes(n_groups, known, whole, search, terms, scratch, branch)
