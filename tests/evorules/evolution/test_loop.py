import random
import time
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from deap import tools
from hypothesis import given, settings
from hypothesis import strategies as st

from evorules.evolution import (
    ConditionTable,
    Evolution,
    GASettings,
    Population,
    attribute_worth,
    evolve,
    gain_worth,
)
from evorules.evolution.fitness import COMPILED
from evorules.evolution.operators import evaluation
from evorules.evolution.toolbox import Toolbox
from tests.reference import ga_plain
from tests.reference.ga_tables import parts, table_of, tables
from tests.reference.random_plain import Stream
from trees.counts import Counts
from trees.errors import DataError, ParameterError
from trees.measures import MEASURES
from trees.seeding import stream_state
from trees.table import Table


@st.composite
def ga_settings(draw, max_size=14, max_generations=6) -> GASettings:
    size = draw(st.integers(2, max_size))
    heuristic = draw(st.sampled_from(["tree", "gain"]))
    norms = {"tree": [None, "max"], "gain": [None, "sum", "max", "raw"]}
    return GASettings(
        population_size=size,
        n_generations=draw(st.integers(0, max_generations)),
        crossover_rate=draw(st.sampled_from([0.0, 0.8, 1.0])),
        mutation_rate=draw(st.sampled_from([0.0, 0.01, 0.3, 1.0])),
        tournament_size=draw(st.integers(1, min(size, 4))),
        n_elite=draw(st.integers(0, min(3, size - 1))),
        min_conditions=draw(st.integers(0, 3)),
        init=draw(st.sampled_from(["seeded", "random"])),
        heuristic=heuristic,
        norm=draw(st.sampled_from(norms[heuristic])),
        scope=draw(st.sampled_from(["active", "all"])),
        measure=draw(st.sampled_from(["sensitivity_specificity", "m_estimate"])),
        patience=draw(st.sampled_from([None, None, 1, 3])),
    )


def worth_for(remaining, chosen: GASettings):
    if chosen.heuristic == "gain":
        return gain_worth(remaining, chosen.norm_name)
    n_attributes = remaining.conditions.schema.n_attributes
    return attribute_worth(remaining.conditions, np.linspace(0.1, 0.9, n_attributes))


def same(a: Evolution, b: Evolution) -> bool:
    return (
        all(np.array_equal(x, y) for x, y in zip(a.population.genome, b.population.genome, strict=True))
        and a.population.fitness.tobytes() == b.population.fitness.tobytes()
        and a.records.tobytes() == b.records.tobytes()
        and a.stop_reason == b.stop_reason
        and a.rule == b.rule
    )


def noisy(n=200, seed=0) -> Table:
    """A rule on two attributes, a fifth of the classes at random."""
    rng = np.random.default_rng(seed)
    x, c, other = rng.integers(0, 20, n), rng.integers(0, 3, n), rng.integers(0, 9, n)
    y = np.where(rng.random(n) < 0.2, rng.integers(0, 2, n), (x > 11) & (c == 1))
    return table_of([x.tolist(), (3, c.tolist()), other.tolist()], y.astype(int).tolist())


def start(table=None, **more):
    remaining = ConditionTable.build(noisy() if table is None else table).remaining()
    return remaining, gain_worth(remaining), stream_state(5, "loop", **more)


@settings(deadline=None, max_examples=60)
@given(data=st.data(), chosen=ga_settings(max_size=30, max_generations=12), seed=st.integers(0, 1000))
def test_the_compiled_loop_gives_the_populations_of_the_stepwise_one_bit_for_bit(data, chosen, seed):
    table = data.draw(tables(max_rows=90))
    chosen = replace(chosen, measure=data.draw(st.sampled_from(COMPILED)))
    factor = data.draw(st.sampled_from([None, [0.3, 2.0, 1.0, 7.5]]))
    conditions = ConditionTable.build(table, class_factor=factor)
    if conditions.n_genes == 0:
        return
    remaining = conditions.remaining(np.isin(np.arange(table.n_rows), data.draw(parts(table))))
    target = data.draw(st.sampled_from([None, *conditions.class_codes.tolist()]))
    worth = worth_for(remaining, chosen)
    states = [stream_state(seed, "loop"), stream_state(seed, "loop")]
    compiled = evolve(remaining, worth, states[0], consequent=target, settings=chosen)
    stepwise = evolve(remaining, worth, states[1], consequent=target, settings=chosen, stepwise=True)
    assert same(compiled, stepwise)
    assert states[0].tolist() == states[1].tolist()
    assert states[0].tolist() != stream_state(seed, "loop").tolist()


