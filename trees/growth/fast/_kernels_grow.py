# mypy: allow-untyped-defs
"""The loop over pending nodes: open a node, find its test, push its branches."""

from __future__ import annotations

import numpy as np

from trees.growth.fast._kernels_common import choose, sorted_keys
from trees.growth.fast._kernels_split import (
    add_children,
    assign_slots,
    count_classes,
    move_to_block,
    open_slice,
    push_branches,
    set_leaf,
    share_out,
    weigh_slots,
)
from trees.growth.fast._kernels_unit import NODE_ROWS, unit_test
from trees.growth.fast._kernels_weighted import weighted_test
from trees.growth.fast.workspace import (
    CELLS,
    CLASSES,
    DONE,
    N_NODES,
    N_PENDING,
    NEEDS_ACTIVE,
    NEEDS_NODES,
    NEEDS_PENDING,
    NEEDS_ROWS,
    PLACES,
    SPARE,
)
from trees.growth.tree import NOMINAL, NUMERIC
from trees.jit import kernel


@kernel
def room(entry, n_rows, n_nodes, n_pending, n_active, most_branches, state):
    """Return DONE if a pending node and all it may push fit into arrays that long, else what is short."""
    if state[N_NODES] + most_branches > n_nodes:
        return NEEDS_NODES
    if state[N_PENDING] + most_branches > n_pending:
        return NEEDS_PENDING
    if entry.end + entry.missing_end - entry.missing_start > n_rows:
        return NEEDS_ROWS
    if entry.active + 2 * entry.n_active > n_active:
        return NEEDS_ACTIVE
    return DONE


@kernel
def split(
    number, column, ranks, missing, start, depth, in_block, active, n_active,
    nodes, class_weight, row, weight, slots, share, work, spare_weight, pending, state,
):  # fmt: skip
    """Create and push the branches of a node's test, and sort its int32 rows and float64 weights by branch.

    `row` and `weight` are the node's own slices, which begin at `start`.
    """
    node = nodes[number]
    n_slots = np.int64(1) + (column.n_ranks if column.nominal else 2)
    sizes, position, shares = slots[0, :n_slots], slots[1, :n_slots], share[:n_slots]
    slot_of = work[CELLS]
    assign_slots(ranks, missing, node.below, column.nominal, row, slot_of, sizes)
    weigh_slots(weight, slot_of, node.weight, shares)
    first = state[N_NODES]
    add_children(number, n_slots - 1, nodes, class_weight, state)
    push_branches(first, start, depth, in_block, active, n_active, sizes, shares, position, pending, state)
    share_out(row, weight, slot_of, position, work[SPARE], spare_weight)


@kernel
def set_test(node, attribute, column, active, n_active):
    """Write the test into the node; take a nominal attribute off the list and return the list's length."""
    node.attribute = attribute
    node.kind = NOMINAL if column.nominal else NUMERIC
    node.below = column.below
    node.above = column.above
    if not column.nominal:
        return n_active
    n_left = 0
    for i in range(n_active):
        if active[i] != attribute:
            active[n_left] = active[i]
            n_left += 1
    return n_left


@kernel
def grow(
    ranks, y, block_ranks, columns, options, terms, fixed, most_branches,
    block, block_y, nodes, class_weight, row, weight, pending, active, state,
):  # fmt: skip
    """Evaluate pending nodes until none is left (DONE) or arrays must become longer; writes the second line.

    Nodes do not depend on each other: the order of evaluation decides their numbers only. `block_ranks` is
    a read-only view of `block`, so that it has the type of `ranks`.
    """
    settings = options[0]
    n_rows, n_classes = len(y), settings.n_classes
    work = np.empty((5, n_rows), dtype=np.int64)
    mass = np.empty((2, n_rows), dtype=np.float64)
    histogram = np.empty((1, 2 * n_rows + 64), dtype=np.int64)[0]
    heights = np.empty((1, 2 * n_rows + 64), dtype=np.float64)[0]
    for i in range(len(heights)):
        histogram[i] = 0
        heights[i] = 0.0
    for i in range(n_rows):
        work[PLACES, i] = i
    digits = np.empty((1, 2050), dtype=np.int64)[0]
    per_class = np.empty((5, n_classes), dtype=np.int64)
    class_mass = np.empty((3, n_classes), dtype=np.float64)
    slots = np.empty((2, most_branches + 1), dtype=np.int64)
    share = np.empty((1, most_branches + 1), dtype=np.float64)[0]
    while state[N_PENDING] > 0:
        entry = pending[state[N_PENDING] - 1]
        status = room(entry, len(row), len(nodes), len(pending), len(active), most_branches, state)
        if status != DONE:
            return status
        state[N_PENDING] -= 1
        node, frequency = nodes[entry.node], class_weight[entry.node]
        start, end = open_slice(entry, row, weight)
        own_row, own_weight = row[start:end], weight[start:end]
        in_block = entry.in_block
        classes_of = block_y if in_block else y
        total, weighted = count_classes(classes_of, own_row, own_weight, work[CLASSES], frequency)
        pure = set_leaf(node, total, frequency)
        if pure or total < 2 * settings.min_cases or entry.depth >= settings.max_depth:
            continue
        for c in range(n_classes):
            per_class[NODE_ROWS, c] = np.int64(frequency[c])
        tested = active[entry.active : entry.active + entry.n_active]
        if not in_block and len(own_row) <= len(block_y):
            move_to_block(ranks, y, tested, own_row, block, block_y)
            in_block = np.int64(1)
        here = block_ranks if in_block else ranks
        left = active[entry.active + entry.n_active :]
        n_left = np.int64(0)
        for i in range(len(tested)):
            a = np.int64(tested[i])
            by_table = columns[a].n_ranks * n_classes <= 2 * len(own_row) + 64
            n_known = np.int64(0)
            if not by_table:
                payload = work[PLACES] if weighted else work[CLASSES]
                n_known = sorted_keys(
                    here[a], settings.missing, own_row, payload, work[CELLS], work[SPARE], digits
                )
            if weighted:
                constant = weighted_test(
                    columns[a], here[a], by_table, n_known, own_row, own_weight, total, settings,
                    work, mass[0], heights, class_mass,
                )  # fmt: skip
            else:
                constant = unit_test(
                    columns[a], here[a], by_table, n_known, own_row, settings, terms, fixed,
                    work, histogram, per_class,
                )  # fmt: skip
            if not constant:
                left[n_left] = a
                n_left += 1
        a = choose(left[:n_left], columns, settings.use_gain)
        if a >= 0:
            n_left = set_test(node, a, columns[a], left, n_left)
            split(
                entry.node, columns[a], here[a], settings.missing, start, entry.depth + 1, in_block,
                entry.active + entry.n_active, n_left,
                nodes, class_weight, own_row, own_weight, slots, share, work, mass[1], pending, state,
            )  # fmt: skip
    return DONE
