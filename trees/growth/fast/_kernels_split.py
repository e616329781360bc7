# mypy: allow-untyped-defs
"""Opening a pending node and sharing its rows out to the branches of its test."""

from __future__ import annotations

import numpy as np

from trees.growth.fast.workspace import N_NODES, N_PENDING
from trees.growth.tree import LEAF
from trees.jit import kernel


@kernel
def open_slice(entry, row, weight):
    """Bring the share of the missing rows beside the node's own; return (start, end) of all its rows.

    The node's rows are the last ones in use, so there is room behind them. Where the missing rows stand
    directly before them no other node waits for these any more, and their weights are written in place.
    """
    start, end = entry.start, entry.end
    n_missing = entry.missing_end - entry.missing_start
    if n_missing > 0:
        target = entry.missing_start if entry.missing_end == start else end
        for i in range(n_missing):
            row[target + i] = row[entry.missing_start + i]
            weight[target + i] = weight[entry.missing_start + i] * entry.factor
        start, end = min(start, target), max(end, target + n_missing)
    return start, end


@kernel
def count_classes(y, row, weight, classes, frequency):
    """Write the class of every row, and the weight per class into float64 `frequency`.

    Returns (sum of the weights, whether one differs from 1).
    """
    for c in range(len(frequency)):
        frequency[c] = 0.0
    total = 0.0
    weighted = False
    for i in range(len(row)):
        c = y[np.uint64(row[i])]
        classes[i] = c
        frequency[np.uint64(c)] += weight[i]
        total += weight[i]
        weighted |= weight[i] != 1.0
    return total, weighted


@kernel
def move_to_block(ranks, y, attributes, row, block, block_y):
    """Copy ranks and classes of a node's rows side by side and renumber the rows 0, 1, 2, ...

    All nodes below find their cells in this small `block`, which is then overwritten.
    """
    for k in range(len(attributes)):
        a = np.uint64(attributes[k])
        column, target = ranks[a], block[a]
        for i in range(len(row)):
            target[i] = column[np.uint64(row[i])]
    for i in range(len(row)):
        block_y[i] = y[np.uint64(row[i])]
        row[i] = i


@kernel
def set_leaf(node, total, frequency):
    """Make a node a leaf of the first of its greatest classes; return whether no other class has weight."""
    label = 0
    for c in range(len(frequency)):
        if frequency[c] > frequency[label]:
            label = c
    node.label = label
    node.weight = total
    node.errors = total - frequency[label]
    return frequency[label] == total


@kernel
def add_children(node, n_branches, nodes, class_weight, state):
    """Append the branches of a node as empty leaves with its label and class weights."""
    first = state[N_NODES]
    parent = nodes[node]
    for number in range(first, first + n_branches):
        child = nodes[number]
        child.kind = LEAF
        child.attribute = -1
        child.n_children = 0
        child.label = parent.label
        child.weight = 0.0
        child.errors = 0.0
        for c in range(class_weight.shape[1]):
            class_weight[number, c] = class_weight[node, c]
    parent.first = first
    parent.n_children = n_branches
    state[N_NODES] = first + n_branches


@kernel
def assign_slots(column, missing, cut, nominal, row, slots, sizes):
    """Write the slot of every row, 0 if its cell is missing, else branch + 1, and the rows per slot."""
    for s in range(len(sizes)):
        sizes[s] = 0
    for i in range(len(row)):
        rank = np.int64(column[np.uint64(row[i])])
        slot = np.int64(0)
        if rank != missing:
            slot = rank + 1 if nominal else np.int64(1) + (rank > cut)
        slots[i] = slot
        sizes[np.uint64(slot)] += 1


@kernel
def weigh_slots(weight, slots, total, share):
    """Write the weight of every branch over the known weight, which is `total` without slot 0."""
    for slot in range(len(share)):
        share[slot] = 0.0
    for i in range(len(weight)):
        share[slots[i]] += weight[i]
    known = total - share[0]
    for slot in range(1, len(share)):
        share[slot] /= known


@kernel
def push_branches(first, start, depth, in_block, active, n_active, sizes, share, position, pending, state):
    """Push the branches with rows and write where their slots start, relative to `start`.

    The largest goes first: it stands directly behind the missing rows and is evaluated last, when nothing
    else needs them. Every branch starts where the one pushed before it ends, so that behind the top branch
    no row is in use.
    """
    biggest = 0
    for branch in range(1, len(sizes) - 1):
        if sizes[branch + 1] > sizes[biggest + 1]:
            biggest = branch
    at = sizes[0]
    position[0] = 0
    for step in range(len(sizes)):
        branch = biggest if step == 0 else step - 1
        size = sizes[branch + 1]
        if size == 0 or (step > 0 and branch == biggest):
            continue
        entry = pending[state[N_PENDING]]
        entry.node = first + branch
        entry.start = start + at
        entry.end = start + at + size
        entry.missing_start = start
        entry.missing_end = start + sizes[0]
        entry.active = active
        entry.n_active = n_active
        entry.depth = depth
        entry.in_block = in_block
        entry.factor = share[branch + 1]
        state[N_PENDING] += 1
        position[branch + 1] = at
        at += size


@kernel
def share_out(row, weight, slots, position, spare, spare_weight):
    """Sort int32 rows and float64 weights stably by slot; `position` holds where the slots start."""
    for i in range(len(row)):
        slot = np.uint64(slots[i])
        at = np.uint64(position[slot])
        position[slot] += 1
        spare[at] = row[i]
        spare_weight[at] = weight[i]
    for i in range(len(row)):
        row[i] = spare[i]
        weight[i] = spare_weight[i]
