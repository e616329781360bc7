"""Windowing; all runs of the original are compared in tests/oracles."""

import numpy as np
import pandas as pd
import pytest
from reference.r8_tables import golf

from trees import C45Classifier, ParameterError
from trees.growth.options import GrowthOptions
from trees.windowing import Cycle, Windowing, class_shares, grow_windows, least_estimate


def test_the_first_window_is_a_fifth_of_the_rows_but_at_least_twice_their_root():
    # specs: C4.5 section 7; 2 * sqrt(14) = 7.5, 2 * sqrt(150) = 24.5
    assert Windowing(1).sizes(14) == (7, 1)
    assert Windowing(1).sizes(150) == (30, 6)
    assert Windowing(1, 40).sizes(150) == (40, 8)
    assert Windowing(1, 40, 3).sizes(150) == (40, 3)
    assert Windowing(1, 200).sizes(150) == (150, 40)


def test_rare_classes_get_all_their_rows_and_the_others_equal_parts_of_the_rest():
    classes = np.array([0] * 50 + [1] * 3 + [3] * 20, dtype=np.int32)
    # class 1: 30 // 3 = 10 are too many, 3; class 3: 27 // 2 = 13; class 0: the 14 left; class 2 is empty
    assert class_shares(classes, 30, 4) == [14, 3, 0, 13]
    assert class_shares(classes, 73, 4) == [50, 3, 0, 20]


def test_golf_goes_through_the_cycles_of_the_original():
    # printed by release 8 with -t 3, for the rows in the order of its own file
    table = golf().take(np.array([2, 1, 6, 13, 12, 10, 7, 3, 4, 11, 0, 5, 8, 9]))
    trials = grow_windows(table, GrowthOptions(), Windowing(3), single_precision=True)
    assert [trial.cycles for trial in trials] == [
        (Cycle(4, 7, 1, 4), Cycle(4, 9, 2, 2), Cycle(6, 10, 1, 2), Cycle(8, 11, 0, 1), Cycle(8, 12, 0, 0)),
        (Cycle(4, 7, 1, 4), Cycle(6, 9, 1, 2), Cycle(6, 10, 1, 1), Cycle(8, 11, 0, 1), Cycle(8, 12, 0, 0)),
        (Cycle(6, 7, 1, 2), Cycle(6, 8, 1, 1), Cycle(8, 9, 0, 0)),
    ]
    assert least_estimate(trials) == 0
    assert trials[0].pruned.errors[0] == np.float32(5.3918095)


@pytest.fixture
def noisy():
    rng = np.random.default_rng(5)
    X = pd.DataFrame(rng.normal(size=(600, 4)).round(1), columns=list("abcd"))
    y = np.where(rng.random(600) < 0.15, "no", np.where(X["a"] * X["b"] > 0, "yes", "maybe"))
    return X, y


def test_a_window_of_all_rows_gives_the_tree_of_all_rows(noisy):
    whole = C45Classifier().fit(*noisy)
    windowed = C45Classifier(n_trials=1, window=10_000).fit(*noisy)
    assert windowed.tree_.n_nodes > 5
    assert windowed.tree_.to_dict() == whole.tree_.to_dict()


@pytest.mark.parametrize("mode", ["standard", "r8"])
def test_windows_take_in_wrong_rows_until_none_is_left_outside(noisy, mode):
    X, y = noisy
    X = X.mask(np.random.default_rng(1).random(X.shape) < 0.1)
    model = C45Classifier(n_trials=4, mode=mode, prune=False).fit(
        X, y, sample_weight=np.tile([0.5, 2.0], 300)
    )
    assert model.tree_.weight[0] < 750
    assert 0.8 < model.score(X, y) < 1
    again = C45Classifier(n_trials=4, mode=mode, prune=False, n_jobs=2)
    again.fit(X, y, sample_weight=np.tile([0.5, 2.0], 300))
    assert again.tree_.to_dict() == model.tree_.to_dict()


def test_the_trial_with_the_fewest_estimated_errors_is_kept(noisy):
    X, y = noisy
    found = [C45Classifier(n_trials=n).fit(X, y).tree_ for n in range(1, 6)]
    assert found[0].weight[0] == 600
    estimates = [tree.errors[0] for tree in found]
    assert estimates == sorted(estimates, reverse=True)
    assert estimates[-1] < estimates[0]


@pytest.mark.parametrize("name", ["n_trials", "window", "increment"])
def test_windows_without_rows_are_refused(noisy, name):
    with pytest.raises(ParameterError, match=f"'{name}' parameter of C45Classifier must be None or an int"):
        C45Classifier(**{name: 0}).fit(*noisy)
