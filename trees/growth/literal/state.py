"""The arrays that the literal C4.5 kernels work on, grouped by what they describe.

`real` stands for the working precision: float32 for mode "r8", float64 otherwise. Every array of reals has
that dtype, so that each store rounds as the original's `float` variables do (specification, section 0).
Sections cited beside the kernels are those of the C4.5 specification among the reference data.
Few wide arrays instead of many narrow ones, because compile time grows with the number of arrays passed.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

__all__ = ["Cases", "Frames", "Nodes", "Scratch", "Settings", "Training"]

Ints = npt.NDArray[np.int32]
Longs = npt.NDArray[np.int64]
Reals = npt.NDArray[Any]

KIND, ATTRIBUTE, CHILD_START, CHILD_COUNT, GROUP_START, LABEL = range(6)
"""Columns of `Nodes.ints`."""
THRESHOLD, WEIGHT, ERRORS = range(3)
"""Columns of `Nodes.reals`."""
NODE, LOW, HIGH, FRONT, BRANCH, END, ALL_KNOWN, DEPTH = range(8)
"""Columns of `Frames.ints`: node, first and last case, end of the unknown ones, branch, end of its cases."""
KNOWN, FACTOR, LEAF_ERRORS = range(3)
"""Columns of `Frames.reals`: weight of the known cases, share of the current branch, errors as a leaf."""
GAIN, INFO, CUT = range(3)
"""Columns of `Scratch.merit`: gain, split information and, for a numeric attribute, midpoint of its test."""
N_NODES, N_CHILDREN, N_GROUPS, TOP, KNOWN_FLAG = range(5)
"""Positions in the state: slots in use, top of the stack of frames, whether weights are still counts."""


class Training(NamedTuple):
    """What is never written: cells, classes and tables of numbers."""

    values: Reals
    """(n_attributes, n_rows) real; NaN = unknown."""
    y: Ints
    """(n_rows,) class codes."""
    n_values: Longs
    """(n_attributes,) declared values of nominal attributes, 0 for numeric ones."""
    complete: npt.NDArray[np.bool_]
    """(n_attributes,) whether no cell is unknown."""
    terms: npt.NDArray[np.float64]
    """n * log2(n) for n = 0, 1, 2, ..."""


class Cases(NamedTuple):
    """The training cases in their current order; a node is a range of positions."""

    row: Ints
    """(n_rows,) row of the table at every position."""
    weight: Reals
    """(n_rows,) current weight of the case at every position."""
    key: Reals
    """(n_rows,) value of the attribute being sorted."""


class Scratch(NamedTuple):
    """Working space, overwritten by every node."""

    tested: Ints
    """(n_attributes,) how often an attribute is tested on the current path."""
    merit: Reals
    """(n_attributes, 3) of every attribute's test."""
    group: Ints
    """(n_attributes, n_values + 1) branch of every value in a subset test, then the number of branches."""
    counts: Reals
    """(n_values + 2, n_classes) class weights of every outcome; row 0 is unknown."""
    sizes: Reals
    """(n_values + 2,) weight of every outcome."""
    trials: Reals
    """(n_rows, 2) gain and lower weight of every threshold tried."""
    trial_at: Ints
    """(n_rows,) position of every threshold tried."""


class Settings(NamedTuple):
    """Options of growing."""

    min_cases: Reals
    """(1,) real; an array because the original's defect 9.2 changes it."""
    total: float
    """Weight of the whole training set."""
    multi_valued: bool
    """Whether many-valued attributes enter the average gain."""
    use_gain: bool
    group_values: bool
    collapse: bool
    keep_defects: bool
    """Whether the defects of the original that harm are repeated."""
    keep_order: bool
    """Whether the order of cases matters, so that the original's sort must be followed step by step."""
    max_depth: int


class Nodes(NamedTuple):
    """The node arrays of the tree being built; slots are filled in pre-order."""

    ints: Ints
    """(n_slots, 6)"""
    reals: Reals
    """(n_slots, 3)"""
    class_weight: Reals
    """(n_slots, n_classes)"""
    child: Ints
    group: Ints


class Frames(NamedTuple):
    """The stack of open nodes, which takes the place of recursion."""

    ints: Longs
    """(n_frames, 8)"""
    reals: Reals
    """(n_frames, 3)"""
