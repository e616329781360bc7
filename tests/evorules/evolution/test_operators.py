from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reference import ga_plain
from reference.ga_tables import parts, table_of, tables
from reference.random_plain import Stream

from evorules.evolution import ConditionTable, Population, attribute_worth, gain_worth
from evorules.evolution.lazy_kernels import kernels
from evorules.evolution.operators import (
    Run,
    evaluation,
    initialisation,
    mutation,
    one_point_crossover,
    population_level,
    rule_pruning,
    tournament,
)
from trees.errors import ParameterError
from trees.seeding import stream_state


def make_run(table, *, rows=None, alive=None, worth=None, key=0, target=-1) -> Run:
    conditions = ConditionTable.build(table, rows)
    remaining = conditions.remaining(alive)
    if worth is None:
        worth = gain_worth(remaining)
    return Run(remaining, worth, stream_state(11, "operators", key), target)


def decoded(population: Population) -> list:
    return [
        ga_plain.decode(population.conditions, population.genome, individual)
        for individual in range(len(population))
    ]


@settings(deadline=None, max_examples=40)
@given(data=st.data(), seeded=st.booleans(), key=st.integers(0, 5))
def test_initialisation_mutation_and_crossover_equal_the_plain_twin(data, seeded, key):
    table = data.draw(tables())
    alive = np.isin(np.arange(table.n_rows), data.draw(parts(table)))
    run = make_run(table, alive=alive, key=key)
    if run.conditions.n_genes == 0:
        return
    plain, stream, rows = ga_plain.space(table), Stream(run.state), run.remaining.rows.tolist()
    population = initialisation(run, 9, seeded=seeded)
    expected = ga_plain.initialise(plain, rows, 9, seeded, stream)
    assert decoded(population) == expected
    if seeded:
        for individual in expected:
            assert any(ga_plain.covers(plain, individual, row) for row in rows)
    for rate in (0.0, 0.3, 1.0):
        mutation(population, run, rate=rate)
        ga_plain.mutate(plain, rows, expected, rate, stream)
        assert decoded(population) == expected
        one_point_crossover(population, run, rate=rate)
        ga_plain.cross(expected, rate, stream)
        assert decoded(population) == expected
    assert run.state.tolist() == stream.state


@settings(deadline=None, max_examples=40)
@given(
    fitness=st.lists(st.sampled_from([0.0, 0.25, 0.5, 1.0]), min_size=2, max_size=12),
    size=st.integers(1, 12),
    n=st.integers(0, 20),
)
def test_tournaments_equal_the_plain_twin(fitness, size, n):
    run = make_run(table_of([[0, 1]], [0, 1]))
    population = Population.empty(run.conditions, len(fitness))
    population.fitness[:] = fitness
    stream = Stream(run.state)
    size = min(size, len(fitness))
    assert tournament(population, run, n, size=size).tolist() == ga_plain.tournaments(
        fitness, n, size, stream
    )
    assert run.state.tolist() == stream.state


def test_in_a_tournament_of_two_distinct_individuals_the_worst_never_wins_and_ties_are_fair():
    run = make_run(table_of([[0, 1]], [0, 1]))
    population = Population.empty(run.conditions, 4)
    population.fitness[:] = [0.0, 0.5, 0.5, 1.0]
    wins = Counter(tournament(population, run, 60_000).tolist())
    # of the 6 pairs the best wins 3; each of the two equals beats the worst, and shares the pair of both
    assert wins[0] == 0
    assert wins[3] / 60_000 == pytest.approx(1 / 2, abs=0.01)
    assert wins[1] / 60_000 == pytest.approx(1 / 4, abs=0.01)
    assert wins[2] / 60_000 == pytest.approx(1 / 4, abs=0.01)


@settings(deadline=None, max_examples=40)
@given(
    data=st.data(),
    scope=st.sampled_from(["active", "all"]),
    norm=st.sampled_from(["entropy", "sum", "max", "raw", "attribute"]),
    min_conditions=st.integers(0, 3),
)
def test_rule_pruning_equals_the_plain_twin(data, scope, norm, min_conditions):
    table = data.draw(tables())
    run = make_run(table)
    conditions = run.conditions
    if conditions.n_genes == 0:
        return
    if norm == "attribute":
        accuracy = np.array([0.0, 0.3, 1.0, 0.3, 0.7])[: table.n_attributes]
        run = make_run(table, worth=attribute_worth(conditions, accuracy))
    else:
        run = make_run(table, worth=gain_worth(run.remaining, norm))
    stream, plain = Stream(run.state), ga_plain.space(table)
    population = initialisation(run, 12)
    mutation(population, run, rate=0.3)
    individuals = decoded(population)
    for _ in range(len(population) * 2):
        stream.next_word()
    rule_pruning(population, run, min_conditions=min_conditions, scope=scope)

    def worth(g, condition):
        if norm == "attribute":
            return float(accuracy[conditions.attributes[g]])
        gain = ga_plain.information_gain(plain, list(range(table.n_rows)), g, condition)
        gain = np.floor(max(gain, 0.0) * 2.0**40 + 0.5) / 2.0**40
        if norm != "entropy":
            return gain
        entropy = ga_plain.class_entropy(run.remaining.totals.tolist())
        return gain / entropy if entropy > 0 else 0.0

    ga_plain.prune(individuals, worth, norm, min_conditions, scope == "all", stream)
    assert decoded(population) == individuals
    assert run.state.tolist() == stream.state


