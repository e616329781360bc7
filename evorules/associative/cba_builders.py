"""CBA-CB, the classifier builder: M1 as it is defined, and M2, which looks at each row less often.

Liu, B., Hsu, W. and Ma, Y. (1998). Integrating classification and association rule mining. KDD, 80-86,
section 4. The published M2 drops rules that M1 keeps; with two repairs both always build the same list:
stage 2 also takes the right rule of a row into the list, and rows that only wrong rules cover are looked at.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from evorules.rules.pruning import Selection, majority
from evorules.rules.training import TrainingRules
from evorules.rules.unmatched import class_preference

__all__ = ["BUILDERS", "build_m1", "build_m2"]

Ints = npt.NDArray[np.int64]


def build_m1(rules: TrainingRules, *, allow_empty: bool = False) -> Selection:
    """Take each rule that classifies a row left rightly, drop the rows it covers, cut at the fewest errors.

    Parameters
    ----------
    rules : TrainingRules
        In order.
    allow_empty : bool
        Let the list without rules compete. In the paper it does not.

    Returns
    -------
    Selection
        The rules up to the first least number of errors, those of the default class included.
    """
    from evorules.associative._kernels_cba import build_first

    totals = rules.class_totals
    most = min(len(rules), int(totals.sum()))
    left = np.zeros((most + 1, len(totals)), dtype=np.int64)
    left[0] = totals
    chosen = np.empty(most, dtype=np.int64)
    default, errors = np.empty(most, dtype=np.int32), np.empty(most, dtype=np.int64)
    alive = rules.all_rows.copy()
    n_chosen = build_first(
        rules.start, rules.test, rules.consequent, rules.bits, rules.class_start, class_preference(totals),
        left, alive, np.empty_like(alive), chosen, default, errors,
    )  # fmt: skip
    return _cut(rules, chosen[:n_chosen], default, errors[:n_chosen], left, allow_empty)


def _cut(
    rules: TrainingRules,
    chosen: Ints,
    default: npt.NDArray[np.int32],
    errors: Ints,
    left: Ints,
    allow_empty: bool,
) -> Selection:
    """Return the rules up to the first least error; row i + 1 of `left` is what the i-th rule leaves."""
    totals = rules.class_totals
    alone = int(totals.sum() - totals.max())
    if len(chosen) == 0 or (allow_empty and alone <= errors.min()):
        return Selection(np.empty(0, dtype=np.int64), majority(totals, totals), totals)
    end = int(np.argmin(errors))
    return Selection(chosen[: end + 1], int(default[end]), left[end + 1])


class _Stage(NamedTuple):
    """What stage 1 of M2 finds of every row and rule; rows are numbered by their bit."""

    y: Ints
    """Class of each row, -1 behind the last row of a class."""
    right: npt.NDArray[np.int32]
    """First rule of the row's class that covers it, -1 for none."""
    wrong: npt.NDArray[np.int32]
    """First rule of another class."""
    used: Ints
    """Rules that are the right one of some row (the paper's U), ascending."""
    marked: npt.NDArray[np.bool_]
    """Rules that are the right one of a row which no wrong rule precedes."""
    cases: Ints
    """(n_rules, n_classes) the paper's classCasesCovered."""
    disputed: Ints
    """Rows whose wrong rule comes first (the paper's A)."""


