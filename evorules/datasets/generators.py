"""Data sets by name: those that a definition or scikit-learn gives, without any file."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np
import pandas as pd

from evorules.datasets import concepts, decision_models, simulated
from evorules.datasets._build import classes
from evorules.datasets.dataset import Dataset
from trees.errors import DataError, ParameterError
from trees.naming import closest_first, listed
from trees.seeding import generator, root_seed
from trees.validation import AnyOf, Check, Choice, Float, Integer, RandomState, check_parameters

__all__ = ["DATASETS", "Maker", "load"]


@dataclass(frozen=True)
class Maker:
    """How a data set is made.

    Parameters
    ----------
    make : callable
        Returns the attributes (DataFrame) and the class column (Series). Its keyword-only parameters are
        the options of the data set and, if rows are drawn at random, `rng`, a NumPy Generator.
    description : str
        One line.
    checks : mapping of str to Check
        What each option may be.
    """

    make: Callable[..., tuple[pd.DataFrame, pd.Series]]
    description: str
    checks: Mapping[str, Check] = field(default_factory=dict)

    @property
    def options(self) -> dict[str, Any]:
        """Names of the options with their defaults."""
        parameters = inspect.signature(self.make).parameters.values()
        return {
            parameter.name: parameter.default
            for parameter in parameters
            if parameter.kind is parameter.KEYWORD_ONLY and parameter.name != "rng"
        }

    @property
    def is_random(self) -> bool:
        """Whether `random_state` may change the rows."""
        return "rng" in inspect.signature(self.make).parameters


def _from_sklearn(loader: str) -> tuple[pd.DataFrame, pd.Series]:
    from sklearn import datasets

    bunch = getattr(datasets, loader)()
    names = [str(name) for name in bunch.target_names]
    frame = pd.DataFrame(np.asarray(bunch.data), columns=[str(name) for name in bunch.feature_names])
    return frame, classes(bunch.target, names)


LED: dict[str, Check] = {"n_rows": Integer(1), "noise": Float(0, 1, "both")}
MONKS: dict[str, Check] = {"part": Choice(("full", "train"))}
MULTIPLEXER: dict[str, Check] = {
    "address_bits": Integer(1, 5),
    "n_rows": AnyOf((Integer(1, 10**6), Choice((None,)))),
}
PARITY: dict[str, Check] = {"bits": Integer(1, 16), "irrelevant": Integer(0, 100)}
WAVEFORM: dict[str, Check] = {"n_attributes": Choice((21, 40)), "n_rows": Integer(1)}

DATASETS: dict[str, Maker] = {
    "balance-scale": Maker(concepts.balance_scale, "which side of a scale goes down; all 625 weighings"),
    "breast-cancer": Maker(partial(_from_sklearn, "load_breast_cancer"), "Wisconsin diagnostic, 569 tumours"),
    "car": Maker(decision_models.car, "acceptability of 1728 cars, an expert's model"),
    "iris": Maker(partial(_from_sklearn, "load_iris"), "150 flowers of three species, four measures"),
    "led24": Maker(partial(simulated.led, 17), "led7 with 17 irrelevant attributes; random", LED),
    "led7": Maker(partial(simulated.led, 0), "digits on a faulty seven-segment display; random", LED),
    "monks-1": Maker(partial(concepts.monks, 1), "a1 = a2 or a5 = 1; 432 rows or a training sample", MONKS),
    "monks-2": Maker(partial(concepts.monks, 2), "exactly two of six are 1; 432 rows or a sample", MONKS),
    "monks-3": Maker(partial(concepts.monks, 3), "two conjunctions; 432 rows or a noisy sample", MONKS),
    "multiplexer": Maker(
        concepts.multiplexer, "k address bits choose one of 2^k data bits; all rows or a sample", MULTIPLEXER
    ),
    "nursery": Maker(decision_models.nursery, "12960 applications for a nursery school, an expert's model"),
    "parity": Maker(concepts.parity, "sum of n bits modulo 2; all rows, irrelevant bits on demand", PARITY),
    "tic-tac-toe": Maker(concepts.tic_tac_toe, "the 958 boards on which a game can end; has x won?"),
    "waveform": Maker(
        simulated.waveform, "mixtures of two of three noisy waves, 21 attributes; random", WAVEFORM
    ),
    "waveform-40": Maker(
        partial(simulated.waveform, n_attributes=40),
        "waveform with 19 irrelevant attributes; random",
        WAVEFORM,
    ),
    "wine": Maker(partial(_from_sklearn, "load_wine"), "178 Italian wines of three cultivars, 13 measures"),
    "xor": Maker(concepts.xor, "exclusive-or of two bits, 40 copies of each of the four rows"),
}
"""The data sets that `load` knows."""


def load(name: str, random_state: Any = 0, **options: Any) -> Dataset:
    """Make a data set.

    Parameters
    ----------
    name : str
        A key of `DATASETS`.
    random_state : None, int, RandomState or Generator
        For the data sets that are drawn at random, wholly or in part; the same value gives the same rows.
        None gives other rows every time.
    **options
        Options of the data set, see ``DATASETS[name].options``.

    Raises
    ------
    DataError
        For an unknown name; the message lists the known ones.
    ParameterError
        For an option that the data set does not have or a value that it does not allow.

    Examples
    --------
    >>> data = load("monks-3", random_state=1, part="train")
    >>> data.X.shape, sorted(DATASETS["monks-3"].options)
    ((122, 6), ['part'])
    """
    maker = DATASETS.get(name)
    if maker is None:
        known = listed(closest_first(str(name), DATASETS), shown=len(DATASETS))
        raise DataError(f"There is no data set {name!r} (known: {known}).")
    for option in options:
        if option not in maker.options:
            known = listed(closest_first(option, maker.options)) or "none"
            raise ParameterError(f"The data set {name!r} has no option {option!r} (its options: {known}).")
    declared = {**maker.checks, "random_state": RandomState()}
    check_parameters(f"load({name!r})", declared, {**options, "random_state": random_state})
    if maker.is_random:
        options["rng"] = generator(root_seed(random_state), "dataset")
    X, y = maker.make(**options)
    return Dataset(name, X, y, maker.description)
