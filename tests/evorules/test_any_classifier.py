"""A scikit-learn classifier as the remedy of small disjuncts."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.svm import LinearSVC

from evorules.datasets import load
from evorules.hybrids import AnyClassifier, SmallDisjunctClassifier
from evorules.hybrids.classifier import indicator_columns
from trees.errors import ParameterError
from trees.table import Table


def test_nominal_cells_become_indicators_and_missing_ones_zeros() -> None:
    frame = pd.DataFrame({"colour": ["red", None, "blue"], "size": [1.0, 2.0, np.nan]})
    expected = [[1, 0, 1], [0, 0, 2], [0, 1, np.nan]]
    np.testing.assert_array_equal(indicator_columns(Table.from_frame(frame)), expected)


def test_it_answers_in_small_leaves_only() -> None:
    data = load("tic-tac-toe")
    model = SmallDisjunctClassifier(handler=AnyClassifier(), random_state=0).fit(data.X[::2], data.y[::2])
    small = model.in_small_disjunct(data.X[1::2])
    changed = model.predict(data.X[1::2]) != model.tree_predict(data.X[1::2])
    assert changed[small].any()
    assert not changed[~small].any()


def test_a_forest_beats_the_leaves_it_is_asked_about() -> None:
    data = load("tic-tac-toe")
    model = SmallDisjunctClassifier(handler=AnyClassifier(), random_state=0).fit(data.X[::2], data.y[::2])
    rows = np.flatnonzero(model.in_small_disjunct(data.X[1::2]))
    truth = np.asarray(data.y[1::2])[rows]
    forest = np.mean(model.predict(data.X[1::2])[rows] == truth)
    assert forest > np.mean(model.tree_predict(data.X[1::2])[rows] == truth) + 0.1


def test_the_seed_decides_the_forest() -> None:
    data = load("tic-tac-toe")
    first, second = (
        SmallDisjunctClassifier(handler="classifier", random_state=3)
        .fit(data.X[::2], data.y[::2])
        .predict_proba(data.X[1::2])
        for _ in range(2)
    )
    np.testing.assert_array_equal(first, second)


@pytest.mark.parametrize("estimator", [LogisticRegression(), LinearSVC()])
@pytest.mark.parametrize("rows", ["all", "parents", "small"])
def test_classifiers_with_and_without_probabilities_serve(estimator: object, rows: str) -> None:
    data = load("tic-tac-toe")
    model = SmallDisjunctClassifier(handler=AnyClassifier(estimator, rows=rows), random_state=0)
    scores = model.fit(data.X[::4], data.y[::4]).predict_proba(data.X)
    np.testing.assert_array_equal(model.classes_[scores.argmax(axis=1)], model.predict(data.X))


def test_what_is_no_classifier_is_refused() -> None:
    data = load("tic-tac-toe")
    model = SmallDisjunctClassifier(handler=AnyClassifier("forest"))  # type: ignore[arg-type]
    with pytest.raises(ParameterError, match="a scikit-learn classifier"):
        model.fit(data.X, data.y)
