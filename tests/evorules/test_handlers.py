"""Nearest neighbours, naive Bayes, removal, the gate for all, and pooled rule lists: worked numbers."""

import json
import math

import numpy as np
import pandas as pd
import pytest

from evorules.datasets import load
from evorules.hybrids import (
    DisjunctProblem,
    GALargeSN,
    GASmall,
    NaiveBayes,
    NearestNeighbours,
    Removal,
    SecondTree,
    SmallDisjunctClassifier,
)
from evorules.hybrids.evidence import LeafGate, pessimistic_accuracy
from evorules.hybrids.handler import Answer, most_frequent
from evorules.hybrids.pooling import majority_of_lists, pooled_by_laplace
from evorules.hybrids.problem import small_leaves
from evorules.hybrids.removal import chance_of
from trees import C45Classifier, ParameterError, Rule, Table
from trees.rule import Condition

GA = {"population_size": 30, "n_generations": 8}


@pytest.fixture(scope="module")
def board():
    data = load("tic-tac-toe")
    return Table.from_frame(data.X, data.y)


@pytest.fixture(scope="module")
def problem(board):
    return problem_of(board, 15)


def problem_of(table, threshold, tree=None):
    tree = tree or C45Classifier().build_tree(table)
    from trees.growth.descend import apply

    home = apply(tree, table.X)
    return DisjunctProblem(table, tree, home, small_leaves(tree, threshold), 7, None, lambda done: None)


def stump(table):
    """A tree that is one leaf, so that every row is in the same disjunct."""
    return C45Classifier(min_cases=10**6).build_tree(table)


def rows_of(*rows):
    return pd.DataFrame(list(rows), columns=["x", "c"])


def asked(table, x, c):
    """One row with codes of the table."""
    values = table.schema.attributes[1].values
    return Table(table.schema, np.array([[x, np.nan if c is None else values.index(c)]]))


@pytest.fixture
def line():
    """Numbers from 0 to 1, with a value."""
    frame = rows_of((0.0, "a"), (0.2, "a"), (0.5, "b"), (1.0, "a"), (0.5, "a"))
    return Table.from_frame(frame, ["n", "y", "n", "y", "y"])


def test_the_distance_of_a_number_and_a_mismatch_is_that_of_the_worked_example(line):
    # hybrid-ga, section 8: numeric .2 against .5 and a mismatch: sqrt(.09 + 1) = 1.0440
    handler = NearestNeighbours(k=5).fit(problem_of(line, 15, stump(line)))
    squares, found = handler.neighbours(asked(line, 0.2, "a"))
    assert found.tolist() == [[1, 0, 4, 3, 2]]
    np.testing.assert_allclose(squares[0], [0.0, 0.04, 0.09, 0.64, 1.09])
    assert math.sqrt(squares[0, 4]) == pytest.approx(1.0440, abs=5e-5)


def test_a_missing_cell_is_at_distance_1_and_a_constant_at_0():
    table = Table.from_frame(rows_of((3.0, "a"), (3.0, None), (None, "a"), (3.0, "b")), list("ppqq"))
    handler = NearestNeighbours(k=4).fit(problem_of(table, 15, stump(table)))
    assert handler.neighbours(asked(table, 8.0, "a"))[0].tolist() == [[0.0, 1.0, 1.0, 1.0]]
    assert handler.neighbours(asked(table, np.nan, None))[0].tolist() == [[2.0, 2.0, 2.0, 2.0]]


def test_rows_at_the_same_distance_answer_in_training_order(line):
    problem = problem_of(line, 15, stump(line))
    handler = NearestNeighbours().fit(problem)
    # .35 is as far from .2 as from .5; the row of .2 comes first
    assert handler.neighbours(asked(line, 0.35, "a"))[1].tolist() == [[1]]
    assert line.schema.classes[handler.decide(asked(line, 0.35, "a"), np.zeros(1, np.int32)).label[0]] == "y"


def test_neighbours_vote_with_the_inverse_of_their_squared_distance(line):
    handler = NearestNeighbours(k=3).fit(problem_of(line, 15, stump(line)))
    answer = handler.decide(asked(line, 0.0, "a"), np.zeros(1, np.int32))
    # n: 1 / .01 = 100; y: 1 / .05 + 1 / .26 = 23.846
    np.testing.assert_allclose(answer.scores, [[100 / 123.84615, 23.84615 / 123.84615]], rtol=1e-6)
    assert answer.evidence.tolist() == [[[3.0, 2.0]]]


