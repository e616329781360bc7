"""Discretisation as a scikit-learn transformer: conforms, learns from training rows, keeps names."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn.compose import make_column_transformer
from sklearn.datasets import load_iris
from sklearn.model_selection import cross_val_score
from sklearn.naive_bayes import CategoricalNB
from sklearn.pipeline import make_pipeline
from sklearn.utils.estimator_checks import parametrize_with_checks

from trees.c45 import C45Classifier
from trees.discretize import MDLP, EqualWidth, IntervalDiscretizer
from trees.errors import DataError, ParameterError
from trees.table import Table


@parametrize_with_checks([IntervalDiscretizer(), IntervalDiscretizer("equal_width")])
def test_the_checks_of_scikit_learn_pass(estimator, check):
    check(estimator)


def test_codes_are_those_of_the_cuts():
    X, y = load_iris(return_X_y=True)
    table = Table.from_frame(X, y)
    expected = MDLP().fit(table).encode(table.X)
    np.testing.assert_array_equal(IntervalDiscretizer().fit(X, y).transform(X), expected)


def test_labels_are_intervals_under_the_old_names_and_index():
    frame = pd.DataFrame({"age": [20.0, 31, np.nan, 67], "sex": ["f", None, "m", "f"]}, index=[3, 1, 7, 5])
    found = IntervalDiscretizer(EqualWidth(2), encode="labels").fit(frame).transform(frame)
    assert found.index.tolist() == [3, 1, 7, 5]
    assert found["age"].tolist()[:2] == ["(-inf, 43.5]", "(-inf, 43.5]"]
    assert found["age"].isna().tolist() == [False, False, True, False]
    assert found["sex"].tolist()[0] == "f"
    assert pd.isna(found["sex"].tolist()[1])


def test_it_serves_in_a_pipeline_before_a_learner_of_categories():
    X, y = load_iris(return_X_y=True)
    ours = make_pipeline(IntervalDiscretizer(encode="labels"), C45Classifier())
    theirs = make_pipeline(IntervalDiscretizer("equal_width"), CategoricalNB(min_categories=5))
    assert cross_val_score(ours, X, y).mean() > 0.9
    assert cross_val_score(theirs, X, y).mean() > 0.9


def test_it_serves_in_a_column_transformer_with_names():
    frame = pd.DataFrame({"age": [20.0, 31, 40, 67], "size": [1.0, 2, 3, 4]})
    both = make_column_transformer((IntervalDiscretizer("equal_width"), ["age"]), remainder="passthrough")
    both.fit(frame)
    assert both.get_feature_names_out().tolist() == ["intervaldiscretizer__age", "remainder__size"]


def test_absent_classes_are_told_with_the_way_out():
    with pytest.raises(DataError, match=r"requires y to be passed.*use 'equal_width'"):
        IntervalDiscretizer().fit([[1.0], [2.0]])


def test_wrong_parameters_are_named():
    with pytest.raises(ParameterError, match="The 'method' parameter of IntervalDiscretizer must be"):
        IntervalDiscretizer("entropy").fit([[1.0], [2.0]], [0, 1])
    with pytest.raises(ParameterError, match="The 'encode' parameter"):
        IntervalDiscretizer(encode="onehot").fit([[1.0], [2.0]], [0, 1])


def test_numbers_beyond_those_of_fit_fall_into_the_outer_intervals():
    found = IntervalDiscretizer("equal_width").fit([[0.0], [10.0]]).transform([[-5.0], [99.0]])
    assert found.ravel().tolist() == [0.0, 4.0]
