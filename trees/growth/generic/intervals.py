"""Trees grown on intervals of numbers, written as trees that test the numbers themselves."""

from __future__ import annotations

import numpy as np

from trees.discretize.cuts import Cuts
from trees.growth.draft import Draft, assemble
from trees.growth.tree import NUMERIC, SUBSET, Tree

__all__ = ["expand_intervals"]


def expand_intervals(tree: Tree, cuts: Cuts) -> Tree:
    """Return the tree over the schema before cutting that sends every row where the given tree does.

    Parameters
    ----------
    tree : Tree
        Over ``cuts.cut_schema``, with a branch per interval and ``missing="fractions"``.
    cuts : Cuts
        What turned numbers into intervals.

    Returns
    -------
    Tree
        A test with a branch per interval becomes a chain of tests ``value <= point`` with ascending points.
        The shares of rows with missing cells multiply along the chain to those of the intervals.
    """
    drafts = [_draft(tree, node) for node in range(tree.n_nodes)]
    for node in range(tree.n_nodes):
        points = None if tree.is_leaf(node) else cuts.points[tree.attribute[node]]
        if points is not None:
            _make_chain(drafts, node, points.tolist())
    return assemble(cuts.schema, drafts, tree.missing)


def _draft(tree: Tree, node: int) -> Draft:
    draft = Draft(
        tree.class_weight[node],
        float(tree.weight[node]),
        int(tree.kind[node]),
        int(tree.attribute[node]),
        float(tree.threshold[node]),
        children=tree.children(node).tolist(),
    )
    if draft.kind == SUBSET:
        draft.group = tree.group[tree.group_start[node] : tree.group_start[node + 1]]
    return draft


def _make_chain(drafts: list[Draft], node: int, points: list[float]) -> None:
    """Write the interval test of a node as a chain; new nodes are appended to the drafts."""
    attribute, intervals = drafts[node].attribute, drafts[node].children
    above = node
    for i, point in enumerate(points):
        rest = intervals[i + 1 :]
        filled = [drafts[child] for child in rest if drafts[child].weight > 0]
        drafts[above].kind, drafts[above].attribute, drafts[above].threshold = NUMERIC, attribute, point
        # intervals that no row fell into all end in the same leaf
        is_last = len(rest) == 1 or not filled
        drafts[above].children = [intervals[i], rest[0] if is_last else len(drafts)]
        if is_last:
            return
        class_weight = np.sum([draft.class_weight for draft in filled], axis=0)
        drafts.append(Draft(class_weight, sum(draft.weight for draft in filled)))
        above = len(drafts) - 1
