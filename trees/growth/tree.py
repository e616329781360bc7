"""A decision tree as parallel node arrays, in pre-order: node 0 is the root, children follow their parent."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from trees.errors import DataError
from trees.rule import Condition, Merged, Rule, RuleList, in_order, merged_with
from trees.schema import Schema

__all__ = ["LEAF", "NOMINAL", "NUMERIC", "SUBSET", "Tree"]

LEAF, NOMINAL, NUMERIC, SUBSET = 0, 1, 2, 3
"""Kinds of node: no test; one branch per declared value; ``<=`` and ``>``; one branch per group of values."""

_ARRAYS: dict[str, Any] = {
    "kind": np.int8,
    "attribute": np.int32,
    "threshold": np.float64,
    "child_start": np.int32,
    "child": np.int32,
    "group_start": np.int32,
    "group": np.int32,
    "label": np.int32,
    "weight": np.float64,
    "errors": np.float64,
    "class_weight": np.float64,
}

Ints = npt.NDArray[np.int32]
Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Tree:
    """A decision tree over the attributes of a schema.

    Parameters
    ----------
    schema : Schema
        Of the training table.
    kind : ndarray of shape (n_nodes,), int8
        `LEAF`, `NOMINAL`, `NUMERIC` or `SUBSET`.
    attribute : ndarray of shape (n_nodes,), int32
        Column tested, -1 in a leaf.
    threshold : ndarray of shape (n_nodes,), float64
        Of a numeric test ``value <= threshold``; NaN elsewhere.
    child_start : ndarray of shape (n_nodes + 1,), int32
        Branch b of node i leads to ``child[child_start[i] + b]``.
    child : ndarray of shape (n_nodes - 1,), int32
        Node numbers; a branch per declared value, group, or side (first ``<=``, then ``>``).
    group_start : ndarray of shape (n_nodes + 1,), int32
        Where the value-to-branch map of a `SUBSET` node starts in `group`; empty range elsewhere.
    group : ndarray, int32
        Branch of every value code of a subset test, -1 for values in no group.
    label : ndarray of shape (n_nodes,), int32
        Class code of the node.
    weight : ndarray of shape (n_nodes,), float64
        Training weight that reached the node (N).
    errors : ndarray of shape (n_nodes,), float64
        Training errors below the node (E); after pessimistic pruning the estimated errors.
    class_weight : ndarray of shape (n_nodes, n_classes), float64
        Training weight per class; of the parent in a node that no row reached.
    single_precision : bool
        Whether thresholds and sums are those of 32-bit arithmetic (mode "r8").
    missing : {"fractions", "largest"}
        Where a row goes whose tested cell is missing: down every branch by its share of the weight, as in
        C4.5, or down the branch of the greatest weight (the first of equals), as in our CART.
    case_order : ndarray of shape (n_rows,), int32, or None
        Order in which growing in mode "r8" left the training rows. Pruning goes on in it, because the order
        decides how sums of fractional weights are rounded. Not stored in model files.
    """

    schema: Schema
    kind: npt.NDArray[np.int8]
    attribute: Ints
    threshold: Floats
    child_start: Ints
    child: Ints
    group_start: Ints
    group: Ints
    label: Ints
    weight: Floats
    errors: Floats
    class_weight: Floats
    single_precision: bool = False
    missing: Literal["fractions", "largest"] = "fractions"
    case_order: Ints | None = None

    @property
    def n_nodes(self) -> int:
        """Number of nodes, leaves and empty leaves included."""
        return len(self.kind)

    @property
    def leaves(self) -> npt.NDArray[np.int64]:
        """Node numbers of the leaves, in pre-order."""
        return np.flatnonzero(self.kind == LEAF)

    @property
    def n_leaves(self) -> int:
        """Number of leaves."""
        return len(self.leaves)

    def children(self, node: int) -> Ints:
        """Return the node numbers below a node, in branch order."""
        return self.child[self.child_start[node] : self.child_start[node + 1]]

    def groups(self, node: int) -> list[list[int]]:
        """Return, for a subset test, the value codes of every branch."""
        codes = self.group[self.group_start[node] : self.group_start[node + 1]]
        return [np.flatnonzero(codes == branch).tolist() for branch in range(len(self.children(node)))]

    def is_leaf(self, node: int) -> bool:
        """Return whether a node tests nothing."""
        return bool(self.kind[node] == LEAF)

    def condition(self, node: int, branch: int) -> Condition | None:
        """Return the condition under which a row takes a branch, None if no value does."""
        attribute = int(self.attribute[node])
        if self.kind[node] == NUMERIC:
            return Condition(attribute, "<=" if branch == 0 else ">", float(self.threshold[node]))
        codes = [branch] if self.kind[node] == NOMINAL else self.groups(node)[branch]
        return Condition(attribute, "in", tuple(codes)) if codes else None

    def paths(self) -> Iterator[tuple[int, tuple[Condition, ...]]]:
        """Yield every leaf that a value can reach, in pre-order, with the conditions from the root down."""
        for node, path in self.walk():
            if self.is_leaf(node):
                conditions = [self.condition(above, branch) for above, branch in path]
                if None not in conditions:
                    yield node, tuple(c for c in conditions if c is not None)

    def short_paths(self) -> Iterator[tuple[int, tuple[Condition, ...]]]:
        """Yield every leaf that a value can reach, in pre-order, with the conditions of `Rule.simplify`.

        Conditions are merged on the way down, so that long paths cost no more than short ones. A leaf whose
        conditions exclude each other is left out; DataError is raised if rows reached it all the same.
        """
        stack: list[tuple[int, Merged]] = [(0, {})]
        while stack:
            node, merged = stack.pop()
            if self.is_leaf(node):
                yield node, in_order(merged)
            below = []
            for branch, child in enumerate(self.children(node).tolist()):
                condition = self.condition(node, branch)
                if condition is not None:
                    try:
                        below.append((child, merged_with(merged, condition)))
                    except DataError:
                        if self.weight[child] > 0:
                            raise
            stack.extend(reversed(below))

    @cached_property
    def leaf_rules(self) -> dict[int, Rule]:
        """Return one rule per leaf that training rows reach, by node number in pre-order.

        The counts are the training weight per class; ``scores["leaf_errors"]`` is the leaf's E.
        """
        rules = {}
        for leaf, conditions in self.short_paths():
            if self.weight[leaf] > 0:
                counts = tuple(self.class_weight[leaf].tolist())
                scores = {"leaf_errors": self.errors[leaf]}
                rules[leaf] = Rule(conditions, int(self.label[leaf]), counts, scores=scores)
        return rules

    @cached_property
    def rule_of_node(self) -> Ints:
        """Position of a leaf's rule in `to_rules`, -1 for other nodes; ndarray of shape (n_nodes,)."""
        numbers = np.full(self.n_nodes, -1, dtype=np.int32)
        for number, leaf in enumerate(self.leaf_rules):
            numbers[leaf] = number
        return numbers

    def to_rules(self) -> RuleList:
        """Return the leaves as a rule list that decides as the tree does; empty leaves give no rule."""
        rules = tuple(self.leaf_rules.values())
        return RuleList(rules, self.schema, int(self.label[0]), "tree", self)

    @property
    def parent(self) -> Ints:
        """Parent of every node, -1 for the root; ndarray of shape (n_nodes,)."""
        parents = np.full(self.n_nodes, -1, dtype=np.int32)
        parents[self.child] = np.repeat(np.arange(self.n_nodes, dtype=np.int32), np.diff(self.child_start))
        return parents

    @property
    def depth(self) -> int:
        """Number of tests on the longest path."""
        depths = np.zeros(self.n_nodes, dtype=np.int32)
        for node, parent in enumerate(self.parent):
            if parent >= 0:
                depths[node] = depths[parent] + 1
        return int(depths.max())

    def walk(self) -> Iterator[tuple[int, list[tuple[int, int]]]]:
        """Yield every node in pre-order with its path: (node tested, branch taken) from the root down."""
        stack: list[tuple[int, list[tuple[int, int]]]] = [(0, [])]
        while stack:
            node, path = stack.pop()
            yield node, path
            for branch, below in reversed(list(enumerate(self.children(node).tolist()))):
                stack.append((below, [*path, (node, branch)]))

    def __str__(self) -> str:
        from trees.text import tree_text

        return tree_text(self)

    def to_dict(self) -> dict[str, Any]:
        """Return a JSON-ready form, without the schema; thresholds of nodes without one are None."""
        record: dict[str, Any] = {name: getattr(self, name).tolist() for name in _ARRAYS}
        record["threshold"] = [None if math.isnan(t) else t for t in record["threshold"]]
        return {**record, "single_precision": self.single_precision, "missing": self.missing}

    @classmethod
    def from_dict(cls, record: dict[str, Any], schema: Schema) -> Tree:
        """Build a tree from what `to_dict` returned; raise DataError if the arrays do not fit together."""
        arrays = {name: np.array(record[name], dtype=dtype) for name, dtype in _ARRAYS.items()}
        arrays["class_weight"] = arrays["class_weight"].reshape(-1, schema.n_classes)
        missing = record.get("missing", "fractions")
        tree = cls(schema, **arrays, single_precision=bool(record["single_precision"]), missing=missing)
        tree.check()
        return tree

    def check(self) -> None:
        """Raise DataError if the arrays are no tree over the schema."""
        if self.missing not in ("fractions", "largest"):
            raise DataError(f"A tree cannot treat missing cells by {self.missing!r}.")
        n = self.n_nodes
        per_node = (self.attribute, self.threshold, self.label, self.weight, self.errors, self.class_weight)
        sizes_fit = n > 0 and all(len(array) == n for array in per_node)
        starts_fit = sizes_fit and all(
            len(start) == n + 1 and start[0] == 0 and start[-1] == len(flat) and np.all(np.diff(start) >= 0)
            for start, flat in ((self.child_start, self.child), (self.group_start, self.group))
        )
        if not (starts_fit and len(self.child) == n - 1):
            raise DataError("The arrays of the tree have lengths that do not fit together.")
        inner = self.kind != LEAF
        columns = self.attribute[inner]
        if (
            not np.array_equal(np.sort(self.child), np.arange(1, n))
            or np.any(self.child <= np.repeat(np.arange(n), np.diff(self.child_start)))
            or np.any((columns < 0) | (columns >= self.schema.n_attributes))
            or not (np.all(self.weight >= 0) and np.all(self.class_weight >= 0))
            or np.any((self.label < 0) | (self.label >= self.schema.n_classes))
            or np.any((np.diff(self.child_start) > 0) != inner)
            or not all(self._test_fits(int(node)) for node in np.flatnonzero(inner))
        ):
            raise DataError("The nodes of the tree do not fit the schema.")

    def _test_fits(self, node: int) -> bool:
        n_branches = len(self.children(node))
        n_values = int(self.schema.n_values[self.attribute[node]])
        if self.kind[node] == NUMERIC:
            return n_branches == 2 and n_values == 0 and not math.isnan(self.threshold[node])
        if self.kind[node] == NOMINAL:
            return n_branches == n_values
        if self.kind[node] != SUBSET or n_values == 0:
            return False
        codes = self.group[self.group_start[node] : self.group_start[node + 1]]
        return len(codes) == n_values and bool(np.all((codes >= -1) & (codes < n_branches)))

    def replaced(self, **arrays: Any) -> Tree:
        """Return a copy with some arrays replaced."""
        return replace(self, **arrays)
