"""Parameters are declared once per class and checked at fit, with one form of message.

"The 'min_cases' parameter of C45Classifier must be a float in (0, inf). Got -1 instead."
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from numbers import Integral, Real
from typing import Any, Protocol

import numpy as np

from trees.errors import ParameterError

__all__ = [
    "AnyOf",
    "Boolean",
    "Check",
    "Choice",
    "Columns",
    "Float",
    "Integer",
    "RandomState",
    "check_parameters",
]


class Check(Protocol):
    """What a parameter may be."""

    def accepts(self, value: Any) -> bool:
        """Return whether the value is allowed."""

    def describe(self) -> str:
        """Return what is allowed, to follow "must be"."""


@dataclass(frozen=True)
class Float:
    """A real number between two bounds; `closed` tells which of them are allowed themselves."""

    low: float = -math.inf
    high: float = math.inf
    closed: str = "neither"

    def accepts(self, value: Any) -> bool:
        """Return whether the value is allowed."""
        if isinstance(value, bool | np.bool_) or not isinstance(value, Real) or math.isnan(float(value)):
            return False
        number = float(value)
        above = number >= self.low if self.closed in ("left", "both") else number > self.low
        below = number <= self.high if self.closed in ("right", "both") else number < self.high
        return above and below

    def describe(self) -> str:
        """Return the range in brackets."""
        left = "[" if self.closed in ("left", "both") else "("
        right = "]" if self.closed in ("right", "both") else ")"
        return f"a float in {left}{self.low:g}, {self.high:g}{right}"


@dataclass(frozen=True)
class Integer:
    """An integer of at least `low` and at most `high`."""

    low: int = 0
    high: int | None = None

    def accepts(self, value: Any) -> bool:
        """Return whether the value is allowed."""
        if isinstance(value, bool | np.bool_) or not isinstance(value, Integral):
            return False
        return int(value) >= self.low and (self.high is None or int(value) <= self.high)

    def describe(self) -> str:
        """Return the range in brackets."""
        return f"an int in [{self.low}, {'inf)' if self.high is None else f'{self.high}]'}"


@dataclass(frozen=True)
class Choice:
    """One of some values; True, False and None among them."""

    options: tuple[Any, ...]

    def accepts(self, value: Any) -> bool:
        """Return whether the value is one of the options, of the same type."""
        return any(type(value) is type(option) and value == option for option in self.options)

    def describe(self) -> str:
        """Return the options."""
        if len(self.options) == 1:
            return repr(self.options[0])
        return f"{', '.join(map(repr, self.options[:-1]))} or {self.options[-1]!r}"


class Boolean:
    """True or False, NumPy's included."""

    def accepts(self, value: Any) -> bool:
        """Return whether the value is a truth value."""
        return isinstance(value, bool | np.bool_)

    def describe(self) -> str:
        """Return "a bool"."""
        return "a bool"


class Columns:
    """A list of column names or positions."""

    def accepts(self, value: Any) -> bool:
        """Return whether the value is a sequence of str and int."""
        return (
            (isinstance(value, Sequence | np.ndarray) or hasattr(value, "get_indexer"))
            and not isinstance(value, str)
            and all(isinstance(item, str | Integral) and not isinstance(item, bool) for item in value)
        )

    def describe(self) -> str:
        """Return "a list of column names or positions"."""
        return "a list of column names or positions"


class RandomState:
    """What scikit-learn calls random_state."""

    def accepts(self, value: Any) -> bool:
        """Return whether random streams can be made of the value."""
        if isinstance(value, np.random.RandomState | np.random.Generator) or value is None:
            return True
        return Integer(0).accepts(value)

    def describe(self) -> str:
        """Return the types."""
        return "None, an int of at least 0, a RandomState or a Generator"


@dataclass(frozen=True)
class AnyOf:
    """Whatever one of several checks accepts."""

    checks: tuple[Check, ...]

    def accepts(self, value: Any) -> bool:
        """Return whether some check accepts the value."""
        return any(check.accepts(value) for check in self.checks)

    def describe(self) -> str:
        """Return what the checks allow, joined by "or"."""
        return " or ".join(check.describe() for check in self.checks)


def check_parameters(owner: str, declared: Mapping[str, Check], values: Mapping[str, Any]) -> None:
    """Check parameter values against their declaration.

    Parameters
    ----------
    owner : str
        Name of the class, for the message.
    declared : mapping of str to Check
        What every parameter may be.
    values : mapping of str to object
        What was given; names that are not declared are not checked.

    Raises
    ------
    ParameterError
        For the first parameter that is not what it must be.
    """
    for name, check in declared.items():
        if name in values and not check.accepts(values[name]):
            raise ParameterError(
                f"The {name!r} parameter of {owner} must be {check.describe()}. Got {values[name]!r} instead."
            )
