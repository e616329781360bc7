"""The items of a table with the rows that hold them, one bit a row."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from trees.discretize import Cuts
from trees.errors import DataError
from trees.rule import Condition
from trees.table import Table

__all__ = ["Items"]

Ints = npt.NDArray[np.int32]
Words = npt.NDArray[np.uint64]

MOST_ROWS = 2**31 - 1
"""Counts of rows are int32."""


@dataclass(frozen=True, eq=False)
class Items:
    """All items of a table: attribute = value, or numeric attribute in an interval of its cuts.

    Items are numbered attribute by attribute, then in the order of values or intervals. A missing cell is
    no item. A numeric attribute without cut points has one interval that tells nothing, so it has no item.

    Rows are sorted by class and every class starts at a word of its own, so that class counts are counts of
    bits in ranges of words.

    Parameters
    ----------
    cuts : Cuts
        Of the training table; ``cuts.schema`` is its schema, ``cuts.cut_schema`` that after cutting.
    attribute : ndarray of shape (n_items,), int32
        Column of each item.
    code : ndarray of shape (n_items,), int32
        Value code or number of the interval.
    start : ndarray of shape (n_attributes + 1,), int32
        First item of each attribute.
    bits : ndarray of shape (n_items, n_words), uint64, read-only
        Which rows hold each item.
    class_start : ndarray of shape (n_classes + 1,), int32
        Word at which each declared class starts; a class without rows has no words.
    class_totals : ndarray of shape (n_classes,), int64
        Rows of each declared class.

    Examples
    --------
    >>> import pandas as pd
    >>> from trees.discretize import MDLP
    >>> table = Table.from_frame(pd.DataFrame({"windy": ["no", "no", "yes"]}), ["play", "play", "stay"])
    >>> items = Items.of(table, MDLP().fit(table))
    >>> [items.describe(i) for i in range(items.n_items)]
    ['windy = no', 'windy = yes']
    >>> items.bits.tolist()
    [[3, 0], [0, 1]]
    """

    cuts: Cuts
    attribute: Ints
    code: Ints
    start: Ints
    bits: Words
    class_start: Ints
    class_totals: npt.NDArray[np.int64]

    @property
    def n_items(self) -> int:
        """Number of items."""
        return len(self.attribute)

    @property
    def n_rows(self) -> int:
        """Number of rows; a row of weight 2 counts twice."""
        return int(self.class_totals.sum())

    @property
    def n_classes(self) -> int:
        """Number of declared classes."""
        return len(self.class_totals)

    @property
    def n_words(self) -> int:
        """Words of 64 bits in each row of `bits`."""
        return self.bits.shape[1]

    @classmethod
    def of(cls, table: Table, cuts: Cuts) -> Items:
        """Return the items of an uncut table with classes.

        Parameters
        ----------
        table : Table
            Whole-number weights count a row that many times.
        cuts : Cuts
            Fitted on a table of the same attributes.

        Raises
        ------
        DataError
            For weights that are no whole numbers, a table without classes, and cuts of other attributes.
        """
        from evorules.items._kernels_items import fill_bits

        attribute, code, start = _numbered(cuts)
        repeats = _repeats(table)
        totals = np.bincount(table.classes, weights=repeats, minlength=table.n_classes).astype(np.int64)
        class_start = np.cumsum([0, *((totals + 63) // 64)]).astype(np.int32)
        row = np.argsort(table.classes, kind="stable")
        row = np.repeat(row, repeats[row])
        first = 64 * class_start[:-1].astype(np.int64) - np.cumsum(totals) + totals
        place = np.repeat(first, totals) + np.arange(len(row))
        bits = np.zeros((len(attribute), int(class_start[-1])), dtype=np.uint64)
        fill_bits(_encoded(table, cuts, start), row, place, bits)
        bits.setflags(write=False)
        return cls(cuts, attribute, code, start, bits, class_start, totals)

    def encode(self, table: Table) -> Ints:
        """Return the item that each cell of a table holds.

        Parameters
        ----------
        table : Table
            Uncut, with the attributes of ``cuts.schema``.

        Returns
        -------
        ndarray of shape (n_rows, n_attributes), int32
            -1 for missing cells and for attributes without items.
        """
        return _encoded(table, self.cuts, self.start)

    def conditions(self, items: Sequence[int] | npt.NDArray[np.integer]) -> tuple[Condition, ...]:
        """Return what a set of items asks of a row of the uncut schema."""
        found: list[Condition] = []
        for item in items:
            found += self.cuts.conditions(int(self.attribute[item]), int(self.code[item]))
        return tuple(found)

    def describe(self, item: int) -> str:
        """Return an item as people write it, such as ``outlook = sunny`` or ``30 < age <= 60.5``."""
        parts = [condition.describe(self.cuts.schema) for condition in self.conditions([item])]
        if len(parts) < 2:
            return parts[0]
        name = self.cuts.schema.attributes[int(self.attribute[item])].name
        low, high = (part.removeprefix(name + " ") for part in parts)
        return f"{low.removeprefix('> ')} < {name} {high}"


def _numbered(cuts: Cuts) -> tuple[Ints, Ints, Ints]:
    """Return attribute and code of every item, and the first item of every attribute."""
    sizes = cuts.n_intervals.copy()
    sizes[cuts.uncut] = 0
    start = np.cumsum([0, *sizes.tolist()]).astype(np.int32)
    attribute = np.repeat(np.arange(len(sizes), dtype=np.int32), sizes)
    code = np.arange(len(attribute), dtype=np.int32) - start[attribute]
    return attribute, code, start


def _repeats(table: Table) -> npt.NDArray[np.int64]:
    """Return how many times every row counts; raise DataError where that is no whole number."""
    repeats = np.rint(table.weight).astype(np.int64)
    odd = np.flatnonzero(repeats != table.weight)
    if len(odd):
        raise DataError(
            "Association rules count rows, so sample_weight must be whole numbers; row "
            f"{odd[0]} has {table.weight[odd[0]]:g}. Multiply the weights by a constant and round them, or "
            "draw rows with probabilities that follow the weights."
        )
    if repeats.sum(dtype=np.float64) > MOST_ROWS:
        raise DataError(
            f"The sample_weight adds up to {repeats.sum(dtype=np.float64):.3g} rows, of which at most "
            f"{MOST_ROWS} can be counted. Divide the weights by a constant and round them."
        )
    return repeats


def _encoded(table: Table, cuts: Cuts, start: Ints) -> Ints:
    if table.schema.attributes != cuts.schema.attributes:
        raise DataError("The table has other attributes than the items. Encode it with their schema.")
    from evorules.items._kernels_items import encode_cells

    points = [np.empty(0) if found is None else found for found in cuts.points]
    point_start = np.cumsum([0, *(len(found) for found in points)], dtype=np.int64)
    held = np.empty(table.X.shape, dtype=np.int32)
    encode_cells(np.ascontiguousarray(table.X), start, np.concatenate(points), point_start, held)
    return held
