"""Boosted rules: within their budget, better than the leaves, and what is printed is what decides."""

from __future__ import annotations

import json
import re
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from sklearn.exceptions import ConvergenceWarning

from evorules.datasets import load
from evorules.export.model_file import model_from_dict, model_to_dict
from evorules.hybrids import BoostedRules, SmallDisjunctClassifier
from evorules.hybrids.boosted_rules import _Learning
from evorules.hybrids.regression_paths import _conditions, readable_cut
from trees.errors import ParameterError
from trees.rule import Condition


def fitted(**options: object) -> tuple[SmallDisjunctClassifier, pd.DataFrame, np.ndarray]:
    """Return a model of half of tic-tac-toe, and the other half."""
    data = load("tic-tac-toe")
    model = SmallDisjunctClassifier(handler=BoostedRules(**options), random_state=0)  # type: ignore[arg-type]
    return model.fit(data.X[::2], data.y[::2]), data.X[1::2], np.asarray(data.y[1::2])


@pytest.mark.parametrize("budget", [3.0, 20.0])
def test_the_conditions_stay_within_the_budget(budget: float) -> None:
    model, _, _ = fitted(budget=budget)
    read = sum(len(rule.conditions) for rule in model.handler_.rules_)
    n_small = np.count_nonzero(model.small_nodes_ & (model.tree_.weight > 0))
    assert 0 < read <= budget * n_small


def test_they_beat_the_leaves_on_rows_not_seen() -> None:
    model, X, y = fitted()
    small = model.in_small_disjunct(X)
    assert (
        np.mean(model.predict(X)[small] == y[small]) > np.mean(model.tree_predict(X)[small] == y[small]) + 0.1
    )


def test_leaf_score_and_votes_add_up_to_the_prediction() -> None:
    model, X, _ = fitted(max_rules=40)
    table = model._encode(X)
    tree, handler = model.tree_, model.handler_
    home = model.apply(X)
    share = tree.class_weight[0] / tree.class_weight[0].sum()
    for row in np.flatnonzero(model.small_nodes_[home])[:60]:
        counts = tree.class_weight[home[row]]
        scores = 0.25 * np.log((counts + 2 * share) / (counts.sum() + 2)) + 0.75 * np.log(share)
        for rule in handler.rules_:
            if rule.match(table.take([row]))[0]:
                scores[rule.consequent] += rule.scores["vote"]
        assert model.predict(X.iloc[[row]])[0] == model.schema_.classes[int(np.argmax(scores))]


def test_an_explanation_tells_the_votes_that_decide() -> None:
    model, X, _ = fitted(max_rules=40)
    rows = np.flatnonzero(model.in_small_disjunct(X))[:40]
    told, predicted = model.explain(X.iloc[rows]), model.predict(X.iloc[rows])
    for text, label in zip(told, predicted.tolist(), strict=True):
        said, sums = text.split(", the rules together say ", 1)[1].split(": ", 1)
        assert said == label
        totals = []
        for total, parts in re.findall(r"\w+ ([+-]\d\.\d\d) \(([^)]*)\)", sums):
            votes = [float(part.rsplit(" ", 1)[1]) for part in parts.split(", ")]
            assert sum(votes) == pytest.approx(float(total), abs=0.03)
            totals.append(float(total))
        assert len(totals) == 2
        assert totals[0] >= totals[1]
    listed = re.search(r"R(\d+) \+(\d\.\d\d)", told[0])
    assert listed
    vote = model.rules_[int(listed.group(1)) - 1].scores["vote"]
    assert float(listed.group(2)) == pytest.approx(vote, abs=0.005)


def test_a_missing_cell_gets_no_vote_of_a_rule_that_tests_it() -> None:
    model, X, _ = fitted(budget=5)
    blank = X.copy()
    blank.loc[:, :] = None
    table = model._encode(blank)
    assert not any(rule.match(table).any() for rule in model.handler_.rules_)


def test_numbers_and_missing_cells_are_learnt_from() -> None:
    random = np.random.default_rng(0)
    X = pd.DataFrame(random.normal(size=(400, 4)), columns=list("abcd"))
    y = np.where((X["a"] > 0) ^ (X["b"] > 0.3) ^ (X["c"] > 1), "yes", "no")
    X = X.mask(random.random(X.shape) < 0.1)
    model = SmallDisjunctClassifier(handler="boosted-rules", random_state=0).fit(X, y)
    assert {c.relation for rule in model.handler_.rules_ for c in rule.conditions} == {"<=", ">"}


