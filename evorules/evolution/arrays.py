"""The tuples of arrays that the kernels of the genetic algorithm take.

They go to the kernels as plain tuples, which Numba recognises in half the time, and are unpacked there.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

__all__ = ["Coverage", "Genome", "Plan", "Worth"]

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int32]
Words = npt.NDArray[np.uint64]


class Genome(NamedTuple):
    """The genes of a population.

    Parameters
    ----------
    active : ndarray of shape (n_individuals, n_genes), uint8
        Whether the gene's condition belongs to the rule.
    condition : ndarray of shape (n_individuals, n_genes), int32
        Id of the condition in the table; -1 for a wide nominal gene.
    subset : ndarray of shape (n_individuals, n_words), uint64
        Value sets of the wide nominal genes, in gene order; bit v of a gene's words stands for its v-th
        value.
    """

    active: npt.NDArray[np.uint8]
    condition: Ints
    subset: Words

    @classmethod
    def empty(cls, n_individuals: int, n_genes: int, n_words: int) -> Genome:
        """Return arrays of the given shapes, still to be written."""
        return cls(
            np.empty((n_individuals, n_genes), dtype=np.uint8),
            np.empty((n_individuals, n_genes), dtype=np.int32),
            np.empty((n_individuals, n_words), dtype=np.uint64),
        )

    def rows(self, begin: int, end: int) -> Genome:
        """Return views of the individuals from `begin` up to `end`."""
        active, condition, subset = self
        return Genome(active[begin:end], condition[begin:end], subset[begin:end])

    def assign(self, begin: int, other: Genome) -> None:
        """Overwrite the individuals from `begin` on with those of another genome."""
        end = begin + len(other.active)
        self.active[begin:end] = other.active
        self.condition[begin:end] = other.condition
        self.subset[begin:end] = other.subset


class Coverage(NamedTuple):
    """The rows that every condition covers.

    Parameters
    ----------
    bits : ndarray of shape (n_bitsets, n_words), uint64
        Bitsets of rows.
    base : ndarray of shape (n_conditions,), int32
        Row of `bits` from which a condition starts.
    clear : ndarray of shape (n_conditions, 2), int32
        Range of `sorted_bits` that is taken out of it.
    sorted_bits : ndarray of shape (n_genes * n_rows,), int32
        Bit positions of the rows, gene by gene in the order of their cells.
    class_words : ndarray of shape (n_present + 1,), int32
        Where the words of each class begin.
    weight : ndarray of shape (64 * n_words,), float64
        Weight of the row behind every bit; empty if all are 1.
    """

    bits: Words
    base: Ints
    clear: Ints
    sorted_bits: Ints
    class_words: Ints
    weight: Floats


class Worth(NamedTuple):
    """What rule pruning reads: the worth of genes or conditions.

    Parameters
    ----------
    values : ndarray of shape (n_genes,) or (n_conditions,), float64
        Worth of every gene (`per_gene`) or of every condition.
    per_gene : bool
        Which of the two `values` holds.
    norm : int
        0 takes the values as they are, 1 divides by their sum over the rule's active genes, 2 by their
        greatest.
    scale : float
        Factor for the gains of wide nominal genes, which are computed when they are needed.
    wide_counts : ndarray of shape (64 * n_words, n_present_classes), float64
        Class counts of the values of wide nominal genes.
    totals : ndarray of shape (n_present_classes,), float64
        Class counts of the rows.
    terms : ndarray, float64
        x * log2(x) for whole x up to the number of rows; empty if rows have weights.
    """

    values: Floats
    per_gene: bool
    norm: int
    scale: float
    wide_counts: Floats
    totals: Floats
    terms: Floats


class Plan(NamedTuple):
    """The numbers that the compiled loop takes; `GASettings` describes them."""

    population_size: int
    n_elite: int
    tournament_size: int
    crossover_rate: float
    mutation_rate: float
    min_conditions: int
    whole: bool
    target: int
    measure: int
    m: float
    patience: int
