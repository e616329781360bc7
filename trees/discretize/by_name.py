"""Every discretizer by name, and the check of parameters that take one."""

from collections.abc import Callable
from typing import Any

from trees.discretize.cuts import Discretizer
from trees.discretize.equal_frequency import EqualFrequency
from trees.discretize.equal_width import EqualWidth
from trees.discretize.lucs_kdd import LucsKdd
from trees.discretize.mdlp import MDLP

__all__ = ["DISCRETIZERS", "DiscretizerCheck", "make_discretizer"]

DISCRETIZERS: dict[str, Callable[[], Discretizer]] = {
    "equal_frequency": EqualFrequency,
    "equal_width": EqualWidth,
    "lucs_kdd": LucsKdd,
    "mdlp": MDLP,
}
"""Every discretizer by name, with its default options."""


class DiscretizerCheck:
    """A name of the registry or a discretizer."""

    def accepts(self, value: Any) -> bool:
        """Return whether a discretizer can be made of the value; scikit-learn's transformers find no cuts."""
        if isinstance(value, str):
            return value in DISCRETIZERS
        finds = callable(getattr(value, "fit", None)) and not isinstance(value, type)
        return finds and not hasattr(value, "transform") and not hasattr(value, "predict")

    def describe(self) -> str:
        """Return the names."""
        return f"{', '.join(map(repr, DISCRETIZERS))} or a discretizer"


def make_discretizer(value: str | Discretizer) -> Discretizer:
    """Return the discretizer of a name, or what was given."""
    return DISCRETIZERS[value]() if isinstance(value, str) else value
