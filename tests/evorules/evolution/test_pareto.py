"""Runs with two objectives: fitness, and few conditions."""

import random
import time
from itertools import pairwise, product

import numpy as np
import pytest
from deap import tools
from hypothesis import given, settings
from hypothesis import strategies as st

from evorules.evolution import ConditionTable, GASettings, evolve_front, gain_worth, sequential_niching
from evorules.evolution.front import Front, FrontPopulation, front_ranks, jackknife_error, knee
from evorules.evolution.toolbox import Toolbox
from tests.reference.ga_tables import table_of
from trees.counts import Counts
from trees.errors import ParameterError
from trees.measures import MEASURES
from trees.rule import Rule
from trees.seeding import root_seed, stream_state

SMALL = GASettings(population_size=40, n_generations=12, selection="nsga2")


def noisy(n=150, n_values=3):
    """A rule on two attributes, a fifth of the classes at random."""
    rng = np.random.default_rng(1)
    x, c, other = rng.integers(0, 12, n), rng.integers(0, n_values, n), rng.integers(0, 9, n)
    y = np.where(rng.random(n) < 0.2, rng.integers(0, 2, n), (x > 6) & (c < 2)).astype(int)
    return table_of([x.tolist(), (n_values, c.tolist()), other.tolist()], y.tolist())


def run(table=None, seed=3, chosen=SMALL, **more) -> Front:
    remaining = ConditionTable.build(noisy() if table is None else table).remaining()
    return evolve_front(
        remaining, gain_worth(remaining), stream_state(seed, "pareto"), settings=chosen, **more
    )


def same(a: Front, b: Front) -> bool:
    return (
        all(np.array_equal(x, y) for x, y in zip(a.population.genome, b.population.genome, strict=True))
        and a.population.fitness.tobytes() == b.population.fitness.tobytes()
        and a.records.tobytes() == b.records.tobytes()
        and a.rules == b.rules
    )


@settings(deadline=None, max_examples=40)
@given(
    st.lists(
        st.tuples(st.sampled_from([0.0, 0.25, 0.5, 0.75, 1.0]), st.integers(0, 5)), min_size=1, max_size=30
    )
)
def test_fronts_are_those_of_deap(pairs):
    table = table_of([[0, 1]] * 6, [0, 1])
    population = FrontPopulation.empty(ConditionTable.build(table), len(pairs))
    population = FrontPopulation(
        population.conditions, population.genome, np.array([f for f, _ in pairs]), np.full(len(pairs), np.nan)
    )
    population.genome.active[:] = 0
    for p, (_, length) in enumerate(pairs):
        population.genome.active[p, :length] = 1
    members = population.without_genes(list(range(len(pairs))))
    position = {id(member): p for p, member in enumerate(members)}
    for rank, front in enumerate(tools.sortNondominated(members, len(members))):
        assert {int(population.ranks[position[id(member)]]) for member in front} == {rank}
    assert front_ranks(population.fitness, population.n_conditions).tolist() == population.ranks.tolist()


def test_in_a_tournament_the_lower_front_wins_and_then_more_room():
    table = table_of([[0, 1]] * 3, [0, 1])
    population = FrontPopulation.empty(ConditionTable.build(table), 5)
    fitness = np.array([0.9, 0.5, 0.7, 0.1, 0.5])
    population = FrontPopulation(
        population.conditions, population.genome, fitness, np.array([np.inf, np.inf, 1.5, np.inf, 0.0])
    )
    population.genome.active[:] = [[1, 1, 1], [1, 0, 0], [1, 1, 0], [1, 1, 1], [1, 0, 0]]
    assert population.ranks.tolist() == [0, 0, 0, 1, 0]
    order = population.crowded_order()
    assert order[0] == order[1] > order[2] > order[4] > order[3]


def best_by_length(table, measure, n_conditions):
    """The greatest fitness of any rule with so many conditions, by trying all of them."""
    conditions = ConditionTable.build(table)
    low, high = conditions.code_ranges
    choices = [
        [None, *(conditions.condition(g, c) for c in range(low[g], high[g] + 1))]
        for g in range(conditions.n_genes)
    ]
    best = 0.0
    for chosen in product(*choices):
        antecedent = tuple(condition for condition in chosen if condition is not None)
        if len(antecedent) != n_conditions:
            continue
        covered = Rule(antecedent, 0, ()).match(table)
        if not covered.any():
            continue
        counts = np.bincount(table.classes[covered], minlength=table.n_classes)
        tied = counts == counts.max()
        consequent = int(np.argmax(np.where(tied, table.class_totals, -1)))
        found = MEASURES[measure](Counts(table.class_totals, counts[None], np.array([consequent])))
        best = max(best, float(found[0]))
    return best


