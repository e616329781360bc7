"""Weights by class: a factor for the rows of each class."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from trees.columns import plain_value
from trees.errors import ParameterError
from trees.naming import listed
from trees.table import Table
from trees.validation import Float

__all__ = ["ClassWeights", "class_factors", "class_weighted"]


class ClassWeights:
    """A dictionary from labels to factors above 0."""

    def accepts(self, value: Any) -> bool:
        """Return whether the value is such a dictionary."""
        return isinstance(value, Mapping) and all(Float(0.0).accepts(factor) for factor in value.values())

    def describe(self) -> str:
        """Return what is allowed."""
        return "a dict from labels to floats in (0, inf)"


def class_factors(
    table: Table, class_weight: Mapping[Any, float] | Literal["balanced"]
) -> npt.NDArray[np.float64]:
    """Return a factor for every class.

    Parameters
    ----------
    table : Table
        With classes.
    class_weight : mapping or "balanced"
        Factor by label, 1 for labels that are not named; "balanced" gives all observed classes the same total
        and leaves the sum of all weights as it is.

    Returns
    -------
    ndarray of shape (n_classes,), float64

    Raises
    ------
    ParameterError
        For a label that is no class of the table.
    """
    factors = np.ones(table.n_classes)
    if isinstance(class_weight, str):
        totals = table.class_totals
        observed = totals > 0
        factors[observed] = totals.sum() / (np.count_nonzero(observed) * totals[observed])
    else:
        assert table.schema.target is not None
        for label, factor in class_weight.items():
            code = table.schema.target.code(plain_value(label))
            if code < 0:
                known = listed([str(value) for value in table.schema.classes])
                raise ParameterError(
                    f"class_weight names {label!r}, which is no class here (known: {known})."
                )
            factors[code] = factor
    return factors


def class_weighted(
    table: Table, class_weight: Mapping[Any, float] | Literal["balanced"]
) -> npt.NDArray[np.float64]:
    """Return the row weights times the factor of the row's class, as `class_factors` gives it.

    Returns
    -------
    ndarray of shape (n_rows,), float64
    """
    return table.weight * class_factors(table, class_weight)[table.classes]
