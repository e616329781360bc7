"""The loop with two objectives, fitness against the number of conditions: NSGA-II on the toolbox."""

from __future__ import annotations

import time

import numpy as np
import numpy.typing as npt
from deap import tools

from evorules.evolution import steps
from evorules.evolution.arrays import Worth
from evorules.evolution.conditions import Remaining
from evorules.evolution.front import Front, FrontPopulation
from evorules.evolution.loop import Callback, Observer, first_population, start
from evorules.evolution.operators import SHIPPED, Run
from evorules.evolution.population import Population
from evorules.evolution.result import StopReason
from evorules.evolution.settings import GASettings
from evorules.evolution.toolbox import Toolbox
from trees.errors import ParameterError

__all__ = ["evolve_front"]


def evolve_front(
    remaining: Remaining,
    worth: Worth,
    state: npt.NDArray[np.uint64],
    *,
    consequent: int | None = None,
    toolbox: Toolbox | None = None,
    settings: GASettings | None = None,
    statistics: tools.Statistics | None = None,
    hall_of_fame: tools.HallOfFame | None = None,
    callback: Callback | None = None,
    deadline: float | None = None,
) -> Front:
    """Evolve the rules of which none is both fitter and shorter than another.

    Parameters
    ----------
    remaining, worth, state, consequent, toolbox, settings
        As in `evorules.evolution.evolve`. `n_elite` is of no meaning here: who survives is decided among
        parents and children together.
    statistics, hall_of_fame, callback
        As in `evolve`; a `deap.tools.ParetoFront` will do as the hall of fame. Individuals have two fitness
        values: the fitness, and the number of conditions, which is to be small.
    deadline : float, optional
        As in `evolve`.

    Returns
    -------
    Front
        With the front in `rules` and `individuals`, and the rule that `settings.trade_off` names in `rule`.

    Raises
    ------
    DataError
        If there is no gene, or no row of class `consequent`.

    Notes
    -----
    Deb, Pratap, Agarwal and Meyarivan (2002), A fast and elitist multiobjective genetic algorithm: NSGA-II.
    Parents meet in tournaments, where the lower front wins, then the greater crowding distance, else chance;
    the alias `select` may hold another operator on individuals, such as `tools.selTournamentDCD`. Crossover,
    mutation, rule pruning and evaluation are those of the toolbox. Children and parents then go to the alias
    `survive`, DEAP's `tools.selNSGA2`. Rules that are there more than once go to it once, for few pairs of
    objectives are possible and the copies of one rule would crowd out the rest; copies only fill up what is
    left. With `patience` a run ends after so many generations in which the front has stayed the same.
    """
    toolbox = toolbox or Toolbox(settings)
    settings = settings or toolbox.settings
    run, deadline = start(remaining, worth, state, consequent, settings, deadline)
    observer = Observer(statistics, hall_of_fame, callback)
    with steps.own_generators(toolbox, run):
        population = _fronts(first_population(toolbox, run, settings))
        population.crowd()
        observer.see(0, population)
        population, reason = _generations(population, run, toolbox, settings, deadline, observer)
    ours = toolbox.evaluate.func is SHIPPED["evaluate"]
    bound = toolbox.evaluate.keywords if ours else {}
    return Front(
        run,
        population,
        np.stack(observer.records),
        (settings.population_size, settings.population_size),
        reason,
        observer.compiled,
        settings.trade_off,
        bound.get("measure", "sensitivity_specificity") if ours else None,
        float(bound.get("m", 2.0)),
    )


def _generations(
    population: FrontPopulation,
    run: Run,
    toolbox: Toolbox,
    settings: GASettings,
    deadline: float | None,
    observer: Observer,
) -> tuple[FrontPopulation, StopReason]:
    """Carry a population on until something stops the run."""
    front, stale = _objectives(population), 0
    try:
        for generation in range(1, settings.n_generations + 1):
            if observer.wants_stop:
                return population, "callback"
            if deadline is not None and time.monotonic() >= deadline:
                return population, "time"
            population = _next(population, run, toolbox, settings.population_size)
            observer.see(generation, population)
            front, before = _objectives(population), front
            stale = stale + 1 if front == before else 0
            if settings.patience is not None and stale >= settings.patience:
                return population, "patience"
    except KeyboardInterrupt:
        return population, "interrupt"
    return population, "generations"


def _next(population: FrontPopulation, run: Run, toolbox: Toolbox, n: int) -> FrontPopulation:
    """Return the survivors of a population and as many children."""
    children = _parents(toolbox, population, run, n + n % 2)
    steps.change(toolbox, children, run)
    children = children.rows(0, n)
    steps.evaluate(toolbox, children, run)
    pool = _fronts(Population.empty(run.conditions, 2 * n))
    pool.genome.assign(0, population.genome)
    pool.genome.assign(n, children.genome)
    pool.fitness[:] = np.concatenate([population.fitness, children.fitness])
    once, again = _distinct(pool)
    # NSGA-II looks at fitness alone; no selection of DEAP copies, so that the chosen can be told by identity
    members = (pool.without_genes if toolbox.survive.func is tools.selNSGA2 else pool.individuals)(once)
    position = {id(member): p for member, p in zip(members, once, strict=True)}
    chosen = toolbox.survive(members, min(n, len(members)))
    survivors = [position.get(id(member), -1) for member in chosen]
    if len(survivors) != min(n, len(members)) or min(survivors) < 0:
        raise ParameterError(
            f"The operator 'survive' must return {min(n, len(members))} of the individuals that it is given. "
            f"Got {len(chosen)}."
        )
    picks = np.array(survivors + again[: n - len(survivors)], dtype=np.int32)
    crowding = [getattr(member.fitness, "crowding_dist", np.nan) for member in chosen]
    following = _fronts(pool.take(picks))
    following.crowding[: len(crowding)] = crowding
    # copies stand in no one's way: they have no room of their own
    following.crowding[len(crowding) :] = 0.0
    following.crowd()
    return following


def _parents(toolbox: Toolbox, population: FrontPopulation, run: Run, n: int) -> Population:
    """Return copies of `n` parents."""
    if not toolbox.takes_population("select"):
        return steps.breed(toolbox, population, run, 0, n)
    ordered = Population(population.conditions, population.genome, population.crowded_order())
    return population.take(toolbox.select(ordered, run, n))


def _fronts(population: Population) -> FrontPopulation:
    """Return a population as one of two objectives."""
    nothing = np.full(len(population), np.nan)
    return FrontPopulation(population.conditions, population.genome, population.fitness, nothing)


def _distinct(population: Population) -> tuple[list[int], list[int]]:
    """Return the positions of rules that stand there for the first time, and those of copies."""
    active, condition, subset = population.genome
    content = np.where(active, condition, -2)
    words = subset
    if subset.shape[1] > 0:
        used = np.repeat(active, population.conditions.words_per_gene, axis=1)
        words = np.where(used, subset, np.uint64(0))
    seen: set[bytes] = set()
    once: list[int] = []
    again: list[int] = []
    for p in range(len(population)):
        key = content[p].tobytes() + words[p].tobytes()
        (again if key in seen else once).append(p)
        seen.add(key)
    return once, again


def _objectives(population: FrontPopulation) -> set[tuple[float, int]]:
    """Return the pairs of objectives of the first front."""
    first = population.ranks == 0
    return set(zip(population.fitness[first].tolist(), population.n_conditions[first].tolist(), strict=True))
