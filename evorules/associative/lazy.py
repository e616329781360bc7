"""Lazy association: the rules that matter for a row are searched when the row is there."""

from __future__ import annotations

import time
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from evorules.associative.cache import CountCache, Memory, empty_memory
from evorules.items import Items
from evorules.mining.thresholds import TOLERANCE, least_rows
from evorules.rules.training import valid_rows
from trees.errors import MiningLimitError

__all__ = ["LazyRules", "LazySearch", "Projection", "Rank"]

Ints = npt.NDArray[np.int32]
Longs = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
Words = npt.NDArray[np.uint64]

Rank = Literal["gain", "confidence", "laplace"]
Projection = Literal["shared", "none"]

RANKS = {"gain": 0, "confidence": 1, "laplace": 2}
BLOCK = 8192
"""Rows searched for together: antecedents that they share are counted once."""

CACHED = 64
"""Rows up to which a search looks into the cache: it pays only where few rows share an antecedent."""

STEP = 20_000
"""Antecedents visited between two looks at the clock."""


@dataclass(frozen=True, eq=False)
class LazyRules:
    """The rule that decides for each row, and what else was asked for.

    Parameters
    ----------
    consequent : ndarray of shape (n_rows,), int32
        Class of the rule, -1 where there is none.
    size : ndarray of shape (n_rows,), int32
        Items of its antecedent.
    item : ndarray of shape (n_rows, longest), int32
        The items, ascending; only the first `size` of a line mean anything.
    counts : ndarray of shape (n_rows, n_classes), int32
        Training rows that the antecedent covers, by class.
    projected : ndarray of shape (n_rows, n_classes), int64
        Training rows of the projection, by class.
    votes : ndarray of shape (n_rows, n_classes), float64
        Sum of the confidences of all rules of each class; of shape (0, n_classes) unless asked for.
    n_generated : int
        Distinct rules generated for at least one row; 0 unless asked for.
    """

    consequent: Ints
    size: Ints
    item: Ints
    counts: Ints
    projected: Longs
    votes: Floats
    n_generated: int

    def antecedent(self, row: int) -> Ints:
        """Return the items of the rule of one row."""
        return self.item[row, : self.size[row]]

    def n_distinct(self) -> int:
        """Return how many different rules decide for some row."""
        found = {
            (*self.antecedent(r).tolist(), -1 - label)
            for r, label in enumerate(self.consequent.tolist())
            if label >= 0
        }
        return len(found)


class _Board(NamedTuple):
    """The rows of a block as the kernels read them."""

    number: Ints
    bits: Words
    class_start: Ints
    holders: Words
    least: Longs
    product: Floats


class _Options(NamedTuple):
    """What the kernels are told."""

    rank: int
    n_classes: int
    min_confidence: float
    max_len: int
    least: int
    minimal: bool
    votes: bool
    exhaustive: bool


class _Stack(NamedTuple):
    """Candidates, counts and sets of rows of every level."""

    candidate: Ints
    n: Longs
    at: Longs
    counts: Ints
    rows: Words
    asked: Words
    path: Ints
    name: Ints
    code: Words


class _Overrun(NamedTuple):
    """The limit that a search met, what was reached, and the rows (of its block) that it was at."""

    kind: str
    reached: float
    concerned: Longs


class _Best(NamedTuple):
    """The best rule of each row of a block, with the numbers that rank it."""

    entropy: Floats
    above: Longs
    below: Longs
    support: Longs
    size: Ints
    rank_label: Ints
    label: Ints
    items: Ints
    counts: Ints
    votes: Floats


