"""The one place that imports the compiler.

Only modules named ``_kernels*.py`` import this file, and those modules are imported inside functions, so
that ``import trees`` and ``import evorules`` never load numba.
"""

from numba import njit

kernel = njit(nogil=True, cache=True, error_model="numpy")
"""Compile a function to a kernel: releases the GIL, is cached on disk, divides by zero as NumPy does."""

__all__ = ["kernel"]
