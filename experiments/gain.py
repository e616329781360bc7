"""The picture of a study of remedies: what each changes on every data set."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

__all__ = ["gain_figure"]

LIMIT = 30.0


def gain_figure(change: pd.DataFrame) -> Figure:
    """Return a point per data set and system, the mean in orange and as a number.

    Parameters
    ----------
    change : DataFrame of shape (n_sets, n_systems)
        Points of accuracy on rows in small leaves, against nothing done.
    """
    from evorules.plots.canvas import GREY, new_figure

    names = change.mean().sort_values().index.tolist()
    figure = new_figure(7.5, 0.36 * len(names) + 1.1)
    axes = figure.add_subplot()
    for place, name in enumerate(names):
        values = change[name].clip(-LIMIT, LIMIT)
        jitter = np.linspace(-0.22, 0.22, len(values))
        axes.scatter(values, place + jitter, s=16, color="#0072b2", alpha=0.55, linewidths=0)
        mean = float(change[name].mean())
        axes.scatter([mean], [place], s=90, marker="|", color="#d55e00", linewidths=2.5, zorder=3)
        axes.text(LIMIT + 1, place, f"{mean:+.1f}", va="center", fontsize=9, color="#d55e00")
    axes.axvline(0, color=GREY, lw=1, zorder=0)
    axes.set_yticks(range(len(names)), names)
    axes.set_xlim(-LIMIT - 1, LIMIT + 6)
    axes.set_xlabel("change in accuracy on rows in small leaves, points (beyond ±30 at the edge)")
    axes.grid(axis="x", color="#dddddd", lw=0.6)
    axes.set_axisbelow(True)
    return figure
