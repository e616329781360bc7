import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evorules.evolution import ConditionTable, gain_worth
from evorules.evolution.fitness import FITNESS, count_covered
from evorules.evolution.operators import Run, evaluation, initialisation, mutation
from tests.reference.ga_tables import parts, table_of, tables
from trees.rule import Rule
from trees.seeding import stream_state


@settings(deadline=None, max_examples=40)
@given(data=st.data(), measure=st.sampled_from(list(FITNESS)))
def test_the_compiled_fitness_equals_the_public_measure_of_the_counts(data, measure):
    table = data.draw(tables())
    conditions = ConditionTable.build(table)
    if conditions.n_genes == 0:
        return
    remaining = conditions.remaining(np.isin(np.arange(table.n_rows), data.draw(parts(table))))
    target = data.draw(st.integers(-1, len(conditions.class_codes) - 1))
    run = Run(remaining, gain_worth(remaining), stream_state(0, "fitness"), target)
    population = initialisation(run, 12)
    mutation(population, run, rate=0.3)
    evaluation(population, run, measure=measure)
    counts, n_active = count_covered(remaining, population.genome, target)
    expected = np.where(n_active > 0, FITNESS[measure](counts), 0.0)
    assert population.fitness.tolist() == pytest.approx(expected.tolist(), abs=1e-12)
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