def test_a_row_of_weight_2_is_two_neighbours(line):
    twice = line.take([0, 1, 1, 2, 3, 4])
    weighed = line.with_weight(np.array([1.0, 2.0, 1.0, 1.0, 1.0]))
    row = asked(line, 0.1, "a")
    for k in (1, 2, 3, 4):
        one, other = (
            NearestNeighbours(k=k).fit(problem_of(table, 15, stump(table))).decide(row, np.zeros(1, np.int32))
            for table in (twice, weighed)
        )
        np.testing.assert_allclose(one.scores, other.scores)
        np.testing.assert_array_equal(one.evidence, other.evidence)


def test_light_rows_are_taken_until_they_weigh_k(line):
    light = line.with_weight(np.full(5, 0.5))
    handler = NearestNeighbours(k=1).fit(problem_of(light, 15, stump(light)))
    assert handler.neighbours(asked(light, 0.0, "a"))[1].tolist() == [[0, 1]]
    everything = NearestNeighbours(k=9).fit(problem_of(light, 15, stump(light)))
    assert everything.neighbours(asked(light, 0.0, "a"))[1].shape == (1, 5)


def test_the_rows_stored_are_those_of_the_small_leaves_or_all(board, problem):
    assert NearestNeighbours().fit(problem).n_rows_ == len(problem.small_rows)
    assert NearestNeighbours(ib_data="all").fit(problem).n_rows_ == 958


def test_nearest_rows_equal_those_of_a_plain_sort(board, problem):
    handler = NearestNeighbours(k=5, ib_data="all").fit(problem)
    squares, found = handler.neighbours(board.take(range(0, 958, 50)))
    for i, row in enumerate(range(0, 958, 50)):
        distance = (board.X[row] != board.X).sum(axis=1)
        order = np.argsort(distance, kind="stable")[:5]
        assert found[i].tolist() == order.tolist()
        assert squares[i].tolist() == distance[order].tolist()


def test_naive_bayes_of_a_worked_example():
    frame = pd.DataFrame({"u": list("aaabbb"), "v": ["p", "q", None, "p", "q", "q"]})
    table = Table.from_frame(frame, list("yyynny"))
    handler = NaiveBayes().fit(problem_of(table, 15, stump(table)))
    row = Table(table.schema, np.array([[0.0, 0.0]]))
    answer = handler.decide(row, np.zeros(1, np.int32))
    # y: 4 of 6, a 3 of 4, p 1 of the 3 known: 5/8 * 4/6 * 2/5; n: 2 of 6, a 0 of 2, p 1 of 2: 3/8 * 1/4 * 2/4
    y, n = 5 / 8 * 4 / 6 * 2 / 5, 3 / 8 * 1 / 4 * 2 / 4
    np.testing.assert_allclose(answer.scores, [[n / (n + y), y / (n + y)]])
    missing = handler.decide(Table(table.schema, np.array([[np.nan, np.nan]])), np.zeros(1, np.int32))
    np.testing.assert_allclose(missing.scores, [[3 / 8, 5 / 8]])
    assert answer.evidence is None


def test_naive_bayes_asks_the_first_node_upwards_of_50_rows(problem):
    handler = NaiveBayes().fit(problem)
    tree = problem.tree
    for leaf in np.flatnonzero(problem.small).tolist():
        node = int(handler._node_of[leaf])
        climbing = leaf
        while climbing != node:
            assert tree.weight[climbing] < 50
            climbing = int(tree.parent[climbing])
        assert tree.weight[node] >= 50
        np.testing.assert_allclose(handler._priors[node], tree.class_weight[node])
    assert NaiveBayes(min_rows=1e6).fit(problem)._node_of.max() == 0


