# mypy: allow-untyped-defs
"""From nodes in order of creation to the finished tree: collapse useless subtrees, renumber in pre-order."""

from __future__ import annotations

from trees.growth.fast._kernels_common import EPSILON
from trees.growth.tree import LEAF
from trees.jit import kernel


@kernel
def sum_errors(nodes, collapse):
    """Add the errors up from the leaves; with `collapse`, make nodes leaves again whose tests save no error.

    Children have greater numbers than their parent, so that going down the numbers finishes them first.
    """
    for number in range(len(nodes) - 1, -1, -1):
        node = nodes[number]
        if node.kind == LEAF:
            continue
        as_leaf = node.errors
        node.errors = 0.0
        for child in range(node.first, node.first + node.n_children):
            node.errors += nodes[child].errors
        if collapse and node.errors >= as_leaf - EPSILON:
            node.kind = LEAF
            node.attribute = -1
            node.n_children = 0


@kernel
def number_nodes(nodes, order, number, stack):
    """Write the nodes below node 0 in pre-order to `order`, their new numbers to `number`; return how many.

    All three arrays are int32; `stack` holds the nodes to visit, at most one per node.
    """
    stack[0] = 0
    top = 1
    n_kept = 0
    while top > 0:
        top -= 1
        old = stack[top]
        order[n_kept] = old
        number[old] = n_kept
        n_kept += 1
        node = nodes[old]
        for child in range(node.first + node.n_children - 1, node.first - 1, -1):
            stack[top] = child
            top += 1
    return n_kept