@settings(deadline=None, max_examples=40)
@given(data=st.data(), chosen=ga_settings(), seed=st.integers(0, 1000))
def test_both_loops_equal_the_plain_twin(data, chosen, seed):
    table = data.draw(tables(max_rows=20, weighted=False))
    conditions = ConditionTable.build(table)
    if conditions.n_genes == 0:
        return
    chosen = replace(chosen, patience=None)
    remaining = conditions.remaining()
    worth = worth_for(remaining, chosen)
    target = data.draw(st.sampled_from([None, *conditions.class_codes.tolist()]))
    state = stream_state(seed, "loop")
    stream = Stream(state)
    evolution = evolve(remaining, worth, state, consequent=target, settings=chosen)

    def plain_worth(g, condition):
        if chosen.heuristic == "tree":
            return float(worth.values[g])
        gain = ga_plain.information_gain(plain, list(range(table.n_rows)), g, condition)
        return np.floor(max(gain, 0.0) * 2.0**40 + 0.5) / 2.0**40 * worth.scale

    plain = ga_plain.space(table)
    rows = list(range(table.n_rows))
    population, scores = ga_plain.evolve(plain, rows, plain_worth, stream, chosen, target)
    genome = evolution.population.genome
    assert [ga_plain.decode(conditions, genome, i) for i in range(len(scores))] == population
    assert evolution.population.fitness.tolist() == scores
    assert state.tolist() == stream.state
    assert evolution.best == ga_plain.best(population, scores, 1)[0]


def test_the_default_run_finds_the_planted_rule():
    remaining, worth, state = start()
    evolution = evolve(remaining, worth, state)
    assert evolution.rule.describe(noisy().schema) in (
        "IF a0 > 11 AND a1 = v1 THEN class = c1",
        "IF a0 > 10 AND a1 = v1 THEN class = c1",
        "IF a0 > 12 AND a1 = v1 THEN class = c1",
    )
    assert evolution.stop_reason == "generations"
    assert evolution.n_generations == 50


def test_the_rule_carries_its_counts_and_the_fitness_that_they_give():
    remaining, worth, state = start()
    for measure in ("sensitivity_specificity", "m_estimate"):
        evolution = evolve(remaining, worth, state, settings=GASettings(measure=measure))
        table, rule = noisy(), evolution.rule
        covered = rule.match(table)
        expected = np.bincount(table.classes[covered], minlength=2)
        assert rule.counts == tuple(expected)
        counts = Counts(table.class_totals, expected[None, :], np.array([rule.consequent]))
        assert MEASURES[measure](counts)[0] == pytest.approx(evolution.fitness, abs=1e-12)
        assert rule.scores == {"fitness": evolution.fitness}


def test_the_best_never_gets_worse_and_the_elite_stays_unaltered():
    remaining, worth, state = start()
    seen = []

    def keep(generation, population):
        best = int(population.best()[0])
        row = [array[best].tolist() for array in population.genome]
        seen.append(
            (float(population.fitness[best]), row, [array[0].tolist() for array in population.genome])
        )

    evolution = evolve(remaining, worth, state, settings=GASettings(mutation_rate=0.5), callback=keep)
    heights = [fitness for fitness, _, _ in seen]
    assert heights == sorted(heights)
    for (_, best, _), (_, _, first) in pairwise(seen):
        assert first == best
    assert evolution.records[:, 3].tolist() == heights


def test_a_run_with_a_fixed_class_only_makes_rules_for_it():
    remaining, worth, state = start()
    for code in (0, 1):
        assert evolve(remaining, worth, state, consequent=code).rule.consequent == code


def test_records_and_logbook_describe_every_generation():
    remaining, worth, state = start()
    evolution = evolve(remaining, worth, state, settings=GASettings(n_generations=4))
    fitness = evolution.population.fitness
    expected = [fitness.mean(), fitness.std(), fitness.min(), fitness.max()]
    assert evolution.records[-1].tolist() == pytest.approx(expected)
    logbook = evolution.logbook
    assert logbook.select("gen") == [0, 1, 2, 3, 4]
    assert logbook.select("nevals") == [200, 199, 199, 199, 199]
    assert logbook.select("max") == evolution.records[:, 3].tolist()


