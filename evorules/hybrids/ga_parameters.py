"""What the genetic learners share: parameters, the history of their runs, and how they end early."""

from __future__ import annotations

import time
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator
from sklearn.exceptions import ConvergenceWarning

from trees.class_weight import ClassWeights, class_factors
from trees.table import Table
from trees.validation import AnyOf, Check, Choice, Float, Integer

if TYPE_CHECKING:
    import pandas as pd

    from evorules.evolution import Evolution, GASettings

__all__ = [
    "ADDED_PARAMETERS",
    "GA_PARAMETERS",
    "RunLog",
    "ga_class_factor",
    "ga_settings",
    "warn_of_interrupt",
]

GA_PARAMETERS: Mapping[str, Check] = {
    "population_size": Integer(2),
    "n_generations": Integer(0),
    "crossover_rate": Float(0, 1, "both"),
    "mutation_rate": Float(0, 1, "both"),
    "init": Choice(("seeded", "random")),
    "min_conditions": Integer(0),
    "scope": Choice(("active", "all")),
    "selection": Choice(("tournament", "nsga2")),
    "trade_off": Choice(("one_se", "knee")),
    "class_weight": AnyOf((Choice((None, "balanced")), ClassWeights())),
    "patience": AnyOf((Choice((None,)), Integer(1))),
    "time_budget": AnyOf((Choice((None,)), Float(0))),
}
"""What each may be."""
ADDED_PARAMETERS: Mapping[str, Any] = {"selection": "tournament", "trade_off": "one_se", "class_weight": None}
"""Parameters that came later, with the values under which results are what they were before."""
_NOT_SETTINGS = ("class_weight", "time_budget")


def ga_settings(handler: BaseEstimator, **more: Any) -> GASettings:
    """Return the settings of a learner's runs; time budget and class weights are left to the learner.

    Parameters
    ----------
    handler : BaseEstimator
        With the parameters named in `GA_PARAMETERS`.
    **more
        Settings that the learner does not have under that name, or decides itself.
    """
    from evorules.evolution import GASettings

    given = {name: getattr(handler, name) for name in GA_PARAMETERS if name not in _NOT_SETTINGS}
    return GASettings(**{**given, **more})


def ga_class_factor(
    table: Table, class_weight: Mapping[Any, float] | Literal["balanced"] | None
) -> npt.NDArray[np.float64] | None:
    """Return the factors of the classes in the fitness, ndarray of shape (n_classes,); None if all are 1."""
    return None if class_weight is None else class_factors(table, class_weight)


def warn_of_interrupt(owner: str) -> None:
    """Warn that Ctrl-C ended a fit and that the model is what had been found by then."""
    warnings.warn(
        f"{owner}: fit was interrupted. The model is usable and keeps the best found so far.",
        ConvergenceWarning,
        stacklevel=4,
    )


@dataclass
class RunLog:
    """Records of runs as they come, in whatever order.

    Parameters
    ----------
    time_budget : float or None
        Seconds for all runs together.
    """

    time_budget: float | None = None
    interrupted: bool = False
    _began: float = field(default_factory=time.monotonic)
    _runs: list[tuple[int, int, int, str, npt.NDArray[np.float64]]] = field(default_factory=list)

    def deadline(self, share: float = 1.0) -> float | None:
        """Return the time, as in `time.monotonic`, at which a share of the budget is used up."""
        return None if self.time_budget is None else self._began + share * self.time_budget

    @property
    def out_of_time(self) -> bool:
        """Whether the budget is used up."""
        return self.time_budget is not None and time.monotonic() >= self._began + self.time_budget

    def add(self, group: int, evolution: Evolution) -> None:
        """Keep the record of a run; a group is a rule list or a leaf."""
        run = sum(1 for record in self._runs if record[0] == group)
        reason = evolution.stop_reason
        self.interrupted |= reason == "interrupt"
        self._runs.append((group, run, evolution.rule.consequent, reason, evolution.records))

    def to_state(self) -> list[dict[str, Any]]:
        """Return the records of all runs in a JSON-ready form."""
        return [
            {"group": group, "run": run, "class": label, "stop_reason": reason, "fitness": records.tolist()}
            for group, run, label, reason, records in sorted(self._runs, key=lambda record: record[:2])
        ]

    @classmethod
    def from_state(cls, state: Sequence[Mapping[str, Any]], n_classes: int) -> RunLog:
        """Return the log that `to_state` described.

        Raises
        ------
        ValueError
            If a run has no generation, its records are no lines of four numbers, or its class is none.
        """
        log = cls()
        for run in state:
            records = np.array(run["fitness"], dtype=np.float64).reshape(-1, 4)
            label, reason = int(run["class"]), str(run["stop_reason"])
            if len(records) == 0 or not 0 <= label < n_classes:
                raise ValueError("a run of the history is damaged")
            log._runs.append((int(run["group"]), int(run["run"]), label, reason, records))
        return log

    def to_frame(self, group: str, classes: tuple[Any, ...]) -> pd.DataFrame:
        """Return a line per run and generation: group, run, class, generation, fitness, why the run ended.

        Parameters
        ----------
        group : str
            Name of the column with the groups.
        classes : tuple
            Class values by code.
        """
        import pandas as pd

        runs = sorted(self._runs, key=lambda record: record[:2])
        lengths = [len(records) for *_, records in runs]
        values = np.concatenate([np.empty((0, 4)), *(records for *_, records in runs)])
        return pd.DataFrame(
            {
                group: np.repeat(np.array([run[0] for run in runs], dtype=np.int64), lengths),
                "run": np.repeat(np.array([run[1] for run in runs], dtype=np.int64), lengths),
                "class": np.repeat(np.array([str(classes[run[2]]) for run in runs], dtype=object), lengths),
                "generation": np.concatenate([np.empty(0, dtype=np.int64), *map(np.arange, lengths)]),
                "mean": values[:, 0],
                "std": values[:, 1],
                "least": values[:, 2],
                "greatest": values[:, 3],
                "stop_reason": np.repeat(np.array([run[3] for run in runs], dtype=object), lengths),
            }
        )
