"""Generalisation on rows held out, as textbooks describe C4.5rules."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from trees.errors import DataError
from trees.rulegen.cases import Cases
from trees.rulegen.draws import Draws
from trees.rulegen.extract import Paths
from trees.table import Table

__all__ = ["prune_on_holdout", "split_holdout"]

Ints = npt.NDArray[np.int64]


def split_holdout(table: Table, share: float, draws: Draws) -> tuple[Ints, Ints]:
    """Split rows at random, class by class, into rows to grow a tree from and rows to prune rules on.

    Parameters
    ----------
    table : Table
        Rows with classes.
    share : float in (0, 1)
        Of the rows of every class to hold out, rounded to whole rows.
    draws : Draws
        One random number is drawn per row.

    Returns
    -------
    grow, prune : ndarray of int64
        Row numbers, ascending.

    Raises
    ------
    DataError
        If no row would be held out, or all would.
    """
    numbers = draws.take(table.n_rows)
    held = np.zeros(table.n_rows, dtype=np.bool_)
    for label in range(table.n_classes):
        own = np.flatnonzero(table.classes == label)
        n_held = int(np.floor(share * len(own) + 0.5))
        held[own[np.argsort(numbers[own], kind="stable")[:n_held]]] = True
    if held.all() or not held.any():
        raise DataError(
            f"Holding out a share of {share:g} of each class leaves no row (n_samples={table.n_rows}) to "
            f"{'grow from' if held.all() else 'hold out'}. Pass conjunct_pruning='pessimistic'."
        )
    return np.flatnonzero(~held), np.flatnonzero(held)


def prune_on_holdout(paths: Paths, cases: Cases) -> tuple[npt.NDArray[np.bool_], npt.NDArray[np.floating]]:
    """Drop conditions from every path as long as accuracy on held-out rows does not fall.

    Always the condition goes without which the accuracy on the rows covered is greatest (the one farthest
    from the root on ties); a rule that covers no row has accuracy 0.

    Parameters
    ----------
    paths : Paths
        Of a tree grown without these rows.
    cases : Cases
        Held-out rows.

    Returns
    -------
    kept : ndarray of the shape of ``paths.ids``, bool
        Conditions kept.
    error : ndarray of shape (n_paths,)
        Share of the covered rows of another class; 2 for a rule without conditions or right rows, or no
        better than the default.

    Notes
    -----
    Aggarwal, C. C. (2015). Data Mining: The Textbook, section 10.4.1. That a drop may leave accuracy as it
    is, and that rules must beat the default as in `generalise`, is our choice: else conditions that held-out
    rows cannot judge would all stay.
    """
    from trees.rulegen._kernels_holdout import prune_conjuncts

    totals = cases.table.class_totals
    default_error = 1 - (totals + 1) / (cases.total + 2)
    kept = np.empty(len(paths.ids), dtype=np.bool_)
    right = np.empty(paths.n_paths)
    for part, bits, start, ids in cases.parts(paths, paths.rules()):
        flags = kept[paths.start[part.start] : paths.start[part.stop]]
        label = paths.label[part]
        prune_conjuncts(bits, start, ids, label, cases.class_bits, cases.weight, flags, right[part])
    n_kept = np.diff(np.concatenate([[0], np.cumsum(kept)])[paths.start])
    useless = (n_kept == 0) | (right == 0) | (1 - right >= default_error[paths.label])
    return kept, np.where(useless, 2.0, 1 - right)
