from functools import partial

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reference import rules_plain
from reference.play10 import cars, named
from reference.rules_plain import antecedents_of, random_table, rows_of

from evorules.items import CarSet, Items
from evorules.mining import Apriori
from evorules.rules import RuleSet, TrainingRules
from evorules.rules.ordering import csa
from evorules.rules.pruning import (
    Pruner,
    Selection,
    correlated,
    cover,
    error_limits,
    general,
    keep_all,
    majority,
    one_per_antecedent,
    pessimistic,
)
from trees.discretize import MDLP
from trees.errors import DataError, ParameterError
from trees.rule import RuleList
from trees.table import Table


def ranked(**options):
    mined = cars(**options)
    mined = mined.take(csa(mined))
    return mined, TrainingRules.of_cars(mined)


def random_cars(seed, n_classes=2, missing=0.1, **table_options):
    X, y = random_table(seed, n_classes=n_classes, missing=missing, **table_options)
    table = Table.from_frame(X, y)
    items = Items.of(table, MDLP().fit(table))
    mined = Apriori(0.05, 0.4, max_len=3).mine(items)
    mined = mined.take(csa(mined))
    return mined, TrainingRules.of_cars(mined), rows_of(items, table), table.classes.tolist()


def test_eighteen_of_the_rules_of_the_ten_rows_are_general():
    # specification of CMAR, worked examples
    mined, rules = ranked()
    kept = general(rules)
    assert (len(mined), len(kept)) == (32, 18)
    matching = {"cool, false", "sunny, high", "false", "cool", "sunny", "high"}
    antecedents = {name.split(" => ")[0] for name in named(mined.take(kept))}
    assert matching <= antecedents
    assert "cool, normal, false" not in antecedents


def test_three_of_them_are_significant():
    mined, rules = ranked()
    kept = Pruner((general, correlated))(rules).kept
    assert named(mined.take(kept)) == [
        "normal, false => yes 5/5",
        "sunny, mild => no 2/2",
        "sunny, high => no 2/2",
    ]


@pytest.mark.parametrize(("delta", "n_kept"), [(1, 4), (2, 7), (3, 11), (4, 12)])
def test_database_coverage_of_the_general_rules(delta, n_kept):
    mined, rules = ranked()
    chosen = Pruner((general,), partial(cover, delta=delta))(rules)
    assert len(chosen.kept) == n_kept
    if delta == 1:
        assert named(mined.take(chosen.kept)) == [
            "normal, false => yes 5/5",
            "overcast => yes 2/2",
            "sunny, mild => no 2/2",
            "true => no 2/3",
        ]
        # nothing is left uncovered, so the default is the majority
        assert (chosen.default, chosen.default_counts.tolist()) == (0, [0, 0])


def test_critical_values_are_those_of_the_tables():
    # chi-square of 3.841459 at .05: a rule just between 3.841 and the exact value stays
    _, rules = ranked()
    assert correlated(rules, alpha=0.05).tolist() == correlated(rules, alpha=0.0500001).tolist()
    assert len(correlated(rules, alpha=0.5)) > len(correlated(rules, alpha=0.05))
    assert len(correlated(rules, alpha=1e-9)) == 0


@settings(deadline=None, max_examples=30)
@given(seed=st.integers(0, 10_000), proper=st.booleans())
def test_general_rules_are_found_by_inclusion(seed, proper):
    mined, rules, _, _ = random_cars(seed)
    assert general(rules, proper=proper).tolist() == rules_plain.general(antecedents_of(mined), proper)


def test_general_rules_do_not_depend_on_lengths():
    # trap 5 of the notes on other programs: they compare lengths, and throw {b} away because of {a, c}
    table = Table.from_frame(pd.DataFrame({n: ["t"] * 4 for n in "abc"}), list("xxyy"))
    items = Items.of(table, MDLP().fit(table))
    mined = CarSet.of_rules(items, [([0, 2], 0), ([1], 0), ([0, 1, 2], 0), ([0], 0), ([0, 1], 0)])
    assert general(TrainingRules.of_cars(mined)).tolist() == [0, 1, 3]


def test_a_rule_without_conditions_generalises_all_behind_it():
    table = Table.from_frame(pd.DataFrame({"a": ["t"] * 4}), list("xxyy"))
    items = Items.of(table, MDLP().fit(table))
    rules = TrainingRules.of_cars(CarSet.of_rules(items, [([0], 0), ([], 0), ([0], 1), ([], 1)]))
    assert general(rules).tolist() == [0, 1, 3]
    assert general(rules, proper=False).tolist() == [0, 1]


def test_of_one_antecedent_the_first_rule_stays():
    mined, rules = ranked()
    kept = mined.take(one_per_antecedent(rules))
    # sunny is yes 2/4 and no 2/4, high likewise: as many, so the class that comes first
    assert set(named(mined)) - set(named(kept)) == {"sunny => no 2/4", "high => no 2/4"}
    assert len(kept) == 30


@settings(deadline=None, max_examples=25)
@given(seed=st.integers(0, 10_000), delta=st.integers(1, 4), n_classes=st.sampled_from([2, 3]))
def test_coverage_keeps_what_plain_loops_keep(seed, delta, n_classes):
    mined, rules, rows, y = random_cars(seed, n_classes)
    kept, times = rules_plain.cover(antecedents_of(mined), mined.consequent.tolist(), rows, y, delta)
    chosen = cover(rules, delta=delta)
    assert chosen.kept.tolist() == kept
    left = [sum(t == 0 and c == own for t, own in zip(times, y, strict=True)) for c in range(len(set(y)))]
    totals = mined.items.class_totals.tolist()
    assert chosen.default_counts.tolist() == left
    assert chosen.default == (
        rules_plain.leader(left, totals) if any(left) else rules_plain.leader(totals, totals)
    )


