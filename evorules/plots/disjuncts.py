"""Pictures of small disjuncts, and of the runs that look for rules for them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from evorules.evaluation.diagnosis import DisjunctDiagnosis
from evorules.plots.canvas import COLORS, GREY, new_figure

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["plot_disjuncts", "plot_history"]


def plot_disjuncts(diagnosis: DisjunctDiagnosis) -> Figure:
    """Draw errors by size of disjunct, and how far they concentrate in small ones.

    Parameters
    ----------
    diagnosis : DisjunctDiagnosis
        From `evorules.evaluation.small_disjuncts`.

    Returns
    -------
    Figure
        Left: error rate by range of sizes, of the tree alone and with the remedy, over the share of the rows
        in each range. Right: share of all errors against share of all hits, from the smallest disjunct on;
        the further above the diagonal, the more errors are in small disjuncts.
    """
    figure = new_figure(9.5, 3.8)
    bars, curve = figure.subplots(1, 2, width_ratios=(3, 2))
    _draw_bars(bars, diagnosis)
    summary = diagnosis.summary
    states = ("before",) if _is_unchanged(diagnosis) else ("before", "after")
    for number, state in enumerate(states):
        x, y = diagnosis.curve(state)
        value = float(summary["error concentration"].to_numpy()[number])
        curve.plot(
            x, y, color=COLORS[number], marker=".", ms=3, lw=1.2, label=f"{_NAMES[state]}: {value:.2f}"
        )
    curve.plot([0, 1], [0, 1], color=GREY, lw=0.8, ls="--")
    curve.set(xlim=(0, 1), ylim=(0, 1.01), aspect="equal")
    curve.set_xlabel("share of hits", fontsize=9)
    curve.set_ylabel("share of errors", fontsize=9)
    curve.tick_params(labelsize=8)
    curve.legend(title="error concentration", title_fontsize=8, fontsize=8, loc="lower right")
    return figure


_NAMES = {"before": "tree alone", "after": "with the remedy"}


def _is_unchanged(diagnosis: DisjunctDiagnosis) -> bool:
    return bool((diagnosis.rows["before"] == diagnosis.rows["after"]).all())


def _draw_bars(axes: Axes, diagnosis: DisjunctDiagnosis) -> None:
    """Draw error rates beside each other, and behind them the share of the rows."""
    table = diagnosis.table
    place = np.arange(len(table))
    axes.bar(place, table["share of rows"], width=0.9, color="#e4e4e4", label="share of rows")
    states = ("before",) if _is_unchanged(diagnosis) else ("before", "after")
    width = 0.7 / len(states)
    for number, state in enumerate(states):
        offset = (number - (len(states) - 1) / 2) * width
        axes.bar(
            place + offset,
            table[f"error rate {state}"],
            width=width,
            color=COLORS[number],
            label=f"error rate, {_NAMES[state]}",
        )
    # a range ends at the threshold: the small ones are the first lines
    n_small = int(np.count_nonzero(np.cumsum(table["rows"]) <= diagnosis.rows["small"].sum()))
    if 0 < n_small < len(table):
        axes.axvline(n_small - 0.5, color=GREY, lw=0.8, ls="--", label="threshold")
    axes.set_xticks(place, table["size"], fontsize=8)
    axes.set_xlabel("size of the disjunct, in training rows", fontsize=9)
    axes.tick_params(axis="y", labelsize=8)
    axes.grid(axis="y", color="#dddddd", lw=0.6)
    axes.set_axisbelow(True)
    axes.legend(fontsize=8)


def plot_history(history: pd.DataFrame) -> Figure:
    """Draw how the fitness grew in every run.

    Parameters
    ----------
    history : DataFrame
        `history_` of a genetic learner.

    Returns
    -------
    Figure
        A thin line per run, its greatest fitness by generation, and thick lines for the median over the runs
        of the greatest and of the mean fitness. Generations that only few runs reached count for those.
    """
    figure = new_figure(6.0, 3.8)
    axes = figure.subplots()
    group = history.columns[0]
    for _, run in history.groupby([group, "run"]):
        axes.plot(run["generation"], run["greatest"], color=COLORS[0], lw=0.5, alpha=0.5)
    medians = history.groupby("generation")[["greatest", "mean"]].median()
    axes.plot(medians.index, medians["greatest"], color=COLORS[0], lw=2, label="greatest, median over runs")
    axes.plot(medians.index, medians["mean"], color=COLORS[1], lw=2, label="mean, median over runs")
    n_runs = history.groupby([group, "run"]).ngroups
    axes.set_xlabel(f"generation ({n_runs} runs)", fontsize=9)
    axes.set_ylabel("fitness", fontsize=9)
    axes.set_ylim(0, 1.02)
    axes.tick_params(labelsize=8)
    axes.grid(color="#dddddd", lw=0.6)
    axes.legend(fontsize=8, loc="lower right")
    return figure
