"""C4.5 Release 8 followed step by step: the "r8" mode, and the yardstick of the fast grower."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from trees.growth.cells import working_cells
from trees.growth.literal import state as at
from trees.growth.literal.nodes import tree_of
from trees.growth.literal.state import Cases, Frames, Nodes, Scratch, Settings, Training
from trees.growth.options import GrowthOptions
from trees.growth.tree import NUMERIC, Tree
from trees.table import Table

__all__ = ["LiteralGrower", "grow_literal", "sums_are_exact", "training_arrays"]

Ints = npt.NDArray[np.int32]

MOST_TERMS = 65536


def grow_literal(table: Table, options: GrowthOptions, *, single_precision: bool) -> Tree:
    """Grow an unpruned C4.5 tree with the operations, and the order of cases, of the original program.

    Parameters
    ----------
    table : Table
        Training rows with classes; NaN cells are unknown.
    options : GrowthOptions
        What to grow.
    single_precision : bool
        True repeats Release 8 bit for bit: 32-bit floats, its case order and its defects (-999 is unknown;
        with `group_values`, an attribute without known values lowers `min_cases` to 1 for the rest of the
        run). False does the same in float64, without the defects, and separates values however close.

    Returns
    -------
    Tree
        In pre-order, `weight` and `errors` as the original's N and E of the unpruned tree.

    Notes
    -----
    Quinlan (1993), C4.5, and (1996), JAIR 4, 77-90; specification sections 0 to 2. Deviations: rows may have
    any positive weight, and where weights differ from 1 the weight of a set is their sum, where the original
    counts cases. A midpoint that rounds up to its upper neighbour is replaced by the lower one; the original
    recurses until it crashes.
    """
    row = np.arange(table.n_rows, dtype=np.int32)
    tree = LiteralGrower(table, options, single_precision=single_precision).grow(row, table.n_rows)
    return tree.replaced(case_order=row if single_precision else None)


class LiteralGrower:
    """Grows trees from some of the rows of a table, which it reorders as the original does.

    Parameters
    ----------
    table, options, single_precision
        As of `grow_literal`. Thresholds are values of the whole table.
    keep_order : bool
        Whether the order in which rows are left matters even where no sum depends on it.
    """

    def __init__(
        self, table: Table, options: GrowthOptions, *, single_precision: bool, keep_order: bool = False
    ) -> None:
        self.table = table
        self.real: Any = np.float32 if single_precision else np.float64
        self.training = training_arrays(table, self.real)
        # kept over several trees, as in the original: a defect may have changed them
        self.settings = _settings(table, options, self.training, single_precision)
        if keep_order:
            self.settings = self.settings._replace(keep_order=True)

    def grow(self, row: Ints, n_cases: int) -> Tree:
        """Return the unpruned tree of the first `n_cases` of the rows in `row`, whose order changes."""
        from trees.growth.literal._kernels_grow import grow, push_node

        table, training, settings, real = self.table, self.training, self.settings, self.real
        cases = Cases(row, table.weight[row].astype(real), np.empty(len(row), dtype=real))
        scratch = _scratch(training, table.n_classes, real)
        nodes = Nodes(
            ints=np.zeros((64, 6), dtype=np.int32),
            reals=np.zeros((64, 3), dtype=real),
            class_weight=np.zeros((64, table.n_classes), dtype=real),
            child=np.zeros(64, dtype=np.int32),
            group=np.zeros(64, dtype=np.int32),
        )
        frames = Frames(np.zeros((64, 8), dtype=np.int64), np.zeros((64, 3), dtype=real))
        state = np.array([0, 0, 0, -1, int(table.has_unit_weights)], dtype=np.int64)
        push_node(nodes.ints, nodes.reals, frames.ints, state, 0, n_cases - 1, 0)
        widest = len(scratch.sizes)
        block_info = np.empty_like(scratch.sizes) if settings.group_values else None
        while not grow(training, cases, scratch, settings, block_info, nodes, frames, state):
            nodes = Nodes(*(_enlarged(array, 2 * len(array) + widest) for array in nodes))
            frames = Frames(*(_enlarged(array, 2 * len(array)) for array in frames))
        n_nodes = int(state[at.N_NODES])
        nodes = nodes._replace(ints=nodes.ints[:n_nodes], reals=nodes.reals[:n_nodes])
        _use_present_thresholds(training.values, nodes)
        return tree_of(nodes, table.schema)


def training_arrays(table: Table, real: Any) -> Training:
    """Return the cells and classes of a table in the working precision, and the table of n log n."""
    from trees.growth.literal._kernels_info import fill_terms

    numeric = ~table.schema.is_nominal
    values = np.ascontiguousarray(working_cells(table.X, numeric, real).T)
    n_values = np.where(numeric, 0, np.maximum(table.schema.n_values, 1)).astype(np.int64)
    terms = np.empty(min(table.n_rows + 2, MOST_TERMS))
    fill_terms(terms)
    return Training(values, table.classes, n_values, ~np.isnan(values).any(axis=1), terms)


def sums_are_exact(table: Table, training: Training) -> bool:
    """Return whether all sums of weights are whole numbers that the precision holds, in whatever order."""
    whole = bool(np.all(table.weight == np.floor(table.weight)))
    largest = 2.0 ** (np.finfo(training.values.dtype).nmant + 1)
    return whole and bool(np.all(training.complete)) and float(table.weight.sum()) <= largest


def _settings(table: Table, options: GrowthOptions, training: Training, single_precision: bool) -> Settings:
    total = float(table.weight.sum())
    few_values = (training.n_values == 0) | (training.n_values < 0.3 * total)
    return Settings(
        min_cases=np.array([options.min_cases], dtype=training.values.dtype),
        total=total,
        multi_valued=options.group_values or not bool(np.any(few_values)),
        use_gain=options.criterion == "gain",
        group_values=options.group_values,
        collapse=options.collapse,
        keep_defects=single_precision,
        keep_order=single_precision and not sums_are_exact(table, training),
        max_depth=np.iinfo(np.int64).max if options.max_depth is None else options.max_depth,
    )


def _scratch(training: Training, n_classes: int, real: Any) -> Scratch:
    n_attributes, n_rows = training.values.shape
    most = max(int(training.n_values.max(initial=0)), 2)
    return Scratch(
        tested=np.zeros(n_attributes, dtype=np.int32),
        merit=np.zeros((n_attributes, 3), dtype=real),
        group=np.zeros((n_attributes, most + 1), dtype=np.int32),
        counts=np.empty((most + 2, n_classes), dtype=real),
        sizes=np.empty(most + 2, dtype=real),
        trials=np.empty((n_rows, 2), dtype=real),
        trial_at=np.empty(n_rows, dtype=np.int32),
    )


def _enlarged(array: npt.NDArray[Any], length: int) -> npt.NDArray[Any]:
    longer = np.zeros((length, *array.shape[1:]), dtype=array.dtype)
    longer[: len(array)] = array
    return longer


def _use_present_thresholds(values: npt.NDArray[Any], nodes: Nodes) -> None:
    """Replace every midpoint by the greatest training value that is not above it (section 1.6)."""
    numeric = nodes.ints[:, at.KIND] == NUMERIC
    attributes = nodes.ints[:, at.ATTRIBUTE]
    for a in np.unique(attributes[numeric]):
        here = np.flatnonzero(numeric & (attributes == a))
        levels = np.sort(values[a])
        position = np.searchsorted(levels, nodes.reals[here, at.THRESHOLD], side="right")
        nodes.reals[here, at.THRESHOLD] = levels[position - 1]
