"""Code lengths in bits: of conditions, of rules, and of what a set of rules leaves unsaid."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from trees.growth.tree import SUBSET
from trees.rulegen.cases import Cases
from trees.rulegen.extract import Paths

__all__ = ["CodeLengths", "log2_factorials", "log2_table"]


def log2_table(n: int, real: Any = np.float64) -> npt.NDArray[Any]:
    """Return log2(i) for i = 0..n in the precision `real`; that of 0 is -1e38, as in the original."""
    table = np.full(n + 1, -1e38, dtype=real)
    table[1:] = np.log(np.arange(1, n + 1)) / np.log(2.0)
    return table


def log2_factorials(n: int, real: Any = np.float64) -> npt.NDArray[np.float64]:
    """Return log2(i!) for i = 0..n, summed in float64 from logarithms of the precision `real`."""
    table = np.zeros(n + 1)
    np.cumsum(log2_table(n, real)[1:].astype(np.float64), out=table[1:])
    return table


class CodeLengths:
    """How many bits conditions and rules cost, given the training rows.

    Parameters
    ----------
    cases : Cases
        Training rows.
    redundancy : float, greater than 0
        How much attributes repeat each other: naming an attribute costs that much less (``-r``).

    Attributes
    ----------
    attribute_bits : ndarray of shape (n_attributes,)
        Bits to name the outcome of a test of each attribute.
    test_bits : float
        Bits to name an attribute.
    log2_total : float
        log2 of the weight of all rows.

    Notes
    -----
    specs: C4.5 section 8.2. In double precision, unlike the original, a missing cell is not counted as one
    more value of a numeric attribute.
    """

    def __init__(self, cases: Cases, redundancy: float) -> None:
        self._real = real = cases.real
        self._n_values = cases.table.schema.n_values
        self.attribute_bits = np.array(
            [_attribute_bits(cases, a) for a in range(cases.table.n_attributes)], dtype=real
        )
        total = real(0)
        for bits in self.attribute_bits:
            total = real(total + bits)
        test_bits = real(0)
        for bits in self.attribute_bits:
            share = real(bits / total) if total > 0 else real(0)
            if share > 0:
                test_bits = real(test_bits - float(share) * np.log(float(share)) / np.log(2.0))
        self.test_bits = float(test_bits)
        self._order_bits: dict[int, float] = {}
        self._per_test = real(test_bits / real(redundancy))
        self.log2_total = float(real(np.log(cases.total) / np.log(2.0)))

    def of_rule(self, conditions: Sequence[int], paths: Paths) -> float:
        """Return the bits of a rule, in any order of its conditions."""
        real = self._real
        bits = real(0)
        for number in conditions:
            attribute = paths.conditions[number].attribute
            outcome = self.attribute_bits[attribute]
            if paths.kind[number] == SUBSET:
                outcome = real(self._n_values[attribute])
            bits = real(bits + real(self._per_test + outcome))
        n = len(conditions)
        if n not in self._order_bits:
            self._order_bits[n] = float(log2_table(n, real)[n]) - log2_factorials(n, real)[n]
        return float(real(float(bits) + self._order_bits[n]))


def _attribute_bits(cases: Cases, attribute: int) -> Any:
    """Return the bits to name an outcome: the entropy of nominal values, half the bits of a threshold."""
    real = cases.real
    cells = cases.cells[attribute]
    known = ~np.isnan(cells)
    if not cases.table.schema.is_nominal[attribute]:
        n_distinct = len(np.unique(cells[known]))
        if cases.single_precision and not known.all():
            n_distinct += 1
        return real(1 + float(real(np.log2(n_distinct))) / 2) if n_distinct > 1 else real(0)
    weight = cases.table.weight[known]
    frequency = np.bincount(cells[known].astype(np.int64), weights=weight)
    bits = real(0)
    log_total = real(np.log(cases.total) / np.log(2.0))
    for n in frequency[frequency > 0]:
        log_n = real(np.log(n) / np.log(2.0))
        bits = real(bits + n / cases.total * float(real(log_total - log_n)))
    return bits
