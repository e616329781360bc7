# mypy: allow-untyped-defs
"""Growing a C4.5 tree case by case, as the original does (specification, section 1).

The arrays of `trees.growth.literal.state` come in float32 (mode "r8") or float64; expressions keep the
precision that section 0 gives them.
"""

from __future__ import annotations

import numpy as np

from trees.growth.literal import state as at
from trees.growth.literal._kernels_info import EPSILON, clear, copy_row, worth
from trees.growth.literal._kernels_nominal import evaluate_nominal, fill_table
from trees.growth.literal._kernels_numeric import evaluate_numeric
from trees.growth.literal._kernels_order import (
    gather_branch,
    gather_unknown,
    give_unknown,
    take_unknown,
    total_weight,
)
from trees.growth.literal._kernels_subset import evaluate_subset
from trees.growth.tree import LEAF, NOMINAL, NUMERIC, SUBSET
from trees.jit import kernel

MANY_VALUES = 0.3
NO_AVERAGE = 1e6


@kernel
def add_node(ints, reals, state, label):
    """Make a leaf in the next slot, with no branches and no cases; return its number."""
    node = state[at.N_NODES]
    state[at.N_NODES] += 1
    ints[node, at.KIND] = LEAF
    ints[node, at.ATTRIBUTE] = -1
    ints[node, at.CHILD_START] = state[at.N_CHILDREN]
    ints[node, at.CHILD_COUNT] = 0
    ints[node, at.GROUP_START] = state[at.N_GROUPS]
    ints[node, at.LABEL] = label
    reals[node, at.THRESHOLD] = np.nan
    reals[node, at.WEIGHT] = 0
    reals[node, at.ERRORS] = 0
    return node


@kernel
def push_node(ints, reals, frames, state, low, high, depth):
    """Open a node for the cases low..high on top of the int64 `frames`; return its number."""
    node = add_node(ints, reals, state, np.int32(0))
    state[at.TOP] += 1
    frame = frames[state[at.TOP]]
    frame[at.NODE] = node
    frame[at.LOW] = low
    frame[at.HIGH] = high
    frame[at.BRANCH] = -1
    frame[at.ALL_KNOWN] = state[at.KNOWN_FLAG]
    frame[at.DEPTH] = depth
    return node


@kernel
def label_node(y, row, weight, low, high, counting, counts, ints, reals):
    """Write weight, class weights, majority class (lowest code on ties) and leaf errors of a node's rows."""
    clear(counts)
    for i in range(low, high + 1):
        counts[y[row[i]]] += weight[i]
    most = 0
    for c in range(len(counts)):
        if counts[c] > counts[most]:
            most = c
    ints[at.LABEL] = most
    reals[at.WEIGHT] = total_weight(weight, low, high, counting)
    reals[at.ERRORS] = reals[at.WEIGHT] - counts[most]


@kernel
def evaluate_tests(data, cases, scratch, settings, block_info, low, high, total, counting):
    """Write the merit of every attribute's test on the cases low..high of weight `total`.

    `block_info` is None where values are not grouped: grouping is then not even compiled.
    """
    row, weight, counts, sizes = cases.row, cases.weight, scratch.counts, scratch.sizes
    for a in range(len(data.n_values)):
        column = data.values[a]
        n_values = data.n_values[a]
        merit = scratch.merit[a]
        merit[at.GAIN] = -EPSILON
        merit[at.INFO] = 0
        least = settings.min_cases[0]
        # summed anew for every attribute: sorting by another one may have changed its last digit
        here = total_weight(weight, low, high, counting)
        if n_values == 0:
            evaluate_numeric(column, data, cases, scratch, merit, low, high, here, least, settings.keep_order)
            continue
        if block_info is not None and n_values > 2:
            fill_table(column, data.y, row, weight, low, high, n_values, counts, sizes)
            evaluate_subset(
                counts, sizes, block_info, scratch.group[a, : n_values + 1], merit, total, here,
                settings.min_cases, settings.use_gain, settings.keep_defects, data.terms,
            )  # fmt: skip
            continue
        if scratch.tested[a] == 0:
            fill_table(column, data.y, row, weight, low, high, n_values, counts, sizes)
            evaluate_nominal(counts, sizes, merit, n_values, total, here, least, data.terms)


