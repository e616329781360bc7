"""Delimited text: comma-separated values and their variants."""

from __future__ import annotations

import csv
import warnings
from array import array
from collections import defaultdict
from collections.abc import Collection, Iterator
from itertools import islice
from typing import Any, Literal

import numpy as np
import pandas as pd

from evorules.datasets._files import (
    PathLike,
    base_name,
    check_encoding,
    decoding_error,
    open_text,
    read_bytes,
)
from evorules.datasets._texts import ColumnReader, NumberStyle, TextColumn
from evorules.datasets.dataset import Dataset
from trees.errors import DataError, DataWarning, ParameterError
from trees.naming import closest_first, listed

__all__ = ["read_csv", "write_csv"]

BLOCK = 8192
DELIMITERS = (",", ";", "\t", "|")
Names = str | Collection[str]


def read_csv(
    path: PathLike,
    *,
    target: str | None = None,
    missing: Names = (),
    nominal: Names = (),
    numeric: Names = (),
    delimiter: str = ",",
    decimal: str = ".",
    thousands: str | None = None,
    encoding: str = "utf-8-sig",
    trim: bool = False,
) -> Dataset:
    r"""Read a delimited text file whose first line names the columns.

    A field that is empty or blank is a missing cell, and so is each text in `missing`, blanks around it
    aside. Nothing else is: ``NA``, ``None``, ``nan`` and ``?`` are values like any other unless `missing`
    lists them. A column is numeric if all its known cells are finite numbers (``inf`` and ``1e999`` are not),
    else nominal; the class is always nominal. Numeric columns become integers or floats, nominal ones text
    in the file's spelling. Nothing is changed silently: a column of numbers that other texts make nominal is
    warned of.

    Parameters
    ----------
    path : str or path
        The file; one whose name ends in ``.gz`` is uncompressed.
    target : str, optional
        Name of the class column. None: all columns are attributes.
    missing : list of str
        Texts that stand for a missing cell, in every column.
    nominal, numeric : list of str
        Columns whose kind is not to be inferred. Codes such as ``001`` are numbers unless named here.
    delimiter : str
        One character between fields.
    decimal : str
        Decimal mark, one character.
    thousands : str, optional
        Mark between groups of three digits, one character. None: there is none.
    encoding : str
        Of the text; the default is UTF-8 with or without a byte-order mark.
    trim : bool
        Strip the blanks around nominal values and column names.

    Returns
    -------
    Dataset
        Its name is that of the file, `y` is None without a `target`.

    Raises
    ------
    DataError
        With file, line and the offending text: no header, no rows, rows that are longer or shorter than the
        header, names that occur twice, a quote that does not close, text in another encoding, a single
        column that another delimiter would split, an absent `target`, text in a column declared numeric.
    ParameterError
        For marks that are not one character, and contradictions between parameters.

    Warns
    -----
    DataWarning
        For a nominal column that was perhaps meant to be numeric, for values that differ only in blanks,
        for a column without a name.

    Notes
    -----
    An empty field in quotes is missing too, and blanks inside quotes are treated as those outside.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "play.csv")
    ...     _ = path.write_text("humidity,code,play\n70,01,yes\n?,1,no\n")
    ...     data = read_csv(path, target="play", missing=["?"], nominal=["code"])
    >>> data.X
       humidity code
    0      70.0   01
    1       NaN    1
    >>> list(data.y)
    ['yes', 'no']
    """
    style = _number_style(decimal, thousands)
    _check_one_character("delimiter", delimiter)
    check_encoding(encoding)
    kinds = _declared_kinds(_listed("nominal", nominal), _listed("numeric", numeric), target)
    tokens = frozenset({"", *(token.strip() for token in _listed("missing", missing))})
    data = read_bytes(path)
    try:
        names, lines, texts = _split(path, data, delimiter, encoding, trim)
    except UnicodeDecodeError:
        raise decoding_error(path, data, encoding) from None
    messages = [f"{path}: column {c + 1} has no name." for c, name in enumerate(names) if not name.strip()]
    names = [name if name.strip() else f"column {c + 1}" for c, name in enumerate(names)]
    _check_names(path, names, [*kinds, *([] if target is None else [target])])
    reader = ColumnReader(str(path), tokens, style, trim)
    columns: dict[str, pd.Series] = {}
    for name, (distinct, codes) in zip(names, texts, strict=True):
        declared = "nominal" if name == target else kinds.get(name)
        columns[name], found = reader.read(TextColumn(name, distinct, codes, lines), declared)
        messages += found
    for message in messages:
        warnings.warn(message, DataWarning, stacklevel=2)
    y = None if target is None else columns.pop(target)
    if not columns:
        raise DataError(f"{path} has no column besides the class {target!r}.")
    return Dataset(base_name(path), pd.DataFrame(columns), y, f"read from {path}")


