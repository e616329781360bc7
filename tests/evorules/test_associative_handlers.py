"""Eager and lazy association for small disjuncts. Numbers: hand calculation, the plain search."""

import json

import numpy as np
import pandas as pd
import pytest
from reference import lazy_plain

from evorules.datasets import load
from evorules.hybrids import DisjunctProblem, SmallDisjunctClassifier
from evorules.hybrids.associative import EagerAssociative, LazyAssociative, affordable_length
from evorules.hybrids.evidence import pessimistic_accuracy
from evorules.hybrids.problem import small_leaves
from evorules.learners import make_learner
from trees import C45Classifier, ParameterError, Table
from trees.errors import MiningLimitError
from trees.growth.descend import apply


@pytest.fixture(scope="module")
def board():
    data = load("tic-tac-toe")
    return Table.from_frame(data.X, data.y)


def problem_of(table, threshold=15.0):
    tree = C45Classifier().build_tree(table)
    home, small = apply(tree, table.X), small_leaves(tree, threshold)
    return DisjunctProblem(table, tree, home, small, 7, None, lambda done: None, threshold)


@pytest.fixture(scope="module")
def problem(board):
    return problem_of(board)


def asked(problem):
    return problem.table.take(problem.small_rows), problem.home[problem.small_rows]


def one_disjunct(frame, classes):
    """All rows in one leaf, so that every row is in the same disjunct."""
    table = Table.from_frame(frame, classes)
    tree = C45Classifier(min_cases=10**6).build_tree(table)
    home = apply(tree, table.X)
    return DisjunctProblem(table, tree, home, small_leaves(tree, 100), 0, None, lambda done: None)


@pytest.fixture
def leaf():
    """x=a: p 3 of 3 (Laplace 4/5); x=b: q 3 of 4 (4/6); y tells nothing."""
    frame = pd.DataFrame({"x": list("aaabbbb"), "y": list("uvuvuvu")})
    return one_disjunct(frame, list("pppqqqp"))


def test_the_best_rule_for_the_row_answers_with_its_counts(leaf):
    handler = LazyAssociative().fit(leaf)
    answer = handler.decide(leaf.table.take([0, 4]), leaf.home[[0, 4]])
    assert answer.label.tolist() == [0, 1]
    # the second row is b and v: b and v covers rows 4 and 6, q 1 and 1; b alone q 3 of 4
    assert answer.evidence.tolist() == [[[3.0, 0.0]], [[4.0, 1.0]]]
    np.testing.assert_allclose(answer.scores, [[1, 0], [0.25, 0.75]])
    assert answer.rule.tolist() == [-1, -1]
    assert handler.rules_ == ()


def test_a_row_with_no_item_of_the_training_rows_gets_their_majority(leaf):
    handler = LazyAssociative().fit(leaf)
    strange = Table(leaf.table.schema, np.full((1, 2), np.nan))
    answer = handler.decide(strange, leaf.home[:1])
    assert answer.label.tolist() == [0]
    np.testing.assert_allclose(answer.scores, [[4 / 7, 3 / 7]])
    assert np.isnan(answer.evidence).all()


def test_eager_rules_are_in_order_without_those_that_never_answer(leaf):
    handler = EagerAssociative(min_support=1, min_confidence=0.0).fit(leaf)
    texts = [rule.describe(leaf.table.schema) for rule in handler.rules_]
    # longer rules with x come after shorter ones that are no worse; y = v is behind x, which every row has
    assert texts[:2] == ["IF x = a THEN class = p", "IF x = b AND y = v THEN class = q"]
    assert {rule.scope for rule in handler.rules_} == {"small"}
    sizes = [{(c.attribute, c.value) for c in rule.conditions} for rule in handler.rules_]
    assert not any(sizes[i] <= sizes[j] for i in range(len(sizes)) for j in range(i + 1, len(sizes)))


def test_the_lazy_answer_is_that_of_the_plain_search(problem):
    handler = LazyAssociative(max_len=2).fit(problem)
    table, home = asked(problem)
    answer = handler.decide(table, home)
    rows = handler.items_.encode(table).tolist()
    options = {
        "rank": "laplace",
        "min_support": 1,
        "min_confidence": 0.0,
        "max_len": 2,
        "minimal": False,
        "projection": "shared",
    }
    for r in range(0, len(rows), 25):
        rules = lazy_plain.generated(rows, table.classes.tolist(), rows[r], 2, options)
        _, label, counts = lazy_plain.best_rule(rules, options, 2)
        assert answer.label[r] == label
        assert answer.evidence[r, 0].tolist() == [sum(counts), sum(counts) - counts[label]]


@pytest.mark.parametrize("rank", ["gain", "confidence", "laplace"])
def test_with_support_as_a_number_of_rows_eager_and_lazy_rules_answer_alike(problem, rank):
    # theorem 3 of the paper: only the threshold differs
    table, home = asked(problem)
    options = {"rank": rank, "min_support": 3, "min_confidence": 0.5, "max_len": 3}
    eager = EagerAssociative(**options).fit(problem).decide(table, home)
    lazy = LazyAssociative(**options).fit(problem).decide(table, home)
    covered = eager.rule >= 0
    assert covered.any()
    np.testing.assert_array_equal(eager.label[covered], lazy.label[covered])
    np.testing.assert_array_equal(eager.evidence[covered], lazy.evidence[covered])


def test_where_no_eager_rule_covers_the_leaf_stands(problem):
    table, home = asked(problem)
    answer = EagerAssociative(min_support=10, min_confidence=0.9).fit(problem).decide(table, home)
    assert (answer.rule < 0).any()
    np.testing.assert_array_equal(answer.label < 0, answer.rule < 0)
    nothing = EagerAssociative(min_support=10**6).fit(problem)
    assert nothing.leaves_stand
    assert (nothing.decide(table, home).label == -1).all()


