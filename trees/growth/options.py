"""What a C4.5 tree is grown with; the original's command line letters stand beside."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

__all__ = ["GrowthOptions"]


@dataclass(frozen=True)
class GrowthOptions:
    """Options of growing.

    Parameters
    ----------
    criterion : {"gain_ratio", "gain"}
        Worth of a test; "gain" is the original's ``-g``.
    min_cases : float
        Two branches at least must receive this weight (``-m``).
    group_values : bool
        Group the values of nominal attributes with more than two values (``-s``).
    collapse : bool
        Replace a subtree that makes no fewer training errors than a leaf.
    max_depth : int or None
        Greatest number of tests on a path; None means no limit. Not in the original.
    """

    criterion: Literal["gain_ratio", "gain"] = "gain_ratio"
    min_cases: float = 2.0
    group_values: bool = False
    collapse: bool = True
    max_depth: int | None = None
