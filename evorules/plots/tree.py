"""A tree as a picture that grows to the right, one line of text per leaf."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from trees.errors import DataError
from trees.growth.tree import Tree
from trees.reading import branch_lines, tree_of
from trees.text import leaf_text

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["plot_tree"]

COLOURS = ("#a6cee3", "#fdbf6f", "#b2df8a", "#fb9a99", "#cab2d6", "#ffff99", "#d9d9d9", "#ccebc5", "#e5c494")
"""Fill of leaves by class code, again from the first after the last."""

LINE = "0.55"
MOST_LINES = 1000
LINE_HEIGHT, GAP, PADDING = 1.9, 0.9, 0.35
"""In units of the font size: from line to line, between texts, from a text to its frame."""


@dataclass
class _Box:
    """A node in the picture: where its text stands, in points from the upper left corner."""

    node: int
    depth: int
    text: str
    edge: str
    is_leaf: bool
    above: int
    x: float = 0.0
    y: float = 0.0
    width: float = 0.0
    edge_width: float = 0.0


def plot_tree(
    model: Any,
    ax: Axes | None = None,
    *,
    max_depth: int | None = None,
    max_chars: int = 32,
    fontsize: float = 9.0,
) -> Axes:
    """Draw a tree: root at the left, branches to the right, leaves below each other.

    Parameters
    ----------
    model : Tree or fitted model with a tree
        The tree.
    ax : matplotlib.axes.Axes, optional
        Where to draw; the text shrinks to fit. None makes a figure of the size that the tree needs.
    max_depth : int or None, default=None
        Show this many tests on a path; a subtree below is one line that tells its number of leaves.
    max_chars : int, default=32
        Greatest length of a name or a list of values; longer ones are cut and end in an ellipsis.
    fontsize : float, default=9
        In points.

    Returns
    -------
    matplotlib.axes.Axes
        A leaf shows its class and, as C4.5 prints it, the weight that reached it and the errors;
        its colour is that of its class.

    Raises
    ------
    DataError
        For what has no tree, and for more than 1000 lines.
    """
    tree = tree_of(model)
    boxes = _boxes(tree, max_depth, max_chars)
    n_lines = sum(box.is_leaf for box in boxes)
    if n_lines > MOST_LINES:
        raise DataError(f"The tree has {n_lines} leaves, too many for one picture. Pass max_depth.")
    _measure(boxes, fontsize)
    width, height = _place(boxes, fontsize)
    ax, scale = _axes(ax, width, height)
    for box in boxes:
        _draw(ax, tree, box, boxes, fontsize * scale, fontsize)
    return ax


def _boxes(tree: Tree, max_depth: int | None, max_chars: int) -> list[_Box]:
    """Return the nodes to draw, in pre-order; `above` is the position of the parent's box."""
    boxes: list[_Box] = []
    waiting = [(0, 0, "", -1)]
    while waiting:
        node, depth, edge, above = waiting.pop()
        hidden = not tree.is_leaf(node) and depth == max_depth
        if tree.is_leaf(node):
            text = leaf_text(tree, node)
        else:
            text = _shortened(tree.schema.attributes[tree.attribute[node]].name, max_chars)
        if hidden:
            text = f"{text} \N{HORIZONTAL ELLIPSIS} {_leaves_below(tree, node)} leaves"
        boxes.append(_Box(node, depth, text, edge, tree.is_leaf(node) or hidden, above))
        if not boxes[-1].is_leaf:
            position = len(boxes) - 1
            for branch, child in reversed(list(enumerate(tree.children(node).tolist()))):
                waiting.append((child, depth + 1, _edge_text(tree, node, branch, max_chars), position))
    return boxes


def _leaves_below(tree: Tree, node: int) -> int:
    waiting, n_leaves = [node], 0
    while waiting:
        below = waiting.pop()
        n_leaves += tree.is_leaf(below)
        waiting.extend(tree.children(below).tolist())
    return n_leaves


def _edge_text(tree: Tree, node: int, branch: int, most: int) -> str:
    """Return what a branch asks; of too many values the first, and the number of the others."""
    text = " ".join(branch_lines(tree, node, branch, most))
    condition = tree.condition(node, branch)
    if len(text) <= most or condition is None or len(condition.codes) < 2:
        return _shortened(text, most)
    values = [str(tree.schema.attributes[condition.attribute].values[code]) for code in condition.codes]
    n_shown = len(values) - 1
    while n_shown > 1 and len(", ".join(values[:n_shown])) > most - len("in {, +99}"):
        n_shown -= 1
    first = _shortened(", ".join(values[:n_shown]), most - len("in {, +99}"))
    return f"in {{{first}, +{len(values) - n_shown}}}"


