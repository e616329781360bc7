"""Growing by any criterion and any kind of split."""

from trees.growth.generic.grower import CUT, Grower, Waiting, grow_generic
from trees.growth.generic.options import GenericOptions

__all__ = ["CUT", "GenericOptions", "Grower", "Waiting", "grow_generic"]