@dataclass(frozen=True, eq=False)
class LazySearch:
    """Searches the rules over the items of rows to classify among training rows.

    Rules are ranked as the specification of EAC and LAC has it. "gain": less entropy of the classes in the
    covered rows, then confidence, right rows, shorter antecedent, class order, order of items. "confidence":
    the same without entropy. "laplace": (right + 1) / (covered + n_classes), covered rows, shorter
    antecedent, order of items.

    Parameters
    ----------
    items : Items
        Of the training rows.
    rank : {"gain", "confidence", "laplace"}
        The order of the rules.
    min_support : float or int
        Least number of right rows of a rule: an int, or a share of the projection.
    min_confidence : float
        Least confidence; used by rank "confidence" alone.
    max_len : int or None
        Most items of an antecedent.
    minimal : bool
        Leave a rule out if a part of its antecedent covers rows of its class only.
    projection : {"shared", "none"}
        Shares are of the training rows that have an item in common with the row to classify, or of all.
    n_classes : int or None
        Classes that the Laplace estimate counts; None is all declared ones.
    max_nodes : int or None
        Most antecedents to visit for rows searched together: up to 8192, or all in an exhaustive search.
    time_budget : float or None
        Most seconds for one call.
    cache : CountCache or None
        Class counts known from earlier searches of the same training rows, consulted for few rows at a time.
    """

    items: Items
    rank: Rank = "gain"
    min_support: float | int = 0.01
    min_confidence: float = 0.5
    max_len: int | None = None
    minimal: bool = False
    projection: Projection = "shared"
    n_classes: int | None = None
    max_nodes: int | None = 10_000_000
    time_budget: float | None = None
    cache: CountCache | None = None

    def find(self, held: Ints, *, votes: bool = False, exhaustive: bool = False) -> LazyRules:
        """Return the rules that decide for rows.

        Parameters
        ----------
        held : ndarray of shape (n_rows, n_attributes), int32
            Item of each cell, as `Items.encode` returns it.
        votes : bool
            Sum up all rules per class as well.
        exhaustive : bool
            Count all rules as well. Otherwise antecedents are passed over that cannot hold the best rule;
            the best rules are the same.

        Raises
        ------
        MiningLimitError
            If the rows need more than `max_nodes` or `time_budget`; the message names the row at which the
            search was.
        """
        started = time.monotonic()
        projected = self.project(held)
        # an exhaustive search is one block: a rule that two blocks generate must count once
        size = max(len(held), 1) if exhaustive else BLOCK
        parts, n_generated = [], 0
        for first in range(0, len(held), size):
            rows = np.arange(first, min(first + size, len(held)))
            best, generated = self._searched(held, projected, rows, votes, exhaustive, started)
            parts.append(best)
            n_generated += generated
        return self._joined(parts, projected, n_generated, held.shape[1], votes)

    def project(self, held: Ints) -> Longs:
        """Return the class counts of the training rows that share an item with each row.

        Returns
        -------
        ndarray of shape (n_rows, n_classes), int64
        """
        from evorules.associative._kernels_lazy import count_projected

        items = self.items
        counts = np.zeros((len(held), items.n_classes), dtype=np.int64)
        scratch = np.empty(items.n_words, dtype=np.uint64)
        count_projected(np.ascontiguousarray(held), items.bits, items.class_start, scratch, counts)
        return counts

    @cached_property
    def _valid(self) -> Words:
        return np.ascontiguousarray(valid_rows(self.items.class_start, self.items.class_totals))

    @cached_property
    def _product(self) -> Floats:
        """Products i * log2(i) by i, so that an entropy takes no logarithm."""
        numbers = np.arange(self.items.n_rows + 1, dtype=np.float64)
        return numbers * np.log2(np.maximum(numbers, 1.0))

    def _least(self, projected: Longs) -> Longs:
        """Return the least number of right rows by row to classify."""
        if self.projection == "none" or isinstance(self.min_support, int | np.integer):
            return np.full(len(projected), least_rows(self.min_support, self.items.n_rows), dtype=np.int64)
        exact = self.min_support * projected.sum(axis=1) - TOLERANCE
        return np.maximum(np.ceil(exact), 1).astype(np.int64)

    def _searched(
        self, held: Ints, projected: Longs, rows: Longs, votes: bool, exhaustive: bool, started: float
    ) -> tuple[_Best, int]:
        """Return the best rules of some rows, if the limits allow it, and how many were generated."""
        memory = self.cache.borrow() if self.cache is not None and len(rows) <= CACHED else None
        try:
            known = empty_memory(0, 1, self.items.n_classes) if memory is None else memory
            best, generated, overrun = self._search(
                held[rows], projected[rows], known, votes, exhaustive, started
            )
        finally:
            if memory is not None and self.cache is not None:
                self.cache.give_back()
        if overrun is not None:
            raise self._error(rows, held, overrun)
        return best, generated

    def _search(
        self, held: Ints, projected: Longs, memory: Memory, votes: bool, exhaustive: bool, started: float
    ) -> tuple[_Best, int, _Overrun | None]:
        """Search for a block of rows; the last is the limit met, None if none was."""
        from evorules.associative import _kernels_lazy as kernels

        present = np.unique(held[held >= 0])
        deepest = int((held >= 0).sum(axis=1).max(initial=0))
        levels = deepest if self.max_len is None else min(self.max_len, deepest)
        n_rows, n_classes = len(held), self.items.n_classes
        best = _empty(n_rows, levels, n_classes, votes)
        if levels == 0:
            return best, 0, None
        least = self._least(projected)
        board = _Board(
            present,
            self.items.bits[present],
            self.items.class_start,
            _holders(held, present),
            least,
            self._product,
        )
        options = _Options(
            RANKS[self.rank],
            self.n_classes or n_classes,
            float(self.min_confidence) if self.rank == "confidence" else 0.0,
            levels,
            int(least.min()),
            bool(self.minimal),
            votes,
            votes or exhaustive,
        )
        stack = _stack(levels, len(present), self.items.n_words, board.holders.shape[1], n_classes)
        stack.rows[0] = self._valid
        stack.asked[0] = _all_of(n_rows)
        state = np.zeros(4, dtype=np.int64)
        kernels.open_level(0, board, options, stack, memory, state)
        overrun = self._run(board, options, stack, best, memory, state, started)
        return best._replace(items=_global(best.items, present)), int(state[kernels.GENERATED]), overrun

    def _run(
        self,
        board: _Board,
        options: _Options,
        stack: _Stack,
        best: _Best,
        memory: Memory,
        state: Longs,
        started: float,
    ) -> _Overrun | None:
        from evorules.associative import _kernels_lazy as kernels

        while True:
            visited = int(state[kernels.VISITED])
            limit = visited + STEP if self.max_nodes is None else min(visited + STEP, self.max_nodes)
            kernels.search(board, options, stack, best, memory, state, limit)
            if state[kernels.LEVEL] < 0:
                return None
            if self.max_nodes is not None and state[kernels.VISITED] >= self.max_nodes:
                return _Overrun("max_nodes", float(state[kernels.VISITED]), _concerned(stack, state))
            passed = time.monotonic() - started
            if self.time_budget is not None and passed > self.time_budget:
                return _Overrun("time_budget", passed, _concerned(stack, state))

    def _error(self, rows: Longs, held: Ints, overrun: _Overrun) -> MiningLimitError:
        kind, reached = overrun.kind, overrun.reached
        limit = float(self.max_nodes or 0) if kind == "max_nodes" else float(self.time_budget or 0)
        what = {
            "max_nodes": f"max_nodes={limit:.0f} antecedents were visited",
            "time_budget": f"time_budget={limit:g} seconds were over (reached {reached:.1f} s)",
        }[kind]
        n_held = (held[rows[overrun.concerned]] >= 0).sum(axis=1)
        row, n_items = rows[overrun.concerned[int(np.argmax(n_held))]], int(n_held.max())
        where, way_out = f"row {row}", f", or raise {kind}"
        if len(rows) > 1:
            where = f"rows {rows[0]} to {rows[-1]}, which was at row {row},"
            way_out = f", raise {kind}, or ask for fewer rows at a time"
        return MiningLimitError(
            f"The search for the rules of {where} was stopped: {what}. The row holds {n_items} items, and "
            f"antecedents may have {'any number' if self.max_len is None else self.max_len} of them. Lower "
            f"max_len, raise min_support{way_out}.",
            kind,
            limit,
            reached,
            n_items if self.max_len is None else min(self.max_len, n_items),
        )

    def _joined(
        self, parts: list[_Best], projected: Longs, n_generated: int, n_attributes: int, votes: bool
    ) -> LazyRules:
        parts = parts or [_empty(0, 0, self.items.n_classes, votes)]
        longest = max(part.items.shape[1] for part in parts)
        item = np.full((len(projected), longest), -1, dtype=np.int32)
        first = 0
        for part in parts:
            item[first : first + len(part.items), : part.items.shape[1]] = part.items
            first += len(part.items)
        size = np.concatenate([part.size for part in parts])
        label = np.concatenate([part.label for part in parts])
        return LazyRules(
            np.where(size > 0, label, np.int32(-1)).astype(np.int32),
            size,
            item,
            np.concatenate([part.counts for part in parts]),
            projected,
            np.concatenate([part.votes for part in parts]),
            n_generated,
        )


