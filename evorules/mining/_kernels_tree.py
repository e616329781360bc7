# mypy: allow-untyped-defs, no-check-untyped-defs
"""FP-trees with class counts; `evorules.mining.fp_growth` describes the arrays.

The tree of level d holds, for the antecedent of d items at hand, what else its rows hold: a path from the
root down for every set of items (ranks ascending), with the number of rows of each class at every node.
"""

import numpy as np

from evorules.mining.arrays import DEPTH, DONE, FULL, N_ITEMS, N_NODES, N_RULES, NARROW, PAUSED
from trees.jit import kernel

__all__ = ["grow_patterns", "plant"]


@kernel
def insert(rank, parent, link, child, sibling, counts, head, root, n_used, path, n, weight):
    """Add a path of ranks, the last of which comes first, with class counts; return the nodes used by now."""
    node = root
    for i in range(n - 1, -1, -1):
        r = path[i]
        below = child[node]
        while below >= 0 and rank[below] != r:
            below = sibling[below]
        if below < 0:
            below = n_used
            n_used += 1
            rank[below] = r
            parent[below] = node
            sibling[below] = child[node]
            child[node] = below
            child[below] = -1
            link[below] = head[r]
            head[r] = below
            for c in range(len(weight)):
                counts[below, c] = 0
        node = below
        for c in range(len(weight)):
            counts[node, c] += weight[c]
    return n_used


@kernel
def plant(rows, class_start, totals, rank, parent, link, child, sibling, counts, head):
    """Make the tree of all rows (`rows` as `list_rows` gives them); return the nodes used, 0 if too many."""
    weight = np.zeros(len(totals), dtype=np.int32)
    parent[0], child[0], n_used = -1, -1, 1
    for c in range(len(totals)):
        weight[c] = 1
        first = 64 * np.int64(class_start[c])
        for row in range(first, first + totals[c]):
            n = 0
            while rows[row, n] >= 0:
                n += 1
            if n_used + n > len(rank):
                return 0
            n_used = insert(rank, parent, link, child, sibling, counts, head, 0, n_used, rows[row], n, weight)
        weight[c] = 0
    return n_used


@kernel
def is_frequent(counts, least, least_covered):
    """Return whether class counts (1-D) are those of a frequent antecedent."""
    covered, enough = 0, False
    for c in range(len(counts)):
        covered += counts[c]
        enough |= counts[c] >= least[c]
    return enough and covered >= least_covered


@kernel
def project(nodes, counts, head, r, n_used, least, least_covered, sums, path, target_head):
    """Make the tree of the rows that hold rank r, from node `n_used` on; return the nodes used by now."""
    rank, parent, link, child, sibling = nodes
    sums[:r] = 0
    node = head[r]
    while node >= 0:
        above = parent[node]
        while parent[above] >= 0:
            for c in range(sums.shape[1]):
                sums[rank[above], c] += counts[node, c]
            above = parent[above]
        node = link[node]
    for q in range(r):
        # -2 says "not frequent here" until the tree is made
        target_head[q] = -1 if is_frequent(sums[q], least, least_covered) else -2
    root, node = n_used, head[r]
    parent[root], child[root] = -1, -1
    n_used += 1
    while node >= 0:
        n, above = 0, parent[node]
        while parent[above] >= 0:
            if target_head[rank[above]] > -2:
                path[n] = rank[above]
                n += 1
            above = parent[above]
        n_used = insert(
            rank, parent, link, child, sibling, counts, target_head, root, n_used, path, n, counts[node]
        )
        node = link[node]
    return n_used


@kernel
def add_up(head, link, counts, total):
    """Write to `total` the class counts of all nodes of one rank; return the covered rows."""
    total[:] = 0
    node = head
    while node >= 0:
        for c in range(len(total)):
            total[c] += counts[node, c]
        node = link[node]
    return total.sum()


@kernel
def report(found, state, pattern, depth, covered, total, least, confident):
    """Write to `found` the rules of the antecedent `pattern[: depth + 1]`."""
    for c in range(len(total)):
        if total[c] >= least[c] and total[c] >= confident[covered]:
            r, first = state[N_RULES], state[N_ITEMS]
            for d in range(depth + 1):
                found.item[first + d] = pattern[d]
            found.size[r] = depth + 1
            found.consequent[r] = c
            found.covered[r] = covered
            found.correct[r] = total[c]
            state[N_ITEMS] = first + depth + 1
            state[N_RULES] = r + 1


@kernel
def grow_patterns(
    state,
    nodes,
    counts,
    head,
    cursor,
    end,
    pattern,
    sums,
    total,
    path,
    limits,
    least,
    confident,
    found,
    n_nodes,
):
    """Go on with the search until it is over, needs room, or has seen `n_nodes` frequent antecedents."""
    least_covered, max_len = limits
    depth = state[DEPTH]
    while depth >= 0:
        state[DEPTH] = depth
        r = cursor[depth]
        if r < 0:
            depth -= 1
            if depth >= 0:
                cursor[depth] -= 1
            continue
        if head[depth, r] < 0:
            cursor[depth] -= 1
            continue
        if state[N_NODES] >= n_nodes:
            return PAUSED
        n_classes = len(total)
        if state[N_RULES] + n_classes > len(found.size) or state[N_ITEMS] + n_classes * (depth + 1) > len(
            found.item
        ):
            return FULL
        begin = end[depth - 1] if depth > 0 else 0
        if 2 * end[depth] - begin + 1 > len(counts):
            return NARROW
        state[N_NODES] += 1
        covered = add_up(head[depth, r], nodes[2], counts, total)
        pattern[depth] = r
        report(found, state, pattern, depth, covered, total, least, confident)
        if depth + 1 < max_len and r > 0:
            end[depth + 1] = project(
                nodes, counts, head[depth], r, end[depth], least, least_covered, sums, path, head[depth + 1]
            )
            cursor[depth + 1] = r - 1
            depth += 1
        else:
            cursor[depth] -= 1
    state[DEPTH] = -1
    return DONE
