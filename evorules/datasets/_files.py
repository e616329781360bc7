"""Bytes and text of files, gzip by extension, with errors that name file and line."""

from __future__ import annotations

import codecs
import gzip
import io
import os
import zlib
from pathlib import Path
from typing import TextIO

from trees.errors import DataError, ParameterError

PathLike = str | os.PathLike[str]


def read_bytes(path: PathLike) -> bytes:
    """Return the bytes of a file, uncompressed if its name ends in ``.gz``."""
    if Path(path).suffix.lower() != ".gz":
        return Path(path).read_bytes()
    try:
        with gzip.open(path) as file:
            return file.read()
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise DataError(f"{path} is not a complete gzip file: {error}.") from None


def check_encoding(encoding: str) -> None:
    """Raise ParameterError for an encoding that Python does not know."""
    try:
        "".encode(encoding)  # also refuses codecs that are not of text, such as hex
    except (LookupError, TypeError):
        raise ParameterError(f"The 'encoding' parameter names no known encoding: {encoding!r}.") from None


def open_text(data: bytes, encoding: str) -> TextIO:
    """Return bytes as a text stream that leaves line ends as they are, as the csv module asks for."""
    return io.TextIOWrapper(io.BytesIO(data), encoding=encoding, newline="")


def decoding_error(path: PathLike, data: bytes, encoding: str) -> DataError:
    """Return the error for bytes that `encoding` cannot decode, with their line."""
    way_out = "Pass encoding='latin-1' or the one that the file was written in."
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        way_out = "The file begins like UTF-16: pass encoding='utf-16'."
    try:
        data.decode(encoding)
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        around = data[max(error.start - 20, 0) : error.start + 20]
        return DataError(f"{path}, line {line}: {around!r} is not {encoding} text. {way_out}")
    return DataError(f"{path} is not {encoding} text. {way_out}")


def base_name(path: PathLike) -> str:
    """Return the name of a file without folder, format and compression: ``data/car.csv.gz`` is "car"."""
    name = Path(path).name
    name = name.removesuffix(".gz")
    return Path(name).stem or name
