"""From columns of text to typed columns: what is missing, what is a number, what stays text."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
import pandas as pd

from trees.errors import DataError

MISSING_SPELLINGS = frozenset(
    ("?", "-", "--", ".", "NA", "N/A", "na", "n/a", "NaN", "nan", "null", "NULL", "None", "none", "<NA>")
)
"""Texts that often stand for a missing cell. They are reported, never taken as missing unasked."""
INFINITE = re.compile(r"[+-]?(?:inf|infinity|[0-9.]+e[0-9]+)", re.IGNORECASE)
EXACT_INTEGERS = 2.0**53
SHOWN = 5
# A nominal column such as 2, 3, 4, 5more holds fewer different numbers, one of ticket codes more other texts.
MEASURED = 10
FEW = 20


@dataclass(frozen=True)
class NumberStyle:
    """How numbers are written: the decimal mark and, if any, the mark between groups of three digits."""

    decimal: str = "."
    thousands: str | None = None

    @cached_property
    def _number(self) -> str:
        """A regular expression for one number; possessive, as no shorter match can help."""
        mark = re.escape(self.decimal)
        whole = "[0-9]++"
        if self.thousands is not None:
            whole = rf"(?>[0-9]{{1,3}}(?:{re.escape(self.thousands)}[0-9]{{3}})++|[0-9]++)"
        return rf"[+-]?+(?>{whole}(?:{mark}[0-9]*+)?+|{mark}[0-9]++)(?:[eE][+-]?+[0-9]++)?+"

    @cached_property
    def _one(self) -> re.Pattern[str]:
        return re.compile(self._number)

    @cached_property
    def _lines(self) -> re.Pattern[str]:
        return re.compile(rf"(?:{self._number}\n)*+")

    def parse(self, text: str) -> float | None:
        """Return the number that a text without outer blanks shows; None if it shows none or overflows."""
        if self._one.fullmatch(text) is None:
            return None
        number = float(self._plain(text))
        return number if abs(number) < np.inf else None

    def parse_all(self, texts: list[str]) -> tuple[npt.NDArray[np.float64], bool] | None:
        """Return the numbers and whether all are written as integers; None if `parse` refuses one of them."""
        # one match for all and one call per text: about 4 times as fast as calling `parse`
        joined = "".join([f"{text}\n" for text in texts])
        if self._lines.fullmatch(joined) is None:
            return None
        numbers = np.array(list(map(float, self._plain(joined).split())), dtype=np.float64)
        if len(numbers) != len(texts) or not np.all(np.isfinite(numbers)):
            return None  # a quoted field may hold a line end, or a number may overflow
        return numbers, not any(mark in joined for mark in (self.decimal, "e", "E"))

    def _plain(self, text: str) -> str:
        if self.thousands is not None:
            text = text.replace(self.thousands, "")
        return text.replace(self.decimal, ".")

    def describe(self) -> str:
        """Return the style as arguments of a reader."""
        text = f"decimal={self.decimal!r}"
        return text if self.thousands is None else f"{text}, thousands={self.thousands!r}"


STYLES = (NumberStyle(), NumberStyle(".", ","), NumberStyle(","), NumberStyle(",", "."))


@dataclass(frozen=True)
class TextColumn:
    """A column as it stands in a file.

    Parameters
    ----------
    name : str
        Its name.
    texts : list of str
        The distinct texts, in order of first appearance.
    codes : ndarray of shape (n_rows,), int32
        Position of each cell's text in `texts`.
    lines : ndarray of shape (n_rows,), int64
        Line of the file in which each row begins, from 1.
    """

    name: str
    texts: list[str]
    codes: npt.NDArray[np.int32]
    lines: npt.NDArray[np.int64]

    @cached_property
    def counts(self) -> npt.NDArray[np.int64]:
        """Number of cells of each text; ndarray of shape (n_texts,)."""
        return np.bincount(self.codes, minlength=len(self.texts))

    def cite(self, positions: Sequence[int]) -> str:
        """Return some texts, each with the line where it stands first."""
        cited = [
            f"{_short(self.texts[p])} (line {self.lines[np.argmax(self.codes == p)]})"
            for p in positions[:SHOWN]
        ]
        more = len(positions) - SHOWN
        return ", ".join(cited) + (f" and {more} more" if more > 0 else "")


@dataclass(frozen=True)
class ColumnReader:
    """How the columns of one file become typed columns.

    Parameters
    ----------
    path : str
        The file, for messages.
    missing : frozenset of str
        Texts that are missing cells, without outer blanks; "" among them.
    style : NumberStyle
        How numbers are written.
    trim : bool
        Strip the blanks around nominal values.
    """

    path: str
    missing: frozenset[str]
    style: NumberStyle
    trim: bool

    def read(
        self, column: TextColumn, declared: Literal["nominal", "numeric"] | None
    ) -> tuple[pd.Series, list[str]]:
        """Return a typed column and the warnings to give.

        Blanks around a text never count when it is compared with `missing` or read as a number.
        """
        bare = [text.strip() for text in column.texts]
        known = [p for p, text in enumerate(bare) if text not in self.missing]
        if declared == "nominal":
            return self._nominal(column, bare, known), self._blank_variants(column, bare, known)
        parsed = self.style.parse_all([bare[p] for p in known])
        if parsed is not None:
            return _numeric(column, known, *parsed), []
        odd = [p for p in known if self.style.parse(bare[p]) is None]
        if declared == "numeric":
            raise DataError(
                f"{self.path}: column {column.name!r} is declared numeric and holds {column.cite(odd)}. "
                f"{self._offer_missing(bare, odd)}."
            )
        warning = self._not_numeric(column, bare, known, odd)
        warnings = [warning] if warning else self._blank_variants(column, bare, known)
        return self._nominal(column, bare, known), warnings

    def _nominal(self, column: TextColumn, bare: list[str], known: list[int]) -> pd.Series:
        values = np.full(len(bare), None, dtype=object)
        for p in known:
            values[p] = bare[p] if self.trim else column.texts[p]
        return pd.Series(values[column.codes], name=column.name)

    def _not_numeric(
        self, column: TextColumn, bare: list[str], known: list[int], odd: list[int]
    ) -> str | None:
        """Return the warning for a column that was perhaps meant to be numeric."""
        begin = f"{self.path}: column {column.name!r} is read as nominal"
        end = f"or nominal=[{column.name!r}] if the column is nominal."
        for style in STYLES:
            if style != self.style and style.parse_all([bare[p] for p in known]) is not None:
                return (
                    f"{begin}, though all its texts are numbers in another style, such as "
                    f"{column.cite(odd[:1])}. Pass {style.describe()} to read them, {end}"
                )
        infinite = [p for p in odd if INFINITE.fullmatch(bare[p])]
        n_known, n_odd, n_infinite = (int(column.counts[places].sum()) for places in (known, odd, infinite))
        share = (n_known - n_odd + n_infinite) / n_known
        distinct = len(known) - len(odd) + len(infinite)
        spelt = all(bare[p] in MISSING_SPELLINGS for p in odd if p not in infinite)
        exceptional = share >= 0.9 or (share > 0.5 and distinct >= MEASURED and len(odd) <= FEW)
        if not (exceptional or (share > 0 and spelt)):
            return None
        return (
            f"{begin}: {n_known - n_odd} of {n_known} cells are numbers, but not {column.cite(odd)}. "
            f"{self._offer_missing(bare, odd)}, {end}"
        )

    def _offer_missing(self, bare: list[str], odd: list[int]) -> str:
        words = list(dict.fromkeys(bare[p] for p in odd))
        more = ", ..." if len(words) > SHOWN else ""
        tokens = ", ".join(_short(word) for word in words[:SHOWN])
        return f"Pass missing=[{tokens}{more}] (--missing on the command line) for texts that mean missing"

    def _blank_variants(self, column: TextColumn, bare: list[str], known: list[int]) -> list[str]:
        if self.trim:
            return []
        texts = {column.texts[p] for p in known}
        variants = [p for p in known if bare[p] != column.texts[p] and bare[p] in texts]
        if not variants:
            return []
        return [
            f"{self.path}: column {column.name!r} holds values that differ only in blanks around them, "
            f"such as {column.cite(variants[:1])} and {_short(bare[variants[0]])}. Pass trim=True to strip "
            "them."
        ]


def _numeric(
    column: TextColumn, known: list[int], numbers: npt.NDArray[np.float64], integers: bool
) -> pd.Series:
    values = np.full(len(column.texts), np.nan)
    values[known] = numbers
    cells: npt.NDArray[Any] = values[column.codes]
    # NaN compares as False: a column with missing cells stays float
    if integers and np.all(np.abs(values) <= EXACT_INTEGERS):
        cells = cells.astype(np.int64)
    return pd.Series(cells, name=column.name)


def _short(text: str, limit: int = 40) -> str:
    return repr(text if len(text) <= limit else text[: limit - 3] + "...")
