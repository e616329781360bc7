"""The numbers and choices of one genetic algorithm, checked when they are set."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from trees.errors import ParameterError
from trees.measure_name import MeasureName
from trees.validation import AnyOf, Check, Choice, Float, Integer, check_parameters

__all__ = ["GASettings"]

_DECLARED: dict[str, Check] = {
    "population_size": Integer(2),
    "n_generations": Integer(0),
    "crossover_rate": Float(0, 1, "both"),
    "mutation_rate": Float(0, 1, "both"),
    "tournament_size": Integer(1),
    "n_elite": Integer(0),
    "min_conditions": Integer(0),
    "init": Choice(("seeded", "random")),
    "heuristic": Choice(("tree", "gain")),
    "norm": Choice((None, "sum", "max", "none", "entropy", "raw")),
    "scope": Choice(("active", "all")),
    "measure": MeasureName(),
    "m": Float(0, closed="left"),
    "selection": Choice(("tournament", "nsga2")),
    "trade_off": Choice(("one_se", "knee")),
    "patience": AnyOf((Choice((None,)), Integer(1))),
    "time_budget": AnyOf((Choice((None,)), Float(0))),
}
_NORMS = {"tree": ("sum", "max", "none"), "gain": ("entropy", "sum", "max", "raw")}


@dataclass(frozen=True)
class GASettings:
    """Settings of a run; the defaults are those of Carvalho and Freitas's GA-Large-SN.

    Parameters
    ----------
    population_size : int
        Individuals, at least 2.
    n_generations : int
        Generations after the first population.
    crossover_rate : float
        Probability that a pair is crossed, in [0, 1].
    mutation_rate : float
        Probability that a gene mutates, in [0, 1].
    tournament_size : int
        Individuals that meet in a tournament, at most `population_size`.
    n_elite : int
        Best individuals that are copied unchanged, fewer than `population_size`.
    min_conditions : int
        Rule pruning stops when no more conditions than this are left. Crossover and mutation may make shorter
        rules.
    init : {"seeded", "random"}
        Whether every first individual accepts a random row.
    heuristic : {"tree", "gain"}
        What rule pruning goes by: how accurate the tree is where it tests the attribute, or the information
        gain of the condition.
    norm : str or None
        How the heuristic is brought to [0, 1]. "tree": "sum" (Norm_Acc, the default), "max", "none". "gain":
        "entropy" (the default), "sum", "max", "raw".
    scope : {"active", "all"}
        Whether rule pruning looks at active genes only or may switch genes on as well.
    measure : str
        The fitness: a name in `trees.measures.MEASURES`. A rule that has no condition or covers nothing has
        fitness 0 under all of them.
    m : float
        Weight of the prior in the m-estimate.
    selection : {"tournament", "nsga2"}
        Evolve the fittest rule, or by NSGA-II the rules of which none is both fitter and shorter than another
        (`evolve_front`).
    trade_off : {"one_se", "knee"}
        Which of the latter is taken: the shortest within one standard error of the fittest, or the one at the
        knee (`Front`).
    patience : int or None
        Stop after so many generations without a better individual; None never does.
    time_budget : float or None
        Stop after so many seconds with the best so far; None means no limit.

    Raises
    ------
    ParameterError
        For a value that is not allowed.

    Examples
    --------
    >>> GASettings(measure="m_estimate", min_conditions=3, norm="max").population_size
    200
    """

    population_size: int = 200
    n_generations: int = 50
    crossover_rate: float = 0.8
    mutation_rate: float = 0.01
    tournament_size: int = 2
    n_elite: int = 1
    min_conditions: int = 2
    init: Literal["seeded", "random"] = "seeded"
    heuristic: Literal["tree", "gain"] = "tree"
    norm: Literal["sum", "max", "none", "entropy", "raw"] | None = None
    scope: Literal["active", "all"] = "active"
    measure: str = "sensitivity_specificity"
    m: float = 2.0
    selection: Literal["tournament", "nsga2"] = "tournament"
    trade_off: Literal["one_se", "knee"] = "one_se"
    patience: int | None = None
    time_budget: float | None = None

    def __post_init__(self) -> None:
        check_parameters("GASettings", _DECLARED, vars(self))
        allowed = _NORMS[self.heuristic]
        if self.norm is not None and self.norm not in allowed:
            raise ParameterError(
                f"The 'norm' parameter of GASettings must be {Choice((None, *allowed)).describe()} with "
                f"heuristic={self.heuristic!r}. Got {self.norm!r} instead."
            )
        for name, most in (("tournament_size", self.population_size), ("n_elite", self.population_size - 1)):
            if getattr(self, name) > most:
                raise ParameterError(
                    f"The {name!r} parameter of GASettings must be at most {most} with "
                    f"population_size={self.population_size}. Got {getattr(self, name)} instead."
                )

    @property
    def norm_name(self) -> str:
        """The norm, with the heuristic's default in place of None."""
        return self.norm or _NORMS[self.heuristic][0]
