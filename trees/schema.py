"""Attributes and the schema of a table: names, kinds and the values of nominal attributes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from trees.errors import DataError
from trees.naming import closest_first, listed

__all__ = ["Attribute", "Kind", "Schema", "Value"]

Kind = Literal["nominal", "numeric"]
Value = str | bool | int | float
"""What a nominal value may be: a plain Python scalar, so that it goes into JSON and comes back."""


@dataclass(frozen=True)
class Attribute:
    """One column: its name, its kind and, if nominal, its values in declared order.

    A cell of a nominal attribute is stored as the position of its value in `values` (its *code*).

    Parameters
    ----------
    name : str
        Name of the column.
    kind : {"nominal", "numeric"}
        Numeric attributes have no `values`.
    values : tuple
        The values of a nominal attribute; strings, booleans or numbers.

    Examples
    --------
    >>> Attribute("windy", "nominal", ("false", "true")).code("true")
    1
    """

    name: str
    kind: Kind
    values: tuple[Value, ...] = ()

    def __post_init__(self) -> None:
        if self.kind not in ("nominal", "numeric"):
            raise DataError(f"Attribute {self.name!r} has kind {self.kind!r}; use 'nominal' or 'numeric'.")
        if self.kind == "numeric" and self.values:
            raise DataError(f"Attribute {self.name!r} is numeric and cannot declare values.")
        if len(set(self.values)) != len(self.values):
            raise DataError(f"Attribute {self.name!r} declares a value twice: {list(self.values)}.")

    @property
    def is_nominal(self) -> bool:
        """Whether the attribute is nominal."""
        return self.kind == "nominal"

    @cached_property
    def _code_of(self) -> dict[Value, int]:
        return {value: code for code, value in enumerate(self.values)}

    def code(self, value: Value) -> int:
        """Return the code of a value, -1 if it is not declared."""
        return self._code_of.get(value, -1)

    def to_dict(self) -> dict[str, Any]:
        """Return a JSON-ready description."""
        record: dict[str, Any] = {"name": self.name, "kind": self.kind}
        if self.is_nominal:
            record["values"] = list(self.values)
        return record

    @classmethod
    def from_dict(cls, record: dict[str, Any]) -> Attribute:
        """Build an attribute from what `to_dict` returned."""
        return cls(str(record["name"]), record["kind"], tuple(record.get("values", ())))


@dataclass(frozen=True)
class Schema:
    """The attributes of a table, in column order, and its class attribute.

    Parameters
    ----------
    attributes : tuple of Attribute
        One per column of `Table.X`.
    target : Attribute or None
        The class attribute (nominal); its value order is the *class order* used for codes and ties.

    Examples
    --------
    >>> schema = Schema((Attribute("humidity", "numeric"),), Attribute("play", "nominal", ("no", "yes")))
    >>> schema.index("humidity"), schema.n_classes
    (0, 2)
    """

    attributes: tuple[Attribute, ...]
    target: Attribute | None = None

    def __post_init__(self) -> None:
        names = self.names
        if len(set(names)) != len(names):
            twice = sorted({name for name in names if names.count(name) > 1})
            raise DataError(
                f"Column names must be unique; {', '.join(map(repr, twice))} occurs more than once."
            )
        if self.target is not None and not self.target.is_nominal:
            raise DataError(f"The class attribute {self.target.name!r} must be nominal.")

    @property
    def names(self) -> list[str]:
        """Names of the attributes, in column order."""
        return [attribute.name for attribute in self.attributes]

    @property
    def n_attributes(self) -> int:
        """Number of attributes, the class not counted."""
        return len(self.attributes)

    @property
    def classes(self) -> tuple[Value, ...]:
        """Values of the class attribute, in class order; empty without a class attribute."""
        return () if self.target is None else self.target.values

    @property
    def n_classes(self) -> int:
        """Number of declared classes, those without rows included."""
        return len(self.classes)

    @cached_property
    def n_values(self) -> npt.NDArray[np.int32]:
        """Number of declared values per attribute, 0 for numeric ones; ndarray of shape (n_attributes,)."""
        return np.array([len(a.values) for a in self.attributes], dtype=np.int32)

    @cached_property
    def is_nominal(self) -> npt.NDArray[np.bool_]:
        """Which attributes are nominal; ndarray of shape (n_attributes,)."""
        return np.array([a.is_nominal for a in self.attributes], dtype=np.bool_)

    def index(self, name: str) -> int:
        """Return the column of an attribute; raise DataError naming the known ones if there is none."""
        for column, attribute in enumerate(self.attributes):
            if attribute.name == name:
                return column
        raise DataError(f"There is no attribute {name!r} (known: {listed(closest_first(name, self.names))}).")

    def without(self, columns: Sequence[str | int]) -> npt.NDArray[np.int64]:
        """Return the positions of all attributes but some, which are given by name or position.

        Raises
        ------
        DataError
            For a column that is not there, and if no attribute is left.
        """
        dropped = {self.index(c) if isinstance(c, str) else self._position(int(c)) for c in columns}
        if len(dropped) == self.n_attributes:
            raise DataError("No attribute is left after excluding all of them.")
        return np.array([c for c in range(self.n_attributes) if c not in dropped], dtype=np.int64)

    def _position(self, column: int) -> int:
        if not -self.n_attributes <= column < self.n_attributes:
            raise DataError(f"There is no column {column}; the table has {self.n_attributes}.")
        return column % self.n_attributes

    def select(self, columns: Sequence[int]) -> Schema:
        """Return the schema of some columns."""
        return Schema(tuple(self.attributes[column] for column in columns), self.target)

    def to_dict(self) -> dict[str, Any]:
        """Return a JSON-ready description."""
        return {
            "attributes": [attribute.to_dict() for attribute in self.attributes],
            "target": None if self.target is None else self.target.to_dict(),
        }

    @classmethod
    def from_dict(cls, record: dict[str, Any]) -> Schema:
        """Build a schema from what `to_dict` returned."""
        target = record.get("target")
        return cls(
            tuple(Attribute.from_dict(a) for a in record["attributes"]),
            None if target is None else Attribute.from_dict(target),
        )