@kernel
def choose_test(merit, n_values, all_values, total, use_gain):
    """Return the attribute of greatest worth, the first on ties, -1 if none is admissible."""
    real = merit.dtype.type
    average = real(0)
    possible = 0
    for a in range(len(merit)):
        few = all_values or n_values[a] < MANY_VALUES * total
        if merit[a, at.GAIN] > -EPSILON and few:
            average = real(average + merit[a, at.GAIN])
            possible += 1
    average = real(average / real(possible)) if possible > 0 else real(NO_AVERAGE)
    chosen = -1
    rejected = real(-EPSILON)
    best = rejected
    for a in range(len(merit)):
        value = worth(merit[a, at.GAIN], merit[a, at.INFO], average, rejected, use_gain)
        if value > best:
            best = value
            chosen = a
    return chosen


@kernel
def install_test(a, n_values, grouped, merit, branch_of, node, ints, reals, group, state):
    """Write the test of attribute `a` into a node's rows and reserve its branches and groups."""
    ints[at.ATTRIBUTE] = a
    if n_values == 0:
        ints[at.KIND] = NUMERIC
        ints[at.CHILD_COUNT] = 2
        reals[at.THRESHOLD] = merit[at.CUT]
    elif grouped:
        ints[at.KIND] = SUBSET
        ints[at.CHILD_COUNT] = branch_of[n_values]
        for v in range(n_values):
            group[state[at.N_GROUPS] + v] = branch_of[v]
        state[at.N_GROUPS] += n_values
    else:
        ints[at.KIND] = NOMINAL
        ints[at.CHILD_COUNT] = n_values
    state[at.N_CHILDREN] += ints[at.CHILD_COUNT]


@kernel
def open_node(data, cases, scratch, settings, block_info, nodes, frames, state):
    """Label the node on top of the stack; install its test, or leave it a leaf and take it off."""
    top = state[at.TOP]
    frame = frames.ints[top]
    node, low, high = frame[at.NODE], frame[at.LOW], frame[at.HIGH]
    ints, reals, counts = nodes.ints[node], nodes.reals[node], nodes.class_weight[node]
    label_node(data.y, cases.row, cases.weight, low, high, state[at.KNOWN_FLAG] == 1, counts, ints, reals)
    total = reals[at.WEIGHT]
    chosen = -1
    mixed = counts[ints[at.LABEL]] != total
    if mixed and total >= 2 * settings.min_cases[0] and frame[at.DEPTH] < settings.max_depth:
        counting = state[at.KNOWN_FLAG] == 1
        evaluate_tests(data, cases, scratch, settings, block_info, low, high, total, counting)
        chosen = choose_test(
            scratch.merit, data.n_values, settings.multi_valued, settings.total, settings.use_gain
        )
    if chosen < 0:
        state[at.TOP] -= 1
        return
    n_values = data.n_values[chosen]
    grouped = settings.group_values and n_values > 2
    merit, branch_of = scratch.merit[chosen], scratch.group[chosen]
    install_test(chosen, n_values, grouped, merit, branch_of, node, ints, reals, nodes.group, state)
    front = gather_unknown(data.values, chosen, cases.row, cases.weight, low, high)
    if front > low:
        state[at.KNOWN_FLAG] = 0
    scratch.tested[chosen] += 1
    missing = total_weight(cases.weight, low, front - 1, state[at.KNOWN_FLAG] == 1)
    frame[at.FRONT] = front
    frame[at.BRANCH] = 0
    frame[at.END] = front
    frames.reals[top, at.KNOWN] = total - missing
    frames.reals[top, at.LEAF_ERRORS] = reals[at.ERRORS]
    reals[at.ERRORS] = 0


