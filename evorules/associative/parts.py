"""What an associative classifier is made of, and the parameters that all of them share."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from evorules.mining import MINING_PARAMETERS, Miner
from evorules.rules.coverage import Coverage
from evorules.rules.pruning import Pruner, Selection
from evorules.rules.satisfaction import BestRule, Satisfaction
from evorules.rules.training import TrainingRules
from evorules.rules.unmatched import FALLBACKS, Fallback
from trees.discretize import Discretizer
from trees.discretize.by_name import DiscretizerCheck
from trees.validation import AnyOf, Check, Choice, Integer

__all__ = ["SHARED_PARAMETERS", "Parts", "mining_parameters"]


@dataclass(frozen=True)
class Parts:
    """An associative classifier as a value.

    Parameters
    ----------
    discretizer : Discretizer
        Cuts numeric attributes of the training rows.
    miner : Miner
        Finds the rules.
    ordering : callable
        Ranks them: one of `evorules.rules.ORDERINGS`, or a function of rules that returns positions.
    pruner : callable
        Chooses from the ranked rules, and may choose a default class.
    coverage : tuple of int
        Which rules count as covering a row: one of `evorules.rules.COVERAGES`.
    satisfaction : Satisfaction
        How the rules that cover a row decide its class.
    unmatched : {"abstain", "default", "majority"}
        What to say of rows that no rule covers.
    tie : {"prior", "random"}
        Which of the classes tied in votes is preferred.
    """

    discretizer: Discretizer
    miner: Miner
    ordering: Callable[[TrainingRules], npt.NDArray[np.int64]]
    pruner: Callable[[TrainingRules], Selection] = field(default_factory=Pruner)
    coverage: Coverage = (0,)
    satisfaction: Satisfaction = field(default_factory=BestRule)
    unmatched: Fallback = "default"
    tie: Literal["prior", "random"] = "prior"


SHARED_PARAMETERS: dict[str, Check] = {
    **{name: check for name, check in MINING_PARAMETERS.items() if name != "verbose"},
    "discretizer": DiscretizerCheck(),
    "fallback": Choice(FALLBACKS),
    "n_jobs": AnyOf((Choice((None, -1)), Integer(1))),
}
"""What parameters of the same name may be in every associative classifier."""


def mining_parameters(model: Any) -> dict[str, Any]:
    """Return those parameters of a classifier that are a miner's."""
    given = model.get_params(deep=False)
    return {name: given[name] for name in MINING_PARAMETERS if name in given}
