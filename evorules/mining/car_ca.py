"""Equivalence classes of rules that share class and beginning of the antecedent, with the pruning of CAR-IC.

Hernandez-Leon, R., Carrasco-Ochoa, J. A., Martinez-Trinidad, J. F. and Hernandez-Palancar, J. (2012). CAR-IC.
Expert Systems with Applications 39.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import ClassVar, Literal

import numpy as np
import numpy.typing as npt

from evorules.items import CarSet, Items
from evorules.mining.arrays import Found
from evorules.mining.generation_order import in_generation_order
from evorules.mining.levels import Kept, count_sets, pairs_within
from evorules.mining.limits import Limits
from evorules.mining.miner import BaseMiner
from evorules.mining.thresholds import Thresholds
from trees.validation import Boolean, Check, Choice

__all__ = ["CarCA"]

Ints = npt.NDArray[np.int32]
Longs = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class CarCA(BaseMiner):
    """The miner of CAR-IC: a rule is extended while its confidence does not fall.

    A rule X => c of sufficient support and confidence is extended by items behind those of X. The longer rule
    is kept if its support and confidence suffice and the confidence is not below that of X => c.

    Parameters
    ----------
    survival : {"car_ic", "all"}, default="car_ic"
        "all" keeps and extends whatever has support, so that the rules are those of the other miners.
    keep_dropped : bool, default=False
        Keep also rules of sufficient confidence below that of X => c, but do not extend them.
    sibling_join : {"frequent", "strict"}, default="frequent"
        By which items a rule is extended: those with which X had support, or those with which it also made a
        rule that was extended.
    item_order : {"id", "support_desc", "conf_desc"}, default="id"
        In which order items follow each other: as numbered; by covered rows; by the confidence of their best
        class.

    Notes
    -----
    `strict_confidence` is True unless you say otherwise: above 0.5 at most one class has a rule for X. The
    result depends on the order of the items, and rules all of whose beginnings fail are not found: confidence
    is no bound on that of longer rules.
    """

    strict_confidence: bool = True
    survival: Literal["car_ic", "all"] = "car_ic"
    keep_dropped: bool = False
    sibling_join: Literal["frequent", "strict"] = "frequent"
    item_order: Literal["id", "support_desc", "conf_desc"] = "id"

    _of_which: ClassVar[str] = "in all, of which this miner wants some only."
    _more: ClassVar[dict[str, Check]] = {
        "survival": Choice(("car_ic", "all")),
        "keep_dropped": Boolean(),
        "sibling_join": Choice(("frequent", "strict")),
        "item_order": Choice(("id", "support_desc", "conf_desc")),
    }

    def _search(self, items: Items, thresholds: Thresholds, max_len: int, limits: Limits) -> CarSet:
        kept = Kept(items, limits)
        order = self._order(items)
        members = self._first(items, thresholds, order)
        while len(members.sets):
            kept.check(members.sets.shape[1], len(members.sets))
            stored = members.stored
            chosen = members.sets[stored]
            kept.add(chosen, members.consequent[stored], members.covered[stored], members.correct[stored])
            if members.sets.shape[1] == max_len:
                break
            members = self._following(items, thresholds, order, members, kept)
        return _sorted(kept.rules(), order)

    def _order(self, items: Items) -> Ints:
        """Return the items in the order of the search."""
        counts = count_sets(items, np.arange(items.n_items, dtype=np.int32)[:, None])
        covered = counts.sum(axis=1)
        if self.item_order == "support_desc":
            return np.argsort(-covered, kind="stable").astype(np.int32)
        if self.item_order == "conf_desc":
            best = counts.max(axis=1) / np.maximum(covered, 1)
            return np.argsort(-best, kind="stable").astype(np.int32)
        return np.arange(items.n_items, dtype=np.int32)

    def _first(self, items: Items, thresholds: Thresholds, order: Ints) -> _Members:
        counts = count_sets(items, order[:, None])
        covered = counts.sum(axis=1)
        frequent = (counts >= thresholds.correct) & (covered >= thresholds.covered)[:, None]
        consequent, place = np.nonzero(frequent.T)
        members = _Members(
            place[:, None].astype(np.int32),
            consequent,
            covered[place],
            counts[place, consequent],
            np.searchsorted(consequent, consequent, side="right"),
        )
        confident = members.correct >= thresholds.confident[members.covered]
        return self._judged(members, confident, confident)

    def _judged(self, members: _Members, confident: Bools, not_falling: Bools) -> _Members:
        if self.survival == "all":
            return replace(members, stored=confident, extended=np.ones_like(confident))
        survives = confident & not_falling
        return replace(members, stored=confident if self.keep_dropped else survives, extended=survives)

    def _following(
        self, items: Items, thresholds: Thresholds, order: Ints, members: _Members, kept: Kept
    ) -> _Members:
        """Return the frequent members of the equivalence classes of the rules that are extended."""
        parts = []
        first = np.flatnonzero(members.extended)
        for left, right in pairs_within(first, members.end[first]):
            attribute = items.attribute[order[members.sets[:, -1]]]
            wanted = attribute[left] != attribute[right]
            if self.sibling_join == "strict":
                wanted &= members.extended[right]
            parts.append(_extended(items, thresholds, order, members, left[wanted], right[wanted]))
            kept.check(members.sets.shape[1] + 1, len(left))
        if not parts:
            nothing = np.empty(0, dtype=np.int64)
            return _Members(np.empty((0, 1), np.int32), nothing, nothing, nothing, nothing)
        parents, *fields = (np.concatenate(column) for column in zip(*parts, strict=True))
        sets, consequent, covered, correct = fields
        end = np.searchsorted(parents, parents, side="right")
        found = _Members(sets, consequent, covered, correct, end)
        confident = correct >= thresholds.confident[covered]
        not_falling = correct * members.covered[parents] >= members.correct[parents] * covered
        return self._judged(found, confident, not_falling)


def _nothing() -> Bools:
    return np.empty(0, dtype=np.bool_)


@dataclass(frozen=True, eq=False)
class _Members:
    """Frequent rules of one length; those of an equivalence class stand together, in the order of the items.

    `sets` (n, k) are places in that order, `end` (n,) is the member behind the last one of the class.
    """

    sets: Ints
    consequent: Longs
    covered: Longs
    correct: Longs
    end: Longs
    stored: Bools = field(default_factory=_nothing)
    extended: Bools = field(default_factory=_nothing)


def _extended(
    items: Items, thresholds: Thresholds, order: Ints, members: _Members, left: Longs, right: Longs
) -> tuple[Longs, Ints, Longs, Longs, Longs]:
    """Return the frequent unions of pairs: position of the left one, then the fields of `_Members`."""
    sets = np.hstack((members.sets[left], members.sets[right, -1:]))
    consequent = members.consequent[left]
    counts = count_sets(items, order[sets])
    covered, correct = counts.sum(axis=1), counts[np.arange(len(sets)), consequent]
    kept = (correct >= thresholds.correct[consequent]) & (covered >= thresholds.covered)
    return left[kept], sets[kept], consequent[kept], covered[kept], correct[kept]


def _sorted(cars: CarSet, order: Ints) -> CarSet:
    """Return rules whose antecedents are places in an order of the items in generation order."""
    rank_type = np.int16 if cars.items.n_items < np.iinfo(np.int16).max else np.int32
    found = Found(
        cars.item.astype(rank_type), cars.size.astype(np.int16), cars.consequent, cars.covered, cars.correct
    )
    return in_generation_order(cars.items, [found], order)
