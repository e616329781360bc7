# mypy: allow-untyped-defs
"""C4.5's pessimistic pruning with subtree raising (specification, section 3), without recursion.

Arrays of reals come in float32 (mode "r8") or float64, and expressions keep the precision of section 0. The
node arrays are those of `trees.growth._literal_state.Nodes`.
"""

from __future__ import annotations

import math

import numpy as np

from trees.growth._kernels_literal_info import clear, copy_to
from trees.growth._kernels_literal_order import (
    gather_branch,
    gather_unknown,
    give_unknown,
    take_unknown,
    total_weight,
)
from trees.growth._literal_state import (
    ATTRIBUTE,
    CHILD_COUNT,
    CHILD_START,
    ERRORS,
    KIND,
    LABEL,
    THRESHOLD,
    WEIGHT,
)
from trees.growth.tree import LEAF
from trees.jit import kernel

NODE, LOW, HIGH, FRONT, BRANCH, END, KNOWN_BEFORE, UPDATE, STAGE, LARGEST = range(10)
"""Columns of the int64 frames; LARGEST is the branch of greatest share, -1 before any."""
KNOWN, FACTOR, MOST, TREE_ERRORS, LEAF_ESTIMATE = range(5)
"""Columns of the real frames; MOST is the share of the largest branch."""
TOP, KNOWN_FLAG = range(2)
"""Positions in the state."""
OPEN, BRANCHES, BRANCH_KNOWN, RAISED = range(4)
"""Stages of a frame: new; branches being estimated; largest branch estimated in its place; branch raised."""
TOLERANCE = 0.1


@kernel
def added_errors_many(n, e, coefficient):
    """Return the real errors to add to e >= 1 observed ones of n cases."""
    real = type(n)
    if e + 0.5 >= n:
        return real(0.67 * (n - e))
    half = np.float64(e) + 0.5
    c = np.float64(coefficient)
    deviation = math.sqrt(c * (half * (1 - half / n) + c / 4))
    share = real((half + c / 2 + deviation) / real(n + coefficient))
    return real(n * share - e)


@kernel
def added_errors(n, e, confidence, coefficient):
    """Return the errors to add to e observed ones of n cases (AddErrs), all four real."""
    real = type(n)
    if e >= 0.9999:
        return added_errors_many(n, e, coefficient)
    none = real(n * (1 - math.exp(math.log(np.float64(confidence)) / n)))
    if e < 1e-6:
        return none
    return real(none + e * (added_errors_many(n, real(1), coefficient) - none))


@kernel
def push(frames, state, node, low, high, update):
    """Put a node and the cases low..high on the stack of int64 frames."""
    state[TOP] += 1
    frame = frames[state[TOP]]
    frame[NODE] = node
    frame[LOW] = low
    frame[HIGH] = high
    frame[UPDATE] = update
    frame[STAGE] = OPEN
    frame[KNOWN_BEFORE] = state[KNOWN_FLAG]


@kernel
def leaf_estimate(y, cases, frame, counting, counts, nodes, confidence, coefficient):
    """Return the real estimate of the node as a leaf; store weight, class and counts if the frame updates."""
    real = counts.dtype.type
    low, high = frame[LOW], frame[HIGH]
    ints, reals = nodes.ints[frame[NODE]], nodes.reals[frame[NODE]]
    clear(counts)
    for i in range(low, high + 1):
        counts[y[cases.row[i]]] += cases.weight[i]
    label = ints[LABEL]
    for c in range(len(counts)):
        if counts[c] > counts[label]:
            label = c
    total = total_weight(cases.weight, low, high, counting)
    errors = total - counts[label]
    estimate = real(errors + added_errors(total, errors, confidence, coefficient))
    if frame[UPDATE] == 1:
        ints[LABEL] = label
        reals[WEIGHT] = total
        copy_to(counts, nodes.class_weight[frame[NODE]])
        if ints[KIND] == LEAF:
            reals[ERRORS] = estimate
    return estimate


@kernel
def start_branches(data, cases, frame, reals, nodes, state):
    """Gather the cases with an unknown outcome and make ready for the first branch."""
    low, high = frame[LOW], frame[HIGH]
    column = data.values[nodes.ints[frame[NODE], ATTRIBUTE]]
    front = gather_unknown(column, cases.row, cases.weight, low, high)
    if front > low:
        state[KNOWN_FLAG] = 0
    frame[FRONT] = front
    frame[END] = front
    frame[BRANCH] = 0
    frame[LARGEST] = -1
    frame[STAGE] = BRANCHES
    reals[KNOWN] = total_weight(cases.weight, front, high, state[KNOWN_FLAG] == 1)
    reals[MOST] = 0
    reals[TREE_ERRORS] = 0


