"""How many conditions a remedy asks people to read, per small leaf of the tree."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from evorules.evaluation import Comparison
from evorules.evaluation.data import read_data
from evorules.evaluation.folds import make_folds
from evorules.hybrids.problem import small_leaves
from experiments.frame import Section
from trees.c45 import C45Classifier

__all__ = ["conditions_per_small_leaf"]


def conditions_per_small_leaf(
    result: Comparison, data: Sequence[Any], n_folds: int, systems: Mapping[int, Sequence[str]]
) -> Section:
    """Return the conditions of the handlers' rules over the number of small leaves.

    What has to be read beyond C4.5: a hybrid's conditions less those of the tree's large leaves, over the
    small leaves that have training rows, both averaged over folds and seeds; then over data sets.
    """
    leaves = {item.name: _leaves(item, n_folds, tuple(systems)) for item in read_data(data, None, None)}
    frame = result.to_frame(threshold=None)
    read = frame[frame["status"] == "ok"].groupby(["data", "learner"])["conditions"].mean()
    rows = []
    for s, names in systems.items():
        for name in names:
            if name in ("C4.5", "auto"):
                continue
            ratios = [
                (float(read[data_name, name]) - large) / n_small
                for data_name, by_size in leaves.items()
                for n_small, large in [by_size[s]]
                if n_small > 0 and (data_name, name) in read.index
            ]
            rows.append(
                {
                    "system": name,
                    "conditions per small leaf": f"{np.mean(ratios):.1f}" if ratios else "-",
                    "greatest": f"{np.max(ratios):.1f}" if ratios else "-",
                }
            )
    return Section(
        "What there is to read",
        pd.DataFrame(rows),
        "Conditions of the remedy's rules per small leaf, mean over data sets and the greatest; those of the "
        "leaves themselves are not counted. Neighbours and forests have no rules.",
    )


def _leaves(item: Any, n_folds: int, thresholds: Sequence[int]) -> dict[int, tuple[float, float]]:
    """Return by S the number of small leaves, and the conditions of the large ones; means over folds."""
    folds = make_folds(item.classes, item.labels.tolist(), n_folds, 1, 0, item.splits)
    found: dict[int, list[tuple[int, int]]] = {s: [] for s in thresholds}
    for fold in folds:
        tree = C45Classifier().build_tree(item.table.take(fold.train))
        for s in thresholds:
            small = small_leaves(tree, s)
            large = sum(len(rule.conditions) for leaf, rule in tree.leaf_rules.items() if not small[leaf])
            found[s].append((int(np.count_nonzero(small & (tree.weight > 0))), large))
    return {s: tuple(np.mean(pairs, axis=0).tolist()) for s, pairs in found.items()}
