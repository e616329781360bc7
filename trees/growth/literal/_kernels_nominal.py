# mypy: allow-untyped-defs
"""The test with one branch per value of a nominal attribute (specification, section 2.2)."""

from __future__ import annotations

from trees.growth.literal._kernels_info import clear, log2_term, table_gain, total_info
from trees.growth.literal.state import GAIN, INFO
from trees.jit import kernel


@kernel
def fill_table(column, y, row, weight, low, high, n_values, counts, sizes):
    """Write the class weights of unknown (row 0) and every value (rows 1..n_values), and the rows' sums."""
    real = counts.dtype.type
    for v in range(n_values + 1):
        clear(counts[v])
    for i in range(low, high + 1):
        value = column[row[i]]
        code = 0 if value != value else int(value) + 1
        counts[code, y[row[i]]] += weight[i]
    for v in range(n_values + 1):
        size = real(0)
        for n in counts[v]:
            size = real(size + n)
        sizes[v] = size


@kernel
def base_info(counts, n_values, known, terms):
    """Return the entropy of the known cases of a table; the sum over classes is kept in float64."""
    real = type(known)
    spread = 0.0
    for c in range(counts.shape[1]):
        n = real(0)
        for v in range(1, n_values + 1):
            n = real(n + counts[v, c])
        spread += log2_term(n, terms)
    return real((log2_term(known, terms) - spread) / known)


@kernel
def evaluate_nominal(counts, sizes, merit, n_values, total, here, min_cases, terms):
    """Write gain and split information to `merit`, from the table that `fill_table` made.

    `total` is the weight of the cases summed when the node was opened, `here` summed in their present order.
    """
    real = type(total)
    if total <= sizes[0]:
        return
    known = real(total - sizes[0])
    unknown = real(sizes[0] / here)
    base = base_info(counts, n_values, known, terms)
    merit[GAIN] = table_gain(counts, sizes, n_values, base, unknown, known, min_cases, terms)
    merit[INFO] = total_info(sizes[: n_values + 1], terms) / total
