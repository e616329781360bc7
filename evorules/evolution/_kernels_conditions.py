# mypy: allow-untyped-defs, no-check-untyped-defs
"""Filling the table of all conditions: ranks, bitsets, and the values that the remaining rows still show.

`genes` int32 (genes, 8) describes every gene; `gene_columns` names its columns. All kernels only read it.
"""

import numpy as np

from evorules.evolution._kernels_bits import copy_bits, or_into, set_bit
from evorules.evolution.gene_columns import KIND, KNOWN, NARROW, NUMERIC, ROW, SIZE, START, STRIDE, WIDE
from trees.jit import kernel

__all__ = ["dense_ranks", "fill_table", "remaining_ranks"]


@kernel
def dense_ranks(raw, order, known, ranks, ends, sizes):
    """Rank the cells of each gene among its distinct values, from 0.

    `raw` int32 (genes, rows) holds ranks with gaps, `order` int32 the rows by them, the `known` cells first.
    Written: `ranks` int32 (genes, rows), -1 where missing; `ends` int32 (genes, rows), the number of rows up
    to each value; `sizes` int32 (genes,).
    """
    n_genes, n_rows = raw.shape
    for g in range(n_genes):
        size = 0
        for i in range(known[g]):
            row = order[g, i]
            if i == 0 or raw[g, row] != raw[g, order[g, i - 1]]:
                size += 1
            ranks[g, row] = size - 1
            ends[g, size - 1] = i + 1
        for i in range(known[g], n_rows):
            ranks[g, order[g, i]] = -1
        sizes[g] = size


@kernel
def _fill_cumulative(sorted_bits, ends, stride, known, row, bits):
    """Write pairs of bitsets: the first e rows by value, and the other known ones, e ascending to `known`.

    e runs over `ends` (int32) if `stride` is 0, else over 0, stride, 2 * stride and so on. Returns the rows
    of `bits` (uint64, written from `row` on) that were filled.
    """
    n_pairs = len(ends) if stride == 0 else 1 + (known + stride - 1) // stride
    begin = 0
    for j in range(n_pairs):
        end = ends[j] if stride == 0 else min(j * stride, known)
        if j > 0:
            copy_bits(bits[row + 2 * j], bits[row + 2 * j - 2])
        for i in range(begin, end):
            set_bit(bits[row + 2 * j], np.int64(sorted_bits[i]))
        begin = end
    everything = bits[row + 2 * n_pairs - 2]
    for j in range(n_pairs):
        for w in range(bits.shape[1]):
            bits[row + 2 * j + 1, w] = everything[w] & ~bits[row + 2 * j, w]


@kernel
def _locate_numeric(ends, stride, known, row, flat, base, clear):
    """Write where numeric conditions are found: row `base` (int32) less positions (`clear`, int32 pairs).

    Condition 2 * r is ``<=`` and 2 * r + 1 is ``>`` the r-th value; `clear`, zero before, counts from `flat`,
    the place of the gene among the sorted positions of all genes.
    """
    for r in range(len(ends)):
        end = ends[r]
        if stride == 0:
            base[2 * r], base[2 * r + 1] = row + 2 * r, row + 2 * r + 1
            continue
        above, below = (end + stride - 1) // stride, end // stride
        base[2 * r], base[2 * r + 1] = row + 2 * above, row + 2 * below + 1
        clear[2 * r, 0], clear[2 * r, 1] = flat + end, flat + min(above * stride, known)
        clear[2 * r + 1, 0], clear[2 * r + 1, 1] = flat + below * stride, flat + end


@kernel
def _fill_subsets(row, n_values, bits):
    """Write to `bits` (uint64) the union of every value set; row + 2**v is filled, the others are written."""
    for subset in range(1, 1 << n_values):
        rest = subset & (subset - 1)
        if rest != 0:
            copy_bits(bits[row + subset], bits[row + rest])
            or_into(bits[row + subset], bits[row + (subset ^ rest)])


@kernel
def fill_table(genes, ranks, ends, positions, coverage):
    """Write the bitsets of all conditions, and where each is found, to `coverage` (zero before).

    `genes` is described above, `ranks` and `ends` int32 (genes, rows) are those of `dense_ranks`, `positions`
    int32 (rows,) are the rows' bits.
    """
    bits, base, clear, sorted_bits, _, _ = coverage
    n_genes, n_rows = ranks.shape
    for g in range(n_genes):
        kind, start, size, row = genes[g, KIND], genes[g, START], genes[g, SIZE], genes[g, ROW]
        if kind == NUMERIC:
            stride, known, flat = np.int64(genes[g, STRIDE]), np.int64(genes[g, KNOWN]), g * n_rows
            ends_here = ends[g, :size]
            _fill_cumulative(sorted_bits[flat : flat + known], ends_here, stride, known, row, bits)
            stop = start + 2 * size
            _locate_numeric(ends_here, stride, known, row, flat, base[start:stop], clear[start:stop])
            continue
        for i in range(n_rows):
            if ranks[g, i] >= 0:
                value = np.int64(ranks[g, i])
                set_bit(bits[row + (value if kind == WIDE else 1 << value)], np.int64(positions[i]))
        if kind == NARROW:
            _fill_subsets(row, size, bits)
            for subset in range(1 << size):
                base[start + subset] = row + subset


@kernel
def remaining_ranks(ranks, order, known, alive, values, n_values):
    """Sort the known ranks of the rows that remain, gene by gene.

    `ranks`, `order`, `known` are those of `dense_ranks`, `alive` uint8 (rows,). Written: `values` int32
    (genes, remaining rows), ascending, of which the first `n_values` (int32, written) of a gene hold.
    """
    for g in range(len(ranks)):
        n = 0
        for i in range(known[g]):
            row = order[g, i]
            if alive[row]:
                values[g, n] = ranks[g, row]
                n += 1
        n_values[g] = n