@kernel
def enter_branch(data, cases, nodes, frames, state):
    """Gather the cases of the next branch and open a node for them, or make an empty leaf."""
    top = state[at.TOP]
    frame = frames.ints[top]
    node, low, front, branch = frame[at.NODE], frame[at.LOW], frame[at.FRONT], frame[at.BRANCH]
    ints, reals, row, weight = nodes.ints, nodes.reals, cases.row, cases.weight
    end = gather_branch(
        data.values, ints, reals, nodes.group, node, branch, row, weight, front, frame[at.HIGH]
    )
    frame[at.END] = end
    slot = ints[node, at.CHILD_START] + branch
    if end == front:
        below = add_node(ints, reals, state, ints[node, at.LABEL])
        copy_row(nodes.class_weight, node, below)
        nodes.child[slot] = below
        frame[at.BRANCH] += 1
        return
    factor = total_weight(weight, front, end - 1, state[at.KNOWN_FLAG] == 1) / frames.reals[top, at.KNOWN]
    give_unknown(weight, low, front, factor)
    frames.reals[top, at.FACTOR] = factor
    depth = frame[at.DEPTH] + 1
    nodes.child[slot] = push_node(ints, reals, frames.ints, state, low, end - 1, depth)


@kernel
def leave_branch(values, row, weight, nodes, frame, factor):
    """Take back the unknown cases from the branch just grown and add its errors."""
    node, a = frame[at.NODE], nodes.ints[frame[at.NODE], at.ATTRIBUTE]
    take_unknown(values, a, row, weight, frame[at.LOW], frame[at.FRONT], frame[at.END], factor)
    below = nodes.child[nodes.ints[node, at.CHILD_START] + frame[at.BRANCH]]
    nodes.reals[node, at.ERRORS] += nodes.reals[below, at.ERRORS]
    frame[at.END] = frame[at.FRONT]
    frame[at.BRANCH] += 1


@kernel
def close_node(tested, collapse, leaf_errors, node, ints, reals, state):
    """Give up the branches of a finished node if they make no fewer errors than a leaf; `ints` is its row."""
    tested[ints[at.ATTRIBUTE]] -= 1
    if collapse and reals[at.ERRORS] >= leaf_errors - EPSILON:
        ints[at.KIND] = LEAF
        ints[at.ATTRIBUTE] = -1
        ints[at.CHILD_COUNT] = 0
        reals[at.THRESHOLD] = np.nan
        state[at.N_NODES] = node + 1
        state[at.N_CHILDREN] = ints[at.CHILD_START]
        state[at.N_GROUPS] = ints[at.GROUP_START]


@kernel
def grow(data, cases, scratch, settings, block_info, nodes, frames, state):
    """Grow until the stack is empty (True) or the node arrays or the stack are full (False; call again)."""
    widest = len(scratch.sizes)
    while state[at.TOP] >= 0:
        top = state[at.TOP]
        if (
            state[at.N_NODES] >= len(nodes.ints)
            or state[at.N_CHILDREN] + widest > len(nodes.child)
            or state[at.N_GROUPS] + widest > len(nodes.group)
            or top + 1 >= len(frames.ints)
        ):
            return False
        frame = frames.ints[top]
        node = frame[at.NODE]
        if frame[at.BRANCH] < 0:
            open_node(data, cases, scratch, settings, block_info, nodes, frames, state)
        elif frame[at.END] > frame[at.FRONT]:
            leave_branch(data.values, cases.row, cases.weight, nodes, frame, frames.reals[top, at.FACTOR])
        elif frame[at.BRANCH] < nodes.ints[node, at.CHILD_COUNT]:
            enter_branch(data, cases, nodes, frames, state)
        else:
            ints, reals = nodes.ints[node], nodes.reals[node]
            close_node(
                scratch.tested, settings.collapse, frames.reals[top, at.LEAF_ERRORS], node, ints, reals, state
            )
            state[at.KNOWN_FLAG] = frame[at.ALL_KNOWN]
            state[at.TOP] -= 1
    return True
