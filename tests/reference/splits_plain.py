"""The best split of some rows by plain enumeration: the twin of `trees.growth.generic._kernels_split`."""

import itertools
import math

import numpy as np

TIE = 1e-10


def impurity(weights, criterion):
    total = sum(weights)
    shares = [w / total for w in weights if w > 0]
    if criterion == "error_rate":
        return 1 - max(shares)
    if criterion == "gini":
        return 1 - sum(p * p for p in shares)
    return -sum(p * math.log2(p) for p in shares)


def judge(branches, options):
    """Return (worth, decrease) of lists of class weights, None if not admissible."""
    sizes = [sum(branch) for branch in branches]
    if min(sizes) < options.min_leaf:
        return None
    total = sum(sizes)
    whole = [sum(column) for column in zip(*branches, strict=True)]
    decrease = impurity(whole, options.criterion) - sum(
        size / total * impurity(branch, options.criterion)
        for size, branch in zip(sizes, branches, strict=True)
    )
    if options.criterion != "gain_ratio":
        return decrease, decrease
    return decrease / impurity(sizes, "entropy"), decrease


def add(parts):
    return [sum(column) for column in zip(*parts, strict=True)]


def numeric_splits(values, groups, options):
    """Yield (cut between values, branches)."""
    total = sum(map(sum, groups))
    wanted = []
    if options.thresholds != "all":
        for i in range(1, options.thresholds):
            end = total * i / options.thresholds
            wanted.append(float(np.rint(end)) if total == round(total) else end)
    below = 0.0
    for g in range(len(groups) - 1):
        before, below = below, below + sum(groups[g])
        if options.thresholds == "all" or any(before < end - 1e-9 <= below for end in wanted):
            yield (values[g], values[g + 1]), [add(groups[: g + 1]), add(groups[g + 1 :])]


def nominal_splits(values, groups, options):
    """Yield (branch of every value met, branches); only for few values."""
    n = len(groups)
    if options.nominal_split == "multiway":
        yield dict(zip(values, range(n), strict=True)), groups
    elif options.nominal_split == "one_vs_rest":
        for g in range(n):
            rest = groups[:g] + groups[g + 1 :]
            yield {v: int(k != g) for k, v in enumerate(values)}, [groups[g], add(rest)]
    else:
        for bits in itertools.product((0, 1), repeat=n - 1):
            # the last value is the highest bit; the first value is always in branch 0
            side = [0, *reversed(bits)]
            if any(side):
                left = add([groups[k] for k in range(n) if not side[k]])
                right = add([groups[k] for k in range(n) if side[k]])
                yield dict(zip(values, side, strict=True)), [left, right]


def best_split(table, rows, weight, options):
    """Return (attribute, what, worth, decrease), `what` a cut or a dict of branches; None without a split."""
    best = None
    for a, attribute in enumerate(table.schema.attributes):
        cells = table.X[rows, a]
        values = sorted({float(c) for c in cells if not math.isnan(c)})
        if len(values) < 2:
            continue
        groups = [
            [float(weight[(cells == v) & (table.y[rows] == c)].sum()) for c in range(table.n_classes)]
            for v in values
        ]
        share = sum(map(sum, groups)) / weight.sum()
        splits = nominal_splits if attribute.is_nominal else numeric_splits
        own = None
        for what, branches in splits(values, groups, options):
            judged = judge(branches, options)
            if judged is not None and (own is None or judged[0] > own[2] + TIE):
                own = (a, what, *judged)
        if own is not None and (best is None or own[2] * share > best[2] + TIE):
            best = (a, own[1], own[2] * share, own[3] * share)
    return best
