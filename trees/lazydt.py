"""LazyDT: a path of tests made for every row to classify."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from typing import Any, ClassVar, Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from trees.decisions import Decisions
from trees.discretize import Cuts, Discretizer
from trees.discretize.by_name import DiscretizerCheck, make_discretizer
from trees.errors import DataError, DataWarning
from trees.estimator import TableClassifier
from trees.growth.draft import majority
from trees.rule import Condition, Rule, RuleList
from trees.table import Table
from trees.validation import AnyOf, Boolean, Check, Choice, Float, Integer

__all__ = ["LazyDTClassifier"]

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int32]

DONE, NEEDS_ARENA, NEEDS_LEVELS, NEEDS_SETS = 0, -1, -2, -3


class _Data(NamedTuple):
    """The distinct training rows as the kernels read them."""

    cells: Ints
    classes: Ints
    weight: Floats
    key: npt.NDArray[np.uint64]
    first: npt.NDArray[np.int64]
    attribute: Ints


class _Options(NamedTuple):
    """The parameters as the kernels read them."""

    test: int
    multi: bool
    rate: float
    penalty: float
    min_split: float
    max_sets: int


class _Stack(NamedTuple):
    """The sets being explored, a level each, and scratch arrays."""

    arena: Ints
    frame: npt.NDArray[np.int64]
    counts: Floats
    totals: Floats
    tests: Ints
    key: npt.NDArray[np.uint64]
    best: Floats
    known: Floats
    child: Floats
    gain: Floats
    line: Ints


class _Memo(NamedTuple):
    """The sets explored for a row to classify."""

    table: Ints
    key: npt.NDArray[np.uint64]
    found: Ints
    ratio: Floats
    totals: Floats


class LazyDTClassifier(TableClassifier):
    """Lazy decision tree: for every row to classify, the tests that are best for that row.

    Parameters
    ----------
    test : {"neq", "eq"}, default="neq"
        A test leaves the training rows with another value than one that the row does not have ("neq"), or
        those with the row's own value ("eq").
    multi : bool, default=True
        Follow every attribute whose best test gains nearly as much as the best, and take the leaf that keeps
        most of its class. False: the first of the best alone.
    rate : float in [0, 1], default=0.1
        A test is followed if it gains at least (1 - rate) times the best.
    penalty : float, default=0
        Gains are multiplied by (share of the rows left) to this power.
    min_split : float, default=1
        Weight up to which a set of rows is not tested further.
    discretizer : {"mdlp", "lucs_kdd", "equal_frequency", "equal_width"}, Discretizer or None, default="mdlp"
        How numeric attributes are cut into intervals; None takes nominal attributes alone.
    max_sets : int, default=20000
        Sets of training rows to explore for one row with `multi`; beyond that only the best test is followed
        and `predict` warns.
    nominal : list of str or int, optional
        Columns to read as nominal whatever they hold.
    unknown : {"missing", "error"}, default="missing"
        What to do at prediction with a category not seen in fit.

    Attributes
    ----------
    cuts_ : Cuts
        The intervals of the numeric attributes.
    rules_ : RuleList
        No rules, and the majority class: a path is made only for a row to classify, see `explain`.

    Notes
    -----
    Friedman, J., Kohavi, R. and Yun, Y. (1996). Lazy decision trees. AAAI-96, 717-724; details and defaults
    follow the authors' program, MLC++. A test's gain is measured after giving every class of the set the same
    weight. Attributes that the row to classify lacks are not tested; training rows that lack the tested
    attribute are left out.

    Examples
    --------
    >>> import pandas as pd
    >>> X = pd.DataFrame({"sky": ["sunny", "rain", "rain", "sunny"], "windy": [True, True, False, False]})
    >>> model = LazyDTClassifier().fit(X, ["yes", "no", "yes", "yes"])
    >>> print(model.explain(X.head(2)))
    R1: IF sky = sunny THEN class = yes  (2/2, confidence 1.00)
    R2: IF sky = rain AND windy = True THEN class = no  (1/1, confidence 1.00)
    """

    is_lazy: ClassVar[bool] = True
    _parameters: ClassVar[Mapping[str, Check]] = {
        "test": Choice(("neq", "eq")),
        "multi": Boolean(),
        "rate": Float(0.0, 1.0, "both"),
        "penalty": Float(0.0, closed="left"),
        "min_split": Float(0.0, closed="left"),
        "discretizer": AnyOf((Choice((None,)), DiscretizerCheck())),
        "max_sets": Integer(1),
    }

    cuts_: Cuts
    rules_: RuleList

    def __init__(
        self,
        *,
        test: Literal["neq", "eq"] = "neq",
        multi: bool = True,
        rate: float = 0.1,
        penalty: float = 0.0,
        min_split: float = 1.0,
        discretizer: Literal["mdlp", "lucs_kdd", "equal_frequency", "equal_width"]
        | Discretizer
        | None = "mdlp",
        max_sets: int = 20_000,
        nominal: list[str | int] | None = None,
        unknown: Literal["missing", "error"] = "missing",
    ) -> None:
        self.test = test
        self.multi = multi
        self.rate = rate
        self.penalty = penalty
        self.min_split = min_split
        self.discretizer = discretizer
        self.max_sets = max_sets
        self.nominal = nominal
        self.unknown = unknown

    def explain(self, X: Any) -> RuleList:
        """Return the path of every row as a rule.

        Parameters
        ----------
        X : DataFrame, ndarray, list of rows or Table
            A DataFrame's columns are matched by name.

        Returns
        -------
        RuleList
            Rule i decides for row i: the values left of the attributes tested, the class, and the training
            weight per class in the leaf. Over ``cuts_.cut_schema``, where intervals are values.
        """
        cells = self._cells(self._encode(X))
        rules = []
        n_limited = 0
        for row in cells:
            sums, lines, limited = self._leaves(row[np.newaxis])
            n_limited += limited
            label = int(_heaviest(sums)[0])
            rules.append(Rule(self._conditions(lines), label, tuple(sums[0].tolist())))
        self._warn_of_limit(n_limited)
        return RuleList(tuple(rules), self.cuts_.cut_schema)

    def _conditions(self, lines: Ints) -> tuple[Condition, ...]:
        """Return the values left by the tests of a path."""
        left: dict[int, set[int]] = {}
        for line in lines.tolist():
            a = int(self._data.attribute[line])
            value = line - int(self._data.first[a])
            allowed = left.setdefault(a, set(range(self.cuts_.n_intervals[a])))
            if self.test == "eq":
                allowed &= {value}
            else:
                allowed.discard(value)
        return tuple(Condition(a, "in", tuple(sorted(codes))) for a, codes in sorted(left.items()))

    def _fit(self, table: Table) -> None:
        numeric = [attribute.name for attribute in table.schema.attributes if not attribute.is_nominal]
        if self.discretizer is not None:
            cuts = make_discretizer(self.discretizer).fit(table)
        elif numeric:
            raise DataError(
                f"Attribute {numeric[0]!r} is numeric, and LazyDT tests nominal attributes only. "
                "Pass discretizer='mdlp' or name the column in nominal."
            )
        else:
            cuts = Cuts(table.schema, (None,) * table.n_attributes)
        self.cuts_ = cuts
        rows = np.column_stack([self._cells(table), table.classes])
        distinct, inverse = np.unique(rows, axis=0, return_inverse=True)
        weight = np.zeros(len(distinct))
        np.add.at(weight, inverse.ravel(), table.weight)
        self._keep(distinct[:, :-1], distinct[:, -1], weight)

    def _keep(self, cells: Ints, classes: Ints, weight: Floats) -> None:
        """Keep distinct training rows in the form that the kernels read."""
        sizes = self.cuts_.n_intervals
        first = np.concatenate(([0], np.cumsum(sizes))).astype(np.int64)
        # any fixed numbers will do: they only tell sets of rows apart
        key = np.random.default_rng(len(weight)).integers(0, 2**64, len(weight), dtype=np.uint64)
        attribute = np.repeat(np.arange(len(sizes), dtype=np.int32), sizes)
        self._data = _Data(
            np.ascontiguousarray(cells, dtype=np.int32),
            np.ascontiguousarray(classes, dtype=np.int32),
            weight,
            key,
            first,
            attribute,
        )
        totals = np.zeros(self.schema_.n_classes)
        np.add.at(totals, classes, weight)
        self.rules_ = RuleList((), self.schema_, int(_heaviest(totals[np.newaxis])[0]))

    def _cells(self, table: Table) -> Ints:
        """Return value and interval codes, -1 where missing."""
        coded = self.cuts_.encode(table.X)
        return np.where(np.isnan(coded), -1, coded).astype(np.int32)

    def _decide(self, table: Table) -> Decisions:
        cells = self._cells(table)
        distinct, inverse = np.unique(cells, axis=0, return_inverse=True)
        sums, _, n_limited = self._leaves(distinct)
        self._warn_of_limit(n_limited)
        sums = sums[inverse.ravel()]
        scores = sums / sums.sum(axis=1, keepdims=True)
        return Decisions(_heaviest(scores), scores, np.full(len(cells), -1, dtype=np.int32))

    def _leaves(self, cells: Ints) -> tuple[Floats, Ints, int]:
        """Return the class weights of rows' leaves, the tests of the last row, and how many met the limit."""
        from trees._kernels_lazy import decide_rows

        cells = np.ascontiguousarray(cells)
        data = self._data
        options = _Options(
            int(self.test == "eq"),
            bool(self.multi),
            float(self.rate),
            float(self.penalty),
            float(self.min_split),
            self.max_sets,
        )
        n_classes, n_lines = self.schema_.n_classes, len(data.attribute)
        stack = _stack(4 * len(data.classes), n_lines, cells.shape[1], n_classes)
        memo = _memo(1024, n_classes)
        out = np.zeros((len(cells), n_classes))
        n_sets = np.zeros(len(cells), dtype=np.int64)
        lines = np.full(n_lines + 1, -1, dtype=np.int32)
        done, status = decide_rows(cells, 0, data, options, stack, memo, out, n_sets, lines)
        while status != DONE:
            if status == NEEDS_ARENA:
                stack = stack._replace(arena=np.empty(2 * len(stack.arena), dtype=np.int32))
            elif status == NEEDS_LEVELS:
                stack = _stack(len(stack.arena), n_lines, cells.shape[1], n_classes, 2 * len(stack.frame))
            else:
                memo = _memo(2 * len(memo.key), n_classes)
            done, status = decide_rows(cells, done, data, options, stack, memo, out, n_sets, lines)
        n_limited = int(np.count_nonzero(n_sets > self.max_sets)) if self.multi else 0
        return out, lines[: int(np.argmax(lines < 0))], n_limited

    def _warn_of_limit(self, n_rows: int) -> None:
        if n_rows:
            warnings.warn(
                f"{n_rows} row(s) lead to more than {self.max_sets} sets of training rows; beyond "
                "these only the best test was followed. Raise max_sets, lower rate, or pass test='eq'.",
                DataWarning,
                stacklevel=3,
            )

    def _model_state(self) -> dict[str, Any]:
        return {
            "cuts": self.cuts_.to_dict(),
            "cells": self._data.cells.tolist(),
            "classes": self._data.classes.tolist(),
            "weight": self._data.weight.tolist(),
        }

    def _restore(self, state: Mapping[str, Any]) -> None:
        self.cuts_ = Cuts.from_dict(state["cuts"], self.schema_)
        classes = np.array(state["classes"], dtype=np.int32)
        cells = np.array(state["cells"], dtype=np.int32).reshape(len(classes), self.schema_.n_attributes)
        weight = np.array(state["weight"], dtype=np.float64)
        in_range = np.all((cells >= -1) & (cells < self.cuts_.n_intervals))
        if (
            len(weight) != len(classes)
            or len(classes) == 0
            or not (
                in_range
                and np.all((classes >= 0) & (classes < self.schema_.n_classes))
                and np.all(weight > 0)
            )
        ):
            raise DataError("The training rows of the lazy tree do not fit its schema.")
        self._keep(cells, classes, weight)


def _heaviest(sums: Floats) -> Ints:
    """Return the class of the greatest weight per row, the first of equals."""
    return majority(sums, np.zeros(sums.shape[1]))


def _stack(arena: int, n_lines: int, n_attributes: int, n_classes: int, n_levels: int = 16) -> _Stack:
    return _Stack(
        np.empty(arena, dtype=np.int32),
        np.zeros((n_levels, 6), dtype=np.int64),
        np.zeros((n_levels, n_lines, n_classes)),
        np.zeros((n_levels, n_classes)),
        np.zeros((n_levels, n_attributes), dtype=np.int32),
        np.zeros(n_levels, dtype=np.uint64),
        np.zeros(n_levels),
        np.zeros(n_classes),
        np.zeros(n_classes),
        np.zeros(n_attributes),
        np.zeros(n_attributes, dtype=np.int32),
    )


def _memo(n_sets: int, n_classes: int) -> _Memo:
    return _Memo(
        np.zeros(2 * n_sets, dtype=np.int32),
        np.zeros(n_sets, dtype=np.uint64),
        np.zeros((n_sets, 3), dtype=np.int32),
        np.zeros(n_sets),
        np.zeros((n_sets, n_classes)),
    )
