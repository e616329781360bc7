"""The parameters that the genetic handlers share."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from sklearn.base import BaseEstimator

from trees.validation import Check, Choice, Float, Integer

if TYPE_CHECKING:
    from evorules.evolution import GASettings

__all__ = ["GA_PARAMETERS", "ga_settings"]

GA_PARAMETERS: Mapping[str, Check] = {
    "population_size": Integer(2),
    "n_generations": Integer(0),
    "crossover_rate": Float(0, 1, "both"),
    "mutation_rate": Float(0, 1, "both"),
    "init": Choice(("seeded", "random")),
    "min_conditions": Integer(0),
    "scope": Choice(("active", "all")),
}
"""What each may be."""


def ga_settings(handler: BaseEstimator, **more: Any) -> GASettings:
    """Return the settings of a handler's runs.

    Parameters
    ----------
    handler : BaseEstimator
        With the parameters named in `GA_PARAMETERS`.
    **more
        Settings that the handler does not have under that name, or decides itself.
    """
    from evorules.evolution import GASettings

    given = {name: getattr(handler, name) for name in GA_PARAMETERS}
    return GASettings(**{**given, **more})