def test_removal_by_size_answers_with_what_is_left_under_the_nearest_node():
    # x <= 3: y (6 of 6); x > 3: c = a: n (3 of 3, small), c = b: y (3 of 4), c = d: n (5 of 5)
    x = [1] * 6 + [9] * 12
    c = list("aabbdd") + list("aaabbbbddddd")
    y = list("yyyyyy") + list("nnnyyynnnnnn")
    table = Table.from_frame(pd.DataFrame({"x": np.array(x, float), "c": c}), y)
    tree = C45Classifier(prune=False, min_cases=2).build_tree(table)
    problem = problem_of(table, 3, tree)
    small = np.flatnonzero(problem.small & (tree.weight > 0)).tolist()
    assert [tree.weight[leaf] for leaf in small] == [3.0]
    handler = Removal().fit(problem)
    assert handler.removed_.tolist() == small
    answer = handler.decide(table.take([6]), np.array(small, np.int32))
    # under the parent are left 4 rows of y (3) and n (1), and 5 of n
    np.testing.assert_allclose(answer.scores, [[6 / 9, 3 / 9]])
    assert table.schema.classes[answer.label[0]] == "n"
    # with all leaves struck out the training set decides: 9 of 18 each, class order
    whole = Removal().fit(problem_of(table, 99, tree))
    assert whole.decide(table.take([6]), np.array(small, np.int32)).label.tolist() == [0]


def test_removal_keeps_the_leaves_that_chance_does_not_explain(problem):
    handler = Removal(test="significance", alpha=0.05).fit(problem)
    chances = {leaf: chance_of(problem.tree, leaf) for leaf in np.flatnonzero(problem.small).tolist()}
    assert handler.removed_.tolist() == [leaf for leaf, chance in chances.items() if chance > 0.05]
    assert 0 < len(handler.removed_) < len(chances)
    kept = np.array([leaf for leaf, chance in chances.items() if chance <= 0.05], np.int32)
    answer = handler.decide(problem.table.take(np.zeros(len(kept), int)), kept)
    assert set(answer.label.tolist()) == {-1}


def test_the_chance_of_a_leaf_is_a_binomial_tail():
    table = Table.from_frame(pd.DataFrame({"c": list("aaaabbbbbbbb")}), list("yyyn") + list("nnnnnnny"))
    tree = C45Classifier(prune=False).build_tree(table)
    chances = sorted(chance_of(tree, leaf) for leaf in tree.leaves.tolist())
    # 3 or 4 of 4 are y at 4/12: 4 * (1/27) * (2/3) + 1/81 = 9/81;
    # 7 or 8 of 8 are n at 8/12: 8 * (2/3)^7 / 3 + (2/3)^8
    np.testing.assert_allclose(chances, [9 / 81, 8 * (2 / 3) ** 7 / 3 + (2 / 3) ** 8])


def test_every_gate_lets_pass_only_what_exceeds_the_leaf(problem):
    for handler in (
        SecondTree(overrule="pessimistic"),
        GASmall(overrule="pessimistic", **GA),
        NearestNeighbours(k=5, ib_data="all", overrule="pessimistic"),
        NearestNeighbours(k=5, ib_data="all", overrule="laplace"),
    ):
        handler.fit(problem)
        table, home = problem.table.take(problem.small_rows), problem.home[problem.small_rows]
        raw, answer = handler.propose(table, home), handler.decide(table, home)
        n, e = raw.evidence[:, 0, 0], raw.evidence[:, 0, 1]
        leaf_n = problem.tree.weight[home]
        leaf_e = leaf_n - problem.tree.class_weight[home, problem.tree.label[home]]
        if handler.overrule == "laplace":
            mine, leaf = (n - e + 1) / (n + 2), (leaf_n - leaf_e + 1) / (leaf_n + 2)
        else:
            mine = np.array([pessimistic_accuracy(*pair) for pair in zip(n, e, strict=True)])
            leaf = np.array([pessimistic_accuracy(*pair) for pair in zip(leaf_n, leaf_e, strict=True)])
        np.testing.assert_array_equal(answer.label, np.where(mine <= leaf, -1, raw.label))
        assert (answer.label != raw.label).any()
        assert (answer.label >= 0).any()


def test_the_evidence_of_a_second_tree_is_its_leaf(problem):
    handler = SecondTree().fit(problem)
    answer = handler.decide(problem.table.take(problem.small_rows), problem.home[problem.small_rows])
    for rule, (n, e) in zip(answer.rule.tolist(), answer.evidence[:, 0].tolist(), strict=True):
        assert (n, e) == (handler.rules_[rule].covered, handler.rules_[rule].errors)


