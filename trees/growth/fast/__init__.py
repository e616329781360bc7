"""The default engine of C4.5: rank codes, whole counts, double precision."""

from trees.growth.fast.grower import grow

__all__ = ["grow"]
