# mypy: allow-untyped-defs, no-check-untyped-defs
"""How many rules a search would find, from random ways down its tree."""

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
def choose(level, covered, depth, random):
    """Set the cursor of a level at random, later for fewer and larger ones; return one by the probability."""
    n, first = level[depth, N_EXTENSIONS], level[depth, EXTENSIONS]
    total = 0.0
    for e in range(n - 1):
        total += (n - 1.0 - e) * covered[first + e]
    left = total * uniform(random)
    chosen = n - 2
    for e in range(n - 1):
        left -= (n - 1.0 - e) * covered[first + e]
        if left < 0:
            chosen = e
            break
    level[depth, CURSOR] = chosen
    return total / ((n - 1.0 - chosen) * covered[first + chosen])


@kernel
def probe(problem, stack, random, n_rules):
    """Walk down once and add to `n_rules` (float64 by length) what the way makes believe; False for no room.

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
        weight *= choose(level, covered, depth, random)
        begin_level(level, depth)
        narrow(level, segment_class, segment_end, rank, covered, counts, bits, least, least_covered, depth)
        depth += 1
