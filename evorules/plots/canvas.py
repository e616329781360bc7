"""What the figures share: an empty figure, and one colour and marker per learner."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["COLORS", "GREY", "MARKERS", "new_figure", "style_of"]

COLORS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000", "#8c564b")
"""Okabe and Ito's colours, told apart by colour-blind readers, and a brown in place of their yellow."""

MARKERS = ("o", "s", "^", "D", "v", "P", "X", "<", ">")
"""A second way to tell learners apart; 8 colours and 9 markers repeat together only after 72."""

GREY = "#666666"


def new_figure(width: float, height: float) -> Figure:
    """Return an empty figure; width and height in inches.

    Raises
    ------
    ImportError
        If matplotlib is not installed (extra "plot").
    """
    try:
        from matplotlib.figure import Figure
    except ImportError as error:
        raise ImportError("Figures need matplotlib: pip install 'evorules[plot]'.") from error
    return Figure(figsize=(width, height), layout="constrained")


def style_of(number: int) -> dict[str, Any]:
    """Return colour and marker of the learner with a number."""
    return {"color": COLORS[number % len(COLORS)], "marker": MARKERS[number % len(MARKERS)]}