def _split(
    path: PathLike, data: bytes, delimiter: str, encoding: str, trim: bool
) -> tuple[list[str], Any, list[tuple[list[str], Any]]]:
    """Split a file into names, the line of each row, and per column its distinct texts and their codes."""
    records = _records(path, data, delimiter, encoding)
    header = next((row for _, row in records if len(row) > 1 or row[0].strip()), None)
    if header is None:
        raise DataError(f"{path} is empty: expected a line of column names and rows below it.")
    names = [name.strip() for name in header] if trim else header
    if len(names) == 1:
        _check_single_column(path, names[0], data, delimiter, encoding)
    index = [_counting_dict() for _ in names]
    blocks: list[list[Any]] = [[] for _ in names]
    lines = array("q")
    while block := list(islice(records, BLOCK)):
        rows: list[list[str]] = []
        for line, row in block:
            if len(row) == len(names):
                rows.append(row)
                lines.append(line)
            elif len(row) > 1 or row[0].strip():
                raise _ragged(path, line, row, names, delimiter)
        for c, cells in enumerate(zip(*rows, strict=True)):
            blocks[c].append(np.fromiter(map(index[c].__getitem__, cells), np.int32, len(cells)))
    if not lines:
        raise DataError(f"{path} has a line of column names and no rows below it.")
    codes = [np.concatenate(parts) for parts in blocks]
    return names, np.array(lines), [(list(known), c) for known, c in zip(index, codes, strict=True)]


def _counting_dict() -> defaultdict[str, int]:
    """Return a dict that numbers its keys in the order in which they are asked for first."""
    numbers: defaultdict[str, int] = defaultdict()
    numbers.default_factory = numbers.__len__
    return numbers


def _records(path: PathLike, data: bytes, delimiter: str, encoding: str) -> Iterator[tuple[int, list[str]]]:
    """Yield the records, empty lines left out, each with the line in which it begins."""
    reader = csv.reader(open_text(data, encoding), delimiter=delimiter, strict=True)
    line = 1
    try:
        for row in reader:
            if row:
                yield line, row
            line = reader.line_num + 1
    except csv.Error as error:
        raise DataError(
            f"{path}, line {line}: {error}. A field that begins with a quote must end with one, and quotes "
            "inside it are doubled."
        ) from None


def _ragged(path: PathLike, line: int, row: list[str], names: list[str], delimiter: str) -> DataError:
    text = delimiter.join(row)
    text = text if len(text) <= 80 else text[:77] + "..."
    return DataError(
        f"{path}, line {line}: expected {len(names)} fields, as there are names, got {len(row)}: {text!r}. "
        f"Put quotes around fields that hold the delimiter {delimiter!r}."
    )


def _check_single_column(path: PathLike, name: str, data: bytes, delimiter: str, encoding: str) -> None:
    """Refuse a single column whose first lines another delimiter splits into columns."""
    for other in DELIMITERS:
        if other == delimiter:
            continue
        reader = csv.reader(open_text(data, encoding), delimiter=other)
        try:
            widths = {len(row) for row in islice(reader, 5) if row}
        except csv.Error:
            continue
        if len(widths) == 1 and widths.pop() > 1:
            raise DataError(
                f"{path}, line 1: one single column, {name!r}, with delimiter {delimiter!r}. "
                f"Pass delimiter={other!r} (--delimiter on the command line)."
            )


def _check_names(path: PathLike, names: list[str], wanted: list[str]) -> None:
    """Refuse names that occur twice, and names asked for that the file does not have."""
    for name in names if len(set(names)) < len(names) else ():
        if names.count(name) > 1:
            places = " and ".join(str(c + 1) for c, other in enumerate(names) if other == name)
            raise DataError(f"{path}, line 1: the name {name!r} occurs more than once, in columns {places}.")
    for name in wanted:
        if name not in names:
            hint = ""
            if any(NumberStyle().parse(known) is not None for known in names):
                hint = " Some of these are numbers: the first line must hold the names of the columns."
            known = listed(closest_first(name, names))
            raise DataError(f"{path} has no column {name!r} (columns: {known}).{hint}")


