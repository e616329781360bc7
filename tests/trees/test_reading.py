"""Reading trees: leaves, importance, paths. Numbers: hand calculation."""

import numpy as np
import pandas as pd
import pytest

from trees.c45 import C45Classifier
from trees.cart import CARTClassifier
from trees.discretize import EqualFrequency
from trees.errors import DataError
from trees.id3 import ID3Classifier
from trees.reading import attribute_importance, explain, leaf_frame, tree_of

X = pd.DataFrame(
    {
        "sky": ["sun", "sun", "sun", "sun", "rain", "rain", "cloud", "cloud"],
        "wind": [1.0, 2, 7, 8, 1, 8, 3, 9],
    }
)
Y = pd.Series(["yes", "yes", "no", "no", "no", "no", "yes", "yes"], name="play")


@pytest.fixture(scope="module")
def model():
    return ID3Classifier(discretizer=EqualFrequency(2)).fit(X, Y)


def test_the_tree_of_these_tests_is(model):
    assert str(model.tree_) == (
        "sky = rain: no (2.0)\n"
        "sky = cloud: yes (2.0)\n"
        "sky = sun:\n"
        "|   wind <= 5 : yes (2.0)\n"
        "|   wind > 5 : no (2.0)"
    )


def test_leaves_are_listed_with_their_paths_and_counts(model):
    leaves = leaf_frame(model)
    assert leaves.index.tolist() == [2, 3, 4, 5]
    assert leaves["path"].tolist() == [
        "sky = sun AND wind <= 5",
        "sky = sun AND wind > 5",
        "sky = rain",
        "sky = cloud",
    ]
    assert leaves["class"].tolist() == ["yes", "no", "no", "yes"]
    assert leaves["covered"].tolist() == [2, 2, 2, 2]
    assert leaves["errors"].sum() == 0
    assert leaves["n_conditions"].tolist() == [2, 2, 1, 1]
    pd.testing.assert_frame_equal(leaf_frame(model.tree_), leaves)


def test_a_leaf_without_rows_covers_nothing():
    frame = pd.DataFrame({"A": pd.Categorical(["u", "u", "v", "v"], categories=["u", "v", "w"])})
    leaves = leaf_frame(ID3Classifier().fit(frame, list("pppn")))
    assert leaves["covered"].tolist() == [2, 2, 0]
    assert leaves["class"].iloc[2] == "p"
    assert np.isnan(leaves["confidence"].iloc[2])


def test_importance_shares_the_decrease_of_entropy(model):
    # root: 8 rows, 1 bit each; below sky: 4 rows of sun, 1 bit each; below wind nothing: 4 and 4 bits
    importance = attribute_importance(model)
    assert importance.to_dict() == pytest.approx({"sky": 0.5, "wind": 0.5})
    assert importance.index.tolist() == ["sky", "wind"]
    # Gini: 8 * .5 - 4 * .5 = 2 and 4 * .5 = 2
    assert attribute_importance(model.tree_, "gini").to_dict() == pytest.approx({"sky": 0.5, "wind": 0.5})
    pd.testing.assert_series_equal(model.importance_, importance)


def test_importance_of_a_single_leaf_is_0():
    single = C45Classifier().fit(pd.DataFrame({"A": [1.0, 1.0], "B": [2.0, 2.0]}), ["p", "n"])
    assert attribute_importance(single).tolist() == [0, 0]


def test_importance_sorts_the_greatest_first():
    frame = pd.DataFrame({"noise": [0.0, 1, 0, 1, 0, 1, 0, 1], "signal": [0.0, 0, 0, 0, 1, 1, 1, 1]})
    importance = CARTClassifier(pruning=None).fit(frame, list("aaaabbbb")).importance_
    assert importance.index.tolist() == ["signal", "noise"]
    assert importance.tolist() == [1, 0]


def test_a_row_with_all_cells_takes_one_path(model):
    [explanation] = model.explain(X.iloc[[2]])
    assert str(explanation) == ("play = no  (no 1.00)\n  sky = sun\n  wind > 5 (is 7)\n  -> no  (2/2 rows)")
    [path] = explanation.paths
    assert (path.share, path.leaf, path.counts) == (1, 3, (2, 0))
    assert [step.is_missing for step in path.steps] == [False, False]


def test_a_row_without_a_tested_cell_is_divided(model):
    row = pd.DataFrame({"sky": ["sun"], "wind": [np.nan]})
    [explanation] = model.explain(row)
    assert str(explanation) == (
        "play = no  (no 0.50, yes 0.50)\n"
        "  50% of the row:\n"
        "    sky = sun\n"
        "    wind <= 5 (is ?: 50% of the row)\n"
        "    -> yes  (2/2 rows)\n"
        "  50% of the row:\n"
        "    sky = sun\n"
        "    wind > 5 (is ?: 50% of the row)\n"
        "    -> no  (2/2 rows)"
    )


def test_the_shares_of_the_paths_add_up_and_give_the_scores(model):
    rng = np.random.default_rng(0)
    frame = X.sample(40, replace=True, random_state=1).reset_index(drop=True)
    frame = frame.mask(rng.random(frame.shape) < 0.4)
    scores = model.predict_proba(frame)
    for explanation, expected in zip(model.explain(frame), scores, strict=True):
        assert sum(path.share for path in explanation.paths) == pytest.approx(1)
        mixed = sum(path.share * np.array(path.counts) / sum(path.counts) for path in explanation.paths)
        np.testing.assert_allclose(mixed, expected)
        assert list(explanation.paths) == sorted(explanation.paths, key=lambda path: -path.share)


def test_a_tree_that_sends_rows_to_the_heavier_branch_says_so():
    frame = pd.DataFrame({"x": [1.0, 1, 1, 2, 2]})
    model = CARTClassifier(pruning=None).fit(frame, list("aaabb"))
    [explanation] = explain(model.tree_, np.array([[np.nan]]))
    assert str(explanation) == (
        "class = a  (a 1.00)\n  x <= 1.5 (is ?: the way of most rows)\n  -> a  (3/3 rows)"
    )


def test_what_has_no_tree_is_refused():
    with pytest.raises(DataError, match="Expected a tree or a fitted model"):
        tree_of("golf")
    with pytest.raises(DataError, match="Got C45Classifier"):
        leaf_frame(C45Classifier())
