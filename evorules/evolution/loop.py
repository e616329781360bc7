"""The loop of the genetic algorithm on the operators of a toolbox."""

from __future__ import annotations

import operator
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
from deap import tools

from evorules.evolution import steps
from evorules.evolution.arrays import Worth
from evorules.evolution.compiled import advance, can_compile, make_plan
from evorules.evolution.conditions import Remaining
from evorules.evolution.lazy_kernels import kernels
from evorules.evolution.operators import Run
from evorules.evolution.population import Population
from evorules.evolution.result import Evolution, StopReason
from evorules.evolution.settings import GASettings
from evorules.evolution.toolbox import Toolbox
from trees.errors import DataError

__all__ = ["Callback", "Observer", "evolve", "first_population", "start"]

Callback = Callable[[int, Population], Any]


def evolve(
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
    stepwise: bool = False,
) -> Evolution:
    """Evolve one rule.

    Parameters
    ----------
    remaining : Remaining
        The rows, from `ConditionTable.remaining`; there must be at least one gene.
    worth : Worth
        What rule pruning goes by, from `evorules.evolution.heuristics`.
    state : ndarray of shape (4,), uint64
        Random stream, from `trees.seeding.stream_state`; it is advanced.
    consequent : int, optional
        Class code that all rules predict; by default each predicts the majority class of the rows it covers.
    toolbox : Toolbox, optional
        Operators; by default ours, bound to `settings`.
    settings : GASettings, optional
        Numbers and choices; by default those of the toolbox.
    statistics : deap.tools.Statistics, optional
        Compiled every generation into the logbook.
    hall_of_fame : deap.tools.HallOfFame, optional
        Updated every generation.
    callback : callable, optional
        Called as ``callback(generation, population)`` after every evaluation; True ends the run.
    deadline : float, optional
        Value of `time.monotonic` after which no generation begins; `settings.time_budget` bounds it too.
    stepwise : bool
        Do without the compiled loop.

    Returns
    -------
    Evolution
        With the best individual of the last population as a rule.

    Raises
    ------
    DataError
        If there is no gene, or no row of class `consequent`.

    Notes
    -----
    The compiled loop runs if every alias of the toolbox holds our own operator, the kernels know the fitness
    measure (`evorules.evolution.fitness.COMPILED`) and nobody observes the generations. Both loops give the
    same populations, bit for bit, and leave `state` alike. Ctrl-C ends a run like a time budget that is used
    up.
    """
    if toolbox is None:
        toolbox = Toolbox(settings)
    settings = settings or toolbox.settings
    run, deadline = start(remaining, worth, state, consequent, settings, deadline)
    observer = Observer(statistics, hall_of_fame, callback)
    evaluated = (settings.population_size, settings.population_size - settings.n_elite)
    with steps.own_generators(toolbox, run):
        population = first_population(toolbox, run, settings)
        observer.see(0, population)
        if can_compile(toolbox) and not observer.is_busy and not stepwise:
            plan = make_plan(toolbox, run, settings)
            population, records, reason = advance(population, run, plan, settings.n_generations, deadline)
            return Evolution(run, population, np.concatenate([observer.records, *records]), evaluated, reason)
        population, reason = _generations(population, run, toolbox, settings, deadline, observer)
    return Evolution(run, population, np.stack(observer.records), evaluated, reason, observer.compiled)


def start(
    remaining: Remaining,
    worth: Worth,
    state: npt.NDArray[np.uint64],
    consequent: int | None,
    settings: GASettings,
    deadline: float | None,
) -> tuple[Run, float | None]:
    """Return what the operators of a run share, and when the run has to end; arguments as in `evolve`."""
    if remaining.conditions.n_genes == 0:
        raise DataError("A genetic algorithm needs an attribute with at least two values. Leave the run out.")
    target = -1 if consequent is None else remaining.conditions.class_position(consequent)
    if settings.time_budget is not None:
        end = time.monotonic() + settings.time_budget
        deadline = end if deadline is None else min(deadline, end)
    return Run(remaining, worth, state, target), deadline


