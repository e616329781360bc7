# mypy: allow-untyped-defs
"""Information measures of C4.5 in its own operation order (specification, sections 0, 1.5 and 2.1)."""

from __future__ import annotations

import math

import numpy as np

from trees.jit import kernel

LN2 = 0.69314718055994530942
EPSILON = 0.001


@kernel
def clear(numbers):
    """Write zeros into a vector; a loop, because assigning to a slice costs much compile time."""
    for i in range(len(numbers)):
        numbers[i] = 0


@kernel
def copy_row(matrix, source, target):
    """Write one row of a matrix into another."""
    for i in range(matrix.shape[1]):
        matrix[target, i] = matrix[source, i]


@kernel
def log2(x):
    """Return the base-2 logarithm of a real in float64, 0 for x <= 0."""
    return 0.0 if x <= 0 else math.log(np.float64(x)) / LN2


@kernel
def log2_term(n, terms):
    """Return n * log2(n) in float64 for a real n, 0 for n <= 0; `terms` holds it for small whole n."""
    if n <= 0:
        return 0.0
    whole = int(n)
    if whole < len(terms) and n == whole:
        return terms[whole]
    return np.float64(n) * log2(n)


@kernel
def total_info(counts, terms):
    """Return T log T - sum n log n of a real vector, both sums kept in its precision, in order."""
    real = counts.dtype.type
    spread = real(0)
    total = real(0)
    for n in counts:
        if n != 0:
            spread = real(np.float64(spread) + log2_term(n, terms))
            total = real(total + n)
    return real(log2_term(total, terms) - np.float64(spread))


@kernel
def table_gain(counts, sizes, n_outcomes, base, unknown, known, min_cases, terms):
    """Return the gain of outcomes 1..n_outcomes of a real table, -EPSILON if fewer than two are big."""
    real = counts.dtype.type
    big = 0
    for v in range(1, n_outcomes + 1):
        if sizes[v] >= min_cases:
            big += 1
    if known == 0 or big < 2:
        return real(-EPSILON)
    info = real(0)
    for v in range(1, n_outcomes + 1):
        info = real(info + total_info(counts[v], terms))
    return real((real(1) - unknown) * (base - info / known))


@kernel
def worth(gain, info, minimum, rejected, use_gain):
    """Return the worth of a test (section 1.5), all real; `rejected` is -EPSILON."""
    if use_gain:
        if info > 0 and gain > -EPSILON:
            return gain
    elif gain >= minimum - EPSILON and info > EPSILON:
        return gain / info
    return rejected


@kernel
def fill_terms(terms):
    """Write n * log2(n) for n = 0, 1, ... into the float64 array `terms`."""
    terms[0] = 0.0
    for n in range(1, len(terms)):
        terms[n] = n * log2(np.float64(n))