@pytest.mark.parametrize("size", [1, 3, 40])
def test_statistics_and_hall_of_fame_of_deap_observe_the_same_run(size):
    chosen = GASettings(population_size=30, n_generations=8)
    remaining, worth, state = start()
    quiet = evolve(remaining, worth, state, settings=chosen)
    statistics = tools.Statistics(key=lambda individual: individual.fitness.values[0])
    statistics.register("best", max)
    statistics.register("size", len)
    hall = tools.HallOfFame(size)
    everyone = tools.HallOfFame(size)
    remaining, worth, state = start()
    evolution = evolve(
        remaining,
        worth,
        state,
        settings=chosen,
        statistics=statistics,
        hall_of_fame=hall,
        callback=lambda generation, population: everyone.update(population),
    )
    assert same(quiet, evolution)
    assert evolution.logbook.select("best") == quiet.records[:, 3].tolist()
    assert set(evolution.logbook.select("size")) == {30}
    # updating with the promising individuals only must not change who gets in
    assert list(hall) == list(everyone)
    assert [i.fitness.values for i in hall] == [i.fitness.values for i in everyone]
    assert hall[0].fitness.values[0] == evolution.fitness


def test_a_pareto_front_may_observe_as_well():
    remaining, worth, state = start()
    front = tools.ParetoFront()
    evolution = evolve(
        remaining,
        worth,
        state,
        settings=GASettings(population_size=10, n_generations=2),
        hall_of_fame=front,
    )
    assert front[0].fitness.values[0] == evolution.fitness


def test_a_callback_that_returns_true_ends_the_run():
    remaining, worth, state = start()
    evolution = evolve(remaining, worth, state, callback=lambda generation, population: generation == 3)
    assert (evolution.n_generations, evolution.stop_reason) == (3, "callback")


@pytest.mark.parametrize("stepwise", [False, True])
def test_a_time_budget_ends_the_run_with_the_best_so_far(stepwise):
    remaining, worth, state = start()
    chosen = GASettings(n_generations=10**9, time_budget=0.2)
    began = time.monotonic()
    evolution = evolve(remaining, worth, state, settings=chosen, stepwise=stepwise)
    assert time.monotonic() - began < 5
    assert evolution.stop_reason == "time"
    assert evolution.n_generations > 0
    assert evolution.fitness == evolution.records[:, 3].max()
    assert evolution.rule.conditions


@pytest.mark.parametrize("stepwise", [False, True])
def test_a_deadline_that_has_passed_leaves_the_first_population(stepwise):
    remaining, worth, state = start()
    evolution = evolve(remaining, worth, state, deadline=time.monotonic() - 1, stepwise=stepwise)
    assert (evolution.n_generations, evolution.stop_reason) == (0, "time")
    assert len(evolution.population) == 200


def test_patience_ends_the_run_when_nothing_gets_better():
    remaining, worth, state = start()
    evolution = evolve(remaining, worth, state, settings=GASettings(patience=5, n_generations=500))
    heights = evolution.records[:, 3].tolist()
    assert evolution.stop_reason == "patience"
    assert heights[-6] == heights[-1]
    assert heights.index(heights[-1]) == len(heights) - 6


def test_ctrl_c_in_the_stepwise_loop_keeps_the_best_so_far():
    remaining, worth, state = start()

    def stop(generation, population):
        if generation == 2:
            raise KeyboardInterrupt

    evolution = evolve(remaining, worth, state, callback=stop)
    assert (evolution.n_generations, evolution.stop_reason) == (2, "interrupt")
    assert evolution.fitness == evolution.records[:, 3].max()


def test_ctrl_c_in_the_compiled_loop_keeps_the_best_so_far(monkeypatch):
    from evorules.evolution.lazy_kernels import kernels

    whole = kernels().generations
    calls = []

    def interrupted(*arguments):
        calls.append(whole(*arguments))
        if len(calls) == 2:
            raise KeyboardInterrupt

    monkeypatch.setattr(kernels(), "generations", interrupted)
    remaining, worth, state = start()
    evolution = evolve(remaining, worth, state, settings=GASettings(n_generations=10**6))
    assert evolution.stop_reason == "interrupt"
    assert evolution.n_generations == sum(calls)
    monkeypatch.undo()
    remaining, worth, state = start()
    chosen = GASettings(n_generations=evolution.n_generations)
    assert evolve(remaining, worth, state, settings=chosen).rule == evolution.rule


