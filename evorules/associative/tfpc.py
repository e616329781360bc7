"""TFPC, total from partial classification: the most general rules, mined directly and used as they are."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import ClassVar, Literal

from sklearn.utils import Tags

from evorules.associative.eager import EagerClassifier
from evorules.associative.parts import SHARED_PARAMETERS, Parts, mining_parameters
from evorules.mining import TFPCMiner
from evorules.rules.ordering import Ordering, acs, by_laplace, by_wracc, csa
from evorules.rules.satisfaction import BestK, BestRule
from evorules.rules.unmatched import Fallback
from trees.discretize import Discretizer
from trees.discretize.by_name import make_discretizer
from trees.validation import Boolean, Check, Choice, Integer

__all__ = ["RANKS", "TFPCClassifier"]

RANKS: dict[str, Ordering] = {
    "ACS": partial(acs, size="desc"),
    "ACS-asc": partial(acs, size="asc"),
    "CSA": csa,
    "LAP": by_laplace,
    "WRA": by_wracc,
}
"""Orders of TFPC by name."""


class TFPCClassifier(EagerClassifier):
    """TFPC: no condition is added to an antecedent that already makes a rule; no pass over the rows follows.

    Parameters
    ----------
    min_support : float in (0, 1] or int of at least 1, default=0.01
        Least share (or number) of the rows that a rule covers rightly.
    min_confidence : float in [0, 1], default=0.5
        Least share of the covered rows that are of the rule's class.
    ordering : {"CSA", "ACS", "ACS-asc", "WRA", "LAP"}, default="CSA"
        Rank by confidence, support, shorter antecedent; by longer antecedent, confidence, support ("ACS-asc":
        shorter); by weighted relative accuracy; by Laplace accuracy.
    vote : {"best", "best_k"}, default="best"
        The first rule that covers a row decides, or the mean confidence of the first K of each class.
    k : int, default=5
        For "best_k".
    block_all_classes : bool, default=False
        An antecedent that makes a rule for one class is extended for no class.
    class_support : {"global", "balanced"}, default="global"
        "balanced": `min_support` is a share of the rows of the rule's class.
    fallback : {"default", "majority", "abstain"}, default="default"
        For rows that no rule covers: the most frequent class (the first two), or none.
    max_len : int or None, default=None
        Most conditions of a rule.
    max_rules : int or None, default=1_000_000
        Most rules mined.
    time_budget : float or None, default=None
        Most seconds of mining.
    on_limit : {"stop", "error"}, default="stop"
        What happens at one of these limits: shorter rules with a warning, or an error.
    discretizer : str or Discretizer, default="mdlp"
        How numeric attributes are cut: "mdlp", "equal_width", "equal_frequency", "lucs_kdd", or an object.
    n_jobs : int or None, default=None
        Threads in prediction.
    verbose : bool, default=False
        Print before the search how many rules there are about.
    nominal : list of str or int, optional
        Columns to read as nominal whatever they hold.
    unknown : {"missing", "error"}, default="missing"
        What to do at prediction with a category not seen in fit.

    Attributes
    ----------
    rules_ : RuleList
        The rules in order.
    n_rules_mined_ : int
        Rules mined.
    truncated_ : bool
        Whether a limit cut the search short.

    Notes
    -----
    Coenen, F., Leng, P. and Zhang, L. (2005). Threshold tuning for improved classification association rule
    mining. PAKDD, 216-225. The paper climbs over both thresholds by training accuracy; here
    `sklearn.model_selection.GridSearchCV` finds them by cross-validation.

    Examples
    --------
    >>> import pandas as pd
    >>> weather = pd.DataFrame({"outlook": list("ssooor"), "windy": list("nynyyn")})
    >>> print(TFPCClassifier().fit(weather, ["no", "no", "yes", "yes", "yes", "yes"]).rules_)
    R1: IF outlook = o THEN class = yes  (3/3, confidence 1.00)
    R2: IF outlook = s THEN class = no  (2/2, confidence 1.00)
    R3: IF outlook = r THEN class = yes  (1/1, confidence 1.00)
    R4: IF windy = n THEN class = yes  (2/3, confidence 0.67)
    R5: IF windy = y THEN class = yes  (2/3, confidence 0.67)
    otherwise class = yes
    """

    _parameters: ClassVar[Mapping[str, Check]] = {
        **SHARED_PARAMETERS,
        "ordering": Choice(tuple(RANKS)),
        "vote": Choice(("best", "best_k")),
        "k": Integer(1),
        "block_all_classes": Boolean(),
    }

    def __init__(
        self,
        *,
        min_support: float | int = 0.01,
        min_confidence: float = 0.5,
        ordering: Literal["CSA", "ACS", "ACS-asc", "WRA", "LAP"] = "CSA",
        vote: Literal["best", "best_k"] = "best",
        k: int = 5,
        block_all_classes: bool = False,
        class_support: Literal["global", "balanced"] = "global",
        fallback: Fallback = "default",
        max_len: int | None = None,
        max_rules: int | None = 1_000_000,
        time_budget: float | None = None,
        on_limit: Literal["error", "stop"] = "stop",
        discretizer: str | Discretizer = "mdlp",
        n_jobs: int | None = None,
        verbose: bool = False,
        nominal: list[str | int] | None = None,
        unknown: Literal["missing", "error"] = "missing",
    ) -> None:
        self.min_support = min_support
        self.min_confidence = min_confidence
        self.ordering = ordering
        self.vote = vote
        self.k = k
        self.block_all_classes = block_all_classes
        self.class_support = class_support
        self.fallback = fallback
        self.max_len = max_len
        self.max_rules = max_rules
        self.time_budget = time_budget
        self.on_limit = on_limit
        self.discretizer = discretizer
        self.n_jobs = n_jobs
        self.verbose = verbose
        self.nominal = nominal
        self.unknown = unknown

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        # the mean of a few general rules is blunt: below the 0.83 that scikit-learn's checks ask for
        tags.classifier_tags.poor_score = self.vote == "best_k"
        return tags

    def _parts(self, root: int) -> Parts:
        return Parts(
            discretizer=make_discretizer(self.discretizer),
            miner=TFPCMiner(**mining_parameters(self), block_all_classes=self.block_all_classes),
            ordering=RANKS[self.ordering],
            satisfaction=BestRule() if self.vote == "best" else BestK(self.k),
            unmatched=self.fallback,
        )
