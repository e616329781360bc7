"""Reading the original's .names, .data and .test files (C4.5 specification, section 11) into tables."""

from __future__ import annotations

import gzip
import re
from pathlib import Path

import numpy as np

from trees.schema import Attribute, Schema
from trees.table import Table


def open_text(path: Path) -> str | None:
    """Return the text of a file, or of its compressed copy beside it; None if there is neither."""
    if path.exists():
        return path.read_text(encoding="latin-1")
    packed = path.with_name(path.name + ".gz")
    if packed.exists():
        return gzip.decompress(packed.read_bytes()).decode("latin-1")
    return None


def entries(text: str) -> list[tuple[list[str], str]]:
    """Split a file into names, each with the delimiter behind it, grouped by entry; backslashes escape."""
    result: list[tuple[list[str], str]] = []
    names: list[tuple[str, str]] = []
    word = ""
    position = 0
    text += "\n"
    while position < len(text):
        c = text[position]
        if c == "|":
            position = text.index("\n", position)
            continue
        if c == "\\":
            word += text[position + 1]
            position += 2
            continue
        ends = c == "\n" or (c == "." and text[position + 1].isspace())
        if ends or c in ",:":
            name = re.sub(r"\s+", " ", word).strip()
            if name or not ends:
                names.append((name, c))
            word = ""
            if ends and names:
                result.append(([n for n, _ in names], "".join(d for _, d in names)))
                names = []
        else:
            word += c
        position += 1
    return result


def read_schema(text: str) -> tuple[Schema, list[int]]:
    """Return the schema of a .names file and the columns of the data file that are not ignored."""
    (classes, _), *rest = entries(text)
    attributes = []
    columns = []
    for column, (names, _) in enumerate(rest):
        name, *values = names
        if values == ["ignore"]:
            continue
        columns.append(column)
        if values == ["continuous"]:
            attributes.append(Attribute(name, "numeric"))
        else:
            attributes.append(Attribute(name, "nominal", tuple(values)))
    return Schema(tuple(attributes), Attribute("class", "nominal", tuple(classes))), columns


def read_rows(text: str, schema: Schema, columns: list[int]) -> Table:
    """Return the rows of a .data or .test file as a table."""
    rows = [names for names, _ in entries(text)]
    X = np.full((len(rows), schema.n_attributes), np.nan)
    assert schema.target is not None
    y = np.array([schema.target.code(row[-1]) for row in rows], dtype=np.int32)
    assert y.min(initial=0) >= 0
    for a, (attribute, column) in enumerate(zip(schema.attributes, columns, strict=True)):
        cells = [row[column] for row in rows]
        if attribute.is_nominal:
            codes = {value: code for code, value in enumerate(attribute.values)} | {"?": np.nan}
            X[:, a] = [codes[cell] for cell in cells]
        else:
            X[:, a] = [np.nan if cell == "?" else float(cell) for cell in cells]
    return Table(schema, X, y)


def read_c45(folder: Path, stem: str) -> tuple[Table, Table | None]:
    """Return the training table and, where there is one, the test table of a data set."""
    names = open_text(folder / f"{stem}.names")
    data = open_text(folder / f"{stem}.data")
    test = open_text(folder / f"{stem}.test")
    assert names is not None
    assert data is not None
    schema, columns = read_schema(names)
    return read_rows(data, schema, columns), None if test is None else read_rows(test, schema, columns)
