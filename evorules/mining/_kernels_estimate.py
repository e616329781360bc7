# mypy: allow-untyped-defs, no-check-untyped-defs
"""How many rules a search would find, from random ways down its tree."""

import numpy as np

from evorules.mining._kernels_search import begin_level, has_room, narrow
from evorules.mining.arrays import COUNTS, CURSOR, EXTENSIONS, N_EXTENSIONS, N_SEGMENTS
from trees._kernels_random import uniform
from trees.jit import kernel

__all__ = ["probe"]


@kernel
def count_rules(level, segment_class, covered, counts, least, confident, depth):
    """Return how many rules the extensions of a level make."""
    n_rules, n_segments = 0, level[depth, N_SEGMENTS]
    for e in range(level[depth, N_EXTENSIONS]):
        enough = confident[covered[level[depth, EXTENSIONS] + e]]
        for s in range(n_segments):
            c, count = segment_class[depth, s], counts[level[depth, COUNTS] + e * n_segments + s]
            n_rules += c >= 0 and count >= enough and count >= least[c]
    return n_rules


@kernel
def weigh(level, covered, depth, linear, steep):
    """Write to both arrays (float64) how much may lie below each extension but the last; return the sums.

    `linear` goes with the number of extensions behind it and with its rows. `steep` is right if every item
    doubles what lies below with the chance that one more could follow the last item so far.
    """
    n, first = level[depth, N_EXTENSIONS], level[depth, EXTENSIONS]
    chance = 0.0
    if depth > 0:
        chance = n / (level[depth - 1, N_EXTENSIONS] - 1.0 - level[depth - 1, CURSOR])
    all_linear, all_steep = 0.0, 0.0
    for e in range(n - 1):
        linear[e] = (n - 1.0 - e) * covered[first + e]
        steep[e] = (1.0 + chance) ** -np.float64(e) * covered[first + e]
        all_linear += linear[e]
        all_steep += steep[e]
    return all_linear, all_steep


@kernel
def choose(level, covered, depth, random, linear, steep):
    """Set the cursor of a level at random; return one by the probability of the extension chosen."""
    n = level[depth, N_EXTENSIONS]
    all_linear, all_steep = weigh(level, covered, depth, linear, steep)
    left, chosen, chance = uniform(random), n - 2, 0.0
    for e in range(n - 1):
        share = 0.5 * (linear[e] / all_linear + steep[e] / all_steep)
        if share > 0:
            chosen, chance = e, share
        left -= share
        if left < 0:
            break
    level[depth, CURSOR] = chosen
    return 1.0 / chance


@kernel
def probe(problem, stack, random, n_rules, linear, steep):
    """Walk down once and add to `n_rules` (float64 by length) what the way makes believe; False for no room.

    `linear` and `steep` (float64, as long as there are frequent items) are scratch.

    Knuth, D. E. (1975). Estimating the efficiency of backtrack programs. Mathematics of Computation 29,
    122-136: a way chosen with probability p counts 1 / p times, so that the mean is right.
    """
    _, level, segment_class, segment_end, rank, covered, counts, bits, row, _, _, need = stack
    _, least, confident, least_covered, max_len = problem
    depth, weight = 0, 1.0
    while True:
        n_rules[depth] += weight * count_rules(level, segment_class, covered, counts, least, confident, depth)
        if depth + 1 >= max_len or level[depth, N_EXTENSIONS] < 2:
            return True
        if not has_room(level, depth, need, len(rank), len(counts), len(bits), len(row)):
            return False
        weight *= choose(level, covered, depth, random, linear, steep)
        begin_level(level, depth)
        narrow(level, segment_class, segment_end, rank, covered, counts, bits, least, least_covered, depth)
        depth += 1
