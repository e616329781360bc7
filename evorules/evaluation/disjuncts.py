"""How good a model is on the rows of large and of small disjuncts of a reference tree."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
from sklearn.base import clone
from sklearn.model_selection import StratifiedKFold

from evorules.evaluation.tasks import is_stochastic
from evorules.hybrids import SmallDisjunctClassifier
from trees.errors import DataError
from trees.estimator import TableClassifier
from trees.table import Table

__all__ = ["DisjunctScores", "check_folds", "cross_validate_disjuncts"]


@dataclass(frozen=True)
class DisjunctScores:
    """Rows and hits, apart for large and small disjuncts.

    Parameters
    ----------
    large_rows, small_rows : int
        Rows whose leaf in the reference tree is large or small.
    large_correct, small_correct : int
        Those of them that the model predicts rightly.
    """

    large_rows: int
    large_correct: int
    small_rows: int
    small_correct: int

    @classmethod
    def of(cls, correct: npt.NDArray[np.bool_], small: npt.NDArray[np.bool_]) -> DisjunctScores:
        """Count hits; both arrays have shape (n_rows,)."""
        return cls(
            int(np.sum(~small)),
            int(np.sum(correct & ~small)),
            int(np.sum(small)),
            int(np.sum(correct & small)),
        )

    @property
    def accuracy(self) -> float:
        """Share of all rows that are right, NaN without rows."""
        return _share(self.large_correct + self.small_correct, self.large_rows + self.small_rows)

    @property
    def large_accuracy(self) -> float:
        """Share of the rows in large disjuncts that are right, NaN without such rows."""
        return _share(self.large_correct, self.large_rows)

    @property
    def small_accuracy(self) -> float:
        """Share of the rows in small disjuncts that are right, NaN without such rows."""
        return _share(self.small_correct, self.small_rows)


def _share(part: int, whole: int) -> float:
    return part / whole if whole else float("nan")


def check_folds(labels: Any, folds: int) -> None:
    """Raise DataError if rows with these labels cannot be dealt to so many stratified folds."""
    largest = int(np.unique(np.asarray(labels).astype(str), return_counts=True)[1].max())
    if not 2 <= folds <= largest:
        raise DataError(f"folds must be from 2 to {largest}, the rows of the largest class. Got {folds}.")


def cross_validate_disjuncts(
    learners: Mapping[str, TableClassifier],
    table: Table,
    *,
    folds: int = 5,
    seeds: Sequence[int] = (0,),
    threshold: float = 15,
    random_state: int = 0,
    report: Callable[[float], None] = lambda done: None,
) -> pd.DataFrame:
    """Cross-validate learners on the same stratified folds and score them by size of disjunct.

    Parameters
    ----------
    learners : mapping of str to classifier
        Learners with a `random_state` are fitted once per seed, the others once.
    table : Table
        Rows with classes.
    folds : int
        Number of folds, at least 2.
    seeds : sequence of int
        Values of `random_state`.
    threshold : float
        Greatest size of a small disjunct in the reference tree, C4.5 with default options on the training
        part of each fold.
    random_state : int
        Shuffles the folds.
    report : callable
        Called with the share of the work done since the last call.

    Returns
    -------
    DataFrame
        One row per learner, fold and seed: the counts of `DisjunctScores`, accuracy, and the numbers of
        rules and conditions.
    """
    check_folds(table.classes, folds)
    splits = list(
        StratifiedKFold(folds, shuffle=True, random_state=random_state).split(table.X, table.classes)
    )
    runs = sum(folds * (len(seeds) if is_stochastic(learner) else 1) for learner in learners.values())
    records = []
    for fold, (train, test) in enumerate(splits):
        training, held_out = table.take(train), table.take(test)
        reference = SmallDisjunctClassifier(handler="none", threshold=threshold).fit(training)
        small = reference.in_small_disjunct(held_out)
        truth = np.array(table.schema.classes, dtype=object)[held_out.classes]
        for name, learner in learners.items():
            for seed in seeds if is_stochastic(learner) else (None,):
                model: Any = clone(learner)
                if seed is not None:
                    model.set_params(random_state=seed)
                correct = model.fit(training).predict(held_out) == truth
                scores = DisjunctScores.of(np.asarray(correct, dtype=np.bool_), small)
                records.append(
                    {
                        "learner": name,
                        "fold": fold,
                        "seed": seed,
                        **vars(scores),
                        "accuracy": scores.accuracy,
                        "rules": len(model.rules_),
                        "conditions": model.rules_.n_conditions,
                    }
                )
                report(1 / runs)
    return pd.DataFrame(records)
