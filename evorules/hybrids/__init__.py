"""Hybrids: a tree, and a remedy for its small disjuncts.

`SmallDisjunctClassifier` is the estimator; a remedy is a `DisjunctHandler`: one short file each.
"""

from typing import TYPE_CHECKING, Any

from evorules.hybrids.auto import Auto
from evorules.hybrids.boosted_rules import BoostedRules
from evorules.hybrids.classifier import AnyClassifier
from evorules.hybrids.ga_large_sn import GALargeSN
from evorules.hybrids.ga_rules import GARuleClassifier
from evorules.hybrids.ga_small import GASmall
from evorules.hybrids.handler import Answer, DisjunctHandler
from evorules.hybrids.naive_bayes import NaiveBayes
from evorules.hybrids.nearest import NearestNeighbours
from evorules.hybrids.no_remedy import NoRemedy
from evorules.hybrids.problem import DisjunctProblem
from evorules.hybrids.removal import Removal
from evorules.hybrids.second_tree import SecondTree
from evorules.hybrids.small_disjuncts import HANDLERS, SmallDisjunctClassifier

if TYPE_CHECKING:
    from evorules.hybrids.associative import EagerAssociative, LazyAssociative

__all__ = [
    "HANDLERS",
    "Answer",
    "AnyClassifier",
    "Auto",
    "BoostedRules",
    "DisjunctHandler",
    "DisjunctProblem",
    "EagerAssociative",
    "GALargeSN",
    "GARuleClassifier",
    "GASmall",
    "LazyAssociative",
    "NaiveBayes",
    "NearestNeighbours",
    "NoRemedy",
    "Removal",
    "SecondTree",
    "SmallDisjunctClassifier",
]


def __getattr__(name: str) -> Any:
    """Import the associative handlers on first use: with them comes a family of packages."""
    if name in ("EagerAssociative", "LazyAssociative"):
        from evorules.hybrids import associative

        return getattr(associative, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
