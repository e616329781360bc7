"""What each rule of an ordered list does to the training rows, and the rules that do more harm than good."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from trees.table import Table

__all__ = ["Pass", "drop_harmful", "evaluate"]

Floats = npt.NDArray[np.float64]
Words = npt.NDArray[np.uint64]


@dataclass(frozen=True, eq=False)
class Pass:
    """What the rules of a list decide; all weights by rule in list order.

    Parameters
    ----------
    used : ndarray of shape (n_rules,)
        Weight of the rows on which a rule is the first to fire.
    wrong : ndarray of shape (n_rules,)
        Weight of those of another class.
    better, worse : ndarray of shape (n_rules,)
        Weight of the rows that the rule gets right, or that without it would come right, where the next rule
        to fire, or the default, says another class.
    errors : float
        Weight of all rows that come wrong.
    dropped : int
        Rule to drop, the first that does more harm than good; -1 for none.
    """

    used: Floats
    wrong: Floats
    better: Floats
    worse: Floats
    errors: float
    dropped: int


def evaluate(
    fires: Words, alive: npt.NDArray[np.bool_], labels: npt.NDArray[np.int32], default: int, table: Table
) -> Pass:
    """Let an ordered rule list decide the rows of a table with classes.

    Parameters
    ----------
    fires : ndarray of shape (n_rules, n_words), uint64
        Rows on which each rule fires.
    alive : ndarray of shape (n_rules,), bool
        Rules that are still in the list.
    labels : ndarray of shape (n_rules,), int32
        Their class codes.
    default : int
        Class code where no rule fires.
    table : Table
        The rows.

    Returns
    -------
    Pass
    """
    from trees.rulegen._kernels_firing import first_two

    first, second = np.empty(table.n_rows, dtype=np.int32), np.empty(table.n_rows, dtype=np.int32)
    first_two(fires, alive, first, second)
    said = np.append(labels, np.int32(default))
    right, next_right = said[first] == table.classes, said[second] == table.classes
    fired = first >= 0

    def sums(rows: npt.NDArray[np.bool_]) -> Floats:
        weights = np.bincount(first[rows], weights=table.weight[rows], minlength=len(labels))
        return weights.astype(np.float64, copy=False)

    better = sums(fired & right & ~next_right)
    worse = sums(fired & ~right & next_right)
    harmful = np.flatnonzero(worse > better)
    return Pass(
        sums(fired),
        sums(fired & ~right),
        better,
        worse,
        float(table.weight[~right].sum()),
        int(harmful[0]) if len(harmful) else -1,
    )


def drop_harmful(
    fires: Words, labels: npt.NDArray[np.int32], default: int, table: Table
) -> tuple[npt.NDArray[np.bool_], list[Pass]]:
    """Drop rules, one at a time, that get more rows wrong than they set right.

    Parameters
    ----------
    fires, labels, default, table
        As for `evaluate`.

    Returns
    -------
    alive : ndarray of shape (n_rules,), bool
        Rules that stay.
    passes : list of Pass
        One for every rule dropped, and the last.

    Notes
    -----
    specs: C4.5 section 8.4.
    """
    alive = np.ones(len(labels), dtype=np.bool_)
    passes = [evaluate(fires, alive, labels, default, table)]
    while passes[-1].dropped >= 0:
        alive[passes[-1].dropped] = False
        passes.append(evaluate(fires, alive, labels, default, table))
    return alive, passes
