"""What the generic grower is told."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

__all__ = ["GenericOptions"]


@dataclass(frozen=True)
class GenericOptions:
    """What a tree is grown with.

    Parameters
    ----------
    criterion : {"gini", "entropy", "error_rate", "gain_ratio"}
        Worth of a split, a key of `CRITERIA`.
    nominal_split : {"multiway", "subset", "one_vs_rest"}
        A branch per value, two groups of values, or one value against the rest.
    thresholds : "all" or int
        Cuts to try: between all neighbouring values, or those next to the borders of so many parts of equal
        weight.
    min_split : float
        Weight that a node needs to be split.
    min_leaf : float
        Weight that every branch with rows needs.
    max_depth : int or None
        Greatest number of tests on a path.
    max_leaves : int or None
        Greatest number of leaves; the node with the greatest decrease times weight is split first.
    min_gain : float
        A split must decrease the impurity by more; below 0 a split that gains nothing is made too.
    max_subset_values : int
        With more values in a node, the search for two groups is limited to an order of the values.
    missing : {"fractions", "largest"}
        Where a row goes whose tested cell is missing: down all branches in fractions, or down the heaviest.
    """

    criterion: str = "gini"
    nominal_split: Literal["multiway", "subset", "one_vs_rest"] = "multiway"
    thresholds: Literal["all"] | int = "all"
    min_split: float = 2.0
    min_leaf: float = 1.0
    max_depth: int | None = None
    max_leaves: int | None = None
    min_gain: float = 0.0
    max_subset_values: int = 12
    missing: Literal["fractions", "largest"] = "largest"
