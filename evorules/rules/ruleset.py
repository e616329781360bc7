"""Rules as arrays: what coverage and satisfaction work on, whoever learnt the rules."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from evorules.items import CarSet
from trees.counts import Counts
from trees.errors import DataError
from trees.rule import Condition, Rule, RuleList
from trees.schema import Schema

__all__ = ["PassTable", "RuleSet", "take_ragged"]

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Codes = npt.NDArray[np.int32]
Test = tuple[Condition, ...]


class PassTable(NamedTuple):
    """Which tests a cell passes, by its code: of its value, or of the interval between cuts of its column."""

    columns: Ints
    """(n_columns,) attributes that are tested."""
    cut_start: Ints
    """(n_columns + 1,) where the cuts of a column start; a nominal column has none."""
    cuts: Floats
    """Distinct thresholds of the columns, one set behind the other, each ascending."""
    code_start: Ints
    """(n_columns + 1,) where the codes of a column start."""
    low: Ints
    """(n_tests,) the last code below the interval of a numeric test, -1 if there is none."""
    high: Ints
    """(n_tests,) the last code in it, -1 for nominal tests and for intervals that nothing can be in."""
    list_start: Ints
    """(n_tests + 1,) where the codes of a nominal test start."""
    lists: Ints
    """Codes of the nominal tests."""

    def pack(self, X: Floats) -> npt.NDArray[np.uint64]:
        """Return which rows hold each test, row i in bit i % 64 of word i // 64.

        Parameters
        ----------
        X : ndarray of shape (n_rows, n_attributes), float64, C-contiguous
            Cells as in `Table.X`.

        Returns
        -------
        ndarray of shape (n_tests, n_words), uint64
        """
        from evorules.rules._kernels_coverage import accumulate, join_codes, pack_codes

        n_words = (len(X) + 63) // 64
        held = np.zeros((int(self.code_start[-1]), n_words), dtype=np.uint64)
        pack_codes(X, self.columns, self.cut_start, self.cuts, self.code_start, held)
        accumulate(self.cut_start, self.code_start, held)
        bits = np.zeros((len(self.low), n_words), dtype=np.uint64)
        join_codes(self.low, self.high, self.list_start, self.lists, held, bits)
        return bits


@dataclass(frozen=True, eq=False)
class RuleSet:
    """Ordered rules whose antecedents are tests of one attribute each, in CSR form.

    Parameters
    ----------
    schema : Schema
        Of the rows that the rules speak of.
    tests : tuple of tuple of Condition
        Every distinct test: the conditions of a rule on one attribute. An interval is one test.
    start : ndarray of shape (n_rules + 1,), int64
        Rule r asks for the tests ``test[start[r]:start[r + 1]]``.
    test : ndarray of shape (start[-1],), int32
        Positions in `tests`.
    counts : Counts
        What each rule covered in training.

    Examples
    --------
    >>> from trees.schema import Attribute
    >>> schema = Schema((Attribute("x", "numeric"),), Attribute("y", "nominal", ("a", "b")))
    >>> rule = Rule((Condition(0, ">", 1), Condition(0, "<=", 3)), 1, (0, 2))
    >>> rules = RuleSet.of_rules(RuleList((rule,), schema), np.array([4, 2]))
    >>> rules.size, rules.rules()[0].describe(schema)
    (array([1]), 'IF x > 1 AND x <= 3 THEN y = b')
    """

    schema: Schema
    tests: tuple[Test, ...]
    start: Ints
    test: Codes
    counts: Counts

    def __len__(self) -> int:
        return len(self.start) - 1

    @property
    def size(self) -> Ints:
        """Number of tests of each rule; ndarray of shape (n_rules,)."""
        return np.diff(self.start)

    @classmethod
    def of_rules(cls, rules: RuleList, class_totals: npt.ArrayLike) -> RuleSet:
        """Build a rule set from rules of any learner, in their order, with the counts that they carry.

        Parameters
        ----------
        rules : RuleList
            The rules.
        class_totals : array-like of shape (n_classes,)
            Rows (or weight) of each class in the table that the rules were learnt from.

        Raises
        ------
        DataError
            For a rule whose value conditions exclude each other.
        """
        number: dict[Test, int] = {}
        tests: list[int] = []
        start = [0]
        for rule in rules:
            for test in _tests_of(rule):
                tests.append(number.setdefault(test, len(number)))
            start.append(len(tests))
        totals = np.asarray(class_totals)
        class_counts = np.array([rule.counts for rule in rules], dtype=np.float64).reshape(-1, len(totals))
        if np.array_equal(class_counts, np.rint(class_counts)):
            class_counts = class_counts.astype(np.int64)
        consequent = np.array([rule.consequent for rule in rules], dtype=np.int32)
        return cls(
            rules.schema,
            tuple(number),
            np.array(start, dtype=np.int64),
            np.array(tests, dtype=np.int32),
            Counts(totals, class_counts, consequent),
        )

    @classmethod
    def of_cars(cls, cars: CarSet) -> RuleSet:
        """Build a rule set from mined rules, over the schema before cutting; only items in use are tests."""
        items = cars.items
        used, test = np.unique(cars.item, return_inverse=True)
        tests = tuple(items.conditions([item]) for item in used.tolist())
        counts = Counts(items.class_totals, cars.counts.class_counts, cars.consequent)
        return cls(items.cuts.schema, tests, cars.start, test.astype(np.int32), counts)

    def rules(self, scores: Mapping[str, npt.ArrayLike] | None = None) -> tuple[Rule, ...]:
        """Return the rules as objects, with further figures per rule if given."""
        columns = {name: np.asarray(values).tolist() for name, values in (scores or {}).items()}
        counts = self.counts.class_counts.tolist()
        start, test = self.start.tolist(), self.test.tolist()
        made = []
        for r, consequent in enumerate(self.counts.consequent.tolist()):
            conditions = tuple(c for t in test[start[r] : start[r + 1]] for c in self.tests[t])
            figures = {name: values[r] for name, values in columns.items()}
            made.append(Rule(conditions, consequent, tuple(counts[r]), scores=figures))
        return tuple(made)

    def take(self, index: npt.ArrayLike) -> RuleSet:
        """Return some of the rules, in the order given."""
        picked = np.asarray(index, dtype=np.int64)
        start, test = take_ragged(self.start, self.test, picked)
        counts = self.counts
        some = Counts(counts.class_totals, counts.class_counts[picked], counts.consequent[picked])
        return RuleSet(self.schema, self.tests, start, test, some)

    @cached_property
    def table(self) -> PassTable:
        """Which tests the cells of each attribute pass."""
        nominal, n_values = self.schema.is_nominal, self.schema.n_values
        cuts: dict[int, Floats] = {}
        for a in sorted({test[0].attribute for test in self.tests}):
            tests = [test for test in self.tests if test[0].attribute == a]
            cuts[a] = _cuts_of(tests, bool(nominal[a]))
        sizes = [n_values[a] if nominal[a] else len(cuts[a]) + 1 for a in cuts]
        code_start = np.cumsum([0, *sizes], dtype=np.int64)
        first = dict(zip(cuts, code_start.tolist(), strict=False))
        spans, lists = [], []
        for test in self.tests:
            a = test[0].attribute
            spans.append((-1, -1) if nominal[a] else _span(test, cuts[a], first[a]))
            codes = test[0].codes if nominal[a] else ()
            lists.append([first[a] + code for code in codes if 0 <= code < n_values[a]])
        low, high = np.array(spans, dtype=np.int64).reshape(-1, 2).T
        return PassTable(
            np.array(list(cuts), dtype=np.int64),
            np.cumsum([0, *map(len, cuts.values())], dtype=np.int64),
            np.concatenate([*cuts.values(), np.empty(0)]),
            code_start,
            np.ascontiguousarray(low),
            np.ascontiguousarray(high),
            np.cumsum([0, *map(len, lists)], dtype=np.int64),
            np.array([code for codes in lists for code in codes], dtype=np.int64),
        )


def take_ragged(start: Ints, values: Codes, picked: Ints) -> tuple[Ints, Codes]:
    """Return the CSR form of some rows, in the order given."""
    length = np.diff(start)[picked]
    first = np.concatenate([[0], np.cumsum(length)]).astype(np.int64)
    place = np.arange(first[-1]) + np.repeat(start[:-1][picked] - first[:-1], length)
    return first, values[place]


def _tests_of(rule: Rule) -> list[Test]:
    """Return the conditions of a rule, merged, as one test per attribute."""
    tests: dict[int, list[Condition]] = {}
    for condition in rule.simplify().conditions:
        tests.setdefault(condition.attribute, []).append(condition)
    return [tuple(conditions) for conditions in tests.values()]


def _cuts_of(tests: list[Test], nominal: bool) -> Floats:
    """Return the distinct thresholds of the tests of one column, ascending."""
    conditions = [condition for test in tests for condition in test]
    points = np.unique([c.threshold for c in conditions if c.relation != "in"])
    if nominal and len(points):
        raise DataError("A condition with a threshold is about a nominal attribute.")
    if not nominal and any(c.relation == "in" for c in conditions):
        raise DataError("A condition with a set of values is about a numeric attribute.")
    return points


def _span(test: Test, points: Floats, first: int) -> tuple[int, int]:
    """Return the last code below an interval and the last one in it; code k lies up to ``points[k]``."""
    low, high = -1, len(points)
    for condition in test:
        place = int(np.searchsorted(points, condition.threshold))
        if condition.relation == ">":
            low = max(low, place)
        else:
            high = min(high, place)
    if low >= high:
        return -1, -1
    return (first + low if low >= 0 else -1), first + high
