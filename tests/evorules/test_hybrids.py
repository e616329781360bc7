"""Small disjuncts: which leaves are small, who answers for their rows, when a rule may overrule its leaf."""

import numpy as np
import pandas as pd
import pytest

from evorules.datasets import load
from evorules.evaluation import DisjunctScores, cross_validate_disjuncts
from evorules.hybrids import DisjunctProblem, GALargeSN, GASmall, SecondTree, SmallDisjunctClassifier
from evorules.hybrids.evidence import LeafGate, estimated_accuracy, pessimistic_accuracy
from evorules.hybrids.handler import peaked
from evorules.hybrids.problem import small_leaves
from evorules.learners import make_learner
from trees import C45Classifier, ParameterError, Rule, Table

GA = {"population_size": 30, "n_generations": 8}


@pytest.fixture(scope="module")
def board():
    data = load("tic-tac-toe")
    return Table.from_frame(data.X, data.y)


@pytest.fixture(scope="module")
def problem(board):
    tree = C45Classifier().build_tree(board)
    home = C45Classifier().fit(board).apply(board)
    return DisjunctProblem(board, tree, home, small_leaves(tree, 15), 7, None, lambda done: None)


def test_a_leaf_of_exactly_the_threshold_is_small_and_so_is_an_empty_one(board):
    tree = C45Classifier(prune=False).build_tree(board)
    sizes = tree.weight[tree.leaves]
    small = small_leaves(tree, 15)[tree.leaves]
    np.testing.assert_array_equal(small, sizes <= 15)
    assert (sizes == 0).any()
    assert small[sizes == 0].all()
    assert not small_leaves(tree, 15)[tree.kind != 0].any()


def test_training_set_2_is_the_union_of_the_rows_of_all_small_leaves(problem):
    sizes = problem.tree.weight[problem.home]
    np.testing.assert_array_equal(problem.small_rows, np.flatnonzero(sizes <= 15))
    assert sum(len(problem.rows_of(leaf)) for leaf in np.flatnonzero(problem.small)) == len(
        problem.small_rows
    )


def test_the_rows_under_parents_contain_the_siblings_of_small_leaves(problem):
    tree = problem.tree
    parents = {int(tree.parent[leaf]) for leaf in np.flatnonzero(problem.small & (tree.weight > 0))}
    below = set()
    for node, path in tree.walk():
        if parents & {above for above, _ in path}:
            below.add(node)
    np.testing.assert_array_equal(problem.parent_rows, np.flatnonzero(np.isin(problem.home, list(below))))
    assert set(problem.small_rows) < set(problem.parent_rows)


def test_the_attributes_tested_above_a_leaf(problem):
    for leaf, conditions in problem.tree.paths():
        assert problem.tested_above(leaf) == {condition.attribute for condition in conditions}


def test_pessimistic_estimates_of_the_worked_example():
    # hybrid-improved, section 0: 4 of 6 right -> .443; 18 of 19 -> .867
    assert pessimistic_accuracy(6, 2) == pytest.approx(0.443, abs=5e-4)
    assert pessimistic_accuracy(19, 1) == pytest.approx(0.867, abs=5e-4)
    assert pessimistic_accuracy(0, 0) == 0
    assert estimated_accuracy(6, 2, "laplace", 2) == pytest.approx(5 / 8)


def test_large_leaves_answer_as_the_tree_does(board):
    for handler in (SecondTree(), GASmall(**GA), GALargeSN(**GA), GALargeSN(variant="paper", **GA)):
        model = SmallDisjunctClassifier(handler=handler, random_state=0).fit(board)
        large = ~model.in_small_disjunct(board)
        np.testing.assert_array_equal(model.predict(board)[large], model.tree_predict(board)[large])
        assert (model.predict(board)[~large] != model.tree_predict(board)[~large]).any()


def test_without_a_small_leaf_the_hybrid_is_its_tree(board):
    model = SmallDisjunctClassifier(handler=GALargeSN(**GA), threshold=1e-6, random_state=0).fit(board)
    alone = C45Classifier().fit(board)
    assert model.handler_ is None
    np.testing.assert_array_equal(model.predict_proba(board), alone.predict_proba(board))
    assert str(model.rules_) == str(alone.rules_)


def test_the_second_tree_is_grown_on_the_rows_of_the_small_leaves(board, problem):
    model = SmallDisjunctClassifier(handler=SecondTree()).fit(board)
    second = C45Classifier().build_tree(board.take(problem.small_rows))
    assert str(model.handler_.tree_) == str(second)


def test_disjuncts_tell_size_class_and_errors_of_every_leaf(board):
    model = SmallDisjunctClassifier(handler="none").fit(board)
    table = model.disjuncts_
    assert table["size"].sum() == 958
    assert len(table) == model.tree_.n_leaves
    wrong = (model.predict(board) != load("tic-tac-toe").y.astype(str)).sum()
    assert table["errors"].sum() == wrong
    np.testing.assert_array_equal(table["small"], table["size"] <= 15)


