"""Every discretizer by name."""

from collections.abc import Callable

from trees.discretize.cuts import Discretizer
from trees.discretize.equal_frequency import EqualFrequency
from trees.discretize.equal_width import EqualWidth
from trees.discretize.lucs_kdd import LucsKdd
from trees.discretize.mdlp import MDLP

__all__ = ["DISCRETIZERS"]

DISCRETIZERS: dict[str, Callable[[], Discretizer]] = {
    "equal_frequency": EqualFrequency,
    "equal_width": EqualWidth,
    "lucs_kdd": LucsKdd,
    "mdlp": MDLP,
}
"""Every discretizer by name, with its default options."""