@pytest.mark.parametrize("measure", ["sensitivity_specificity", "weighted_relative_accuracy"])
def test_the_front_is_that_of_all_rules_on_a_small_table(measure):
    table = noisy(60)
    chosen = GASettings(
        population_size=200, n_generations=40, measure=measure, min_conditions=3, mutation_rate=0.1
    )
    front = run(table, chosen=chosen)
    best = [best_by_length(table, measure, n) for n in (1, 2, 3)]
    expected = [(best[0], 1)]
    for n in (2, 3):
        if best[n - 1] > expected[-1][0]:
            expected.append((best[n - 1], n))
    found = [(rule.scores["fitness"], len(rule.conditions)) for rule in front.rules]
    assert found == [(pytest.approx(fitness, abs=1e-12), n) for fitness, n in expected]
    assert len(found) >= 2


def test_no_rule_of_a_front_dominates_another_and_individuals_tell_both_objectives():
    front = run()
    pairs = [individual.fitness.values for individual in front.individuals]
    assert len(pairs) == len(front.rules) >= 2
    for (fitness, n), (next_fitness, next_n) in pairwise(pairs):
        assert fitness < next_fitness
        assert n < next_n
    for rule, (fitness, n), individual in zip(front.rules, pairs, front.individuals, strict=True):
        assert (rule.scores["fitness"], len(rule.conditions)) == (fitness, n)
        assert sum(gene.active for gene in individual) == n
    assert front.rule in front.rules


@pytest.mark.parametrize("n_values", [3, 70])
def test_the_same_stream_gives_the_same_front_and_global_generators_are_left_alone(n_values):
    table = noisy(n_values=n_values)
    fronts = []
    for seed in (1, 2):
        random.seed(seed)
        np.random.seed(seed)  # noqa: NPY002
        before = random.getstate(), np.random.get_state()[1].tolist()  # noqa: NPY002
        fronts.append(run(table))
        assert (random.getstate(), np.random.get_state()[1].tolist()) == before  # noqa: NPY002
    assert same(*fronts)
    assert not same(fronts[0], run(table, seed=4))


@pytest.mark.parametrize(
    ("alias", "operator", "bound"),
    [
        ("survive", tools.selSPEA2, {}),
        ("survive", tools.selNSGA3, {"ref_points": tools.uniform_reference_points(2, 6)}),
        ("survive", tools.selNSGA2, {"nd": "standard"}),
        ("select", tools.selTournamentDCD, {}),
        ("mate", tools.cxUniform, {"indpb": 0.5}),
    ],
)
def test_ordinary_deap_operators_work_and_repeat(alias, operator, bound):
    fronts = []
    for seed in (1, 2):
        random.seed(seed)
        outside = random.getstate()
        toolbox = Toolbox(SMALL)
        toolbox.register(alias, operator, **bound)
        fronts.append(run(toolbox=toolbox))
        assert random.getstate() == outside
    assert same(*fronts)
    assert fronts[0].fitness > 0.3


def test_a_selection_of_survivors_that_returns_others_is_an_error():
    toolbox = Toolbox(SMALL)
    toolbox.register("survive", lambda individuals, k: individuals[:3])
    with pytest.raises(ParameterError, match=r"'survive' must return \d+ of the individuals .* Got 3"):
        run(toolbox=toolbox)


def test_copies_of_a_rule_do_not_crowd_out_others():
    front = run()
    genome = front.population.genome
    rules = {
        (a.tobytes(), np.where(a, c, -1).tobytes())
        for a, c in zip(genome.active, genome.condition, strict=True)
    }
    assert len(rules) > len(front.population) / 2


def test_the_knee_lies_farthest_above_the_line_between_the_ends():
    lengths = np.array([1, 2, 3, 5])
    # heights .0, .75, .9, 1 against .0, .25, .5, 1 along: .5 above at two conditions
    assert knee(np.array([0.2, 0.5, 0.56, 0.6]), lengths) == 1
    # on the line, or below it: the fittest
    assert knee(np.array([0.0, 0.25, 0.5, 1.0]), lengths) == 3
    assert knee(np.array([0.0, 0.1, 0.2, 1.0]), lengths) == 3
    assert knee(np.array([0.3, 0.4]), lengths[:2]) == 1
    assert knee(np.array([0.3]), lengths[:1]) == 0


def test_the_standard_error_of_a_share_is_that_of_the_textbook():
    # 6 of 10 rows are right and all are covered: sqrt(.6 * .4 / 9)
    counts = Counts(np.array([6, 4]), np.array([[6, 4]]), np.array([0]))
    assert jackknife_error("confidence", counts, np.ones(2)) == pytest.approx(0.163299, abs=1e-6)
    # a rule without errors would have none on fewer rows either
    pure = Counts(np.array([6, 4]), np.array([[3, 0]]), np.array([0]))
    assert jackknife_error("confidence", pure, np.ones(2)) == 0.0


