"""CBA, classification based on associations: a short decision list chosen from class association rules."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any, ClassVar, Literal

from evorules.associative.cba_builders import BUILDERS
from evorules.associative.eager import EagerClassifier
from evorules.associative.parts import SHARED_PARAMETERS, Parts, mining_parameters
from evorules.mining import BitsetMiner
from evorules.rules.ordering import csa
from evorules.rules.pruning import Pruner, one_per_antecedent, pessimistic
from evorules.rules.unmatched import Fallback
from trees.discretize import Discretizer
from trees.discretize.by_name import make_discretizer
from trees.validation import Boolean, Check, Choice, Float

__all__ = ["CBAClassifier"]


class CBAClassifier(EagerClassifier):
    """CBA: class association rules by confidence, as far as they classify training rows rightly.

    Parameters
    ----------
    min_support : float in (0, 1] or int of at least 1, default=0.01
        Least share (or number) of the rows that a rule covers rightly.
    min_confidence : float in [0, 1], default=0.5
        Least share of the covered rows that are of the rule's class.
    class_support : {"global", "balanced"}, default="global"
        "balanced": `min_support` is a share of the rows of the rule's class, for rare classes (CBA2).
    prune : bool, default=True
        Drop rules of which one condition less lowers the pessimistic error rate.
    confidence : float in (0, 1), default=0.25
        Level of that estimate.
    error_limit : {"c45", "exact"}, default="c45"
        C4.5's estimate, or the exact binomial limit.
    one_rule_per_antecedent : bool, default=True
        Of rules with the same antecedent keep the most confident. It matters only if `min_confidence` is at
        most 0.5.
    builder : {"M1", "M2"}, default="M1"
        The builder of the paper's section 3.1, or that of 3.2. Both make the same list.
    allow_empty : bool, default=False
        Let the default class alone compete with the lists. In the paper it does not.
    fallback : {"default", "majority", "abstain"}, default="default"
        For rows that no rule covers: the class that the builder chose, the most frequent one, or none.
    max_len : int or None, default=None
        Most conditions of a rule.
    max_rules : int or None, default=80000
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
        The list in order, with the default class.
    n_rules_mined_ : int
        Rules mined, before pruning.
    truncated_ : bool
        Whether a limit cut the search short.

    Notes
    -----
    Liu, B., Hsu, W. and Ma, Y. (1998). Integrating classification and association rule mining. KDD, 80-86;
    CBA2: Liu, B., Ma, Y. and Wong, C. K. (2000). Improving an association rule based classifier. PKDD,
    504-509. The published M2 loses rules; this one has two repairs.

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
    >>> model = CBAClassifier().fit(weather, play)
    >>> print(model.rules_)
    R1: IF outlook = sunny THEN class = no  (4/4, confidence 1.00)
    R2: IF outlook = overcast THEN class = yes  (4/4, confidence 1.00)
    R3: IF outlook = rain AND windy = False THEN class = yes  (2/2, confidence 1.00)
    otherwise class = no
    """

    _parameters: ClassVar[Mapping[str, Check]] = {
        **SHARED_PARAMETERS,
        "prune": Boolean(),
        "confidence": Float(0.0, 1.0),
        "error_limit": Choice(("c45", "exact")),
        "one_rule_per_antecedent": Boolean(),
        "builder": Choice(tuple(BUILDERS)),
        "allow_empty": Boolean(),
    }

    def __init__(
        self,
        *,
        min_support: float | int = 0.01,
        min_confidence: float = 0.5,
        class_support: Literal["global", "balanced"] = "global",
        prune: bool = True,
        confidence: float = 0.25,
        error_limit: Literal["c45", "exact"] = "c45",
        one_rule_per_antecedent: bool = True,
        builder: Literal["M1", "M2"] = "M1",
        allow_empty: bool = False,
        fallback: Fallback = "default",
        max_len: int | None = None,
        max_rules: int | None = 80_000,
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
        self.class_support = class_support
        self.prune = prune
        self.confidence = confidence
        self.error_limit = error_limit
        self.one_rule_per_antecedent = one_rule_per_antecedent
        self.builder = builder
        self.allow_empty = allow_empty
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
        limit: Any = partial(pessimistic, confidence=self.confidence, method=self.error_limit)
        return Parts(
            discretizer=make_discretizer(self.discretizer),
            miner=BitsetMiner(**mining_parameters(self)),
            ordering=csa,
            pruner=Pruner(
                (one_per_antecedent,) * bool(self.one_rule_per_antecedent) + (limit,) * bool(self.prune),
                partial(BUILDERS[self.builder], allow_empty=self.allow_empty),
            ),
            unmatched=self.fallback,
        )