@settings(deadline=None, max_examples=40)
@given(data=st.data(), measure=st.sampled_from(["sensitivity_specificity", "m_estimate"]))
def test_evaluation_equals_the_plain_twin(data, measure):
    table = data.draw(tables())
    alive = np.isin(np.arange(table.n_rows), data.draw(parts(table)))
    run = make_run(table, alive=alive)
    plain, rows = ga_plain.space(table), run.remaining.rows.tolist()
    targets = [None, *run.conditions.class_codes.tolist()]
    target = data.draw(st.sampled_from(targets))
    position = -1 if target is None else run.conditions.class_position(target)
    run = make_run(table, alive=alive, target=position)
    population = initialisation(run, 10)
    mutation(population, run, rate=0.2)
    evaluation(population, run, measure=measure, m=1.5)
    expected = [
        ga_plain.fitness(plain, rows, individual, target, measure, 1.5) for individual in decoded(population)
    ]
    assert population.fitness.tolist() == pytest.approx(expected, abs=1e-12)
    if run.conditions.has_unit_weights:
        assert population.fitness.tolist() == expected


@settings(deadline=None, max_examples=30)
@given(
    fitness=st.lists(st.sampled_from([0.0, 0.5, 1.0]), min_size=3, max_size=10),
    n=st.integers(0, 3),
    bits=st.integers(0, 2**30 - 1),
)
def test_the_best_have_fewer_active_genes_among_equals_and_then_the_lower_position(fitness, n, bits):
    active = np.array([[bits >> (3 * p + g) & 1 for g in range(3)] for p in range(len(fitness))], np.uint8)
    picks = np.empty(n, dtype=np.int32)
    kernels().best(np.array(fitness), active, picks)
    individuals = [[[bool(bit), None] for bit in line] for line in active]
    assert picks.tolist() == ga_plain.best(individuals, fitness, n)


def test_seeded_individuals_accept_a_row_and_are_inactive_where_it_is_missing():
    # every row has a missing cell in one of the attributes
    table = table_of([[1, None, 3, None], (3, [None, 0, None, 2])], [0, 1, 0, 1])
    population = initialisation(make_run(table), 200)
    assert set(map(tuple, population.genome.active.tolist())) == {(1, 0), (0, 1)}


def test_seeded_numeric_conditions_draw_from_the_rows_on_the_accepting_side():
    # one seed row remains, of value 2; others lie on both sides in the full table, but only it is there
    table = table_of([[1, 2, 3, 4]], [0, 0, 1, 1])
    run = make_run(table, alive=np.array([False, True, False, False]))
    population = initialisation(run, 50)
    # no remaining row lies below 2, so > is impossible, and the only value not below it is 2
    assert {str(ga_plain.decode(run.conditions, population.genome, i)) for i in range(50)} == {
        "[[True, ('<=', 1)]]"
    }


