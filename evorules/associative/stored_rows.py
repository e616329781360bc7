"""The training rows that a lazy learner keeps, as a model file holds them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from evorules.items import Items
from trees.discretize import Cuts
from trees.errors import DataError
from trees.schema import Schema
from trees.table import Table

__all__ = ["rows_from_record", "rows_to_record"]


def rows_to_record(items: Items) -> dict[str, Any]:
    """Return cuts and distinct training rows in a JSON-ready form.

    Cells are codes of values or intervals, -1 for those that are no item.
    """
    places, classes = [], []
    for c, total in enumerate(items.class_totals.tolist()):
        places.append(64 * int(items.class_start[c]) + np.arange(total))
        classes.append(np.full(total, c))
    flags = np.unpackbits(items.bits.astype("<u8").view(np.uint8), axis=1, bitorder="little")
    flags = flags[:, np.concatenate(places)] if places else flags
    rows = np.full((items.n_rows, len(items.start)), -1, dtype=np.int64)
    for item in range(items.n_items):
        rows[flags[item] > 0, items.attribute[item]] = items.code[item]
    rows[:, -1] = np.concatenate(classes)
    distinct, repeats = np.unique(rows, axis=0, return_counts=True)
    return {
        "cuts": items.cuts.to_dict(),
        "cells": distinct[:, :-1].tolist(),
        "classes": distinct[:, -1].tolist(),
        "repeats": repeats.tolist(),
    }


def rows_from_record(record: Mapping[str, Any], schema: Schema) -> Items:
    """Build the items that `rows_to_record` described.

    Raises
    ------
    DataError
        For rows that do not fit the schema and its cuts.
    """
    cuts = Cuts.from_dict(record["cuts"], schema)
    classes = np.array(record["classes"], dtype=np.int32)
    repeats = np.array(record["repeats"], dtype=np.float64)
    codes = np.array(record["cells"], dtype=np.int64).reshape(len(classes), schema.n_attributes)
    fits = np.all((codes >= -1) & (codes < cuts.n_intervals)) and np.all(repeats >= 1)
    if not fits or len(repeats) != len(classes) or len(classes) == 0:
        raise DataError("The training rows of the lazy learner do not fit its schema.")
    return Items.of(Table(schema, _cells(codes, cuts), classes, repeats), cuts)


def _cells(codes: npt.NDArray[np.int64], cuts: Cuts) -> npt.NDArray[np.float64]:
    """Return cells that have the codes given: of an interval its upper end."""
    cells = codes.astype(np.float64)
    for a, points in enumerate(cuts.points):
        if points is not None:
            cells[:, a] = np.append(points, np.inf)[codes[:, a]]
    cells[codes < 0] = np.nan
    return cells
