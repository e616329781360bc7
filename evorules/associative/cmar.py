"""CMAR, classification based on multiple association rules: the significant rules of a row vote."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import ClassVar, Literal

from sklearn.utils import Tags

from evorules.associative.eager import EagerClassifier
from evorules.associative.parts import SHARED_PARAMETERS, Parts, mining_parameters
from evorules.mining import BitsetMiner
from evorules.rules.ordering import csa
from evorules.rules.pruning import Pruner, correlated, cover, general
from evorules.rules.satisfaction import AllRules
from evorules.rules.unmatched import Fallback
from trees.discretize import Discretizer
from trees.discretize.by_name import make_discretizer
from trees.validation import Check, Float, Integer

__all__ = ["CMARClassifier"]


class CMARClassifier(EagerClassifier):
    """CMAR: general, significant rules that cover each row several times; weighted chi-square decides.

    Parameters
    ----------
    min_support : float in (0, 1] or int of at least 1, default=0.01
        Least share (or number) of the rows that a rule covers rightly.
    min_confidence : float in [0, 1], default=0.5
        Least share of the covered rows that are of the rule's class.
    alpha : float in (0, 1), default=0.05
        Level of the chi-square test that antecedent and class must pass.
    delta : int, default=3
        Rules that must cover a training row before it is done with.
    class_support : {"global", "balanced"}, default="global"
        "balanced": `min_support` is a share of the rows of the rule's class.
    fallback : {"default", "majority", "abstain"}, default="default"
        For rows that no rule covers: the class most frequent among such rows in training, the most frequent
        one, or none.
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
        The rules in order; all that cover a row vote.
    n_rules_mined_ : int
        Rules mined, before pruning.
    truncated_ : bool
        Whether a limit cut the search short.

    Notes
    -----
    Li, W., Han, J. and Pei, J. (2001). CMAR: accurate and efficient classification based on multiple
    class-association rules. ICDM, 369-376. A rule is pruned by a more general one of higher rank if its
    antecedent includes that of the other; several programs compare lengths instead. Where pruning leaves no
    rule, the default class is all there is.

    Examples
    --------
    >>> import pandas as pd
    >>> weather = pd.DataFrame({"outlook": list("ssooor") * 2, "windy": list("nynyyn") * 2})
    >>> print(CMARClassifier().fit(weather, ["no", "no", "yes", "yes", "yes", "yes"] * 2).rules_)
    R1: IF outlook = o THEN class = yes  (6/6, confidence 1.00)
    R2: IF outlook = s THEN class = no  (4/4, confidence 1.00)
    otherwise class = yes
    """

    _parameters: ClassVar[Mapping[str, Check]] = {
        **SHARED_PARAMETERS,
        "alpha": Float(0.0, 1.0),
        "delta": Integer(1),
    }

    def __init__(
        self,
        *,
        min_support: float | int = 0.01,
        min_confidence: float = 0.5,
        alpha: float = 0.05,
        delta: int = 3,
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
        self.alpha = alpha
        self.delta = delta
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
        # weighted chi-square lets frequent general rules outvote sure ones: 0.81 on the blobs of its checks
        tags.classifier_tags.poor_score = True
        return tags

    def _parts(self, root: int) -> Parts:
        return Parts(
            discretizer=make_discretizer(self.discretizer),
            miner=BitsetMiner(**mining_parameters(self)),
            ordering=csa,
            pruner=Pruner((general, partial(correlated, alpha=self.alpha)), partial(cover, delta=self.delta)),
            satisfaction=AllRules("wchi2"),
            unmatched=self.fallback,
        )
