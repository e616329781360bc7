"""Growing a tree: the node arrays and the split searches."""

from trees.growth.tree import LEAF, NOMINAL, NUMERIC, SUBSET, Tree

__all__ = ["LEAF", "NOMINAL", "NUMERIC", "SUBSET", "Tree"]
