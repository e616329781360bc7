"""The compiled loop: many generations per call, in pieces, so that time and Ctrl-C are heeded."""

from __future__ import annotations

import time

import numpy as np
import numpy.typing as npt

from evorules.evolution.arrays import Genome, Plan
from evorules.evolution.fitness import is_compiled, kernel_measure
from evorules.evolution.lazy_kernels import kernels
from evorules.evolution.operators import SHIPPED, Run, check_tournament
from evorules.evolution.population import Population
from evorules.evolution.result import StopReason
from evorules.evolution.settings import GASettings
from evorules.evolution.toolbox import Toolbox

__all__ = ["advance", "can_compile", "make_plan"]

PIECE_SECONDS = 0.1


def can_compile(toolbox: Toolbox) -> bool:
    """Whether every alias holds our own operator, and the kernels know the fitness measure."""
    return toolbox.is_shipped() and is_compiled(toolbox.keywords("evaluate")["measure"])


def make_plan(toolbox: Toolbox, run: Run, settings: GASettings) -> Plan:
    """Collect the numbers that the operators of a toolbox are bound to; all must be ours."""
    bound = {alias: toolbox.keywords(alias) for alias in SHIPPED}
    check_tournament(bound["select"]["size"], settings.population_size)
    measure, m = kernel_measure(**bound["evaluate"], n_classes=run.conditions.schema.n_classes)
    return Plan(
        population_size=settings.population_size,
        n_elite=settings.n_elite,
        tournament_size=int(bound["select"]["size"]),
        crossover_rate=float(bound["mate"]["rate"]),
        mutation_rate=float(bound["mutate"]["rate"]),
        min_conditions=int(bound["prune"]["min_conditions"]),
        whole=bound["prune"]["scope"] == "all",
        target=run.target,
        measure=measure,
        m=m,
        patience=settings.patience or 0,
    )


def advance(
    population: Population, run: Run, plan: Plan, n_generations: int, deadline: float | None
) -> tuple[Population, list[npt.NDArray[np.float64]], StopReason]:
    """Carry an evaluated population on by some generations.

    Returns
    -------
    population : Population
        The last generation.
    records : list of ndarray of shape (n, 4), float64
        Mean, standard deviation, least and greatest fitness of every generation, in pieces.
    stop_reason : {"generations", "time", "patience", "interrupt"}
        Why it is the last.
    """
    n, conditions = len(population), run.conditions
    size = plan.n_elite + (n - plan.n_elite + 1) // 2 * 2
    old, new = (Genome.empty(size, conditions.n_genes, conditions.n_words) for _ in range(2))
    old.assign(0, population.genome)
    fitness = np.zeros((2, size))
    fitness[0, :n] = population.fitness
    progress = np.array([population.fitness.max(), 0.0])
    picks = np.empty(size, dtype=np.int32)
    pieces: list[npt.NDArray[np.float64]] = []
    done, piece = 0, 64 if deadline is None else 8
    reason: StopReason = "generations"
    while done < n_generations:
        if deadline is not None and time.monotonic() >= deadline:
            reason = "time"
            break
        records = np.full((min(piece, n_generations - done), 4), np.nan)
        began = time.monotonic()
        try:
            kernels().generations(
                tuple(old),
                tuple(new),
                fitness,
                conditions.genes,
                tuple(conditions.coverage),
                run.remaining.bits,
                run.remaining.values,
                run.remaining.n_values,
                run.remaining.totals,
                conditions.factor,
                tuple(run.worth),
                plan,
                progress,
                picks,
                records,
                run.state,
            )
        except KeyboardInterrupt:
            reason = "interrupt"
        finished = int(np.count_nonzero(~np.isnan(records[:, 0])))
        pieces.append(records[:finished])
        done += finished
        if finished % 2 == 1:
            old, new = new, old
            fitness = fitness[::-1].copy()
        if reason == "interrupt":
            break
        if finished < len(records) or (plan.patience > 0 and progress[1] >= plan.patience):
            reason = "patience"
            break
        seconds = max(time.monotonic() - began, 1e-6)
        piece = int(min(max(finished * PIECE_SECONDS / seconds, 1), 100_000))
    return Population(conditions, old.rows(0, n), fitness[0, :n]), pieces, reason
