"""Rules from a frame in one call."""

from __future__ import annotations

import warnings
from dataclasses import fields
from typing import Any

from evorules.items import CarSet, Items
from evorules.mining.apriori import Apriori
from evorules.mining.bitset import BitsetMiner
from evorules.mining.car_ca import CarCA
from evorules.mining.fp_growth import FPGrowth
from evorules.mining.miner import BaseMiner
from evorules.mining.tfpc import TFPCMiner
from trees.discretize import Discretizer
from trees.discretize.by_name import DiscretizerCheck, make_discretizer
from trees.errors import DataWarning, ParameterError
from trees.table import Table
from trees.validation import AnyOf, Check, Choice, Columns, check_parameters

__all__ = ["MINERS", "mine_rules", "warn_of_classes_without_rules"]

MINERS: dict[str, type[BaseMiner]] = {
    "apriori": Apriori,
    "bitset": BitsetMiner,
    "car_ca": CarCA,
    "fp_growth": FPGrowth,
    "tfpc": TFPCMiner,
}
"""Every miner by name."""

_PARAMETERS: dict[str, Check] = {
    "miner": Choice(tuple(MINERS)),
    "discretizer": DiscretizerCheck(),
    "nominal": AnyOf((Choice((None,)), Columns())),
}


def mine_rules(
    X: Any,
    y: Any = None,
    *,
    min_support: float | int = 0.01,
    min_confidence: float = 0.5,
    miner: str = "bitset",
    discretizer: str | Discretizer = "mdlp",
    sample_weight: Any = None,
    nominal: Any = None,
    **parameters: Any,
) -> CarSet:
    """Return the class association rules of a table.

    Parameters
    ----------
    X : DataFrame, ndarray, list of rows or Table
        As for every classifier here; a `Table` brings its classes.
    y : array-like of shape (n_rows,), optional
        Class labels.
    min_support : float in (0, 1] or int of at least 1, default=0.01
        Least share of the rows (float), or number of rows (int), that antecedent and class have together.
    min_confidence : float in [0, 1], default=0.5
        Least share of the covered rows that are of the rule's class.
    miner : {"apriori", "bitset", "car_ca", "fp_growth", "tfpc"}, default="bitset"
        "car_ca" and "tfpc" find some of the rules only, the others all.
    discretizer : str or Discretizer, default="mdlp"
        How numeric columns are cut into intervals: a name in `trees.discretize.DISCRETIZERS`, or an object.
    sample_weight : array-like of shape (n_rows,), optional
        Whole numbers: how many times a row counts.
    nominal : list of str or int, optional
        Columns to read as nominal whatever they hold.
    **parameters
        Further parameters of the miner, such as ``max_len`` or ``max_rules``; see `BaseMiner`.

    Returns
    -------
    CarSet
        In generation order; `CarSet.to_frame` shows it.

    Raises
    ------
    MiningLimitError
        If there are more rules than the limits allow.

    Examples
    --------
    >>> import pandas as pd
    >>> weather = pd.DataFrame({"outlook": ["sunny", "rain", "rain"], "windy": ["no", "no", "yes"]})
    >>> cars = mine_rules(weather, ["play", "play", "stay"], min_confidence=1.0, max_len=1)
    >>> cars.to_frame()[["rule", "class", "support", "confidence"]]
                   rule class   support  confidence
    id
    R1  outlook = sunny  play  0.333333         1.0
    R2       windy = no  play  0.666667         1.0
    R3      windy = yes  stay  0.333333         1.0
    """
    given = {"miner": miner, "discretizer": discretizer, "nominal": nominal}
    check_parameters("mine_rules", _PARAMETERS, given)
    chosen = _miner(miner, min_support=min_support, min_confidence=min_confidence, **parameters)
    if isinstance(X, Table):
        table = X
    else:
        table = Table.from_frame(X, y, sample_weight=sample_weight, nominal=nominal)
    cars = chosen.mine(Items.of(table, make_discretizer(discretizer).fit(table)))
    warn_of_classes_without_rules(cars, stacklevel=2)
    return cars


def _miner(name: str, **parameters: Any) -> BaseMiner:
    known = [field.name for field in fields(MINERS[name])]
    for parameter in parameters:
        if parameter not in known:
            raise ParameterError(
                f"mine_rules got {parameter!r}, which the miner {name!r} does not have. It takes: "
                f"{', '.join(known)}."
            )
    return MINERS[name](**parameters)


def warn_of_classes_without_rules(cars: CarSet, *, stacklevel: int = 2) -> None:
    """Warn with `DataWarning` of classes with rows that no rule predicts, and of a search without result."""
    items = cars.items
    present = [c for c, n in enumerate(items.class_totals.tolist()) if n > 0]
    predicted = set(cars.consequent.tolist())
    lacking = [str(items.cuts.schema.classes[c]) for c in present if c not in predicted]
    if cars.truncated:
        # lower thresholds would meet the limit sooner; that there are no rules at all has been told with it
        if len(cars) == 0 or not lacking:
            return
        message = f"No rule predicts {', '.join(lacking)} among those found before the search met its limit."
    elif len(cars) == 0:
        message = "No rule reaches min_support and min_confidence: lower them."
    elif lacking:
        message = (
            f"No rule predicts {', '.join(lacking)}: too few rows reach min_support and min_confidence. "
            "Lower them, or pass class_support='balanced' to count min_support within each class."
        )
    else:
        return
    warnings.warn(message, DataWarning, stacklevel=stacklevel + 1)
