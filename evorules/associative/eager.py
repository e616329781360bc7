"""The template of eager associative classifiers: cut, mine, rank, prune, and let the rules left decide."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt
from sklearn.utils.validation import check_is_fitted

from evorules.associative.eager_state import check_same_schema, checked_state
from evorules.associative.explain import explanations
from evorules.associative.lac import RuleUse
from evorules.associative.parts import SHARED_PARAMETERS, Parts
from evorules.items import Items
from evorules.mining import warn_of_classes_without_rules
from evorules.rules.ruleset import RuleSet
from evorules.rules.training import TrainingRules
from evorules.rules.unmatched import Unmatched, class_preference
from trees.decisions import Decisions
from trees.estimator import TableClassifier
from trees.rule import RuleList
from trees.seeding import generator, root_seed
from trees.table import Table
from trees.validation import Check

__all__ = ["EagerClassifier"]


class EagerClassifier(TableClassifier, ABC):
    """Base of the classifiers that choose their rules once, in fit; a subclass says of which parts it is.

    Attributes
    ----------
    rules_ : RuleList
        The rules in the order in which they are tried. Another list over the same schema may be assigned.
    n_rules_mined_ : int
        Rules that the miner found, before pruning.
    truncated_ : bool
        Whether a limit cut the search short.
    """

    _parameters: ClassVar[Mapping[str, Check]] = SHARED_PARAMETERS

    n_rules_mined_: int
    truncated_: bool
    _rule_set: RuleSet
    _unmatched: Unmatched
    _preference: npt.NDArray[np.int64]

    @abstractmethod
    def _parts(self, root: int) -> Parts:
        """Return the parts; `root` is the seed of all randomness in this fit."""

    @property
    def rules_(self) -> RuleList:
        """The rules in order, made into objects when asked for."""
        if not hasattr(self, "_rule_set"):
            raise AttributeError(f"This {type(self).__name__} is not fitted yet: there are no rules.")
        if self._rule_list is None:
            label = self._unmatched.label
            self._rule_list: RuleList | None = RuleList(
                self._rule_set.rules(),
                self.schema_,
                None if label < 0 else label,
                "first" if self._satisfaction.first_decides else "vote",
            )
        return self._rule_list

    @rules_.setter
    def rules_(self, rules: RuleList) -> None:
        check_is_fitted(self, "_class_totals")
        check_same_schema(rules.schema, self.schema_)
        self._rule_set = RuleSet.of_rules(rules, self._class_totals)
        default = -1 if rules.default is None else rules.default
        if default != self._unmatched.label:
            self._unmatched = Unmatched(default, self._class_totals)
        self._rule_list = rules

    def _fit(self, table: Table) -> None:
        root = root_seed(getattr(self, "random_state", 0))
        parts = self._parts(root)
        items = Items.of(table, parts.discretizer.fit(table))
        mined = parts.miner.mine(items)
        warn_of_classes_without_rules(mined, stacklevel=3)
        ranked = TrainingRules.of_cars(mined)
        order = parts.ordering(ranked)
        chosen = parts.pruner(ranked.take(order))
        self._class_totals = items.class_totals
        self._rule_set = RuleSet.of_cars(mined.take(order[chosen.kept]))
        self._rule_list = None
        self._unmatched = Unmatched.of(
            parts.unmatched, items.class_totals, chosen.default, chosen.default_counts
        )
        rng = generator(root, "associative", "ties")
        self._preference = class_preference(items.class_totals, parts.tie, rng)
        self._coverage, self._satisfaction = parts.coverage, parts.satisfaction
        self.n_rules_mined_, self.truncated_ = len(mined), mined.truncated

    def decide(self, X: Any) -> Decisions:
        """Return for every row the class code, its scores and the rule that decided.

        Parameters
        ----------
        X : DataFrame, ndarray, list of rows or Table
            A DataFrame's columns are matched by name.

        Returns
        -------
        Decisions
            Scores have a column per declared class, in class order (`schema_.classes`). With
            ``fallback="abstain"`` the code is -1 where no rule covers the row; `predict` gives such rows
            the class most frequent in training.
        """
        return self._judge(self._encode(X))

    def explain(self, X: Any) -> list[str]:
        """Tell for every row which rule decided, and which others cover it.

        Parameters
        ----------
        X : DataFrame, ndarray, list of rows or Table
            A DataFrame's columns are matched by name.

        Returns
        -------
        list of str
            "R2 says yes (4 of 4): IF outlook = overcast; also R7 no (2 of 3)": rule 2 of `rules_` decides,
            4 of the 4 training rows that it covers are of that class, and rule 7 covers the row too.
        """
        table = self._encode(X)
        return explanations(
            self.rules_, self._rule_set, table, self._judge(table), self._coverage, self._satisfaction
        )

    def use(self, X: Any) -> RuleUse:
        """Return how many rules were mined, and how many of them decide for at least one row.

        Parameters
        ----------
        X : DataFrame, ndarray, list of rows or Table
            A DataFrame's columns are matched by name.
        """
        decided = self._judge(self._encode(X)).rule
        return RuleUse(self.n_rules_mined_, len(np.unique(decided[decided >= 0])))

    def _judge(self, table: Table) -> Decisions:
        return self._satisfaction.decide(
            self._rule_set,
            table.X,
            self._coverage,
            self._unmatched,
            self._preference,
            getattr(self, "n_jobs", None),
        )

    def _decide(self, table: Table) -> Decisions:
        decided = self._judge(table)
        label = np.where(decided.abstained, class_preference(self._class_totals)[0], decided.label)
        return Decisions(label.astype(np.int32), decided.scores, decided.rule)

    def _model_state(self) -> dict[str, Any]:
        return {
            "rules": self.rules_.to_dict(),
            "class_totals": self._class_totals.tolist(),
            "unmatched": {"label": self._unmatched.label, "counts": self._unmatched.counts.tolist()},
            "preference": self._preference.tolist(),
            "n_rules_mined": self.n_rules_mined_,
            "truncated": self.truncated_,
        }

    def _restore(self, state: Mapping[str, Any]) -> None:
        parts = self._parts(0)
        self._coverage, self._satisfaction = parts.coverage, parts.satisfaction
        said = checked_state(state, self.schema_.n_classes)
        self._class_totals, self._unmatched, self._preference = said
        self.n_rules_mined_ = int(state["n_rules_mined"])
        self.truncated_ = bool(state["truncated"])
        self.rules_ = RuleList.from_dict(state["rules"], self.schema_)
