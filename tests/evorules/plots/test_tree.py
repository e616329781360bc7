"""The picture of a tree."""

import itertools

import matplotlib as mpl
import numpy as np
import pandas as pd
import pytest

from evorules.plots import plot_tree
from trees.cart import CARTClassifier
from trees.errors import DataError
from trees.id3 import ID3Classifier
from trees.text import leaf_text


@pytest.fixture(autouse=True)
def closed_figures():
    mpl.use("Agg")
    from matplotlib import pyplot

    yield pyplot
    pyplot.close("all")


@pytest.fixture(scope="module")
def model():
    """A tree of 50 leaves over long names and many values."""
    rng = np.random.default_rng(0)
    X = pd.DataFrame(
        {
            "monthly_household_income": rng.normal(size=600),
            "age": rng.integers(18, 90, 600).astype(float),
            "occupation": rng.choice([f"occupation_{i}" for i in range(9)], 600),
        }
    )
    return CARTClassifier(pruning=None, max_leaves=50).fit(X, rng.choice(["yes", "no"], 600))


def extents(ax):
    """Where the texts stand, in pixels, with their frames if they are nodes."""
    ax.figure.canvas.draw()
    return [text.get_bbox_patch().get_window_extent() for text in ax.texts]


def test_no_text_of_50_leaves_overlaps_another_or_leaves_the_picture(model):
    ax = plot_tree(model)
    assert model.tree_.n_leaves == 50
    boxes = extents(ax)
    # a node each, and a text for each of their edges
    assert len(boxes) == 2 * model.tree_.n_nodes - 1
    picture = ax.figure.bbox
    for box in boxes:
        assert picture.x0 <= box.x0
        assert box.x1 <= picture.x1
        assert picture.y0 <= box.y0
        assert box.y1 <= picture.y1
    # frames of neighbouring lines may touch
    for one, other in itertools.combinations(boxes, 2):
        wide = min(one.x1, other.x1) - max(one.x0, other.x0)
        high = min(one.y1, other.y1) - max(one.y0, other.y0)
        assert wide <= 2.5 or high <= 2.5


def test_every_leaf_has_its_line(model):
    shown = [text.get_text() for text in plot_tree(model.tree_).texts]
    for leaf in model.tree_.leaves:
        assert leaf_text(model.tree_, int(leaf)) in shown


def test_long_groups_are_cut_and_tell_how_many_values_are_left_out(model):
    shown = [text.get_text() for text in plot_tree(model, max_chars=25).texts]
    assert max(map(len, shown)) <= 25
    assert any(text.startswith("in {occupation_") and ", +" in text for text in shown)


def test_deep_parts_are_told_by_their_number_of_leaves(model):
    ax = plot_tree(model, max_depth=2)
    shown = [text.get_text() for text in ax.texts]
    hidden = [int(text.split()[-2]) for text in shown if text.endswith("leaves")]
    visible = sum(text.startswith(("yes (", "no (")) for text in shown)
    assert sum(hidden) + visible == 50
    assert len(hidden) + visible <= 4


def test_given_axes_are_used_and_the_text_shrinks_to_fit(model, closed_figures):
    figure, ax = closed_figures.subplots(figsize=(4, 3))
    assert plot_tree(model, ax) is ax
    assert len(closed_figures.get_fignums()) == 1
    assert ax.texts[0].get_fontsize() < 9
    for box in extents(ax):
        assert box.x1 <= figure.bbox.x1


def test_names_with_dollar_signs_and_line_breaks_are_shown_as_they_are():
    X = pd.DataFrame({"price $": ["$a$", "b\nc"] * 3})
    ax = plot_tree(ID3Classifier().fit(X, ["p$", "n"] * 3))
    ax.figure.canvas.draw()
    assert [text.get_text() for text in ax.texts] == ["price $", "= $a$", "p$ (3.0)", "= b c", "n (3.0)"]


def test_a_single_leaf_is_a_picture_too():
    ax = plot_tree(CARTClassifier(pruning=None).fit(pd.DataFrame({"x": [1.0, 1.0]}), ["a", "b"]))
    assert [text.get_text() for text in ax.texts] == ["a (2.0/1.0)"]


def test_too_many_leaves_for_a_picture_are_refused():
    X = pd.DataFrame({"x": np.arange(1100.0)})
    model = CARTClassifier(pruning=None).fit(X, np.arange(1100) % 2)
    with pytest.raises(DataError, match=r"1100 leaves.* Pass max_depth"):
        plot_tree(model)
    assert len(plot_tree(model, max_depth=1).texts) == 5
