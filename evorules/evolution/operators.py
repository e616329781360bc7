"""The operators of the genetic algorithm, each on a whole population.

An operator marked `population_level` takes the population and the `Run`; all others are ordinary DEAP
operators on individuals (see `evorules.evolution.toolbox`). The numbers of random words that an operator
draws depend on shapes alone, so that one run's later draws never shift.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from evorules.evolution.arrays import Genome, Worth
from evorules.evolution.conditions import ConditionTable, Remaining
from evorules.evolution.fitness import is_compiled, kernel_measure, registered_fitness
from evorules.evolution.lazy_kernels import kernels
from evorules.evolution.population import Population
from trees.errors import ParameterError

__all__ = [
    "SHIPPED",
    "SHIPPED_DEFAULTS",
    "Run",
    "breeding",
    "changing",
    "check_tournament",
    "evaluation",
    "initialisation",
    "mutation",
    "one_point_crossover",
    "population_level",
    "rule_pruning",
    "tournament",
    "tournament_winners",
]

Ints = npt.NDArray[np.int32]
Operator = TypeVar("Operator", bound=Callable[..., object])


@dataclass(frozen=True, eq=False)
class Run:
    """What the operators of one run share.

    Parameters
    ----------
    remaining : Remaining
        The rows.
    worth : Worth
        What rule pruning goes by.
    state : ndarray of shape (4,), uint64
        State of the random stream; the operators advance it.
    target : int
        Position among the present classes of the class that all rules are for; -1 if every rule is for the
        majority class of the rows that it covers.
    """

    remaining: Remaining
    worth: Worth
    state: npt.NDArray[np.uint64]
    target: int = -1

    @property
    def conditions(self) -> ConditionTable:
        """The gene space."""
        return self.remaining.conditions


def population_level(operator: Operator) -> Operator:
    """Mark an operator as one that takes ``(population, run)`` and not individuals."""
    operator.population_level = True  # type: ignore[attr-defined]
    return operator


@population_level
def initialisation(run: Run, n: int, *, seeded: bool = True) -> Population:
    """Return `n` random individuals with all genes active.

    Parameters
    ----------
    run : Run
        The rows, and the random stream.
    n : int
        Number of individuals.
    seeded : bool
        Every individual is drawn so that it accepts one random row; where the row's cell is missing the gene
        is drawn freely and starts inactive.
    """
    population = Population.empty(run.conditions, n)
    conditions, remaining = run.conditions, run.remaining
    kernels().initialise(
        tuple(population.genome),
        conditions.genes,
        conditions.cells.ranks,
        remaining.rows,
        remaining.values,
        remaining.n_values,
        seeded,
        run.state,
    )
    return population


@population_level
def tournament(population: Population, run: Run, n: int, *, size: int = 2) -> Ints:
    """Return the winners' positions in `n` tournaments among `size` distinct individuals, ties by chance."""
    return tournament_winners(population.fitness, run, n, size)


def tournament_winners(fitness: npt.NDArray[np.float64], run: Run, n: int, size: int) -> Ints:
    """Return the positions of the winners of `n` tournaments; `fitness` has shape (n_individuals,)."""
    check_tournament(size, len(fitness))
    picks = np.empty(n, dtype=np.int32)
    kernels().tournaments(fitness, size, run.state, picks)
    return picks


def check_tournament(size: int, n_individuals: int) -> None:
    """Raise ParameterError if a tournament cannot have `size` distinct individuals."""
    if not 1 <= size <= n_individuals:
        raise ParameterError(
            f"The size of a tournament must be between 1 and the {n_individuals} individuals. Got {size}."
        )


@population_level
def one_point_crossover(population: Population, run: Run, *, rate: float = 0.8) -> None:
    """Cross neighbours 0 and 1, 2 and 3, ... with probability `rate`, whole genes, in place."""
    kernels().cross(tuple(population.genome), run.conditions.genes, rate, run.state)


@population_level
def mutation(population: Population, run: Run, *, rate: float = 0.01) -> None:
    """Change every gene with probability `rate`, in place.

    With equal chances its active bit is turned, its value redrawn or, if it is numeric, its operator turned.
    """
    remaining = run.remaining
    kernels().mutate(
        tuple(population.genome), run.conditions.genes, remaining.values, remaining.n_values, rate, run.state
    )


@population_level
def rule_pruning(population: Population, run: Run, *, min_conditions: int = 2, scope: str = "active") -> None:
    """Switch off conditions, the least worthy first, in place.

    The active genes (all, with scope "all") are visited by ascending worth, ties by chance; each is kept with
    a probability equal to its worth, until no more than `min_conditions` are active.
    """
    genes = run.conditions.genes
    kernels().prune(
        tuple(population.genome), genes, tuple(run.worth), min_conditions, scope == "all", run.state
    )


@population_level
def evaluation(
    population: Population, run: Run, *, measure: str = "sensitivity_specificity", m: float = 2.0
) -> None:
    """Write the fitness of every individual: a measure of `trees.measures.MEASURES`, by name.

    A rule that has no active gene or covers nothing has fitness 0. `m` is that of the m-estimate.
    """
    conditions, remaining = run.conditions, run.remaining
    if not is_compiled(measure):
        population.fitness[:] = registered_fitness(measure, remaining, population.genome, run.target)
        return
    code, constant = kernel_measure(measure, m, conditions.schema.n_classes)
    kernels().evaluate(
        tuple(population.genome),
        conditions.genes,
        tuple(conditions.coverage),
        remaining.bits,
        remaining.totals,
        conditions.factor,
        run.target,
        code,
        constant,
        population.fitness,
    )


def breeding(population: Population, run: Run, n_elite: int, n: int, size: int) -> Population:
    """Return what `tournament` and copying the elite and the winners give, in one call."""
    check_tournament(size, len(population))
    conditions = population.conditions
    picks = np.empty(n_elite + n, dtype=np.int32)
    genome = Genome.empty(n_elite + n, conditions.n_genes, conditions.n_words)
    old, fitness = population.fitness, np.empty(n_elite + n)
    kernels().breed(tuple(population.genome), old, n_elite, size, run.state, picks, tuple(genome), fitness)
    return Population(conditions, genome, fitness)


def changing(
    population: Population,
    run: Run,
    begin: int,
    crossover_rate: float,
    mutation_rate: float,
    min_conditions: int,
    scope: str,
) -> None:
    """Do what `one_point_crossover`, `mutation` and `rule_pruning` do to the individuals from `begin` on."""
    remaining = run.remaining
    kernels().change(
        tuple(population.genome),
        begin,
        remaining.conditions.genes,
        remaining.values,
        remaining.n_values,
        tuple(run.worth),
        crossover_rate,
        mutation_rate,
        min_conditions,
        scope == "all",
        run.state,
    )


SHIPPED: dict[str, Callable[..., object]] = {
    "init": initialisation,
    "select": tournament,
    "mate": one_point_crossover,
    "mutate": mutation,
    "prune": rule_pruning,
    "evaluate": evaluation,
}
"""The operator that stands behind every alias of a fresh toolbox."""

SHIPPED_DEFAULTS: dict[str, dict[str, object]] = {
    alias: dict(getattr(operator, "__kwdefaults__", None) or {}) for alias, operator in SHIPPED.items()
}
"""The keyword arguments that they have by themselves."""
