import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evorules.evolution import (
    ConditionTable,
    GASettings,
    attribute_worth,
    class_rules,
    evolve,
    gain_worth,
    sequential_niching,
)
from evorules.evolution.toolbox import Toolbox
from tests.reference.ga_tables import table_of, tables
from trees.errors import ParameterError
from trees.seeding import stream_state

QUICK = GASettings(population_size=20, n_generations=5, heuristic="gain")
IMPROVED = GASettings(population_size=20, n_generations=5, measure="m_estimate", min_conditions=3, norm="max")


def noisy(n=120, seed=0):
    rng = np.random.default_rng(seed)
    x, c, other = rng.integers(0, 12, n), rng.integers(0, 3, n), rng.integers(0, 9, n)
    y = np.where(rng.random(n) < 0.1, rng.integers(0, 2, n), (x > 6) ^ (c == 1))
    return table_of([x.tolist(), (3, c.tolist()), other.tolist()], y.astype(int).tolist())


@settings(deadline=None, max_examples=25)
@given(data=st.data(), improved=st.booleans(), seed=st.integers(0, 99))
def test_each_rule_takes_the_rows_of_its_class_and_the_rest_goes_to_the_next(data, improved, seed):
    table = data.draw(tables(max_rows=40))
    conditions = ConditionTable.build(table)
    accuracy = np.linspace(0.2, 1.0, table.n_attributes)
    niches = sequential_niching(
        conditions, root=seed, settings=IMPROVED if improved else QUICK, accuracy=accuracy
    )
    alive = np.ones(table.n_rows, dtype=np.bool_)
    for rule in niches.rules:
        assert alive.sum() > 5
        covered = rule.match(table) & alive
        counts = np.bincount(table.classes[covered], table.weight[covered], table.n_classes)
        assert rule.counts == pytest.approx(tuple(counts))
        # the consequent is the majority of what is covered, and at least one row is right
        assert rule.correct == pytest.approx(counts.max())
        assert rule.correct > 0
        assert rule.conditions
        alive &= ~(covered & (table.classes == rule.consequent))
    assert niches.left.tolist() == np.flatnonzero(alive).tolist()
    assert niches.n_runs == len(niches.rules) + niches.n_failures
    if niches.stop_reason == "rows":
        assert alive.sum() <= 5
    elif niches.stop_reason == "failures":
        assert niches.n_failures == 3
    else:
        assert niches.stop_reason == "genes"
        assert conditions.n_genes == 0


@pytest.mark.parametrize("heuristic", ["tree", "gain"])
def test_every_run_is_an_evolution_on_the_rows_still_there_with_its_own_stream(heuristic):
    table = noisy()
    conditions = ConditionTable.build(table)
    chosen = GASettings(population_size=20, n_generations=5, heuristic=heuristic)
    accuracy = np.array([0.5, 0.3, 0.2])
    niches = sequential_niching(
        conditions, root=7, stage="test", list_index=2, settings=chosen, accuracy=accuracy
    )
    assert len(niches.rules) > 1
    alive = np.ones(conditions.n_rows, dtype=np.bool_)
    y = table.classes[conditions.rows]
    for r, rule in enumerate(niches.rules):
        remaining = conditions.remaining(alive)
        worth = gain_worth(remaining) if heuristic == "gain" else attribute_worth(conditions, accuracy)
        again = evolve(remaining, worth, stream_state(7, "test", 2, 0, r), settings=chosen)
        assert again.rule == rule
        alive &= ~(rule.match(table.take(conditions.rows)) & (y == rule.consequent))


def test_wrongly_covered_rows_stay():
    table = noisy()
    niches = sequential_niching(ConditionTable.build(table), root=1, settings=QUICK)
    first = niches.rules[0]
    assert first.errors > 0
    assert sum(niches.rules[1].counts) <= table.n_rows - first.correct


