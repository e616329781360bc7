"""How much training evidence a leaf or a rule has: an estimate of its accuracy on new rows."""

from __future__ import annotations

from typing import Literal

from trees.pruning.pessimistic import added_errors

__all__ = ["Gate", "estimated_accuracy", "pessimistic_accuracy"]

Gate = Literal["none", "pessimistic", "both", "laplace"]


def pessimistic_accuracy(n: float, e: float) -> float:
    """Return C4.5's pessimistic estimate of the accuracy behind `e` errors in `n` rows, 0 without rows.

    Confidence 0.25, as in pruning.

    Examples
    --------
    >>> round(pessimistic_accuracy(6, 2), 3), round(pessimistic_accuracy(19, 1), 3)
    (0.443, 0.867)
    """
    return 0.0 if n <= 0 else 1.0 - (e + added_errors(n, e)) / n


def estimated_accuracy(n: float, e: float, gate: Gate, n_classes: int) -> float:
    """Return the estimate that a gate compares: pessimistic, or Laplace's (n - e + 1) / (n + n_classes)."""
    return (n - e + 1) / (n + n_classes) if gate == "laplace" else pessimistic_accuracy(n, e)
