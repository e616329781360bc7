"""The registry of learners: name -> class, as text that is resolved on use, so that it imports no learner."""

from __future__ import annotations

from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

from trees.errors import ParameterError
from trees.estimator import TableClassifier
from trees.naming import closest_first, listed

__all__ = ["LEARNERS", "Learner", "make_learner"]


@dataclass(frozen=True)
class Learner:
    """Where a learner lives and what makes it this learner.

    Parameters
    ----------
    path : str
        "module:Class".
    summary : str
        One line for people.
    preset : dict
        Parameters set before the caller's.
    """

    path: str
    summary: str
    preset: dict[str, Any] = field(default_factory=dict)

    def resolve(self) -> type[TableClassifier]:
        """Import and return the class."""
        module, name = self.path.split(":")
        found: type[TableClassifier] = getattr(import_module(module), name)
        return found


_HYBRID = "evorules.hybrids:SmallDisjunctClassifier"

LEARNERS: dict[str, Learner] = {
    "auto": Learner(
        _HYBRID, "C4.5, and a remedy chosen by inner validation for the small disjuncts", {"handler": "auto"}
    ),
    "c45": Learner("trees.c45:C45Classifier", "decision tree, C4.5 release 8"),
    "c45-boosted": Learner(
        _HYBRID, "C4.5, and short rules with votes for the small disjuncts", {"handler": "boosted-rules"}
    ),
    "c45-forest": Learner(
        _HYBRID, "C4.5, and a random forest for the small disjuncts: no rules", {"handler": "classifier"}
    ),
    "c45-eac": Learner(
        _HYBRID, "C4.5, and class association rules for the small disjuncts", {"handler": "eac"}
    ),
    "c45-ib1": Learner(_HYBRID, "C4.5, and the nearest row for the small disjuncts", {"handler": "nearest"}),
    "c45-lac": Learner(
        _HYBRID, "C4.5, and lazily made association rules for the small disjuncts", {"handler": "lac"}
    ),
    "c45rules": Learner("trees.c45rules:C45RulesClassifier", "ordered rules from a C4.5 tree"),
    "car-ic": Learner("evorules.associative:CARICClassifier", "long class association rules first, CAR-IC"),
    "cart": Learner("trees.cart:CARTClassifier", "binary decision tree, cost-complexity pruning"),
    "cba": Learner("evorules.associative:CBAClassifier", "decision list of class association rules, CBA"),
    "cmar": Learner("evorules.associative:CMARClassifier", "voting class association rules, CMAR"),
    "double-c45": Learner(
        _HYBRID, "C4.5, and a second C4.5 for the small disjuncts", {"handler": "second-tree"}
    ),
    "eac": Learner("evorules.associative:EACClassifier", "class association rules by the entropy they leave"),
    "ga": Learner("evorules.hybrids:GARuleClassifier", "rules by a genetic algorithm alone, without a tree"),
    "ga-small": Learner(
        _HYBRID, "C4.5, and a GA run for every small disjunct and class", {"handler": "ga-small"}
    ),
    "ga-large-sn": Learner(_HYBRID, "C4.5, and one GA for all small disjuncts", {"handler": "ga-large-sn"}),
    "id3": Learner("trees.id3:ID3Classifier", "decision tree with a branch per value, ID3"),
    "lac": Learner("evorules.associative.lac:LACClassifier", "association rules made for each row, LAC"),
    "lazydt": Learner("trees.lazydt:LazyDTClassifier", "a path of tests for every row to classify, LazyDT"),
    "mcar": Learner("evorules.associative:MCARClassifier", "finely ranked class association rules, MCAR"),
    "oblique": Learner("trees.oblique:ObliqueTreeClassifier", "binary tree that may test weighted sums"),
    "tfpc": Learner("evorules.associative:TFPCClassifier", "the most general class association rules, TFPC"),
}
"""Every learner by name."""


def make_learner(name: str, **parameters: Any) -> TableClassifier:
    """Return an unfitted learner.

    Parameters
    ----------
    name : str
        A key of `LEARNERS`.
    **parameters
        Parameters of the class. In a hybrid, those that the class does not have go to the handler, and
        names with ``tree__`` or ``handler__`` before them to that part.

    Raises
    ------
    ParameterError
        For a name or a parameter that does not exist; names the nearest ones.

    Examples
    --------
    >>> make_learner("c45", min_cases=5)
    C45Classifier(min_cases=5)
    """
    if name not in LEARNERS:
        raise ParameterError(
            f"There is no learner {name!r} (known: {listed(closest_first(name, LEARNERS))})."
        )
    learner = LEARNERS[name]
    cls = learner.resolve()
    configure = getattr(cls, "configured", None)
    if configure is not None:
        made: TableClassifier = configure({**learner.preset, **parameters})
        return made
    known = cls().get_params(deep=False)
    for parameter in parameters:
        if parameter not in known:
            names = listed(closest_first(parameter, known))
            raise ParameterError(f"{cls.__name__} has no parameter {parameter!r} (known: {names}).")
    return cls(**{**learner.preset, **parameters})
