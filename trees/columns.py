"""One column at a time: what kind it is, its cells as numbers, and back."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Sequence
from numbers import Real
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
import pandas as pd

from trees.errors import DataError, DataWarning, UnseenCategoryError
from trees.schema import Attribute, Value

__all__ = ["decode_column", "encode_column", "infinity_message", "plain_value", "read_column"]

Floats = npt.NDArray[np.float64]
Unknown = Literal["missing", "error"]


def read_column(name: str, column: pd.Series, force_nominal: bool) -> tuple[Attribute, Floats]:
    """Infer the attribute of a training column and encode its cells."""
    kind = _kind_of(name, column)
    if kind == "category":
        values = [plain_value(value) for value in column.cat.categories]
        cells = column.cat.codes.to_numpy().astype(np.float64)
        cells[cells < 0] = np.nan
        return _nominal(name, values), cells
    if kind == "numeric" and not force_nominal:
        return Attribute(name, "numeric"), _numbers(name, column)
    if kind == "mixed":
        warnings.warn(
            f"Column {name!r} mixes numbers and text: it is read as nominal, numbers as their text. "
            "Convert it with pandas.to_numeric(..., errors='coerce') if it should be numeric.",
            DataWarning,
            stacklevel=5,
        )
        column = column.map(_text, na_action="ignore")
    codes, uniques = pd.factorize(column, use_na_sentinel=True)
    cells = codes.astype(np.float64)
    cells[codes < 0] = np.nan
    return _nominal(name, [plain_value(value) for value in uniques]), cells


def _nominal(name: str, values: Sequence[Value]) -> Attribute:
    return Attribute(name, "nominal", tuple(values))


def encode_column(attribute: Attribute, column: pd.Series, unknown: Unknown) -> Floats:
    """Encode a column for prediction with the attribute of fit."""
    name = attribute.name
    if not attribute.is_nominal:
        return _encode_numbers(name, column)
    if _kind_of(name, column) == "category":
        codes, uniques = column.cat.codes.to_numpy(), column.cat.categories
    else:
        codes, uniques = pd.factorize(column, use_na_sentinel=True)
    spelt = {_text(value): code for code, value in enumerate(attribute.values)}
    lookup = np.full(len(uniques) + 1, np.nan)
    unseen = []
    for u, raw in enumerate(uniques):
        value = plain_value(raw)
        code = attribute.code(value)
        if code < 0:
            # the same value as text, such as the True of a file or a number in a column of texts
            code = spelt.get(_text(value), -1)
        if code >= 0:
            lookup[u] = code
        else:
            unseen.append((u, value))
    if unseen and unknown == "error":
        present = set(np.unique(codes).tolist())
        for u, value in unseen:
            if u in present:
                raise UnseenCategoryError(
                    f"Attribute {name!r} has value {value!r}, not seen in fit (known: "
                    f"{_shortened(map(str, attribute.values))}). "
                    "Pass unknown='missing' to treat it as missing."
                )
    return lookup[codes]


def _encode_numbers(name: str, column: pd.Series) -> Floats:
    """Return the cells of a column that was numeric in fit; its categories may be numbers."""
    if isinstance(column.dtype, pd.CategoricalDtype):
        column = column.astype(object)
    if column.isna().all():
        return np.full(len(column), np.nan)
    if _kind_of(name, column) == "numeric":
        return _numbers(name, column)
    first = next(
        cell for cell in column.dropna() if isinstance(cell, bool | np.bool_) or not isinstance(cell, Real)
    )
    raise DataError(
        f"Attribute {name!r} was numeric in fit and now holds {plain_value(first)!r}. "
        "Convert it with pandas.to_numeric(..., errors='coerce'), which makes text missing."
    )


def _kind_of(name: str, column: pd.Series) -> Literal["category", "numeric", "nominal", "mixed", "missing"]:
    """Tell how a column is to be read; raise DataError for types that no table holds."""
    dtype = column.dtype
    if isinstance(dtype, pd.CategoricalDtype):
        return "category"
    if pd.api.types.is_bool_dtype(dtype):
        return "nominal"
    if pd.api.types.is_complex_dtype(dtype):
        raise DataError(
            f"Complex data not supported: column {name!r} holds complex numbers. Split it into two columns."
        )
    if pd.api.types.is_numeric_dtype(dtype):
        return "numeric"
    if pd.api.types.is_datetime64_any_dtype(dtype) or dtype.kind in "mM" or isinstance(dtype, pd.PeriodDtype):
        raise DataError(
            f"Column {name!r} holds dates or times ({dtype}). "
            "Make numbers of them, such as days since a date, or drop it."
        )
    if isinstance(dtype, pd.StringDtype):
        return "nominal"
    return _kind_of_objects(name, column)


def _kind_of_objects(name: str, column: pd.Series) -> Literal["numeric", "nominal", "mixed", "missing"]:
    inferred = pd.api.types.infer_dtype(column, skipna=True)
    if inferred in ("string", "boolean"):
        return "nominal"
    if inferred in ("integer", "floating", "mixed-integer-float", "decimal"):
        return "numeric"
    present = column.dropna()
    if len(present) == 0:
        return "missing"
    for row, cell in zip(present.index, present, strict=True):
        if isinstance(cell, str | bool | np.bool_ | np.str_):
            continue
        if isinstance(cell, int | float | np.integer | np.floating):
            continue
        raise DataError(
            f"Column {name!r} holds a {type(cell).__name__} in row {row} ({_shortened([repr(cell)])}). "
            "Cells must be text, truth values or numbers "
            "(argument must be a string or a number): convert or drop the column."
        )
    return "mixed"


def _numbers(name: str, column: pd.Series) -> Floats:
    """Return a numeric column as float64, refusing infinities."""
    try:
        cells = column.to_numpy(dtype=np.float64, na_value=np.nan)
    except OverflowError:
        raise DataError(
            f"Column {name!r} holds an integer beyond the range of a float. Scale the column."
        ) from None
    infinite = np.isinf(cells)
    if infinite.any():
        raise DataError(infinity_message(name, int(np.argmax(infinite))))
    return cells


def infinity_message(name: str, row: int) -> str:
    """Return the message for an infinite cell."""
    return (
        f"Input X contains infinity: column {name!r} in row {row}. "
        "Replace infinities by a number or by NaN, which is read as missing."
    )


def plain_value(value: Any) -> Value:
    """Return a category as a plain Python scalar; intervals and other objects become their text."""
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float) and value.is_integer() and abs(value) < 2**53:
        return int(value)
    return value if isinstance(value, str | bool | int | float) else str(value)


def _text(value: Any) -> str:
    """Return the text of a cell of a column that mixes numbers and text."""
    return str(plain_value(value))


def _shortened(words: Iterable[str], limit: int = 200) -> str:
    text = ", ".join(words)
    return text if len(text) <= limit else text[: limit - 3] + "..."


def decode_column(attribute: Attribute, cells: Floats) -> Any:
    """Return cells as numbers or as a pandas Categorical of the declared values."""
    if not attribute.is_nominal:
        return cells
    codes = np.where(np.isnan(cells), -1, cells).astype(np.int64)
    return pd.Categorical.from_codes(
        codes, categories=pd.Index(attribute.values, dtype=_index_type(attribute))
    )


def _index_type(attribute: Attribute) -> Any:
    return object if len({type(v) for v in attribute.values}) > 1 else None