@pytest.mark.parametrize("handler", [LazyAssociative, EagerAssociative])
def test_rules_from_all_rows_are_weighed_on_those_of_the_small_leaves(problem, handler):
    fitted = handler(rows="all", overrule="pessimistic", min_support=5).fit(problem)
    table, home = asked(problem)
    raw, answer = fitted.propose(table, home), fitted.decide(table, home)
    n, e = raw.evidence[:, 0, 0], raw.evidence[:, 0, 1]
    # a rule about a row of the small leaves covers at least that row
    assert np.nanmin(n) >= 1
    assert np.nanmax(n) <= len(problem.small_rows) < problem.table.n_rows
    leaf_n = problem.tree.weight[home]
    leaf_e = leaf_n - problem.tree.class_weight[home, problem.tree.label[home]]
    for r in range(len(home)):
        passes = np.isnan(n[r]) or pessimistic_accuracy(n[r], e[r]) > pessimistic_accuracy(
            leaf_n[r], leaf_e[r]
        )
        assert answer.label[r] == (raw.label[r] if passes else -1)
    assert (answer.label != raw.label).any()
    assert (answer.label >= 0).any()


def test_the_evidence_from_all_rows_is_counted_in_the_small_leaves(problem):
    fitted = EagerAssociative(rows="all").fit(problem)
    table, home = asked(problem)
    answer = fitted.decide(table, home)
    for r in range(0, table.n_rows, 20):
        if answer.rule[r] >= 0:
            rule = fitted.rules_[answer.rule[r]]
            covers = rule.match(table)
            wrong = covers & (table.classes != rule.consequent)
            assert answer.evidence[r, 0].tolist() == [covers.sum(), wrong.sum()]
            assert rule.covered == rule.match(problem.table).sum()


def test_all_rules_vote_with_their_confidences(leaf):
    handler = LazyAssociative(vote="all", max_len=1).fit(leaf)
    answer = handler.decide(leaf.table.take([0]), leaf.home[:1])
    # x = a: p 1; y = u: rows 1, 3, 5, 7: p 3/4, q 1/4
    np.testing.assert_allclose(answer.scores, [[1.75 / 2, 0.25 / 2]])
    assert answer.evidence is None
    with pytest.raises(ParameterError, match=r"'overrule' parameter .* must be 'none' with vote='all'"):
        LazyAssociative(vote="all", overrule="pessimistic").fit(leaf)


def test_antecedents_are_shorter_where_they_would_be_too_many():
    # specification of the improved hybrid, section 3: C(m,3) * ceil(n/64) * K >= 4e5
    assert affordable_length(60, 640, 1) == 3  # 34220 * 10
    assert affordable_length(60, 640, 2) == 2
    assert affordable_length(2, 10**6, 20) == 3
    assert affordable_length(50, 1024, 2) == 2  # 19600 * 32 = 627200
    assert affordable_length(25, 5505, 2) == 2  # 2300 * 87 * 2 = 400200
    assert affordable_length(25, 5504, 2) == 3  # 2300 * 86 * 2 = 395600


@pytest.mark.parametrize(
    "handler",
    [
        LazyAssociative(),
        LazyAssociative(rows="all", overrule="laplace"),
        LazyAssociative(vote="all"),
        EagerAssociative(rows="all", overrule="pessimistic"),
    ],
)
def test_handlers_come_back_from_json(problem, handler):
    table, home = asked(problem)
    handler.fit(problem)
    state = json.loads(json.dumps(handler.to_dict(), allow_nan=False))
    again = type(handler)(**handler.get_params()).restore(state, problem.table.schema, problem.tree)
    one, other = handler.decide(table, home), again.decide(table, home)
    np.testing.assert_array_equal(one.label, other.label)
    np.testing.assert_array_equal(one.scores, other.scores)
    if one.evidence is not None:
        np.testing.assert_array_equal(one.evidence, other.evidence)


def test_numbers_are_cut_on_all_training_rows():
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"x": rng.normal(size=300), "z": rng.normal(size=300)})
    y = np.where(X["x"] > 0.3, "p", np.where(X["z"] > 0, "q", "r"))
    y[::9] = "p"
    problem = problem_of(Table.from_frame(X, y))
    small, all_rows = LazyAssociative().fit(problem), LazyAssociative(rows="all").fit(problem)
    assert small.items_.cuts.to_dict() == all_rows.items_.cuts.to_dict()
    assert small.items_.n_rows == len(problem.small_rows) < all_rows.items_.n_rows == 300


def test_the_lazy_search_has_a_limit_that_can_be_raised(board):
    model = make_learner("c45-lac", max_nodes=1).fit(board)
    with pytest.raises(MiningLimitError, match=r"max_nodes=1 antecedents were visited.*raise max_nodes"):
        model.predict(board)
    free = make_learner("c45-lac", max_nodes=None).fit(board)
    np.testing.assert_array_equal(free.predict(board), make_learner("c45-lac").fit(board).predict(board))


def test_they_are_learners_of_the_registry_and_explain_themselves(board):
    lazy = make_learner("c45-lac", overrule="pessimistic").fit(board)
    eager = make_learner("c45-eac", min_support=3).fit(board)
    assert isinstance(lazy, SmallDisjunctClassifier)
    assert lazy.handler_.overrule == "pessimistic"
    rows = board.take(np.flatnonzero(lazy.in_small_disjunct(board))[:40])
    told = lazy.explain(rows)
    assert any(", the best rule for the row says " in text for text in told)
    assert any("rule R" in text for text in eager.explain(rows))
    assert len(eager.rules_) == eager.first_handler_rule + len(eager.handler_.rules_)
