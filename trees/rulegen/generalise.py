"""Generalisation: conditions go as long as the rule is estimated to err no more often without them."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from trees.pruning.pessimistic import estimate_level
from trees.rulegen.cases import Cases
from trees.rulegen.code_length import log2_factorials
from trees.rulegen.extract import Paths

__all__ = ["generalise"]


def generalise(
    paths: Paths, cases: Cases, *, confidence: float, fisher: float | None
) -> tuple[npt.NDArray[np.bool_], npt.NDArray[np.floating]]:
    """Drop conditions from every path by pessimistic error estimates.

    Parameters
    ----------
    paths : Paths
        Of an unpruned tree.
    cases : Cases
        All training rows.
    confidence : float in (0, 1]
        Of the error estimates.
    fisher : float in (0, 1] or None
        Also drop a condition where the rules with and without one differ with a probability of chance above
        this (Fisher's exact test).

    Returns
    -------
    kept : ndarray of the shape of ``paths.ids``, bool
        Conditions kept.
    error : ndarray of shape (n_paths,)
        Estimated error rate; 2 for a rule without conditions or cases, or no better than the default.

    Notes
    -----
    specs: C4.5 section 8.1.
    """
    from trees.rulegen._kernels_generalise import generalise as run

    real = cases.real
    totals = cases.table.class_totals
    default_error = (1 - (totals + 1) / (cases.total + 2)).astype(real)
    level = np.array(estimate_level(confidence, real))
    table = (
        log2_factorials(cases.n_rows, real) if cases.single_precision and fisher is not None else np.empty(0)
    )
    significance = 1.0 if fisher is None else float(real(fisher))
    kept = np.empty(len(paths.ids), dtype=np.bool_)
    error = np.empty(paths.n_paths, dtype=real)
    for part, bits, start, ids in cases.parts(paths, paths.rules()):
        run(
            bits,
            start,
            ids,
            paths.label[part],
            cases.class_bits,
            cases.weight,
            level,
            default_error,
            significance,
            table,
            kept[paths.start[part.start] : paths.start[part.stop]],
            error[part],
        )
    return kept, error
