"""The generic grower with one more kind of test: a weighted sum of attributes."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from trees.growth.generic import CUT, GenericOptions, Grower, Waiting
from trees.growth.oblique.combination import Combination, extended
from trees.growth.tree import Tree
from trees.schema import Schema
from trees.seeding import stream_state
from trees.table import Table

__all__ = ["grow_oblique"]

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int32]

LEAST_GAIN = 1e-9
SMALLEST = 1e-3
"""Coefficients below this share of the greatest, both on standardised attributes, are left out if that
costs nothing."""


def grow_oblique(
    table: Table, options: GenericOptions, *, root: int = 0, n_jumps: int = 5, one_hot: bool = False
) -> Tree:
    """Grow a tree whose nodes test one attribute or, where that is better, a combination.

    Parameters
    ----------
    table : Table
        With classes.
    options : GenericOptions
        As for `grow_generic`.
    root : int
        Root of the random streams, in [0, 2**64).
    n_jumps : int
        Random jumps to try after the search along the coefficients has ended.
    one_hot : bool
        Combine the values of nominal attributes too.

    Returns
    -------
    Tree
        Over the schema of the table with the combinations used appended.

    Notes
    -----
    A combination is looked for in nodes of at least twice as many rows as it has terms to choose from, among
    the rows without a missing cell in these. It starts from the best cut of one attribute and from Fisher's
    linear discriminant, on standardised attributes, and is taken if its worth exceeds that of the best
    ordinary test by more than 1e-9. Its coefficients are rounded as far as the split stays as good.
    """
    grower = _ObliqueGrower(table, options)
    grower.oblique_root, grower.n_jumps, grower.one_hot = root, n_jumps, one_hot
    return grower.run()


class _Features(NamedTuple):
    """The columns to combine in a node, standardised, for the rows that lack none of them."""

    terms: list[tuple[int, int]]
    Z: Floats
    mean: Floats
    scale: Floats
    complete: npt.NDArray[np.bool_]


class _ObliqueGrower(Grower):
    oblique_root: int
    n_jumps: int
    one_hot: bool

    def __init__(self, table: Table, options: GenericOptions) -> None:
        super().__init__(table, options)
        self.X = table.X
        self.combinations: list[Combination] = []

    def tree_schema(self) -> Schema:
        """Return the schema of the table with the combinations appended."""
        return extended(self.schema, self.combinations)

    def sides(self, node: Waiting) -> tuple[list[npt.NDArray[np.bool_]], npt.NDArray[np.bool_]]:
        """Return which rows take which branch, and which take any."""
        if node.attribute < self.schema.n_attributes:
            return super().sides(node)
        cells = self.combinations[node.attribute - self.schema.n_attributes].cells(self.X[node.rows])
        return [cells <= node.threshold, cells > node.threshold], ~np.isnan(cells)

    def best_test(self, draft: int, rows: Ints, weight: Floats, active: Ints, depth: int) -> Waiting | None:
        """Return a node with its best test, a combination if it is better than every single attribute."""
        ordinary = super().best_test(draft, rows, weight, active, depth)
        if ordinary is not None:
            active = ordinary.active
        features = self.features(rows, weight, active)
        if features is None:
            return ordinary
        combination, threshold = self.best_combination(draft, rows, weight, features)
        cells = combination.cells(self.X[rows])
        known = ~np.isnan(cells)
        low = cells <= threshold
        branches = np.array([self.count(rows[side], weight[side]) for side in (low, known & ~low)])
        if np.any(branches.sum(axis=1) < max(self.search.min_leaf, 1e-12)):
            return ordinary
        share = float(weight[known].sum() / weight.sum())
        worth, decrease = self.criterion.worth(branches) * share, self.criterion.decrease(branches) * share
        least = max(0.0 if ordinary is None else ordinary.worth, 0.0) + LEAST_GAIN
        if worth <= least or decrease <= self.options.min_gain:
            return ordinary
        attribute = self.schema.n_attributes + self.number_of(combination)
        return Waiting(draft, rows, weight, active, depth, worth, decrease, CUT, attribute, threshold)

    def number_of(self, combination: Combination) -> int:
        """Return the position of a combination, which is appended if it is new."""
        for k, known in enumerate(self.combinations):
            if known.terms == combination.terms:
                return k
        names = {*self.schema.names, *(known.name for known in self.combinations)}
        while combination.name in names:
            combination = replace(combination, name=f"{combination.name}'")
        self.combinations.append(combination)
        return len(self.combinations) - 1

    def features(self, rows: Ints, weight: Floats, active: Ints) -> _Features | None:
        """Return what can be combined in a node, None for too few rows or columns."""
        terms = []
        columns = []
        for a in active.tolist():
            cells = self.X[rows, a]
            if not self.schema.is_nominal[a]:
                terms.append((a, -1))
                columns.append(cells)
            elif self.one_hot:
                for code in np.unique(cells[~np.isnan(cells)]).astype(int).tolist():
                    terms.append((a, code))
                    columns.append(np.where(np.isnan(cells), np.nan, cells == code))
        if len(terms) < 2:
            return None
        Z = np.column_stack(columns)
        complete = ~np.isnan(Z).any(axis=1)
        Z, w = Z[complete], weight[complete]
        if w.sum() < max(2 * len(terms), 1) or len(np.unique(self.classes[rows[complete]])) < 2:
            return None
        mean = np.average(Z, axis=0, weights=w)
        scale = np.sqrt(np.average((Z - mean) ** 2, axis=0, weights=w))
        varies = np.flatnonzero(scale > 1e-12 * (1.0 + np.abs(mean)))
        if len(varies) < 2:
            return None
        mean, scale = mean[varies], scale[varies]
        Z = np.ascontiguousarray((Z[:, varies] - mean) / scale)
        return _Features([terms[f] for f in varies.tolist()], Z, mean, scale, complete)

    def best_combination(
        self, draft: int, rows: Ints, weight: Floats, features: _Features
    ) -> tuple[Combination, float]:
        """Return the best combination found in a node, with its threshold."""
        from trees.growth.oblique._kernels_step import improve

        classes, w = self.classes[rows[features.complete]], weight[features.complete]
        state = stream_state(self.oblique_root, "oblique", draft)
        n_rows, n_features = features.Z.shape
        work = _work(n_rows, n_features, self.n_classes)
        best, best_plane = -np.inf, np.zeros(0)
        for plane in self.starts(features, classes, w):
            worth = improve(
                features.Z, classes, w, self.search, self.data.terms, plane, self.n_jumps, state, work
            )
            if worth > best + LEAST_GAIN:
                best, best_plane = worth, plane
        return self.rounded(best, best_plane[:-1], rows, w, features)

    def starts(self, features: _Features, classes: Ints, weight: Floats) -> list[Floats]:
        """Return the hyperplanes to start from: the best cut of a feature, and of Fisher's direction."""
        n_features = features.Z.shape[1]
        planes = []
        best = -np.inf
        for f in range(n_features):
            plane = np.append(np.eye(n_features)[f], 0.0)
            worth, plane[-1] = self.best_cut(features.Z[:, f], classes, weight)
            if worth > best + LEAST_GAIN:
                best, planes = worth, [plane]
        direction = _fisher(features.Z, classes, weight)
        _, threshold = self.best_cut(features.Z @ direction, classes, weight)
        return [*planes, np.append(direction, threshold)]

    def best_cut(self, cells: Floats, classes: Ints, weight: Floats) -> tuple[float, float]:
        """Return (worth, threshold) of the best cut of some numbers."""
        from trees.growth.oblique._kernels_step import best_step

        sides, step = np.empty((3, self.n_classes)), np.empty(len(cells))
        slope = np.full(len(cells), -1.0)
        level = np.ascontiguousarray(cells)
        worth, threshold = best_step(
            level, slope, classes, weight, float(weight.sum()), self.search, self.data.terms, sides, step
        )
        return float(worth), float(threshold)

    def rounded(
        self, worth: float, plane: Floats, rows: Ints, weight: Floats, features: _Features
    ) -> tuple[Combination, float]:
        """Return the combination with the fewest digits that splits as well, and its threshold.

        The coefficients are those of the attributes as they are, divided by the weightiest.
        """
        share = np.abs(plane) / np.abs(plane).max()
        raw = plane / features.scale
        raw = raw / raw[np.argmax(share)]
        X, classes = self.X[rows[features.complete]], self.classes[rows[features.complete]]
        combination, threshold = Combination("", "numeric"), 0.0
        for digits in (2, 3, 4, 6, 9, 17):
            kept = share >= (SMALLEST if digits < 17 else 0.0)
            terms = [
                (*features.terms[f], float(f"{raw[f]:.{digits}g}"))
                for f in np.flatnonzero(kept & (raw != 0)).tolist()
            ]
            combination = Combination.of(self.schema, terms)
            cells = combination.cells(X)
            found, threshold = self.best_cut(cells, classes, weight)
            if found >= worth - LEAST_GAIN:
                break
        return combination, _short(cells, threshold)