def test_both_takes_the_lesser_of_two_estimates():
    gate = LeafGate("both", 2, np.array([0.6, 0.6]))
    evidence = np.array([[[19.0, 1.0], [6.0, 2.0]], [[19.0, 1.0], [19.0, 1.0]], [[np.nan, np.nan]] * 2])
    # hybrid-improved, section 0: 18 of 19 -> .867, 4 of 6 -> .443
    np.testing.assert_allclose(gate.estimates(evidence), [0.443, 0.867, np.nan], atol=5e-4)
    assert gate.blocked(evidence, np.zeros(3, np.int32)).tolist() == [True, False, False]


def test_handlers_without_evidence_have_no_gate():
    for handler in (NaiveBayes, Removal):
        with pytest.raises(TypeError, match="overrule"):
            handler(overrule="pessimistic")


def test_handlers_come_back_from_json(problem):
    table, home = problem.table.take(problem.small_rows), problem.home[problem.small_rows]
    for handler in (
        NearestNeighbours(k=3, overrule="laplace"),
        NaiveBayes(),
        Removal(test="significance"),
        GALargeSN(n_lists=2, combine="laplace", **GA),
        GALargeSN(n_lists=2, overrule="both", **GA),
    ):
        handler.fit(problem)
        state = json.loads(json.dumps(handler.to_dict(), allow_nan=False))
        again = type(handler)(**handler.get_params()).restore(state, problem.table.schema, problem.tree)
        one, other = handler.decide(table, home), again.decide(table, home)
        np.testing.assert_array_equal(one.label, other.label)
        np.testing.assert_array_equal(one.scores, other.scores)


def test_of_equal_scores_the_class_more_frequent_in_training_wins():
    scores = np.array([[1.0, 1.0, 2.0], [0.5, 1.0, 1.0]])
    assert most_frequent(scores, np.array([3.0, 5.0, 0.0])).tolist() == [1, 1]
    assert most_frequent(scores[:, :2], np.array([4.0, 4.0])).tolist() == [0, 1]


@pytest.fixture
def leaf_of_six():
    """A single leaf with 4 rows of class b and 2 of class a."""
    table = Table.from_frame(pd.DataFrame({"x": [1.0, 2, 3, 4, 5, 6]}), list("aabbbb"))
    return table, stump(table)


def covering(label, counts):
    return Rule((), label, counts)


def test_pooled_rules_vote_with_laplace_and_the_leaf_with_its_own_per_list(leaf_of_six):
    table, tree = leaf_of_six
    row, home = table.take([0]), np.zeros(1, np.int32)
    # the leaf says b: 3 * (4 + 1) / (6 + 2) = 1.875
    two = [covering(0, (18.0, 1.0)), covering(0, (18.0, 1.0))]  # 2 * 19/21 = 1.810
    assert pooled_by_laplace(two, 3, tree, row, home).label.tolist() == [-1]
    # a rule that covers no row weighs 1/K
    third = [*two, covering(0, (0.0, 0.0))]
    answer = pooled_by_laplace(third, 3, tree, row, home)
    assert (answer.label.tolist(), answer.rule.tolist()) == ([0], [0])
    a = 2 * 19 / 21 + 1 / 2
    np.testing.assert_allclose(answer.scores, [[a / (a + 1.875), 1.875 / (a + 1.875)]])
    assert answer.evidence.tolist() == [[[19.0, 1.0]]]


def test_a_tie_of_the_pool_goes_to_the_tree(leaf_of_six):
    table, tree = leaf_of_six
    # the leaf: 1 * 5/8; a rule of 4 of 6: 5/8 as well
    answer = pooled_by_laplace([covering(0, (4.0, 2.0))], 1, tree, table.take([0]), np.zeros(1, np.int32))
    assert answer.label.tolist() == [-1]


