import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evorules.evolution import ConditionTable, GASettings, evolve, gain_worth
from evorules.evolution.compiled import can_compile
from evorules.evolution.fitness import COMPILED, INFINITE, count_covered, is_compiled
from evorules.evolution.operators import Run, evaluation, initialisation, mutation
from evorules.evolution.toolbox import Toolbox
from tests.reference.ga_tables import parts, table_of, tables
from trees.counts import Counts
from trees.errors import ParameterError
from trees.measures import MEASURES, confidence, laplace
from trees.rule import Rule
from trees.seeding import stream_state


@settings(deadline=None, max_examples=100)
@given(data=st.data(), measure=st.sampled_from(COMPILED), balanced=st.booleans())
def test_the_compiled_fitness_equals_the_public_measure_of_the_counts(data, measure, balanced):
    table = data.draw(tables())
    factor = np.array([0.25, 3.0, 1.0, 0.5])[: table.n_classes] if balanced else None
    conditions = ConditionTable.build(table, class_factor=factor)
    if conditions.n_genes == 0:
        return
    remaining = conditions.remaining(np.isin(np.arange(table.n_rows), data.draw(parts(table))))
    target = data.draw(st.integers(-1, len(conditions.class_codes) - 1))
    run = Run(remaining, gain_worth(remaining), stream_state(0, "fitness"), target)
    population = initialisation(run, 12)
    mutation(population, run, rate=0.3)
    evaluation(population, run, measure=measure)
    counts, n_active = count_covered(remaining, population.genome, target, weighted=True)
    expected = np.where((n_active > 0) & (counts.covered > 0), MEASURES[measure](counts), 0.0)
    # all numbers are sums of powers of two: no rounding before the measure, and the same after it
    assert population.fitness.tolist() == expected.tolist()
    counts, _ = count_covered(remaining, population.genome, target)
    if conditions.has_unit_weights:
        assert counts.class_counts.dtype == np.int64
    # the counts are those of the rules on the rows that remain
    part = table.take(conditions.rows[remaining.rows])
    for individual in range(3):
        rule = Rule(conditions.antecedent(population.genome, individual), 0, ())
        covered = rule.match(part)
        found = np.bincount(part.classes[covered], part.weight[covered], table.n_classes)
        assert counts.class_counts[individual].tolist() == pytest.approx(found.tolist())


def test_a_tie_of_the_majority_goes_to_the_more_frequent_class_and_then_to_class_order():
    # <= 0 covers one row of every class; class 2 is the most frequent one
    table = table_of([[0, 1, 0, 1, 0, 1, 1]], [0, 0, 1, 1, 2, 2, 2])
    conditions = ConditionTable.build(table)
    population = initialisation(
        Run(conditions.remaining(), gain_worth(conditions.remaining()), stream_state(0, "x")), 1
    )
    population.genome.condition[:] = 0
    counts, _ = count_covered(conditions.remaining(), population.genome)
    assert counts.consequent.tolist() == [2]
    # without one row of class 2 all are equally frequent: class order
    alive = conditions.rows != 6
    counts, _ = count_covered(conditions.remaining(alive), population.genome)
    assert counts.class_totals.tolist() == [2, 2, 2]
    assert counts.consequent.tolist() == [0]


def test_the_kernels_know_every_measure_of_the_registry_that_is_ours():
    assert set(COMPILED) <= set(MEASURES)
    assert all(is_compiled(name) for name in COMPILED)


@pytest.fixture
def own_measure(monkeypatch):
    """A measure that the kernels do not know: precision, squared."""

    def squared(counts):
        return confidence(counts) ** 2

    monkeypatch.setitem(MEASURES, "squared", squared)
    return "squared"


def noisy():
    rng = np.random.default_rng(3)
    x, c = rng.integers(0, 12, 120), rng.integers(0, 3, 120)
    y = np.where(rng.random(120) < 0.2, rng.integers(0, 2, 120), (x > 6) & (c < 2)).astype(int)
    return table_of([x.tolist(), (3, c.tolist())], y.tolist())


def run(chosen, **more):
    remaining = ConditionTable.build(noisy(), class_factor=more.pop("class_factor", None)).remaining()
    return evolve(remaining, gain_worth(remaining), stream_state(1, "fitness"), settings=chosen, **more)


@pytest.mark.parametrize("measure", COMPILED)
def test_runs_with_any_measure_are_compiled_and_equal_the_stepwise_ones(measure):
    chosen = GASettings(population_size=20, n_generations=5, measure=measure)
    assert can_compile(Toolbox(chosen))
    for class_factor in (None, [1.0, 2.5]):
        compiled, stepwise = (
            run(chosen, stepwise=stepwise, class_factor=class_factor) for stepwise in (False, True)
        )
        assert compiled.population.fitness.tobytes() == stepwise.population.fitness.tobytes()
        assert compiled.population.genome.condition.tolist() == stepwise.population.genome.condition.tolist()
        assert compiled.records.tobytes() == stepwise.records.tobytes()


def test_a_measure_of_ones_own_is_optimised_step_by_step(own_measure):
    chosen = GASettings(population_size=20, n_generations=5, measure=own_measure)
    assert not can_compile(Toolbox(chosen))
    evolution = run(chosen)
    assert evolution.fitness == evolution.rule.confidence**2
    assert evolution.fitness > 0.5


