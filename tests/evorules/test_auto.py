"""The remedy chosen by inner validation."""

import json

import numpy as np
import pandas as pd
import pytest

from evorules.datasets import load
from evorules.export.model_file import model_from_dict, model_to_dict
from evorules.hybrids import (
    Auto,
    DisjunctProblem,
    GALargeSN,
    NearestNeighbours,
    SecondTree,
    SmallDisjunctClassifier,
)
from evorules.hybrids.auto import CANDIDATES, inner_folds
from evorules.hybrids.problem import small_leaves
from evorules.learners import make_learner
from trees import C45Classifier, DataError, ParameterError, Table
from trees.growth.descend import apply, predict_codes

GA = GALargeSN(population_size=20, n_generations=4)
DETERMINISTIC = ("nearest", "naive-bayes", "second-tree")


@pytest.fixture(scope="module")
def board():
    data = load("tic-tac-toe")
    return Table.from_frame(data.X, data.y)


def problem_of(table, threshold=15.0, root=7):
    tree = C45Classifier().build_tree(table)
    home, small = apply(tree, table.X), small_leaves(tree, threshold)
    return DisjunctProblem(table, tree, home, small, root, None, lambda done: None, threshold)


@pytest.fixture(scope="module")
def problem(board):
    return problem_of(board)


def test_folds_part_the_rows_and_keep_the_shares_of_the_classes(problem):
    folds = list(inner_folds(problem))
    assert len(folds) == 5
    np.testing.assert_array_equal(np.sort(np.concatenate([held for _, held in folds])), np.arange(958))
    for train, held in folds:
        assert len(np.intersect1d(train, held)) == 0
        # 626 of the 958 boards are won by x
        assert abs(np.bincount(problem.table.classes[held]).max() - 626 / 5) < 1
    again = list(inner_folds(problem))
    np.testing.assert_array_equal(again[2][1], folds[2][1])


@pytest.mark.parametrize(("n", "n_folds", "held"), [(2999, 5, 600), (3000, 3, 1000), (8001, 1, 2667)])
def test_larger_tables_get_fewer_folds(n, n_folds, held):
    table = Table.from_frame(pd.DataFrame({"x": np.arange(n) % 7}), np.arange(n) % 2)
    folds = list(inner_folds(problem_of(table)))
    assert len(folds) == n_folds
    assert max(len(validation) for _, validation in folds) == held


def test_the_largest_net_above_its_margin_wins_and_of_equals_the_first(problem):
    tried = [(10.0, "nearest"), (10.0, "second-tree"), (15.0, "nearest"), (15.0, "second-tree")]

    def chosen(*changes):
        auto = Auto()
        auto._choose(problem, tried, np.array([[50, b, w] for b, w in changes]))
        table = auto.selection_
        return np.flatnonzero(table["chosen"]).tolist(), table["eligible"].tolist()

    # 9 > 7, but 9 > 9 and 1 > 1 are not
    assert chosen((5, 2), (6, 3), (1, 0), (0, 4)) == ([0], [True, False, False, False])
    assert chosen((0, 0), (9, 2), (9, 2), (8, 2)) == ([1], [False, True, True, True])
    assert chosen((30, 28), (0, 0), (0, 9), (1, 0)) == ([], [False] * 4)


def test_the_table_counts_what_each_candidate_changes_for_the_better_and_the_worse(problem):
    auto = Auto(thresholds=(10,), candidates=("nearest",)).fit(problem)
    rows = b = w = 0
    for train, held in inner_folds(problem):
        training, validation = problem.table.take(train), problem.table.take(held)
        tree = C45Classifier().build_tree(training)
        asked = np.flatnonzero(small_leaves(tree, 10)[apply(tree, validation.X)])
        inner = DisjunctProblem(
            training, tree, apply(tree, training.X), small_leaves(tree, 10), 0, None, lambda done: None
        )
        handler = NearestNeighbours(k=5, ib_data="all").fit(inner)
        part = validation.take(asked)
        answer = handler.decide(part, apply(tree, part.X)).label
        before, truth = predict_codes(tree, part.X), part.classes
        rows += len(asked)
        b += int(((before != truth) & (answer == truth)).sum())
        w += int(((before == truth) & (answer != truth)).sum())
    line = auto.selection_.iloc[0]
    assert (line["rows"], line["b"], line["w"], line["net"]) == (rows, b, w, b - w)
    assert line["margin"] == pytest.approx(np.sqrt(b + w))


