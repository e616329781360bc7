"""Trees whose tests may weigh several attributes: ``age + 0.001 * salary <= 100``."""

from trees.growth.oblique.combination import Combination, extended, extended_cells, without_unused
from trees.growth.oblique.grower import grow_oblique

__all__ = ["Combination", "extended", "extended_cells", "grow_oblique", "without_unused"]
