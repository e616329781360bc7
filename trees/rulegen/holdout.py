"""Generalisation on rows held out, as textbooks describe C4.5rules."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from trees.rulegen.cases import Cases
from trees.rulegen.extract import Paths

__all__ = ["prune_on_holdout"]


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