def first_population(toolbox: Toolbox, run: Run, settings: GASettings) -> Population:
    """Return the first population: every rule is pruned right after it is formed."""
    population = steps.initialise(toolbox, run, settings.population_size)
    steps.prune(toolbox, population, run)
    steps.evaluate(toolbox, population, run)
    return population


def _next(population: Population, run: Run, toolbox: Toolbox, settings: GASettings) -> Population:
    """Return the next generation: the elite unaltered, then children that are crossed, mutated and pruned."""
    n, n_elite = len(population), settings.n_elite
    n_children = n - n_elite
    following = steps.breed(toolbox, population, run, n_elite, n_children + n_children % 2)
    steps.change(toolbox, following, run, n_elite)
    following = following.rows(0, n)
    # of ours it is quicker to evaluate the elite once more than to set it apart
    known = 0 if toolbox.is_shipped("evaluate") else n_elite
    steps.evaluate(toolbox, following.rows(known, n) if known else following, run)
    return following


def _generations(
    population: Population,
    run: Run,
    toolbox: Toolbox,
    settings: GASettings,
    deadline: float | None,
    observer: Observer,
) -> tuple[Population, StopReason]:
    """Carry a population on, step by step, until something stops the run."""
    best, stale = float(population.fitness.max()), 0
    try:
        for generation in range(1, settings.n_generations + 1):
            if observer.wants_stop:
                return population, "callback"
            if deadline is not None and time.monotonic() >= deadline:
                return population, "time"
            population = _next(population, run, toolbox, settings)
            highest = observer.see(generation, population)
            best, stale = (highest, 0) if highest > best else (best, stale + 1)
            if settings.patience is not None and stale >= settings.patience:
                return population, "patience"
    except KeyboardInterrupt:
        return population, "interrupt"
    return population, "generations"


class Observer:
    """Keeps the records of a run, and calls what DEAP's users hang on to a loop."""

    def __init__(
        self,
        statistics: tools.Statistics | None,
        hall_of_fame: tools.HallOfFame | None,
        callback: Callback | None,
    ) -> None:
        self.statistics = statistics
        self.hall_of_fame = hall_of_fame
        self.callback = callback
        self.records: list[npt.NDArray[np.float64]] = []
        self.compiled: list[dict[str, Any]] | None = None if statistics is None else []
        self.wants_stop = False

    @property
    def is_busy(self) -> bool:
        """Whether anybody looks at the generations."""
        return not (self.statistics is None and self.hall_of_fame is None and self.callback is None)

    def see(self, generation: int, population: Population) -> float:
        """Record a generation; return its greatest fitness."""
        record = np.empty(4)
        kernels().summary(population.fitness, record)
        self.records.append(record)
        highest = float(record[3])
        if self.statistics is not None and self.compiled is not None:
            self.compiled.append(self.statistics.compile(population))
        if self.hall_of_fame is not None:
            self._honour(population, highest, self.hall_of_fame)
        if self.callback is not None:
            answer = self.callback(generation, population)
            self.wants_stop = isinstance(answer, bool | np.bool_) and bool(answer)
        return highest

    @staticmethod
    def _honour(population: Population, highest: float, hall_of_fame: tools.HallOfFame) -> None:
        """Update a hall of fame, with no more individuals than can matter to it."""
        if population.n_objectives > 1:
            hall_of_fame.update(population)
            return
        size = hall_of_fame.maxsize
        least = hall_of_fame[-1].fitness.wvalues[0] if len(hall_of_fame) == size else -np.inf
        if highest <= least:
            return
        if size == 1 and hall_of_fame.similar is operator.eq:
            better = np.array([population.fitness.argmax()])
        else:
            better = np.flatnonzero(population.fitness > least)
        hall_of_fame.update(population.individuals(better.tolist()))
