"""The arrays that the fast growing kernels read and write.

Few wide arrays and groups of arrays instead of many arguments, because compile time grows with their number.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

__all__ = ["COLUMN", "NODE", "PENDING", "SETTINGS", "Block", "Scratch", "Training"]

Ints = npt.NDArray[np.int32]
Longs = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
Records = npt.NDArray[Any]

NODE = np.dtype(
    [
        ("weight", np.float64),
        ("errors", np.float64),
        ("kind", np.int32),
        ("attribute", np.int32),
        ("below", np.int32),  # ranks of the values on both sides of a numeric cut
        ("above", np.int32),
        ("first", np.int32),  # number of the first child; its siblings follow
        ("n_children", np.int32),
        ("label", np.int32),
    ],
    align=True,
)
"""A node of the growing tree. Nodes are numbered in order of creation."""

PENDING = np.dtype(
    [
        ("node", np.int64),
        ("start", np.int64),  # slice of the node's own rows
        ("end", np.int64),
        ("missing_start", np.int64),  # slice of the rows with a missing cell, shared with the siblings
        ("missing_end", np.int64),
        ("active", np.int64),  # slice of the attributes that may be tested
        ("n_active", np.int64),
        ("depth", np.int64),
        ("in_block", np.int64),  # whether rows are numbered within the block of cells copied last
        ("factor", np.float64),  # share of the missing rows' weight that goes to the node
    ]
)
"""An entry of the stack of nodes still to be evaluated."""

COLUMN = np.dtype(
    [
        ("n_ranks", np.int64),  # distinct values of a numeric, declared values of a nominal attribute
        ("nominal", np.int64),
        ("in_average", np.int64),  # whether it enters the average gain (section 1.4)
        ("gain", np.float64),  # the test at the current node
        ("info", np.float64),
        ("below", np.int64),
        ("above", np.int64),
    ]
)
"""Facts about an attribute, and the test found for it at the current node."""

N_NODES, N_PENDING = range(2)
"""Positions in the state of a growing run."""

DONE, NEEDS_NODES, NEEDS_PENDING, NEEDS_ROWS, NEEDS_ACTIVE = range(5)
"""What a growing run returns: finished, or which arrays must become longer before it goes on."""

CLASSES, PLACES, CELLS, COUNTS, SPARE = range(5)
"""Rows of the int64 work space: class codes of the node's rows; 0, 1, 2, ...; cells, before that sorted keys;
rows of each cell; room for sorting."""

SETTINGS = np.dtype(
    [
        ("n_classes", np.int64),
        ("missing", np.int64),  # rank of a missing cell
        ("min_cases", np.float64),
        ("max_depth", np.int64),
        ("use_gain", np.int64),
        ("rounding", np.float64),  # error of one float64 operation, in units of the fixed-point terms
    ]
)
"""What a growing run is told."""


class Training(NamedTuple):
    """What no run changes; runs in several threads share it."""

    ranks: npt.NDArray[Any]
    """(n_attributes, n_rows) rank codes, read-only."""
    y: Ints
    """(n_rows,) class codes."""
    settings: Records
    """(1,) of `SETTINGS`."""
    terms: Floats
    """n log2 n for n = 0, 1, 2, ..."""
    fixed: Longs
    """The same in fixed point."""


class Scratch(NamedTuple):
    """Working space that every node writes anew; n_rows is that of the largest node."""

    work: Longs
    """(5, n_rows), see `CLASSES` and the following."""
    mass: Floats
    """(2, n_rows) weight of each cell; room for sorting weights."""
    histogram: Longs
    """(2 n_rows + 64,) rows per rank and class; all 0 between attributes."""
    heights: Floats
    """(2 n_rows + 64,) weight per rank and class; all 0 between attributes."""
    digits: Longs
    """(2050,) for sorting by digits."""
    per_class: Longs
    """(5, n_classes) rows."""
    class_mass: Floats
    """(3, n_classes) weights."""
    slots: Longs
    """(2, most branches + 1) rows of each branch, and where they start; slot 0 is for missing cells."""
    share: Floats
    """(most branches + 1,) part of the known weight in each branch."""

    @classmethod
    def empty(cls, n_rows: int, n_classes: int, most_branches: int) -> Scratch:
        """Return space for nodes of at most so many rows."""
        work = np.empty((5, n_rows), dtype=np.int64)
        work[PLACES] = np.arange(n_rows)
        return cls(
            work,
            np.empty((2, n_rows)),
            np.zeros(2 * n_rows + 64, dtype=np.int64),
            np.zeros(2 * n_rows + 64),
            np.empty(2050, dtype=np.int64),
            np.empty((5, n_classes), dtype=np.int64),
            np.empty((3, n_classes)),
            np.empty((2, most_branches + 1), dtype=np.int64),
            np.empty(most_branches + 1),
        )


class Block(NamedTuple):
    """Cells of a small node side by side, which its nodes below use too."""

    cells: npt.NDArray[Any]
    """(n_attributes, n_block_rows) rank codes."""
    ranks: npt.NDArray[Any]
    """The same read-only, so that it has the type of `Training.ranks`."""
    y: Ints
    """(n_block_rows,) class codes."""

    @classmethod
    def empty(cls, n_attributes: int, n_rows: int, dtype: np.dtype[Any]) -> Block:
        """Return a block for nodes of at most so many rows."""
        cells = np.empty((n_attributes, n_rows), dtype=dtype)
        ranks = cells.view()
        ranks.setflags(write=False)
        return cls(cells, ranks, np.empty(n_rows, dtype=np.int32))
