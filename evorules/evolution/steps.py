"""One step of the loop per alias, whether the operator behind it takes populations or individuals."""

from __future__ import annotations

import random
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from evorules.evolution.fitness import count_covered
from evorules.evolution.individual import Individual
from evorules.evolution.operators import Run, breeding, changing
from evorules.evolution.population import Population
from evorules.evolution.toolbox import Toolbox
from trees.errors import ParameterError

__all__ = ["breed", "change", "evaluate", "initialise", "own_generators", "prune"]

_GLOBAL_GENERATORS = threading.RLock()


@contextmanager
def own_generators(toolbox: Toolbox, run: Run) -> Iterator[None]:
    """Give operators on individuals the generators they expect, and leave no trace of it.

    DEAP's operators draw from the global generator of `random`. If there is any such operator, that generator
    and NumPy's are seeded from the run's stream and put back afterwards; meanwhile no other such run may go
    on.
    """
    if not toolbox.draws_globally:
        yield
        return
    with _GLOBAL_GENERATORS:
        python_state, numpy_state = random.getstate(), np.random.get_state()  # noqa: NPY002
        toolbox.run = run
        try:
            words = run.state.tolist()
            random.seed(words[0])
            np.random.seed([word & 0xFFFFFFFF for word in words])  # noqa: NPY002
            yield
        finally:
            toolbox.run = None
            random.setstate(python_state)
            np.random.set_state(numpy_state)  # noqa: NPY002


def initialise(toolbox: Toolbox, run: Run, n: int) -> Population:
    """Return `n` individuals, not yet evaluated."""
    if toolbox.takes_population("init"):
        made: Population = toolbox.init(run, n)
        return made
    return Population.of(run.conditions, [toolbox.init() for _ in range(n)])


def breed(toolbox: Toolbox, population: Population, run: Run, n_elite: int, n: int) -> Population:
    """Return copies of the best `n_elite` individuals and, after them, of `n` selected ones."""
    if toolbox.is_shipped("select"):
        return breeding(population, run, n_elite, n, **toolbox.keywords("select"))
    elite = population.best(n_elite)
    if toolbox.takes_population("select"):
        return population.take(np.concatenate([elite, toolbox.select(population, run, n)]))
    individuals = population.individuals()
    selected = toolbox.select(individuals, n)
    if len(selected) != n:
        raise ParameterError(f"The operator 'select' must return {n} individuals. Got {len(selected)}.")
    position = {id(individual): p for p, individual in enumerate(individuals)}
    picks = [position.get(id(individual), -1) for individual in selected]
    bred = population.take(np.concatenate([elite, np.maximum(np.array(picks, dtype=np.int32), 0)]))
    if min(picks) < 0:
        # not the individuals that were handed over, but others
        bred.rows(n_elite, n_elite + n).write(selected)
    return bred


def change(toolbox: Toolbox, population: Population, run: Run, begin: int = 0) -> None:
    """Cross, mutate and prune the individuals of a population from `begin` on, in place."""
    if toolbox.is_shipped("mate", "mutate", "prune"):
        rates = (toolbox.keywords(alias)["rate"] for alias in ("mate", "mutate"))
        changing(population, run, begin, *rates, **toolbox.keywords("prune"))
        return
    population = population.rows(begin, len(population))
    for alias, on_individuals in (("mate", _mate), ("mutate", _mutate), ("prune", _prune)):
        if toolbox.takes_population(alias):
            getattr(toolbox, alias)(population, run)
        else:
            population.write(on_individuals(toolbox, population.individuals()))


def prune(toolbox: Toolbox, population: Population, run: Run) -> None:
    """Prune the individuals of a population, in place."""
    if toolbox.takes_population("prune"):
        toolbox.prune(population, run)
    else:
        population.write(_prune(toolbox, population.individuals()))


def evaluate(toolbox: Toolbox, population: Population, run: Run) -> None:
    """Write the fitness of all individuals of a population."""
    if toolbox.takes_population("evaluate"):
        toolbox.evaluate(population, run)
        return
    counts, _ = count_covered(run.remaining, population.genome, run.target, weighted=True)
    for p, individual in enumerate(population.individuals()):
        individual.counts = counts.class_counts[p].astype(np.float64)
        individual.class_totals = counts.class_totals.astype(np.float64)
        individual.consequent = int(counts.consequent[p])
        population.fitness[p] = _single(toolbox.evaluate(individual))


def _mate(toolbox: Toolbox, individuals: list[Individual]) -> Sequence[Individual]:
    for p in range(1, len(individuals), 2):
        if random.random() < toolbox.mate_rate:
            individuals[p - 1], individuals[p] = toolbox.mate(individuals[p - 1], individuals[p])
    return individuals


def _mutate(toolbox: Toolbox, individuals: list[Individual]) -> Sequence[Individual]:
    return [_first(toolbox.mutate(individual)) for individual in individuals]


def _prune(toolbox: Toolbox, individuals: list[Individual]) -> Sequence[Individual]:
    return [_first(toolbox.prune(individual)) for individual in individuals]


def _first(result: Any) -> Individual:
    """Return the individual that an operator returned, which DEAP's put into a tuple of one."""
    individual: Individual = result[0] if isinstance(result, tuple) else result
    return individual


def _single(result: Any) -> float:
    """Return the fitness that an own evaluation returned, a number or a tuple of one."""
    values = result if isinstance(result, tuple | list) else (result,)
    if len(values) != 1 or not np.isfinite(float(values[0])):
        raise ParameterError(f"The operator 'evaluate' must return one finite number. Got {result!r}.")
    return float(values[0])
