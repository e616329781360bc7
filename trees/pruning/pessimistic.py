"""C4.5's pessimistic pruning: subtrees stay only if a leaf is estimated to make more errors."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from trees.errors import ParameterError
from trees.growth.literal import sums_are_exact, training_arrays
from trees.growth.literal.nodes import drop_impossible_values, nodes_of, tree_of
from trees.growth.tree import Tree
from trees.pruning.exact import can_prune_exactly, prune_exactly
from trees.table import Table

__all__ = ["added_errors", "estimate_level", "prune_pessimistic"]

LEVELS = np.array([0, 0.001, 0.005, 0.01, 0.05, 0.10, 0.20, 0.40, 1.00])
DEVIATIONS = np.array([4.0, 3.09, 2.58, 2.33, 1.65, 1.28, 0.84, 0.25, 0.00])
"""Normal deviates of the confidence levels above; C4.5 interpolates linearly between them."""


def added_errors(n: float, e: float, confidence: float = 0.25, *, single_precision: bool = False) -> float:
    """Return how many errors to add to those observed, to get an upper limit of what to expect (AddErrs).

    Parameters
    ----------
    n : float
        Weight of the cases, greater than 0.
    e : float
        Weight of the errors among them, in [0, n].
    confidence : float
        In (0, 1]; the lower, the more errors are added.
    single_precision : bool
        Calculate in 32-bit floats, as the original does.

    Returns
    -------
    float
        Errors to add, at least 0.

    Raises
    ------
    ParameterError
        If `confidence` is not in (0, 1].

    Notes
    -----
    C4.5 specification, section 3 (AddErrs): without errors the exact binomial limit, between 0 and 1 errors a
    linear interpolation, above a normal approximation whose deviate is interpolated in a table.

    Examples
    --------
    >>> round(added_errors(6, 0), 3), round(added_errors(16, 1), 3)
    (1.238, 1.507)
    """
    from trees.pruning._kernels_pessimistic import added_errors as kernel

    real = np.float32 if single_precision else np.float64
    level, coefficient = estimate_level(confidence, real)
    return float(kernel(real(n), real(e), level, coefficient))


def prune_pessimistic(
    tree: Tree,
    table: Table,
    *,
    confidence: float = 0.25,
    raising: bool = True,
    case_order: npt.NDArray[np.int32] | None = None,
) -> Tree:
    """Prune a C4.5 tree with the estimated errors of subtree, leaf and largest branch.

    Parameters
    ----------
    tree : Tree
        As grown; it is not changed.
    table : Table
        The rows to estimate with: those it was grown from.
    confidence : float
        Confidence level in (0, 1] of the estimate (the original's ``-c``, there in percent).
    raising : bool
        Whether a node may be replaced by its largest branch.
    case_order : ndarray of shape (n_rows,), int32, or None
        Order in which to go through the rows; it is changed to the one that the original leaves. None: the
        order in which growing left them.

    Returns
    -------
    Tree
        In pre-order; `weight`, `class_weight` and `label` are those of the rows as they fall through the
        pruned tree, `errors` the estimated errors. Its precision is that of `tree`.

    Raises
    ------
    ParameterError
        If `confidence` is not in (0, 1].

    Notes
    -----
    Quinlan (1993), chapter 4; specification section 3. Where all rows of a node lack the value it tests, no
    branch can be the largest, and raising is not considered; in the original the choice is undefined (defect
    9.8). After pruning, the last branch of a test on groups of values loses the values that no row can bring
    there.
    """
    from trees.pruning._kernels_pessimistic import prune, push

    real = np.float32 if tree.single_precision else np.float64
    level = np.array(estimate_level(confidence, real))
    if case_order is None and can_prune_exactly(tree, table):
        return prune_exactly(tree, table, level, raising)
    in_order = np.arange(table.n_rows, dtype=np.int32) if case_order is None else case_order
    if case_order is None and tree.case_order is not None and len(tree.case_order) == table.n_rows:
        in_order = tree.case_order.copy()
    weight = table.weight[in_order].astype(real)
    data = training_arrays(table, real)
    counts = np.empty(table.n_classes, dtype=real)
    nodes = nodes_of(tree, real)
    depth = tree.depth + 2
    fints, freals = np.zeros((depth, 10), dtype=np.int64), np.zeros((depth, 5), dtype=real)
    any_order = case_order is None and sums_are_exact(table, data)
    state = np.array([-1, table.has_unit_weights, any_order, -1], dtype=np.int64)
    push(fints, state, 0, 0, table.n_rows - 1, 1)
    budget, result = np.zeros(2), np.zeros(1, dtype=real)
    prune(
        data.values, data.complete, data.y, in_order, weight, counts, level, raising, *nodes, fints, freals,
        state, budget, result,
    )  # fmt: skip
    drop_impossible_values(nodes, tree.schema)
    return tree_of(nodes, tree.schema)


def estimate_level(confidence: float, real: Any) -> tuple[Any, Any]:
    """Return the confidence and its squared normal deviate in the precision `real`."""
    if not 0 < confidence <= 1:
        raise ParameterError(
            f"The 'confidence' parameter must be a float in (0, 1]. Got {confidence!r} instead."
        )
    level = real(confidence)
    levels, deviations = LEVELS.astype(real), DEVIATIONS.astype(real)
    i = int(np.argmax(level <= levels))
    slope = (deviations[i] - deviations[i - 1]) * (level - levels[i - 1]) / (levels[i] - levels[i - 1])
    deviate = deviations[i - 1] + slope
    return level, deviate * deviate