def test_candidates_are_tried_by_threshold_in_the_order_of_the_list(problem):
    auto = Auto(ga=GA).fit(problem)
    # specification of the improved hybrid, section 3
    names = ["ga-large-sn", "nearest", "naive-bayes", "lac", "second-tree"]
    assert auto.selection_["S"].tolist() == [10.0] * 5 + [15.0] * 5
    assert auto.selection_["handler"].tolist() == names * 2
    assert set(CANDIDATES) == {*names, "boosted-rules"}


def test_the_winner_is_refitted_on_all_rows_and_answers_under_its_threshold(board):
    model = SmallDisjunctClassifier(handler=Auto(candidates=DETERMINISTIC), random_state=0).fit(board)
    handler = model.handler_
    assert handler.selection_["chosen"].sum() == 1
    line = model.selection_[model.selection_["chosen"]].iloc[0]
    assert handler.threshold_ == line["S"]
    alone = SmallDisjunctClassifier(handler=handler._handler(line["handler"]), threshold=int(line["S"]))
    np.testing.assert_array_equal(model.predict(board), alone.fit(board).predict(board))


def test_none_leaves_the_tree_as_it_is(board):
    class Worse(Auto):
        def _tally(self, *arguments):
            return np.array([[40, 2, 9], [60, 3, 2]])

    handler = Worse(candidates=("second-tree",))
    model = SmallDisjunctClassifier(handler=handler, random_state=0).fit(board)
    assert model.selection_["net"].tolist() == [-35, 5]
    assert not model.selection_["chosen"].any()
    assert model.handler_.chosen_ is None
    # the leaves answer, so they are the rules
    assert str(model.rules_) == str(C45Classifier().fit(board).rules_)
    np.testing.assert_array_equal(model.predict(board), model.tree_predict(board))


def test_thresholds_above_that_of_the_classifier_are_left_out(board):
    ten = SmallDisjunctClassifier(handler=Auto(candidates=("second-tree",)), threshold=10, random_state=0)
    assert set(ten.fit(board).selection_["S"]) == {10.0}
    eight = SmallDisjunctClassifier(handler=Auto(candidates=("second-tree",)), threshold=8, random_state=0)
    assert set(eight.fit(board).selection_["S"]) == {8.0}


def test_leaves_above_the_chosen_threshold_are_among_the_rules(board):
    class Ten(Auto):
        def _tally(self, *arguments):
            return np.array([[40, 9, 0], [60, 3, 2]])

    handler = Ten(candidates=("second-tree",))
    model = SmallDisjunctClassifier(handler=handler, random_state=0).fit(board)
    assert (model.handler_.threshold_, model.threshold) == (10.0, 15)
    tree, decisions = model.tree_, model.decide(board)
    between = np.flatnonzero((tree.kind == 0) & (tree.weight > 10) & (tree.weight <= 15))
    home = model.apply(board)
    rows = np.flatnonzero(np.isin(home, between))
    assert len(rows) > 0
    rules = [model.rules_[number] for number in decisions.rule[rows].tolist()]
    assert all(rule.scope == "all" for rule in rules)
    assert [rule.covered for rule in rules] == tree.weight[home[rows]].tolist()
    # as with the handler alone at that threshold
    alone = SmallDisjunctClassifier(handler=SecondTree(), threshold=10).fit(board)
    assert str(model.rules_) == str(alone.rules_)


