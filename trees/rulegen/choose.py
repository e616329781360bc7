"""The rules of each class that together give the shortest description of who belongs to it."""

from __future__ import annotations

from typing import Literal

import numpy as np
import numpy.typing as npt

from trees.errors import DataError
from trees.rulegen.cases import Cases, pack_rows, unpack_rows
from trees.rulegen.code_length import log2_factorials, log2_table
from trees.rulegen.draws import Draws
from trees.rulegen.search import ClassRules, new_state

__all__ = ["Search", "choose_rules"]

Search = Literal["auto", "exhaustive", "greedy", "anneal"]
Floats = npt.NDArray[np.float64]
Words = npt.NDArray[np.uint64]

FEW_RULES = 10
"""Up to so many rules all subsets are compared."""
MOST_RULES = 20
"""So many can be compared at all."""
N_TRIALS = 11
MOST_DRAWS = 100_000
"""More than annealing takes: twice for every try at every temperature."""


def choose_rules(
    fires: Words,
    length: Floats,
    label: int,
    cases: Cases,
    log2_total: float,
    search: Search,
    draws: Draws,
) -> tuple[npt.NDArray[np.bool_], float]:
    """Return which rules of a class to keep, and the description length of the class with them.

    Parameters
    ----------
    fires : ndarray of shape (n_rules, n_words), uint64
        Rows on which each rule of the class fires.
    length : ndarray of shape (n_rules,)
        Bits of each rule.
    label : int
        Class code.
    cases : Cases
        Training rows.
    log2_total : float
        log2 of their weight.
    search : {"auto", "exhaustive", "greedy", "anneal"}
        "exhaustive" compares all subsets, "greedy" climbs from eleven random ones; "auto" does the former for
        up to ten rules, else the latter; "anneal" likewise, but with simulated annealing for more than ten.
    draws : Draws
        Random numbers of "greedy" and "anneal".

    Returns
    -------
    kept : ndarray of shape (n_rules,), bool
    bits : float
        Half the bits of the rules plus those of the exceptions.

    Raises
    ------
    DataError
        If more than 20 rules are to be searched exhaustively.

    Notes
    -----
    specs: C4.5 section 8.3, with the coding of exceptions of Quinlan, J. R. (1995), MDL and categorical
    theories (continued), ICML.
    """
    part, weight = _class_rules(fires, length, label, cases, log2_total)
    few = len(fires) <= FEW_RULES
    if search == "exhaustive" or (search != "greedy" and few):
        return _exhaustive(part, weight, cases.table.schema.classes[label])
    if search == "anneal":
        return _annealing(part, draws)
    return _hill_climbing(part, draws)


def _class_rules(
    fires: Words, length: Floats, label: int, cases: Cases, log2_total: float
) -> tuple[ClassRules, Floats]:
    """Return the rules with their row sets packed to the rows that fire, and the weights of these rows."""
    n_rules = len(fires)
    own, own_weight = _packed(fires, cases.class_bits[label], cases)
    others, other_weight = _packed(fires, ~cases.class_bits[label], cases)
    packed = np.ascontiguousarray(np.concatenate([own, others], axis=1))
    weight = np.concatenate([own_weight, other_weight])
    totals = [log2_total, cases.total, cases.table.class_totals[label], own_weight.sum(), other_weight.sum()]
    part = ClassRules(
        packed,
        *_by_word(packed),
        np.bitwise_or.reduce(packed, axis=0),
        own.shape[1],
        np.empty(0) if cases.table.has_unit_weights else weight,
        length,
        log2_table(n_rules + 1, cases.real).astype(np.float64),
        log2_factorials(n_rules + 1, cases.real),
        np.array(totals),
        cases.single_precision,
    )
    return part, weight


def _by_word(fires: Words) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int32], Words]:
    """Return the words other than 0 by column: where each column starts, their rows, the words."""
    transposed = np.ascontiguousarray(fires.T)
    words, rules = np.nonzero(transposed)
    start = np.searchsorted(words, np.arange(len(transposed) + 1)).astype(np.int64)
    return start, rules.astype(np.int32), transposed[words, rules]


def _packed(fires: Words, among: Words, cases: Cases) -> tuple[Words, Floats]:
    """Return the row sets of the rows that fire some rule and are `among` some rows, and their weights."""
    fired = np.bitwise_or.reduce(fires, axis=0) & among
    numbers = np.flatnonzero(unpack_rows(fired, cases.n_rows))
    packed = np.empty((len(fires), (len(numbers) + 63) // 64), dtype=np.uint64)
    for r in range(len(fires)):
        packed[r] = pack_rows(unpack_rows(fires[r], cases.n_rows)[numbers])
    weight = np.zeros(64 * packed.shape[1])
    weight[: len(numbers)] = cases.table.weight[numbers]
    return packed, weight


def _exhaustive(part: ClassRules, weight: Floats, name: object) -> tuple[npt.NDArray[np.bool_], float]:
    """Compare all subsets; the first of the shortest, counting up from none, wins."""
    from trees.rulegen._kernels_lengths import subset_lengths

    n_rules = len(part.length)
    if n_rules > MOST_RULES:
        raise DataError(
            f"Class {name!r} has {n_rules} candidate rules; all subsets can be compared for at most "
            f"{MOST_RULES}. Pass selection='auto'."
        )
    patterns = np.zeros(len(weight), dtype=np.int64)
    for r in range(n_rules):
        patterns |= unpack_rows(part.fires[r], len(weight)).astype(np.int64) << r
    sides = []
    for rows in (slice(0, 64 * part.n_own), slice(64 * part.n_own, None)):
        counts = np.bincount(patterns[rows], weights=weight[rows], minlength=1 << n_rules)
        by_pattern = counts.astype(np.float64, copy=False)
        sides.append(by_pattern.sum() - _disjoint_sums(by_pattern, n_rules))
    lengths = np.empty(1 << n_rules)
    subset_lengths(part, *sides, lengths)
    best = int(np.argmin(lengths))
    return (best >> np.arange(n_rules)) & 1 == 1, float(lengths[best])


def _disjoint_sums(by_pattern: Floats, n_rules: int) -> Floats:
    """Return for every subset of rules the weight of the patterns in which none of them fires."""
    sums = by_pattern.copy()
    for r in range(n_rules):
        halves = sums.reshape(-1, 2, 1 << r)
        without = halves[:, 0].copy()
        halves[:, 0] += halves[:, 1]
        halves[:, 1] = without
    return sums


def _hill_climbing(part: ClassRules, draws: Draws) -> tuple[npt.NDArray[np.bool_], float]:
    """Climb from eleven subsets, of none to all of the rules; the first of the shortest met wins."""
    from trees.rulegen._kernels_search import climb

    state = new_state(part)
    for trial in range(N_TRIALS):
        # the original compares with a 32-bit share, and draws a number for every rule even for none and all
        state.inside[:] = draws.take(len(part.fires)) < np.float32(trial / 10)
        climb(part, state)
    return state.best, float(state.best_bits[0])


def _annealing(part: ClassRules, draws: Draws) -> tuple[npt.NDArray[np.bool_], float]:
    """Anneal from the empty subset, then climb from the best one met."""
    from trees.rulegen._kernels_search import anneal, climb

    state = new_state(part)
    draws.skip(anneal(part, state, draws.peek(MOST_DRAWS)))
    state.inside[:] = state.best
    climb(part, state)
    return state.best, float(state.best_bits[0])
