"""Cutting numeric attributes into intervals: by class entropy, by class, by width, by frequency."""

from trees.discretize.by_name import DISCRETIZERS
from trees.discretize.cuts import Cuts, Discretizer
from trees.discretize.equal_frequency import EqualFrequency
from trees.discretize.equal_width import EqualWidth
from trees.discretize.lucs_kdd import LucsKdd
from trees.discretize.mdlp import MDLP
from trees.discretize.transformer import IntervalDiscretizer

__all__ = [
    "DISCRETIZERS",
    "MDLP",
    "Cuts",
    "Discretizer",
    "EqualFrequency",
    "EqualWidth",
    "IntervalDiscretizer",
    "LucsKdd",
]
