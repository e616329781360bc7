"""The typed table that every learner works on: cells as float64, classes, weights, and rank codes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from trees.errors import DataError
from trees.schema import Schema

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Codes", "Table"]

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int32]


@dataclass(frozen=True, eq=False)
class Codes:
    """Dense ranks of every column, computed once and shared by all fits on the same data.

    Parameters
    ----------
    ranks : ndarray of shape (n_attributes, n_rows), uint16 or uint32, read-only
        Rank of each cell among the sorted distinct values of its column. The greatest value of the dtype
        marks a missing cell. For a nominal column the rank is the value code itself.
    values : tuple of ndarray
        Per column the sorted distinct values; `values[a][rank]` is the cell.
    """

    ranks: npt.NDArray[Any]
    values: tuple[Floats, ...]

    @property
    def missing(self) -> int:
        """The rank that marks a missing cell."""
        return int(np.iinfo(self.ranks.dtype).max)

    @classmethod
    def of(cls, X: Floats, schema: Schema) -> Codes:
        """Rank the cells of `X`, an ndarray of shape (n_rows, n_attributes)."""
        n_rows, n_attributes = X.shape
        matrix: npt.NDArray[Any] = np.empty((n_attributes, n_rows), dtype=np.uint16)
        values = []
        for a, cells in enumerate(_columns_of(X)):
            ranks, distinct = _rank_column(cells, int(schema.n_values[a]))
            if len(distinct) >= np.iinfo(matrix.dtype).max:
                missing = matrix == np.iinfo(matrix.dtype).max
                matrix = matrix.astype(np.uint32)
                matrix[missing] = np.iinfo(matrix.dtype).max
            matrix[a] = ranks.astype(matrix.dtype)  # -1 becomes the greatest value
            values.append(distinct)
        matrix.setflags(write=False)
        return cls(matrix, tuple(values))


def _columns_of(X: Floats) -> Iterator[Floats]:
    """Yield the columns as contiguous arrays, each valid until the next one.

    Eight columns at a time are copied in blocks of rows, so that a cache line of `X` is read once, not
    once per column.
    """
    n_rows, n_attributes = X.shape
    buffer = np.empty((8, n_rows))
    for first in range(0, n_attributes, 8):
        width = min(8, n_attributes - first)
        for row in range(0, n_rows, 2048):
            buffer[:width, row : row + 2048] = X[row : row + 2048, first : first + width].T
        yield from buffer[:width]


def _rank_column(cells: Floats, n_values: int) -> tuple[Ints, Floats]:
    """Return ranks (-1 where missing) and the sorted distinct values of one column.

    `n_values` is the number of declared values of a nominal attribute, 0 for a numeric one.
    """
    from trees._kernels_ranks import mark_whole, rank_sorted, rank_whole, survey

    ranks = np.empty(len(cells), dtype=np.int32)
    if n_values > 0:
        rank_whole(cells, 0.0, np.arange(n_values, dtype=np.int32), ranks)
        return ranks, np.arange(n_values, dtype=np.float64)
    n_known, low, high, whole = survey(cells)
    if whole and high - low < 4 * n_known + 1024:
        # whole numbers in a narrow range: a table of what occurs instead of a sort
        seen = np.zeros(int(high - low) + 1 if n_known else 0, dtype=np.int32)
        mark_whole(cells, low, seen)
        rank_whole(cells, low, np.cumsum(seen, dtype=np.int32) - np.int32(1), ranks)
        return ranks, np.flatnonzero(seen).astype(np.float64) + low
    order = np.argsort(cells)
    rank_sorted(cells, order, n_known, ranks)
    ascending = cells[order[:n_known]]
    first = np.ones(n_known, dtype=np.bool_)
    np.not_equal(ascending[1:], ascending[:-1], out=first[1:])
    return ranks, ascending[first] + 0.0  # the sum makes 0.0 of -0.0


@dataclass(frozen=True, eq=False)
class Table:
    """Rows of attribute values with classes and weights; frames become tables in `trees.frames`.

    Parameters
    ----------
    schema : Schema
        Names, kinds and values of the columns.
    X : ndarray of shape (n_rows, n_attributes), float64
        Numeric cells as they are, nominal cells as value codes, NaN where the cell is missing.
    y : ndarray of shape (n_rows,), int32, or None
        Class codes (positions in ``schema.target.values``).
    weight : ndarray of shape (n_rows,), float64
        Row weights, greater than 0.

    Examples
    --------
    >>> import pandas as pd
    >>> frame = pd.DataFrame({"outlook": ["sunny", None], "humidity": [70.0, 80.0]})
    >>> table = Table.from_frame(frame, ["yes", "no"])
    >>> table.X
    array([[ 0., 70.],
           [nan, 80.]])
    >>> table.schema.attributes[0].values, table.schema.classes
    (('sunny',), ('no', 'yes'))
    """

    schema: Schema
    X: Floats
    y: Ints | None = None
    weight: Floats = field(default_factory=lambda: np.empty(0))
    _parent: Table | None = field(default=None, repr=False)
    _parent_rows: npt.NDArray[np.int64] | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        if self.X.ndim != 2 or self.X.shape[1] != self.schema.n_attributes:
            raise DataError(
                f"A table of {self.schema.n_attributes} attributes needs an array of that many columns. "
                f"Got shape {self.X.shape}."
            )
        if self._parent is None:
            self._check_codes()
        if len(self.weight) == 0 and self.n_rows > 0:
            object.__setattr__(self, "weight", np.ones(self.n_rows))

    def _check_codes(self) -> None:
        """Raise DataError for a cell or class that is no code of a declared value; kernels index by them."""
        for a in np.flatnonzero(self.schema.is_nominal).tolist():
            cells = self.X[:, a]
            known = cells[~np.isnan(cells)]
            if np.any((known < 0) | (known >= self.schema.n_values[a]) | (known != np.floor(known))):
                name = self.schema.attributes[a].name
                raise DataError(f"Attribute {name!r} has a cell that is no code of its declared values.")
        y = self.y
        if y is not None and len(y) and (len(y) != len(self.X) or y.min() < 0 or y.max() >= self.n_classes):
            raise DataError("y must hold a code of a declared class for every row.")

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return len(self.X)

    @property
    def n_attributes(self) -> int:
        """Number of attributes."""
        return self.X.shape[1]

    @property
    def n_classes(self) -> int:
        """Number of declared classes."""
        return self.schema.n_classes

    @property
    def classes(self) -> Ints:
        """The class codes `y`; raises DataError for a table without classes."""
        if self.y is None:
            raise DataError("This table has no class column. Pass y to Table.from_frame.")
        return self.y

    @cached_property
    def class_totals(self) -> Floats:
        """Weight of the rows of each class; ndarray of shape (n_classes,)."""
        totals = np.bincount(self.classes, weights=self.weight, minlength=self.n_classes)
        return totals.astype(np.float64, copy=False)

    @cached_property
    def has_unit_weights(self) -> bool:
        """Whether every row has weight 1."""
        return bool(np.all(self.weight == 1.0))

    @cached_property
    def codes(self) -> Codes:
        """Rank codes of the rows; a table made by `take` reuses those of its parent."""
        if self._parent is not None:
            codes = self._parent.codes
            ranks = np.ascontiguousarray(codes.ranks[:, self._parent_rows])
            ranks.setflags(write=False)
            return Codes(ranks, codes.values)
        return Codes.of(self.X, self.schema)

    def take(self, rows: npt.ArrayLike) -> Table:
        """Return the table of some rows (positions or a mask), in the order given.

        Schema and rank codes stay those of this table, so folds and subsets share one encoding.
        """
        picked = np.asarray(rows)
        picked = np.flatnonzero(picked) if picked.dtype == np.bool_ else picked.astype(np.int64)
        return Table(
            self.schema,
            self.X[picked],
            None if self.y is None else self.y[picked],
            self.weight[picked],
            self,
            picked,
        )

    def select(self, columns: npt.ArrayLike) -> Table:
        """Return the table of some attributes (positions), in the order given; the rows stay."""
        picked = np.asarray(columns, dtype=np.int64)
        cells = np.ascontiguousarray(self.X[:, picked])
        return Table(self.schema.select(picked.tolist()), cells, self.y, self.weight)

    def with_weight(self, weight: Floats) -> Table:
        """Return the same rows with other weights, sharing the rank codes."""
        return Table(self.schema, self.X, self.y, weight, self, np.arange(self.n_rows))

    @classmethod
    def from_frame(
        cls,
        X: Any,
        y: Any = None,
        *,
        sample_weight: Any = None,
        nominal: Any = None,
    ) -> Table:
        """Read a DataFrame, array or list and infer its schema.

        Parameters
        ----------
        X : DataFrame, ndarray or list of rows
            Strings, categories and booleans are nominal, numbers numeric.
        y : array-like of shape (n_rows,), optional
            Class labels of any type.
        sample_weight : array-like of shape (n_rows,), optional
            Weights of at least 0; rows of weight 0 are left out.
        nominal : list of str or int, optional
            Columns to read as nominal whatever they hold.

        Raises
        ------
        DataError
            With the column and the way out, for what no table can hold.
        """
        from trees.frames import read_training

        table, _ = read_training(X, y, sample_weight=sample_weight, nominal=nominal)
        return table

    def to_frame(self) -> pd.DataFrame:
        """Return the cells as a DataFrame: categories for nominal attributes, floats for numeric ones.

        The class, if there is one, is the last column.
        """
        from trees.frames import write_frame

        return write_frame(self)
