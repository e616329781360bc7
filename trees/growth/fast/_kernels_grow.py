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
def room(pending, state, n_rows, n_nodes, n_active, most_branches):
    """Return DONE if the node on top and all it may push fit into arrays that long, else what is short."""
    entry = pending[state[N_PENDING] - 1]
    if state[N_NODES] + most_branches > n_nodes:
        return NEEDS_NODES
    if state[N_PENDING] + most_branches > len(pending):
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
def open_node(y, settings, scratch, nodes, class_weight, row, weight, pending, state):
    """Pop a pending node, gather its rows, count them and make it a leaf.

    Returns (start and end of its rows, their weight, whether one weight differs from 1, whether it may be
    split). `y` holds the classes by the numbers that the node's rows have.
    """
    state[N_PENDING] -= 1
    entry = pending[state[N_PENDING]]
    start, end = open_slice(entry, row, weight)
    frequency = class_weight[entry.node]
    total, weighted = count_classes(y, row[start:end], weight[start:end], scratch.work[CLASSES], frequency)
    pure = set_leaf(nodes[entry.node], total, frequency)
    splits = not (pure or total < 2 * settings.min_cases or entry.depth >= settings.max_depth)
    return start, end, total, weighted, splits


@kernel
def find_tests(tested, ranks, row, weight, total, weighted, frequency, training, columns, scratch, left):
    """Write the tests of the int32 attributes `tested` into their records.

    Writes those that vary among the rows into int32 `left` and returns how many. The work space holds the
    classes of the rows, float64 `frequency` their weight per class. Attributes do not depend on each other.
    """
    settings, terms, fixed = training.settings[0], training.terms, training.fixed
    work, mass, per_class = scratch.work, scratch.mass[0], scratch.per_class
    for c in range(len(frequency)):
        per_class[NODE_ROWS, c] = np.int64(frequency[c])
    n_left = np.int64(0)
    for i in range(len(tested)):
        a = np.int64(tested[i])
        by_table = columns[a].n_ranks * settings.n_classes <= 2 * len(row) + 64
        n_known = np.int64(0)
        if not by_table:
            payload = work[PLACES] if weighted else work[CLASSES]
            n_known = sorted_keys(
                ranks[a], settings.missing, row, payload, work[CELLS], work[SPARE], scratch.digits
            )
        if weighted:
            constant = weighted_test(
                columns[a], ranks[a], by_table, n_known, row, weight, total, settings,
                work, mass, scratch.heights, scratch.class_mass,
            )  # fmt: skip
        else:
            constant = unit_test(
                columns[a], ranks[a], by_table, n_known, row, settings, terms, fixed,
                work, scratch.histogram, per_class,
            )  # fmt: skip
        if not constant:
            left[n_left] = a
            n_left += 1
    return n_left


@kernel
def split_node(
    start, end, n_left, in_block, ranks, settings, columns, scratch,
    nodes, class_weight, row, weight, pending, active, state,
):  # fmt: skip
    """Choose among the tests of the node popped last and push its branches; without a test it stays a leaf.

    The `n_left` attributes that vary stand in `active` behind those that were tested.
    """
    entry = pending[state[N_PENDING]]
    number, depth, at = entry.node, entry.depth + 1, entry.active + entry.n_active
    left = active[at:]
    a = choose(left[:n_left], columns, settings.use_gain)
    if a >= 0:
        n_left = set_test(nodes[number], a, columns[a], left, n_left)
        split(
            number, columns[a], ranks[a], settings.missing, start, depth, in_block, at, n_left,
            nodes, class_weight, row[start:end], weight[start:end],
            scratch.slots, scratch.share, scratch.work, scratch.mass[1], pending, state,
        )  # fmt: skip


@kernel
def grow(training, columns, scratch, block, nodes, class_weight, row, weight, pending, active, state):
    """Evaluate pending nodes until none is left (DONE) or arrays are too short; writes all but `training`.

    Nodes do not depend on each other: the order of evaluation decides their numbers only.
    """
    settings, ranks, y = training.settings[0], training.ranks, training.y
    most_branches = len(scratch.share) - 1
    while state[N_PENDING] > 0:
        status = room(pending, state, len(row), len(nodes), len(active), most_branches)
        if status != DONE:
            return status
        entry = pending[state[N_PENDING] - 1]
        in_block = entry.in_block
        start, end, total, weighted, splits = open_node(
            block.y if in_block else y, settings, scratch, nodes, class_weight, row, weight, pending, state
        )
        if not splits:
            continue
        own_row, own_weight = row[start:end], weight[start:end]
        tested = active[entry.active : entry.active + entry.n_active]
        if not in_block and len(own_row) <= len(block.y):
            move_to_block(ranks, y, tested, own_row, block.cells, block.y)
            in_block = np.int64(1)
        here = block.ranks if in_block else ranks
        n_left = find_tests(
            tested, here, own_row, own_weight, total, weighted, class_weight[entry.node],
            training, columns, scratch, active[entry.active + entry.n_active :],
        )  # fmt: skip
        split_node(
            start, end, n_left, in_block, here, settings, columns, scratch,
            nodes, class_weight, row, weight, pending, active, state,
        )  # fmt: skip
    return DONE
