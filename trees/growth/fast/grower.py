"""Growing a C4.5 tree in double precision: the fast engine of mode "standard"."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt
from joblib import effective_n_jobs

from trees.errors import DataError
from trees.growth.fast.run import Run, Start
from trees.growth.fast.threads import finish_in_threads
from trees.growth.fast.workspace import COLUMN, SETTINGS, Training
from trees.growth.literal import grow_literal
from trees.growth.options import GrowthOptions
from trees.growth.tree import NUMERIC, Tree
from trees.table import Table

__all__ = ["grow"]

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int32]
Records = npt.NDArray[Any]


def grow(table: Table, options: GrowthOptions, *, n_jobs: int | None = None) -> Tree:
    """Grow an unpruned C4.5 tree.

    Parameters
    ----------
    table : Table
        Training rows with classes. Weights stand where the original counts cases, -999 is a number, and rows
        of weight 0 leave no trace.
    options : GrowthOptions
        What to grow.
    n_jobs : int or None
        Threads to grow in; None means 1, -1 one per processor. The tree does not depend on it. The engine of
        value groups has one thread.

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
    nodes, class_weight = _grow_nodes(table, kept, options, n_jobs)
    return _tree_of(nodes, class_weight, table, kept, options.collapse)


def _grow_nodes(
    table: Table, kept: Ints, options: GrowthOptions, n_jobs: int | None
) -> tuple[Records, Floats]:
    """Return the nodes in order of creation and their class weights, before collapsing."""
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
    # a copy of the classes, because kernels are compiled per writability
    training = Training(table.codes.ranks, table.classes.copy(), settings, terms, fixed)
    root = Start(kept, table.weight[kept], np.arange(table.n_attributes, dtype=np.int32), 0)
    run = Run.of([root], columns, table.n_classes, most_branches)
    n_threads = 1 if n_jobs is None else effective_n_jobs(n_jobs)
    run = run.finish(training) if n_threads == 1 else finish_in_threads(run, training, n_threads)
    return run.nodes[: run.n_nodes], run.class_weight


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
        rank = np.searchsorted(values, middle, side="right") - 1
        if np.any(rank > nodes["below"][here]):  # otherwise it is a value of the node's own rows
            cells = table.codes.ranks[a]
            present = np.zeros(len(values) + 1, dtype=np.bool_)
            # missing cells come last
            present[np.minimum(cells if len(kept) == len(cells) else cells[kept], len(values))] = True
            levels = np.flatnonzero(present[:-1])
            rank = levels[np.searchsorted(levels, rank, side="right") - 1]
        thresholds[here] = values[rank]
    return thresholds