def test_error_limits_are_those_of_the_specification():
    # specification of CBA: exact binomial limits, and C4.5's own for (16, 1)
    n, e = np.array([6, 9, 1, 16, 10, 8]), np.array([0, 0, 0, 1, 2, 1])
    exact = [0.2063, 0.1428, 0.75, 0.1596, 0.3554, 0.3027]
    np.testing.assert_allclose(error_limits(n, e, 0.25, "exact"), exact, atol=5e-5)
    assert round(float(error_limits(np.array([16]), np.array([1]), 0.25)[0]), 3) == 0.157
    assert error_limits(np.array([3]), np.array([3]), 0.25, "exact").tolist() == [1.0]
    with pytest.raises(ParameterError, match="'c45' or 'exact'"):
        error_limits(n, e, 0.25, "normal")


@pytest.mark.parametrize("covered", [1, 2, 7, 30])
def test_exact_limits_are_those_of_bisection(covered):
    wrong = np.arange(covered + 1)
    plain = [rules_plain.exact_binomial_limit(covered, e, 0.25) for e in wrong.tolist()]
    np.testing.assert_allclose(
        error_limits(np.full(covered + 1, covered), wrong, 0.25, "exact"), plain, atol=1e-9
    )


@settings(deadline=None, max_examples=25)
@given(seed=st.integers(0, 10_000), method=st.sampled_from(["c45", "exact"]))
def test_pessimistic_pruning_is_that_of_plain_loops(seed, method):
    mined, rules, rows, y = random_cars(seed, n_rows=90)
    kept = []
    for r, antecedent in enumerate(antecedents_of(mined)):
        n, right = int(mined.covered[r]), int(mined.correct[r])
        own = error_limits(np.array([n]), np.array([n - right]), 0.25, method)[0]
        shorter = np.array(rules_plain.deletions(antecedent, mined.consequent[r], rows, y))
        if np.all(error_limits(shorter[:, 0], shorter[:, 0] - shorter[:, 1], 0.25, method) >= own):
            kept.append(r)
    assert pessimistic(rules, method=method).tolist() == kept


def test_pessimistic_pruning_weighs_single_conditions_against_the_class_alone():
    # 9 of 10 rows are x. "t" covers 3 rows, 2 of them x: worse than no condition at all
    table = Table.from_frame(pd.DataFrame({"a": list("tttsssssss")}), list("xxyxxxxxxx"))
    items = Items.of(table, MDLP().fit(table))
    mined = CarSet.of_rules(items, [([0], 0), ([1], 0)])
    assert pessimistic(TrainingRules.of_cars(mined)).tolist() == [1]


def test_positions_lead_back_through_all_filters():
    _, rules = ranked()
    odd = lambda some: np.arange(1, len(some), 2)  # noqa: E731
    chosen = Pruner((odd, odd), lambda some: Selection(np.array([0, 2]), 1))(rules)
    assert (chosen.kept.tolist(), chosen.default) == ([3, 11], 1)
    assert keep_all(rules).kept.tolist() == list(range(32))


def test_the_majority_is_settled_by_the_training_rows_then_by_class_order():
    assert majority(np.array([2, 2, 1]), np.array([3, 9, 9])) == 1
    assert majority(np.array([2, 2, 2]), np.array([3, 9, 9])) == 1
    assert majority(np.array([0, 0, 0]), np.array([3, 3, 1])) == 0


def test_counts_on_the_training_rows_are_those_of_the_miner():
    mined, rules, _, _ = random_cars(3, n_classes=3)
    np.testing.assert_array_equal(rules.counts.class_counts, mined.counts.class_counts)
    np.testing.assert_array_equal(rules.take([4, 1]).counts.class_counts, mined.counts.class_counts[[4, 1]])
    for r in (0, 5):
        assert rules.class_of_words(rules.covered_rows(r)).tolist() == mined.counts.class_counts[r].tolist()


def test_rules_from_elsewhere_are_counted_and_pruned_alike():
    X, y = random_table(4, missing=0.1)
    table = Table.from_frame(X, y)
    items = Items.of(table, MDLP().fit(table))
    mined = Apriori(0.05, 0.4, max_len=3).mine(items)
    mined = mined.take(csa(mined))
    forgetful = RuleList(
        tuple(r.__class__(r.conditions, r.consequent, (0, 0)) for r in mined.rules()), table.schema
    )
    rules = TrainingRules.of_rules(RuleSet.of_rules(forgetful, [0, 0]), table)
    np.testing.assert_array_equal(rules.counts.class_counts, mined.counts.class_counts)
    native = TrainingRules.of_cars(mined)
    for part in (general, one_per_antecedent, correlated, pessimistic):
        assert part(rules).tolist() == part(native).tolist()
    assert cover(rules, delta=2).kept.tolist() == cover(native, delta=2).kept.tolist()


def test_weights_count_rows_and_other_weights_are_refused():
    X, y = random_table(4)
    table = Table.from_frame(X, y)
    items = Items.of(table, MDLP().fit(table))
    rules = RuleSet.of_cars(Apriori(0.05, 0.4).mine(items))
    twice = TrainingRules.of_rules(rules, table.with_weight(np.full(table.n_rows, 2.0)))
    np.testing.assert_array_equal(twice.counts.class_counts, 2 * rules.counts.class_counts)
    with pytest.raises(DataError, match="must be whole numbers"):
        TrainingRules.of_rules(rules, table.with_weight(np.full(table.n_rows, 0.5)))
    with pytest.raises(DataError, match="other attributes than the rules"):
        TrainingRules.of_rules(rules, table.select([0]))
