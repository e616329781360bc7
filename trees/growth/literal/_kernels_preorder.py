# mypy: allow-untyped-defs
"""Numbering the nodes that are left of a tree."""

from __future__ import annotations

from trees.growth.literal.state import CHILD_COUNT, CHILD_START
from trees.jit import kernel


@kernel
def preorder(ints, child, order, stack):
    """Write the nodes reached from node 0 in pre-order into the int32 `order`; return their number.

    `ints` and `child` are those of `Nodes`; `stack`, as long as `order`, holds the nodes still to visit.
    """
    n_nodes = 0
    stack[0] = 0
    top = 0
    while top >= 0:
        node = stack[top]
        order[n_nodes] = node
        n_nodes += 1
        first, count = ints[node, CHILD_START], ints[node, CHILD_COUNT]
        for b in range(count):
            stack[top + b] = child[first + count - 1 - b]
        top += count - 1
    return n_nodes
