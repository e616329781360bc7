"""C4.5rules: an ordered rule list from a C4.5 tree."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Literal

import numpy as np
import numpy.typing as npt

from trees.c45 import C45Classifier
from trees.decisions import Decisions
from trees.errors import DataError
from trees.estimator import TableClassifier
from trees.growth.cells import working_cells
from trees.growth.tree import Tree
from trees.match import first_match
from trees.pruning.samples import hold_out
from trees.rule import RuleList
from trees.rulegen.choose import Search
from trees.rulegen.derive import ClassOrder, Derivation, RuleOptions, derive_rules
from trees.rulegen.draws import glibc_draws, seeded_draws
from trees.seeding import generator, root_seed
from trees.table import Table
from trees.validation import AnyOf, Boolean, Check, Choice, Float, RandomState

__all__ = ["C45RulesClassifier"]


class C45RulesClassifier(TableClassifier):
    """Ordered rules from an unpruned C4.5 tree: generalised, chosen by description length, put in order.

    Parameters
    ----------
    criterion : {"gain_ratio", "gain"}, default="gain_ratio"
        Worth of a test in the tree (original option ``-g`` of c4.5 for "gain").
    min_cases : float, default=2
        Least weight in at least two branches of a test (``-m`` of c4.5).
    group_values : bool, default=False
        Group the values of nominal attributes (``-s`` of c4.5).
    confidence : float in (0, 1], default=0.25
        Confidence level of the pessimistic error estimates (``-c`` of c4.5rules, there in percent).
    fisher : float in (0, 1], optional
        Also drop a condition if the rules with and without it differ by chance with a probability above this
        (``-F``, there in percent).
    redundancy : float, default=1.0
        How much attributes repeat each other; more makes conditions cheaper (``-r``).
    selection : {"auto", "exhaustive", "greedy", "anneal"}, default="auto"
        How the rules of a class are chosen: compare all subsets, or climb from eleven random ones. "auto"
        does the former for up to ten rules; so does "anneal", which anneals where there are more (``-a``).
    class_order : {"false_positives", "description_length"}, default="false_positives"
        The class comes first whose rules make the fewest errors on other classes, or need the fewest bits.
    conjunct_pruning : {"pessimistic", "holdout"}, default="pessimistic"
        Judge conditions by error estimates on the training rows, or by accuracy on rows held out. The latter
        grows the tree without these rows, and counts false positives on them.
    holdout_share : float in (0, 1), default=0.2
        Share of the rows of each class to hold out. If that leaves no row on one side, all are on both.
    mode : {"standard", "r8"}, default="standard"
        "r8" repeats the original: its single precision, its known defects, its random numbers, and that
        rules with an estimated error above 0.7 never fire.
    random_state : None, int, RandomState or Generator, default=None
        Of the rows held out and, except in mode "r8", of the searches among more than ten rules.
    nominal : list of str or int, optional
        Columns to read as nominal whatever they hold.
    unknown : {"missing", "error"}, default="missing"
        What to do at prediction with a category not seen in fit.

    Attributes
    ----------
    rules_ : RuleList
        The rules in order, with the default class. Their counts are those of all training rows;
        ``scores["estimated_error"]`` is the error rate that they were ordered by.

    Notes
    -----
    Quinlan, J. R. (1993). C4.5: Programs for Machine Learning. Morgan Kaufmann, chapter 5; (1995). MDL and
    categorical theories (continued). ICML. Hold-out pruning and the order by description length: Aggarwal,
    C. C. (2015). Data Mining: The Textbook, section 10.4.1.

    The score of a class is its Laplace-corrected share in the rows that the deciding rule covers; where that
    does not let the rule's own class lead, it is averaged with certainty. In mode "r8" rows are cases: a
    weight must be a whole number and counts as that many cases.

    Examples
    --------
    >>> import pandas as pd
    >>> weather = pd.DataFrame(
    ...     {
    ...         "outlook": ["sunny", "sunny", "overcast", "rain", "rain", "overcast"] * 2,
    ...         "windy": [False, True, False, False, True, True] * 2,
    ...     }
    ... )
    >>> play = ["no", "no", "yes", "yes", "no", "yes"] * 2
    >>> model = C45RulesClassifier(random_state=0).fit(weather, play)
    >>> print(model.rules_)
    R1: IF outlook = sunny THEN class = no  (4/4, confidence 1.00)
    R2: IF outlook = overcast THEN class = yes  (4/4, confidence 1.00)
    otherwise class = no
    """

    _parameters: ClassVar[Mapping[str, Check]] = {
        "criterion": Choice(("gain_ratio", "gain")),
        "min_cases": Float(0.0),
        "group_values": Boolean(),
        "confidence": Float(0.0, 1.0, "right"),
        "fisher": AnyOf((Choice((None,)), Float(0.0, 1.0, "right"))),
        "redundancy": Float(0.0),
        "selection": Choice(("auto", "exhaustive", "greedy", "anneal")),
        "class_order": Choice(("false_positives", "description_length")),
        "conjunct_pruning": Choice(("pessimistic", "holdout")),
        "holdout_share": Float(0.0, 1.0),
        "mode": Choice(("standard", "r8")),
        "random_state": RandomState(),
    }

    rules_: RuleList
    _default_counts: npt.NDArray[np.float64]

    def __init__(
        self,
        *,
        criterion: Literal["gain_ratio", "gain"] = "gain_ratio",
        min_cases: float = 2,
        group_values: bool = False,
        confidence: float = 0.25,
        fisher: float | None = None,
        redundancy: float = 1.0,
        selection: Search = "auto",
        class_order: ClassOrder = "false_positives",
        conjunct_pruning: Literal["pessimistic", "holdout"] = "pessimistic",
        holdout_share: float = 0.2,
        mode: Literal["standard", "r8"] = "standard",
        random_state: Any = None,
        nominal: list[str | int] | None = None,
        unknown: Literal["missing", "error"] = "missing",
    ) -> None:
        self.criterion = criterion
        self.min_cases = min_cases
        self.group_values = group_values
        self.confidence = confidence
        self.fisher = fisher
        self.redundancy = redundancy
        self.selection = selection
        self.class_order = class_order
        self.conjunct_pruning = conjunct_pruning
        self.holdout_share = holdout_share
        self.mode = mode
        self.random_state = random_state
        self.nominal = nominal
        self.unknown = unknown

    def derive(self, table: Table) -> Derivation:
        """Return what every step from tree to rule list came to, without becoming fitted.

        Parameters
        ----------
        table : Table
            Training rows with classes.

        Raises
        ------
        DataError
            For weights that are no whole numbers in mode "r8"; for a class with more than 20 rules if
            selection is "exhaustive".
        """
        self._check_parameters()
        root = root_seed(self.random_state)
        rest, judges = table, None
        if self.conjunct_pruning == "holdout":
            parts = hold_out(table, self.holdout_share, generator(root, "c45rules", "hold out"))
            rest, judges = parts or (table, table)
        if self.mode == "r8":
            table, rest = _with_repeated_rows(table), _with_repeated_rows(rest)
            draws = glibc_draws()
        else:
            draws = seeded_draws(root)
        options = RuleOptions(
            self.confidence,
            self.fisher,
            self.redundancy,
            self.selection,
            self.class_order,
            self.mode == "r8",
        )
        return derive_rules(self._grow(rest), table, options, draws, holdout=judges)

    def _grow(self, table: Table) -> Tree:
        grower = C45Classifier(
            criterion=self.criterion,
            min_cases=self.min_cases,
            group_values=self.group_values,
            prune=False,
            mode=self.mode,
        )
        return grower.build_tree(table)

    def _fit(self, table: Table) -> None:
        derivation = self.derive(table)
        self.rules_ = derivation.rule_list(table, only_firing=self.mode == "r8")
        self._default_counts = derivation.decided_by_default

    def _decide(self, table: Table) -> Decisions:
        rule = self._first_rule(table)
        counts = np.array([*(r.counts for r in self.rules_), self._default_counts])
        said = np.append([r.consequent for r in self.rules_], self._default()).astype(np.int32)
        return Decisions(said[rule], self._scores(counts, said)[rule], rule)

    def _predict_codes(self, table: Table) -> npt.NDArray[np.int32]:
        said = np.append([r.consequent for r in self.rules_], self._default()).astype(np.int32)
        return said[self._first_rule(table)]

    def _default(self) -> int:
        assert self.rules_.default is not None, "C4.5rules always has a default class"
        return self.rules_.default

    def _first_rule(self, table: Table) -> npt.NDArray[np.int32]:
        """Return the position of the deciding rule of every row, -1 for the default."""
        cells = table.X
        if self.mode == "r8":
            cells = working_cells(cells, ~self.schema_.is_nominal, np.float32).astype(np.float64)
        return first_match(self.rules_.rules, self.schema_, cells)

    def _scores(
        self, counts: npt.NDArray[np.float64], said: npt.NDArray[np.int32]
    ) -> npt.NDArray[np.float64]:
        """Return the scores of every class by deciding rule, the default last."""
        observed = np.zeros(counts.shape[1])
        observed[self._class_codes] = 1
        smooth = counts + observed
        scores: npt.NDArray[np.float64] = smooth / smooth.sum(axis=1, keepdims=True)
        rows = np.arange(len(scores))
        own = scores[rows, said]
        scores[rows, said] = -1
        behind = rows[own <= scores.max(axis=1)]
        scores[rows, said] = own
        scores[behind] /= 2
        scores[behind, said[behind]] += 0.5
        return scores

    def _model_state(self) -> dict[str, Any]:
        return {"rules": self.rules_.to_dict(), "default_counts": self._default_counts.tolist()}

    def _restore(self, state: Mapping[str, Any]) -> None:
        self.rules_ = RuleList.from_dict(state["rules"], self.schema_)
        self._default_counts = np.array(state["default_counts"], dtype=np.float64)


def _with_repeated_rows(table: Table) -> Table:
    """Return the table with each row as often as its weight says, since the original knows no weights."""
    if table.has_unit_weights:
        return table
    times = table.weight.astype(np.int64)
    if not np.array_equal(times, table.weight):
        raise DataError(
            "Mode 'r8' takes whole numbers as sample_weight only. Use mode='standard' for others."
        )
    return table.take(np.repeat(np.arange(table.n_rows), times)).with_weight(np.ones(int(times.sum())))
