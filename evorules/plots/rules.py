"""Accuracy against the number of rules: what a better model costs its reader."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from evorules.evaluation.results import Comparison
from evorules.plots.canvas import new_figure, style_of

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["plot_rules_and_accuracy"]


def plot_rules_and_accuracy(
    result: Comparison, score: str = "accuracy", *, width: float = 7.0, height: float = 4.2
) -> Figure:
    """Draw a point per learner: its mean number of rules, and its mean score.

    Parameters
    ----------
    result : Comparison
        What to draw. Learners without rules are left out, and so are data sets on which a run failed.
    score : str
        A column of `Comparison.to_frame`.
    width, height : float
        Inches.

    Returns
    -------
    Figure
        With one data set a bar is the standard deviation over folds. With more, small points are data sets
        and large ones the means over the data sets that all learners finished (rules: geometric mean).
    """
    from matplotlib.ticker import LogLocator, NullFormatter, StrMethodFormatter

    scores, rules = result.matrix(score), result.matrix("rules")
    names = [name for name in result.learners if rules[name].notna().any()]
    scores, rules = scores[names].dropna(), rules[names]
    rules = rules.loc[scores.index].dropna()
    scores = scores.loc[rules.index]
    figure = new_figure(width, height)
    axes = figure.add_subplot()
    spread = result.summary(score)["sd"]
    for number, name in enumerate(names):
        style = style_of(number)
        if len(scores) == 1:
            data = str(scores.index[0])
            axes.errorbar(
                rules[name].to_numpy(),
                scores[name].to_numpy(),
                yerr=[float(spread[data, name])],
                label=name,
                ms=8,
                capsize=3,
                lw=1,
                ls="",
                **style,
            )
            continue
        axes.scatter(rules[name], scores[name], s=22, alpha=0.45, linewidths=0, **style)
        center = float(np.exp(np.log(rules[name].clip(lower=0.5)).mean()))
        mean = float(scores[name].mean())
        axes.scatter(
            [center], [mean], s=90, edgecolors="black", linewidths=0.8, label=name, zorder=3, **style
        )
    axes.set_xscale("log")
    low, high = axes.get_xlim()
    # labels at 1, 2 and 5 run into each other over many powers of ten
    axes.xaxis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0) if high < 1000 * low else (1.0,)))
    axes.xaxis.set_major_formatter(StrMethodFormatter("{x:g}"))
    axes.xaxis.set_minor_formatter(NullFormatter())
    axes.set_xlabel("rules (log scale)")
    axes.set_ylabel(score.replace("_", " "))
    axes.grid(color="#dddddd", lw=0.6)
    axes.set_axisbelow(True)
    figure.legend(loc="outside right upper", fontsize=8, frameon=False)
    return figure