def _empty(n_rows: int, levels: int, n_classes: int, votes: bool) -> _Best:
    return _Best(
        np.zeros(n_rows),
        np.zeros(n_rows, dtype=np.int64),
        np.ones(n_rows, dtype=np.int64),
        np.zeros(n_rows, dtype=np.int64),
        np.zeros(n_rows, dtype=np.int32),
        np.zeros(n_rows, dtype=np.int32),
        np.zeros(n_rows, dtype=np.int32),
        np.zeros((n_rows, levels), dtype=np.int32),
        np.zeros((n_rows, n_classes), dtype=np.int32),
        np.zeros((n_rows if votes else 0, n_classes)),
    )


def _stack(levels: int, n_items: int, n_words: int, n_asked_words: int, n_classes: int) -> _Stack:
    return _Stack(
        np.zeros((levels, n_items), dtype=np.int32),
        np.zeros(levels, dtype=np.int64),
        np.zeros(levels, dtype=np.int64),
        np.zeros((levels, n_items, n_classes), dtype=np.int32),
        np.zeros((levels + 1, n_words), dtype=np.uint64),
        np.zeros((levels + 1, n_asked_words), dtype=np.uint64),
        np.zeros(levels, dtype=np.int32),
        np.zeros(levels, dtype=np.int32),
        np.zeros(levels + 1, dtype=np.uint64),
    )


