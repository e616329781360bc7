# mypy: allow-untyped-defs
"""Which rule of a list fires first on a row, and which next."""

import numpy as np

from trees._kernels_bits import mark
from trees.jit import kernel

__all__ = ["first_two"]


@kernel
def first_two(fires, alive, first, second):
    """Write the first and the second rule that fires on every row, -1 for none.

    fires: uint64 row sets (n_rules, n_words); alive: bool (n_rules,); first, second: int32 (n_rows,).
    """
    first[:] = -1
    second[:] = -1
    n_words = fires.shape[1]
    none = np.empty(n_words, dtype=np.uint64)
    one = np.zeros(n_words, dtype=np.uint64)
    none[:] = ~np.uint64(0)
    for r in range(len(fires)):
        if alive[r]:
            own = fires[r]
            for w in range(n_words):
                fresh, again = own[w] & none[w], own[w] & one[w]
                if fresh | again != np.uint64(0):
                    none[w] ^= fresh
                    one[w] = (one[w] ^ again) | fresh
                    mark(fresh, w, r, first)
                    mark(again, w, r, second)
