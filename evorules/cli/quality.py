"""Tables that say how good each part of a model is."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from rich.console import Group

from evorules.cli.screen import grid
from evorules.evaluation import DisjunctScores
from trees.estimator import TableClassifier

__all__ = ["cross_validation_grid", "part_rows", "small_share", "training_grid"]


def training_grid(model: TableClassifier, X: pd.DataFrame, y: Any) -> Group:
    """Return accuracy on the training rows, for a hybrid apart by size of disjunct."""
    correct = np.asarray(model.predict(X) == np.asarray(y), dtype=np.bool_)
    rows: list[tuple[str, ...]] = []
    if hasattr(model, "in_small_disjunct"):
        small = model.in_small_disjunct(X)
        tree_alone = np.asarray(model.tree_predict(X) == np.asarray(y), dtype=np.bool_)
        scores, before = DisjunctScores.of(correct, small), DisjunctScores.of(tree_alone, small)
        leaves = model.disjuncts_
        n_small = int(leaves["small"].sum())
        rows = [
            _row(f"large disjuncts: {len(leaves) - n_small} leaves", scores.large_rows, scores.large_correct),
            _row(f"small disjuncts: {n_small} leaves, tree alone", before.small_rows, before.small_correct),
            _row("small disjuncts: with the remedy", scores.small_rows, scores.small_correct),
        ]
    rows.append(_row(f"all: {len(model.rules_)} rules", len(correct), int(correct.sum())))
    title = "On the training rows; new rows do worse, and --folds estimates how much"
    return grid(title, ("part", "rows", "right", "accuracy"), rows, text=("part",))


def _row(part: str, rows: int, right: int) -> tuple[str, ...]:
    return part, str(rows), str(right), f"{right / rows:.1%}" if rows else "-"


def cross_validation_grid(scores: pd.DataFrame, title: str) -> Group:
    """Return accuracy on all rows and on those in large and small disjuncts, and the size, per learner.

    Accuracies are pooled over folds and seeds; ± is the standard deviation of the accuracy over the folds.
    """
    columns = ("learner", "all", "±", "large", "small", "rules", "conditions")
    return grid(title, columns, part_rows(scores), text=("learner",))


def small_share(scores: pd.DataFrame) -> float:
    """Return the share of the held-out rows that fall into small disjuncts."""
    small, large = scores["small_rows"].sum(), scores["large_rows"].sum()
    return float(small / (small + large))


def part_rows(scores: pd.DataFrame) -> list[tuple[str, ...]]:
    """Return one row of text per learner, in the order of the table of scores."""
    rows: list[tuple[str, ...]] = []
    for name, part in scores.groupby("learner", sort=False):
        sums = part[["large_rows", "large_correct", "small_rows", "small_correct"]].sum()
        pooled = DisjunctScores(*(int(value) for value in sums))
        spread = part.groupby("fold")["accuracy"].mean().std(ddof=1)
        rows.append(
            (
                str(name),
                f"{pooled.accuracy:.1%}",
                f"{spread:.1%}",
                f"{pooled.large_accuracy:.1%}" if pooled.large_rows else "-",
                f"{pooled.small_accuracy:.1%}" if pooled.small_rows else "-",
                f"{part['rules'].mean():.1f}",
                f"{part['conditions'].mean():.1f}",
            )
        )
    return rows
