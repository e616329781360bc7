"""What every estimator does with its input: checks, names of columns, encoding with the schema of fit."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator
from sklearn.utils import Tags
from sklearn.utils.validation import check_is_fitted

from trees.frames import as_input, column_names, encode_rows
from trees.schema import Schema
from trees.table import Table
from trees.validation import AnyOf, Boolean, Check, Choice, Columns, check_parameters

__all__ = ["TableInput"]


class TableInput(BaseEstimator):
    """Base of all estimators: declared parameters, remembered names of columns, one encoding."""

    _parameters: ClassVar[Mapping[str, Check]] = {}
    _shared_parameters: ClassVar[Mapping[str, Check]] = {
        "nominal": AnyOf((Choice((None,)), Columns())),
        "unknown": Choice(("missing", "error")),
        "verbose": Boolean(),
    }

    schema_: Schema
    n_features_in_: int
    feature_names_in_: npt.NDArray[Any]

    def _check_parameters(self) -> None:
        declared = {**self._shared_parameters, **self._parameters}
        check_parameters(type(self).__name__, declared, self.get_params(deep=False))

    def _keep_feature_names(self, X: Any) -> None:
        self.n_features_in_ = self.schema_.n_attributes
        if hasattr(self, "feature_names_in_"):
            del self.feature_names_in_
        columns = X.schema.names if isinstance(X, Table) else column_names(X)
        self._by_name = columns is not None
        if columns is not None and all(isinstance(name, str) for name in columns):
            self.feature_names_in_ = np.array(columns, dtype=object)

    def _encode(self, X: Any) -> Table:
        """Encode rows for prediction with the schema of fit."""
        check_is_fitted(self, "schema_")
        unknown: Any = getattr(self, "unknown", "missing")
        check_parameters(type(self).__name__, self._shared_parameters, {"unknown": unknown})
        if isinstance(X, Table):
            return encode_rows(X, self.schema_)
        X = as_input(X)
        self._warn_of_names(column_names(X))
        owner = type(self).__name__
        return encode_rows(X, self.schema_, unknown=unknown, by_name=self._by_name, owner=owner)

    def _warn_of_names(self, columns: list[Any] | None) -> None:
        named = hasattr(self, "feature_names_in_")
        has_names = columns is not None and all(isinstance(name, str) for name in columns)
        owner = type(self).__name__
        if named and columns is None:
            warnings.warn(
                f"X does not have valid feature names, but {owner} was fitted with feature names",
                UserWarning,
                stacklevel=4,
            )
        elif has_names and not named:
            warnings.warn(
                f"X has feature names, but {owner} was fitted without feature names",
                UserWarning,
                stacklevel=4,
            )

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.string = True
        tags.input_tags.categorical = True
        return tags
