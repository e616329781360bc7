"""What all miners share: parameters, their checks, and how a search ends at a limit."""

from __future__ import annotations

import sys
import time
import warnings
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar, Literal, Protocol

from evorules.items import CarSet, Items
from evorules.mining.limits import Limits, Overrun
from evorules.mining.thresholds import Thresholds
from trees.errors import DataWarning, ParameterError
from trees.validation import AnyOf, Boolean, Check, Choice, Float, Integer, check_parameters

__all__ = ["MINING_PARAMETERS", "BaseMiner", "Miner"]

_NONE = Choice((None,))

MINING_PARAMETERS: dict[str, Check] = {
    "min_support": AnyOf((Float(0, 1, "right"), Integer(1))),
    "min_confidence": Float(0, 1, "both"),
    "strict_confidence": Boolean(),
    "support_on": Choice(("rule", "antecedent")),
    "class_support": Choice(("global", "balanced")),
    "max_len": AnyOf((Integer(1), _NONE)),
    "max_rules": AnyOf((Integer(1), _NONE)),
    "max_nodes": AnyOf((Integer(1), _NONE)),
    "time_budget": AnyOf((Float(0), _NONE)),
    "on_limit": Choice(("error", "stop")),
    "verbose": Boolean(),
}
"""What the parameters of every miner may be."""


class Miner(Protocol):
    """Finds class association rules."""

    def mine(self, items: Items) -> CarSet:
        """Return the rules in generation order."""


@dataclass(frozen=True)
class BaseMiner(ABC):
    """The parameters of every miner.

    Parameters
    ----------
    min_support : float in (0, 1] or int of at least 1, default=0.01
        Least share of the rows (float) or number of rows (int).
    min_confidence : float in [0, 1], default=0.5
        Least share of the covered rows that are of the rule's class.
    strict_confidence : bool, default=False
        The confidence must be greater than `min_confidence`.
    support_on : {"rule", "antecedent"}, default="rule"
        What `min_support` counts: rows that hold antecedent and class, or all that hold the antecedent.
    class_support : {"global", "balanced"}, default="global"
        "balanced": a float `min_support` is a share of the rows of the rule's own class (Liu, Ma and Wong
        2000), so that rare classes get rules too.
    max_len : int or None, default=None
        Most conditions of an antecedent; None is any number.
    max_rules : int or None, default=1_000_000
        Most rules; None is any number.
    max_nodes : int or None, default=10_000_000
        Most antecedents that may be counted; None is any number.
    time_budget : float or None, default=None
        Most seconds; None is any time.
    on_limit : {"error", "stop"}, default="error"
        What a search does that comes upon one of the last three: raise `MiningLimitError`; or return all
        rules of at most so many conditions as can be searched in full, with a warning and
        ``truncated=True``.
    verbose : bool, default=False
        Print before the search how many rules there are about.
    """

    min_support: float | int = 0.01
    min_confidence: float = 0.5
    strict_confidence: bool = False
    support_on: Literal["rule", "antecedent"] = "rule"
    class_support: Literal["global", "balanced"] = "global"
    max_len: int | None = None
    max_rules: int | None = 1_000_000
    max_nodes: int | None = 10_000_000
    time_budget: float | None = None
    on_limit: Literal["error", "stop"] = "error"
    verbose: bool = False

    _more: ClassVar[dict[str, Check]] = {}
    """What the further parameters of a subclass may be."""
    _of_which: ClassVar[str] = "in all."
    """What follows the estimated number of rules, for miners that find some only."""

    def __post_init__(self) -> None:
        values = {name: getattr(self, name) for name in self.__dataclass_fields__}
        check_parameters(type(self).__name__, {**MINING_PARAMETERS, **self._more}, values)
        if self.support_on == "antecedent" and self.class_support == "balanced":
            raise ParameterError(
                "class_support='balanced' counts rows of the rule's class, support_on='antecedent' those of "
                "every class: choose one of them."
            )

    def thresholds(self, items: Items) -> Thresholds:
        """Return minimum support and confidence as numbers of rows of a table."""
        return Thresholds.of(
            items,
            self.min_support,
            self.min_confidence,
            strict_confidence=self.strict_confidence,
            support_on=self.support_on,
            class_support=self.class_support,
        )

    def mine(self, items: Items) -> CarSet:
        """Return the rules of a table in generation order.

        Raises
        ------
        MiningLimitError
            If a limit is reached and `on_limit` is "error".
        """
        thresholds = self.thresholds(items)
        longest = items.cuts.schema.n_attributes if self.max_len is None else self.max_len
        if self.verbose:
            sys.stderr.write(f"{_about(items, thresholds, longest)} {self._of_which}\n")
        if self.on_limit == "stop":
            return self._search_as_far_as_possible(items, thresholds, longest)
        try:
            return self._search(items, thresholds, longest, self._limits(1.0))
        except Overrun as overrun:
            met = overrun
        raise met.error(f"{_about(items, thresholds, longest)} {self._of_which}") from None

    def _limits(self, share: float, started: float | None = None) -> Limits:
        seconds = None if self.time_budget is None else share * self.time_budget
        begun = time.monotonic() if started is None else started
        return Limits(self.max_rules, self.max_nodes, seconds, self.time_budget, begun)

    def _search_as_far_as_possible(self, items: Items, thresholds: Thresholds, longest: int) -> CarSet:
        """Return all rules, or those of the greatest length for which the search ends within the limits.

        The full search may use half of the time; what is left is for searches of shorter antecedents.
        """
        started = time.monotonic()
        try:
            return self._search(items, thresholds, longest, self._limits(0.5, started))
        except Overrun as overrun:
            met = overrun
        found = CarSet.of_rules(items, [], truncated=True)
        for length in range(1, longest):
            try:
                found = self._search(items, thresholds, length, self._limits(1.0, started))
            except Overrun:
                break
        return self._cut_short(found, met)

    def _cut_short(self, found: CarSet, met: Overrun) -> CarSet:
        if len(found):
            length = int(found.size.max())
            what = f"only the {len(found)} rules of at most {length} condition(s) are returned"
            gain = "longer ones"
        else:
            what, gain = "no rule is returned, for even those of one condition go beyond it", "some"
        warnings.warn(
            f"The search for rules came upon {met.kind}={met.limit:g}: {what}. "
            f"Raise min_support or {met.kind} to get {gain}.",
            DataWarning,
            stacklevel=4,
        )
        return found.cut_short()

    @abstractmethod
    def _search(self, items: Items, thresholds: Thresholds, max_len: int, limits: Limits) -> CarSet:
        """Return all rules of at most `max_len` conditions, or raise `Overrun`."""


def _about(items: Items, thresholds: Thresholds, longest: int) -> str:
    from evorules.mining.estimate import estimate_rules

    return f"There are about {estimate_rules(items, thresholds, longest).sum():.2g} rules"