@kernel
def step_branches(data, cases, frames, nodes, state, result):
    """Take back the unknown cases of the branch just estimated, if any, and go on to the next with cases."""
    row, weight = cases.row, cases.weight
    frame, reals = frames.ints[state[TOP]], frames.reals[state[TOP]]
    node, low, front = frame[NODE], frame[LOW], frame[FRONT]
    if frame[END] > front:
        column = data.values[nodes.ints[node, ATTRIBUTE]]
        take_unknown(column, row, weight, low, front, frame[END], reals[FACTOR])
        reals[TREE_ERRORS] += result[0]
        frame[END] = front
        frame[BRANCH] += 1
        return
    branch = frame[BRANCH]
    end = gather_branch(data.values, data.n_values, nodes, node, branch, row, weight, front, frame[HIGH])
    if end == front:
        frame[BRANCH] += 1
        return
    frame[END] = end
    factor = total_weight(weight, front, end - 1, state[KNOWN_FLAG] == 1) / reals[KNOWN]
    if factor >= reals[MOST]:
        reals[MOST] = factor
        frame[LARGEST] = branch
    reals[FACTOR] = factor
    give_unknown(weight, low, front, factor)
    below = nodes.child[nodes.ints[node, CHILD_START] + branch]
    push(frames.ints, state, below, low, end - 1, frame[UPDATE])


@kernel
def make_leaf(ints, reals, estimate):
    """Make a node, given its rows, a leaf with the real estimate as its errors."""
    ints[KIND] = LEAF
    ints[ATTRIBUTE] = -1
    ints[CHILD_COUNT] = 0
    reals[THRESHOLD] = np.nan
    reals[ERRORS] = estimate


@kernel
def decide(frames, nodes, state, branch_errors, raising):
    """Make the node on top a leaf, start to raise its largest branch or keep it; return (finished, estimate).

    `branch_errors` is the real estimate of the largest branch in the node's place, valid if `raising`.
    """
    frame, reals = frames.ints[state[TOP]], frames.reals[state[TOP]]
    node = frame[NODE]
    tree_errors, as_leaf = reals[TREE_ERRORS], reals[LEAF_ESTIMATE]
    better_than_branch = not raising or as_leaf <= np.float64(branch_errors) + TOLERANCE
    if better_than_branch and as_leaf <= np.float64(tree_errors) + TOLERANCE:
        make_leaf(nodes.ints[node], nodes.reals[node], as_leaf)
        return True, as_leaf
    if raising and branch_errors <= np.float64(tree_errors) + TOLERANCE:
        frame[STAGE] = RAISED
        below = nodes.child[nodes.ints[node, CHILD_START] + frame[LARGEST]]
        push(frames.ints, state, below, frame[LOW], frame[HIGH], np.int64(1))
        return False, as_leaf
    nodes.reals[node, ERRORS] = tree_errors
    return True, tree_errors


@kernel
def finish_raising(frame, nodes):
    """Put the largest branch, just pruned on all the node's cases, in the node's place."""
    node = frame[NODE]
    below = nodes.child[nodes.ints[node, CHILD_START] + frame[LARGEST]]
    copy_to(nodes.ints[below], nodes.ints[node])
    copy_to(nodes.reals[below], nodes.reals[node])
    copy_to(nodes.class_weight[below], nodes.class_weight[node])


@kernel
def prune(data, cases, counts, confidence, coefficient, raising, nodes, frames, state, result):
    """Prune the tree below the node on the stack, in place; `result` gets its estimated errors.

    A frame stays on the stack while the nodes it waits for, above it, are estimated: its branches, then the
    largest of them on all its cases without changing it, then the same with changing it if it is raised.
    """
    while state[TOP] >= 0:
        top = state[TOP]
        frame, reals = frames.ints[top], frames.reals[top]
        node = frame[NODE]
        finished = False
        if frame[STAGE] == OPEN:
            counting = state[KNOWN_FLAG] == 1
            estimate = leaf_estimate(data.y, cases, frame, counting, counts, nodes, confidence, coefficient)
            reals[LEAF_ESTIMATE] = estimate
            finished = nodes.ints[node, KIND] == LEAF
            if finished:
                result[0] = estimate
            else:
                start_branches(data, cases, frame, reals, nodes, state)
        elif frame[STAGE] == BRANCHES and frame[BRANCH] < nodes.ints[node, CHILD_COUNT]:
            step_branches(data, cases, frames, nodes, state, result)
        elif frame[STAGE] == BRANCHES and frame[UPDATE] == 0:
            result[0] = reals[TREE_ERRORS]
            finished = True
        elif frame[STAGE] == BRANCHES and raising and frame[LARGEST] >= 0:
            state[KNOWN_FLAG] = frame[KNOWN_BEFORE]
            frame[STAGE] = BRANCH_KNOWN
            below = nodes.child[nodes.ints[node, CHILD_START] + frame[LARGEST]]
            push(frames.ints, state, below, frame[LOW], frame[HIGH], np.int64(0))
        elif frame[STAGE] == RAISED:
            finish_raising(frame, nodes)
            finished = True
        else:
            state[KNOWN_FLAG] = frame[KNOWN_BEFORE]
            finished, result[0] = decide(frames, nodes, state, result[0], frame[STAGE] == BRANCH_KNOWN)
        if finished:
            state[KNOWN_FLAG] = frame[KNOWN_BEFORE]
            state[TOP] -= 1
