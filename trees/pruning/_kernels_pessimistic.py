# mypy: allow-untyped-defs
"""C4.5's pessimistic pruning with subtree raising (specification, section 3), without recursion.

Arrays of reals come in float32 (mode "r8") or float64, and expressions keep the precision of section 0. The
node arrays are those of `trees.growth.literal.state.Nodes`.
"""

from __future__ import annotations

import math

import numpy as np

from trees.growth.literal._kernels_info import copy_row
from trees.growth.literal._kernels_order import (
    gather_branch,
    gather_unknown,
    give_unknown,
    take_unknown,
    total_weight,
)
from trees.growth.literal.state import (
    ATTRIBUTE,
    CHILD_COUNT,
    CHILD_START,
    ERRORS,
    KIND,
    LABEL,
    THRESHOLD,
    WEIGHT,
)
from trees.growth.tree import LEAF, NUMERIC
from trees.jit import kernel

NODE, LOW, HIGH, FRONT, BRANCH, END, KNOWN_BEFORE, UPDATE, STAGE, LARGEST = range(10)
"""Columns of the int64 frames; LARGEST is the branch of greatest share, -1 before any."""
KNOWN, FACTOR, MOST, TREE_ERRORS, LEAF_ESTIMATE = range(5)
"""Columns of the real frames; MOST is the share of the largest branch."""
TOP, KNOWN_FLAG, EXACT, TRIAL = range(4)
"""Positions in the state: top of the stack, whether weights are still counts, whether sums are exact (so that
the order of cases is free), frame whose largest branch is on trial."""
LIMIT, SPENT = range(2)
"""Positions in the float64 budget of a trial: errors beyond which it has failed, errors estimated so far."""
OPEN, BRANCHES, TRIED, RAISED = range(4)
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
def push(fints, state, node, low, high, update):
    """Put a node and the cases low..high on the stack of int64 frames."""
    state[TOP] += 1
    top = state[TOP]
    fints[top, NODE] = node
    fints[top, LOW] = low
    fints[top, HIGH] = high
    fints[top, UPDATE] = update
    fints[top, STAGE] = OPEN
    fints[top, KNOWN_BEFORE] = state[KNOWN_FLAG]


@kernel
def count_classes(y, row, weight, low, high, label, counts):
    """Write the class weights of the cases; return the class of the greatest: `label` or the first."""
    for c in range(len(counts)):
        counts[c] = 0
    for i in range(low, high + 1):
        counts[y[row[i]]] += weight[i]
    best = label
    for c in range(len(counts)):
        if counts[c] > counts[best]:
            best = np.int32(c)
    return best


@kernel
def estimate_leaf(y, row, weight, top, fints, freals, counts, level, ints, reals, class_weight, counting):
    """Write the estimate of the top node as a leaf; if the frame updates also its weight, class, counts."""
    node, low, high = fints[top, NODE], fints[top, LOW], fints[top, HIGH]
    label = count_classes(y, row, weight, low, high, ints[node, LABEL], counts)
    total = total_weight(weight, low, high, counting)
    errors = total - counts[label]
    freals[top, LEAF_ESTIMATE] = errors + added_errors(total, errors, level[0], level[1])
    if fints[top, UPDATE] == 1:
        ints[node, LABEL] = label
        reals[node, WEIGHT] = total
        for c in range(len(counts)):
            class_weight[node, c] = counts[c]
        if ints[node, KIND] == LEAF:
            reals[node, ERRORS] = freals[top, LEAF_ESTIMATE]


@kernel
def start_branches(values, complete, row, weight, top, fints, freals, ints, state):
    """Gather the cases with an unknown outcome and make ready for the first branch."""
    low, high = fints[top, LOW], fints[top, HIGH]
    a = ints[fints[top, NODE], ATTRIBUTE]
    front = low
    if not complete[a]:
        front = gather_unknown(values, a, row, weight, low, high)
    if front > low:
        state[KNOWN_FLAG] = 0
    fints[top, FRONT] = front
    fints[top, END] = front
    fints[top, BRANCH] = 0
    fints[top, LARGEST] = -1
    fints[top, STAGE] = BRANCHES
    freals[top, KNOWN] = total_weight(weight, front, high, state[KNOWN_FLAG] == 1)
    freals[top, MOST] = 0
    freals[top, TREE_ERRORS] = 0


@kernel
def leave_branch(values, row, weight, top, fints, freals, ints, exact, errors):
    """Add a branch's real errors; take back the unknown cases or, if `exact`, go on behind the branch's."""
    freals[top, TREE_ERRORS] += errors
    fints[top, BRANCH] += 1
    low, front, end = fints[top, LOW], fints[top, FRONT], fints[top, END]
    if exact:
        fints[top, FRONT] = end
    else:
        a = ints[fints[top, NODE], ATTRIBUTE]
        take_unknown(values, a, row, weight, low, front, end, freals[top, FACTOR])
        fints[top, END] = front


