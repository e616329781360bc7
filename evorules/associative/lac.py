"""LAC: the lazy associative classifier."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np
import numpy.typing as npt

from evorules.associative.cache import CountCache
from evorules.associative.lazy import LazyRules, LazySearch, Projection, Rank
from evorules.associative.stored_rows import rows_from_record, rows_to_record
from evorules.items import Items
from evorules.mining import MINING_PARAMETERS
from evorules.rules.satisfaction import shares
from trees.decisions import Decisions
from trees.discretize import Cuts, Discretizer
from trees.discretize.by_name import DiscretizerCheck, make_discretizer
from trees.estimator import TableClassifier
from trees.rule import Rule, RuleList
from trees.table import Table
from trees.validation import AnyOf, Boolean, Check, Choice, Float, Integer

__all__ = ["LACClassifier", "RuleUse", "leading_class"]

Ints = npt.NDArray[np.int32]
Longs = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]

TIE = 1e-9


@dataclass(frozen=True)
class RuleUse:
    """How many of the rules generated for some rows were of use.

    Parameters
    ----------
    generated : int
        Distinct rules generated for at least one of the rows.
    used : int
        Those that decided for at least one.
    """

    generated: int
    used: int

    @property
    def utilisation(self) -> float:
        """Share of the rules that decided for some row, in [0, 1]; 0 without rules."""
        return self.used / self.generated if self.generated else 0.0


class LACClassifier(TableClassifier):
    """Lazy associative classifier: the class association rules of each row, searched when it is asked for.

    For a row to classify only the training rows that share an item with it are looked at, and only the row's
    own items. Its rules are those with enough right rows among these; the best of them decides. So rules of
    small disjuncts are found that no search over the whole table with the same support would return.

    Parameters
    ----------
    min_support : float in (0, 1] or int, default=0.01
        Least number of right rows of a rule: an int, or a share of the projection (the training rows that
        share an item with the row to classify).
    rank : {"gain", "confidence", "laplace"}, default="gain"
        The order of the rules. "gain": least entropy of the classes covered, then confidence, right rows,
        shorter antecedent, class order; "confidence": the same without entropy; "laplace": (right + 1) /
        (covered + classes), covered rows, shorter antecedent. The last key is the order of the items.
    min_confidence : float in [0, 1], default=0.5
        Least confidence of a rule. Used by ``rank="confidence"`` alone.
    vote : {"best", "all"}, default="best"
        The best rule decides, or all do: the class with the greatest sum of confidences.
    max_len : int or None, default=None
        Most conditions of a rule.
    minimal : bool, default=False
        Leave a rule out if part of its antecedent covers rows of its class only.
    projection : {"shared", "none"}, default="shared"
        Whether a share as `min_support` is of the projection or of all training rows. With "none", and with a
        number of rows, the classifier decides as the eager one with the same options does.
    cache_size : int or None, default=0
        Antecedents whose class counts are kept from one call to the next, those used most; None is any
        number. Consulted in calls with up to 64 rows; never changes a prediction. Counting anew is the faster
        way unless there are many training rows (about 50,000).
    discretizer : {"mdlp", "lucs_kdd", "equal_frequency", "equal_width"} or Discretizer, default="mdlp"
        How numeric attributes are cut into intervals.
    max_nodes : int or None, default=10000000
        Most antecedents to look at in a call (for every 8192 rows of it); beyond that `predict` raises an
        error that names the row at which it was and what to change.
    time_budget : float or None, default=None
        Most seconds for a call, likewise.
    nominal : list of str or int, optional
        Columns to read as nominal whatever they hold.
    unknown : {"missing", "error"}, default="missing"
        What to do at prediction with a category not seen in fit.

    Attributes
    ----------
    cuts_ : Cuts
        The intervals of the numeric attributes.
    items_ : Items
        The training rows by item.
    rules_ : RuleList
        No rules, and the majority class: rules are made only for a row to classify, see `explain`.

    Notes
    -----
    Veloso, A., Meira, W. and Zaki, M. J. (2006). Lazy associative classification. ICDM 2006. Entropy is that
    of the rows covered, which is what the paper's example and its first theorem need; a row without a rule
    gets the majority of its projection, or of all rows if that is empty, which the paper leaves open. The
    paper's algorithm lists all rules; here antecedents that cannot hold the best one are passed over, and
    rows that are asked together are searched together, which changes no decision. The paper's cache holds
    10,000 rules; here it is empty by default.

    Examples
    --------
    >>> import pandas as pd
    >>> X = pd.DataFrame({"sky": ["sunny", "rain", "rain", "sunny"], "windy": [True, True, False, False]})
    >>> model = LACClassifier().fit(X, ["yes", "no", "yes", "yes"])
    >>> print(model.explain(X.head(2)))
    R1: IF sky = sunny THEN class = yes  (2/2, confidence 1.00)
    R2: IF sky = rain AND windy = True THEN class = no  (1/1, confidence 1.00)
    """

    is_lazy: ClassVar[bool] = True
    _parameters: ClassVar[Mapping[str, Check]] = {
        "min_support": MINING_PARAMETERS["min_support"],
        "rank": Choice(("gain", "confidence", "laplace")),
        "min_confidence": MINING_PARAMETERS["min_confidence"],
        "vote": Choice(("best", "all")),
        "max_len": MINING_PARAMETERS["max_len"],
        "minimal": Boolean(),
        "projection": Choice(("shared", "none")),
        "cache_size": AnyOf((Choice((None,)), Integer(0))),
        "discretizer": DiscretizerCheck(),
        "max_nodes": MINING_PARAMETERS["max_nodes"],
        "time_budget": AnyOf((Choice((None,)), Float(0.0))),
    }

    items_: Items
    cuts_: Cuts
    rules_: RuleList

    def __init__(
        self,
        *,
        min_support: float | int = 0.01,
        rank: Rank = "gain",
        min_confidence: float = 0.5,
        vote: Literal["best", "all"] = "best",
        max_len: int | None = None,
        minimal: bool = False,
        projection: Projection = "shared",
        cache_size: int | None = 0,
        discretizer: Literal["mdlp", "lucs_kdd", "equal_frequency", "equal_width"] | Discretizer = "mdlp",
        max_nodes: int | None = 10_000_000,
        time_budget: float | None = None,
        nominal: list[str | int] | None = None,
        unknown: Literal["missing", "error"] = "missing",
    ) -> None:
        self.min_support = min_support
        self.rank = rank
        self.min_confidence = min_confidence
        self.vote = vote
        self.max_len = max_len
        self.minimal = minimal
        self.projection = projection
        self.cache_size = cache_size
        self.discretizer = discretizer
        self.max_nodes = max_nodes
        self.time_budget = time_budget
        self.nominal = nominal
        self.unknown = unknown

    def explain(self, X: Any) -> RuleList:
        """Return the best rule of every row.

        Parameters
        ----------
        X : DataFrame, ndarray, list of rows or Table
            A DataFrame's columns are matched by name.

        Returns
        -------
        RuleList
            Rule i is the best for row i, with the training rows that it covers by class. A row without a rule
            gets one without conditions, for the class that is decided. With ``vote="all"`` the other rules
            may outvote the best one.
        """
        table = self._encode(X)
        found = self._search().find(self.items_.encode(table))
        rules = []
        for r, (label, counts) in enumerate(zip(self._labels(found), self._counts(found), strict=True)):
            conditions = self.items_.conditions(found.antecedent(r))
            rules.append(Rule(conditions, int(label), tuple(counts.astype(float).tolist())))
        return RuleList(tuple(rules), self.schema_)

    def use(self, X: Any) -> RuleUse:
        """Return how many rules are generated for rows, and how many of them decide.

        Parameters
        ----------
        X : DataFrame, ndarray, list of rows or Table
            A DataFrame's columns are matched by name.
        """
        found = self._search().find(self.items_.encode(self._encode(X)), exhaustive=True)
        return RuleUse(found.n_generated, found.n_distinct())

    def _fit(self, table: Table) -> None:
        self._keep(Items.of(table, make_discretizer(self.discretizer).fit(table)))

    def _keep(self, items: Items) -> None:
        self.items_, self.cuts_ = items, items.cuts
        self._cache = CountCache(self.cache_size, max(len(items.start) - 1, 1), items.n_classes)
        totals = items.class_totals[np.newaxis]
        self.rules_ = RuleList((), self.schema_, int(leading_class(totals, items.class_totals)[0]))

    def _search(self) -> LazySearch:
        # these parameters are read at prediction, and may have been set since fit
        self._check_parameters()
        return LazySearch(
            self.items_,
            self.rank,
            self.min_support,
            self.min_confidence,
            self.max_len,
            self.minimal,
            self.projection,
            max_nodes=self.max_nodes,
            time_budget=self.time_budget,
            cache=self._cache,
        )

    def _decide(self, table: Table) -> Decisions:
        votes = self.vote == "all"
        found = self._search().find(self.items_.encode(table), votes=votes)
        label = self._labels(found)
        counts: Floats = self._counts(found).astype(np.float64)
        if votes:
            decided = found.consequent >= 0
            counts[decided] = found.votes[decided]
        return Decisions(label, shares(counts, label), np.full(table.n_rows, -1, dtype=np.int32))

    def _counts(self, found: LazyRules) -> Longs:
        """Return the training rows behind the best rule of each row, without one those near it, or all."""
        near = np.where(found.projected.any(axis=1, keepdims=True), found.projected, self.items_.class_totals)
        return np.where(found.consequent[:, np.newaxis] >= 0, found.counts, near)

    def _labels(self, found: LazyRules) -> Ints:
        """Return the class decided for each row."""
        totals = self.items_.class_totals
        fallback = leading_class(self._counts(found), totals)
        if len(found.votes):
            chosen = leading_class(found.votes, totals, TIE)
        else:
            chosen = found.consequent
        return np.where(found.consequent >= 0, chosen, fallback).astype(np.int32)

    def _model_state(self) -> dict[str, Any]:
        return rows_to_record(self.items_)

    def _restore(self, state: Mapping[str, Any]) -> None:
        self._keep(rows_from_record(state, self.schema_))


def leading_class(
    counts: npt.NDArray[Any], class_totals: npt.NDArray[Any], tolerance: float = 0.0
) -> npt.NDArray[np.int32]:
    """Return the class of the greatest count per row; ties: more frequent in training, then class order.

    Parameters
    ----------
    counts : ndarray of shape (n_rows, n_classes)
        Any numbers of at least 0.
    class_totals : ndarray of shape (n_classes,)
        Training rows of each class.
    tolerance : float
        Counts this close to the greatest count as equal, where rounding may tell equals apart.
    """
    tied = counts >= counts.max(axis=1, keepdims=True) - tolerance
    return np.argmax(np.where(tied, class_totals, -1), axis=1).astype(np.int32)
