"""Box plots of a score over folds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from evorules.evaluation.results import Comparison
from evorules.plots.canvas import COLORS, new_figure

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["plot_scores"]


def plot_scores(
    result: Comparison,
    score: str = "accuracy",
    *,
    datasets: Sequence[str] | None = None,
    learners: Sequence[str] | None = None,
    columns: int = 3,
) -> Figure:
    """Draw a box per learner and data set: the score over folds, averaged over seeds.

    Parameters
    ----------
    result : Comparison
        What to draw. A learner of which a run failed has no box on that data set.
    score : str
        A column of `Comparison.to_frame`.
    datasets, learners : sequence of str, optional
        What to show; None shows all.
    columns : int
        Panels beside each other; a panel is a data set.

    Returns
    -------
    Figure
        Boxes reach from quartile to quartile with a line at the median, whiskers 1.5 times as far; a cross
        marks the mean.
    """
    names = list(learners or result.learners)
    wanted = list(datasets or result.datasets)
    panels = {item.data: item.scores for item in result.fold_scores(score)}
    columns = min(columns, len(wanted))
    rows = -(-len(wanted) // columns)
    longest = max(len(name) for name in names)
    figure = new_figure(0.075 * longest + 2.3 * columns, rows * (0.24 * len(names) + 0.75))
    grid = np.atleast_1d(figure.subplots(rows, columns, sharey=True, squeeze=False)).ravel()
    for axes, data in zip(grid, wanted, strict=False):
        for place, name in enumerate(names):
            values = panels[data].get(name)
            if values is None:
                continue
            box = axes.boxplot(
                [values[~np.isnan(values)]],
                positions=[place],
                orientation="horizontal",
                widths=0.6,
                patch_artist=True,
                showmeans=True,
                flierprops={"marker": ".", "markersize": 4},
                medianprops={"color": "black"},
                meanprops={"marker": "x", "markeredgecolor": "black", "markersize": 4},
            )
            color = COLORS[place % len(COLORS)]
            box["boxes"][0].set(facecolor=color, alpha=0.5)
        if not panels[data]:
            axes.text(0.5, 0.5, "no run finished", transform=axes.transAxes, ha="center", fontsize=8)
        axes.set_title(data, fontsize=9)
        axes.set_yticks(range(len(names)), names, fontsize=8)
        axes.set_ylim(len(names) - 0.4, -0.6)
        axes.tick_params(axis="x", labelsize=7)
        axes.grid(axis="x", color="#dddddd", lw=0.6)
        axes.set_axisbelow(True)
    for axes in grid[len(wanted) :]:
        axes.set_axis_off()
    figure.supxlabel(score.replace("_", " "), fontsize=9)
    return figure
