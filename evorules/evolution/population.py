"""A population as arrays, which is a sequence of DEAP individuals to everybody else."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar, overload

import numpy as np
import numpy.typing as npt

from evorules.evolution.arrays import Genome
from evorules.evolution.conditions import ConditionTable
from evorules.evolution.individual import Gene, Individual
from evorules.evolution.lazy_kernels import kernels
from trees.errors import DataError

__all__ = ["Population"]


@dataclass(eq=False)
class Population(Sequence[Individual]):
    """Individuals of one gene space, kept as arrays.

    As a sequence it makes `Individual` objects when they are asked for; changing one does not change the
    population. So `deap.tools.Statistics`, `HallOfFame` and `selBest` work on it.

    Parameters
    ----------
    conditions : ConditionTable
        What the codes of the genes mean.
    genome : Genome
        The genes.
    fitness : ndarray of shape (n_individuals,), float64
        NaN where an individual has not been evaluated.
    """

    conditions: ConditionTable
    genome: Genome
    fitness: npt.NDArray[np.float64]
    n_objectives: ClassVar[int] = 1

    @classmethod
    def empty(cls, conditions: ConditionTable, n_individuals: int) -> Population:
        """Return a population of individuals still to be written."""
        genome = Genome.empty(n_individuals, conditions.n_genes, conditions.n_words)
        return cls(conditions, genome, np.full(n_individuals, np.nan))

    @classmethod
    def of(cls, conditions: ConditionTable, individuals: Iterable[Sequence[Gene]]) -> Population:
        """Write individuals into arrays; their fitness too where they have one.

        Raises
        ------
        DataError
            If an individual has another number of genes, or a gene holds no condition of its attribute.
        """
        members = list(individuals)
        population = cls.empty(conditions, len(members))
        population.write(members)
        return population

    def __len__(self) -> int:
        return len(self.fitness)

    def __iter__(self) -> Iterator[Individual]:
        return iter(self.individuals())

    @overload
    def __getitem__(self, index: int) -> Individual: ...
    @overload
    def __getitem__(self, index: slice) -> list[Individual]: ...
    def __getitem__(self, index: int | slice) -> Individual | list[Individual]:
        if isinstance(index, slice):
            return self.individuals(range(len(self))[index])
        return self.individuals([range(len(self))[index]])[0]

    def individuals(self, picks: Iterable[int] | None = None) -> list[Individual]:
        """Return individuals as lists of genes, all or those at some positions."""
        genome, wide = self.genome, self.conditions.wide_genes
        rows = np.arange(len(self)) if picks is None else np.fromiter(picks, dtype=np.int64)
        keys = (2 * genome.condition[rows].astype(np.int64) + genome.active[rows]).tolist()
        made: dict[int, Gene] = {}
        members = []
        for row, fitness, line in zip(rows.tolist(), self.fitness[rows].tolist(), keys, strict=True):
            individual = Individual(
                [made.get(k) or made.setdefault(k, Gene(bool(k & 1), k >> 1)) for k in line]
            )
            for gene in wide:
                code = self.conditions.subset_code(genome, row, gene)
                individual[gene] = Gene(bool(genome.active[row, gene]), code)
            if fitness == fitness:
                individual.fitness.values = (fitness,)
            members.append(individual)
        return members

    def write(self, individuals: Sequence[Sequence[Gene]]) -> None:
        """Overwrite the whole population with as many individuals; DataError as `of`."""
        n_genes, genome = self.conditions.n_genes, self.genome
        wide = self.conditions.wide_genes
        codes = np.empty((len(individuals), n_genes), dtype=np.int64)
        for row, individual in enumerate(individuals):
            if len(individual) != n_genes:
                raise DataError(f"An individual must have {n_genes} genes. Got {len(individual)}.")
            line = [code for _, code in individual]
            for gene in wide:
                self.conditions.write_subset(genome, row, gene, line[gene])
                line[gene] = -1
            codes[row] = line
            genome.active[row] = [active for active, _ in individual]
            fitness = getattr(individual, "fitness", None)
            self.fitness[row] = fitness.values[0] if fitness is not None and fitness.valid else np.nan
        low, high = self.conditions.code_ranges
        wrong = np.argwhere((codes < low) | (codes > high))
        if len(wrong) > 0:
            row, gene = wrong[0].tolist()
            raise DataError(
                f"Gene {gene} of an individual holds code {codes[row, gene]}, which is no condition of its "
                f"attribute (known: {low[gene]} to {high[gene]}). Operators must keep genes in their places."
            )
        genome.condition[:] = codes

    def rows(self, begin: int, end: int) -> Population:
        """Return views of the individuals from `begin` up to `end`."""
        return Population(self.conditions, self.genome.rows(begin, end), self.fitness[begin:end])

    def take(self, picks: npt.NDArray[np.int32]) -> Population:
        """Return copies of the individuals at some positions, in that order."""
        taken = Genome.empty(len(picks), self.conditions.n_genes, self.conditions.n_words)
        kernels().copy_individuals(tuple(self.genome), picks, tuple(taken))
        return Population(self.conditions, taken, self.fitness[picks])

    def best(self, n: int = 1) -> npt.NDArray[np.int32]:
        """Return the positions of the best, best first; ties: fewer active genes, then lower position."""
        picks = np.empty(n, dtype=np.int32)
        kernels().best(self.fitness, self.genome.active, picks)
        return picks
