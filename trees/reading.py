"""Reading a tree: its leaves as a table, what its attributes are worth, and the paths of rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from trees.criteria import CRITERIA
from trees.decisions import Decisions
from trees.errors import DataError
from trees.growth.route import branch_shares, branches_of, decide, working_cells_of
from trees.growth.tree import LEAF, Tree
from trees.rule import Condition, Rule, format_number
from trees.schema import Schema

if TYPE_CHECKING:
    import pandas as pd

__all__ = [
    "Explanation",
    "Path",
    "Step",
    "attribute_importance",
    "branch_lines",
    "explain",
    "leaf_frame",
    "tree_of",
]

Floats = npt.NDArray[np.float64]


def tree_of(model: Any) -> Tree:
    """Return a tree, or the tree of a fitted model; raise DataError for what has none."""
    tree = model if isinstance(model, Tree) else getattr(model, "tree_", None)
    if not isinstance(tree, Tree):
        raise DataError(f"Expected a tree or a fitted model with a tree. Got {type(model).__name__}.")
    return tree


def branch_lines(tree: Tree, node: int, branch: int, width: int) -> list[str]:
    """Return what a branch asks of its attribute, such as ``<= 75``, in lines of about `width` characters.

    Parameters
    ----------
    tree : Tree
        The tree.
    node, branch : int
        An inner node and the position of one of its branches.
    width : int
        Longer lists of values go on in a new line; a value is not broken.
    """
    condition = tree.condition(node, branch)
    if condition is None:
        return ["in {}"]
    if condition.relation != "in":
        return [f"{condition.relation} {format_number(condition.threshold)}"]
    values = [str(tree.schema.attributes[condition.attribute].values[code]) for code in condition.codes]
    if len(values) == 1:
        return [f"= {values[0]}"]
    words = [f"{value}," for value in values[:-1]] + [f"{values[-1]}}}"]
    lines = ["in {" + words[0]]
    for word in words[1:]:
        if len(lines[-1]) + 1 + len(word) <= width:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines


def leaf_frame(model: Any) -> pd.DataFrame:
    """Return one row per leaf.

    Parameters
    ----------
    model : Tree or fitted model with a tree
        The tree.

    Returns
    -------
    DataFrame
        Index: node numbers, in pre-order. Columns: the path as conditions, with the bounds of an attribute
        merged; their number; the class; the training weight that reached the leaf; the weight of other
        classes among it; the share of the class (missing where no row came).
    """
    import pandas as pd

    tree = tree_of(model)
    records = []
    for leaf, conditions in tree.short_paths():
        label = int(tree.label[leaf])
        counts = tree.class_weight[leaf] if tree.weight[leaf] > 0 else np.zeros(tree.schema.n_classes)
        rule = Rule(conditions, label, tuple(counts.tolist()))
        records.append(
            {
                "node": leaf,
                "path": rule.antecedent(tree.schema),
                "n_conditions": len(rule.conditions),
                "class": tree.schema.classes[label],
                "covered": rule.covered,
                "errors": rule.errors,
                "confidence": rule.confidence,
            }
        )
    return pd.DataFrame(records).set_index("node")


def attribute_importance(model: Any, criterion: str = "entropy") -> pd.Series:
    """Return how much of the decrease of impurity in a tree is due to each attribute.

    Parameters
    ----------
    model : Tree or fitted model with a tree
        The tree.
    criterion : {"entropy", "gini", "error_rate"}, default="entropy"
        The impurity.

    Returns
    -------
    Series
        Indexed by attribute, greatest first; sums to 1, or is 0 throughout for a tree without tests. An
        attribute's tests are weighted by the training weight that reaches them.
    """
    import pandas as pd

    tree = tree_of(model)
    impurity = CRITERIA[criterion].impurity
    reached = np.where((tree.weight > 0)[:, np.newaxis], tree.class_weight, 0.0)
    amount = reached.sum(axis=1) * impurity(reached)
    inner = tree.kind != LEAF
    decrease = np.zeros(tree.n_nodes)
    decrease[inner] = amount[inner]
    np.subtract.at(decrease, tree.parent[1:], amount[1:])
    totals = np.bincount(
        tree.attribute[inner],
        weights=np.maximum(decrease[inner], 0.0),
        minlength=tree.schema.n_attributes,
    )
    share = totals / totals.sum() if totals.sum() > 0 else totals
    return pd.Series(share, index=tree.schema.names, name="importance").sort_values(
        ascending=False, kind="stable"
    )


@dataclass(frozen=True)
class Step:
    """One test on the path of a row.

    Parameters
    ----------
    condition : Condition
        Of the branch taken.
    cell : str
        The row's cell as text; ``?`` if missing.
    share : float
        Part of the row, as it comes to the test, that takes the branch: 1 where the cell decides.
    is_missing : bool
        Whether the cell told no branch.
    """

    condition: Condition
    cell: str
    share: float
    is_missing: bool

    def describe(self, schema: Schema) -> str:
        """Return the step as text."""
        text = self.condition.describe(schema)
        if not self.is_missing:
            return text if self.condition.relation == "in" else f"{text} (is {self.cell})"
        how = f"{self.share:.0%} of the row" if self.share < 1 else "the way of most rows"
        return f"{text} (is {self.cell}: {how})"


@dataclass(frozen=True)
class Path:
    """A way of a row, or of a part of it, from the root to a leaf.

    Parameters
    ----------
    steps : tuple of Step
        From the root down.
    share : float
        Part of the row that ends in the leaf, in (0, 1].
    leaf : int
        Node number.
    label : int
        Class code of the leaf.
    counts : tuple of float
        Training weight per class in the leaf; zeros where no training row came.
    """

    steps: tuple[Step, ...]
    share: float
    leaf: int
    label: int
    counts: tuple[float, ...]


@dataclass(frozen=True, eq=False)
class Explanation:
    """Why a tree decides about a row as it does.

    Parameters
    ----------
    schema : Schema
        Of the tree.
    label : int
        Class code decided.
    scores : ndarray of shape (n_classes,)
        Share of each class.
    paths : tuple of Path
        The greatest share first; more than one only if a cell that is tested is missing.
    """

    schema: Schema
    label: int
    scores: Floats
    paths: tuple[Path, ...]

    def __str__(self) -> str:
        target = self.schema.target.name if self.schema.target else "class"
        classes = self.schema.classes
        shares = ", ".join(
            f"{classes[c]} {self.scores[c]:.2f}"
            for c in np.argsort(-self.scores, kind="stable")
            if self.scores[c] > 0
        )
        lines = [f"{target} = {classes[self.label]}  ({shares})"]
        for path in self.paths:
            if len(self.paths) > 1:
                lines.append(f"  {path.share:.0%} of the row:")
            margin = "    " if len(self.paths) > 1 else "  "
            lines += [f"{margin}{step.describe(self.schema)}" for step in path.steps]
            covered, right = sum(path.counts), path.counts[path.label]
            lines.append(f"{margin}-> {classes[path.label]}  ({_weight(right)}/{_weight(covered)} rows)")
        return "\n".join(lines)


def _weight(weight: float) -> str:
    return f"{weight:.0f}" if weight == round(weight) else f"{weight:.1f}"


def explain(tree: Tree, X: Floats, decisions: Decisions | None = None) -> list[Explanation]:
    """Return for every row the paths that it takes through a tree.

    Parameters
    ----------
    tree : Tree
        The tree.
    X : ndarray of shape (n_rows, n_attributes)
        Cells as in `Table.X`.
    decisions : Decisions or None
        What the model decided about the rows; None decides by the tree.

    Returns
    -------
    list of Explanation
        With one path each, but for rows that lack a cell that is tested: those go down every branch by its
        share of the training weight, or as `tree.missing` says.
    """
    decided = decide(tree, X) if decisions is None else decisions
    cells = working_cells_of(tree, X)
    shares = branch_shares(tree)
    return [
        Explanation(tree.schema, int(label), scores, _paths(tree, cells[i], X[i], shares))
        for i, (label, scores) in enumerate(zip(decided.label, decided.scores, strict=True))
    ]


def _paths(tree: Tree, cells: Floats, shown: Floats, shares: Floats) -> tuple[Path, ...]:
    found = []
    waiting: list[tuple[int, float, tuple[Step, ...]]] = [(0, 1.0, ())]
    while waiting:
        node, part, steps = waiting.pop()
        if tree.is_leaf(node):
            reached = tree.weight[node] > 0
            counts = tree.class_weight[node] if reached else np.zeros(tree.schema.n_classes)
            found.append(Path(steps, part, node, int(tree.label[node]), tuple(counts.tolist())))
            continue
        attribute = int(tree.attribute[node])
        own = int(branches_of(tree, node, cells[attribute : attribute + 1])[0])
        start = int(tree.child_start[node])
        text = _cell_text(tree.schema, attribute, shown[attribute])
        below = []
        for b, child in enumerate(tree.children(node).tolist()):
            share = float(b == own) if own >= 0 else float(shares[start + b])
            condition = tree.condition(node, b)
            if share > 0 and condition is not None:
                below.append((child, part * share, (*steps, Step(condition, text, share, own < 0))))
        waiting.extend(reversed(below))
    return tuple(sorted(found, key=lambda path: -path.share))


def _cell_text(schema: Schema, attribute: int, cell: float) -> str:
    if np.isnan(cell):
        return "?"
    values = schema.attributes[attribute].values
    return str(values[int(cell)]) if values else format_number(cell)
