"""Growing a C4.5 tree in double precision: the fast engine of mode "standard"."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt

from trees.errors import DataError
from trees.growth.fast.workspace import (
    COLUMN,
    DONE,
    N_NODES,
    NEEDS_ACTIVE,
    NEEDS_NODES,
    NEEDS_PENDING,
    NODE,
    PENDING,
    SETTINGS,
)
from trees.growth.literal import grow_literal
from trees.growth.options import GrowthOptions
from trees.growth.tree import NUMERIC, Tree
from trees.table import Table

__all__ = ["grow"]

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int32]
Records = npt.NDArray[Any]

BLOCK_BYTES = 1 << 20
"""Rank codes of a small node are copied into a block of this size, which a processor's second cache holds."""


def grow(table: Table, options: GrowthOptions) -> Tree:
    """Grow an unpruned C4.5 tree.

    Parameters
    ----------
    table : Table
        Training rows with classes. Weights stand where the original counts cases, -999 is a number, and rows
        of weight 0 leave no trace.
    options : GrowthOptions
        What to grow.

    Returns
    -------
    Tree
        In pre-order. Thresholds are values that occur in the rows of `table`.

    Raises
    ------
    DataError
        If no row has a weight above 0.

    Notes
    -----
    specs: C4.5 sections 1 and 2, in float64. The tree equals that of `grow_literal` with
    ``single_precision=False``; where weights are fractional (missing cells share rows out), up to the
    rounding of their sums, which may decide between tests of equal worth. With ``options.group_values`` that
    engine itself is used, unless no nominal attribute has more than two values.

    Deviations from the original beside those of weights and precision: a cut may lie between any two distinct
    values (the original asks for a gap of 1e-5), and a midpoint that rounds up to its upper neighbour is
    replaced by the lower one (the original recurses until it crashes). `max_depth` is ours.

    A node whose rows all have weight 1 is evaluated with whole counts: entropy sums in fixed point, exact
    and independent of the order of rows, find the cuts, and what they cannot tell apart is computed in
    float64 in the original's operation order. Time per level: rows times attributes that are not constant.

    Examples
    --------
    >>> import numpy as np
    >>> from trees.schema import Attribute, Schema
    >>> schema = Schema((Attribute("x", "numeric"),), Attribute("class", "nominal", ("a", "b")))
    >>> table = Table(schema, np.array([[1.0], [2.0], [4.0], [5.0]]), np.array([0, 0, 1, 1], dtype=np.int32))
    >>> tree = grow(table, GrowthOptions())
    >>> tree.threshold[0], tree.label.tolist(), tree.errors[0]
    (np.float64(2.0), [0, 0, 1], np.float64(0.0))
    """
    if options.group_values and bool(np.any(table.schema.n_values > 2)):
        return grow_literal(table, options, single_precision=False)
    kept = np.flatnonzero(table.weight > 0).astype(np.int32)
    if len(kept) == 0:
        raise DataError("A tree needs at least one row with a weight above 0. The table has none.")
    nodes, class_weight = _grow_nodes(table, kept, options)
    return _tree_of(nodes, class_weight, table, kept, options.collapse)


