"""Growing trees: what a tree is, how rows fall through it, and the engines that grow one.

`fast` is the default engine of C4.5, `literal` follows release 8 step by step, `generic` takes any criterion
and kind of split, `oblique` adds weighted sums of attributes to it. What they share stands here.
"""

from trees.growth.tree import LEAF, NOMINAL, NUMERIC, SUBSET, Tree

__all__ = ["LEAF", "NOMINAL", "NUMERIC", "SUBSET", "Tree"]
