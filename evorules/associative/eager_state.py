"""What is checked before an eager associative classifier takes rules or a state that it did not learn."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from evorules.rules.unmatched import Unmatched
from trees.errors import DataError
from trees.schema import Schema

__all__ = ["check_same_schema", "checked_state"]

Longs = npt.NDArray[np.int64]


def check_same_schema(given: Schema, own: Schema) -> None:
    """Raise DataError unless rules of the schema given mean the same in a model with a schema of its own."""
    way_out = "Assign rules over the model's own schema_, or fit a model to the table of those rules."
    if given.classes != own.classes:
        raise DataError(
            f"The rules cannot be assigned: their classes are {_listed(given.classes)}, those of the model "
            f"{_listed(own.classes)}. {way_out}"
        )
    if given.n_attributes != own.n_attributes:
        raise DataError(
            f"The rules cannot be assigned: they are over {given.n_attributes} attribute(s), the model has "
            f"{own.n_attributes}. {way_out}"
        )
    for a, (theirs, ours) in enumerate(zip(given.attributes, own.attributes, strict=True)):
        if theirs != ours:
            differs = (
                "with other values"
                if (theirs.name, theirs.kind) == (ours.name, ours.kind)
                else "another attribute"
            )
            raise DataError(
                f"The rules cannot be assigned: attribute {a} is {theirs.name!r} ({theirs.kind}) there "
                f"and {ours.name!r} ({ours.kind}) in the model: {differs}. {way_out}"
            )


def checked_state(state: Mapping[str, Any], n_classes: int) -> tuple[Longs, Unmatched, Longs]:
    """Return class totals, what is said of unmatched rows, and the preferred order of the classes.

    Raises
    ------
    DataError
        For numbers that do not fit so many classes.
    """
    totals = _counts(state["class_totals"], "class_totals", n_classes)
    counts = _counts(state["unmatched"]["counts"], "unmatched.counts", n_classes)
    label, preference = state["unmatched"]["label"], state["preference"]
    if not _is_whole(label) or not -1 <= label < n_classes:
        raise DataError(
            f"The state's unmatched.label is {label!r}, not a class code from -1 to {n_classes - 1}."
        )
    whole = isinstance(preference, list) and all(_is_whole(code) for code in preference)
    if not whole or sorted(preference) != list(range(n_classes)):
        raise DataError(f"The state's preference is {preference!r}, not an order of the {n_classes} classes.")
    return totals, Unmatched(int(label), counts), np.array(preference, dtype=np.int64)


def _counts(numbers: Any, name: str, n_classes: int) -> Longs:
    """Return row counts by class, at least one of them above 0."""
    fits = isinstance(numbers, list) and len(numbers) == n_classes
    if (
        not fits
        or not all(_is_whole(number) and 0 <= number < 2**53 for number in numbers)
        or not any(numbers)
    ):
        raise DataError(f"The state's {name} is {numbers!r}, not numbers of rows of the {n_classes} classes.")
    return np.array(numbers, dtype=np.int64)


def _is_whole(number: Any) -> bool:
    return isinstance(number, int) and not isinstance(number, bool)


def _listed(classes: tuple[Any, ...]) -> str:
    shown = ", ".join(map(str, classes[:5]))
    return f"{shown}, ..." if len(classes) > 5 else shown