def test_a_measure_put_in_the_place_of_ours_is_the_one_that_counts(monkeypatch):
    chosen = GASettings(population_size=20, n_generations=2, measure="laplace")
    before = run(chosen)
    monkeypatch.setitem(MEASURES, "laplace", lambda counts: 0.5 * laplace(counts))
    assert not can_compile(Toolbox(chosen))
    after = run(chosen)
    assert after.population.fitness.tolist() == (0.5 * before.population.fitness).tolist()


@pytest.mark.parametrize("measure", sorted(set(MEASURES) - set(COMPILED)))
def test_measures_that_the_kernels_do_not_know_can_be_optimised_too(measure):
    evolution = run(GASettings(population_size=20, n_generations=5, measure=measure))
    rule, table = evolution.rule, noisy()
    counts = Counts(table.class_totals, np.array([rule.counts]), np.array([rule.consequent]))
    assert evolution.fitness == min(float(MEASURES[measure](counts)[0]), INFINITE)
    assert np.isfinite(evolution.records).all()


def test_a_measure_that_gives_no_number_is_no_fitness(monkeypatch):
    monkeypatch.setitem(MEASURES, "hollow", lambda counts: np.full(counts.n_rules, np.nan))
    with pytest.raises(ParameterError, match="'hollow' must give numbers"):
        run(GASettings(measure="hollow"))


def test_an_unknown_measure_of_an_operator_is_refused_by_name():
    toolbox = Toolbox()
    toolbox.register("evaluate", evaluation, measure="accuracy")
    with pytest.raises(ParameterError, match=r"fitness measure must be 'chi_square', .*Got 'accuracy'"):
        run(None, toolbox=toolbox)


@pytest.mark.parametrize("measure", COMPILED)
def test_rules_that_cover_nothing_or_have_no_condition_have_fitness_0_under_every_measure(measure):
    conditions = ConditionTable.build(table_of([[0, 1, 2]], [0, 1, 1]))
    here = Run(conditions.remaining(), gain_worth(conditions.remaining()), stream_state(0, "x"))
    population = initialisation(here, 2)
    # > 2, and nothing
    population.genome.condition[:] = 5
    population.genome.active[:, 0] = [1, 0]
    evaluation(population, here, measure=measure)
    assert population.fitness.tolist() == [0.0, 0.0]


def test_class_factors_weigh_all_four_counts_of_a_rule():
    # TP = 4, FN = 1, FP = 2, TN = 3 of the rule <= 0 for class 1; class 0 counts threefold
    table = table_of([[0, 0, 0, 0, 1, 0, 0, 1, 1, 1]], [1] * 5 + [0] * 5)
    conditions = ConditionTable.build(table, class_factor=[3.0, 1.0])
    here = Run(conditions.remaining(), gain_worth(conditions.remaining()), stream_state(0, "x"), 1)
    population = initialisation(here, 1)
    population.genome.condition[:] = 0
    for measure, expected in (
        ("confidence", 4 / (4 + 6)),
        ("laplace", 5 / 12),
        ("coverage", 10 / 20),
        ("m_estimate", (4 + 2 * 5 / 20) / 12),
        # with two classes both shares stay what they are
        ("sensitivity_specificity", 0.8 * 0.6),
    ):
        evaluation(population, here, measure=measure)
        assert population.fitness.tolist() == pytest.approx([expected])
    # the majority class is that of the weighted rows, 4 against 6; the counts stay rows
    counts, _ = count_covered(here.remaining, population.genome)
    assert counts.consequent.tolist() == [0]
    assert counts.class_counts.tolist() == [[2, 4]]
    weighted, _ = count_covered(here.remaining, population.genome, weighted=True)
    assert weighted.class_counts.tolist() == [[6.0, 4.0]]
    assert weighted.class_totals.tolist() == [15.0, 5.0]


def test_an_own_evaluation_sees_the_weighted_counts():
    seen = []

    def evaluate(individual):
        seen.append(individual.class_totals.tolist())
        return (0.0,)

    toolbox = Toolbox(GASettings(population_size=4, n_generations=0))
    toolbox.register("evaluate", evaluate)
    run(None, toolbox=toolbox, class_factor=[1.0, 2.5])
    totals = noisy().class_totals
    assert seen[0] == [totals[0], 2.5 * totals[1]]


def test_rounding_apart_class_factors_are_row_weights_in_the_fitness():
    table = noisy()
    factor = np.array([0.7, 1.9])
    conditions = ConditionTable.build(table, class_factor=factor)
    weighted = ConditionTable.build(table.with_weight(factor[table.classes]))
    population = initialisation(
        Run(conditions.remaining(), gain_worth(conditions.remaining()), stream_state(0, "x")), 30
    )
    for measure in COMPILED:
        found = []
        for each in (conditions, weighted):
            evaluation(
                population,
                Run(each.remaining(), gain_worth(each.remaining()), stream_state(0, "x")),
                measure=measure,
            )
            found.append(population.fitness.tolist())
        assert found[0] == pytest.approx(found[1], abs=1e-12)
