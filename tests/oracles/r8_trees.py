"""Comparing a `Tree` with the original's tree in the reference files, node by node and bit for bit."""

from __future__ import annotations

from typing import Any

import numpy as np

from trees.growth.tree import LEAF, NOMINAL, NUMERIC, SUBSET, Tree

KINDS = {None: LEAF, "discrete": NOMINAL, "continuous": NUMERIC, "subset": SUBSET}


def departures(tree: Tree, record: dict[str, Any]) -> list[tuple[Any, ...]]:
    """Return (path, what, ours, theirs) of everything in which a tree departs from the recorded one."""
    found: list[tuple[Any, ...]] = []
    stack: list[tuple[int, dict[str, Any], tuple[Any, ...]]] = [(0, record, ())]
    while stack:
        node, theirs, path = stack.pop()
        for what, a, b in node_pairs(tree, node, theirs):
            if a != b:
                found.append((path, what, a, b))
        branches = theirs.get("branches", [])
        below = tree.children(node).tolist()
        if len(branches) != len(below):
            found.append((path, "branches", len(below), len(branches)))
            continue
        for child, branch in zip(below, branches, strict=True):
            stack.append((child, branch["node"], (*path, (theirs["attr"], str(branch["value"])))))
    return found


def node_pairs(tree: Tree, node: int, theirs: dict[str, Any]) -> list[tuple[str, Any, Any]]:
    """Return what a node says beside what the recorded one says."""
    schema = tree.schema
    kind = KINDS[theirs.get("kind")]
    tested = schema.attributes[tree.attribute[node]] if tree.kind[node] != LEAF else None
    pairs = [
        ("kind", int(tree.kind[node]), kind),
        ("attribute", tested and tested.name, theirs.get("attr")),
        ("class", schema.classes[tree.label[node]], theirs["class"]),
        ("N", np.float32(tree.weight[node]), np.float32(theirs["N"])),
        ("E", np.float32(tree.errors[node]), np.float32(theirs["E"])),
        (
            "classes",
            tree.class_weight[node].astype(np.float32).tolist(),
            [float(np.float32(theirs["dist"].get(name, 0))) for name in schema.classes],
        ),
    ]
    if kind == NUMERIC:
        pairs.append(("cut", np.float32(tree.threshold[node]), np.float32(theirs["cut"])))
    if kind == SUBSET and tested is not None:
        groups = [[tested.values[code] for code in codes] for codes in tree.groups(node)]
        pairs.append(("groups", groups, [branch["value"] for branch in theirs["branches"]]))
    return pairs


def recorded_intervals(record: dict[str, Any]) -> list[Any]:
    """Return the `soft` interval of every recorded node in pre-order, None where there is none."""
    intervals = []
    stack = [record]
    while stack:
        node = stack.pop()
        intervals.append(node.get("soft"))
        stack.extend(branch["node"] for branch in reversed(node.get("branches", [])))
    return intervals