def _short(cells: Floats, threshold: float) -> float:
    """Return the number with fewest digits in the middle half of the gap that a threshold lies in."""
    below, above = (
        cells[cells <= threshold].max(initial=-np.inf),
        cells[cells > threshold].min(initial=np.inf),
    )
    margin = (above - below) / 4
    if not np.isfinite(margin):
        return threshold
    for digits in range(1, 17):
        short = float(f"{threshold:.{digits}g}")
        if below + margin <= short <= above - margin and below <= short < above:
            return short
    return threshold


def _fisher(Z: Floats, classes: Ints, weight: Floats) -> Floats:
    """Return the direction in which the class means lie farthest apart, by the spread inside the classes."""
    n_features = Z.shape[1]
    within = np.zeros((n_features, n_features))
    between = np.zeros((n_features, n_features))
    # the columns of Z have mean 0
    for c in np.unique(classes):
        own = classes == c
        mean = np.average(Z[own], axis=0, weights=weight[own])
        centred = Z[own] - mean
        within += (centred * weight[own][:, np.newaxis]).T @ centred
        between += weight[own].sum() * np.outer(mean, mean)
    within += np.eye(n_features) * (1e-6 * weight.sum())
    lower = np.linalg.cholesky(within)
    inverse = np.linalg.inv(lower)
    _, vectors = np.linalg.eigh(inverse @ between @ inverse.T)
    direction = inverse.T @ vectors[:, -1]
    direction /= np.abs(direction).max()
    return direction if direction[np.argmax(np.abs(direction))] > 0 else -direction


def _work(n_rows: int, n_features: int, n_classes: int) -> tuple[Any, ...]:
    """Return scratch arrays for the kernels."""
    return (
        np.empty(n_rows),
        np.empty(n_rows),
        np.empty(n_rows),
        np.empty((3, n_classes)),
        np.empty(n_features + 1),
        np.empty(n_features + 1, dtype=np.int64),
    )
