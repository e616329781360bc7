"""One run of the genetic algorithm: a plain DEAP program against the loops of this package.

The plain program is what one writes with DEAP at first: individuals are lists, cloned with deepcopy, every
operator works on one individual, a rule is evaluated with NumPy masks. It is spared the worst: information
gains are cached. Same operators, 200 individuals, 50 generations, pruning of every individual, sensitivity
times specificity.

Run ``python benchmarks/ga_run.py``. Times are CPU seconds of this process, medians; only their ratios mean
much.
"""

from __future__ import annotations

import argparse
import copy
import random
import statistics
import time

import numpy as np
import pandas as pd
from deap import base, tools

from evorules.evolution import ConditionTable, GASettings, Toolbox, evolve, evolve_front, gain_worth
from trees.seeding import stream_state
from trees.table import Table

SHAPES = ((15, 14), (500, 14), (5000, 42))


def make_table(n_rows, n_attributes, seed=0):
    """Half the attributes numeric with up to 100 values, half nominal with 3; a rule on two, 10 % noise."""
    rng = np.random.default_rng(seed)
    columns = {}
    for a in range(n_attributes):
        numeric = a % 2 == 0
        columns[f"a{a}"] = rng.integers(0, 100, n_rows) / 4 if numeric else rng.choice(list("uvw"), n_rows)
    planted = (columns["a0"] > 12) & (columns["a1"] == "u")
    y = np.where(rng.random(n_rows) < 0.1, rng.random(n_rows) < 0.5, planted)
    return Table.from_frame(pd.DataFrame(columns), y.astype(str))


class Fitness(base.Fitness):
    weights = (1.0,)


class Plain(list):
    """A list of [active, condition]."""

    def __init__(self, genes):
        super().__init__(genes)
        self.fitness = Fitness()


class PlainDEAP:
    """The genetic algorithm on lists."""

    def __init__(self, table, chosen):
        self.X, self.y, self.chosen = table.X, table.classes, chosen
        self.nominal = table.schema.is_nominal
        self.totals = np.bincount(self.y, minlength=table.n_classes)
        self.domains = [sorted(set(column)) for column in self.X.T.tolist()]
        self.gains = {}

    def mask(self, attribute, condition):
        column = self.X[:, attribute]
        if condition[0] == "in":
            return np.isin(column, condition[1])
        return column <= condition[1] if condition[0] == "<=" else column > condition[1]

    def gain(self, attribute, condition):
        key = (attribute, condition)
        if key not in self.gains:
            inside = np.bincount(self.y[self.mask(attribute, condition)], minlength=len(self.totals))
            whole = self.entropy(self.totals)
            parts = sum(part.sum() * self.entropy(part) for part in (inside, self.totals - inside))
            self.gains[key] = (whole - parts / len(self.y)) / whole if whole > 0 else 0.0
        return self.gains[key]

    @staticmethod
    def entropy(counts):
        shares = counts[counts > 0] / max(1, counts.sum())
        return -(shares * np.log2(shares)).sum()

    def draw(self, attribute, value=None):
        if self.nominal[attribute]:
            domain = self.domains[attribute]
            while True:
                subset = {v for v in domain if random.random() < 0.5} | (
                    {value} if value is not None else set()
                )
                if 0 < len(subset) < len(domain):
                    return ("in", tuple(sorted(subset)))
        column = self.X[:, attribute]
        relation = random.choice(("<=", ">"))
        side = column >= value if relation == "<=" else column < value
        if value is not None and not side.any():
            relation, side = "<=", column >= value
        pool = column if value is None else column[side]
        return (relation, float(pool[random.randrange(len(pool))]))

    def individual(self):
        row = self.X[random.randrange(len(self.y))].tolist()
        return Plain([[True, self.draw(a, value)] for a, value in enumerate(row)])

    def mutate(self, individual):
        for a, gene in enumerate(individual):
            if random.random() < self.chosen.mutation_rate:
                choice = random.randrange(2 if self.nominal[a] else 3)
                if choice == 0:
                    gene[0] = not gene[0]
                elif choice == 1:
                    gene[1] = (gene[1][0], self.draw(a, self.X[random.randrange(len(self.y)), a])[1])
                else:
                    gene[1] = (">" if gene[1][0] == "<=" else "<=", gene[1][1])
        return (individual,)

    def prune(self, individual):
        active = [a for a, gene in enumerate(individual) if gene[0]]
        worth = {a: self.gain(a, individual[a][1]) for a in active}
        left = len(active)
        for a in sorted(active, key=lambda a: (worth[a], random.random())):
            if left <= self.chosen.min_conditions:
                break
            if random.random() >= worth[a]:
                individual[a][0] = False
                left -= 1
        return (individual,)

    def evaluate(self, individual):
        covered = np.ones(len(self.y), dtype=bool)
        for a, (active, condition) in enumerate(individual):
            if active:
                covered &= self.mask(a, condition)
        counts = np.bincount(self.y[covered], minlength=len(self.totals))
        if counts.sum() == 0 or not any(active for active, _ in individual):
            return (0.0,)
        c = int(np.lexsort((self.totals, counts))[-1])
        others = len(self.y) - self.totals[c]
        wrong = counts.sum() - counts[c]
        return (float(counts[c] / self.totals[c] * ((others - wrong) / others if others else 1.0)),)

    def evolve(self, seed):
        random.seed(seed)
        n = self.chosen.population_size
        population = [self.prune(self.individual())[0] for _ in range(n)]
        for individual in population:
            individual.fitness.values = self.evaluate(individual)
        for _ in range(self.chosen.n_generations):
            elite = copy.deepcopy(tools.selBest(population, 1))
            children = [copy.deepcopy(i) for i in tools.selTournament(population, n, tournsize=2)]
            for a, b in zip(children[::2], children[1::2], strict=True):
                if random.random() < self.chosen.crossover_rate:
                    tools.cxOnePoint(a, b)
            for child in children:
                self.mutate(child)
                self.prune(child)
                child.fitness.values = self.evaluate(child)
            population = elite + children[: n - 1]
        return tools.selBest(population, 1)[0].fitness.values[0]


