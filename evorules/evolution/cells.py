"""Ranks of the cells of some rows, and how the conditions on them are laid out in memory."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from evorules.evolution.gene_columns import NARROW, NUMERIC, WIDE
from evorules.evolution.lazy_kernels import kernels
from trees.schema import Schema
from trees.table import Table

__all__ = ["Cells", "lay_out"]

NARROW_VALUES = 8
NARROW_BYTES = 2 << 20
"""A nominal gene is narrow if it has no more values, and its bitsets together no more bytes, than this."""
DENSE_BYTES = 256 << 10
"""A numeric gene keeps a bitset per condition if these have no more bytes together than this."""
BUDGET_BYTES = 64 << 20
"""The bitsets of all numeric genes together should have no more bytes than this."""

Ints = npt.NDArray[np.int32]


@dataclass(frozen=True, eq=False)
class Cells:
    """The cells of those columns that have at least two values on some rows.

    Parameters
    ----------
    columns : ndarray of shape (n_genes,), int32
        Columns of the table.
    ranks : ndarray of shape (n_genes, n_rows), int32
        Rank of every cell among the values of its gene; -1 where missing.
    order : ndarray of shape (n_genes, n_rows), int32
        Rows by rank, those with a missing cell last.
    known : ndarray of shape (n_genes,), int32
        Rows whose cell is not missing.
    ends : ndarray of shape (n_genes, n_rows), int32
        Rows up to each value, for numeric genes.
    values : tuple of ndarray, float64
        Distinct values of every gene: numbers, or the codes of nominal values.
    """

    columns: Ints
    ranks: Ints
    order: Ints
    known: Ints
    ends: Ints
    values: tuple[npt.NDArray[np.float64], ...]

    @classmethod
    def of(
        cls,
        table: Table,
        rows: npt.NDArray[np.int64],
        columns: npt.NDArray[np.int64],
        domain_rows: npt.NDArray[np.int64] | None = None,
    ) -> Cells:
        """Rank the cells of `rows` in `columns`; nominal values of `domain_rows` count as values too."""
        codes = table.codes
        raw = codes.ranks[np.ix_(columns, rows)]
        known = (raw != codes.missing).sum(axis=1).astype(np.int32)
        order = np.argsort(raw, axis=1, kind="stable").astype(np.int32)
        raw = raw.astype(np.int32)
        ranks, ends = np.empty_like(raw), np.empty_like(raw)
        sizes = np.empty(len(columns), dtype=np.int32)
        kernels().dense_ranks(raw, order, known, ranks, ends, sizes)

        values = []
        for g, column in enumerate(columns.tolist()):
            last_rows = order[g, ends[g, : sizes[g]] - 1]
            found = raw[g, last_rows]
            if domain_rows is not None and table.schema.attributes[column].is_nominal:
                found = _domain(codes.ranks[column, domain_rows], codes.missing, found)
                ranks[g] = np.where(ranks[g] < 0, -1, np.searchsorted(found, raw[g]))
            values.append(codes.values[column][found])
        kept = [g for g, distinct in enumerate(values) if len(distinct) >= 2]
        return cls(
            columns[kept].astype(np.int32),
            np.ascontiguousarray(ranks[kept]),
            np.ascontiguousarray(order[kept]),
            known[kept],
            np.ascontiguousarray(ends[kept]),
            tuple(values[g] for g in kept),
        )


def _domain(cells: npt.NDArray[np.uint16], missing: int, found: Ints) -> Ints:
    """Return the sorted codes that occur in `cells` or `found`."""
    return np.union1d(cells[cells != missing].astype(np.int32), found).astype(np.int32)


def lay_out(cells: Cells, schema: Schema, n_words: int) -> tuple[Ints, int, int]:
    """Give every gene its place among condition ids, bitset rows and genome words.

    Parameters
    ----------
    cells : Cells
        With at least two values per gene.
    schema : Schema
        Tells nominal from numeric columns.
    n_words : int
        Words of a bitset.

    Returns
    -------
    genes : ndarray of shape (n_genes, 8), int32
        As `gene_columns` describes.
    n_conditions : int
        Number of condition ids.
    n_bitsets : int
        Number of bitset rows.
    """
    nominal = [schema.attributes[column].is_nominal for column in cells.columns.tolist()]
    sizes = [len(values) for values in cells.values]
    known = cells.known.tolist()
    strides = _strides([0 if n else s for n, s in zip(nominal, sizes, strict=True)], known, n_words)
    genes = np.zeros((len(sizes), 8), dtype=np.int32)
    start = word = row = 0
    for g, size in enumerate(sizes):
        n_ids = n_gene_words = 0
        if not nominal[g]:
            kind, n_ids, n_rows = NUMERIC, 2 * size, 2 * _pairs(size, known[g], strides[g])
        elif size <= NARROW_VALUES and (8 * n_words << size) <= NARROW_BYTES:
            kind, n_ids, n_rows = NARROW, 1 << size, 1 << size
        else:
            kind, n_gene_words, n_rows = WIDE, (size + 63) // 64, size
        genes[g] = kind, start, size, word, n_gene_words, row, strides[g], known[g]
        start, word, row = start + n_ids, word + n_gene_words, row + n_rows
    return genes, start, row


def _pairs(size: int, known: int, stride: int) -> int:
    """Return how many pairs of bitsets a numeric gene keeps."""
    return size if stride == 0 else 1 + (known + stride - 1) // stride


def _strides(sizes: list[int], known: list[int], n_words: int) -> list[int]:
    """Choose the distance of the cumulative bitsets of every numeric gene (those with a size above 0).

    Taking out a row costs about four times as much as a word of an AND, so a quarter of the words is a good
    distance; it is widened until all fits into the budget.
    """
    least = max(64, 1 << max(0, (n_words // 4 - 1).bit_length()))
    dense = DENSE_BYTES
    while True:
        strides = []
        for size, n in zip(sizes, known, strict=True):
            sparse = 16 * n_words * size > dense and _pairs(size, n, least) < size
            strides.append(least if sparse else 0)
        pairs = sum(_pairs(*gene) for gene in zip(sizes, known, strides, strict=True))
        if 16 * n_words * pairs <= BUDGET_BYTES or least > 64 * n_words:
            return strides
        dense, least = dense // 2, 2 * least
