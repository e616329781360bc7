"""The arrays that the search for a subset of rules works on."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

__all__ = ["ClassRules", "State", "new_state"]

Floats = npt.NDArray[np.float64]
Words = npt.NDArray[np.uint64]

LOG2_TOTAL, TOTAL, OWN_TOTAL, FIRED_OWN, FIRED_OTHER = range(5)
"""Positions in `ClassRules.totals`."""


class ClassRules(NamedTuple):
    """The candidate rules of one class and the rows that fire any of them; never written."""

    fires: Words
    """(n_rules, n_words) row sets; the rows of the class come first, in words of their own."""
    word_start: npt.NDArray[np.int64]
    """(n_words + 1,) where the rules that fire in each word start in the next two."""
    word_rules: npt.NDArray[np.int32]
    """Their numbers, word by word."""
    word_fires: Words
    """What they cover of the word."""
    rows: Words
    """(n_words,) all these rows."""
    n_own: int
    """Number of words that hold rows of the class."""
    weight: Floats
    """(64 * n_words,) row weights; empty if all are 1."""
    length: Floats
    """(n_rules,) bits of each rule."""
    logs: Floats
    """log2(i) for i = 0..n_rules + 1."""
    factorials: Floats
    """log2(i!) for i = 0..n_rules + 1."""
    totals: Floats
    """(5,) log2 of the weight of all training rows, that weight, that of the class, of the class's rows here,
    and of the others here."""
    single: bool
    """Whether sums are rounded to 32-bit floats."""


class State(NamedTuple):
    """Where the search stands."""

    inside: npt.NDArray[np.bool_]
    """(n_rules,) rules in the subset."""
    planes: Words
    """(n_words, n_bits) by how many rules inside each row is covered: bit p of 64 counters in column p."""
    mask: Words
    """(n_rules,) all bits for a rule inside, none for others."""
    never: Words
    """(n_words,) rows that no rule inside covers."""
    once: Words
    """(n_words,) rows that exactly one rule inside covers."""
    right: Floats
    """(n_rules,) weight of the class's rows that depend on the rule: covered by it alone or, for a rule
    outside, by no rule inside."""
    wrong: Floats
    """(n_rules,) weight of the other rows that do."""
    saved: Floats
    """(n_rules,) bits that moving the rule in or out would save."""
    best: npt.NDArray[np.bool_]
    """(n_rules,) the shortest subset so far."""
    best_bits: Floats
    """(1,) its length."""


def new_state(part: ClassRules) -> State:
    """Return a state with no rule inside and no best subset."""
    n_rules, n_words = part.fires.shape
    return State(
        np.zeros(n_rules, dtype=np.bool_),
        np.zeros((n_words, max(n_rules.bit_length(), 1)), dtype=np.uint64),
        np.zeros(n_rules, dtype=np.uint64),
        np.zeros(n_words, dtype=np.uint64),
        np.zeros(n_words, dtype=np.uint64),
        np.zeros(n_rules),
        np.zeros(n_rules),
        np.zeros(n_rules),
        np.zeros(n_rules, dtype=np.bool_),
        np.array([np.inf]),
    )
