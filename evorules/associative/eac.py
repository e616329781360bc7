"""EAC, the eager associative classifier: all rules ranked by the entropy they leave, the first decides."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Literal

import numpy as np
import numpy.typing as npt

from evorules.associative.eager import EagerClassifier
from evorules.associative.parts import SHARED_PARAMETERS, Parts, mining_parameters
from evorules.mining import BitsetMiner
from evorules.rules.ordering import (
    Ordering,
    by_confidence_then_class,
    by_information_gain,
    by_laplace_then_coverage,
)
from evorules.rules.pruning import Filter, Pruner, general, one_per_antecedent
from evorules.rules.satisfaction import AllRules, BestRule, Satisfaction
from evorules.rules.training import TrainingRules
from evorules.rules.unmatched import Fallback
from trees.discretize import Discretizer
from trees.discretize.by_name import make_discretizer
from trees.validation import Boolean, Check, Choice

__all__ = ["RANKS", "EACClassifier", "minimal_pure"]

RANKS: dict[str, Ordering] = {
    "confidence": by_confidence_then_class,
    "gain": by_information_gain,
    "laplace": by_laplace_then_coverage,
}
"""Orders of EAC by the name of what they rank by."""


class EACClassifier(EagerClassifier):
    """EAC: every frequent rule, ranked by information gain, confidence or Laplace accuracy; one decides.

    Parameters
    ----------
    min_support : float in (0, 1] or int of at least 1, default=0.01
        Least share (or number) of the rows that a rule covers rightly.
    min_confidence : float in [0, 1], default=0.5
        Least share of the covered rows that are of the rule's class. Only for ``rank="confidence"``.
    rank : {"gain", "confidence", "laplace"}, default="gain"
        "gain": the rule comes first whose covered rows have the least entropy of classes.
    minimal : bool, default=False
        Drop rules that extend one which makes no errors, as the figures of the paper do.
    vote : {"best", "all"}, default="best"
        The first rule that covers a row decides, or the class with the greatest sum of confidences.
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
        The rules in order. With ``vote="best"`` rules that can never decide, because a rule before them
        covers all that they cover, are left out.
    n_rules_mined_ : int
        Rules mined, those that can never decide included.
    truncated_ : bool
        Whether a limit cut the search short.

    Notes
    -----
    Veloso, A., Meira, W. and Zaki, M. J. (2006). Lazy associative classification. ICDM, 645-654. What the
    gain of a rule is, the paper leaves open; its example is right only for the entropy of all rows less that
    of the covered ones. The vote of all rules is that of the later LAC.

    Examples
    --------
    >>> import pandas as pd
    >>> weather = pd.DataFrame({"outlook": list("ssooor"), "windy": list("nynyyn")})
    >>> print(EACClassifier().fit(weather, ["no", "no", "yes", "yes", "yes", "yes"]).rules_)
    R1: IF outlook = o THEN class = yes  (3/3, confidence 1.00)
    R2: IF outlook = s THEN class = no  (2/2, confidence 1.00)
    R3: IF outlook = r THEN class = yes  (1/1, confidence 1.00)
    R4: IF windy = n THEN class = yes  (2/3, confidence 0.67)
    R5: IF windy = y THEN class = yes  (2/3, confidence 0.67)
    otherwise class = yes
    """

    _parameters: ClassVar[Mapping[str, Check]] = {
        **SHARED_PARAMETERS,
        "rank": Choice(tuple(RANKS)),
        "minimal": Boolean(),
        "vote": Choice(("best", "all")),
    }

    def __init__(
        self,
        *,
        min_support: float | int = 0.01,
        min_confidence: float = 0.5,
        rank: Literal["gain", "confidence", "laplace"] = "gain",
        minimal: bool = False,
        vote: Literal["best", "all"] = "best",
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
        self.rank = rank
        self.minimal = minimal
        self.vote = vote
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

    def _parts(self, root: int) -> Parts:
        confidence = self.min_confidence if self.rank == "confidence" else 0.0
        first: tuple[Filter, ...] = (minimal_pure,) if self.minimal else ()
        deciding: tuple[Filter, ...] = (one_per_antecedent, general) if self.vote == "best" else ()
        said: Satisfaction = BestRule() if self.vote == "best" else AllRules("sum")
        return Parts(
            discretizer=make_discretizer(self.discretizer),
            miner=BitsetMiner(**{**mining_parameters(self), "min_confidence": confidence}),
            ordering=RANKS[self.rank],
            pruner=Pruner(first + deciding),
            satisfaction=said,
            unmatched=self.fallback,
        )


def minimal_pure(rules: TrainingRules) -> npt.NDArray[np.int64]:
    """Drop rules whose antecedent has a proper subset that covers rows of one class only.

    Such rules cover rows of that class only themselves.
    """
    pure = rules.counts.correct == rules.counts.covered
    left = np.flatnonzero(pure)
    left = left[np.argsort(rules.size[left], kind="stable")]
    shortest = left[general(rules.take(left))]
    return np.sort(np.concatenate([np.flatnonzero(~pure), shortest]))
