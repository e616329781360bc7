"""Folds: which rows a learner is fitted on and which it is tested on, the same for all learners."""

from __future__ import annotations

import hashlib
import warnings
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.model_selection import StratifiedKFold

from trees.errors import DataError, DataWarning, ParameterError

__all__ = ["Fold", "given_folds", "make_folds", "stratified_folds"]

Rows = npt.NDArray[np.int32]


@dataclass(frozen=True, eq=False)
class Fold:
    """One split of the rows of a data set.

    Parameters
    ----------
    repeat, number : int
        Which run of the cross-validation, and which fold of it, from 0.
    train, test : ndarray of shape (n_train,) and (n_test,), int32
        Positions of rows, ascending unless the caller gave them otherwise.
    """

    repeat: int
    number: int
    train: Rows
    test: Rows

    @cached_property
    def digest(self) -> str:
        """SHA-256 of the row positions, in hexadecimal; equal for equal rows in equal order."""
        content = hashlib.sha256()
        for rows in (self.train, self.test):
            content.update(len(rows).to_bytes(8, "little"))
            content.update(rows.astype("<i4").tobytes())
        return content.hexdigest()


def stratified_folds(
    classes: npt.NDArray[np.int32], labels: Sequence[Any], n_splits: int, seed: int, repeat: int = 0
) -> list[Fold]:
    """Deal rows to folds, class by class, in shuffled order.

    Parameters
    ----------
    classes : ndarray of shape (n_rows,), int32
        Class codes.
    labels : sequence
        Label of each class code, for messages.
    n_splits : int
        Number of folds, at least 2.
    seed : int
        Shuffles the rows, as ``StratifiedKFold(shuffle=True, random_state=seed)`` does.
    repeat : int
        Kept in the folds.

    Returns
    -------
    list of Fold
        Every row is tested once.

    Raises
    ------
    DataError
        If no class has a row for every fold.

    Warns
    -----
    DataWarning
        Names the classes with fewer rows than folds: some folds test, or train, without them.
    """
    if not isinstance(n_splits, int | np.integer) or isinstance(n_splits, bool) or n_splits < 2:
        raise ParameterError(
            f"The 'folds' parameter of compare must be an int of at least 2. Got {n_splits!r}."
        )
    counts = np.bincount(classes, minlength=len(labels))
    rare = [code for code in np.flatnonzero(counts).tolist() if counts[code] < n_splits]
    if counts.max(initial=0) < n_splits:
        largest = int(np.argmax(counts))
        raise DataError(
            f"{n_splits} folds need a class of at least {n_splits} rows; the largest, {labels[largest]!r}, "
            f"has {counts[largest]}. Ask for fewer folds."
        )
    if rare:
        named = ", ".join(f"{labels[code]!r} ({counts[code]})" for code in rare)
        warnings.warn(
            f"Classes with fewer rows than the {n_splits} folds: {named}. Some folds test without them.",
            DataWarning,
            stacklevel=2,
        )
    with warnings.catch_warnings():
        # scikit-learn's own warning of rare classes does not name them
        warnings.filterwarnings("ignore", message="The least populated class in y", category=UserWarning)
        splitter = StratifiedKFold(n_splits, shuffle=True, random_state=seed)
        splits = list(splitter.split(np.empty((len(classes), 0)), classes))
    return [
        Fold(repeat, number, train.astype(np.int32), test.astype(np.int32))
        for number, (train, test) in enumerate(splits)
    ]


def given_folds(splits: Iterable[Any], n_rows: int, repeat: int = 0) -> list[Fold]:
    """Return folds from pairs of row positions or masks.

    Parameters
    ----------
    splits : iterable of (train, test)
        Positions in [0, n_rows), or masks of shape (n_rows,).
    n_rows : int
        Rows of the data set.
    repeat : int
        Kept in the folds.

    Raises
    ------
    DataError
        For rows that do not exist, rows tested and trained on at once, and parts without rows.
    """
    folds = []
    for number, pair in enumerate(splits):
        train, test = (_positions(part, n_rows, number) for part in pair)
        if len(both := np.intersect1d(train, test)):
            raise DataError(f"Split {number}: row {both[0]} is to be trained on and tested.")
        folds.append(Fold(repeat, number, train, test))
    if not folds:
        raise DataError("There are no splits.")
    return folds


def _positions(part: Any, n_rows: int, number: int) -> Rows:
    rows = np.asarray(part)
    if rows.dtype == np.bool_:
        if rows.shape != (n_rows,):
            raise DataError(f"Split {number}: a mask has shape {rows.shape}, the data set {n_rows} rows.")
        rows = np.flatnonzero(rows)
    if rows.ndim != 1 or len(rows) == 0 or rows.dtype.kind not in "iu":
        raise DataError(f"Split {number}: expected at least one row position in each part.")
    if rows.min() < 0 or rows.max() >= n_rows:
        raise DataError(f"Split {number}: row positions must be in [0, {n_rows}).")
    if len(np.unique(rows)) < len(rows):
        raise DataError(f"Split {number}: a row occurs more than once.")
    return rows.astype(np.int32)


def make_folds(
    classes: npt.NDArray[np.int32],
    labels: Sequence[Any],
    folds: Any,
    repeats: int,
    seed: int,
    own: Sequence[Any] | None = None,
) -> list[Fold]:
    """Return the folds of all repeats.

    Parameters
    ----------
    classes : ndarray of shape (n_rows,), int32
        Class codes.
    labels : sequence
        Label of each class code.
    folds : int, splitter or list of (train, test)
        A number of stratified folds, a scikit-learn splitter, or row positions.
    repeats : int
        Runs of the cross-validation; run r shuffles with ``seed + r``.
    seed : int
        Of the first run.
    own : list of (train, test), optional
        A split that belongs to the data set: it is kept, whatever `folds` says.

    Raises
    ------
    DataError
        For splits that do not fit the rows.
    ParameterError
        For repeats of a split that is given.
    """
    if own is not None:
        return given_folds(own, len(classes))
    if isinstance(folds, int | np.integer):
        return [
            fold
            for repeat in range(repeats)
            for fold in stratified_folds(classes, labels, int(folds), seed + repeat, repeat)
        ]
    if isinstance(folds, str) or not (hasattr(folds, "split") or isinstance(folds, Iterable)):
        raise ParameterError(
            "The 'folds' parameter of compare must be an int of at least 2, a splitter of scikit-learn or a "
            f"list of (train, test) positions. Got {folds!r} instead."
        )
    if repeats != 1:
        raise ParameterError("The 'repeats' parameter of compare must be 1 where the splits are given.")
    if hasattr(folds, "split"):
        folds = folds.split(np.empty((len(classes), 1)), classes)
    return given_folds(folds, len(classes))
