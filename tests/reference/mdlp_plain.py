"""Fayyad and Irani's cuts by recursion over all midpoints: the twin of `trees.discretize.mdlp`."""

import math


def entropy(classes):
    n = len(classes)
    return -sum(classes.count(c) / n * math.log2(classes.count(c) / n) for c in set(classes))


def cuts(values, classes, better_encoding=False):
    rows = sorted(zip(values, classes, strict=True))
    ys = [c for _, c in rows]
    best = None
    for i in range(len(rows) - 1):
        if rows[i][0] < rows[i + 1][0]:
            left, right = ys[: i + 1], ys[i + 1 :]
            inside = (len(left) * entropy(left) + len(right) * entropy(right)) / len(ys)
            if best is None or inside < best[0] - 1e-10:
                best = (inside, i)
    if best is None or len(set(ys)) == 1:
        return []
    inside, i = best
    left, right = ys[: i + 1], ys[i + 1 :]
    k, k1, k2 = len(set(ys)), len(set(left)), len(set(right))
    delta = math.log2(3**k - 2) - (k * entropy(ys) - k1 * entropy(left) - k2 * entropy(right))
    n_cuts = len(set(values)) - 1 if better_encoding else len(ys) - 1
    if entropy(ys) - inside <= (math.log2(n_cuts) + delta) / len(ys):
        return []
    middle = (rows[i][0] + rows[i + 1][0]) / 2
    low = [(v, c) for v, c in rows if v <= middle]
    high = [(v, c) for v, c in rows if v > middle]
    return [
        *cuts(*zip(*low, strict=True), better_encoding),
        middle,
        *cuts(*zip(*high, strict=True), better_encoding),
    ]