def test_lazy_association_is_no_candidate_with_weights_that_are_no_whole_numbers(board):
    half = board.with_weight(np.full(board.n_rows, 1.5))
    auto = Auto(thresholds=(15,), ga=GA).fit(problem_of(half))
    assert auto.selection_["handler"].tolist() == ["ga-large-sn", "nearest", "naive-bayes", "second-tree"]
    with pytest.raises(DataError, match=r"sample_weight must be whole numbers"):
        Auto(candidates=("lac",)).fit(problem_of(half))


def test_lazy_association_is_that_of_the_specification(board):
    handler = Auto()._handler("lac").fit(problem_of(board))
    assert (handler.rank, handler.min_support, handler.rows) == ("laplace", 1, "all")
    # C(9, 3) * 15 words * 2 classes is 2520
    assert handler.max_len_ == 3
    assert handler.items_.n_rows == 958


def test_boosted_rules_are_a_candidate_if_named(board):
    model = SmallDisjunctClassifier(
        handler=Auto(thresholds=(15,), candidates=("second-tree", "boosted-rules")), random_state=0
    ).fit(board)
    chosen = model.handler_.selection_.query("chosen")["handler"].tolist()
    assert chosen == ["boosted-rules"]
    again = model_from_dict(json.loads(json.dumps(model_to_dict(model))))
    np.testing.assert_array_equal(again.predict_proba(board), model.predict_proba(board))


def test_the_tree_of_the_folds_is_that_of_the_classifier(board, monkeypatch):
    grown = []
    original = C45Classifier.build_tree
    monkeypatch.setattr(
        C45Classifier, "build_tree", lambda self, table: grown.append(self.min_cases) or original(self, table)
    )
    tree = C45Classifier(min_cases=4)
    SmallDisjunctClassifier(tree, Auto(candidates=("nearest",)), random_state=0).fit(board)
    assert grown == [4] * 6


def test_the_choice_comes_back_from_json(problem):
    auto = Auto(candidates=DETERMINISTIC).fit(problem)
    state = json.loads(json.dumps(auto.to_dict(), allow_nan=False))
    again = Auto(candidates=DETERMINISTIC).restore(state, problem.table.schema, problem.tree)
    pd.testing.assert_frame_equal(again.selection_, auto.selection_)
    table, home = problem.table.take(problem.small_rows), problem.home[problem.small_rows]
    np.testing.assert_array_equal(again.decide(table, home).label, auto.decide(table, home).label)


def test_ctrl_c_leaves_the_choice_to_the_folds_finished(problem, monkeypatch):
    fitted = []

    def fit(self, inner):
        fitted.append(1)
        if len(fitted) == 3:
            raise KeyboardInterrupt
        return original(self, inner)

    original = SecondTree._fit
    monkeypatch.setattr(SecondTree, "_fit", fit)
    auto = Auto(thresholds=(15,), candidates=("second-tree",))
    with pytest.warns(UserWarning, match=r"Auto: fit was interrupted"):
        auto.fit(problem)
    held = [validation for _, validation in inner_folds(problem)][:2]
    assert auto.selection_["rows"].iloc[0] <= sum(map(len, held))


def test_it_is_a_learner_of_the_registry():
    assert make_learner("auto", thresholds=(10,), threshold=10).handler.thresholds == (10,)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"candidates": ("lazy",)}, r"'candidates' parameter of Auto must be None or a sequence of"),
        ({"thresholds": (0,)}, r"'thresholds' parameter of Auto must be a sequence of numbers of at least 1"),
        ({"ga": SecondTree()}, r"'ga' parameter of Auto must be None or a GALargeSN"),
    ],
)
def test_wrong_parameters_are_named(parameters, message, problem):
    with pytest.raises(ParameterError, match=message):
        Auto(**parameters).fit(problem)
