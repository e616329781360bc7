"""Frames, arrays and lists become tables here, and nowhere else.

Guarantees of what leaves this module: float64 cells in C order; nominal cells are value codes; NaN is the
only missing marker; no infinities; class codes int32; weights greater than 0; unique column names; every
problem met is one `DataError` that names the column and the way out. Inputs are never written to.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import (
    _check_sample_weight,
    check_array,
    check_consistent_length,
    column_or_1d,
)

from trees.columns import Unknown, decode_column, encode_column, infinity_message, plain_value, read_column
from trees.errors import DataError
from trees.naming import closest_first, listed
from trees.schema import Attribute, Schema
from trees.table import Table

__all__ = [
    "as_input",
    "column_names",
    "encode_rows",
    "read_labels",
    "read_training",
    "read_weights",
    "write_frame",
]

Floats = npt.NDArray[np.float64]


def read_training(
    X: Any, y: Any = None, *, sample_weight: Any = None, nominal: Any = None
) -> tuple[Table, npt.NDArray[Any]]:
    """Read training rows and infer their schema; `Table.from_frame` describes the parameters.

    Returns
    -------
    Table
        The rows with a weight above 0.
    ndarray of shape (n_declared_classes,)
        The labels by class code, of the type in which they came; empty without `y`.
    """
    frame, cells = _columns_of(X)
    n_rows = len(frame) if cells is None else len(cells)
    if y is not None:
        check_consistent_length(np.empty(n_rows), y)
    weight = np.ones(n_rows) if sample_weight is None else read_weights(sample_weight, n_rows)
    if not np.all(weight > 0):
        # rows without weight leave no trace: no value, no label, no threshold
        kept = np.flatnonzero(weight)
        frame, cells = frame.iloc[kept], None if cells is None else cells[kept]
        y = (
            y
            if y is None
            else (y.iloc[kept] if isinstance(y, pd.Series | pd.DataFrame) else np.asarray(y)[kept])
        )
        weight = weight[kept]
    names = _names_of(frame)
    forced = _forced_nominal(nominal, names, frame)
    if cells is not None and not forced:
        attributes = tuple(Attribute(name, "numeric") for name in names)
    else:
        columns = [read_column(name, frame.iloc[:, c], c in forced) for c, name in enumerate(names)]
        attributes = tuple(attribute for attribute, _ in columns)
        cells = np.column_stack([column for _, column in columns])
    codes, target, labels = (None, None, np.empty(0)) if y is None else read_labels(y)
    schema = Schema(attributes, target)
    return Table(schema, np.ascontiguousarray(cells), codes, np.ascontiguousarray(weight)), labels


def as_input(X: Any) -> Any:
    """Return what offers `to_pandas` (polars, pyarrow) as a DataFrame, other input as it is."""
    return X.to_pandas() if hasattr(X, "to_pandas") and not isinstance(X, pd.DataFrame) else X


def column_names(X: Any) -> list[Any] | None:
    """Return the column names of a DataFrame; None for other input and for columns that are only numbered."""
    if not isinstance(X, pd.DataFrame) or _is_numbered(X):
        return None
    return list(X.columns)


def _is_numbered(frame: pd.DataFrame) -> bool:
    return isinstance(frame.columns, pd.RangeIndex) and list(frame.columns) == list(range(frame.shape[1]))


def encode_rows(
    X: Any,
    schema: Schema,
    *,
    unknown: Unknown = "missing",
    by_name: bool = True,
    owner: str = "the model",
) -> Table:
    """Encode rows with the schema of a fitted model.

    Parameters
    ----------
    X : DataFrame, ndarray, list of rows or Table
        A DataFrame's columns are matched by name, others by position.
    schema : Schema
        Of the training table.
    unknown : {"missing", "error"}
        What to do with a category that `schema` does not declare.
    by_name : bool
        False: the model was fitted without column names, so a DataFrame's columns go by position too.
    owner : str
        Whose schema it is, for messages.

    Returns
    -------
    Table
        Without classes, with weights 1.

    Raises
    ------
    UnseenCategoryError
        Names attribute and value, if `unknown` is "error".
    DataError
        For an absent or additional column, text in a numeric column, infinities.
    """
    if isinstance(X, Table):
        if X.schema.attributes != schema.attributes:
            raise DataError(
                "The table has another schema than that of fit. Pass a DataFrame or a table of that schema."
            )
        return Table(schema, X.X, None, np.ones(X.n_rows))
    X = as_input(X)
    frame, cells = _columns_of(X, allow_empty_rows=True)
    if by_name and column_names(X) is not None:
        frame = _match_columns(frame, schema)
    elif frame.shape[1] != schema.n_attributes:
        raise DataError(
            f"X has {frame.shape[1]} features, but {owner} is expecting {schema.n_attributes} features as "
            "input."
        )
    elif not by_name and not _is_numbered(frame) and not any(isinstance(c, str) for c in frame.columns):
        raise DataError(
            f"X has the columns {list(frame.columns)}, but {owner} was fitted on columns without names. "
            "Pass X.to_numpy() with the columns in the order of fit."
        )
    if cells is not None and not schema.is_nominal.any():
        return Table(schema, cells)
    columns = [encode_column(a, frame.iloc[:, c], unknown) for c, a in enumerate(schema.attributes)]
    return Table(schema, np.ascontiguousarray(np.column_stack(columns)))


def read_labels(y: Any) -> tuple[npt.NDArray[np.int32], Attribute, npt.NDArray[Any]]:
    """Return class codes, the class attribute, and the labels by class code, for labels of any type.

    Declared categories (a pandas Categorical) keep their order, those without rows included; other labels
    are sorted as `numpy.unique` does.
    """
    name = str(y.name) if isinstance(y, pd.Series) and y.name is not None else "class"
    missing = np.flatnonzero(_is_missing(y))
    if len(missing):
        raise DataError(
            f"Input y contains NaN: the class {name!r} is missing in {len(missing)} row(s), first in row "
            f"{missing[0]}. Drop these rows, or name their class."
        )
    array = _label_array(y)
    if isinstance(getattr(y, "dtype", None), pd.CategoricalDtype):
        categorical = pd.Categorical(y)
        labels, codes = np.asarray(categorical.categories), np.asarray(categorical.codes)
    else:
        labels, codes = _unique_labels(array)
    values = tuple(plain_value(value) for value in labels)
    return np.asarray(codes, dtype=np.int32), Attribute(name, "nominal", values), labels


def _label_array(y: Any) -> npt.NDArray[Any]:
    """Return labels as a one-dimensional array of their own type, checked to be class labels."""
    array = column_or_1d(np.asarray(y) if not isinstance(y, pd.DataFrame) else y.to_numpy(), warn=True)
    if array.dtype.kind not in "OUSb":
        check_classification_targets(array)
    return array


def _unique_labels(labels: npt.NDArray[Any]) -> tuple[npt.NDArray[Any], npt.NDArray[np.int64]]:
    try:
        observed, codes = np.unique(labels, return_inverse=True)
    except TypeError:
        kinds = sorted({type(label).__name__ for label in labels})
        raise DataError(
            f"Labels of several types cannot be sorted: {', '.join(kinds)}. Use y.astype(str)."
        ) from None
    return observed, codes


def _is_missing(y: Any) -> npt.NDArray[np.bool_]:
    """Return which labels are missing, of whatever type they are."""
    dtype = getattr(y, "dtype", None)
    if isinstance(dtype, np.dtype) and dtype.kind in "iubUS":
        return np.zeros(len(y), dtype=np.bool_)
    labels = y if isinstance(dtype, pd.api.extensions.ExtensionDtype) else np.asarray(y, dtype=object)
    return np.asarray(pd.isna(labels), dtype=np.bool_)


def read_weights(sample_weight: Any, n_rows: int) -> Floats:
    """Return row weights as float64; raise DataError for negative ones and if all are 0."""
    weight: Floats = _check_sample_weight(sample_weight, np.empty((n_rows, 1)), dtype=np.float64)
    if np.any(weight < 0):
        raise DataError(
            f"sample_weight must not be negative; row {int(np.argmin(weight))} has {weight.min():g}."
        )
    with np.errstate(over="ignore"):
        total = weight.sum()
    if not np.isfinite(total):
        raise DataError("The sum of sample_weight is not finite. Divide the weights by a constant.")
    if n_rows and not np.any(weight > 0):
        raise DataError("sample_weight is 0 in every row: no row is left to learn from.")
    return weight


def _columns_of(X: Any, allow_empty_rows: bool = False) -> tuple[pd.DataFrame, Floats | None]:
    """Return the input as a frame and, if it is a plain array of numbers, as float64 cells too."""
    X = as_input(X)
    if isinstance(X, pd.DataFrame):
        _check_shape(X.shape, allow_empty_rows)
        return X, None
    if isinstance(X, pd.Series):
        raise DataError("Expected a table, got a Series. Pass X.to_frame() for a single column.")
    if not hasattr(X, "__array__") and not isinstance(X, Iterable):
        raise DataError(f"Expected a table, got {X!r}. Pass a DataFrame, a 2D array or a list of rows.")
    if not hasattr(X, "dtype") and not _all_numbers(X):
        X = np.array(list(X), dtype=object)
    array = check_array(
        X, dtype=None, ensure_all_finite=False, ensure_min_samples=0 if allow_empty_rows else 1
    )
    if array.dtype.kind in "OUSb":
        return pd.DataFrame(array), None
    if array.dtype.kind not in "iuf":
        raise DataError(f"An array of type {array.dtype} cannot be read. Pass numbers, text or a DataFrame.")
    cells = np.ascontiguousarray(array, dtype=np.float64)
    infinite = np.isinf(cells)
    if infinite.any():
        row, column = (int(i) for i in np.argwhere(infinite)[0])
        raise DataError(infinity_message(f"x{column}", row))
    return pd.DataFrame(cells, copy=False), cells


def _all_numbers(X: Any) -> bool:
    """Whether a list of rows is a matrix of numbers; a row of mixed types must keep its types."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            return np.asarray(X).dtype.kind in "iufc"
    except (ValueError, TypeError, Warning):
        return False


