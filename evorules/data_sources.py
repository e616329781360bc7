"""A data set by what a person calls it: a file, or a name that the package knows."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from trees.errors import DataError
from trees.naming import closest_first, listed

__all__ = ["find_data"]


def find_data(name: str, target: str | None = None) -> Any:
    """Return a data set by path or name.

    Parameters
    ----------
    name : str
        Path of a CSV file, or a key of `evorules.datasets.DATASETS`. A file goes before a name.
    target : str, optional
        Class column of a file; None takes the column "class".

    Returns
    -------
    Dataset
        With X, y and a name.

    Raises
    ------
    DataError
        If there is neither such a file nor such a name, or the file cannot be read.
    """
    from evorules.datasets import DATASETS, load, read_csv

    if Path(name).is_file():
        return read_csv(name, target="class" if target is None else target)
    if name in DATASETS:
        return load(name, random_state=0)
    known = listed(closest_first(name, DATASETS))
    raise DataError(f"There is no file {name!r} and no data set of that name (known: {known}).")
