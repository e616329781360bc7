"""The arrays that the fast growing kernels write: records of nodes, of pending nodes and of attributes."""

from __future__ import annotations

import numpy as np

__all__ = ["COLUMN", "NODE", "PENDING", "SETTINGS"]

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
