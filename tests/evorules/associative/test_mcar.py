import numpy as np
import pandas as pd
from reference.play10 import X, Y, cars, named
from reference.rules_plain import random_table

from evorules.associative import MCARClassifier
from evorules.associative.mcar import first_rows, in_shuffled_rows
from evorules.rules import TrainingRules
from evorules.rules.ordering import mcar


def test_the_list_of_the_ten_rows():
    # specification of MCAR; nothing is left uncovered, so the default is the majority
    model = MCARClassifier(min_support=2, random_state=0).fit(X, Y)
    assert named(model.rules_) == [
        "normal, false => yes 5/5",
        "overcast => yes 2/2",
        "sunny, mild => no 2/2",
        "true => no 2/3",
    ]
    assert model.schema_.classes[model.rules_.default] == "yes"
    assert model.score(X, Y) == 1.0


def test_the_rule_that_covers_the_earlier_row_goes_first():
    # three rules alike in every other key; the shuffle alone ranks them, and all six orders come up
    frame = pd.DataFrame({"a": list("pqrs")})
    y = ["x", "x", "x", "y"]
    orders = set()
    for seed in range(60):
        rules = MCARClassifier(random_state=seed).fit(frame, y).rules_
        orders.add("".join("pqrs"[rule.conditions[0].codes[0]] for rule in rules))
    assert len(orders) == 6
    assert all(order[-1] == "s" for order in orders)


def test_the_shuffle_knows_rows_by_what_they_hold():
    frame, y = random_table(3, n_rows=80)
    order = np.random.default_rng(0).permutation(80)
    plain = MCARClassifier(random_state=4).fit(frame, y)
    shuffled = MCARClassifier(random_state=4).fit(
        frame.astype(pd.CategoricalDtype(list("abc"))).iloc[order], y[order]
    )
    declared = MCARClassifier(random_state=4).fit(frame.astype(pd.CategoricalDtype(list("abc"))), y)
    assert str(shuffled.rules_) == str(declared.rules_)
    assert len(plain.rules_) > 0


def test_first_rows_are_the_least_numbers_of_the_rows_covered():
    rules = TrainingRules.of_cars(cars())
    asked = np.array([0, 5, 9])
    least = first_rows(rules, asked, np.random.default_rng(1))
    none = np.iinfo(np.uint64).max
    assert np.flatnonzero(least != none).tolist() == asked.tolist()
    # a rule that covers a part of another's rows cannot be earlier
    everything = first_rows(rules, np.arange(len(rules)), np.random.default_rng(1))
    for r in range(len(rules)):
        for other in range(len(rules)):
            inside = rules.covered_rows(r)
            if np.all(inside & rules.covered_rows(other) == inside):
                assert everything[other] <= everything[r]


def test_the_shuffle_settles_ties_only():
    rules = TrainingRules.of_cars(cars())
    keys = np.stack([rules.counts.correct, rules.counts.covered, rules.size, rules.counts.in_class])
    for root in (1, 2):
        order = in_shuffled_rows(rules, root=root)
        np.testing.assert_array_equal(keys[:, order], keys[:, mcar(rules)])
    assert in_shuffled_rows(rules, root=1).tolist() != in_shuffled_rows(rules, root=2).tolist()


def test_rules_that_a_better_one_subsumes_are_dropped_unless_asked():
    frame, y = random_table(6, n_rows=150)
    pruned = MCARClassifier(random_state=0).fit(frame, y).rules_
    full = MCARClassifier(prune_subsumed=False, random_state=0).fit(frame, y).rules_
    assert len(pruned) < len(full)
    sets = [set(rule.conditions) for rule in pruned]
    assert not any(sets[a] < sets[b] for b in range(len(sets)) for a in range(b))
