"""Which rule of an ordered list is the first to cover each row, compiled."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from trees.rule import Condition, Rule
from trees.schema import Schema

__all__ = ["Program", "compile_rules", "first_match"]

Ints = npt.NDArray[np.int64]

AT_MOST, ABOVE, AMONG = 0, 1, 2
"""Relations ``<=``, ``>`` and "in"."""
MOST_TESTS = 200
"""Conditions that a row may be tested by before it waits for the slower but steadier block kernel."""

N_PROBES = 1024


class Program(NamedTuple):
    """A rule list as arrays."""

    start: Ints
    """(n_rules + 1,) rule r has the tests start[r] to start[r + 1]."""
    attribute: Ints
    """(n_tests,) column tested."""
    relation: npt.NDArray[np.int8]
    """(n_tests,) `AT_MOST`, `ABOVE` or `AMONG`."""
    threshold: npt.NDArray[np.float64]
    """(n_tests,) of the first two relations."""
    values: Ints
    """(n_tests,) for `AMONG`: where in `allowed` the flags of the attribute's value codes start."""
    place: Ints
    """(n_tests,) row of the bit table that answers the test (`ABOVE`: that answers its opposite)."""
    n_values: Ints
    """(n_attributes,) number of declared values; 0 for numeric attributes."""
    allowed: npt.NDArray[np.bool_]
    """Flags of value codes, one set behind the other."""
    cut_start: Ints
    """(n_attributes + 1,) an attribute's distinct thresholds, ascending, are
    ``cuts[cut_start[a]:cut_start[a + 1]]``;
    the same rows of the bit table tell what is at most each of them."""
    cuts: npt.NDArray[np.float64]
    set_attribute: Ints
    """(n_sets,) column of every distinct value set, ascending; set s has row ``len(cuts) + s`` there."""
    set_values: Ints
    """(n_sets,) where its flags start in `allowed`."""


def compile_rules(rules: Sequence[Rule], schema: Schema) -> Program:
    """Return rules as arrays for `first_match`."""
    tests = [condition for rule in rules for condition in rule.conditions]
    cuts: list[list[float]] = [[] for _ in range(schema.n_attributes)]
    sets: dict[Condition, int] = {}
    # the sets of an attribute stand together, so that a block's values need to be told apart only once
    for test in sorted((t for t in tests if t.relation == "in"), key=lambda t: t.attribute):
        sets.setdefault(test, len(sets))
    for test in tests:
        if test.relation != "in":
            cuts[test.attribute].append(test.threshold)
    distinct = [np.unique(np.array(values, dtype=np.float64)) for values in cuts]
    cut_start = np.cumsum([0, *(len(values) for values in distinct)], dtype=np.int64)
    n_values = schema.n_values.astype(np.int64)
    set_attribute = np.array([test.attribute for test in sets], dtype=np.int64)
    set_values = np.cumsum([0, *n_values[set_attribute]], dtype=np.int64)
    allowed = np.zeros(int(set_values[-1]), dtype=np.bool_)
    for test, s in sets.items():
        codes = [code for code in test.codes if 0 <= code < n_values[test.attribute]]
        allowed[set_values[s] + np.array(codes, dtype=np.int64)] = True
    relation, values, place = [], [], []
    for test in tests:
        a = test.attribute
        relation.append({"<=": AT_MOST, ">": ABOVE, "in": AMONG}[test.relation])
        if test.relation == "in":
            values.append(set_values[sets[test]])
            place.append(cut_start[-1] + sets[test])
        else:
            values.append(0)
            place.append(cut_start[a] + np.searchsorted(distinct[a], test.threshold))
    return Program(
        np.cumsum([0, *(len(rule.conditions) for rule in rules)], dtype=np.int64),
        np.array([test.attribute for test in tests], dtype=np.int64),
        np.array(relation, dtype=np.int8),
        np.array([test.threshold for test in tests], dtype=np.float64),
        np.array(values, dtype=np.int64),
        np.array(place, dtype=np.int64),
        n_values,
        allowed,
        cut_start,
        np.concatenate([*distinct, np.empty(0)]),
        set_attribute,
        set_values[:-1].copy(),
    )


def first_match(
    rules: Sequence[Rule], schema: Schema, X: npt.NDArray[np.float64], *, most_tests: int = MOST_TESTS
) -> npt.NDArray[np.int32]:
    """Return the position of the first rule that covers each row, -1 where none does.

    Parameters
    ----------
    rules : sequence of Rule
        In order.
    schema : Schema
        Of the rules and of `X`.
    X : ndarray of shape (n_rows, n_attributes), float64
        Cells as in `Table.X`.
    most_tests : int
        Conditions tested per row before the row is left to the block kernel; it changes nothing but speed.

    Returns
    -------
    ndarray of shape (n_rows,), int32
    """
    from trees._kernels_match import match_blocks, match_rows

    program = compile_rules(rules, schema)
    found = np.empty(len(X), dtype=np.int32)
    cells = np.ascontiguousarray(X)
    late = np.empty(len(X), dtype=np.int64)
    # rows that a probe shows to be long in the matching need not be tried one by one first
    n_probes = min(len(X), N_PROBES)
    n_late = match_rows(program, cells, 0, n_probes, most_tests, found, late)
    if 3 * n_late > n_probes:
        late[n_late : n_late + len(X) - n_probes] = np.arange(n_probes, len(X))
        n_late += len(X) - n_probes
    else:
        n_late += match_rows(program, cells, n_probes, len(X), most_tests, found, late[n_late:])
    if n_late > 0:  # else it need not even be compiled
        match_blocks(program, cells, late[:n_late], found)
    return found
