"""The generic grower: any criterion, cuts of numbers, a branch per value or two groups of values.

Aggarwal, Data Mining: The Textbook, section 10.3, figure 10.4.
"""

from __future__ import annotations

import heapq
from collections import deque
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from trees.criteria import CRITERIA
from trees.discretize.cuts import midpoint
from trees.errors import DataError
from trees.growth.draft import TIE, Draft, assemble
from trees.growth.generic.options import GenericOptions
from trees.growth.tree import NOMINAL, NUMERIC, SUBSET, Tree
from trees.schema import Schema
from trees.table import Table

__all__ = ["CUT", "Grower", "Waiting", "grow_generic"]

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int32]

NO_SPLIT, CUT, BRANCHES, SUBSETS = 0, 1, 2, 3
"""Kinds of split that the kernels return."""

_NODE_KIND = {CUT: NUMERIC, BRANCHES: NOMINAL, SUBSETS: SUBSET}
_SUBSETS = {"multiway": 0, "subset": 1, "one_vs_rest": 2}


class _Data(NamedTuple):
    """The training table as the kernels read it."""

    ranks: npt.NDArray[Any]
    missing: int
    classes: Ints
    n_ranks: Ints
    nominal: npt.NDArray[np.bool_]
    terms: Floats


class _Search(NamedTuple):
    """The options as the kernels read them."""

    criterion: int
    by_ratio: bool
    subsets: int
    parts: int
    min_leaf: float
    most_values: int


class _Scratch(NamedTuple):
    """Arrays that the kernels use over and over."""

    slots: npt.NDArray[np.int64]
    keys: npt.NDArray[np.int64]
    ranks: npt.NDArray[np.int64]
    weights: Floats
    left: Floats
    right: Floats
    total: Floats
    covariance: Floats
    sizes: Floats
    scores: Floats
    order: npt.NDArray[np.int64]
    branch: Ints


class _Found(NamedTuple):
    """What the search writes: worth and decrease; kind, attribute and the ranks beside a cut; branches."""

    floats: Floats
    ints: npt.NDArray[np.int64]
    branch_of_rank: Ints


@dataclass
class Waiting:
    """A node to be split: its rows, their weights, what varies among them, and the test found for it."""

    draft: int
    rows: Ints
    weight: Floats
    active: Ints
    depth: int
    worth: float
    decrease: float
    kind: int
    attribute: int
    threshold: float = float("nan")
    cut: int = -1
    group: Ints | None = None


def grow_generic(table: Table, options: GenericOptions) -> Tree:
    """Grow a tree without pruning it.

    Parameters
    ----------
    table : Table
        With classes; rows of weight 0 are left out.
    options : GenericOptions
        Criterion, kinds of split and limits.

    Returns
    -------
    Tree
        Every node is labelled with its majority class; of equals the one more frequent in the table, then
        the first. A branch that no row takes ends in a leaf of its parent's class.

    Raises
    ------
    DataError
        For a table without weight or classes.

    Notes
    -----
    Equal splits: the lower attribute, then the lower threshold or the earlier value wins; worths that
    differ by less than 1e-10 are equal. The decrease of an attribute with missing cells is that of the known
    rows times their share of the weight.

    Examples
    --------
    >>> import pandas as pd
    >>> table = Table.from_frame(pd.DataFrame({"a": [1.0, 2.0, 4.0, 8.0]}), ["no", "no", "yes", "yes"])
    >>> print(grow_generic(table, GenericOptions()))
    a <= 3 : no (2.0)
    a > 3 : yes (2.0)
    """
    return Grower(table, options).run()


