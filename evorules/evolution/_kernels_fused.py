# mypy: allow-untyped-defs, no-check-untyped-defs
"""Several steps in one call, and many generations in one, made of the same kernels as the single steps."""

from evorules.evolution._kernels_evaluation import evaluate
from evorules.evolution._kernels_genes import mutate
from evorules.evolution._kernels_operators import best, copy_individuals, cross, prune, summary, tournaments
from trees.jit import kernel

__all__ = ["breed", "change", "generations"]


@kernel
def _rows(genome, begin, end):
    """Return views of the individuals from `begin` up to `end`."""
    active, condition, subset = genome
    return active[begin:end], condition[begin:end], subset[begin:end]


@kernel
def breed(genome, fitness, n_elite, tournament_size, state, picks, target, new_fitness):
    """Copy the best `n_elite` individuals and then winners of tournaments to `target` (written).

    `fitness` float64 is that of `genome`, `new_fitness` (written) that of the copies; `picks` int32 (written)
    holds their positions then.
    """
    best(fitness, genome[0], picks[:n_elite])
    tournaments(fitness, tournament_size, state, picks[n_elite:])
    copy_individuals(genome, picks, target)
    for i in range(len(picks)):
        new_fitness[i] = fitness[picks[i]]


@kernel
def change(
    genome, begin, genes, values, n_values, worth, crossover_rate, mutation_rate, min_conditions, whole, state
):
    """Cross, mutate and prune the individuals of `genome` (written) from `begin` on, and advance `state`."""
    children = _rows(genome, begin, len(genome[0]))
    cross(children, genes, crossover_rate, state)
    mutate(children, genes, values, n_values, mutation_rate, state)
    prune(children, genes, worth, min_conditions, whole, state)


@kernel
def generations(
    old,
    new,
    fitness,
    genes,
    coverage,
    alive,
    values,
    n_values,
    totals,
    factor,
    worth,
    plan,
    progress,
    picks,
    records,
    state,
):
    """Run generations until `records` (float64 (generations, 4), written) is full or progress stops.

    `old` and `new` are two genomes, `fitness` float64 (2, individuals) theirs; all are written, and the last
    generation is in `old` after an even number of generations. They have one row more than the
    population if the number of offspring would be odd; `picks` int32 is scratch, one entry per row.
    `progress` float64[2] (written) is the best fitness so far and for how many generations it has stood;
    `plan.patience` (0: unlimited) bounds the latter. Returns the number of generations.
    """
    n, elite = plan.population_size, plan.n_elite
    old_fitness, new_fitness = fitness[0], fitness[1]
    for done in range(len(records)):
        breed(_rows(old, 0, n), old_fitness[:n], elite, plan.tournament_size, state, picks, new, new_fitness)
        change(
            new,
            elite,
            genes,
            values,
            n_values,
            worth,
            plan.crossover_rate,
            plan.mutation_rate,
            plan.min_conditions,
            plan.whole,
            state,
        )
        evaluate(
            _rows(new, elite, n),
            genes,
            coverage,
            alive,
            totals,
            factor,
            plan.target,
            plan.measure,
            plan.m,
            new_fitness[elite:n],
        )
        old, new = new, old
        old_fitness, new_fitness = new_fitness, old_fitness
        summary(old_fitness[:n], records[done])
        if records[done, 3] > progress[0]:
            progress[0], progress[1] = records[done, 3], 0.0
        else:
            progress[1] += 1.0
        if plan.patience > 0 and progress[1] >= plan.patience:
            return done + 1
    return len(records)
