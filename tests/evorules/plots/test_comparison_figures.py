"""Figures of a comparison: what they show, read from the figure itself."""

import numpy as np
import pandas as pd
import pytest
from stubs.learners import Dice, Stub

from evorules.evaluation import compare, rank_learners
from evorules.plots import plot_ranks, plot_rules_and_accuracy, plot_scores
from experiments.published import published


def table(seed):
    rng = np.random.default_rng(seed)
    X = pd.DataFrame({"n": rng.random(60), "m": rng.random(60)})
    return X, pd.Series(np.where((X["n"] > 0.5) ^ (rng.random(60) < 0.1), "pos", "neg"), name="class")


@pytest.fixture(scope="module")
def result():
    learners = {"tree": "c45", "double": "double-c45", "dice": Dice(), "bad": Stub("raise")}
    return compare(learners, {"one": table(0), "two": table(1)}, folds=3, seeds=1)


def texts(axes):
    return [text.get_text() for text in axes.texts]


def test_ranks_are_written_best_first_with_the_critical_distance():
    report = rank_learners(published("001_car_ic_table6_accuracy").set_index("dataset"))
    [axes] = plot_ranks(report).axes
    shown = texts(axes)
    assert "DDPMine  3.12" in shown or "DDPMine  3.13" in shown
    assert "5.33  TFPC" in shown or "5.32  TFPC" in shown
    assert "critical distance 2.01, 20 data sets" in shown
    bars = [line.get_xdata() for line in axes.lines if line.get_linewidth() == 4]
    # two groups: all but TFPC, and HARMONY to TFPC (specs/evaluation.md: TFPC differs from the best two)
    assert [list(np.round(bar, 3)) for bar in bars] == [[3.095, 4.68], [3.57, 5.355]]


def test_boxes_are_those_of_the_folds_and_failed_learners_have_none(result):
    figure = plot_scores(result)
    panels = [axes for axes in figure.axes if axes.get_title()]
    assert [axes.get_title() for axes in panels] == ["one", "two"]
    assert [label.get_text() for label in panels[0].get_yticklabels()] == ["tree", "double", "dice", "bad"]
    assert len(panels[0].patches) == 3
    scores = result.fold_scores()[0].scores["tree"]
    crosses = [line.get_xdata()[0] for line in panels[0].lines if line.get_marker() == "x"]
    assert crosses[0] == pytest.approx(scores.mean())


def test_one_large_point_per_learner_with_rules(result):
    good = compare({"tree": "c45", "double": "double-c45"}, {"one": table(0), "two": table(1)}, folds=3)
    [axes] = plot_rules_and_accuracy(good).axes
    large = {
        points.get_label(): points.get_offsets()[0]
        for points in axes.collections
        if not points.get_label().startswith("_")
    }
    assert list(large) == ["tree", "double"]
    rules, accuracy = good.matrix("rules")["tree"], good.matrix()["tree"]
    assert large["tree"].tolist() == pytest.approx([np.exp(np.log(rules).mean()), accuracy.mean()])
    assert axes.get_xscale() == "log"


def test_one_data_set_shows_the_spread_over_folds(result):
    alone = compare({"tree": "c45", "dice": Dice()}, {"one": table(0)}, folds=3, seeds=1)
    [axes] = plot_rules_and_accuracy(alone).axes
    assert [container.get_label() for container in axes.containers] == ["tree"]
    [(low, high)] = [segment[:, 1] for segment in axes.containers[0].lines[2][0].get_segments()]
    assert (high - low) / 2 == pytest.approx(alone.summary().loc[("one", "tree"), "sd"])