def _check_shape(shape: tuple[int, int], allow_empty_rows: bool) -> None:
    n_rows, n_columns = shape
    if n_columns == 0:
        raise DataError(
            f"0 feature(s) (shape=({n_rows}, 0)) while a minimum of 1 is required: the table has no columns."
        )
    if n_rows == 0 and not allow_empty_rows:
        raise DataError(f"Found array with 0 sample(s) (shape={shape}): the table has no rows to learn from.")


def _names_of(frame: pd.DataFrame) -> list[str]:
    if _is_numbered(frame):
        return [f"x{c}" for c in range(frame.shape[1])]
    names = [str(name) for name in frame.columns]
    twice = sorted({name for name in names if names.count(name) > 1}) if len(set(names)) < len(names) else []
    if twice:
        raise DataError(
            f"Column names must be unique; rename {', '.join(map(repr, twice))}, which occurs more than once."
        )
    return names


def _forced_nominal(nominal: Any, names: list[str], frame: pd.DataFrame) -> set[int]:
    """Return the positions of the columns that the caller declares nominal."""
    forced = set()
    for column in () if nominal is None else nominal:
        if isinstance(column, str):
            if column not in names:
                known = listed(closest_first(column, names))
                raise DataError(f"nominal names the column {column!r}, which is not there (known: {known}).")
            forced.add(names.index(column))
        elif -len(names) <= int(column) < len(names):
            forced.add(int(column) % len(names))
        else:
            raise DataError(f"nominal names column {column}, but the table has {len(names)} columns.")
    return forced


