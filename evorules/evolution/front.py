"""Rules of which none is both fitter and shorter than another, and which of them to take."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import ClassVar, Literal

import numpy as np
import numpy.typing as npt
from deap.tools import emo

from evorules.evolution.fitness import INFINITE, count_covered
from evorules.evolution.individual import FrontFitness, Individual
from evorules.evolution.population import Population
from evorules.evolution.result import Evolution
from trees.counts import Counts
from trees.measures import MEASURES, m_estimate
from trees.rule import Rule

__all__ = ["Front", "FrontPopulation", "TradeOff", "front_ranks", "jackknife_error", "knee"]

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
TradeOff = Literal["one_se", "knee"]


@dataclass(eq=False)
class FrontPopulation(Population):
    """A population whose individuals have two objectives: their fitness, and few conditions.

    Parameters
    ----------
    crowding : ndarray of shape (n_individuals,), float64
        NSGA-II's crowding distance; NaN where it has not been computed.
    """

    crowding: Floats = field(default_factory=lambda: np.empty(0))
    n_objectives: ClassVar[int] = 2

    @property
    def n_conditions(self) -> Ints:
        """Active genes of every individual; ndarray of shape (n_individuals,)."""
        return self.genome.active.sum(axis=1, dtype=np.int64)

    @cached_property
    def ranks(self) -> Ints:
        """Number of the front of every individual, from 0; ndarray of shape (n_individuals,)."""
        return front_ranks(self.fitness, self.n_conditions)

    def individuals(self, picks: Iterable[int] | None = None) -> list[Individual]:
        """Return individuals as lists of genes, with two fitness values and the crowding distance."""
        rows = list(range(len(self)) if picks is None else picks)
        members = super().individuals(rows)
        for member, bare in zip(members, self.without_genes(rows), strict=True):
            member.fitness = bare.fitness
        return members

    def without_genes(self, picks: list[int]) -> list[Individual]:
        """Return the individuals at some positions with their fitness alone, which is faster made."""
        rows = np.array(picks, dtype=np.int64)
        values = np.stack([self.fitness[rows], self.n_conditions[rows]], axis=1).tolist()
        members = []
        for pair, distance in zip(values, self.crowding[rows].tolist(), strict=True):
            member = Individual()
            member.fitness = FrontFitness(pair if pair[0] == pair[0] else ())
            if distance == distance:
                member.fitness.crowding_dist = distance
            members.append(member)
        return members

    def crowd(self) -> None:
        """Compute the crowding distances that are missing, front by front."""
        missing = np.isnan(self.crowding)
        for rank in np.unique(self.ranks[missing]).tolist():
            rows = np.flatnonzero(self.ranks == rank)
            members = self.without_genes(rows.tolist())
            emo.assignCrowdingDist(members)
            self.crowding[rows] = [member.fitness.crowding_dist for member in members]

    def crowded_order(self) -> Floats:
        """Return a number per individual, greater for a lower front and, within it, for more room."""
        keys = np.stack([self.ranks, -self.crowding], axis=1)
        _, place = np.unique(keys, axis=0, return_inverse=True)
        return -place.reshape(-1).astype(np.float64)


def front_ranks(fitness: Floats, n_conditions: Ints) -> Ints:
    """Sort individuals into fronts; those of front 0 are dominated by none.

    An individual is dominated by one that is at least as fit and as short, and better in one of the two.

    Returns
    -------
    ndarray of shape (n_individuals,), int64
    """
    ranks = np.empty(len(fitness), dtype=np.int64)
    shortest: list[int] = []
    before = (np.nan, -1)
    # by falling fitness, then length: a front dominates the next one if its shortest so far is no longer
    for p in np.lexsort((n_conditions, -fitness)).tolist():
        length, current = int(n_conditions[p]), (float(fitness[p]), int(n_conditions[p]))
        if current != before:
            rank = bisect_right(shortest, length)
            shortest[rank : rank + 1] = [length]
        ranks[p] = rank
        before = current
    return ranks


@dataclass(frozen=True, eq=False)
class Front(Evolution):
    """What a run with two objectives ends with: the rules that no other rule dominates.

    It is an `Evolution` whose `best`, and with it `fitness`, `genome` and `rule`, is the rule of the front
    that `trade_off` names.

    Parameters
    ----------
    trade_off : {"one_se", "knee"}
        "one_se": the shortest rule whose fitness is at most one standard error below the greatest. "knee":
        the rule farthest above the straight line from the shortest to the fittest, both objectives scaled to
        [0, 1]; without one above the line the fittest.
    measure : str or None
        Name of the fitness measure, of which the standard error is taken; of an evaluation of the user's
        none is known, and it counts as 0.
    m : float
        Of the m-estimate.
    """

    trade_off: TradeOff = "one_se"
    measure: str | None = None
    m: float = 2.0

    @cached_property
    def positions(self) -> list[int]:
        """Positions of the front in the population, the shortest rule first, one per pair of objectives.

        Rules without conditions are left out; if there is no other, the fittest individual stands alone.
        """
        population = self.population
        lengths = population.genome.active.sum(axis=1, dtype=np.int64)
        ranks = front_ranks(population.fitness, lengths)
        found: dict[int, int] = {}
        for p in np.flatnonzero((ranks == 0) & (lengths > 0)).tolist():
            found.setdefault(int(lengths[p]), p)
        return [found[length] for length in sorted(found)] or [int(population.best()[0])]

    @property
    def rules(self) -> tuple[Rule, ...]:
        """The front as rules, the shortest first."""
        return tuple(self.rule_at(p) for p in self.positions)

    @property
    def individuals(self) -> list[Individual]:
        """The front as DEAP individuals with two fitness values: fitness, and number of conditions."""
        return self.population.individuals(self.positions)

    @cached_property
    def standard_error(self) -> float:
        """Jackknife estimate of the standard error of the greatest fitness of the front."""
        fittest = self.positions[-1]
        if self.measure is None:
            return 0.0
        genome = self.population.genome.rows(fittest, fittest + 1)
        counts, _ = count_covered(self.run.remaining, genome, self.run.target)
        factor = np.ones(len(counts.class_totals))
        factor[self.run.conditions.class_codes] = self.run.conditions.factor
        return jackknife_error(self.measure, counts, factor, self.m)

    @cached_property
    def best(self) -> int:
        """Position of the rule that the trade-off names."""
        fitness = self.population.fitness[self.positions]
        if self.trade_off == "knee":
            lengths = self.population.genome.active[self.positions].sum(axis=1)
            return self.positions[knee(fitness, lengths)]
        enough = fitness >= fitness.max() - self.standard_error
        return self.positions[int(np.argmax(enough))]


def knee(fitness: Floats, lengths: npt.NDArray[np.integer]) -> int:
    """Return the place of the knee in a front, both arrays of shape (n_rules,) and ascending."""
    if len(fitness) < 3:
        return len(fitness) - 1
    height = (fitness - fitness[0]) / (fitness[-1] - fitness[0])
    along = (lengths - lengths[0]) / (lengths[-1] - lengths[0])
    above = height - along
    return int(np.argmax(above)) if above.max() > 1e-12 else len(fitness) - 1


def jackknife_error(measure: str, counts: Counts, factor: Floats, m: float = 2.0) -> float:
    """Return the jackknife estimate of the standard error of a rule's fitness.

    Rows of one class that are covered, or are not, are alike: the measure is taken once per such group, with
    one row less in it (of a group lighter than 1, all of it).

    Parameters
    ----------
    measure : str
        A name in `trees.measures.MEASURES`.
    counts : Counts
        Of one rule.
    factor : ndarray of shape (n_classes,), float64
        By which every class's rows are multiplied in the fitness.
    m : float
        Of the m-estimate.
    """
    totals = np.asarray(counts.class_totals, dtype=np.float64)
    covered = np.asarray(counts.class_counts[0], dtype=np.float64)
    values, sizes = [], []
    for inside in (True, False):
        groups = covered if inside else totals - covered
        for c in np.flatnonzero(groups > 1e-9).tolist():
            less = np.zeros(len(totals))
            less[c] = min(1.0, groups[c])
            left = Counts(
                (totals - less) * factor, ((covered - inside * less) * factor)[None], counts.consequent
            )
            if left.covered[0] <= 0:
                value = 0.0
            elif measure == "m_estimate" and MEASURES[measure] is m_estimate:
                value = float(m_estimate(left, m)[0])
            else:
                value = min(float(MEASURES[measure](left)[0]), INFINITE)
            values.append(value)
            sizes.append(groups[c])
    n, weight, value_of = float(sum(sizes)), np.array(sizes), np.array(values)
    if n <= 1:
        return 0.0
    deviation = value_of - (weight * value_of).sum() / n
    return float(np.sqrt((n - 1) / n * (weight * deviation**2).sum()))
