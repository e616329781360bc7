"""Learn rules people can read: trees, genetic algorithms for small disjuncts, association."""

__version__ = "0.1.0"
__all__ = ["__version__"]
