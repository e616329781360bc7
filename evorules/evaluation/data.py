"""The data of a comparison: read once, shared by all tasks, known by a fingerprint."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from trees.errors import DataError, ParameterError
from trees.frames import read_training
from trees.naming import closest_first, listed
from trees.table import Table

__all__ = ["TaskData", "read_data"]

Resolver = Callable[[str, str | None], Any]


@dataclass(frozen=True, eq=False, repr=False)
class TaskData:
    """A data set as tasks need it.

    Parameters
    ----------
    name : str
        For people.
    X : DataFrame of shape (n_rows, n_attributes)
        As it came, for estimators that are not ours.
    labels : ndarray of shape (n_classes,)
        Label of each class code, of the type in which it came.
    table : Table
        Encoded once for all of our learners: so every fold knows the values and classes that the whole set
        declares, as a .names file of C4.5 does.
    fingerprint : str
        SHA-256 of values, types and names, in hexadecimal. The name of the set is no part of it.
    splits : tuple of (train, test), optional
        The split that belongs to the data set.
    """

    name: str
    X: pd.DataFrame
    labels: npt.NDArray[Any]
    table: Table
    fingerprint: str
    splits: tuple[Any, ...] | None = None

    def __repr__(self) -> str:
        shape = f"{self.table.n_rows} rows, {self.table.n_attributes} attributes"
        return f"<TaskData {self.name!r}: {shape}, {len(self.labels)} classes>"

    @property
    def classes(self) -> npt.NDArray[np.int32]:
        """Class codes, ndarray of shape (n_rows,)."""
        return self.table.classes

    @classmethod
    def read(cls, name: str, X: Any, y: Any, splits: Sequence[Any] | None = None) -> TaskData:
        """Read attributes and classes.

        Parameters
        ----------
        name : str
            For people.
        X : DataFrame, ndarray or list of rows
            Attributes.
        y : array-like of shape (n_rows,)
            Labels.
        splits : sequence of (train, test), optional
            The split that belongs to the data set.

        Raises
        ------
        DataError
            For data that no table can hold.
        """
        frame = X if isinstance(X, pd.DataFrame) else pd.DataFrame(X)
        frame = frame.reset_index(drop=True)
        table, labels = read_training(frame, y)
        table.codes  # noqa: B018  computed here, so that all folds and workers share it
        types = [str(dtype) for dtype in frame.dtypes]
        given = None if splits is None else tuple((np.asarray(a), np.asarray(b)) for a, b in splits)
        return cls(name, frame, labels, table, _fingerprint(table, labels, types), given)


def _fingerprint(table: Table, labels: npt.NDArray[Any], types: list[str]) -> str:
    head = {"schema": table.schema.to_dict(), "types": types, "labels": str(labels.dtype)}
    content = hashlib.sha256(json.dumps(head, sort_keys=True, default=str).encode())
    cells = table.X + 0.0  # no -0.0
    cells[np.isnan(cells)] = np.nan  # one bit pattern for all missing cells
    content.update(cells.astype("<f8").tobytes())
    content.update(table.classes.astype("<i4").tobytes())
    return content.hexdigest()


def read_data(data: Any, target: str | None, resolve: Resolver) -> list[TaskData]:
    """Read the data sets of a comparison.

    Parameters
    ----------
    data : one data set, a list of them, or a mapping of name to data set
        A data set is a DataFrame (with `target`), a pair (X, y), an object with X, y and perhaps `name` and
        `splits`, or a name or path that `resolve` knows.
    target : str, optional
        Class column of frames and files.
    resolve : callable
        Takes a name or path and `target`, returns an object with X and y.

    Returns
    -------
    list of TaskData
        In the order given, with names that differ.

    Raises
    ------
    DataError
        For data that cannot be read.
    ParameterError
        For what is no data set.
    """
    if isinstance(data, Mapping):
        found = [_read(item, target, resolve, str(name)) for name, item in data.items()]
    elif isinstance(data, list | tuple) and not _is_pair(data):
        found = [_read(item, target, resolve, None) for item in data]
    else:
        found = [_read(data, target, resolve, None)]
    if not found:
        raise ParameterError("The 'data' parameter of compare must hold at least one data set.")
    names = [item.name for item in found]
    for name in names:
        if names.count(name) > 1:
            raise ParameterError(
                f"Two data sets are named {name!r}. Pass a dict of name to data set to tell them apart."
            )
    return found


def _is_pair(data: Sequence[Any]) -> bool:
    """Whether a sequence is (X, y), and not two data sets."""
    return (
        isinstance(data, tuple)
        and len(data) == 2
        and not isinstance(data[0], str | Path)
        and hasattr(data[0], "shape")
        and np.ndim(data[1]) == 1
    )


def _read(item: Any, target: str | None, resolve: Resolver, name: str | None) -> TaskData:
    if isinstance(item, TaskData):
        return item
    if isinstance(item, str | Path):
        item = resolve(str(item), target)
    if isinstance(item, pd.DataFrame):
        if target is None:
            raise ParameterError("compare needs 'target', the name of the class column, for a DataFrame.")
        if target not in item.columns:
            known = listed(closest_first(target, map(str, item.columns)))
            raise DataError(f"The data have no column {target!r} (columns: {known}).")
        return TaskData.read(name or "data", item.drop(columns=[target]), item[target])
    if isinstance(item, tuple) and _is_pair(item):
        return TaskData.read(name or "data", item[0], item[1])
    if hasattr(item, "X") and hasattr(item, "y"):
        own = name or str(getattr(item, "name", "data"))
        if item.y is None:
            raise DataError(f"The data set {own!r} has no class column: name it with 'target'.")
        return TaskData.read(own, item.X, item.y, getattr(item, "splits", None))
    raise ParameterError(
        "A data set must be a DataFrame, a pair (X, y), an object with X and y, a name or a path. "
        f"Got {type(item).__name__} instead."
    )
