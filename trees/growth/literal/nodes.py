"""From the working rows of the literal kernels to a `Tree` and back."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from trees.growth.literal import state as at
from trees.growth.literal.state import Nodes
from trees.growth.tree import SUBSET, Tree
from trees.schema import Schema

__all__ = ["drop_impossible_values", "nodes_of", "tree_of"]


def nodes_of(tree: Tree, real: Any) -> Nodes:
    """Return the node rows of a tree in the working precision; nothing in them is shared with the tree."""
    ints = np.empty((tree.n_nodes, 6), dtype=np.int32)
    ints[:, at.KIND] = tree.kind
    ints[:, at.ATTRIBUTE] = tree.attribute
    ints[:, at.CHILD_START] = tree.child_start[:-1]
    ints[:, at.CHILD_COUNT] = np.diff(tree.child_start)
    ints[:, at.GROUP_START] = tree.group_start[:-1]
    ints[:, at.LABEL] = tree.label
    reals = np.stack([tree.threshold, tree.weight, tree.errors], axis=1).astype(real)
    return Nodes(ints, reals, tree.class_weight.astype(real), tree.child.copy(), tree.group.copy())


def tree_of(nodes: Nodes, schema: Schema) -> Tree:
    """Return the tree of the nodes reached from node 0, numbered in pre-order."""
    from trees.growth.literal._kernels_preorder import preorder

    order = np.empty(len(nodes.ints), dtype=np.int32)
    order = order[: preorder(nodes.ints, nodes.child, order, np.empty_like(order))]
    number = np.full(len(nodes.ints), -1, dtype=np.int32)
    number[order] = np.arange(len(order), dtype=np.int32)
    ints = np.ascontiguousarray(nodes.ints[order].T)
    reals = nodes.reals[order].astype(np.float64)
    n_codes = np.zeros(len(order), dtype=np.int32)
    grouped = ints[at.KIND] == SUBSET
    n_codes[grouped] = schema.n_values[ints[at.ATTRIBUTE][grouped]]
    child_start, child = _picked(nodes.child, ints[at.CHILD_START], ints[at.CHILD_COUNT])
    group_start, group = _picked(nodes.group, ints[at.GROUP_START], n_codes)
    return Tree(
        schema=schema,
        kind=ints[at.KIND].astype(np.int8),
        attribute=ints[at.ATTRIBUTE],
        threshold=reals[:, at.THRESHOLD],
        child_start=child_start,
        child=number[child],
        group_start=group_start,
        group=group,
        label=ints[at.LABEL],
        weight=reals[:, at.WEIGHT],
        errors=reals[:, at.ERRORS],
        class_weight=nodes.class_weight[order].astype(np.float64),
        single_precision=nodes.reals.dtype == np.float32,
    )


def drop_impossible_values(nodes: Nodes, schema: Schema) -> None:
    """Take from the last branch of every subset test the values that no row can bring there.

    Subset tests of the same attribute above decide what is possible (C4.5 specification, end of section 3).
    A last branch without values left is deleted. `nodes` is changed in place.
    """
    if not np.any(nodes.ints[:, at.KIND] == SUBSET):
        return
    stack: list[tuple[int, dict[int, npt.NDArray[np.bool_]]]] = [(0, {})]
    while stack:
        node, possible = stack.pop()
        kind, attribute, first_child, n_branches, first_code, _ = nodes.ints[node].tolist()
        children = nodes.child[first_child : first_child + n_branches].tolist()
        if kind == SUBSET:
            branch_of = nodes.group[first_code : first_code + int(schema.n_values[attribute])]
            last = n_branches - 1
            if attribute in possible:
                branch_of[(branch_of == last) & ~possible[attribute]] = -1
            if not np.any(branch_of == last):
                nodes.ints[node, at.CHILD_COUNT] = last
                children.pop()
            below = [possible | {attribute: branch_of == branch} for branch in range(len(children))]
        else:
            below = [possible] * len(children)
        stack.extend(zip(children, below, strict=True))


def _picked(
    numbers: npt.NDArray[np.int32], start: npt.NDArray[np.int32], count: npt.NDArray[np.int32]
) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]:
    """Return the ranges start..start + count of `numbers` one after the other, and where each begins."""
    begins = np.zeros(len(count) + 1, dtype=np.int32)
    np.cumsum(count, out=begins[1:])
    positions = np.arange(begins[-1]) + np.repeat(start - begins[:-1], count)
    return begins, numbers[positions]
