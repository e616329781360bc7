"""A tree in the DOT language of Graphviz."""

from __future__ import annotations

from typing import Any

from trees.reading import branch_lines, tree_of
from trees.text import leaf_text

__all__ = ["to_dot"]

COLOURS = ("#a6cee3", "#fdbf6f", "#b2df8a", "#fb9a99", "#cab2d6", "#ffff99", "#d9d9d9", "#ccebc5", "#e5c494")
"""Fill of leaves by class code, again from the first after the last."""


def to_dot(model: Any, *, max_width: int = 40) -> str:
    """Return a tree as a DOT graph.

    Parameters
    ----------
    model : Tree or fitted model with a tree
        The tree.
    max_width : int
        Characters after which the values on an edge continue on a new line.

    Returns
    -------
    str
        A directed graph: a box per test, named by its attribute; edges named by the branch; a filled box per
        leaf with its class and, as C4.5 prints it, the weight that reached it and the errors. Names and
        values are escaped, whatever characters they hold.

    Examples
    --------
    >>> import pandas as pd
    >>> from trees import ID3Classifier
    >>> X = pd.DataFrame({"sky": ["sunny", "rain"]})
    >>> print(to_dot(ID3Classifier().fit(X, ["yes", "no"])))
    digraph tree {
      node [shape=box, style=rounded, fontname="Helvetica"];
      edge [fontname="Helvetica", fontsize=10];
      0 [label="sky"];
      1 [label="yes (1.0)", style="rounded,filled", fillcolor="#fdbf6f"];
      2 [label="no (1.0)", style="rounded,filled", fillcolor="#a6cee3"];
      0 -> 1 [label="= sunny"];
      0 -> 2 [label="= rain"];
    }
    """
    tree = tree_of(model)
    nodes, edges = [], []
    for node in range(tree.n_nodes):
        if tree.is_leaf(node):
            colour = COLOURS[tree.label[node] % len(COLOURS)]
            label = quoted(leaf_text(tree, node))
            nodes.append(f'  {node} [label={label}, style="rounded,filled", fillcolor="{colour}"];')
            continue
        name = tree.schema.attributes[tree.attribute[node]].name
        nodes.append(f"  {node} [label={quoted(name)}];")
        for branch, child in enumerate(tree.children(node).tolist()):
            label = quoted("\n".join(branch_lines(tree, node, branch, max_width)))
            edges.append(f"  {node} -> {child} [label={label}];")
    return "\n".join(
        [
            "digraph tree {",
            '  node [shape=box, style=rounded, fontname="Helvetica"];',
            '  edge [fontname="Helvetica", fontsize=10];',
            *nodes,
            *edges,
            "}",
        ]
    )


def quoted(text: str) -> str:
    """Return text as a DOT string, in which Graphviz shows every character as it is."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + escaped.replace("\r\n", "\\n").replace("\n", "\\n").replace("\r", "\\n") + '"'
