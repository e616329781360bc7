"""Release 8 of C4.5 followed step by step: its order of cases and, on demand, its single precision."""

from trees.growth.literal.grower import LiteralGrower, grow_literal, sums_are_exact, training_arrays

__all__ = ["LiteralGrower", "grow_literal", "sums_are_exact", "training_arrays"]
