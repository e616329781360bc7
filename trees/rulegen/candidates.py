"""Generalised rules: conditions dropped, put in order, duplicates merged."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from trees.rule import Condition
from trees.rulegen.extract import Paths

__all__ = ["Candidate", "distinct_candidates", "ordered_as_original"]

Key = tuple[int, int, float, int]
"""Attribute, kind of test, cut and number of a condition."""
_RELATIONS = {"in": 0, ">": 1, "<=": 2}


@dataclass(frozen=True)
class Candidate:
    """A generalised rule.

    Parameters
    ----------
    conditions : tuple of int
        Condition numbers, in printing order.
    label : int
        Class code.
    error : float
        Estimated error rate, in [0, 1].
    """

    conditions: tuple[int, ...]
    label: int
    error: float


def distinct_candidates(
    paths: Paths,
    kept: npt.NDArray[np.bool_],
    errors: npt.NDArray[np.floating],
    *,
    repeat_defects: bool,
) -> list[Candidate]:
    """Return generalised rules with their conditions in order and without duplicates.

    Of rules with the same conditions and class the first stays, with the greatest of their error estimates.

    Parameters
    ----------
    paths : Paths
        What the rules came from.
    kept : ndarray of the shape of ``paths.ids``, bool
        Which condition of every path was kept.
    errors : ndarray of shape (n_paths,)
        Estimated error rates; those above 1 mark rules to leave out.
    repeat_defects : bool
        Order and compare conditions as the original does: it takes ``A <= 3`` and ``A > 3``, and all branches
        of one test on groups of values, for the same condition (defect 9.1).

    Returns
    -------
    list of Candidate

    Notes
    -----
    specs: C4.5 section 8.1.
    """
    found: dict[Hashable, Candidate] = {}
    rank = _standard_rank(paths.conditions)
    for r in np.flatnonzero(errors <= 1).tolist():
        part = slice(paths.start[r], paths.start[r + 1])
        ids, flags = paths.ids[part].tolist(), kept[part].tolist()
        if repeat_defects:
            conditions = ordered_as_original(ids, flags, paths)
            same: Hashable = tuple(paths.test[c] for c in conditions)
        else:
            chosen = {c for c, flag in zip(ids, flags, strict=True) if flag}
            same = conditions = tuple(sorted(chosen, key=rank.__getitem__))
        rule = Candidate(conditions, int(paths.label[r]), float(errors[r]))
        first = found.setdefault((rule.label, same), rule)
        if first.error < rule.error:
            found[rule.label, same] = replace(first, error=rule.error)
    return list(found.values())


def ordered_as_original(ids: Sequence[int], kept: Sequence[bool], paths: Paths) -> tuple[int, ...]:
    """Return the kept conditions in the original's order, which is inconsistent where kinds are mixed.

    A selection sort in which every later condition that precedes the current choice replaces it, and in
    which the dropped conditions keep their places until a kept one is swapped there.
    """
    order = [_precedence(paths, number) if flag else None for number, flag in zip(ids, kept, strict=True)]
    n_kept = sum(kept)
    for d in range(n_kept):
        choice = -1
        for i in range(d, len(order)):
            item, current = order[i], order[choice] if choice >= 0 else None
            if item is not None and (current is None or _precedes(item, current)):
                choice = i
        order[d], order[choice] = order[choice], order[d]
    return tuple(item[3] for item in order[:n_kept] if item is not None)


def _precedes(x: Key, y: Key) -> bool:
    return x[0] < y[0] or x[1] < y[1] or (x[0] == y[0] and x[2] < y[2])


def _precedence(paths: Paths, number: int) -> Key:
    condition = paths.conditions[number]
    cut = 0.0 if condition.relation == "in" else condition.threshold
    return condition.attribute, int(paths.kind[number]), cut, number


def _standard_rank(conditions: Sequence[Condition]) -> list[int]:
    """Return the place of every condition by attribute, relation and value."""

    def key(number: int) -> tuple[int, int, tuple[float, ...]]:
        condition = conditions[number]
        values = condition.codes if condition.relation == "in" else (condition.threshold,)
        return condition.attribute, _RELATIONS[condition.relation], values

    rank = [0] * len(conditions)
    for place, number in enumerate(sorted(range(len(conditions)), key=key)):
        rank[number] = place
    return rank
