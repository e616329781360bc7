# mypy: allow-untyped-defs
"""Pessimistic pruning where all rows have known cells and whole weights, so that sums are exact in any order.

The largest branch in its parent's place differs from itself by the rows of its sisters only: these alone fall
through it, and only the nodes that they reach are estimated again. Node arrays are those of
`trees.growth.literal.state.Nodes` in float64. A test of column a is ranks[a] <= cut, or one branch per rank
where the int64 `cuts` has NOMINAL_CUT. The rows below a node are LOW..HIGH - 1 of its int64 `slices`, a slice
of the int32 rows in `order`; a node without rows has no class weights.
"""

from __future__ import annotations

import numpy as np

from trees.growth.literal._kernels_info import copy_row
from trees.growth.literal.state import ATTRIBUTE, CHILD_COUNT, CHILD_START, ERRORS, KIND, LABEL, WEIGHT
from trees.growth.tree import LEAF
from trees.jit import kernel
from trees.pruning._kernels_pessimistic import TOLERANCE, added_errors, make_leaf

NOMINAL_CUT = -2
LOW, HIGH = range(2)
FIRST, LAST, REPLACED = range(3)
"""Columns of the int64 frames: part of the list of nodes that is still to be estimated, from its end on; the
node in whose place the first of them comes, -1 if none."""
VISITS, FOUND, STACK = range(3)
"""Rows of the int32 lists of nodes."""
ORDER, FALLING, BRANCHES, SPARE = range(4)
"""Rows of the int32 lists of rows: all, sorted by leaf; those of the sisters; room for sorting."""


@kernel
def assign_branches(column, cut, order, branches):
    """Write the branch of every row of `order` at a test of a column of ranks into the int32 `branches`."""
    for i in range(len(order)):
        rank = np.int64(column[np.uint64(order[i])])
        branches[i] = rank if cut == NOMINAL_CUT else np.int64(rank > cut)


@kernel
def distribute(top_node, ranks, order, slices, ints, cuts, child, visits, stack, branches, spare):
    """Sort a node's slice of rows by the leaves below it and write the slices of the nodes there.

    Lists the nodes with rows in pre-order in the int32 `visits` and returns their number. Below a node
    without rows slices stay as they are.
    """
    stack[0] = top_node
    n_stacked, n_visits = 1, 0
    while n_stacked > 0:
        n_stacked -= 1
        node = np.int64(stack[n_stacked])
        low, high = slices[node, LOW], slices[node, HIGH]
        if low == high:
            continue
        visits[n_visits] = node
        n_visits += 1
        if ints[node, KIND] == LEAF:
            continue
        children = child[ints[node, CHILD_START] : ints[node, CHILD_START] + ints[node, CHILD_COUNT]]
        assign_branches(ranks[ints[node, ATTRIBUTE]], cuts[node], order[low:high], branches)
        for b in range(len(children)):
            slices[children[b], HIGH] = 0
        for i in range(high - low):
            slices[children[branches[i]], HIGH] += 1
        start = low
        for b in range(len(children)):
            size = slices[children[b], HIGH]
            slices[children[b], LOW] = start
            slices[children[b], HIGH] = start
            start += size
        for i in range(low, high):
            below = children[branches[i - low]]
            spare[slices[below, HIGH]] = order[i]
            slices[below, HIGH] += 1
        for i in range(low, high):
            order[i] = spare[i]
        for b in range(len(children) - 1, -1, -1):
            stack[n_stacked] = children[b]
            n_stacked += 1
    return n_visits


@kernel
def add_weights(order, first, last, y, weight, sign, counts):
    """Add the weights of the rows order[first..last - 1], times `sign`, to the float64 class weights."""
    for i in range(first, last):
        row = order[i]
        counts[y[row]] += sign * weight[row]


@kernel
def leaf_estimate(label, counts, level):
    """Return (class, weight, estimated errors) of a leaf of float64 class weights; ties keep the `label`."""
    total = 0.0
    for c in range(len(counts)):
        total += counts[c]
        if counts[c] > counts[label]:
            label = np.int64(c)
    errors = total - counts[label]
    return label, total, errors + added_errors(total, errors, level[0], level[1])


