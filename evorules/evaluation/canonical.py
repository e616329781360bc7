"""One text for all that determines a result: parameters as canonical JSON, with the versions of the code."""

from __future__ import annotations

import hashlib
import inspect
import json
import math
import sys
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import cache
from typing import Any

import numpy as np

from evorules import __version__
from trees.errors import ParameterError

__all__ = ["canonical_json", "describe", "versions"]

OURS = ("trees", "evorules", "experiments")


def canonical_json(value: Any) -> str:
    """Return JSON with sorted keys and no blanks: equal values give equal text."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), allow_nan=False)


@cache
def versions() -> dict[str, str]:
    """Return the versions that every result depends on."""
    import sklearn

    return {"numpy": np.__version__, "scikit-learn": sklearn.__version__, "evorules": __version__}


def describe(value: Any, where: str = "the learner") -> Any:
    """Return a value in JSON, nested estimators spelled out with class, version and parameters.

    Parameters
    ----------
    value : object
        An estimator, or whatever a parameter may hold: numbers, texts, lists, dicts, arrays, classes and
        functions of modules, dataclasses, scikit-learn's splitters and selectors.
    where : str
        For the message.

    Raises
    ------
    ParameterError
        For what cannot be written so that equal text means equal behaviour: lambdas, functions in functions,
        random generators, other objects.
    """
    if value is None or isinstance(value, bool | str):
        return value
    if isinstance(value, np.generic):
        return describe(value.item(), where)
    if isinstance(value, int):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else {"float": repr(value)}
    if isinstance(value, list | tuple):
        return {type(value).__name__: [describe(item, f"{where}[{i}]") for i, item in enumerate(value)]}
    if isinstance(value, Mapping):
        pairs = [[describe(k, where), describe(v, f"{where}[{k!r}]")] for k, v in value.items()]
        return {"dict": sorted(pairs, key=canonical_json)}
    if isinstance(value, set | frozenset):
        return {"set": sorted((describe(item, where) for item in value), key=canonical_json)}
    if isinstance(value, np.ndarray) and value.dtype != object:
        digest = hashlib.sha256(np.ascontiguousarray(value).tobytes()).hexdigest()
        return {"array": [value.dtype.str, list(value.shape), digest]}
    if isinstance(value, type | np.ufunc) or inspect.isroutine(value):
        return {"code": _code(value, where)}
    return _object(value, where)


def _object(value: Any, where: str) -> dict[str, Any]:
    """Return an object by its class and what it holds."""
    cls = type(value)
    if hasattr(value, "get_params"):
        params = value.get_params(deep=False)
        # a parameter that a class got later, and does not use, leaves the keys of older results as they are
        later = {k: v for k, v in getattr(cls, "added_parameters", {}).items() if params.get(k) == v}
        used = sorted(params.keys() - later.keys())
        content = {name: describe(params[name], f"{where}.{name}") for name in used}
        return {"estimator": _code(cls, where), "params": content}
    if isinstance(value, Enum):
        return {"enum": _code(cls, where), "name": value.name}
    if is_dataclass(value):
        held = {field.name: getattr(value, field.name) for field in fields(value)}
    elif cls.__module__.split(".")[0] == "sklearn":
        held = dict(vars(value))
    else:
        raise _not_writable(value, where)
    content = {name: describe(item, f"{where}.{name}") for name, item in sorted(held.items())}
    return {"object": _code(cls, where), "holds": content}


def _code(value: Any, where: str) -> list[Any]:
    """Return where a class or function lives and which version of it."""
    name = getattr(value, "__qualname__", getattr(value, "__name__", ""))
    module = getattr(value, "__module__", None) or ("numpy" if isinstance(value, np.ufunc) else "builtins")
    if "<" in name or not name:
        raise _not_writable(value, where)
    return [f"{module}:{name}", _version(value, module, where)]


def _version(value: Any, module: str, where: str) -> Any:
    """Return the class's algorithm_version, else the package's version, else a hash of the source."""
    declared = getattr(value, "algorithm_version", None)
    if isinstance(declared, int):
        return declared
    package = module.split(".")[0]
    if package in OURS or package in ("builtins", "numpy", "sklearn"):
        return None  # these versions are part of every key
    version = getattr(sys.modules.get(package), "__version__", None)
    if isinstance(version, str):
        return version
    try:
        source = inspect.getsource(value)
    except (OSError, TypeError):
        raise ParameterError(
            f"{where} uses {module}:{getattr(value, '__qualname__', value)}, of which neither a version "
            "nor the source is known. Give the class an 'algorithm_version', to be raised with every change."
        ) from None
    return hashlib.sha256(source.encode()).hexdigest()


def _not_writable(value: Any, where: str) -> ParameterError:
    return ParameterError(
        f"{where} holds {value!r}, which cannot be written down, so its results could not be told from "
        "those of another learner. Use numbers, texts, estimators, and functions or classes of a module."
    )
