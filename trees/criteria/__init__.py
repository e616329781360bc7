"""How impure a set of rows is, and what a split gains: error rate, Gini index, entropy, gain ratio."""

from trees.criteria.criterion import Criterion
from trees.criteria.entropy import entropy, gain_ratio, information_gain, split_information
from trees.criteria.error_rate import error_rate
from trees.criteria.gini import gini

__all__ = [
    "CRITERIA",
    "Criterion",
    "entropy",
    "error_rate",
    "gain_ratio",
    "gini",
    "information_gain",
    "split_information",
]

CRITERIA: dict[str, Criterion] = {
    "error_rate": Criterion("error_rate", error_rate, code=0),
    "gini": Criterion("gini", gini, code=1),
    "entropy": Criterion("entropy", entropy, code=2),
    "gain_ratio": Criterion("gain_ratio", entropy, code=2, by_ratio=True),
}
"""Every criterion by name."""