def test_the_majority_of_the_lists_counts_and_ties_go_to_the_tree(leaf_of_six):
    table, tree = leaf_of_six
    gate = LeafGate.of(tree, "pessimistic")  # the leaf: .443

    def says(label, n, e):
        scores = np.array([[0.9, 0.1]] if label == 0 else [[0.1, 0.9]])
        return Answer(
            np.array([label], np.int32), scores, np.array([3], np.int32), np.array([[[n, e]]], float)
        )

    strong, weak = says(0, 19, 1), says(0, 2, 1)
    for answers, expected in (
        ([strong, strong, weak], 0),  # the weak one is blocked and stands for b
        ([strong, weak, weak], -1),
        ([strong, weak], -1),
        ([weak, strong, strong], 0),
    ):
        result = majority_of_lists(answers, gate, tree, table.take([0]), np.zeros(1, np.int32))
        assert result.label.tolist() == [expected]
        assert result.rule.tolist() == [3 if expected == 0 else -1]


def test_more_lists_begin_with_the_same_list(problem):
    one = GALargeSN(**GA).fit(problem)
    three = GALargeSN(n_lists=3, combine="laplace", **GA).fit(problem)
    first = [rule for rule in three.rules_ if rule.scores["list"] == 0]
    assert [rule.conditions for rule in first] == [rule.conditions for rule in one.rules_]
    assert {rule.scores["list"] for rule in three.rules_} == {0.0, 1.0, 2.0}
    assert "estimate" not in three.rules_[0].scores


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"combine": "laplace", "overrule": "pessimistic"}, r"'overrule' parameter .* must be None with"),
        ({"combine": "laplace", "default": "rest"}, r"'default' parameter .* must be None with"),
        (
            {"n_lists": 2, "overrule": "none", "conflict": "fitness_run"},
            r"'conflict' parameter .* must be 'order' with n_lists=2",
        ),
    ],
)
def test_what_does_not_go_together_is_refused(parameters, message, problem):
    with pytest.raises(ParameterError, match=message):
        GALargeSN(**parameters, **GA).fit(problem)


def test_the_improved_hybrid_answers_as_before_the_gate_was_shared(board):
    model = SmallDisjunctClassifier(handler=GALargeSN(**GA), random_state=0).fit(board)
    rules, tree = model.handler_.rules_, model.tree_
    home = model.apply(board)
    expected = model.tree_predict(board).copy()
    for row in np.flatnonzero(model.in_small_disjunct(board)).tolist():
        for rule in rules:
            if rule.match(board.take([row])).all():
                n = tree.weight[home[row]]
                e = n - tree.class_weight[home[row], tree.label[home[row]]]
                if pessimistic_accuracy(rule.covered, rule.errors) > pessimistic_accuracy(n, e):
                    expected[row] = board.schema.classes[rule.consequent]
                break
    np.testing.assert_array_equal(model.predict(board), expected)


def test_a_condition_on_a_missing_cell_is_not_covered_by_the_pool(leaf_of_six):
    table, tree = leaf_of_six
    row = Table(table.schema, np.array([[np.nan]]))
    rule = Rule((Condition(0, "<=", 9.0),), 0, (50.0, 0.0))
    assert pooled_by_laplace([rule] * 9, 3, tree, row, np.zeros(1, np.int32)).label.tolist() == [-1]


def test_the_leaves_are_the_rules_where_no_rule_was_found():
    X, y = pd.DataFrame({"x": np.zeros(6)}), list("AAAABB")
    for handler in (GALargeSN(**GA), GALargeSN(n_lists=2, **GA), Removal(test="significance", alpha=0.99)):
        model = SmallDisjunctClassifier(handler=handler, random_state=0).fit(X, y)
        assert model.handler_.leaves_stand
        assert len(model.rules_) == 1
    rest = SmallDisjunctClassifier(handler=GALargeSN(variant="paper", **GA), random_state=0).fit(X, y)
    assert not rest.handler_.leaves_stand


@pytest.mark.parametrize("handler", ["eac", "lac", "boosted-rules", "nearest", "second-tree"])
def test_probabilities_sum_to_one_where_declared_classes_have_no_rows(handler):
    n = np.arange(60)
    X = pd.DataFrame({"a": np.array(list("xyz"))[n % 3], "b": (n * 7 % 20).astype(float)})
    y = pd.Categorical(np.where((n % 3 == 0) | (n * 7 % 20 > 13), "p", "q"), categories=["r", "q", "p", "s"])
    model = SmallDisjunctClassifier(handler=handler, threshold=60, random_state=0).fit(X, y)
    assert model.handler_ is not None
    np.testing.assert_allclose(model.predict_proba(X).sum(axis=1), 1.0, rtol=1e-12)
