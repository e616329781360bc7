"""The one place that imports the compiler.

Only modules named ``_kernels*.py`` import this file, and those modules are imported inside functions, so
that ``import trees`` and ``import evorules`` never load numba.
"""

from __future__ import annotations

import os
import pickle
import sys
from collections.abc import Callable
from typing import Any

from numba import njit
from numba.core.caching import FunctionCache

__all__ = ["kernel"]


class _Cache(FunctionCache):
    """Numba's cache on disk, safe against changes that Numba does not see.

    Numba stamps a cached function with the time and size of its own file. A kernel contains the code of the
    kernels that it calls, which may live in other files: their stamps count here too. And an entry written
    by an older release may name a class that is gone: it is discarded.
    """

    def __init__(self, function: Callable[..., Any]) -> None:
        super().__init__(function)
        self._cache_file._source_stamp = _stamps(function.__module__)

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Return the compiled form of a signature, None if there is none that can be used."""
        try:
            return super().load_overload(sig, target_context)
        except (AttributeError, ImportError, IndexError, KeyError, TypeError, ValueError, EOFError):
            self.flush()
        except pickle.UnpicklingError:
            self.flush()
        return None


def _stamps(module: str) -> tuple[tuple[str, float, int], ...]:
    """Return name, time and size of the files of a kernel module and of those whose kernels it uses."""
    found: dict[str, tuple[str, float, int]] = {}
    waiting = [module]
    while waiting:
        name = waiting.pop()
        loaded = sys.modules.get(name)
        path = getattr(loaded, "__file__", None)
        if name in found or path is None:
            continue
        status = os.stat(path)
        found[name] = (name, status.st_mtime, status.st_size)
        for value in list(vars(loaded).values()):
            used = getattr(getattr(value, "py_func", None), "__module__", None)
            if used is not None:
                waiting.append(used)
    return tuple(sorted(found.values()))


def kernel(function: Callable[..., Any]) -> Any:
    """Compile a function to a kernel: releases the GIL, is cached on disk, divides by zero as NumPy does."""
    compiled: Any = njit(nogil=True, error_model="numpy")(function)
    if hasattr(compiled, "enable_caching"):
        compiled._cache = _Cache(function)
    return compiled