def _match_columns(frame: pd.DataFrame, schema: Schema) -> pd.DataFrame:
    """Return the frame's columns in the order of the schema."""
    names = _names_of(frame)
    absent = [name for name in schema.names if name not in names]
    unseen = [name for name in names if name not in set(schema.names)]
    if absent or unseen:
        parts = ["The feature names should match those that were passed during fit."]
        if unseen:
            parts += ["Feature names unseen at fit time:", *(f"- {name}" for name in unseen)]
        if absent:
            parts += [
                "Feature names seen at fit time, yet now missing:",
                *(f"- {name}" for name in sorted(absent)),
            ]
        raise DataError("\n".join([*parts, ""]))
    return frame.iloc[:, [names.index(name) for name in schema.names]]


def write_frame(table: Table) -> pd.DataFrame:
    """Return a table as a DataFrame; `Table.to_frame` describes it."""
    columns: dict[str, Any] = {}
    for a, attribute in enumerate(table.schema.attributes):
        columns[attribute.name] = decode_column(attribute, table.X[:, a])
    if table.y is not None and table.schema.target is not None:
        target = table.schema.target
        if target.name in columns:
            raise DataError(f"The class is named {target.name!r} like an attribute. Rename one of them.")
        columns[target.name] = decode_column(target, table.y.astype(np.float64))
    return pd.DataFrame(columns)
