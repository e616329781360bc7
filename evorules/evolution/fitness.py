"""Fitness of rules: any measure of the registry by name, and those of them that the kernels compute."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from evorules.evolution.arrays import Genome
from evorules.evolution.conditions import Remaining
from evorules.evolution.lazy_kernels import kernels
from trees.counts import Counts
from trees.errors import ParameterError
from trees.measure_name import MeasureName
from trees.measures import MEASURES

__all__ = [
    "COMPILED",
    "INFINITE",
    "count_covered",
    "is_compiled",
    "kernel_measure",
    "majority",
    "registered_fitness",
]

Floats = npt.NDArray[np.float64]

COMPILED = (
    "sensitivity_specificity",
    "m_estimate",
    "confidence",
    "coverage",
    "laplace",
    "lift",
    "sensitivity",
    "specificity",
    "support",
    "weighted_relative_accuracy",
)
"""The measures that `_kernels_evaluation` knows, at their numbers there."""
INFINITE = 1e15
_NUMBER = {name: number for number, name in enumerate(COMPILED)}
_OWN = {name: MEASURES[name] for name in COMPILED}


def is_compiled(name: str) -> bool:
    """Whether the kernels compute a measure; one put into the registry under an old name is another measure.

    Raises
    ------
    ParameterError
        If the registry has no measure of that name.
    """
    measure = MEASURES.get(name)
    if measure is None:
        raise ParameterError(f"The fitness measure must be {MeasureName().describe()}. Got {name!r} instead.")
    return _OWN.get(name) is measure


def kernel_measure(measure: str, m: float, n_classes: int) -> tuple[int, float]:
    """Return the number of a compiled measure, and the constant that it takes.

    Parameters
    ----------
    measure : str
        A name in `COMPILED`.
    m : float
        Of the m-estimate.
    n_classes : int
        Declared classes.
    """
    return _NUMBER[measure], float(n_classes if measure == "laplace" else m)


def registered_fitness(measure: str, remaining: Remaining, genome: Genome, target: int = -1) -> Floats:
    """Return the fitness of individuals from their counts; ndarray of shape (n_individuals,).

    A rule that has no active gene or covers nothing has fitness 0, whatever the measure. Infinity (conviction
    without errors) counts as `INFINITE`, so that the mean of a population is a number.

    Raises
    ------
    ParameterError
        If the measure gives what is no number, or minus infinity.
    """
    counts, n_active = count_covered(remaining, genome, target, weighted=True)
    scores = np.asarray(MEASURES[measure](counts), dtype=np.float64)
    fitness = np.where((n_active > 0) & (counts.covered > 0), np.minimum(scores, INFINITE), 0.0)
    if not np.isfinite(fitness).all():
        raise ParameterError(f"The measure {measure!r} must give numbers to be a fitness.")
    return fitness


def count_covered(
    remaining: Remaining, genome: Genome, target: int = -1, *, weighted: bool = False
) -> tuple[Counts, npt.NDArray[np.int32]]:
    """Count what individuals cover.

    Parameters
    ----------
    remaining : Remaining
        The rows.
    genome : Genome
        The individuals.
    target : int
        Position of their class among the present ones; -1 for the majority class of what each covers, with
        the factors of the classes.
    weighted : bool
        Whether the counts are multiplied by the factors of the classes.

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
    genes, alive = conditions.genes, remaining.bits
    scratch = np.empty_like(alive)
    kernels().class_counts(tuple(genome), genes, coverage, alive, covered, n_active, scratch)
    totals, factor = remaining.totals, conditions.factor
    positions = np.full(n, target) if target >= 0 else majority(covered * factor, totals * factor)
    if weighted:
        covered, totals = covered * factor, totals * factor
    by_class = np.zeros((n + 1, conditions.schema.n_classes))
    by_class[:-1, conditions.class_codes] = covered
    by_class[-1, conditions.class_codes] = totals
    if conditions.has_unit_weights and not (weighted and np.any(factor != 1.0)):
        by_class = by_class.astype(np.int64)
    return Counts(by_class[-1], by_class[:-1], conditions.class_codes[positions]), n_active


def majority(covered: Floats, totals: Floats) -> npt.NDArray[np.int64]:
    """Return the position of the majority class in every row of `covered`.

    Ties go to the class with the greater total, then to the lower position.
    """
    tied = covered == covered.max(axis=1, keepdims=True)
    return np.argmax(np.where(tied, totals, -1.0), axis=1)