def build_m2(rules: TrainingRules, *, allow_empty: bool = False) -> Selection:
    """Build the list that M1 builds, from the first right and wrong rule of every row.

    Parameters
    ----------
    rules : TrainingRules
        In order.
    allow_empty : bool
        Let the list without rules compete.

    Returns
    -------
    Selection
        As from `build_m1`.
    """
    stage = _first_rules(rules)
    in_list, replaced = _settle(rules, stage)
    totals = rules.class_totals
    preference = class_preference(totals)
    taken = np.zeros(len(stage.y), dtype=np.bool_)
    cases, wrong, last = stage.cases, 0, int(preference[0])
    chosen, default, errors, left = [], [], [], [totals]
    for r in np.flatnonzero(in_list).tolist():
        own = int(rules.consequent[r])
        if cases[r, own] == 0:
            continue
        rows = replaced.get(r, np.empty(0, dtype=np.int64))
        new = rows[~taken[rows]]
        np.subtract.at(cases[r], stage.y[rows[taken[rows]]], 1)
        moved = new[stage.right[new] >= 0]
        np.subtract.at(cases, (stage.right[moved], stage.y[moved]), 1)
        taken[new] = True
        wrong += int(cases[r].sum() - cases[r, own])
        rest = left[-1] - cases[r]
        if rest.sum() > 0:
            last = int(preference[np.argmax(rest[preference])])
        chosen.append(r)
        default.append(last)
        errors.append(wrong + int(rest.sum() - rest[last]))
        left.append(rest)
        if rest.sum() == 0:
            break
    return _cut(
        rules,
        np.array(chosen, dtype=np.int64),
        np.array(default, dtype=np.int32),
        np.array(errors, dtype=np.int64),
        np.array(left),
        allow_empty,
    )


def _first_rules(rules: TrainingRules) -> _Stage:
    """Stage 1: the first right and the first wrong rule of every row."""
    from evorules.associative._kernels_cba import first_right_and_wrong

    all_rows = rules.all_rows
    n_bits = 64 * len(all_rows)
    right, wrong = np.full(n_bits, -1, dtype=np.int32), np.full(n_bits, -1, dtype=np.int32)
    first_right_and_wrong(
        rules.start, rules.test, rules.consequent, rules.bits, rules.class_start, all_rows.copy(),
        all_rows.copy(), np.empty_like(all_rows), np.empty_like(all_rows), right, wrong,
    )  # fmt: skip
    y = np.repeat(np.arange(len(rules.class_totals)), 64 * np.diff(rules.class_start))
    y[~_flags(all_rows)] = -1
    cases = np.zeros((len(rules), len(rules.class_totals)), dtype=np.int64)
    owned = np.flatnonzero(right >= 0)
    np.add.at(cases, (right[owned], y[owned]), 1)
    undisputed = (right >= 0) & ((wrong < 0) | (right < wrong))
    marked = np.zeros(len(rules), dtype=np.bool_)
    marked[right[undisputed]] = True
    disputed = np.flatnonzero((y >= 0) & (wrong >= 0) & ~undisputed)
    return _Stage(y, right, wrong, np.unique(right[owned]).astype(np.int64), marked, cases, disputed)


def _settle(rules: TrainingRules, stage: _Stage) -> tuple[npt.NDArray[np.bool_], dict[int, Ints]]:
    """Stage 2: which rules may be in the list, and by rule the rows that it would take from their right rule.

    ``stage.cases`` is updated.
    """
    y, right, wrong, cases = stage.y, stage.right, stage.wrong, stage.cases
    given = stage.disputed[stage.marked[wrong[stage.disputed]]]
    owned = given[right[given] >= 0]
    np.subtract.at(cases, (right[owned], y[owned]), 1)
    np.add.at(cases, (wrong[given], y[given]), 1)
    in_list = stage.marked.copy()
    open_rows = stage.disputed[~stage.marked[wrong[stage.disputed]]]
    in_list[right[open_rows[right[open_rows] >= 0]]] = True
    until = np.where(right[open_rows] >= 0, right[open_rows], len(rules))
    replaced: dict[int, Ints] = {}
    for r in stage.used.tolist() if len(open_rows) else []:
        takes = _flags(rules.covered_rows(r))[open_rows] & (y[open_rows] != rules.consequent[r]) & (r < until)
        if np.any(takes):
            replaced[r] = open_rows[takes]
            np.add.at(cases[r], y[replaced[r]], 1)
            in_list[r] = True
    return in_list, replaced


def _flags(words: npt.NDArray[np.uint64]) -> npt.NDArray[np.bool_]:
    """Return the bits of words, lowest first."""
    return np.unpackbits(words.astype("<u8").view(np.uint8), bitorder="little").astype(np.bool_)


BUILDERS: dict[str, Callable[..., Selection]] = {"M1": build_m1, "M2": build_m2}
"""Both builders by name."""
