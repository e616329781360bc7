"""The arrays that the depth-first search works on, as tuples that kernels take."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

__all__ = ["Found", "Problem", "Stack"]

Ints = npt.NDArray[np.int32]
Longs = npt.NDArray[np.int64]
Words = npt.NDArray[np.uint64]

CURSOR, N_EXTENSIONS, EXTENSIONS, BITS, N_WORDS, N_SEGMENTS, COUNTS, ROWS = range(8)
"""Columns of `Stack.level`."""

DEPTH, N_NODES, N_RULES, N_ITEMS = range(4)
"""Entries of `Stack.state`."""

DONE, PAUSED, FULL, NARROW = range(4)
"""Why the search came back: it is over; it has done its portion; the rules need room; the stack does."""


class Problem(NamedTuple):
    """What is searched. Frequent items are ranked by how many rows hold them, the rarest first."""

    rows: npt.NDArray[Any]
    """(64 * n_words, longest row + 1) ranks of the items of each row, descending, closed by -1."""
    correct: Ints
    """(n_classes,) least rows of each class, as in `Thresholds`."""
    confident: Ints
    """(n_rows + 1,) least right rows by covered ones."""
    covered: int
    """Least covered rows."""
    max_len: int
    """Most items of an antecedent."""


class Stack(NamedTuple):
    """The antecedent at hand, item by item; written by the search.

    Level d holds the ways to extend the first d items: for every extension its rank, covered rows, counts by
    segment and rows as bits. A *segment* is a range of words with the rows of one class, or of all the
    classes that no rule can predict any more. Levels lie one behind the other in the arrays.
    """

    state: Longs
    """(4,) as `DEPTH` and so on say."""
    level: Longs
    """(n_levels, 8) extension under work, number of extensions, and where the level's parts begin or how
    many there are, as `CURSOR` and so on say."""
    segment_class: Ints
    """(n_levels, n_classes + 1) class of each segment, ascending; -1 for what is left of the others."""
    segment_end: Longs
    """(n_levels, n_classes + 1) word behind each segment."""
    rank: Ints
    """Ranks of the extensions."""
    covered: Ints
    """Their covered rows."""
    counts: Ints
    """Their covered rows by segment."""
    bits: Words
    """Their rows."""
    row: Ints
    """Row of `Problem.rows` for every bit of a level."""
    path: Ints
    """(n_levels,) ranks of the antecedent at hand."""
    slot: Ints
    """(n_ranks,) scratch, -1 between uses."""
    need: Longs
    """(at least 4 or n_classes + 1) how long `rank`, `counts`, `bits` and `row` must be when the search asks
    for room; scratch otherwise."""


class Found(NamedTuple):
    """Rules in the order of the search; written by it."""

    item: npt.NDArray[Any]
    """Ranks of the antecedents, one behind the other."""
    size: npt.NDArray[np.int16]
    """Items of each antecedent."""
    consequent: Ints
    covered: Ints
    correct: Ints
