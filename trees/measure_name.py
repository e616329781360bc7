"""The check of parameters that name a measure."""

from __future__ import annotations

from typing import Any

from trees.measures import MEASURES
from trees.validation import Choice

__all__ = ["MeasureName"]


class MeasureName:
    """A name in the registry of measures, as the registry is when the parameter is checked."""

    def accepts(self, value: Any) -> bool:
        """Return whether a measure has that name."""
        return isinstance(value, str) and value in MEASURES

    def describe(self) -> str:
        """Return the names."""
        return Choice(tuple(MEASURES)).describe()
