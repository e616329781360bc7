"""Fitness of rules: the measures that the compiled evaluation knows, as functions of counts."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from evorules.evolution.arrays import Genome
from evorules.evolution.conditions import Remaining
from evorules.evolution.lazy_kernels import kernels
from trees.counts import Counts
from trees.errors import ParameterError
from trees.measures import m_estimate, sensitivity_specificity

__all__ = ["FITNESS", "count_covered", "majority", "measure_code"]

FITNESS: dict[str, Callable[..., npt.NDArray[np.float64]]] = {
    "sensitivity_specificity": sensitivity_specificity,
    "m_estimate": m_estimate,
}
"""The measures by name. A rule without active genes has fitness 0 whatever they say."""


def measure_code(name: str) -> int:
    """Return the number under which the kernels know a measure.

    Raises
    ------
    ParameterError
        If they do not know it.
    """
    names = list(FITNESS)
    if name not in names:
        known = " or ".join(map(repr, names))
        raise ParameterError(f"The fitness measure must be {known}. Got {name!r} instead.")
    return names.index(name)


def count_covered(
    remaining: Remaining, genome: Genome, target: int = -1
) -> tuple[Counts, npt.NDArray[np.int32]]:
    """Count what individuals cover.

    Parameters
    ----------
    remaining : Remaining
        The rows.
    genome : Genome
        The individuals.
    target : int
        Position of their class among the present ones; -1 for the majority class of what each covers.

    Returns
    -------
    counts : Counts
        Over all declared classes.
    n_active : ndarray of shape (n_individuals,), int32
        Active genes.
    """
    conditions = remaining.conditions
    n = len(genome.active)
    covered = np.empty((n, len(conditions.class_codes)))
    n_active = np.empty(n, dtype=np.int32)
    coverage = tuple(conditions.coverage)
    kernels().class_counts(tuple(genome), conditions.genes, coverage, remaining.bits, covered, n_active)
    totals = remaining.totals
    positions = np.full(n, target) if target >= 0 else majority(covered, totals)
    by_class = np.zeros((n + 1, conditions.schema.n_classes))
    by_class[:-1, conditions.class_codes] = covered
    by_class[-1, conditions.class_codes] = totals
    if conditions.has_unit_weights:
        by_class = by_class.astype(np.int64)
    return Counts(by_class[-1], by_class[:-1], conditions.class_codes[positions]), n_active


def majority(covered: npt.NDArray[np.float64], totals: npt.NDArray[np.float64]) -> npt.NDArray[np.int64]:
    """Return the position of the majority class in every row of `covered`.

    Ties go to the class with the greater total, then to the lower position.
    """
    tied = covered == covered.max(axis=1, keepdims=True)
    return np.argmax(np.where(tied, totals, -1.0), axis=1)
