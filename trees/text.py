"""The printed tree, in the form of C4.5: one line per branch, leaves before subtrees."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from trees.growth.tree import Tree

__all__ = ["branch_text", "leaf_text", "tree_text"]


def tree_text(tree: Tree) -> str:
    """Return a tree as C4.5 prints it.

    Every line is a branch. A leaf shows its class and (N/E): the training weight N that reached it and, if
    not 0, the training errors E among them (after pruning: the errors to expect, estimated
    pessimistically).

    Parameters
    ----------
    tree : Tree
        The tree.

    Returns
    -------
    str
        Lines joined by newlines; for a tree that is a single leaf, that leaf.
    """
    if tree.is_leaf(0):
        return leaf_text(tree, 0)
    lines: list[str] = []
    waiting: list[tuple[int, int, str | None]] = [(0, 0, None)]
    while waiting:
        node, depth, heading = waiting.pop()
        if heading is not None:
            lines.append(heading)
        margin = "|   " * depth
        subtrees = []
        for branch, child in enumerate(tree.children(node).tolist()):
            line = margin + branch_text(tree, node, branch)
            if tree.is_leaf(child):
                lines.append(f"{line} {leaf_text(tree, child)}")
            else:
                subtrees.append((child, depth + 1, line))
        waiting.extend(reversed(subtrees))
    return "\n".join(lines)


def branch_text(tree: Tree, node: int, branch: int) -> str:
    """Return the test of one branch with its colon, such as ``humidity <= 75 :``."""
    condition = tree.condition(node, branch)
    if condition is None:
        return f"{tree.schema.attributes[tree.attribute[node]].name} in {{}}:"
    space = "" if condition.relation == "in" else " "
    return f"{condition.describe(tree.schema)}{space}:"


def leaf_text(tree: Tree, node: int) -> str:
    """Return class and (N/E) of a leaf, such as ``yes (4.0/1.2)``."""
    errors = f"/{tree.errors[node]:.1f}" if tree.errors[node] > 0 else ""
    return f"{tree.schema.classes[tree.label[node]]} ({tree.weight[node]:.1f}{errors})"
