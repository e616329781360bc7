"""The genetic algorithm that finds one rule at a time, and the loops that call it.

Contents, in the order of use::

    conditions   ConditionTable.build(table, rows, attributes=, domain_rows=): every condition on some rows
                 .remaining(alive) -> Remaining: the rows that a run works on
    settings     GASettings: population_size, n_generations, ... min_conditions, heuristic, norm, measure
    heuristics   attribute_accuracy(tree, norm) -> (n_attributes,); attribute_worth, gain_worth -> Worth
    loop         evolve(remaining, worth, state, consequent=, settings=, toolbox=, ...) -> Evolution (.rule)
    pareto       evolve_front(...) -> Front (.rules, .individuals, .rule): fitness against conditions, NSGA-II
    niching      sequential_niching(conditions, root=, ...) -> Niches (.rules, .left): GA-Large-SN, GA alone
                 class_rules(conditions, root=, disjunct=, ...) -> rules: GA-Small, one leaf
    toolbox      Toolbox(settings): the operators by alias; register and decorate as in DEAP
    operators    initialisation tournament one_point_crossover mutation rule_pruning evaluation
    population   Population: arrays inside, a sequence of Individual (lists of Gene) outside
    fitness      count_covered(remaining, genome) -> Counts; COMPILED: the measures that the kernels know

The random streams come from `trees.seeding`. A hybrid of variant "improved" is::

    conditions = ConditionTable.build(table, rows)
    settings = GASettings(measure="m_estimate", min_conditions=3, norm="max")
    niches = sequential_niching(
        conditions, root=root_seed(random_state), settings=settings, accuracy=attribute_accuracy(tree, "max")
    )
"""

from evorules.evolution.conditions import ConditionTable, Remaining
from evorules.evolution.front import Front
from evorules.evolution.heuristics import attribute_accuracy, attribute_worth, gain_worth, information_gains
from evorules.evolution.loop import evolve
from evorules.evolution.niching import Niches, class_rules, sequential_niching
from evorules.evolution.pareto import evolve_front
from evorules.evolution.population import Population
from evorules.evolution.result import Evolution
from evorules.evolution.settings import GASettings
from evorules.evolution.toolbox import Toolbox

__all__ = [
    "ConditionTable",
    "Evolution",
    "Front",
    "GASettings",
    "Niches",
    "Population",
    "Remaining",
    "Toolbox",
    "attribute_accuracy",
    "attribute_worth",
    "class_rules",
    "evolve",
    "evolve_front",
    "gain_worth",
    "information_gains",
    "sequential_niching",
]
