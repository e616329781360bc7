"""Paths of regression trees as conditions that can be read."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping
from typing import Any

import numpy as np

from evorules.hybrids.handler import Floats
from trees.rule import Condition
from trees.schema import Schema
from trees.table import Table

__all__ = ["known_numbers", "paths_of", "readable_cut"]


def known_numbers(table: Table) -> dict[int, Floats]:
    """Return the known numbers of every numeric attribute by its position, ascending, each once."""
    return {
        a: np.unique(cells[~np.isnan(cells)])
        for a, cells in enumerate(table.X.T)
        if not table.schema.attributes[a].is_nominal
    }


def readable_cut(known: Floats, cut: float) -> float:
    """Return the number of fewest digits that cuts as another one does.

    Parameters
    ----------
    known : ndarray of shape (n,)
        The numbers to cut, ascending.
    cut : float
        Where scikit-learn cuts them: after the last that is not above it, in 32 bits.

    Returns
    -------
    float
        A number in the middle half of the gap; `cut` itself if it lies beyond all known numbers.

    Examples
    --------
    >>> readable_cut(np.array([0.2, 0.205, 0.21]), 0.20750000327825546)
    0.207
    """
    with np.errstate(over="ignore"):
        after = bisect_right(known, cut, key=lambda number: float(np.float32(number)))
    if after in (0, len(known)):
        return cut
    low, high = float(known[after - 1]), float(known[after])
    middle = low + (high - low) / 2
    quarter = (high - low) / 4
    for digits in range(1, 18):
        candidate = float(f"{middle:.{digits}g}")
        if low + quarter <= candidate <= high - quarter:
            return candidate
    return middle if middle < high else low


def paths_of(regression: Any, schema: Schema, known: Mapping[int, Floats]) -> list[tuple[Condition, ...]]:
    """Return the path to every leaf of a scikit-learn tree over `indicator_columns` as conditions.

    Left out are paths that no known cell satisfies, and that of a tree of one node.
    """
    origin = [
        (a, code)
        for a, attribute in enumerate(schema.attributes)
        for code in (range(len(attribute.values)) if attribute.is_nominal else (-1,))
    ]
    paths: list[tuple[Condition, ...]] = []
    waiting: list[tuple[int, dict[int, Any]]] = [(0, {})]
    while waiting:
        node, tests = waiting.pop()
        left = int(regression.children_left[node])
        if left < 0:
            path = _conditions(tests)
            if path is not None:
                paths.append(path)
            continue
        a, code = origin[int(regression.feature[node])]
        right = int(regression.children_right[node])
        if code < 0:
            cut = readable_cut(known[a], float(regression.threshold[node]))
            low, high = tests.get(a, (-np.inf, np.inf))
            waiting.append((right, {**tests, a: (max(low, cut), high)}))
            waiting.append((left, {**tests, a: (low, min(high, cut))}))
        else:
            allowed = tests.get(a, frozenset(range(len(schema.attributes[a].values))))
            waiting.append((right, {**tests, a: allowed & {code}}))
            waiting.append((left, {**tests, a: allowed - {code}}))
    return paths


def _conditions(tests: Mapping[int, Any]) -> tuple[Condition, ...] | None:
    """Return conditions by attribute; None if there are none or no cell can satisfy them."""
    conditions: list[Condition] = []
    for a in sorted(tests):
        if isinstance(tests[a], frozenset):
            if not tests[a]:
                return None
            conditions.append(Condition(a, "in", tuple(tests[a])))
        else:
            low, high = tests[a]
            if low > -np.inf:
                conditions.append(Condition(a, ">", low))
            if high < np.inf:
                conditions.append(Condition(a, "<=", high))
    return tuple(conditions) or None
