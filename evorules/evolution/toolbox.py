"""A DEAP toolbox that holds the operators of the genetic algorithm by alias."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from deap import base, tools

from evorules.evolution.individual import Individual
from evorules.evolution.operators import (
    SHIPPED,
    SHIPPED_DEFAULTS,
    Run,
    evaluation,
    initialisation,
    mutation,
    one_point_crossover,
    rule_pruning,
    tournament,
    tournament_winners,
)
from evorules.evolution.population import Population
from evorules.evolution.settings import GASettings

__all__ = ["Toolbox"]


class Toolbox(base.Toolbox):
    """The operators by alias: `init`, `select`, `mate`, `mutate`, `prune`, `evaluate`, and `survive`.

    A fresh toolbox holds the operators of `evorules.evolution.operators`, which work on whole populations.
    Any ordinary DEAP operator may be registered instead: `select(individuals, k)`, `mate(a, b)`,
    `mutate(individual)`, `prune(individual)`, `evaluate(individual)`, or `init()` that returns one
    individual. Individuals are lists of `Gene`; those given to an own evaluation carry `counts`,
    `class_totals` and `consequent`. Own `mate` is called for a pair with the probability `crossover_rate` of
    the settings, as DEAP's `varAnd` does; own `mutate` and `prune` are called for every child. `survive` is
    for runs with two objectives only (`evolve_front`): DEAP's `tools.selNSGA2`, or another of the kind.

    While such operators run, the global generators of `random` and NumPy are seeded from the run's stream,
    and put back afterwards.

    Parameters
    ----------
    settings : GASettings, optional
        Bound to the operators.

    Examples
    --------
    >>> from deap import tools
    >>> toolbox = Toolbox(GASettings(mutation_rate=0.05))
    >>> toolbox.mutate.keywords
    {'rate': 0.05}
    >>> toolbox.register("mate", tools.cxUniform, indpb=0.5)
    """

    def __init__(self, settings: GASettings | None = None) -> None:
        super().__init__()
        chosen = GASettings() if settings is None else settings
        self.settings = chosen
        self.run: Run | None = None
        self.mate_rate = chosen.crossover_rate
        self.register("init", initialisation, seeded=chosen.init == "seeded")
        self.register("select", tournament, size=chosen.tournament_size)
        self.register("mate", one_point_crossover, rate=chosen.crossover_rate)
        self.register("mutate", mutation, rate=chosen.mutation_rate)
        self.register("prune", rule_pruning, min_conditions=chosen.min_conditions, scope=chosen.scope)
        self.register("evaluate", evaluation, measure=chosen.measure, m=chosen.m)
        self.register("survive", tools.selNSGA2, nd="log")

    def decorate(self, alias: str, *decorators: Callable[..., Any]) -> None:
        """Wrap an operator, as DEAP does; one of ours is first turned into its form on individuals.

        A decorator sees individuals, and so it may read and change them as with any DEAP operator.
        """
        bound = getattr(self, alias)
        shipped = SHIPPED.get(alias)
        if shipped is not None and bound.func is shipped:
            keywords = dict(bound.keywords)
            if alias == "mate":
                # the loop decides which pairs are crossed, as for any operator on individuals
                self.mate_rate = keywords.get("rate", self.mate_rate)
                keywords["rate"] = 1.0
            self.register(alias, self._on_individuals(alias), **keywords)
        super().decorate(alias, *decorators)

    def is_shipped(self, *aliases: str) -> bool:
        """Whether some aliases, or all, still hold our operators with keyword arguments only."""
        for alias in aliases or SHIPPED:
            bound = getattr(self, alias)
            if bound.func is not SHIPPED[alias] or bound.args:
                return False
        return True

    def keywords(self, alias: str) -> dict[str, Any]:
        """Return the keyword arguments with which our operator behind an alias is called."""
        return {**SHIPPED_DEFAULTS[alias], **getattr(self, alias).keywords}

    @property
    def draws_globally(self) -> bool:
        """Whether an operator may draw from the global generators: all but ours and `tools.selNSGA2` may."""
        return self.survive.func is not tools.selNSGA2 or not all(map(self.takes_population, SHIPPED))

    def takes_population(self, alias: str) -> bool:
        """Whether the operator behind an alias works on whole populations."""
        return bool(getattr(getattr(self, alias), "population_level", False))

    def _on_individuals(self, alias: str) -> Callable[..., Any]:
        """Return the form on individuals of the shipped operator behind an alias."""
        operator: Callable[..., Any] = SHIPPED[alias]

        def current() -> Run:
            if self.run is None:
                raise RuntimeError(f"The operator {alias!r} works on the rows of a run, and no run is on.")
            return self.run

        def init(**bound: Any) -> Individual:
            made: Population = operator(current(), 1, **bound)
            return made[0]

        def select(individuals: Sequence[Individual], k: int, size: int = 2) -> list[Individual]:
            fitness = np.array([individual.fitness.values[0] for individual in individuals])
            return [individuals[i] for i in tournament_winners(fitness, current(), k, size).tolist()]

        def change(*individuals: Individual, **bound: Any) -> tuple[Individual, ...]:
            population = Population.of(current().conditions, individuals)
            operator(population, current(), **bound)
            for individual, changed in zip(individuals, population.individuals(), strict=True):
                individual[:] = changed
            return individuals

        def evaluate(individual: Individual, **bound: Any) -> tuple[float]:
            population = Population.of(current().conditions, [individual])
            operator(population, current(), **bound)
            return (float(population.fitness[0]),)

        forms: dict[str, Callable[..., Any]] = {"init": init, "select": select, "evaluate": evaluate}
        return forms.get(alias, change)