@pytest.mark.parametrize("measure", ["sensitivity_specificity", "m_estimate", "laplace", "lift"])
def test_the_jackknife_by_groups_equals_that_by_rows(measure):
    totals, covered, factor = np.array([7, 5, 2]), np.array([4, 1, 1]), np.array([1.0, 2.0, 0.5])
    rows = [(c, i < covered[c]) for c in range(3) for i in range(totals[c])]
    values = []
    for leave in range(len(rows)):
        kept = rows[:leave] + rows[leave + 1 :]
        t = np.bincount([c for c, _ in kept], minlength=3) * factor
        v = np.bincount([c for c, inside in kept if inside], minlength=3) * factor
        values.append(float(MEASURES[measure](Counts(t, v[None], np.array([0])))[0]))
    n = len(values)
    expected = np.sqrt((n - 1) / n * ((np.array(values) - np.mean(values)) ** 2).sum())
    found = jackknife_error(measure, Counts(totals, covered[None], np.array([0])), factor)
    assert found == pytest.approx(expected, rel=1e-12)


def test_the_trade_off_takes_the_shortest_within_one_standard_error():
    front = run()
    fitness = np.array([rule.scores["fitness"] for rule in front.rules])
    enough = np.flatnonzero(fitness >= fitness.max() - front.standard_error)
    assert front.rule == front.rules[enough[0]]
    assert front.standard_error > 0


def test_of_an_own_evaluation_no_error_is_known_and_the_fittest_is_taken():
    toolbox = Toolbox(SMALL)
    toolbox.register("evaluate", lambda individual: individual.counts.max() / 1000)
    front = run(toolbox=toolbox)
    assert front.standard_error == 0.0
    assert front.rule == front.rules[-1]


def test_statistics_and_a_pareto_front_of_deap_observe_the_same_run():
    statistics = tools.Statistics(key=lambda individual: individual.fitness.values[0])
    statistics.register("best", max)
    hall = tools.ParetoFront(similar=lambda a, b: a.fitness == b.fitness)
    watched = run(statistics=statistics, hall_of_fame=hall)
    assert same(watched, run())
    assert watched.logbook.select("best") == watched.records[:, 3].tolist()
    assert watched.logbook.select("nevals") == [40] * 13
    pairs = {individual.fitness.values for individual in hall}
    assert {individual.fitness.values for individual in watched.individuals} <= pairs


def test_the_fittest_is_never_lost():
    assert (np.diff(run().records[:, 3]) >= 0).all()


def test_a_callback_a_deadline_patience_and_ctrl_c_end_a_run():
    front = run(callback=lambda generation, population: generation == 3)
    assert (front.n_generations, front.stop_reason) == (3, "callback")
    front = run(deadline=time.monotonic() - 1)
    assert (front.n_generations, front.stop_reason) == (0, "time")
    patient = GASettings(population_size=20, n_generations=400, patience=4)
    front = run(chosen=patient)
    assert (front.n_generations < 400, front.stop_reason) == (True, "patience")

    def stop(generation, population):
        if generation == 2:
            raise KeyboardInterrupt

    front = run(callback=stop)
    assert (front.n_generations, front.stop_reason) == (2, "interrupt")
    assert front.rule.conditions


def test_a_single_row_a_single_gene_and_a_single_class_are_fine():
    chosen = GASettings(population_size=5, n_generations=3)
    for table in (table_of([[1, 2, 2]], [0, 0, 0]), table_of([[1, 2]], [1, 0])):
        for alive in (None, np.array([True] + [False] * (table.n_rows - 1))):
            remaining = ConditionTable.build(table).remaining(alive)
            front = evolve_front(remaining, gain_worth(remaining), stream_state(0, "x"), settings=chosen)
            assert (len(front.rules), front.fitness) == (1, 1.0)


def test_sequential_niching_takes_one_rule_of_every_front():
    conditions = ConditionTable.build(noisy())
    taken = {}
    for trade_off in ("one_se", "knee"):
        chosen = GASettings(
            population_size=40,
            n_generations=10,
            heuristic="gain",
            measure="m_estimate",
            selection="nsga2",
            trade_off=trade_off,
        )
        fronts = []
        niches = sequential_niching(
            conditions, root=root_seed(0), settings=chosen, max_rules=4, observer=fronts.append
        )
        assert [front.rule for front in fronts if front.rule.correct > 0] == list(niches.rules)
        assert {front.trade_off for front in fronts} == {trade_off}
        taken[trade_off] = niches.rules
    assert len(taken["one_se"]) == len(taken["knee"]) == 4
    assert taken["one_se"] != taken["knee"]
