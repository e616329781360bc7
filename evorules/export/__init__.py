"""Models written for other programs."""

from evorules.export.dot import to_dot

__all__ = ["to_dot"]
