"""What a model decided for each row, and by which rule."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

__all__ = ["Decisions"]


@dataclass(frozen=True, eq=False)
class Decisions:
    """Class codes with the scores and rules behind them.

    Parameters
    ----------
    label : ndarray of shape (n_rows,), int32
        Class code decided, -1 where the model abstains.
    scores : ndarray of shape (n_rows, n_classes), float64
        Scores of at least 0 that sum to 1; the decided class has the greatest.
    rule : ndarray of shape (n_rows,), int32
        Number of the deciding rule in the model's `rules_`, -1 where none decided.
    """

    label: npt.NDArray[np.int32]
    scores: npt.NDArray[np.float64]
    rule: npt.NDArray[np.int32]

    @property
    def abstained(self) -> npt.NDArray[np.bool_]:
        """Where the model does not decide."""
        return self.label < 0
