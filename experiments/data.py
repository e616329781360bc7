"""Data sets of the studies by name: from a folder of CSV files, built in, or from OpenML."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pandas as pd

from evorules.datasets import DATASETS, Dataset, load, read_csv
from trees.errors import DataError

__all__ = ["find", "without_missing"]


def find(name: str, folder: Path | None = None) -> Dataset:
    """Return a data set by name.

    A folder goes first: ``NAME.csv`` or ``NAME.csv.gz``, the class in the column "class"; a
    ``catalogue.json`` beside them may declare the kinds and values of the columns. Then the sets that are
    built in, then OpenML, which needs a network.

    Parameters
    ----------
    name : str
        As in the papers' tables, lower case.
    folder : path, optional
        Where the files are.

    Raises
    ------
    DataError
        If there is no such set, or a file cannot be read.
    """
    if folder is not None:
        for path in (folder / f"{name}.csv", folder / f"{name}.csv.gz"):
            if path.is_file():
                return _from_file(name, path, folder / "catalogue.json")
    if name in DATASETS:
        return load(name, random_state=0)
    return _from_openml(name)


def _from_file(name: str, path: Path, catalogue: Path) -> Dataset:
    columns = _declared(name, catalogue)
    nominal = [column["name"] for column in columns if column["kind"] == "nominal"]
    data = read_csv(path, target="class", nominal=nominal)
    X = data.X.copy()
    for column in columns:
        if column["kind"] == "nominal" and column.get("values"):
            X[column["name"]] = pd.Categorical(X[column["name"]], categories=column["values"])
    return Dataset(name, X, data.y, data.description)


def _declared(name: str, catalogue: Path) -> list[dict[str, Any]]:
    """Return the attributes as a catalogue declares them, empty without one."""
    if not catalogue.is_file():
        return []
    for entry in json.loads(catalogue.read_text("utf-8"))["datasets"]:
        if entry["name"] == name:
            return [column for column in entry["attributes"] if column["name"] != "class"]
    return []


def _from_openml(name: str) -> Dataset:
    from sklearn.datasets import fetch_openml

    try:
        bunch = fetch_openml(name, version=1, as_frame=True, parser="auto")
    except Exception as error:
        raise DataError(
            f"There is no data set {name!r} in the folder or built in, and OpenML did not give it ({error}). "
            "Pass --data with a folder of CSV files."
        ) from error
    return Dataset(name, bunch.data, bunch.target, "from OpenML, version 1")


def without_missing(data: Dataset) -> Dataset:
    """Return a data set without the rows that have a missing cell."""
    assert data.y is not None
    complete = data.X.notna().all(axis=1)
    return Dataset(data.name, data.X[complete], data.y[complete], data.description)