def test_a_share_of_the_rows_is_a_threshold_too(board):
    share = SmallDisjunctClassifier(handler="none", threshold=15 / 958).fit(board)
    count = SmallDisjunctClassifier(handler="none", threshold=15).fit(board)
    pd.testing.assert_frame_equal(share.disjuncts_, count.disjuncts_)


def test_rules_are_those_of_large_leaves_and_of_the_handler(board):
    model = SmallDisjunctClassifier(handler=GALargeSN(**GA), random_state=0).fit(board)
    large = int((~model.disjuncts_["small"]).sum())
    assert [rule.scope for rule in model.rules_] == ["all"] * large + ["small"] * len(model.handler_.rules_)


def test_decisions_name_the_rule_that_decided(board):
    model = SmallDisjunctClassifier(handler=GALargeSN(**GA), random_state=0).fit(board)
    decisions = model.decide(board)
    for row in range(0, board.n_rows, 37):
        number = decisions.rule[row]
        if number >= 0:
            rule = model.rules_[int(number)]
            assert rule.match(board.take([row])).all()
            assert rule.consequent == decisions.label[row]


def gated(problem, **parameters):
    """A fitted GALargeSN with one rule for class 1 that covers everything."""
    handler = GALargeSN(**parameters)
    handler._list_of, handler._defaults = [0], [-1]
    handler.gate_ = LeafGate.of(problem.tree, handler._gate_kind())
    rule = Rule((), 1, (0.0, 10.0), scores={"fitness": 0.5})
    small = DisjunctProblem(problem.table, problem.tree, problem.home, problem.small, 0, None, problem.report)
    handler.rules_ = handler._weighed(small, (rule,))
    return handler


def test_a_rule_overrules_only_a_leaf_of_lower_estimate(problem):
    handler = gated(problem)
    rule = handler.rules_[0]
    estimate = pessimistic_accuracy(rule.covered, rule.errors)
    assert rule.scores["estimate"] == estimate
    leaves = np.flatnonzero(problem.small)
    table = problem.table.take(np.zeros(len(leaves), dtype=int))
    answer = handler.decide(table, leaves.astype(np.int32))
    for leaf, label in zip(leaves.tolist(), answer.label.tolist(), strict=True):
        n = problem.tree.weight[leaf]
        e = n - problem.tree.class_weight[leaf, problem.tree.label[leaf]] if n else 0
        assert label == (1 if estimate > pessimistic_accuracy(n, e) else -1)
    assert {-1, 1} <= set(answer.label.tolist())


def test_an_equal_estimate_lets_the_leaf_stand(problem):
    handler = gated(problem)
    leaf = int(np.flatnonzero(problem.small)[0])
    handler.gate_.leaf_estimate[leaf] = handler.rules_[0].scores["estimate"]
    assert handler.decide(problem.table.take([0]), np.array([leaf], np.int32)).label.tolist() == [-1]


def test_a_blocked_first_rule_is_not_followed_by_a_later_one(problem):
    handler = gated(problem)
    weak, strong = handler.rules_[0], Rule((), 0, (9.0, 0.0), scores={"fitness": 1.0, "estimate": 1.0})
    handler.rules_, handler._list_of = (weak, strong), [0, 0]
    own = handler._evidence[0]
    handler._evidence = np.array([own, [[1e6, 0]]])
    leaf = int(np.flatnonzero(problem.small)[0])
    handler.gate_.leaf_estimate[leaf] = 0.99
    assert handler.decide(problem.table.take([0]), np.array([leaf], np.int32)).label.tolist() == [-1]
    handler.rules_, handler._evidence = (strong, weak), handler._evidence[::-1]
    assert handler.decide(problem.table.take([0]), np.array([leaf], np.int32)).label.tolist() == [0]


def test_the_paper_predicts_the_majority_of_the_rest_where_no_rule_covers(problem):
    handler = GALargeSN(variant="paper", **GA)
    left = problem.small_rows[problem.table.classes[problem.small_rows] == 0][:3]
    assert handler._majority(problem, left) == 0
    whole = np.bincount(problem.table.classes[problem.small_rows])
    assert handler._majority(problem, np.empty(0, dtype=np.int64)) == int(whole.argmax())


def test_conflicts_go_to_the_first_or_to_the_fittest_rule(problem):
    handler = GALargeSN(variant="paper", conflict="fitness_run")
    handler._list_of, handler._defaults, handler._evidence = [0, 0], [0], np.ones((2, 1, 2))
    handler.gate_ = LeafGate("none", 2, np.zeros(2))
    slow, fit = (
        Rule((), 0, (1.0, 0.0), scores={"fitness": 0.2}),
        Rule((), 1, (0.0, 1.0), scores={"fitness": 0.9}),
    )
    handler.rules_ = (slow, fit)
    row, home = problem.table.take([0]), np.array([1], np.int32)
    assert handler.decide(row, home).label.tolist() == [1]
    assert handler.set_params(conflict="order").decide(row, home).label.tolist() == [0]


