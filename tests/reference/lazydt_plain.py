"""LazyDT by plain recursion (specification of trees, section 8): the twin of `trees._kernels_lazy`."""

import math

TIE = 1e-10


def weigh(rows, n_classes):
    """Class weights of (cells, class, weight) rows."""
    sums = [0.0] * n_classes
    for _, c, w in rows:
        sums[c] += w
    return sums


def gain_of(child, parent, penalty):
    size, kept = sum(parent), sum(child)
    if kept <= 0 or kept >= size:
        return None
    shares = [c / p for c, p in zip(child, parent, strict=True) if p > 0]
    qs = [s / sum(shares) for s in shares if s > 0]
    k = sum(p > 0 for p in parent)
    return max(math.log2(k) + sum(q * math.log2(q) for q in qs), 0.0) * (kept / size) ** penalty


def tests_of(row, rows, n_values, n_classes, options):
    """Best (gain, attribute, value, rows left) of every attribute that has an admissible test."""
    parent = weigh(rows, n_classes)
    found = []
    for a, v in enumerate(row):
        if v is None:
            continue
        if options["test"] == "eq":
            if n_values[a] < 2:
                continue
            child = [r for r in rows if r[0][a] == v]
            gain = gain_of(weigh(child, n_classes), parent, options["penalty"])
            if gain is not None:
                found.append((gain / math.log2(n_values[a]), a, v, child))
            continue
        best = None
        for w in range(n_values[a]):
            if w != v:
                child = [r for r in rows if r[0][a] is not None and r[0][a] != w]
                gain = gain_of(weigh(child, n_classes), parent, options["penalty"])
                if gain is not None and (best is None or gain > best[0] + TIE):
                    best = (gain, a, w, child)
        if best is not None:
            found.append(best)
    return found


def lazy(row, rows, n_values, n_classes, options):
    """Return (class weights of the leaf, path of (attribute, value))."""
    sums = weigh(rows, n_classes)
    if sum(s > 0 for s in sums) < 2 or sum(sums) <= options["min_split"]:
        return sums, []
    tests = tests_of(row, rows, n_values, n_classes, options)
    if not tests:
        return sums, []
    top = max(test[0] for test in tests)
    if not options["multi"]:
        _, a, v, child = next(test for test in tests if test[0] >= top - TIE)
        leaf, path = lazy(row, child, n_values, n_classes, options)
        return leaf, [(a, v), *path]
    best = None
    for gain, a, v, child in tests:
        if gain >= top * (1 - options["rate"]) - TIE:
            leaf, path = lazy(row, child, n_values, n_classes, options)
            j = leaf.index(max(leaf))
            share = leaf[j] / weigh(child, n_classes)[j]
            if best is None or share > best[0] + TIE:
                best = (share, leaf, [(a, v), *path])
    return best[1], best[2]
