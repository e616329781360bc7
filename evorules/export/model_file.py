"""Model files: JSON that is versioned, and that loads without running any code of the file's."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from sklearn.base import BaseEstimator

from evorules.learners import LEARNERS
from trees.discretize import DISCRETIZERS
from trees.errors import ModelFileError, ParameterError
from trees.estimator import TableClassifier
from trees.validation import check_parameters

__all__ = [
    "FORMAT",
    "VERSION",
    "check_storable",
    "load_model",
    "model_from_dict",
    "model_to_dict",
    "read_record",
    "save_model",
]

FORMAT = "evorules-model"
VERSION = 1


def model_to_dict(model: TableClassifier) -> dict[str, Any]:
    """Return a fitted model as a JSON-ready dictionary.

    Raises
    ------
    ModelFileError
        For a class that is not in the registry, or a parameter that JSON cannot hold.
    """
    from evorules import __version__

    return {
        "format": FORMAT,
        "version": VERSION,
        "evorules": __version__,
        "learner": _part_to_dict(model, "model"),
        "model": model.to_dict(),
    }


def model_from_dict(record: dict[str, Any]) -> TableClassifier:
    """Return the model that `model_to_dict` described; only classes of the registry are ever made.

    Raises
    ------
    ModelFileError
        For anything else than a model of a version up to this one's.
    """
    if not isinstance(record.get("version"), int) or record["version"] > VERSION:
        raise ModelFileError(
            f"The model file has version {record.get('version')!r}; this release reads up to {VERSION}. "
            "Update evorules, or save the model again with this release."
        )
    try:
        model = _part_from_dict(record["learner"])
        if not isinstance(model, TableClassifier):
            raise ModelFileError(f"The model file names {type(model).__name__}, which is no classifier.")
        return model.restore(record["model"])
    except (KeyError, IndexError, TypeError, AttributeError, ValueError, OverflowError) as error:
        if isinstance(error, ModelFileError):
            raise
        raise ModelFileError(f"The model file is damaged: {type(error).__name__}: {error}") from error


def check_storable(model: TableClassifier) -> None:
    """Raise `ModelFileError` for a model, fitted or not, that could not be written to a file."""
    from evorules.hybrids.classifier import AnyClassifier

    _part_to_dict(model, "model")
    handler = getattr(model, "handler", None)
    if handler == "classifier" or isinstance(handler, AnyClassifier):
        AnyClassifier().to_dict()


def save_model(
    model: TableClassifier, path: str | os.PathLike[str], *, reader: dict[str, Any] | None = None
) -> None:
    """Write a fitted model to a file; a file that is there is replaced only once the new one is complete.

    Parameters
    ----------
    model : TableClassifier
        A fitted model.
    path : str or path
        The file.
    reader : dict, optional
        How the training file was read (`read_csv`'s parameters), kept beside the model for later rows.
    """
    target = Path(path)
    record = {**model_to_dict(model), "reader": reader or {}}
    text = json.dumps(record, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    partial = target.with_name(f".{target.name}.{os.getpid()}.partial")
    try:
        partial.write_text(text + "\n", encoding="utf-8")
        partial.replace(target)
    finally:
        partial.unlink(missing_ok=True)


def load_model(path: str | os.PathLike[str]) -> TableClassifier:
    """Read a model file; only classes of the registry are ever made, and no code of the file's runs.

    Raises
    ------
    ModelFileError
        For a file that is not a model file; the message names the file.
    """
    try:
        return model_from_dict(read_record(path))
    except ModelFileError as error:
        raise ModelFileError(f"{path}: {error}") from error


def read_record(path: str | os.PathLike[str]) -> dict[str, Any]:
    """Return what a model file holds, without making a model of it."""
    try:
        record = json.loads(Path(path).read_text(encoding="utf-8"))
    except (json.JSONDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise ModelFileError(f"this is not a model file: {error}") from error
    if not isinstance(record, dict) or record.get("format") != FORMAT:
        raise ModelFileError(f"this is not a model file: it lacks the mark {FORMAT!r}.")
    reader = record.setdefault("reader", {})
    if not isinstance(reader, dict) or not all(
        _READER.get(key, _nothing)(value) for key, value in reader.items()
    ):
        raise ModelFileError(f"the model file is damaged: it cannot have been read with {reader!r}.")
    return record


def _nothing(value: Any) -> bool:
    return False


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


_READER: dict[str, Callable[[Any], bool]] = {
    "missing": lambda value: isinstance(value, list) and all(map(_is_text, value)),
    "delimiter": _is_text,
    "decimal": _is_text,
    "thousands": lambda value: value is None or _is_text(value),
    "encoding": _is_text,
    "trim": lambda value: isinstance(value, bool),
}
"""What a file may say of how its training rows were read."""


def _known_classes() -> dict[str, str]:
    """Return every class that a model file may name: class name -> "module:Class"."""
    from evorules.hybrids.small_disjuncts import HANDLERS

    paths = [learner.path for learner in LEARNERS.values()] + list(HANDLERS.values())
    return {path.split(":")[1]: path for path in paths}


def _part_to_dict(part: BaseEstimator, where: str) -> dict[str, Any]:
    name = type(part).__name__
    if name not in _known_classes():
        raise ModelFileError(
            f"{where} is a {name}, which is not in the registry and cannot be written to a file."
        )
    parameters = {}
    for parameter, value in part.get_params(deep=False).items():
        parameters[parameter] = _value_to_json(value, f"{where}.{parameter}")
    return {"class": name, "parameters": parameters}


def _value_to_json(value: Any, where: str) -> Any:
    if isinstance(value, BaseEstimator):
        return {"estimator": _part_to_dict(value, where)}
    if hasattr(value, "item") and not hasattr(value, "__len__"):
        value = value.item()
    if (
        value is None
        or isinstance(value, str | bool | int)
        or (isinstance(value, float) and math.isfinite(value))
    ):
        return value
    if isinstance(value, dict):
        return {
            "pairs": [
                [_value_to_json(key, where), _value_to_json(item, where)] for key, item in value.items()
            ]
        }
    if type(value) in DISCRETIZERS.values():
        return {"discretizer": type(value).__name__, "parameters": _value_to_json(vars(value), where)}
    if isinstance(value, list | tuple):
        return [_value_to_json(item, where) for item in value]
    if where.endswith(".random_state"):
        # a generator's state is spent by the fit: the fitted model does not depend on it any more
        return None
    raise ModelFileError(f"{where} = {value!r} cannot be written to a model file.")


def _value_from_json(value: Any) -> Any:
    if not isinstance(value, dict):
        return value
    if "discretizer" in value:
        made = {kind.__name__: kind for kind in DISCRETIZERS.values()}
        return made[value["discretizer"]](**_value_from_json(value["parameters"]))
    return _part_from_dict(value["estimator"]) if "estimator" in value else dict(value["pairs"])


def _part_from_dict(record: dict[str, Any]) -> BaseEstimator:
    from importlib import import_module

    known = _known_classes()
    if record["class"] not in known:
        raise ModelFileError(
            f"The model file names a class {record['class']!r} that this release does not know."
        )
    module, name = known[record["class"]].split(":")
    cls = getattr(import_module(module), name)
    parameters = {parameter: _value_from_json(value) for parameter, value in record["parameters"].items()}
    try:
        made: BaseEstimator = cls(**parameters)
        check_parameters(name, cls._parameters, made.get_params(deep=False))
    except (ParameterError, TypeError) as error:
        raise ModelFileError(f"The model file has parameters that {name} does not take: {error}") from error
    return made