def test_seeded_numeric_conditions_are_drawn_row_by_row_with_a_fair_operator():
    table = table_of([[1, 2, 2, 2, 3]], [0, 1, 1, 1, 0])
    n = 60_000
    found = np.bincount(initialisation(make_run(table), n).genome.condition[:, 0], minlength=6) / n
    share = {(">" if code % 2 else "<=", code // 2): found[code] for code in range(6)}
    # seed 1 (1/5): only <=, v over all rows; seed 2 (3/5): <= over the rows 2,2,2,3, > over the row 1;
    # seed 3 (1/5): <= 3, or > over the rows 1,2,2,2
    assert share["<=", 0] == pytest.approx(1 / 5 * 1 / 5, abs=0.01)
    assert share["<=", 1] == pytest.approx(1 / 5 * 3 / 5 + 3 / 5 * 1 / 2 * 3 / 4, abs=0.01)
    assert share[">", 0] == pytest.approx(3 / 5 * 1 / 2 + 1 / 5 * 1 / 2 * 1 / 4, abs=0.01)
    assert share[">", 1] == pytest.approx(1 / 5 * 1 / 2 * 3 / 4, abs=0.01)


@pytest.mark.parametrize("n_values", [3, 8, 9])
def test_nominal_conditions_are_uniform_over_the_non_empty_proper_subsets(n_values):
    table = table_of([(n_values, list(range(n_values)))], [0, *[1] * (n_values - 1)])
    run = make_run(table)
    assert (run.conditions.wide_genes == [0]) == (n_values == 9)
    n = 40_000

    def codes(population):
        return population.genome.subset[:, 0] if n_values == 9 else population.genome.condition[:, 0]

    values, counts = np.unique(codes(initialisation(run, n, seeded=False)), return_counts=True)
    assert values.tolist() == list(range(1, 2**n_values - 1))
    chi2 = ((counts - n / len(values)) ** 2 / (n / len(values))).sum()
    # five standard deviations of chi-square above its mean
    assert chi2 < len(values) - 1 + 5 * np.sqrt(2 * (len(values) - 1))
    # a seeded one is uniform over the proper subsets that hold the seed's value
    sizes = Counter(code.bit_count() for code in codes(initialisation(run, n)).tolist())
    share_of_one = 1 / (2 ** (n_values - 1) - 1)
    assert sizes[1] / n == pytest.approx(share_of_one, abs=4 * np.sqrt(share_of_one / n))
    assert max(sizes) == n_values - 1


def test_mutation_changes_genes_at_its_rate_in_three_equally_likely_ways():
    # one numeric gene with very many values: a redrawn value is the old one too seldom to matter
    table = table_of([list(range(1000))], [0, 1] * 500)
    run = make_run(table)
    genome = initialisation(run, 60_000).genome
    active, condition = genome.active.copy(), genome.condition.copy()
    mutation(Population(run.conditions, genome, np.zeros(60_000)), run, rate=0.3)
    turned = (genome.active != active).mean()
    # an id is 2 * rank + operator
    operator = ((genome.condition ^ condition) == 1).mean()
    value = (genome.condition >> 1 != condition >> 1).mean()
    assert [turned, operator, value] == pytest.approx([0.1, 0.1, 0.1], abs=0.005)
    # what is redrawn keeps its operator
    redrawn = genome.condition >> 1 != condition >> 1
    assert ((genome.condition & 1) == (condition & 1))[redrawn].all()


def test_a_run_without_known_cells_of_an_attribute_still_draws_a_condition_for_it():
    table = table_of([[1, 2, None, None], [0, 0, 1, 1]], [0, 1, 0, 1])
    alive = np.array([r in (2, 3) for r in ConditionTable.build(table).rows])
    run = make_run(table, alive=alive)
    free = initialisation(run, 40, seeded=False)
    assert free.genome.active.all()
    assert set(free.genome.condition[:, 0].tolist()) == {0, 1, 2, 3}
    assert not initialisation(run, 40).genome.active[:, 0].any()


def test_fitness_ignores_the_order_of_the_rows():
    # the fault that a peer's classes, read by the position in another set, would have shown
    rng = np.random.default_rng(2)
    columns = [rng.integers(0, 5, 60).tolist(), (3, rng.integers(0, 3, 60).tolist())]
    table = table_of(columns, rng.integers(0, 3, 60).tolist())
    rows = np.arange(10, 55)
    run, other = make_run(table, rows=rows), make_run(table, rows=rng.permutation(rows))
    population = initialisation(run, 50)
    evaluation(population, run)
    same = Population(other.conditions, population.genome, population.fitness.copy())
    evaluation(same, other)
    assert same.fitness.tolist() == population.fitness.tolist()


def test_weights_two_count_like_two_rows():
    rng = np.random.default_rng(4)
    column, y = rng.integers(0, 6, 40).tolist(), rng.integers(0, 2, 40).tolist()
    twice = [v for v in column[:20] for _ in range(2)] + column[20:]
    y_twice = [c for c in y[:20] for _ in range(2)] + y[20:]
    weighted = make_run(table_of([column], y, [2.0] * 20 + [1.0] * 20))
    repeated = make_run(table_of([twice], y_twice))
    population = initialisation(weighted, 40)
    for measure in ("sensitivity_specificity", "m_estimate"):
        evaluation(population, weighted, measure=measure)
        other = Population(repeated.conditions, population.genome, np.empty(40))
        evaluation(other, repeated, measure=measure)
        assert other.fitness.tolist() == pytest.approx(population.fitness.tolist(), abs=1e-12)


def test_an_unknown_measure_is_refused_by_name():
    run = make_run(table_of([[1, 2]], [0, 1]))
    with pytest.raises(ParameterError, match=r"must be '.*', .*Got 'accuracy'"):
        evaluation(initialisation(run, 2), run, measure="accuracy")


def test_the_mark_of_population_level_operators_is_an_attribute():
    @population_level
    def nothing(population, run):
        return None

    assert nothing.population_level
    assert mutation.population_level