@kernel
def estimate_with(
    found, falling, extra, y, weight, level, slices, ints, reals, class_weight, child, estimates
):
    """Return the estimated errors of the subtree of the first node in `found`, with more rows.

    `found` lists, in pre-order, the nodes that rows of `falling` reach by the slices in `extra`; other nodes
    keep the errors stored. `estimates` is room for a number per node.
    """
    for k in range(len(found) - 1, -1, -1):
        node = np.int64(found[k])
        if ints[node, KIND] == LEAF:
            counts, first, last = class_weight[node], extra[node, LOW], extra[node, HIGH]
            add_weights(falling, first, last, y, weight, 1.0, counts)
            _, _, estimates[node] = leaf_estimate(np.int64(ints[node, LABEL]), counts, level)
            add_weights(falling, first, last, y, weight, -1.0, counts)
            continue
        errors = 0.0
        for b in range(ints[node, CHILD_START], ints[node, CHILD_START] + ints[node, CHILD_COUNT]):
            below = child[b]
            if extra[below, LOW] < extra[below, HIGH]:
                errors += estimates[below]
            elif slices[below, LOW] < slices[below, HIGH]:
                errors += reals[below, ERRORS]
        estimates[node] = errors
    return estimates[found[0]]


@kernel
def add_branches(node, slices, ints, reals, class_weight, child):
    """Write the class weights of an inner node; return (errors of its branches, the largest branch's node).

    Of equally large branches the last counts. Branches without rows count nothing.
    """
    counts = class_weight[node]
    errors, most, largest = 0.0, 0.0, np.int64(-1)
    for b in range(ints[node, CHILD_START], ints[node, CHILD_START] + ints[node, CHILD_COUNT]):
        below = np.int64(child[b])
        if slices[below, LOW] == slices[below, HIGH]:
            continue
        errors += reals[below, ERRORS]
        for c in range(len(counts)):
            counts[c] += class_weight[below, c]
        if reals[below, WEIGHT] >= most:
            most, largest = reals[below, WEIGHT], below
    return errors, largest


@kernel
def prune(
    ranks, y, weight, level, raising,
    ints, cuts, reals, class_weight, child, lists, slices, extra, rows, estimates, frames,
):  # fmt: skip
    """Prune the tree below node 0 in place; the second line is written.

    Nodes are estimated after those below them. A node whose largest branch is to take its place waits in a
    frame until that branch, given all the node's rows, has been estimated anew.
    """
    visits, found, stack = lists[VISITS], lists[FOUND], lists[STACK]
    order, falling, branches, spare = rows[ORDER], rows[FALLING], rows[BRANCHES], rows[SPARE]
    frames[0, FIRST] = 0
    frames[0, LAST] = distribute(0, ranks, order, slices, ints, cuts, child, visits, stack, branches, spare)
    frames[0, REPLACED] = -1
    top = 0
    while top >= 0:
        if frames[top, LAST] == frames[top, FIRST]:
            node, below = frames[top, REPLACED], np.int64(visits[frames[top, FIRST]])
            top -= 1
            if node >= 0:
                copy_row(reals, below, node)
                copy_row(class_weight, below, node)
                copy_row(ints, below, node)
                cuts[node] = cuts[below]
            continue
        frames[top, LAST] -= 1
        place = frames[top, LAST]
        node = np.int64(visits[place])
        low, high = slices[node, LOW], slices[node, HIGH]
        inner = ints[node, KIND] != LEAF
        errors, largest = 0.0, np.int64(-1)
        for c in range(class_weight.shape[1]):
            class_weight[node, c] = 0.0
        if inner:
            errors, largest = add_branches(node, slices, ints, reals, class_weight, child)
        else:
            add_weights(order, low, high, y, weight, 1.0, class_weight[node])
        label, total, as_leaf = leaf_estimate(np.int64(ints[node, LABEL]), class_weight[node], level)
        ints[node, LABEL] = label
        reals[node, WEIGHT] = total
        reals[node, ERRORS] = as_leaf
        if not inner:
            continue
        as_branch = np.inf
        if raising:
            as_branch = reals[largest, ERRORS]
            n_falling = 0
            for i in range(low, high):
                if i < slices[largest, LOW] or i >= slices[largest, HIGH]:
                    falling[n_falling] = order[i]
                    n_falling += 1
            extra[largest, LOW], extra[largest, HIGH] = 0, n_falling
            n_found = distribute(
                largest, ranks, falling, extra, ints, cuts, child, found, stack, branches, spare
            )
            if n_found > 0:
                as_branch = estimate_with(
                    found[:n_found], falling, extra, y, weight, level, slices, ints, reals, class_weight,
                    child, estimates,
                )  # fmt: skip
        if as_leaf <= as_branch + TOLERANCE and as_leaf <= errors + TOLERANCE:
            make_leaf(node, ints, reals, as_leaf)
        elif as_branch <= errors + TOLERANCE:
            slices[largest, LOW], slices[largest, HIGH] = low, high
            top += 1
            frames[top, FIRST] = place + 1
            n_visits = distribute(
                largest, ranks, order, slices, ints, cuts, child, visits[place + 1 :], stack, branches, spare
            )
            frames[top, LAST] = place + 1 + n_visits
            frames[top, REPLACED] = node
        else:
            reals[node, ERRORS] = errors
