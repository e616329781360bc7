"""The compiled functions of the genetic algorithm, loaded when they are first needed."""

from __future__ import annotations

from functools import cache
from types import SimpleNamespace

__all__ = ["kernels"]


@cache
def kernels() -> SimpleNamespace:
    """Return all kernels by name; the compiler is loaded at the first call.

    The operators call it many times per run, for which an import statement would be too slow.
    """
    from evorules.evolution import (
        _kernels_conditions,
        _kernels_evaluation,
        _kernels_fused,
        _kernels_gain,
        _kernels_genes,
        _kernels_operators,
    )

    modules = (
        _kernels_conditions,
        _kernels_evaluation,
        _kernels_fused,
        _kernels_gain,
        _kernels_genes,
        _kernels_operators,
    )
    return SimpleNamespace(**{name: getattr(module, name) for module in modules for name in module.__all__})
