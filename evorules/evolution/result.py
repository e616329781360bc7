"""What a run of the genetic algorithm ends with."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
from deap import tools

from evorules.evolution.arrays import Genome
from evorules.evolution.fitness import count_covered
from evorules.evolution.operators import Run
from evorules.evolution.population import Population
from trees.rule import Rule

__all__ = ["Evolution", "StopReason"]

StopReason = Literal["generations", "time", "patience", "callback", "interrupt"]


@dataclass(frozen=True, eq=False)
class Evolution:
    """The last population of a run, and how the run went.

    Parameters
    ----------
    run : Run
        The rows and the random stream.
    population : Population
        The last one.
    records : ndarray of shape (n_generations + 1, 4), float64
        Mean, standard deviation, least and greatest fitness, from the first population on.
    evaluated : tuple of int
        Individuals evaluated in the first and in every later generation.
    stop_reason : {"generations", "time", "patience", "callback", "interrupt"}
        Why the run ended.
    observed : list of dict, optional
        What the given statistics compiled, per generation.
    """

    run: Run
    population: Population
    records: npt.NDArray[np.float64]
    evaluated: tuple[int, int]
    stop_reason: StopReason
    observed: list[dict[str, Any]] | None = None

    @property
    def n_generations(self) -> int:
        """Generations after the first population."""
        return len(self.records) - 1

    @cached_property
    def best(self) -> int:
        """Position of the best individual; ties: fewer active genes, then lower position."""
        return int(self.population.best()[0])

    @property
    def fitness(self) -> float:
        """Fitness of the best individual."""
        return float(self.population.fitness[self.best])

    @property
    def genome(self) -> Genome:
        """Genes of the best individual alone."""
        return self.population.genome.rows(self.best, self.best + 1)

    @cached_property
    def rule(self) -> Rule:
        """The best individual as a rule, with the weight that it covers per class among the run's rows."""
        return self.rule_at(self.best)

    def rule_at(self, position: int) -> Rule:
        """Return the individual at a position of the population as a rule, as `rule` does."""
        genome = self.population.genome.rows(position, position + 1)
        counts, _ = count_covered(self.run.remaining, genome, self.run.target)
        return Rule(
            self.run.conditions.antecedent(genome),
            int(counts.consequent[0]),
            tuple(map(float, counts.class_counts[0])),
            scores={"fitness": float(self.population.fitness[position])},
        )

    @property
    def logbook(self) -> tools.Logbook:
        """One record per generation: its number, evaluations, and the statistics."""
        logbook = tools.Logbook()
        names = ("avg", "std", "min", "max")
        compiled = self.observed or [dict(zip(names, line, strict=True)) for line in self.records.tolist()]
        logbook.header = ["gen", "nevals", *compiled[0]]
        first, later = self.evaluated
        if self.observed is None:
            # plain numbers need none of the bookkeeping of `record`
            logbook.extend({"gen": g, "nevals": later, **line} for g, line in enumerate(compiled))
            logbook[0]["nevals"] = first
            return logbook
        for generation, record in enumerate(compiled):
            logbook.record(gen=generation, nevals=later if generation else first, **record)
        return logbook
