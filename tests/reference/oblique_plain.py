"""The best step of a hyperplane along a direction by trying all middles: the twin of `best_step`."""

import itertools

from tests.reference.splits_plain import TIE, judge


def best_step(level, slope, classes, weight, n_classes, options):
    """Return (worth, step), worth None without an admissible step."""
    turning = sorted({-v / d for v, d in zip(level, slope, strict=True) if d != 0})
    best = None
    for low, high in itertools.pairwise(turning):
        step = low + (high - low) / 2
        if not low < step < high:
            continue
        sides = [[0.0] * n_classes, [0.0] * n_classes]
        for v, d, c, w in zip(level, slope, classes, weight, strict=True):
            # a row that does not move keeps its side whatever the step
            sides[0 if (v if d == 0 else v + step * d) <= 0 else 1][c] += w
        if min(map(sum, sides)) <= 0:
            continue
        judged = judge(sides, options)
        if judged is not None and (best is None or judged[0] > best[0] + TIE):
            best = (judged[0], step)
    return best or (None, 0.0)
