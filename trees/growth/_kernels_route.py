# mypy: allow-untyped-defs
"""The weight of rows at every node of a tree, not at the leaves alone."""

import math

import numpy as np

from trees.jit import kernel

NOMINAL, NUMERIC = 1, 2


@kernel
def branch_of(cells, node, walk):
    """Return the branch that a row's float64 cells take at an inner node, -1 if none is theirs."""
    cell = cells[walk.attribute[node]]
    if math.isnan(cell):
        return -1
    if walk.kind[node] == NUMERIC:
        return 0 if cell <= walk.threshold[node] else 1
    code = np.int64(cell)
    if walk.kind[node] == NOMINAL:
        return code
    return np.int64(walk.group[walk.group_start[node] + code])


@kernel
def count_nodes(X, classes, weight, walk, counts, waiting, part):
    """Add the weight of every row to the float64 (node, class) `counts` of all nodes that it reaches.

    Rows without a branch go down those with a `walk.share` above 0. The int32 `waiting` and float64 `part`,
    one place per node, hold the nodes still to visit with a row and the part of its weight.
    """
    for i in range(len(X)):
        waiting[0], part[0] = 0, weight[i]
        n_waiting = 1
        while n_waiting > 0:
            n_waiting -= 1
            node, w = waiting[n_waiting], part[n_waiting]
            counts[node, classes[i]] += w
            start, end = walk.child_start[node], walk.child_start[node + 1]
            if start == end:
                continue
            branch = branch_of(X[i], node, walk)
            if branch >= 0:
                waiting[n_waiting], part[n_waiting] = walk.child[start + branch], w
                n_waiting += 1
                continue
            for k in range(start, end):
                if walk.share[k] > 0.0:
                    waiting[n_waiting], part[n_waiting] = walk.child[k], w * walk.share[k]
                    n_waiting += 1
