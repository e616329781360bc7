"""The genetic algorithm in plain loops over lists: no bitsets, no ids, no kernels.

It draws the same random words as the kernels and must give the same individuals. An individual is a list of
``[active, condition]``; a condition is ``("<=", rank)``, ``(">", rank)`` or a frozenset of value positions.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from reference.random_plain import Stream, splitmix64

Individual = list[list[Any]]


@dataclass
class Gene:
    attribute: int
    nominal: bool
    values: list[float]
    cells: list[int]
    """Position of every row's cell in `values`, -1 where missing."""


@dataclass
class Space:
    """The genes on some rows; rows of a class stand together, in class order."""

    rows: list[int]
    y: list[int]
    weight: list[float]
    genes: list[Gene]


def space(table, rows=None, attributes=None, domain_rows=None) -> Space:
    picked = sorted(range(table.n_rows) if rows is None else rows, key=lambda r: table.classes[r])
    genes = []
    for attribute in range(table.n_attributes) if attributes is None else attributes:
        nominal = table.schema.attributes[attribute].is_nominal
        column = [float(x) for x in table.X[:, attribute]]
        source = list(picked) + (list(domain_rows or []) if nominal else [])
        values = sorted({column[r] for r in source if column[r] == column[r]})
        if len(values) >= 2:
            cells = [values.index(column[r]) if column[r] == column[r] else -1 for r in picked]
            genes.append(Gene(attribute, nominal, values, cells))
    y = [int(table.classes[r]) for r in picked]
    return Space(picked, y, [float(table.weight[r]) for r in picked], genes)


def satisfied(condition: Any, cell: int) -> bool:
    if cell < 0:
        return False
    if isinstance(condition, frozenset):
        return cell in condition
    relation, rank = condition
    return cell <= rank if relation == "<=" else cell > rank


def covers(space: Space, individual: Individual, row: int) -> bool:
    return all(
        satisfied(condition, gene.cells[row])
        for gene, (active, condition) in zip(space.genes, individual, strict=True)
        if active
    )


def _below(word: int, bound: int) -> int:
    return (word * bound) >> 64


def _unit(word: int) -> float:
    return (word >> 11) / 2**53