def test_five_rows_or_fewer_need_no_rule():
    niches = sequential_niching(
        ConditionTable.build(table_of([[1, 2, 3, 4, 5]], [0, 1, 0, 1, 0])), root=0, settings=QUICK
    )
    assert (niches.rules, niches.n_runs, niches.stop_reason) == ((), 0, "rows")
    assert niches.left.tolist() == [0, 1, 2, 3, 4]
    more = sequential_niching(
        ConditionTable.build(table_of([[1, 2, 3, 4, 5]], [0, 1, 0, 1, 0])), root=0, settings=QUICK, stop=4
    )
    assert more.n_runs > 0


def test_runs_that_cover_nothing_right_end_the_loop_after_the_third():
    # a peer loops for ever here
    toolbox = Toolbox(QUICK)
    toolbox.register("prune", lambda individual: [gene._replace(active=False) for gene in individual])
    niches = sequential_niching(ConditionTable.build(noisy()), root=0, toolbox=toolbox)
    assert (niches.rules, niches.n_runs, niches.n_failures) == ((), 3, 3)
    assert niches.stop_reason == "failures"
    assert len(niches.left) == 120


def test_the_number_of_rules_is_bounded():
    niches = sequential_niching(ConditionTable.build(noisy()), root=0, settings=QUICK, max_rules=2)
    assert (len(niches.rules), niches.stop_reason) == (2, "rules")


def test_one_time_budget_holds_for_all_runs_and_keeps_the_rules_found():
    chosen = GASettings(n_generations=10**9, time_budget=0.3, heuristic="gain")
    began = time.monotonic()
    niches = sequential_niching(ConditionTable.build(noisy()), root=0, settings=chosen)
    assert time.monotonic() - began < 5
    assert niches.stop_reason == "time"
    assert len(niches.rules) == 1


def test_ctrl_c_keeps_the_rules_found():
    runs = []

    def interrupt(individual):
        if len(runs) == 2:
            raise KeyboardInterrupt
        return individual

    toolbox = Toolbox(QUICK)
    toolbox.register("mutate", interrupt)
    niches = sequential_niching(
        ConditionTable.build(noisy()), root=0, toolbox=toolbox, observer=runs.append, stop=0
    )
    assert niches.stop_reason == "interrupt"
    assert niches.n_runs == 3
    assert runs[-1].stop_reason == "interrupt"


def test_the_heuristic_of_the_tree_needs_its_accuracies():
    with pytest.raises(ParameterError, match="attribute_accuracy"):
        sequential_niching(ConditionTable.build(noisy()), root=0)


def test_lists_with_other_numbers_are_other_lists():
    conditions = ConditionTable.build(noisy())
    lists = [sequential_niching(conditions, root=0, list_index=i, settings=QUICK).rules for i in (0, 1, 0)]
    assert lists[0] == lists[2]
    assert lists[0] != lists[1]


def test_a_leaf_gets_one_rule_for_each_class_that_is_in_it():
    # class 1 is declared and absent: no run, so that no rule for it can win
    table = table_of([[1, 2, 3, 4, 5, 6], (2, [0, 1, 0, 1, 0, 1])], [0, 2, 0, 2, 0, 2], n_classes=3)
    conditions = ConditionTable.build(table)
    rules = class_rules(conditions, root=3, disjunct=4, settings=QUICK)
    assert [rule.consequent for rule in rules] == [0, 2]
    assert [rule.counts for rule in rules] == [(3.0, 0.0, 0.0), (0.0, 0.0, 3.0)]
    remaining = conditions.remaining()
    for rule in rules:
        state = stream_state(3, "ga-small", 4, rule.consequent, 0)
        again = evolve(remaining, gain_worth(remaining), state, consequent=rule.consequent, settings=QUICK)
        assert again.rule == rule


def test_threads_find_the_same_rules_as_one_after_the_other():
    conditions = ConditionTable.build(noisy())

    def rules(disjunct):
        return class_rules(conditions, root=0, disjunct=disjunct, settings=QUICK)

    alone = [rules(disjunct) for disjunct in range(12)]
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(rules, range(12))) == alone


def test_pure_leaves_and_leaves_without_an_attribute_need_no_run():
    assert class_rules(ConditionTable.build(table_of([[1, 2]], [1, 1])), root=0, settings=QUICK) == ()
    assert class_rules(ConditionTable.build(table_of([[1, 1]], [0, 1])), root=0, settings=QUICK) == ()
