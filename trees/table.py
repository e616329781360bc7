"""The typed table that every learner works on: cells as float64, classes, weights, and rank codes."""

from __future__ import annotations

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
        columns = []
        values = []
        for a in range(n_attributes):
            ranks, distinct = _rank_column(np.ascontiguousarray(X[:, a]), int(schema.n_values[a]))
            columns.append(ranks)
            values.append(distinct)
        widest = max((len(v) for v in values), default=0)
        dtype = np.uint16 if widest < np.iinfo(np.uint16).max else np.uint32
        matrix = np.empty((n_attributes, n_rows), dtype=dtype)
        for a, ranks in enumerate(columns):
            matrix[a] = np.where(ranks < 0, np.iinfo(dtype).max, ranks)
        matrix.setflags(write=False)
        return cls(matrix, tuple(values))


def _rank_column(cells: Floats, n_values: int) -> tuple[npt.NDArray[np.int64], Floats]:
    """Return ranks (-1 where missing) and the sorted distinct values of one column."""
    known = ~np.isnan(cells)
    ranks = np.full(len(cells), -1, dtype=np.int64)
    present = cells[known]
    if n_values > 0:
        ranks[known] = present.astype(np.int64)
        return ranks, np.arange(n_values, dtype=np.float64)
    if len(present) == 0:
        return ranks, np.empty(0)
    low, high = present.min(), present.max()
    if high - low < 4 * len(present) + 1024 and np.all(present == np.floor(present)):
        # integers in a narrow range: a table of counts instead of a sort
        shifted = (present - low).astype(np.int64)
        counts = np.bincount(shifted)
        ranks[known] = (np.cumsum(counts > 0) - 1)[shifted]
        return ranks, np.flatnonzero(counts) + low
    distinct, inverse = np.unique(present, return_inverse=True)
    ranks[known] = inverse
    return ranks, distinct


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
        if len(self.weight) == 0 and self.n_rows > 0:
            object.__setattr__(self, "weight", np.ones(self.n_rows))

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
        return np.bincount(self.classes, weights=self.weight, minlength=self.n_classes)

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
