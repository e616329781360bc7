"""Class association rules as arrays."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from evorules.items.items import Items
from trees.counts import Counts
from trees.measures import MEASURES
from trees.rule import Rule

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["CarCounts", "CarSet", "count_classes"]

Ints = npt.NDArray[np.int32]
Scores = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class CarSet:
    """Class association rules: antecedents of items, a class each, and what they cover.

    Rules of a miner stand in generation order: shorter antecedents first, then by the items, then by class.

    Parameters
    ----------
    items : Items
        That the antecedents are made of.
    start : ndarray of shape (n_rules + 1,), int64
        Rule r has the items ``item[start[r]:start[r + 1]]``.
    item : ndarray of shape (start[-1],), int32
        Items of the antecedents, ascending in each.
    consequent : ndarray of shape (n_rules,), int32
        Class codes.
    covered : ndarray of shape (n_rules,), int32
        Rows that hold the antecedent.
    correct : ndarray of shape (n_rules,), int32
        Rows among them that are of the rule's class.
    truncated : bool
        Whether a limit cut the search short, so that rules are missing.
    """

    items: Items
    start: npt.NDArray[np.int64]
    item: Ints
    consequent: Ints
    covered: Ints
    correct: Ints
    truncated: bool = False

    def __len__(self) -> int:
        return len(self.consequent)

    def __repr__(self) -> str:
        cut = ", cut short by a limit" if self.truncated else ""
        return f"<CarSet: {len(self)} rules over {self.items.n_items} items{cut}; to_frame() shows them>"

    @classmethod
    def of_rules(
        cls, items: Items, rules: Iterable[tuple[Sequence[int], int]], *, truncated: bool = False
    ) -> CarSet:
        """Return rules given as antecedent and class code, counted in the table, in the order given."""
        listed = [(sorted(antecedent), consequent) for antecedent, consequent in rules]
        start = np.cumsum([0, *(len(antecedent) for antecedent, _ in listed)], dtype=np.int64)
        item = np.array([i for antecedent, _ in listed for i in antecedent], dtype=np.int32)
        consequent = np.array([c for _, c in listed], dtype=np.int32)
        nothing = np.zeros(len(listed), dtype=np.int32)
        uncounted = cls(items, start, item, consequent, nothing, nothing, truncated)
        counts = uncounted.counts.class_counts
        right = counts[np.arange(len(listed)), consequent]
        return replace(uncounted, covered=counts.sum(axis=1).astype(np.int32), correct=right.astype(np.int32))

    def cut_short(self) -> CarSet:
        """Return the same rules, marked as not all that there are."""
        return replace(self, truncated=True)

    @cached_property
    def size(self) -> Ints:
        """Number of items in each antecedent; ndarray of shape (n_rules,), int32."""
        return np.diff(self.start).astype(np.int32)

    def antecedent(self, rule: int) -> Ints:
        """Return the items of one rule."""
        return self.item[self.start[rule] : self.start[rule + 1]]

    def take(self, index: npt.ArrayLike) -> CarSet:
        """Return some of the rules (positions or a mask), in the order given."""
        picked = np.asarray(index)
        picked = np.flatnonzero(picked) if picked.dtype == np.bool_ else picked.astype(np.int64)
        sizes = self.size[picked]
        start = np.zeros(len(picked) + 1, dtype=np.int64)
        np.cumsum(sizes, out=start[1:])
        places = np.arange(start[-1]) + np.repeat(self.start[picked] - start[:-1], sizes)
        return replace(
            self,
            start=start,
            item=self.item[places],
            consequent=self.consequent[picked],
            covered=self.covered[picked],
            correct=self.correct[picked],
        )

    @cached_property
    def counts(self) -> CarCounts:
        """What the rules cover, for the functions of `trees.measures`."""
        return CarCounts(self)

    def rules(
        self, index: npt.ArrayLike | None = None, scores: Mapping[str, npt.ArrayLike] | None = None
    ) -> tuple[Rule, ...]:
        """Return rules as objects.

        Parameters
        ----------
        index : array-like, optional
            Positions or a mask; None is all.
        scores : mapping of str to array-like of shape (n_returned,), optional
            Further figures of the rules returned.
        """
        chosen = self if index is None else self.take(index)
        columns = {name: np.asarray(values).tolist() for name, values in (scores or {}).items()}
        class_counts = chosen.counts.class_counts.tolist()
        found = []
        for r, consequent in enumerate(chosen.consequent.tolist()):
            conditions = self.items.conditions(chosen.antecedent(r))
            figures = {name: float(values[r]) for name, values in columns.items()}
            found.append(Rule(conditions, consequent, tuple(map(float, class_counts[r])), scores=figures))
        return tuple(found)

    def to_frame(self) -> pd.DataFrame:
        """Return one row per rule: antecedent, class, counts and measures.

        ``support`` is the share of rows that hold antecedent and class, ``coverage`` that of the antecedent.
        """
        import pandas as pd

        texts = [self.items.describe(item) for item in range(self.items.n_items)]
        classes = self.items.cuts.schema.classes
        columns: dict[str, Any] = {
            "rule": [" AND ".join(texts[i] for i in self.antecedent(r)) for r in range(len(self))],
            "class": [classes[code] for code in self.consequent.tolist()],
            "n_conditions": self.size,
            "covered": self.covered,
            "correct": self.correct,
        }
        for name in _shown():
            columns[name] = MEASURES[name](self.counts)
        return pd.DataFrame(columns, index=pd.Index([f"R{r + 1}" for r in range(len(self))], name="id"))


SHOWN = (
    "support",
    "coverage",
    "confidence",
    "lift",
    "leverage",
    "conviction",
    "chi_square",
    "information_gain",
)
"""Measures in `CarSet.to_frame`."""


def _shown() -> Sequence[str]:
    return [name for name in SHOWN if name in MEASURES]


class CarCounts(Counts):
    """`Counts` of a `CarSet`: what its arrays hold is not counted again, the rest on first access."""

    def __init__(self, cars: CarSet) -> None:
        fields: dict[str, Any] = {"class_totals": cars.items.class_totals, "consequent": cars.consequent}
        fields |= {"covered": cars.covered, "correct": cars.correct, "_cars": cars}
        for name, value in fields.items():
            object.__setattr__(self, name, value)

    @cached_property
    def class_counts(self) -> npt.NDArray[np.int64]:
        """Covered rows of each class; ndarray of shape (n_rules, n_classes), int64."""
        cars: CarSet = self._cars  # type: ignore[attr-defined]
        return count_classes(cars.items, cars.start, cars.item)


def count_classes(
    items: Items, start: npt.NDArray[np.int64], item: npt.NDArray[np.int32]
) -> npt.NDArray[np.int64]:
    """Count the rows of each class that hold sets of items.

    Parameters
    ----------
    items : Items
        Of the table.
    start : ndarray of shape (n_sets + 1,), int64
        Set r has the items ``item[start[r]:start[r + 1]]``.
    item : ndarray of shape (start[-1],), int32
        Sets that begin alike should stand together: the rows of the common beginning are found once.

    Returns
    -------
    ndarray of shape (n_sets, n_classes), int64
    """
    from evorules.items._kernels_items import count_antecedents

    longest = int(np.diff(start).max(initial=1))
    parts = np.empty((longest, items.n_words), dtype=np.uint64)
    counts = np.empty((len(start) - 1, items.n_classes), dtype=np.int64)
    count_antecedents(items.bits, items.class_start, items.class_totals, start, item, parts, counts)
    return counts
