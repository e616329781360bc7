# mypy: allow-untyped-defs
"""Sending rows down a tree (C4.5 specification, section 4).

Trees come as the arrays of `trees.growth.descend.Walk`; reals are float32 for trees of mode "r8", otherwise
float64, and so are the cells of `X`, which has shape (n_rows, n_attributes).
"""

from __future__ import annotations

import numpy as np

from trees.jit import kernel

ATTRIBUTE, N_CODES, FIRST, SECOND = range(4)
"""Columns of `Walk.ints`, explained there."""


@kernel
def next_node(value, node, ints, threshold, goes, fallback):
    """Return the child that a cell leads to; where it is unknown the node's `fallback`, -1 for none."""
    if ints[node, N_CODES] == 0:
        if value <= threshold[node]:
            return ints[node, FIRST]
        if value > threshold[node]:
            return ints[node, SECOND]
        return fallback[node]
    if value >= 0 and value < ints[node, N_CODES]:
        below = goes[ints[node, FIRST] + int(value)]
        if below >= 0:
            return below
    return fallback[node]


@kernel
def find_leaves(X, ints, threshold, goes, fallback, leaf):
    """Write the leaf of every row into the int32 `leaf`; -1 - node where a row must split up at a node."""
    for i in range(len(X)):
        x = X[i]
        node = np.int32(0)
        a = ints[node, ATTRIBUTE]
        while a >= 0:
            below = next_node(x[a], node, ints, threshold, goes, fallback)
            if below < 0:
                node = -1 - node
                break
            node = below
            a = ints[node, ATTRIBUTE]
        leaf[i] = node


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
        if a < 0:
            nodes[n_leaves] = node
            parts[n_leaves] = part
            n_leaves += 1
            continue
        below = next_node(x[a], node, ints, threshold, goes, fallback)
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
