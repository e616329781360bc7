"""MCAR, multi-class classification based on association rules: a finely ranked list, one rule per row."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any, ClassVar, Literal

import numpy as np
import numpy.typing as npt

from evorules.associative.eager import EagerClassifier
from evorules.associative.parts import SHARED_PARAMETERS, Parts, mining_parameters
from evorules.mining import BitsetMiner
from evorules.rules.ordering import mcar
from evorules.rules.pruning import Filter, Pruner, cover, general, one_per_antecedent
from evorules.rules.training import TrainingRules
from evorules.rules.unmatched import Fallback
from trees.discretize import Discretizer
from trees.discretize.by_name import make_discretizer
from trees.seeding import generator
from trees.validation import Boolean, Check, RandomState

__all__ = ["MCARClassifier", "first_rows", "in_shuffled_rows"]


class MCARClassifier(EagerClassifier):
    """MCAR: rules ranked by five keys; each must classify a row rightly that none before it covers.

    Parameters
    ----------
    min_support : float in (0, 1] or int of at least 1, default=0.01
        Least share (or number) of the rows that a rule covers rightly.
    min_confidence : float in [0, 1], default=0.5
        Least share of the covered rows that are of the rule's class.
    prune_subsumed : bool, default=True
        Drop rules whose antecedent includes that of a rule of higher rank.
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
    random_state : None, int, RandomState or Generator, default=None
        Of the shuffled rows: of rules equal in all other keys the one that covers the earlier row is first.
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
        The rules in order, with the default class.
    n_rules_mined_ : int
        Rules mined, before pruning.
    truncated_ : bool
        Whether a limit cut the search short.

    Notes
    -----
    Thabtah, F., Cowling, P. and Peng, Y. (2005). MCAR: multi-class classification based on association rule.
    AICCSA. Equal rows share one place in the shuffle, which therefore does not depend on the order in which
    rows come. That a rule must be right on a row to be kept is taken from summaries of the paper.

    Examples
    --------
    >>> import pandas as pd
    >>> weather = pd.DataFrame({"outlook": list("ssooor") * 2, "windy": list("nynyyn") * 2})
    >>> print(MCARClassifier().fit(weather, ["no", "no", "yes", "yes", "yes", "yes"] * 2).rules_)
    R1: IF outlook = o THEN class = yes  (6/6, confidence 1.00)
    R2: IF outlook = s THEN class = no  (4/4, confidence 1.00)
    R3: IF outlook = r THEN class = yes  (2/2, confidence 1.00)
    otherwise class = yes
    """

    _parameters: ClassVar[Mapping[str, Check]] = {
        **SHARED_PARAMETERS,
        "prune_subsumed": Boolean(),
        "random_state": RandomState(),
    }

    def __init__(
        self,
        *,
        min_support: float | int = 0.01,
        min_confidence: float = 0.5,
        prune_subsumed: bool = True,
        class_support: Literal["global", "balanced"] = "global",
        fallback: Fallback = "default",
        max_len: int | None = None,
        max_rules: int | None = 1_000_000,
        time_budget: float | None = None,
        on_limit: Literal["error", "stop"] = "stop",
        discretizer: str | Discretizer = "mdlp",
        random_state: Any = None,
        n_jobs: int | None = None,
        verbose: bool = False,
        nominal: list[str | int] | None = None,
        unknown: Literal["missing", "error"] = "missing",
    ) -> None:
        self.min_support = min_support
        self.min_confidence = min_confidence
        self.prune_subsumed = prune_subsumed
        self.class_support = class_support
        self.fallback = fallback
        self.max_len = max_len
        self.max_rules = max_rules
        self.time_budget = time_budget
        self.on_limit = on_limit
        self.discretizer = discretizer
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose
        self.nominal = nominal
        self.unknown = unknown

    def _parts(self, root: int) -> Parts:
        subsumed: tuple[Filter, ...] = (general,) if self.prune_subsumed else ()
        return Parts(
            discretizer=make_discretizer(self.discretizer),
            miner=BitsetMiner(**mining_parameters(self)),
            ordering=partial(in_shuffled_rows, root=root),
            pruner=Pruner((one_per_antecedent, *subsumed), partial(cover, delta=1)),
            unmatched=self.fallback,
        )


def in_shuffled_rows(rules: TrainingRules, *, root: int) -> npt.NDArray[np.int64]:
    """Return the order of MCAR, its last key the first row that a rule covers in rows shuffled by a seed."""
    counts = rules.counts
    keys = np.stack([counts.correct, counts.covered, rules.size, counts.in_class])
    order = np.lexsort(keys)
    same = np.all(keys[:, order[1:]] == keys[:, order[:-1]], axis=0)
    tied = np.unique(np.concatenate([order[1:][same], order[:-1][same]]))
    return mcar(rules, first_row=first_rows(rules, tied, generator(root, "mcar", "shuffle")))


def first_rows(
    rules: TrainingRules, asked: npt.NDArray[np.int64], rng: np.random.Generator
) -> npt.NDArray[np.uint64]:
    """Return the least random number among the training rows that each rule asked for covers.

    A row's number depends on its items and class and on `rng` alone, so equal rows share it.

    Parameters
    ----------
    rules : TrainingRules
        The rules.
    asked : ndarray of shape (n_asked,), int64
        Positions of rules.
    rng : Generator
        Shuffles the rows.

    Returns
    -------
    ndarray of shape (n_rules,), uint64
        The greatest number there is for rules not asked for.
    """
    from evorules.rules._kernels_training import least_key

    highest = np.iinfo(np.uint64).max
    least = np.full(len(rules), highest, dtype=np.uint64)
    of_class = rng.integers(0, highest, len(rules.class_totals), dtype=np.uint64)
    of_test = rng.integers(0, highest, len(rules.bits), dtype=np.uint64)
    if len(asked) == 0:
        return least
    number = np.repeat(of_class, 64 * np.diff(rules.class_start))
    for held, salt in zip(rules.bits, of_test, strict=True):
        flags = np.unpackbits(held.astype("<u8").view(np.uint8), bitorder="little").astype(np.bool_)
        number[flags] += salt
    alive = rules.all_rows
    least_key(
        rules.start, rules.test, rules.bits, alive, np.empty_like(alive), asked.astype(np.int64), number,
        least,
    )  # fmt: skip
    return least
