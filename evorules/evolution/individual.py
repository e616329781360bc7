"""What DEAP sees: genes, individuals and their fitness, as classes of a module, so that pickles find them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from deap import base

__all__ = ["Fitness", "FrontFitness", "Gene", "Individual"]


class Gene(NamedTuple):
    """One gene: whether its condition belongs to the rule, and which condition it holds.

    Parameters
    ----------
    active : bool
        Inactive genes keep their condition.
    code : int
        As `ConditionTable.condition` reads it.
    """

    active: bool
    code: int

    def __deepcopy__(self, memo: object) -> Gene:
        """Return the gene itself: it cannot change, and halls of fame copy many."""
        return self


class Fitness(base.Fitness):
    """A fitness to be maximised."""

    weights = (1.0,)


class FrontFitness(base.Fitness):
    """A fitness to be maximised, and a number of conditions to be minimised."""

    weights = (1.0, -1.0)
    crowding_dist: float


class Individual(list[Gene]):
    """A list of genes with a fitness, as DEAP's operators and observers expect it.

    Before an evaluation of the user's is called, three attributes are set that it may compute a fitness from.

    Attributes
    ----------
    fitness : Fitness
        Without values until the individual has been evaluated.
    counts : ndarray of shape (n_classes,), float64
        Weight of the rows that the rule covers, by class code, times the factors of the classes.
    class_totals : ndarray of shape (n_classes,), float64
        Weight of all rows of the run, times the factors of the classes.
    consequent : int
        Code of the rule's class.
    """

    fitness: Fitness | FrontFitness
    counts: npt.NDArray[np.float64]
    class_totals: npt.NDArray[np.float64]
    consequent: int

    def __init__(self, genes: Iterable[Gene] = ()) -> None:
        super().__init__(genes)
        self.fitness = Fitness()
