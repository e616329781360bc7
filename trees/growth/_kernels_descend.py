# mypy: allow-untyped-defs
"""Sending rows down a tree (C4.5 specification, section 4).

Trees come as the arrays of `trees.growth.descend.Walk`; reals are float32 for trees of mode "r8", otherwise
float64, and so are the cells of `X`, which has shape (n_rows, n_attributes).
"""

from __future__ import annotations

import numpy as np

from trees.jit import kernel

ATTRIBUTE, N_CODES, FIRST, SECOND = range(4)
"""Columns of `Walk.ints`, explained there; SECOND follows FIRST."""
BLOCK = 8


@kernel
def find_leaves(X, ints, threshold, goes, fallback, leaf):
    """Write the leaf of every row into the int32 `leaf`; -1 - node where a row must split up at a node.

    The rows of a block take one step each in turn: their steps do not wait for each other, and which child
    comes next is calculated, not branched upon. `leaf` holds the node that a row has come to.
    """
    for begin in range(0, len(X), BLOCK):
        end = min(begin + BLOCK, len(X))
        for i in range(begin, end):
            leaf[i] = 0
        moving = True
        while moving:
            moving = False
            for i in range(begin, end):
                node = leaf[i]
                if node < 0 or ints[node, ATTRIBUTE] < 0:
                    continue
                moving = True
                # as in next_node; a call from here would take ten times as long
                value = X[i, ints[node, ATTRIBUTE]]
                below = np.int32(-1)
                if ints[node, N_CODES] == 0:
                    if value == value:
                        below = ints[node, FIRST + (1 if value > threshold[node] else 0)]
                elif value >= 0 and value < ints[node, N_CODES]:
                    below = goes[ints[node, FIRST] + int(value)]
                if below < 0:
                    below = fallback[node]
                leaf[i] = below if below >= 0 else -1 - node


@kernel
def next_node(value, node, ints, threshold, goes, fallback):
    """Return the child that a cell leads to; where it is unknown the node's `fallback`, -1 for none."""
    below = np.int32(-1)
    if ints[node, N_CODES] == 0:
        if value == value:
            below = ints[node, FIRST + (1 if value > threshold[node] else 0)]
    elif value >= 0 and value < ints[node, N_CODES]:
        below = goes[ints[node, FIRST] + int(value)]
    return below if below >= 0 else fallback[node]


@kernel
def split_up(x, start, ints, threshold, goes, fallback, child_start, child, weight, nodes, parts):
    """Write the leaves that a row reaches from a node, in pre-order, and its real parts; return how many.

    The stack grows down from the end of `nodes` and `parts`, the leaves up from the start: a node has more
    leaves below than it takes places on the stack, so that they never meet.
    """
    real = parts.dtype.type
    n_leaves = 0
    top = len(nodes) - 1
    nodes[top] = start
    parts[top] = 1
    while top < len(nodes):
        node, part = nodes[top], parts[top]
        top += 1
        a = ints[node, ATTRIBUTE]
        below = next_node(x[a], node, ints, threshold, goes, fallback) if a >= 0 else -1
        if a < 0 or (below < 0 and weight[node] <= 0):
            nodes[n_leaves] = node
            parts[n_leaves] = part
            n_leaves += 1
            continue
        if below >= 0:
            top -= 1
            nodes[top] = below
            parts[top] = part
            continue
        for b in range(child_start[node + 1] - 1, child_start[node] - 1, -1):
            top -= 1
            nodes[top] = child[b]
            parts[top] = real(part * weight[child[b]]) / weight[node]
    return n_leaves


@kernel
def add_classes(
    X,
    rows,
    leaf,
    ints,
    threshold,
    goes,
    fallback,
    child_start,
    child,
    weight,
    nodes,
    parts,
    shares,
    label,
    sums,
):
    """Write the class sums of the rows that split up, listed in `rows`, into the real `sums`, one line each.

    `shares` holds the real class weights of every node, `leaf` what `find_leaves` wrote.
    """
    real = sums.dtype.type
    for r in range(len(rows)):
        i = rows[r]
        start = -1 - leaf[i]
        n_leaves = split_up(
            X[i], start, ints, threshold, goes, fallback, child_start, child, weight, nodes, parts
        )
        for k in range(n_leaves):
            node = nodes[k]
            if weight[node] > 0:
                for c in range(sums.shape[1]):
                    sums[r, c] += real(parts[k] * shares[node, c]) / weight[node]
            else:
                sums[r, label[node]] += parts[k]


@kernel
def pick_leaves(X, rows, leaf, ints, threshold, goes, fallback, child_start, child, weight, nodes, parts):
    """Write the leaf of the greatest part (first on ties) of the rows that split up into `leaf`."""
    for i in rows:
        start = -1 - leaf[i]
        n_leaves = split_up(
            X[i], start, ints, threshold, goes, fallback, child_start, child, weight, nodes, parts
        )
        best = 0
        for k in range(n_leaves):
            if parts[k] > parts[best]:
                best = k
        leaf[i] = nodes[best]
