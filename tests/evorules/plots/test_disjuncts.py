"""Pictures of small disjuncts and of runs."""

import io

import numpy as np
import pytest

from evorules.datasets import load
from evorules.evaluation import small_disjuncts
from evorules.hybrids import GALargeSN, NearestNeighbours, SmallDisjunctClassifier
from evorules.plots import plot_disjuncts, plot_history


@pytest.fixture(scope="module")
def halves():
    data = load("tic-tac-toe")
    return data.X[::2], data.y[::2], data.X[1::2], data.y[1::2]


def test_the_picture_shows_the_table_and_the_curve(halves):
    X, y, new_X, new_y = halves
    model = SmallDisjunctClassifier(handler=NearestNeighbours()).fit(X, y)
    diagnosis = small_disjuncts(model, new_X, new_y)
    figure = plot_disjuncts(diagnosis)
    bars, curve = figure.axes
    table = diagnosis.table
    heights = [[bar.get_height() for bar in group] for group in bars.containers]
    np.testing.assert_allclose(heights[0], table["share of rows"])
    np.testing.assert_allclose(heights[1], table["error rate before"])
    np.testing.assert_allclose(heights[2], table["error rate after"])
    assert [label.get_text() for label in bars.get_xticklabels()] == table["size"].tolist()
    # the dashed line stands after the range that ends at 15
    line = next(line for line in bars.lines if line.get_label() == "threshold")
    assert line.get_xdata()[0] == table["size"].tolist().index("11-15") + 0.5
    np.testing.assert_allclose(curve.lines[0].get_ydata(), diagnosis.curve("before")[1])
    figure.savefig(io.BytesIO(), format="png")


def test_without_a_remedy_there_is_one_bar_per_range(halves):
    X, y, new_X, new_y = halves
    model = SmallDisjunctClassifier(handler="none").fit(X, y)
    bars, curve = plot_disjuncts(small_disjuncts(model, new_X, new_y)).axes
    assert len(bars.containers) == 2
    assert len(curve.lines) == 2


def test_the_history_has_a_line_per_run(halves):
    handler = GALargeSN(population_size=20, n_generations=5, max_rules=3)
    model = SmallDisjunctClassifier(handler=handler, random_state=0).fit(*halves[:2])
    axes = plot_history(model.history_).axes[0]
    assert len(axes.lines) == 3 + 2
    run = model.history_[model.history_["run"] == 1]
    np.testing.assert_allclose(axes.lines[1].get_ydata(), run["greatest"])
    assert axes.get_xlabel() == "generation (3 runs)"