def cpu(function, repeats):
    """CPU seconds of each of some calls."""
    seconds = []
    for _ in range(repeats):
        began = time.process_time()
        function()
        seconds.append(time.process_time() - began)
    return seconds


def measure(n_rows, n_attributes, repeats, plain_repeats):
    """CPU seconds of all engines on one table; medians."""
    table = make_table(n_rows, n_attributes)
    table.codes  # noqa: B018
    conditions = ConditionTable.build(table)
    remaining = conditions.remaining()
    worth = gain_worth(remaining)
    own = Toolbox()
    own.register("mate", tools.cxUniform, indpb=0.5)

    def run(**more):
        return evolve(remaining, worth, stream_state(1, "benchmark"), **more)

    engines = {
        "build the conditions": lambda: gain_worth(ConditionTable.build(table).remaining()),
        "compiled loop": run,
        "stepwise, all observers": lambda: run(stepwise=True, hall_of_fame=tools.HallOfFame(1)).logbook,
        "with tools.cxUniform": lambda: run(toolbox=own),
        "NSGA-II": lambda: evolve_front(remaining, worth, stream_state(1, "benchmark")),
    }
    slow = ("with tools.cxUniform", "NSGA-II")
    for engine in engines.values():
        engine()
    seconds = {name: [] for name in engines}
    # alternating, so that a busy machine slows all of them
    for _ in range(repeats):
        for name, engine in engines.items():
            seconds[name] += cpu(engine, 1 if name in slow else 5)
    plain = PlainDEAP(table, GASettings())
    seconds = {"plain DEAP": cpu(lambda: plain.evolve(1), plain_repeats), **seconds}
    return (
        {name: statistics.median(values) for name, values in seconds.items()},
        plain.evolve(2),
        run().fitness,
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repeats", type=int, default=5, help="of our engines (times 5 runs)")
    parser.add_argument("--plain-repeats", type=int, default=1, help="of the plain DEAP program")
    arguments = parser.parse_args()
    for n_rows, n_attributes in SHAPES:
        median, plain_fitness, fitness = measure(
            n_rows, n_attributes, arguments.repeats, arguments.plain_repeats
        )
        plain, compiled = median["plain DEAP"], median["compiled loop"]
        print(f"\n{n_rows} rows x {n_attributes} attributes; fitness {plain_fitness:.3f}, ours {fitness:.3f}")
        for name, seconds in median.items():
            print(f"  {name:26s}{1000 * seconds:10.2f} ms{plain / seconds:10.0f} x as fast as plain DEAP")
        stepwise, own = median["stepwise, all observers"], median["with tools.cxUniform"]
        print(f"  plain / compiled:       {plain / compiled:6.0f}  (bar 300, goal 1000)")
        print(f"  stepwise / compiled:    {stepwise / compiled:6.2f}  (bar 2, goal 1.5)")
        print(f"  plain / with cxUniform: {plain / own:6.1f}  (bar 3)")


if __name__ == "__main__":
    main()