def _declared_kinds(
    nominal: list[str], numeric: list[str], target: str | None
) -> dict[str, Literal["nominal", "numeric"]]:
    both = sorted(set(nominal) & set(numeric))
    if both:
        raise ParameterError(
            f"read_csv got {both[0]!r} in 'nominal' and in 'numeric'; it can be one of them."
        )
    if target in numeric:
        raise ParameterError(f"read_csv got the class column {target!r} in 'numeric'; classes are nominal.")
    kinds: dict[str, Literal["nominal", "numeric"]] = dict.fromkeys(nominal, "nominal")
    return kinds | dict.fromkeys(numeric, "numeric")


def _number_style(decimal: str, thousands: str | None) -> NumberStyle:
    _check_one_character("decimal", decimal)
    if thousands is not None:
        _check_one_character("thousands", thousands)
        if thousands == decimal:
            raise ParameterError(
                "The 'thousands' parameter of read_csv must differ from the decimal mark. "
                f"Got {thousands!r} for both."
            )
    return NumberStyle(decimal, thousands)


def _check_one_character(name: str, value: Any) -> None:
    if not isinstance(value, str) or len(value) != 1 or value in '"\r\n' or value.isalnum():
        raise ParameterError(
            f"The {name!r} parameter of read_csv must be one character, no letter, digit, quote or line end. "
            f"Got {value!r} instead."
        )


def _listed(name: str, value: Names) -> list[str]:
    """Return a parameter that lists texts; a single text is a list of one."""
    values = [value] if isinstance(value, str) else list(value)
    for item in values:
        if not isinstance(item, str):
            raise ParameterError(
                f"The {name!r} parameter of read_csv must be a list of texts. Got {item!r} in it instead."
            )
    return values


def write_csv(data: pd.DataFrame | Dataset, path: PathLike) -> None:
    """Write a table so that `read_csv` reads the same cells.

    Comma, UTF-8, LF, a line of column names, missing cells empty, numbers with all their digits; the class
    of a Dataset is the last column. A file whose name ends in ``.gz`` is compressed.

    Parameters
    ----------
    data : DataFrame or Dataset
        The rows; the index is not written.
    path : str or path
        The file, overwritten if it exists.

    Raises
    ------
    DataError
        For column names that occur twice, infinite numbers, and texts that a reader would take for a
        missing cell.

    Notes
    -----
    A text file has no types: nominal columns whose values are all numbers come back as numeric unless
    `read_csv` is told otherwise, and truth values come back as the texts ``True`` and ``False``.
    """
    frame = data.to_frame() if isinstance(data, Dataset) else data
    names = [str(name) for name in frame.columns]
    _check_names(path, names, [])
    texts = [text for c, name in enumerate(names) for text in _texts_of(name, frame.iloc[:, c])]
    # the csv module quotes a line feed in a text but not a carriage return
    quoting: Any = (
        csv.QUOTE_NONNUMERIC if any("\r" in text for text in [*names, *texts]) else csv.QUOTE_MINIMAL
    )
    compressed = str(path).lower().endswith(".gz")
    compression: Any = {"method": "gzip", "mtime": 0} if compressed else None  # same rows, same bytes
    frame.to_csv(
        path, index=False, encoding="utf-8", lineterminator="\n", compression=compression, quoting=quoting
    )


def _texts_of(name: str, column: pd.Series) -> list[str]:
    """Return the distinct texts of a column, empty for a numeric one; refuse what would not be read back."""
    if column.dtype.kind == "f" and np.isinf(column.to_numpy(dtype=np.float64, na_value=np.nan)).any():
        raise DataError(f"Column {name!r} holds infinite numbers, which a table cannot hold.")
    if pd.api.types.is_numeric_dtype(column.dtype):
        return []
    texts = [value for value in column.dropna().unique() if isinstance(value, str)]
    for text in texts:
        if not text.strip() or "\0" in text:
            raise DataError(
                f"Column {name!r} holds the text {text!r}, which would not be read back. Replace it by a "
                "word, or by None if it means a missing cell."
            )
    return texts
