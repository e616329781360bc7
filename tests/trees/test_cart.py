"""CART. Numbers: the specification of trees, section 5, and hand calculation."""

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_iris
from sklearn.tree import DecisionTreeClassifier

from trees.cart import CARTClassifier
from trees.errors import ParameterError
from trees.growth.tree import LEAF, NOMINAL

NAN = float("nan")


@pytest.fixture(scope="module")
def noisy():
    """300 rows of which the class depends on x > 0 and A, with a fifth of the classes drawn at random."""
    rng = np.random.default_rng(11)
    X = pd.DataFrame(
        {"x": rng.normal(size=300), "noise": rng.normal(size=300), "A": rng.choice(list("uvwx"), 300)}
    )
    y = np.where((X["x"] > 0) & X["A"].isin(["u", "w"]), "yes", "no")
    y = np.where(rng.random(300) < 0.2, rng.choice(["yes", "no"], 300), y)
    return X, y


def test_all_tests_are_binary(noisy):
    model = CARTClassifier(pruning=None).fit(*noisy)
    inner = model.tree_.kind != LEAF
    assert NOMINAL not in model.tree_.kind
    assert set(np.diff(model.tree_.child_start)[inner]) == {2}
    assert model.score(*noisy) == 1.0


def test_cross_validated_pruning_finds_the_concept_in_the_noise(noisy):
    model = CARTClassifier(random_state=0).fit(*noisy)
    used = {model.schema_.names[a] for a in model.tree_.attribute if a >= 0}
    assert used == {"x", "A"}
    assert model.tree_.n_leaves == 3
    path = model.pruning_path_
    assert path.n_leaves[path.chosen] == 3
    assert path.n_leaves[0] > 20
    assert path.n_leaves[-1] == 1
    assert np.all(np.diff(path.alphas) > 0)
    assert np.all(np.diff(path.n_leaves) < 0)
    nominal_test = int(np.flatnonzero(model.tree_.attribute == 2)[0])
    values = model.schema_.attributes[2].values
    groups = [{values[code] for code in group} for group in model.tree_.groups(nominal_test)]
    assert sorted(groups, key=min) == [{"u", "w"}, {"v", "x"}]


def test_the_tree_of_iris_is_that_of_scikit_learns_cart():
    X, y = load_iris(return_X_y=True)
    ours = CARTClassifier(pruning=None, max_depth=2).fit(X[:, 2:], y).tree_
    theirs = DecisionTreeClassifier(max_depth=2, random_state=0).fit(X[:, 2:], y).tree_
    # petal length <= 2.45 and petal width <= 0.8 part the same rows; ties are theirs to draw
    assert ours.threshold[[0, 2]].tolist() == [2.45, 1.75]
    assert theirs.threshold[2] == pytest.approx(1.75)
    np.testing.assert_array_equal(ours.weight, theirs.n_node_samples)


def test_rows_with_missing_cells_take_the_heavier_branch():
    X = pd.DataFrame({"x": [1.0, 1, 1, 2, 2, NAN]})
    model = CARTClassifier(pruning=None, max_depth=1).fit(X, list("aaabbb"))
    assert model.tree_.missing == "largest"
    assert model.predict(pd.DataFrame({"x": [NAN, 2.0]})).tolist() == ["a", "b"]
    np.testing.assert_allclose(model.predict_proba(pd.DataFrame({"x": [NAN]})), [[0.75, 0.25]])
    assert model.apply(pd.DataFrame({"x": [NAN, 2.0]})).tolist() == [1, 2]


def test_equal_priors_shift_the_majority():
    # one leaf: 9 of a, 3 of b; equal priors make it a tie of 6 to 6, costs tip it
    X, y = pd.DataFrame({"x": [0.0] * 12}), ["a"] * 9 + ["b"] * 3
    assert CARTClassifier(pruning=None).fit(X, y).predict(X)[0] == "a"
    even = CARTClassifier(pruning=None, priors="equal").fit(X, y)
    assert even.tree_.class_weight.tolist() == [[6, 6]]
    assert CARTClassifier(pruning=None, priors={"a": 1, "b": 2}).fit(X, y).predict(X)[0] == "b"
    costly = CARTClassifier(pruning=None, costs={"b": 4}).fit(X, y)
    # 9 to 12, scaled to 12 rows
    np.testing.assert_allclose(costly.tree_.class_weight, [[36 / 7, 48 / 7]])
    assert costly.predict(X)[0] == "b"


def test_priors_equal_to_the_frequencies_change_nothing(noisy):
    X, y = noisy
    shares = {label: float(np.mean(y == label)) for label in ("yes", "no")}
    plain = CARTClassifier(random_state=0).fit(X, y)
    given = CARTClassifier(random_state=0, priors=shares).fit(X, y)
    assert str(given.tree_) == str(plain.tree_)


def test_one_value_against_the_rest_sends_absent_values_with_the_rest():
    X = pd.DataFrame({"A": pd.Categorical(list("uuvvww"), categories=["u", "v", "w", "never"])})
    model = CARTClassifier(pruning=None, nominal_split="one_vs_rest").fit(X, list("aabbbb"))
    assert model.tree_.groups(0) == [[0], [1, 2, 3]]
    grouped = CARTClassifier(pruning=None).fit(X, list("aabbbb"))
    assert grouped.tree_.groups(0) == [[0], [1, 2]]
    never = pd.DataFrame({"A": pd.Categorical(["never"], categories=["u", "v", "w", "never"])})
    # unknown to the node: down the heavier branch
    assert grouped.predict(never).tolist() == model.predict(never).tolist() == ["b"]


@pytest.mark.parametrize("pruning", ["cost_complexity", "reduced_error"])
def test_weights_count_as_repeated_rows_in_pruning_too(noisy, pruning):
    X, y = noisy
    weight = np.random.default_rng(0).integers(0, 4, len(y))
    weighted = CARTClassifier(pruning=pruning, random_state=3).fit(X, y, sample_weight=weight)
    rows = np.repeat(np.arange(len(y)), weight)
    repeated = CARTClassifier(pruning=pruning, random_state=3).fit(
        X.iloc[rows].reset_index(drop=True), y[rows]
    )
    assert str(weighted.tree_) == str(repeated.tree_)


def test_the_seed_and_not_the_threads_decide_about_the_folds(noisy):
    X, y = noisy
    one = CARTClassifier(random_state=5, n_jobs=1).fit(X, y)
    two = CARTClassifier(random_state=5, n_jobs=2).fit(X, y)
    np.testing.assert_array_equal(one.pruning_path_.error, two.pruning_path_.error)
    other = CARTClassifier(random_state=6).fit(X, y)
    assert not np.array_equal(one.pruning_path_.error, other.pruning_path_.error)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"criterion": "twoing"}, "'criterion' parameter of CARTClassifier must be 'error_rate'"),
        ({"thresholds": 1}, "'thresholds' .* must be 'all' or an int"),
        ({"priors": {"yes": 0.0}}, "'priors' .* dict of label"),
        ({"priors": {"yes": 0.5}}, "'priors' .* must name every class. 'no' is lacking"),
        ({"costs": {"maybe": 2.0}}, "'costs' .* names the class 'maybe', which is not there"),
        ({"pruning": "pessimistic"}, "'pruning' .* must be None"),
        ({"n_folds": 1}, "'n_folds'"),
    ],
)
def test_wrong_parameters_are_named(noisy, parameters, message):
    with pytest.raises(ParameterError, match=message):
        CARTClassifier(**parameters).fit(*noisy)