@kernel
def enter_branch(values, row, weight, top, fints, freals, ints, reals, child, group, state):
    """Gather the cases of the next branch and put its node on the stack; pass over a branch without cases."""
    node, front, branch, high = fints[top, NODE], fints[top, FRONT], fints[top, BRANCH], fints[top, HIGH]
    if state[EXACT] == 1 and ints[node, KIND] == NUMERIC and branch == 1:
        end = high + 1
    else:
        end = gather_branch(values, ints, reals, group, node, branch, row, weight, front, high)
    if end == front:
        fints[top, BRANCH] += 1
    else:
        fints[top, END] = end
        factor = total_weight(weight, front, end - 1, state[KNOWN_FLAG] == 1) / freals[top, KNOWN]
        if factor >= freals[top, MOST]:
            freals[top, MOST] = factor
            fints[top, LARGEST] = branch
        freals[top, FACTOR] = factor
        low = front
        if state[EXACT] == 0:
            low = fints[top, LOW]
            give_unknown(weight, low, front, factor)
        push(fints, state, child[ints[node, CHILD_START] + branch], low, end - 1, fints[top, UPDATE])


@kernel
def start_trial(top, fints, freals, ints, child, state, budget):
    """Put the largest branch on the stack, to be estimated on all cases of the top node without changes.

    What the branch costs beyond the limit cannot change the decision; the margin covers all rounding.
    """
    state[KNOWN_FLAG] = fints[top, KNOWN_BEFORE]
    state[TRIAL] = top
    fints[top, STAGE] = TRIED
    worst = max(np.float64(freals[top, TREE_ERRORS]), np.float64(freals[top, LEAF_ESTIMATE])) + TOLERANCE
    budget[LIMIT] = worst * 1.0001 + 0.0001
    budget[SPENT] = 0
    below = child[ints[fints[top, NODE], CHILD_START] + fints[top, LARGEST]]
    push(fints, state, below, fints[top, LOW], fints[top, HIGH], np.int64(0))


@kernel
def make_leaf(node, ints, reals, estimate):
    """Make a node a leaf with the real estimate as its errors."""
    ints[node, KIND] = LEAF
    ints[node, ATTRIBUTE] = -1
    ints[node, CHILD_COUNT] = 0
    reals[node, THRESHOLD] = np.nan
    reals[node, ERRORS] = estimate


@kernel
def settle(top, tried, fints, freals, ints, reals, child, state, result):
    """Make the top node a leaf, start to raise its largest branch or keep it; return whether it is finished.

    `result` holds the real estimate of the largest branch in the node's place if `tried`; it gets the node's.
    """
    node = fints[top, NODE]
    tree_errors, as_leaf = freals[top, TREE_ERRORS], freals[top, LEAF_ESTIMATE]
    within_tree = np.float64(tree_errors) + TOLERANCE
    if (not tried or as_leaf <= np.float64(result[0]) + TOLERANCE) and as_leaf <= within_tree:
        make_leaf(node, ints, reals, as_leaf)
        result[0] = as_leaf
    elif tried and result[0] <= within_tree:
        fints[top, STAGE] = RAISED
        below = child[ints[node, CHILD_START] + fints[top, LARGEST]]
        push(fints, state, below, fints[top, LOW], fints[top, HIGH], np.int64(1))
    else:
        reals[node, ERRORS] = tree_errors
        result[0] = tree_errors
    return fints[top, STAGE] != RAISED


@kernel
def prune(
    values, complete, y, row, weight, counts, level, raising, ints, reals, class_weight, child, group,
    fints, freals, state, budget, result,
):  # fmt: skip
    """Prune the tree below the node on the stack, in place; `result` gets its estimated errors.

    A frame stays on the stack while the nodes it waits for, above it, are estimated: its branches, then the
    largest of them on all its cases without changing it, then the same with changing it if it is raised.
    """
    while state[TOP] >= 0:
        top = state[TOP]
        node, stage, update = fints[top, NODE], fints[top, STAGE], fints[top, UPDATE] == 1
        exact = state[EXACT] == 1
        finished = False
        if stage == OPEN:
            finished = ints[node, KIND] == LEAF
            if finished or update:
                counting = state[KNOWN_FLAG] == 1
                estimate_leaf(
                    y, row, weight, top, fints, freals, counts, level, ints, reals, class_weight, counting
                )
            if not finished:
                start_branches(values, complete, row, weight, top, fints, freals, ints, state)
            else:
                result[0] = freals[top, LEAF_ESTIMATE]
                budget[SPENT] += result[0]
                if exact and not update and budget[SPENT] > budget[LIMIT]:
                    result[0] = budget[SPENT]
                    state[TOP] = state[TRIAL] + 1
        elif stage == BRANCHES and fints[top, END] > fints[top, FRONT]:
            leave_branch(values, row, weight, top, fints, freals, ints, exact, result[0])
        elif stage == BRANCHES and fints[top, BRANCH] < ints[node, CHILD_COUNT]:
            enter_branch(values, row, weight, top, fints, freals, ints, reals, child, group, state)
        elif stage == BRANCHES and not update:
            result[0] = freals[top, TREE_ERRORS]
            finished = True
        elif stage == BRANCHES and raising and fints[top, LARGEST] >= 0:
            start_trial(top, fints, freals, ints, child, state, budget)
        elif stage == RAISED:
            below = child[ints[node, CHILD_START] + fints[top, LARGEST]]
            copy_row(reals, below, node)
            copy_row(class_weight, below, node)
            copy_row(ints, below, node)
            finished = True
        else:
            state[KNOWN_FLAG] = fints[top, KNOWN_BEFORE]
            finished = settle(top, stage == TRIED, fints, freals, ints, reals, child, state, result)
        if finished:
            state[KNOWN_FLAG] = fints[top, KNOWN_BEFORE]
            state[TOP] -= 1
