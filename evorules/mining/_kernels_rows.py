# mypy: allow-untyped-defs, no-check-untyped-defs
"""The items of rows, from the rows of items."""

import numpy as np

from trees._kernels_bits import lowest_bit
from trees.jit import kernel

__all__ = ["list_rows"]

_ONE = np.uint64(1)


@kernel
def list_rows(bits, item_of_rank, rows, n_listed):
    """Write to `rows` the ranks of the items of each row, descending, and to `n_listed` (int32) how many."""
    for rank in range(len(item_of_rank) - 1, -1, -1):
        for w in range(bits.shape[1]):
            word = bits[item_of_rank[rank], w]
            while word != np.uint64(0):
                row = 64 * w + lowest_bit(word)
                rows[row, n_listed[row]] = rank
                n_listed[row] += 1
                word &= word - _ONE