def test_a_number_beyond_32_bits_is_learnt_from() -> None:
    random = np.random.default_rng(0)
    X = pd.DataFrame(random.normal(size=(300, 3)), columns=list("abc"))
    y = np.where((X["a"] > 0) ^ (X["b"] > 0.3) ^ (random.random(300) < 0.1), "yes", "no")
    X.loc[0, "c"] = 1e300
    assert SmallDisjunctClassifier(handler="boosted-rules", random_state=0).fit(X, y).handler_.rules_


def test_conditions_on_one_attribute_are_joined() -> None:
    assert _conditions({1: (0.5, 2.0), 0: frozenset({2, 0})}) == (
        Condition(0, "in", (0, 2)),
        Condition(1, ">", 0.5),
        Condition(1, "<=", 2.0),
    )


@pytest.mark.parametrize(
    ("known", "cut", "readable"),
    [
        ([3.0, 4.0], 3.5, 3.5),
        ([0.2, 0.205, 0.21], 0.20750000327825546, 0.207),
        ([0.3, 0.35, 0.4], 0.32499998807907104, 0.32),
        ([30_000.0, 52_000.0], 41_000.0, 40_000.0),
        ([-2.0, -1.0], -1.5, -1.5),
        ([1e37, 2e37], np.inf, np.inf),
        ([1.0, np.nextafter(1.0, 2.0), 2.0], 1.5, 1.5),
        ([1.0, 2.0], -np.inf, -np.inf),
    ],
)
def test_cuts_have_few_digits(known: list[float], cut: float, readable: float) -> None:
    assert readable_cut(np.array(known), cut) == readable


@given(st.lists(st.floats(-1e6, 1e6), min_size=2, max_size=20, unique=True), st.integers(0, 1000))
def test_a_readable_cut_parts_the_same_rows(values: list[float], which: int) -> None:
    known = np.sort(np.array(values))
    k = which % (len(known) - 1)
    narrow = known.astype(np.float32).astype(np.float64)
    assume(narrow[k] < narrow[k + 1])
    cut = (narrow[k] + narrow[k + 1]) / 2
    np.testing.assert_array_equal(known <= readable_cut(known, float(cut)), narrow <= cut)


def test_a_path_for_missing_cells_only_is_no_rule() -> None:
    assert _conditions({0: frozenset()}) is None


def test_a_model_file_brings_them_back() -> None:
    model, X, _ = fitted(max_rules=30)
    again = model_from_dict(json.loads(json.dumps(model_to_dict(model))))
    np.testing.assert_array_equal(again.predict_proba(X), model.predict_proba(X))
    assert again.handler_.n_trees_ == model.handler_.n_trees_


def test_ctrl_c_keeps_the_rules_found(monkeypatch: pytest.MonkeyPatch) -> None:
    rounds = []
    original = _Learning.round

    def interrupted(self: _Learning, *rest: Any) -> Any:
        rounds.append(1)
        if len(rounds) == 4:
            raise KeyboardInterrupt
        return original(self, *rest)

    monkeypatch.setattr(_Learning, "round", interrupted)
    with pytest.warns(ConvergenceWarning, match="BoostedRules: fit was interrupted. The model is usable"):
        model, X, _ = fitted()
    assert (model.handler_.n_trees_, model.handler_.stop_reason_) == (3, "interrupt")
    assert len(model.handler_.rules_) > 0
    assert len(model.predict(X)) == len(X)


@pytest.mark.parametrize(("options", "reason"), [({"budget": 3}, "budget"), ({"max_rules": 9}, "rules")])
def test_why_learning_ended_is_told(options: dict[str, int], reason: str) -> None:
    assert fitted(**options)[0].handler_.stop_reason_ == reason


def test_the_same_seed_gives_the_same_rules() -> None:
    assert fitted(budget=3)[0].handler_.rules_ == fitted(budget=3)[0].handler_.rules_


@pytest.mark.parametrize(
    ("option", "value"), [("budget", 0), ("leaf_share", 1.5), ("learning_rate", 0), ("n_folds", 1)]
)
def test_wrong_parameters_are_named(option: str, value: float) -> None:
    with pytest.raises(ParameterError, match=f"The '{option}' parameter of BoostedRules must be"):
        fitted(**{option: value})