def test_a_gate_needs_the_order_of_discovery(board):
    handler = GALargeSN(conflict="fitness_full", **GA)
    with pytest.raises(
        ParameterError, match=r"'overrule' parameter of GALargeSN must be 'none' with conflict"
    ):
        SmallDisjunctClassifier(handler=handler, random_state=0).fit(board)


def test_more_rows_under_parents_than_allowed_are_sampled_beside_all_small_ones(problem):
    rows = GALargeSN(max_rows=len(problem.small_rows) + 10)._rows(problem)
    assert len(rows) == len(problem.small_rows) + 10
    assert set(problem.small_rows) < set(rows.tolist()) <= set(problem.parent_rows.tolist())
    np.testing.assert_array_equal(GALargeSN(max_rows=2)._rows(problem), problem.small_rows)
    np.testing.assert_array_equal(GALargeSN(variant="paper")._rows(problem), problem.small_rows)


def test_ga_small_uses_no_attribute_of_the_path_and_orders_rules_by_fitness(problem):
    handler = GASmall(**GA).fit(problem)
    path = dict(problem.tree.paths())
    last = None
    for leaf, own, rule in zip(handler._leaves, handler._own, handler.rules_, strict=True):
        above = {condition.attribute for condition in path[leaf]}
        assert not above & {condition.attribute for condition in own.conditions}
        assert above <= {condition.attribute for condition in rule.conditions}
        assert problem.small[leaf]
        if last is not None and last[0] == leaf:
            assert last[1] >= own.scores["fitness"]
        last = (leaf, own.scores["fitness"])
    assert len(handler.rules_) > 0


def test_scores_agree_with_the_label_even_if_the_counts_do_not():
    scores = peaked(np.array([[3.0, 1.0], [1.0, 1.0], [0.0, 0.0]]), np.array([1, 1, 0], np.int32))
    assert scores.tolist() == [[0.25, 0.75], [0.5, 0.5], [0.5, 0.5]]


def test_scores_by_size_of_disjunct():
    scores = DisjunctScores.of(np.array([True, False, True, True]), np.array([True, True, False, False]))
    assert (scores.accuracy, scores.large_accuracy, scores.small_accuracy) == (0.75, 1.0, 0.5)


def test_cross_validation_repeats_only_stochastic_learners(board):
    learners = {
        "tree": make_learner("c45"),
        "second": make_learner("double-c45"),
        "ga": make_learner("ga-large-sn", population_size=10, n_generations=2),
    }
    scores = cross_validate_disjuncts(learners, board, folds=2, seeds=(0, 1, 2))
    assert scores.groupby("learner").size().to_dict() == {"tree": 2, "second": 2, "ga": 6}
    assert (scores["large_rows"] + scores["small_rows"] == 479).all()
    assert scores.groupby("fold")["small_rows"].nunique().eq(1).all()


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"threshold": 0}, r"'threshold' parameter .* must be an int in \[1, inf\) or a float in \(0, 1\)"),
        ({"handler": "ga"}, "'handler' parameter .* must be 'auto', .*'ga-large-sn'"),
        ({"tree": "c45"}, "'tree' parameter .* must be None or a C45Classifier"),
        ({"random_state": -1}, "'random_state' parameter"),
        (
            {"handler": GALargeSN(variant="new")},
            "'variant' parameter of GALargeSN must be 'improved' or 'paper'",
        ),
        (
            {"handler": GASmall(population_size=1)},
            r"'population_size' parameter of GASmall must be an int in \[2",
        ),
    ],
)
def test_wrong_parameters_are_named(parameters, message, board):
    with pytest.raises(ParameterError, match=message):
        SmallDisjunctClassifier(**parameters).fit(board)


def test_parameters_of_a_learner_by_name_reach_the_part_that_has_them():
    model = make_learner("ga-large-sn", variant="paper", threshold=10, tree__min_cases=5)
    assert (model.handler.variant, model.threshold, model.tree.min_cases) == ("paper", 10, 5)
    with pytest.raises(
        ParameterError, match=r"Neither SmallDisjunctClassifier nor GALargeSN has a parameter 'sise'"
    ):
        make_learner("ga-large-sn", sise=3)
    with pytest.raises(ParameterError, match=r"no learner 'ga-larg-sn' \(known: 'ga-large-sn'"):
        make_learner("ga-larg-sn")
    with pytest.raises(
        ParameterError, match=r"C45Classifier has no parameter 'min_case' \(known: 'min_cases'"
    ):
        make_learner("c45", min_case=3)