def test_the_same_stream_gives_the_same_run_and_another_one_another():
    runs = [evolve(*start()) for _ in range(2)]
    assert same(*runs)
    other = evolve(*start(repeat=1))
    assert not np.array_equal(other.population.genome.condition, runs[0].population.genome.condition)


@pytest.mark.parametrize("stepwise", [False, True])
def test_runs_leave_the_global_generators_alone(stepwise):
    before, numpy_before = random.getstate(), np.random.get_state()[1].tolist()  # noqa: NPY002
    remaining, worth, state = start()
    evolve(remaining, worth, state, settings=GASettings(n_generations=3), stepwise=stepwise)
    assert random.getstate() == before
    assert np.random.get_state()[1].tolist() == numpy_before  # noqa: NPY002


def test_settings_and_toolbox_together_set_sizes_and_operators():
    remaining, worth, state = start()
    toolbox = Toolbox(GASettings(mutation_rate=0.5))
    evolution = evolve(
        remaining, worth, state, toolbox=toolbox, settings=GASettings(population_size=10, n_generations=2)
    )
    assert evolution.records.shape == (3, 4)
    assert len(evolution.population) == 10


@pytest.mark.parametrize("stepwise", [False, True])
def test_a_tournament_of_more_than_the_population_is_refused(stepwise):
    remaining, worth, state = start()
    toolbox = Toolbox(GASettings(tournament_size=5))
    with pytest.raises(ParameterError, match=r"between 1 and the 4 individuals\. Got 5"):
        evolve(
            remaining,
            worth,
            state,
            toolbox=toolbox,
            settings=GASettings(population_size=4),
            stepwise=stepwise,
        )


def test_the_first_population_is_pruned_too():
    # a peer prunes children only
    remaining, _, state = start()
    worth = attribute_worth(remaining.conditions, np.zeros(3))
    evolution = evolve(remaining, worth, state, settings=GASettings(n_generations=0))
    assert evolution.population.genome.active.sum(axis=1).tolist() == [2] * 200


def test_uncrossed_children_mutate_and_are_evaluated_again():
    # a peer mutates crossed children only, and keeps the old fitness of uncrossed ones that it pruned
    remaining, worth, state = start()
    chosen = GASettings(crossover_rate=0.0, mutation_rate=0.5, n_generations=3, population_size=50)
    evolution = evolve(remaining, worth, state, settings=chosen)
    assert len(np.unique(evolution.population.genome.condition, axis=0)) > 40
    again = Population(evolution.population.conditions, evolution.population.genome, np.empty(50))
    evaluation(again, evolution.run)
    assert again.fitness.tolist() == evolution.population.fitness.tolist()


def test_without_a_gene_there_is_an_error_that_says_so():
    remaining = ConditionTable.build(table_of([[1, 1]], [0, 1])).remaining()
    with pytest.raises(DataError, match="at least two values"):
        evolve(remaining, gain_worth(remaining), stream_state(0, "x"))


def test_absent_classes_cannot_be_evolved():
    # a peer runs them, and scores a rule for an absent class as perfect
    remaining, worth, state = start(table_of([[1, 2, 3]], [0, 2, 2]))
    with pytest.raises(DataError, match="class 1"):
        evolve(remaining, worth, state, consequent=1)


def test_a_single_gene_a_single_row_and_a_single_class_are_fine():
    # traps: crossover of one gene, 0 * log 0, no negatives
    chosen = GASettings(population_size=6, n_generations=3)
    for table in (table_of([[1, 2, 2]], [0, 0, 0]), table_of([[1, 2]], [1, 0])):
        for alive in (None, np.array([True] + [False] * (table.n_rows - 1))):
            remaining = ConditionTable.build(table).remaining(alive)
            evolution = evolve(remaining, gain_worth(remaining), stream_state(0, "x"), settings=chosen)
            assert np.isfinite(evolution.population.fitness).all()
            assert evolution.fitness == 1.0
