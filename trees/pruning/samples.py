"""Parts of a table that stand in for unseen rows, whatever the order of the rows: folds, a sample."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from trees.table import Table

__all__ = ["folds", "hold_out"]

Floats = npt.NDArray[np.float64]


def folds(table: Table, n_folds: int, rng: np.random.Generator) -> list[tuple[Table, Table]]:
    """Return (the other folds, the fold) for every fold with weight on both sides, stratified by class.

    Parameters
    ----------
    table : Table
        With classes.
    n_folds : int
        Number of folds, at least 2; fewer are returned if there are fewer rows.
    rng : numpy.random.Generator
        Where the shuffling comes from.

    Notes
    -----
    The result does not depend on the order of the rows, and a row of weight 2 is dealt like two rows: its
    weight may be divided among folds.
    """
    line = _Line(table, rng)

    def dealt_to(f: int) -> Callable[[Floats], Floats]:
        def dealt(x: Floats) -> Floats:
            rounds = np.floor(x / n_folds)
            return rounds + np.clip(x - rounds * n_folds - f, 0.0, 1.0)

        return dealt

    pairs = [line.divided(dealt_to(f)) for f in range(n_folds)]
    return [pair for pair in pairs if pair is not None]


def hold_out(table: Table, share: float, rng: np.random.Generator) -> tuple[Table, Table] | None:
    """Return (the rest, a sample of a share of the weight), stratified by class.

    Parameters
    ----------
    table : Table
        With classes.
    share : float
        In (0, 1).
    rng : numpy.random.Generator
        Where the shuffling comes from.

    Returns
    -------
    tuple of Table, or None
        None if either side would be empty. As with `folds`, the order of the rows does not matter.
    """

    def dealt(x: Floats) -> Floats:
        whole = np.floor(x)
        before, after = np.floor(whole * share + 0.5), np.floor((whole + 1) * share + 0.5)
        return before + (x - whole) * (after - before)

    return _Line(table, rng).divided(dealt)


class _Line:
    """The distinct rows of a table laid end to end by their weight, class by class, shuffled inside a class.

    The unit of length is a weight of 1 if all weights are whole numbers, else the mean weight of a row.
    """

    def __init__(self, table: Table, rng: np.random.Generator) -> None:
        ranks, y = table.codes.ranks, table.classes
        order = np.lexsort((*ranks[::-1], y))
        differs = np.ones(len(order), dtype=np.bool_)
        rank_differs = np.any(ranks[:, order[1:]] != ranks[:, order[:-1]], axis=0)
        differs[1:] = (y[order[1:]] != y[order[:-1]]) | rank_differs
        starts = np.flatnonzero(differs)
        weight = np.add.reduceat(table.weight[order], starts)
        self.rows = table.take(order[starts]).with_weight(weight)
        classes = self.rows.classes
        shuffled = np.concatenate([rng.permutation(np.flatnonzero(classes == c)) for c in np.unique(y)])
        whole = bool(np.all(table.weight == np.rint(table.weight)))
        self.unit = 1.0 if whole else float(table.weight.mean())
        self.ends = np.empty(len(weight))
        self.ends[shuffled] = np.cumsum(weight[shuffled]) / self.unit
        self.begins = np.empty(len(weight))
        self.begins[shuffled] = np.append(0.0, self.ends[shuffled[:-1]])

    def divided(self, dealt: Callable[[Floats], Floats]) -> tuple[Table, Table] | None:
        """Return (what stays, what is dealt), where `dealt` maps x to the length dealt out of [0, x)."""
        out = self.unit * (dealt(self.ends) - dealt(self.begins))
        stay = self.rows.weight - out
        sides = []
        for weight in (stay, out):
            kept = np.flatnonzero(weight > 1e-9 * self.unit)
            if len(kept) == 0:
                return None
            sides.append(self.rows.take(kept).with_weight(weight[kept]))
        return sides[0], sides[1]
