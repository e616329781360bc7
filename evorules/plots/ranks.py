"""The critical difference diagram: learners by mean rank, and which of them do not differ."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from evorules.evaluation.contrasts import RankReport
from evorules.evaluation.results import Comparison
from evorules.plots.canvas import GREY, new_figure

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["plot_ranks"]

LINE = 0.32
"""Inches from label to label."""


def plot_ranks(
    result: Comparison | RankReport, score: str = "accuracy", *, alpha: float = 0.05, width: float = 7.0
) -> Figure:
    """Draw mean ranks over data sets on a line, the best on the left.

    A bar below the line joins learners that do not differ by Nemenyi's test; the critical distance is drawn
    above it.

    Parameters
    ----------
    result : Comparison or RankReport
        What to draw.
    score : str
        A column of `Comparison.to_frame`.
    alpha : float
        Level of the test.
    width : float
        Inches.

    Returns
    -------
    Figure

    Notes
    -----
    Demsar (2006), figure 1.
    """
    report = result.ranks(score, alpha=alpha) if isinstance(result, Comparison) else result
    groups = report.groups()
    k = len(report.ranks)
    n_left = (k + 1) // 2
    bars, labels = 0.22 * len(groups) + 0.25, LINE * n_left + 0.2
    figure = new_figure(width, 1.1 + bars + labels)
    axes = figure.add_subplot()
    axes.set_axis_off()
    # one unit of height is an inch; the scale stands at 0 and all below it has negative heights
    axes.set_ylim(-bars - labels, 0.95)
    margin = 0.42 * max(k - 1, 1)
    axes.set_xlim(1 - margin, k + margin)
    _draw_scale(axes, k, report)
    names, ranks = list(report.ranks.index), report.ranks.to_numpy()
    for number, group in enumerate(groups):
        low, high = report.ranks[group[0]], report.ranks[group[-1]]
        height = -0.2 - 0.22 * number
        axes.plot([low - 0.03, high + 0.03], [height, height], color="black", lw=4, solid_capstyle="butt")
    for place, (name, rank) in enumerate(zip(names, ranks, strict=True)):
        on_left = place < n_left
        line = place if on_left else k - 1 - place
        height = -bars - LINE * (line + 0.5)
        end = 1 - 0.05 * margin if on_left else k + 0.05 * margin
        axes.plot([rank, rank, end], [0, height, height], color=GREY, lw=1)
        axes.text(
            end + (-0.02 if on_left else 0.02) * margin,
            height,
            f"{name}  {rank:.2f}" if on_left else f"{rank:.2f}  {name}",
            ha="right" if on_left else "left",
            va="center",
            fontsize=9,
        )
    return figure


def _draw_scale(axes: Any, k: int, report: RankReport) -> None:
    """Draw the line of ranks with its ticks, and the critical distance above it."""
    axes.plot([1, k], [0, 0], color="black", lw=1)
    for rank in np.arange(1, k + 1):
        axes.plot([rank, rank], [0, 0.08], color="black", lw=1)
        axes.text(rank, 0.12, str(rank), ha="center", va="bottom", fontsize=8)
    width = min(report.distance, k - 1)
    shown = f"critical distance {report.distance:.2f}"
    if report.distance > k - 1:
        shown += " (longer than the scale)"
    axes.plot([1, 1 + width], [0.55, 0.55], color="black", lw=1.5)
    for end in (1, 1 + width):
        axes.plot([end, end], [0.5, 0.6], color="black", lw=1.5)
    axes.text(1, 0.65, f"{shown}, {report.test.n_sets} data sets", ha="left", va="bottom", fontsize=8)
