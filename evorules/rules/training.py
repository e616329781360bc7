"""Ranked rules with the training rows that hold their tests: what pruning and builders work on."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from evorules.items import CarSet
from evorules.rules.ruleset import RuleSet, take_ragged
from trees.counts import Counts
from trees.errors import DataError
from trees.table import Table

__all__ = ["TrainingRules", "valid_rows"]

Ints = npt.NDArray[np.int64]
Codes = npt.NDArray[np.int32]
Words = npt.NDArray[np.uint64]


@dataclass(frozen=True, eq=False)
class TrainingRules:
    """Rules in order, and the training rows as bits, sorted by class.

    Parameters
    ----------
    start : ndarray of shape (n_rules + 1,), int64
        Rule r asks for the tests ``test[start[r]:start[r + 1]]``.
    test : ndarray of shape (start[-1],), int32
        Tests (items), ascending in each rule.
    counts : Counts
        Of the rules on the training rows, int64.
    bits : ndarray of shape (n_tests, n_words), uint64
        Which rows hold each test.
    class_start : ndarray of shape (n_classes + 1,), int32
        Word at which the rows of each class start; the bits behind its last row are 0.
    """

    start: Ints
    test: Codes
    counts: Counts
    bits: Words
    class_start: Codes

    def __len__(self) -> int:
        return len(self.start) - 1

    @property
    def size(self) -> Ints:
        """Number of tests of each rule; ndarray of shape (n_rules,)."""
        return np.diff(self.start)

    @property
    def class_totals(self) -> Ints:
        """Training rows of each class; ndarray of shape (n_classes,)."""
        return np.asarray(self.counts.class_totals, dtype=np.int64)

    @property
    def consequent(self) -> Codes:
        """Class codes; ndarray of shape (n_rules,), int32."""
        return self.counts.consequent

    @classmethod
    def of_cars(cls, cars: CarSet) -> TrainingRules:
        """Take mined rules with the rows that they were mined from."""
        items = cars.items
        return _with_counts(
            cars.start,
            cars.item,
            items.bits,
            items.class_start,
            items.class_totals,
            cars.consequent,
            cars.covered,
            cars.correct,
        )

    @classmethod
    def of_rules(cls, rules: RuleSet, table: Table) -> TrainingRules:
        """Take rules of any learner with the rows of a table, on which they are counted anew.

        Raises
        ------
        DataError
            For a table without classes, or with weights that are no whole numbers.
        """
        bits, class_start, totals = _bits_by_class(rules, table)
        rows = np.repeat(np.arange(len(rules)), rules.size)
        test = rules.test[np.lexsort((rules.test, rows))]
        consequent = rules.counts.consequent
        class_counts = _class_counts(rules.start, test, bits, class_start, totals)
        counts = Counts(totals, class_counts, consequent)
        return cls(rules.start, test, counts, bits, class_start)

    def take(self, index: npt.ArrayLike) -> TrainingRules:
        """Return some of the rules, in the order given."""
        picked = np.asarray(index, dtype=np.int64)
        start, test = take_ragged(self.start, self.test, picked)
        old = self.counts
        return _with_counts(
            start,
            test,
            self.bits,
            self.class_start,
            self.class_totals,
            old.consequent[picked],
            old.covered[picked],
            old.correct[picked],
        )

    @cached_property
    def all_rows(self) -> Words:
        """The bits of all training rows; ndarray of shape (n_words,), uint64, read-only."""
        return valid_rows(self.class_start, self.class_totals)

    def covered_rows(self, rule: int) -> Words:
        """Return the training rows that a rule covers; ndarray of shape (n_words,), uint64."""
        tests = self.test[self.start[rule] : self.start[rule + 1]]
        held: Words = np.bitwise_and.reduce(self.bits[tests], axis=0, initial=np.uint64(2**64 - 1))
        return held & self.all_rows

    def class_of_words(self, rows: Words) -> Ints:
        """Return how many rows of each class a set of rows holds; ndarray of shape (n_classes,)."""
        counted = np.concatenate([[0], np.cumsum(np.bitwise_count(rows), dtype=np.int64)])
        return np.diff(counted[self.class_start])


class _Counts(Counts):
    """Counts whose class counts are counted on first access only."""

    def __init__(self, fields: dict[str, Any]) -> None:
        for name, value in fields.items():
            object.__setattr__(self, name, value)

    @cached_property
    def class_counts(self) -> Ints:
        """Covered rows of each class; ndarray of shape (n_rules, n_classes), int64."""
        return _class_counts(*self._source)  # type: ignore[attr-defined]


def _with_counts(
    start: Ints,
    test: Codes,
    bits: Words,
    class_start: Codes,
    totals: Ints,
    consequent: Codes,
    covered: Any,
    correct: Any,
) -> TrainingRules:
    fields = {
        "class_totals": totals,
        "consequent": consequent,
        "covered": covered.astype(np.int64),
        "correct": correct.astype(np.int64),
        "_source": (start, test, bits, class_start, totals),
    }
    return TrainingRules(start, test, _Counts(fields), bits, class_start)


def valid_rows(class_start: Codes, totals: Ints) -> Words:
    """Return the bits that stand for rows when every class starts at a word; ndarray of shape (n_words,)."""
    found = np.zeros(int(class_start[-1]), dtype=np.uint64)
    for c, total in enumerate(totals.tolist()):
        full, rest = divmod(total, 64)
        found[class_start[c] : class_start[c] + full] = np.uint64(2**64 - 1)
        if rest:
            found[class_start[c] + full] = np.uint64(2**rest - 1)
    found.setflags(write=False)
    return found


def _class_counts(start: Ints, test: Codes, bits: Words, class_start: Codes, totals: Ints) -> Ints:
    from evorules.rules._kernels_training import count_classes

    found = np.zeros((len(start) - 1, len(totals)), dtype=np.int64)
    alive = valid_rows(class_start, totals)
    count_classes(start, test, bits, class_start, alive, np.empty_like(alive), found)
    return found


def _bits_by_class(rules: RuleSet, table: Table) -> tuple[Words, Codes, Ints]:
    """Return the bits of a table's rows for every test, rows sorted by class, and where the classes start."""
    if table.schema.attributes != rules.schema.attributes:
        raise DataError("The table has other attributes than the rules. Encode it with the rules' schema.")
    repeats = np.rint(table.weight).astype(np.int64)
    if np.any(repeats != table.weight):
        raise DataError("Rules are pruned by counting rows, so sample_weight must be whole numbers.")
    totals = np.bincount(table.classes, weights=repeats, minlength=table.n_classes).astype(np.int64)
    class_start = np.cumsum([0, *((totals + 63) // 64)]).astype(np.int32)
    bits = np.zeros((len(rules.tests), int(class_start[-1])), dtype=np.uint64)
    for c in range(table.n_classes):
        own = np.flatnonzero(table.classes == c)
        cells = np.ascontiguousarray(table.X[np.repeat(own, repeats[own])])
        bits[:, class_start[c] : class_start[c + 1]] = rules.table.pack(cells)
    return bits, class_start, totals