def _draw_subset(n_values: int, forced: int, key: int) -> frozenset[int]:
    if n_values <= 62:
        word = splitmix64(key, 1)
        if forced < 0:
            code = 1 + _below(word, 2**n_values - 2)
            return frozenset(v for v in range(n_values) if code >> v & 1)
        others = [v for v in range(n_values) if v != forced]
        code = _below(word, 2 ** (n_values - 1) - 1)
        return frozenset(v for i, v in enumerate(others) if code >> i & 1) | {forced}
    words = [splitmix64(key, 1 + w) for w in range((n_values + 63) // 64)]
    subset = {v for v in range(n_values) if words[v // 64] >> (v % 64) & 1}
    if forced >= 0:
        subset.add(forced)
    if len(subset) in (0, n_values):
        subset ^= {1 if forced == 0 else 0}
    return frozenset(subset)


def _draw(space: Space, g: int, remaining: list[int], greater: bool, forced: int, key: int) -> Any:
    gene = space.genes[g]
    if gene.nominal:
        return _draw_subset(len(gene.values), forced, key)
    word = splitmix64(key, 1)
    ranks = sorted(gene.cells[r] for r in remaining if gene.cells[r] >= 0)
    if not ranks:
        return (">" if greater else "<=", _below(word, len(gene.values)))
    if forced >= 0:
        smaller = [rank for rank in ranks if rank < forced]
        greater = greater and bool(smaller)
        ranks = smaller if greater else [rank for rank in ranks if rank >= forced]
    return (">" if greater else "<=", ranks[_below(word, len(ranks))])


def initialise(space: Space, remaining: list[int], n: int, seeded: bool, stream: Stream) -> list[Individual]:
    population = []
    for _ in range(n):
        word = stream.next_word()
        seed = remaining[_below(splitmix64(word, len(space.genes)), len(remaining))]
        individual = []
        for g, gene in enumerate(space.genes):
            key = splitmix64(word, g)
            forced = gene.cells[seed] if seeded else -1
            active = not (seeded and forced < 0)
            greater = bool(splitmix64(key, 0) & 1)
            individual.append([active, _draw(space, g, remaining, greater, forced, key)])
        population.append(individual)
    return population


def tournaments(fitness: list[float], n: int, size: int, stream: Stream) -> list[int]:
    picks = []
    for _ in range(n):
        word = stream.next_word()
        waiting = list(range(len(fitness)))
        tied: list[int] = []
        winner = -1
        for k in range(size):
            met = waiting.pop(_below(splitmix64(word, k), len(waiting)))
            if winner < 0 or fitness[met] > fitness[winner]:
                winner, tied = met, [met]
            elif fitness[met] == fitness[winner]:
                tied.append(met)
                if _below(splitmix64(word, size + k), len(tied)) == 0:
                    winner = met
        picks.append(winner)
    return picks


def cross(population: list[Individual], rate: float, stream: Stream) -> None:
    for p in range(0, len(population) - 1, 2):
        key = stream.next_word()
        n_genes = len(population[p])
        if n_genes > 1 and _unit(key) < rate:
            cut = 1 + _below(splitmix64(key, 0), n_genes - 1)
            a, b = population[p], population[p + 1]
            population[p], population[p + 1] = a[:cut] + b[cut:], b[:cut] + a[cut:]


def mutate(
    space: Space, remaining: list[int], population: list[Individual], rate: float, stream: Stream
) -> None:
    for individual in population:
        word = stream.next_word()
        for g, gene in enumerate(space.genes):
            key = splitmix64(word, g)
            if _unit(key) >= rate:
                continue
            active, condition = individual[g]
            choice = _below(splitmix64(key, 0), 2 if gene.nominal else 3)
            if choice == 0:
                individual[g] = [not active, condition]
            elif choice == 1:
                greater = not gene.nominal and condition[0] == ">"
                individual[g] = [active, _draw(space, g, remaining, greater, -1, key)]
            else:
                individual[g] = [active, (">" if condition[0] == "<=" else "<=", condition[1])]


def prune(
    population: list[Individual],
    worth: Callable[[int, Any], float],
    norm: str,
    min_conditions: int,
    whole: bool,
    stream: Stream,
) -> None:
    for individual in population:
        key = stream.next_word()
        n_active = sum(active for active, _ in individual)
        if n_active <= min_conditions:
            continue
        values = [worth(g, condition) for g, (_, condition) in enumerate(individual)]
        if norm in ("sum", "max"):
            listed = [v for v, (active, _) in zip(values, individual, strict=True) if active]
            total = 0.0
            for value in listed:
                total += value
            divisor = total if norm == "sum" else max(listed)
            values = [v / divisor if divisor > 0 else 0.0 for v in values]
        listed_genes = [g for g, (active, _) in enumerate(individual) if whole or active]
        listed_genes.sort(key=lambda g: (values[g], splitmix64(key, g) & 0xFFFFFFFF))
        for g in listed_genes:
            if n_active <= min_conditions:
                break
            kept = (splitmix64(key, g) >> 32) / 2**32 < values[g]
            n_active += int(kept) - int(individual[g][0])
            individual[g] = [kept, individual[g][1]]


def class_counts(space: Space, remaining: list[int], individual: Individual) -> dict[int, float]:
    counts = dict.fromkeys(sorted(set(space.y)), 0.0)
    for row in remaining:
        if covers(space, individual, row):
            counts[space.y[row]] += space.weight[row]
    return counts


def consequent(counts: dict[int, float], totals: dict[int, float]) -> int:
    return max(counts, key=lambda c: (counts[c], totals[c], -c))


def fitness(
    space: Space, remaining: list[int], individual: Individual, target: int | None, measure: str, m: float
) -> float:
    if not any(active for active, _ in individual):
        return 0.0
    everything = [[False, condition] for _, condition in individual]
    totals = class_counts(space, remaining, everything)
    counts = class_counts(space, remaining, individual)
    covered, total = sum(counts.values()), sum(totals.values())
    if covered == 0:
        return 0.0
    c = consequent(counts, totals) if target is None else target
    tp, in_class = counts[c], totals[c]
    if measure == "m_estimate":
        return (tp + m * (in_class / total)) / (covered + m)
    sensitivity = tp / in_class if in_class > 0 else 0.0
    others = total - in_class
    return sensitivity * ((others - (covered - tp)) / others if others > 0 else 1.0)


def best(population: list[Individual], scores: list[float], n: int) -> list[int]:
    def key(p: int) -> tuple[float, int, int]:
        return (-scores[p], sum(active for active, _ in population[p]), p)

    return sorted(range(len(population)), key=key)[:n]


def evolve(
    space: Space,
    remaining: list[int],
    worth: Callable[[int, Any], float],
    stream: Stream,
    settings: Any,
    target: int | None = None,
) -> tuple[list[Individual], list[float]]:
    """The loop of the specification, section 4."""
    s = settings
    # accuracies by attribute are brought to [0, 1] before the run, gains rule by rule
    norm = s.norm_name if s.heuristic == "gain" else "none"

    def shorten(population: list[Individual]) -> None:
        prune(population, worth, norm, s.min_conditions, s.scope == "all", stream)

    def score(population: list[Individual]) -> list[float]:
        return [fitness(space, remaining, i, target, s.measure, s.m) for i in population]

    population = initialise(space, remaining, s.population_size, s.init == "seeded", stream)
    shorten(population)
    scores = score(population)
    for _ in range(s.n_generations):
        kept = best(population, scores, s.n_elite)
        n_children = s.population_size - s.n_elite
        picks = tournaments(scores, n_children + n_children % 2, s.tournament_size, stream)
        children = [[list(gene) for gene in population[p]] for p in picks]
        cross(children, s.crossover_rate, stream)
        mutate(space, remaining, children, s.mutation_rate, stream)
        shorten(children)
        children = children[:n_children]
        population = [population[p] for p in kept] + children
        scores = [scores[p] for p in kept] + score(children)
    return population, scores


def class_entropy(counts: list[float]) -> float:
    total = sum(counts)
    return -sum(n / total * math.log2(n / total) for n in counts if n > 0)


def information_gain(space: Space, remaining: list[int], gene: int, condition: Any) -> float:
    """Specification, section 6, term by term."""
    classes = sorted(set(space.y))

    def counts(rows: list[int]) -> list[float]:
        return [sum(space.weight[r] for r in rows if space.y[r] == c) for c in classes]

    inside = [r for r in remaining if satisfied(condition, space.genes[gene].cells[r])]
    outside = [r for r in remaining if r not in inside]
    total = sum(counts(remaining))
    gain = class_entropy(counts(remaining))
    for part in (inside, outside):
        if part:
            gain -= sum(counts(part)) / total * class_entropy(counts(part))
    return gain


def decode(conditions, genome, individual: int) -> Individual:
    """Read an individual of the real thing into the form used here."""
    genes = []
    for g in range(conditions.n_genes):
        if g in conditions.wide_genes:
            code, found = conditions.subset_code(genome, individual, g), None
        else:
            code = int(genome.condition[individual, g])
            found = conditions.condition(g, code)
        values = list(conditions.cells.values[g])
        if found is not None and found.relation != "in":
            condition: Any = (found.relation, values.index(found.value))
        else:
            codes = conditions.condition(g, code).codes
            condition = frozenset(values.index(float(c)) for c in codes)
        genes.append([bool(genome.active[individual, g]), condition])
    return genes
