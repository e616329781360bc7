"""How far a search may go, and what is said when it would go further."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import Literal

from trees.errors import MiningLimitError

__all__ = ["Limits", "Overrun"]

Kind = Literal["max_rules", "max_nodes", "time_budget"]


class Overrun(Exception):  # noqa: N818 - it ends a search and never reaches the caller of a miner
    """A search came upon a limit."""

    def __init__(self, kind: Kind, limit: float, reached: float, level: int) -> None:
        super().__init__(kind, limit, reached, level)
        self.kind, self.limit, self.reached, self.level = kind, limit, reached, level

    def error(self, estimate: str) -> MiningLimitError:
        """Return the error for people; `estimate` is a sentence on how many rules there are."""
        what = {
            "max_rules": f"max_rules={self.limit:.0f} rules were found",
            "max_nodes": f"max_nodes={self.limit:.0f} antecedents were counted",
            "time_budget": f"time_budget={self.limit:g} seconds were over",
        }[self.kind]
        reached = f"{self.reached:.1f} s" if self.kind == "time_budget" else f"{self.reached:.0f}"
        at = f" while it was at antecedents of {self.level} condition(s)" if self.level > 0 else ""
        return MiningLimitError(
            f"The search for rules was stopped: {what} (reached {reached}){at}. {estimate} "
            f"Raise min_support or min_confidence, lower max_len, raise {self.kind}, or pass "
            "on_limit='stop' to get the rules of those lengths that can be searched in full.",
            self.kind,
            self.limit,
            self.reached,
            self.level,
        )


@dataclass
class Limits:
    """Counts what a search has done and raises `Overrun` when it is too much.

    Parameters
    ----------
    max_rules, max_nodes : int or None
        Most rules, and most antecedents counted; None is any number.
    seconds : float or None
        From the moment this object is made; None is any time.
    budget : float or None
        The `time_budget` that the message names.
    """

    max_rules: int | None = None
    max_nodes: int | None = None
    seconds: float | None = None
    budget: float | None = None
    started: float = field(default_factory=time.monotonic)
    n_rules: int = 0
    n_nodes: int = 0

    def check(self, level: int, n_rules: int, n_nodes: int) -> None:
        """Raise `Overrun` if so many rules or nodes in all, or the time by now, are beyond a limit."""
        self.n_rules, self.n_nodes = n_rules, n_nodes
        if self.max_rules is not None and n_rules > self.max_rules:
            raise Overrun("max_rules", self.max_rules, n_rules, level)
        if self.max_nodes is not None and n_nodes > self.max_nodes:
            raise Overrun("max_nodes", self.max_nodes, n_nodes, level)
        if self.seconds is not None:
            passed = time.monotonic() - self.started
            if passed > self.seconds:
                raise Overrun("time_budget", self.budget or self.seconds, passed, level)