def _grow_nodes(table: Table, kept: Ints, options: GrowthOptions) -> tuple[Records, Floats]:
    """Return the nodes in order of creation and their class weights, before collapsing."""
    from trees.growth.fast._kernels_grow import grow as run

    terms, fixed, unit = _terms(len(kept))
    columns = _columns(table, float(table.weight[kept].sum()))
    settings = np.zeros(1, dtype=SETTINGS)
    settings["n_classes"] = table.n_classes
    settings["missing"] = table.codes.missing
    settings["min_cases"] = options.min_cases
    settings["max_depth"] = np.iinfo(np.int64).max if options.max_depth is None else options.max_depth
    settings["use_gain"] = options.criterion == "gain"
    settings["rounding"] = unit * 2.0**-52
    most_branches = max(2, int(columns["n_ranks"][columns["nominal"] > 0].max(initial=2)))

    nodes = np.zeros(most_branches + 1024, dtype=NODE)
    nodes["attribute"] = -1
    class_weight = np.zeros((len(nodes), table.n_classes))
    row, weight = kept.copy(), table.weight[kept]
    pending = np.zeros(most_branches + 256, dtype=PENDING)
    pending[0]["end"] = len(kept)
    pending[0]["n_active"] = table.n_attributes
    active = np.zeros(64 * (table.n_attributes + 1), dtype=np.int32)
    active[: table.n_attributes] = np.arange(table.n_attributes)
    state = np.ones(2, dtype=np.int64)
    ranks, y = table.codes.ranks, table.classes.copy()  # a copy, because kernels are compiled per writability
    block_rows = min(table.n_rows, BLOCK_BYTES // (ranks.itemsize * max(1, table.n_attributes)))
    block = np.empty((table.n_attributes, block_rows), dtype=ranks.dtype)
    block_y = np.empty(block_rows, dtype=np.int32)
    block_ranks = block.view()
    block_ranks.setflags(write=False)
    while True:
        status = run(
            ranks, y, block_ranks, columns, settings, terms, fixed, most_branches,
            block, block_y, nodes, class_weight, row, weight, pending, active, state,
        )  # fmt: skip
        if status == DONE:
            return nodes[: state[N_NODES]], class_weight
        if status == NEEDS_NODES:
            nodes, class_weight = _longer(nodes), _longer(class_weight)
        elif status == NEEDS_PENDING:
            pending = _longer(pending)
        elif status == NEEDS_ACTIVE:
            active = _longer(active)
        else:
            row, weight = _longer(row), _longer(weight)


def _terms(n_rows: int) -> tuple[Floats, npt.NDArray[np.int64], float]:
    """Return n log2 n for n = 0 .. n_rows in float64 and in fixed point, and the units of that per bit."""
    from trees.growth.fast._kernels_common import fill_terms

    # a sum of terms is at most twice the greatest one; it and the tolerance stay within 62 bits
    unit = 2.0 ** min(32, 60 - math.ceil(math.log2(1 + n_rows * math.log2(n_rows + 1))))
    terms = np.empty(n_rows + 1)
    fixed = np.empty(n_rows + 1, dtype=np.int64)
    fill_terms(terms, fixed, unit)
    return terms, fixed, unit


def _columns(table: Table, total: float) -> Records:
    """Return one record per attribute; `total` is the weight of all rows."""
    columns = np.zeros(table.n_attributes, dtype=COLUMN)
    columns["n_ranks"] = [len(values) for values in table.codes.values]
    columns["nominal"] = table.schema.is_nominal
    many = table.schema.is_nominal & (table.schema.n_values >= 0.3 * total)
    columns["in_average"] = ~many | many.all()
    return columns


def _longer(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Return a copy of one and a half times the length, zero behind the old end."""
    longer = np.zeros((len(array) + len(array) // 2 + 1, *array.shape[1:]), dtype=array.dtype)
    longer[: len(array)] = array
    return longer


def _tree_of(nodes: Records, class_weight: Floats, table: Table, kept: Ints, collapse: bool) -> Tree:
    """Sum the errors up, collapse if asked to, and return the nodes that are left as a tree."""
    from trees.growth.fast._kernels_finish import number_nodes, sum_errors

    sum_errors(nodes, collapse)
    order, number, stack = (np.empty(len(nodes), dtype=np.int32) for _ in range(3))
    order = order[: number_nodes(nodes, order, number, stack)]
    nodes = nodes[order]
    n_children = nodes["n_children"]
    child_start = np.zeros(len(order) + 1, dtype=np.int32)
    np.cumsum(n_children, out=child_start[1:])
    branch = np.arange(child_start[-1]) - np.repeat(child_start[:-1], n_children)
    return Tree(
        schema=table.schema,
        kind=nodes["kind"].astype(np.int8),
        attribute=nodes["attribute"].copy(),
        threshold=_thresholds(nodes, table, kept),
        child_start=child_start,
        child=number[np.repeat(nodes["first"], n_children) + branch],
        group_start=np.zeros(len(order) + 1, dtype=np.int32),
        group=np.empty(0, dtype=np.int32),
        label=nodes["label"].copy(),
        weight=nodes["weight"].copy(),
        errors=nodes["errors"].copy(),
        class_weight=class_weight[order],
    )


def _thresholds(nodes: Records, table: Table, kept: Ints) -> Floats:
    """Return the threshold of every numeric test: the greatest value present that is at most the midpoint.

    A table made by `take` has the values of its parent, of which only those in its own rows count.
    """
    thresholds = np.full(len(nodes), np.nan)
    numeric = nodes["kind"] == NUMERIC
    for a in np.unique(nodes["attribute"][numeric]):
        here = np.flatnonzero(numeric & (nodes["attribute"] == a))
        values = table.codes.values[a]
        below, above = values[nodes["below"][here]], values[nodes["above"][here]]
        with np.errstate(over="ignore"):
            middle = (below + above) / 2
        # the midpoint of neighbouring floats may be the upper one, that of huge ones infinite
        middle = np.where((middle >= below) & (middle < above), middle, below)
        present = np.zeros(len(values) + 1, dtype=np.bool_)
        present[np.minimum(table.codes.ranks[a, kept], len(values))] = True  # missing cells come last
        levels = values[present[:-1]]
        thresholds[here] = levels[np.searchsorted(levels, middle, side="right") - 1]
    return thresholds