class Grower:
    """One run of growing; a subclass may look for further tests."""

    def __init__(self, table: Table, options: GenericOptions) -> None:
        rows = np.flatnonzero(table.weight > 0).astype(np.int32)
        if len(rows) == 0:
            raise DataError("A tree needs at least one row with a weight above 0. Got none.")
        codes = table.codes
        schema = table.schema
        self.criterion = criterion = CRITERIA[options.criterion]
        self.schema = schema
        self.classes = table.classes.copy()
        self.n_classes = table.n_classes
        self.options = options
        self.values = codes.values
        n_ranks = np.array([len(values) for values in codes.values], dtype=np.int32)
        counts = np.arange(len(rows) + 1, dtype=np.float64)
        terms = counts * np.log2(np.maximum(counts, 1.0))
        self.data = _Data(codes.ranks, codes.missing, self.classes, n_ranks, schema.is_nominal, terms)
        self.search = _Search(
            criterion.code,
            criterion.by_ratio,
            _SUBSETS[options.nominal_split],
            0 if options.thresholds == "all" else int(options.thresholds),
            float(options.min_leaf),
            options.max_subset_values,
        )
        self.scratch = _scratch(n_ranks, len(rows), table.n_classes)
        weight = table.weight[rows]
        self.found = _Found(np.zeros(2), np.zeros(4, np.int64), np.zeros(len(self.scratch.branch), np.int32))
        self.drafts: list[Draft] = []
        self.n_leaves = 1
        self.root = (rows, weight, np.arange(table.n_attributes, dtype=np.int32))

    def count(self, rows: Ints, weight: Floats) -> Floats:
        """Return the weight per class of some rows."""
        counts = np.bincount(self.classes[rows], weights=weight, minlength=self.n_classes)
        return counts.astype(np.float64, copy=False)

    def tree_schema(self) -> Schema:
        """Return the schema of the tree."""
        return self.schema

    def run(self) -> Tree:
        """Split nodes until none is left that may be split."""
        rows, weight, active = self.root
        self.add_draft(self.count(rows, weight), float(weight.sum()))
        first = self.searched(0, rows, weight, active, depth=0)
        if self.options.max_leaves is None:
            self.split_in_turn(first)
        else:
            self.split_best_first(first, self.options.max_leaves)
        return assemble(self.tree_schema(), self.drafts, self.options.missing)

    def split_in_turn(self, first: Waiting | None) -> None:
        """Split nodes in the order in which they were made."""
        queue = deque([first] if first else [])
        while queue:
            queue.extend(self.split(queue.popleft()))

    def split_best_first(self, first: Waiting | None, max_leaves: int) -> None:
        """Split the node with the greatest decrease times weight first, while leaves may be added."""
        heap: list[tuple[float, int, Waiting]] = []

        def push(node: Waiting) -> None:
            heapq.heappush(heap, (-node.decrease * float(node.weight.sum()), node.draft, node))

        if first:
            push(first)
        while heap:
            _, _, node = heapq.heappop(heap)
            n_branches = len(self.values[node.attribute]) if node.kind == BRANCHES else 2
            if self.n_leaves + n_branches - 1 <= max_leaves:
                self.n_leaves += n_branches - 1
                for below in self.split(node):
                    push(below)

    def add_draft(self, class_weight: Floats, weight: float) -> int:
        """Add a node and return its number."""
        self.drafts.append(Draft(class_weight, weight))
        return len(self.drafts) - 1

    def searched(self, draft: int, rows: Ints, weight: Floats, active: Ints, depth: int) -> Waiting | None:
        """Return a node with the best test found for it, None if it is to stay a leaf."""
        node = self.drafts[draft]
        options = self.options
        if (
            node.weight < options.min_split
            or np.count_nonzero(node.class_weight) < 2
            or depth == options.max_depth
        ):
            return None
        found = self.best_test(draft, rows, weight, active, depth)
        least = options.min_gain + (TIE if options.min_gain >= 0 else 0.0)
        return None if found is None or found.decrease <= least else found

    def best_test(self, draft: int, rows: Ints, weight: Floats, active: Ints, depth: int) -> Waiting | None:
        """Return a node with its best test, None without an admissible one."""
        from trees.growth.generic._kernels_split import best_split

        varying = np.empty(len(active), dtype=np.int32)
        n_varying = best_split(
            rows, weight, active, self.data, self.search, self.scratch, self.found, varying
        )
        worth, decrease = self.found.floats.tolist()
        kind, attribute, low, high = self.found.ints.tolist()
        if kind == NO_SPLIT:
            return None
        values = self.values[attribute]
        found = Waiting(
            draft, rows, weight, varying[:n_varying], depth, worth, decrease, kind, attribute, cut=low
        )
        if kind == CUT:
            found.threshold = midpoint(float(values[low]), float(values[high]))
        elif kind == SUBSETS:
            found.group = self.found.branch_of_rank[: len(values)].copy()
        return found

    def split(self, node: Waiting) -> list[Waiting]:
        """Make the branches of a node; return those that may be split further."""
        draft = self.drafts[node.draft]
        draft.kind, draft.attribute = _NODE_KIND[node.kind], node.attribute
        draft.threshold, draft.group = node.threshold, node.group
        waiting = []
        for rows, weight in self.parts(node):
            class_weight = self.count(rows, weight) if len(rows) else draft.class_weight
            child = self.add_draft(class_weight, float(weight.sum()))
            draft.children.append(child)
            if len(rows) > 0 and (below := self.searched(child, rows, weight, node.active, node.depth + 1)):
                waiting.append(below)
        return waiting

    def parts(self, node: Waiting) -> list[tuple[Ints, Floats]]:
        """Return rows and weights of every branch, rows without a branch sent as `missing` says."""
        masks, known = self.sides(node)
        rows = [node.rows[mask] for mask in masks]
        weights = [node.weight[mask] for mask in masks]
        if known.all():
            return list(zip(rows, weights, strict=True))
        sizes = np.array([weight.sum() for weight in weights])
        if self.options.missing == "largest":
            shares = (np.arange(len(sizes)) == np.argmax(sizes)).astype(np.float64)
        else:
            shares = sizes / sizes.sum()
        lost, lost_weight = node.rows[~known], node.weight[~known]
        for b in np.flatnonzero(shares):
            rows[b] = np.concatenate((rows[b], lost))
            weights[b] = np.concatenate((weights[b], lost_weight * shares[b]))
        return list(zip(rows, weights, strict=True))

    def sides(self, node: Waiting) -> tuple[list[npt.NDArray[np.bool_]], npt.NDArray[np.bool_]]:
        """Return which rows take which branch, and which take any."""
        cells = self.data.ranks[node.attribute][node.rows]
        known = cells != self.data.missing
        if node.kind == CUT:
            low = cells <= node.cut
            return [low, ~low & known], known
        if node.group is not None:
            branch = np.append(node.group, -1)[np.minimum(cells, len(node.group))]
            return [branch == 0, branch == 1], known
        return [cells == code for code in range(len(self.values[node.attribute]))], known


def _scratch(n_ranks: Ints, n_rows: int, n_classes: int) -> _Scratch:
    most_ranks = int(n_ranks.max(initial=1))
    most_groups = min(most_ranks, n_rows)
    return _Scratch(
        np.full(most_ranks, -1, dtype=np.int64),
        np.zeros(n_rows, dtype=np.int64),
        np.zeros(most_groups, dtype=np.int64),
        np.zeros((most_groups, n_classes)),
        np.zeros(n_classes),
        np.zeros(n_classes),
        np.zeros(n_classes),
        np.zeros((n_classes, n_classes)),
        np.zeros(most_groups),
        np.zeros(most_groups),
        np.zeros(most_groups, dtype=np.int64),
        np.zeros(most_ranks, dtype=np.int32),
    )