def _shortened(text: str, most: int) -> str:
    line = " ".join(text.split("\n"))
    return line if len(line) <= most else line[: most - 1] + "\N{HORIZONTAL ELLIPSIS}"


def _measure(boxes: list[_Box], fontsize: float) -> None:
    """Write the widths of the texts, in points."""
    from matplotlib.font_manager import FontProperties
    from matplotlib.textpath import text_to_path

    font = FontProperties(size=fontsize)
    for box in boxes:
        box.width = text_to_path.get_text_width_height_descent(box.text, font, ismath=False)[0]
        box.edge_width = text_to_path.get_text_width_height_descent(box.edge, font, ismath=False)[0]


def _place(boxes: list[_Box], fontsize: float) -> tuple[float, float]:
    """Write where texts stand; return width and height of the whole.

    The branches of a test start at the same place, right of it and of what they are named. A subtree has the
    lines of its leaves to itself, so that nothing overlaps.
    """
    gap, padding = GAP * fontsize, PADDING * fontsize
    edges: dict[int, float] = {}
    for box in boxes:
        edges[box.above] = max(edges.get(box.above, 0.0), box.edge_width)
    line = 0
    for box in boxes:
        box.x = 2 * padding
        if box.above >= 0:
            above = boxes[box.above]
            box.x = above.x + above.width + edges[box.above] + 3 * gap + 2 * padding
        if box.is_leaf:
            box.y = (line + 0.7) * LINE_HEIGHT * fontsize
            line += 1
    below: dict[int, list[float]] = {}
    for position in reversed(range(len(boxes))):
        box = boxes[position]
        if position in below:
            box.y = (below[position][0] + below[position][-1]) / 2
        below.setdefault(box.above, []).append(box.y)
    width = max(box.x + box.width for box in boxes) + 2 * padding
    return width, (line + 0.4) * LINE_HEIGHT * fontsize


def _axes(ax: Axes | None, width: float, height: float) -> tuple[Axes, float]:
    """Return axes with points for coordinates, y downwards, and by how much text must shrink to fit."""
    scale = 1.0
    if ax is None:
        from matplotlib import pyplot

        figure = pyplot.figure(figsize=(width / 72, height / 72))
        ax = figure.add_axes((0.0, 0.0, 1.0, 1.0))
    else:
        extent = ax.get_window_extent()
        to_points = 72 / ax.figure.get_dpi()
        scale = min(1.0, extent.width * to_points / width, extent.height * to_points / height)
    ax.set_axis_off()
    ax.set_xlim(0, width)
    ax.set_ylim(height, 0)
    return ax, scale


def _draw(ax: Axes, tree: Tree, box: _Box, boxes: list[_Box], shown_size: float, fontsize: float) -> None:
    """Draw a node and the edge that leads to it; distances are in units of the unscaled font size."""
    gap, padding = GAP * fontsize, PADDING * fontsize
    if box.above >= 0:
        above = boxes[box.above]
        spine = above.x + above.width + padding + gap
        corners = [above.x + above.width + padding, spine, spine, box.x - padding]
        ax.plot(corners, [above.y, above.y, box.y, box.y], color=LINE, linewidth=0.8, zorder=1)
        ax.text(
            box.x - padding - gap - box.edge_width / 2,
            box.y,
            box.edge,
            fontsize=shown_size,
            ha="center",
            va="center",
            parse_math=False,
            zorder=2,
            bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.15 * shown_size},
        )
    is_test = not tree.is_leaf(box.node)
    fill = "white" if is_test else COLOURS[tree.label[box.node] % len(COLOURS)]
    ax.text(
        box.x,
        box.y,
        box.text,
        fontsize=shown_size,
        ha="left",
        va="center",
        parse_math=False,
        zorder=3,
        bbox={
            "boxstyle": f"round,pad={PADDING},rounding_size=0.3",
            "facecolor": fill,
            "edgecolor": LINE,
            "linewidth": 0.8,
            "linestyle": "--" if is_test and box.is_leaf else "-",
        },
    )
