"""Cut points of numeric attributes: intervals that turn into codes, conditions and text, and back."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from trees.errors import DataError
from trees.rule import Condition, format_number
from trees.schema import Attribute, Schema
from trees.table import Table

__all__ = ["Cuts", "Discretizer", "midpoint"]

Floats = npt.NDArray[np.float64]


class Discretizer(Protocol):
    """Finds cut points in training rows; to be fitted on the training part of every fold only."""

    def fit(self, table: Table) -> Cuts:
        """Return the cut points of every numeric attribute of a table."""


@dataclass(frozen=True, eq=False)
class Cuts:
    """The cut points of the numeric attributes of a schema.

    k points make k + 1 intervals, half-open on the left: (-inf, c1], (c1, c2], ..., (ck, inf). The position
    of an interval is its code; values beyond those of training fall into the outer intervals, missing cells
    stay missing.

    Parameters
    ----------
    schema : Schema
        Of the tables to cut.
    points : tuple of ndarray or None
        Per attribute its cut points, ascending, without repetition; None for nominal attributes.

    Examples
    --------
    >>> schema = Schema((Attribute("age", "numeric"),))
    >>> cuts = Cuts(schema, (np.array([30.0, 60.5]),))
    >>> cuts.encode(np.array([[30.0], [31.0], [99.0], [np.nan]])).ravel()
    array([ 0.,  1.,  2., nan])
    >>> cuts.cut_schema.attributes[0].values
    ('(-inf, 30]', '(30, 60.5]', '(60.5, inf)')
    >>> [condition.describe(schema) for condition in cuts.conditions(0, 1)]
    ['age > 30', 'age <= 60.5']
    """

    schema: Schema
    points: tuple[Floats | None, ...]

    def __post_init__(self) -> None:
        if len(self.points) != self.schema.n_attributes:
            raise DataError(
                f"Cuts need an entry for each of {self.schema.n_attributes} attributes. "
                f"Got {len(self.points)}."
            )
        for attribute, points in zip(self.schema.attributes, self.points, strict=True):
            if (points is None) != attribute.is_nominal:
                raise DataError(f"Attribute {attribute.name!r} is {attribute.kind}: its cuts do not fit.")
            if points is not None and not (np.all(np.isfinite(points)) and np.all(np.diff(points) > 0)):
                raise DataError(f"The cut points of {attribute.name!r} must be finite and ascending.")

    @cached_property
    def n_intervals(self) -> npt.NDArray[np.int32]:
        """Number of intervals per attribute, for nominal ones of values; ndarray of shape (n_attributes,)."""
        sizes = [
            len(attribute.values) if points is None else len(points) + 1
            for attribute, points in zip(self.schema.attributes, self.points, strict=True)
        ]
        return np.array(sizes, dtype=np.int32)

    @property
    def uncut(self) -> list[int]:
        """Columns of the numeric attributes without cut points: they tell rows apart no more."""
        return [a for a, points in enumerate(self.points) if points is not None and len(points) == 0]

    @cached_property
    def cut_schema(self) -> Schema:
        """The schema of tables after cutting: numeric attributes are nominal, their values the intervals."""
        attributes = tuple(
            attribute
            if points is None
            else Attribute(attribute.name, "nominal", tuple(_interval_text(points, i) for i in range(n)))
            for attribute, points, n in zip(
                self.schema.attributes, self.points, self.n_intervals.tolist(), strict=True
            )
        )
        return Schema(attributes, self.schema.target)

    def encode(self, X: Floats) -> Floats:
        """Return cells with the codes of intervals in place of numbers.

        Parameters
        ----------
        X : ndarray of shape (n_rows, n_attributes)
            Cells as in `Table.X`.

        Returns
        -------
        ndarray of shape (n_rows, n_attributes), float64
        """
        coded = X.astype(np.float64)
        for a, points in enumerate(self.points):
            if points is not None:
                known = ~np.isnan(X[:, a])
                coded[known, a] = np.searchsorted(points, X[known, a], side="left")
        return coded

    def apply(self, table: Table) -> Table:
        """Return a table over `cut_schema` with the same rows, classes and weights."""
        if table.schema.attributes != self.schema.attributes:
            raise DataError("The table has other attributes than the cuts. Encode it with their schema.")
        return Table(self.cut_schema, self.encode(table.X), table.y, table.weight)

    def conditions(self, attribute: int, code: int) -> tuple[Condition, ...]:
        """Return what an interval (or nominal value) asks of a row of the schema before cutting.

        Parameters
        ----------
        attribute : int
            Column.
        code : int
            Position of the interval or value.

        Returns
        -------
        tuple of Condition
            A lower bound, an upper bound or both; nothing for the only interval of an uncut attribute.
        """
        points = self.points[attribute]
        if points is None:
            return (Condition(attribute, "in", (code,)),)
        found = []
        if code > 0:
            found.append(Condition(attribute, ">", float(points[code - 1])))
        if code < len(points):
            found.append(Condition(attribute, "<=", float(points[code])))
        return tuple(found)

    def to_dict(self) -> dict[str, Any]:
        """Return a JSON-ready form, without the schema."""
        return {"points": [None if points is None else points.tolist() for points in self.points]}

    @classmethod
    def from_dict(cls, record: Mapping[str, Any], schema: Schema) -> Cuts:
        """Build cuts from what `to_dict` returned."""
        points = (
            None if points is None else np.array(points, dtype=np.float64) for points in record["points"]
        )
        return cls(schema, tuple(points))


def _interval_text(points: Floats, code: int) -> str:
    low = "-inf" if code == 0 else format_number(points[code - 1])
    return f"({low}, inf)" if code == len(points) else f"({low}, {format_number(points[code])}]"


def midpoint(below: float, above: float) -> float:
    """Return the middle between two numbers; where rounding gives the upper one, the lower.

    Examples
    --------
    >>> midpoint(1.0, 2.0), midpoint(1.0, 1.0000000000000002)
    (1.5, 1.0)
    """
    middle = (below + above) / 2
    if math.isinf(middle):
        middle = below / 2 + above / 2
    return middle if below <= middle < above else below
