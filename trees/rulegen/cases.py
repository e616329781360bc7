"""The training rows as the rules generator sees them: cells, classes, weights, and bits of conditions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from trees.growth.cells import working_cells
from trees.growth.tree import NOMINAL
from trees.rule import Condition
from trees.rulegen.extract import Paths, flattened
from trees.table import Table

__all__ = ["Cases", "pack_rows", "unpack_rows"]

Words = npt.NDArray[np.uint64]
Floats = npt.NDArray[np.float64]

MOST_BYTES = 64 << 20
"""Memory for the bits of conditions; with more conditions, rules are worked off in parts."""
N_NARROW_VALUES = 127
"""The original keeps value numbers, from 1, in signed bytes: greater ones match nothing (defect 9.5)."""


def pack_rows(flags: npt.NDArray[np.bool_]) -> Words:
    """Return truth values of shape (..., n_rows) as 64-bit words of shape (..., ceil(n_rows / 64))."""
    n_words = (flags.shape[-1] + 63) // 64
    packed = np.packbits(flags, axis=-1, bitorder="little")
    padded = np.zeros((*flags.shape[:-1], 8 * n_words), dtype=np.uint8)
    padded[..., : packed.shape[-1]] = packed
    return padded.view("<u8").astype(np.uint64, copy=False)


def unpack_rows(words: Words, n_rows: int) -> npt.NDArray[np.bool_]:
    """Return the truth values that `pack_rows` packed."""
    octets = np.ascontiguousarray(words).astype("<u8", copy=False).view(np.uint8)
    return np.unpackbits(octets, axis=-1, count=n_rows, bitorder="little").view(np.bool_)


@dataclass(frozen=True, eq=False)
class Cases:
    """Rows with classes, as bits.

    Parameters
    ----------
    table : Table
        Rows with classes.
    single_precision : bool
        Compare 32-bit floats, read -999 as missing, and let no value number above 127 match (mode "r8").
    """

    table: Table
    single_precision: bool

    @property
    def real(self) -> Any:
        """Working precision: numpy.float32 or numpy.float64."""
        return np.float32 if self.single_precision else np.float64

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return self.table.n_rows

    @property
    def n_words(self) -> int:
        """Number of 64-bit words of a row set."""
        return (self.n_rows + 63) // 64

    @cached_property
    def cells(self) -> npt.NDArray[Any]:
        """Cells by column in the working precision; ndarray of shape (n_attributes, n_rows)."""
        numeric = ~self.table.schema.is_nominal
        return np.ascontiguousarray(working_cells(self.table.X, numeric, self.real).T)

    @cached_property
    def class_bits(self) -> Words:
        """Rows of every class; ndarray of shape (n_classes, n_words)."""
        return pack_rows(self.table.classes == np.arange(self.table.n_classes)[:, None])

    @cached_property
    def weight(self) -> Floats:
        """Row weights; empty if all are 1, so that rows can be counted."""
        return np.empty(0) if self.table.has_unit_weights else self.table.weight

    @cached_property
    def total(self) -> float:
        """Weight of all rows."""
        return float(self.table.weight.sum())

    def weigh(self, words: Words) -> Floats:
        """Return the weight of the rows in bit rows; (..., n_words) becomes (...)."""
        if len(self.weight) == 0:
            return np.bitwise_count(words).sum(axis=-1, dtype=np.int64).astype(np.float64)
        return unpack_rows(words, self.n_rows).astype(np.float64) @ self.weight

    def matches(self, condition: Condition, kind: int = NOMINAL) -> npt.NDArray[np.bool_]:
        """Return which rows satisfy a condition, an outcome of a test of some kind; (n_rows,)."""
        cells = self.cells[condition.attribute]
        if condition.relation == "<=":
            return cells <= self.real(condition.threshold)
        if condition.relation == ">":
            return cells > self.real(condition.threshold)
        codes = condition.codes
        if self.single_precision and kind == NOMINAL and codes[0] >= N_NARROW_VALUES:
            return np.zeros(self.n_rows, dtype=np.bool_)
        return cells == codes[0] if len(codes) == 1 else np.isin(cells, codes)

    def condition_bits(self, paths: Paths, numbers: Iterable[int]) -> Words:
        """Return the rows that satisfy some of the conditions of paths; (n_conditions, n_words)."""
        rows = [pack_rows(self.matches(paths.conditions[c], int(paths.kind[c]))) for c in numbers]
        return np.array(rows, dtype=np.uint64).reshape(len(rows), self.n_words)

    def parts(
        self, paths: Paths, rules: Sequence[Sequence[int]]
    ) -> Iterator[tuple[slice, Words, npt.NDArray[np.int64], npt.NDArray[np.int32]]]:
        """Yield rules in consecutive parts whose conditions' bits fit into memory.

        Parameters
        ----------
        paths : Paths
            What the condition numbers stand for.
        rules : sequence of sequences of int
            Condition numbers of every rule.

        Yields
        ------
        part : slice
            Of `rules`.
        bits : ndarray of shape (n_used, n_words), uint64
            Of the conditions that the part uses.
        start, ids : ndarray
            The part's rules one behind the other, as rows of `bits`.
        """
        most = MOST_BYTES // (8 * self.n_words)
        first = 0
        while first < len(rules):
            used: dict[int, int] = {}
            stop = first
            while stop < len(rules):
                fresh = {c for c in rules[stop] if c not in used}
                if stop > first and len(used) + len(fresh) > most:
                    break
                for c in rules[stop]:
                    used.setdefault(c, len(used))
                stop += 1
            start, ids = flattened([[used[c] for c in rule] for rule in rules[first:stop]])
            yield slice(first, stop), self.condition_bits(paths, used), start, ids
            first = stop

    def coverage(self, paths: Paths, rules: Sequence[Sequence[int]]) -> Words:
        """Return the rows that satisfy all conditions of each rule; ndarray of shape (n_rules, n_words)."""
        covers = np.empty((len(rules), self.n_words), dtype=np.uint64)
        for part, bits, start, ids in self.parts(paths, rules):
            for r in range(part.start, part.stop):
                own = ids[start[r - part.start] : start[r - part.start + 1]]
                np.bitwise_and.reduce(bits[own], axis=0, out=covers[r])
        return covers