def _concerned(stack: _Stack, state: Longs) -> Longs:
    """Return the rows of a block to which the antecedents of the open level still matter."""
    flags = np.unpackbits(stack.asked[state[0]].astype("<u8").view(np.uint8), bitorder="little")
    return np.flatnonzero(flags)


def _holders(held: Ints, present: Ints) -> Words:
    """Return which rows hold each of the present items; ndarray of shape (n_present, n_words), uint64."""
    flags = np.zeros((len(present), 64 * ((len(held) + 63) // 64)), dtype=np.bool_)
    for column in held.T:
        rows = np.flatnonzero(column >= 0)
        flags[np.searchsorted(present, column[rows]), rows] = True
    return np.packbits(flags, axis=1, bitorder="little").view("<u8").astype(np.uint64)


def _all_of(n_rows: int) -> Words:
    """Return the set of all of some rows; ndarray of shape (n_words,), uint64."""
    flags = np.zeros(64 * ((n_rows + 63) // 64), dtype=np.bool_)
    flags[:n_rows] = True
    return np.packbits(flags, bitorder="little").view("<u8").astype(np.uint64)


def _global(items: Ints, present: Ints) -> Ints:
    """Return item numbers in place of positions among the present ones."""
    return present[items].astype(np.int32) if items.size else items
