"""The scikit-learn classifier that every learner is: where data come in and labels go out."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from typing import Any, ClassVar, Self

import numpy as np
import numpy.typing as npt
from sklearn.base import ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from trees.decisions import Decisions
from trees.errors import DataError, DataWarning
from trees.frames import as_input, read_training, read_weights
from trees.schema import Schema
from trees.table import Table
from trees.table_input import TableInput

__all__ = ["TableClassifier"]


class TableClassifier(ClassifierMixin, TableInput):
    """Base of all classifiers: reads tables, keeps labels as they came, checks parameters at fit.

    A subclass stores its parameters in ``__init__``, declares them in `_parameters`, and implements
    `_fit(table)` and `_decide(table)`, which work on `Table` alone.

    Attributes
    ----------
    schema_ : Schema
        Attributes and classes of the training table.
    classes_ : ndarray of shape (n_classes,)
        Observed labels, sorted, of the type in which they came.
    n_features_in_ : int
        Number of attributes.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Column names, if fit got a DataFrame whose column names are strings.
    rules_ : RuleList
        The rules learnt.
    """

    algorithm_version: ClassVar[int] = 1
    """Raised by hand with every change of results: stored results of older code are then not used."""

    is_lazy: ClassVar[bool] = False
    """Whether rules are made only for a row to classify, so that `rules_` holds none to count."""

    classes_: npt.NDArray[Any]

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Learn from rows with classes.

        Parameters
        ----------
        X : DataFrame, ndarray, list of rows or Table
            Attribute values. Strings, categories and booleans are nominal, numbers numeric; NaN, None and
            pandas.NA are missing. A `Table` brings its classes, weights and encoding with it.
        y : array-like of shape (n_rows,)
            Labels of any type. Not given with a Table that has classes.
        sample_weight : array-like of shape (n_rows,), optional
            Weights of at least 0. A weight of 2 counts as the row twice, 0 as if it were not there.

        Returns
        -------
        self
            The fitted classifier.

        Raises
        ------
        ParameterError
            For the first parameter that is not what it must be.
        DataError
            For data that cannot be used, with the column and the way out.
        """
        self._check_parameters()
        X, y = as_input(X), as_input(y)
        table, labels = self._read_training(X, y, sample_weight)
        self.schema_ = table.schema
        self._keep_feature_names(X)
        codes = np.unique(table.classes)
        values = labels[codes]
        order = np.argsort(values, kind="stable")
        self.classes_, self._class_codes = values[order], codes[order].astype(np.int32)
        if len(codes) == 1:
            warnings.warn(
                f"The class is {self.schema_.classes[codes[0]]!r} in every row: "
                "the model can only ever predict it.",
                DataWarning,
                stacklevel=2,
            )
        _warn_of_identifiers(table)
        self._fit(table)
        return self

    def predict(self, X: Any) -> npt.NDArray[Any]:
        """Return the predicted label of every row.

        Parameters
        ----------
        X : DataFrame, ndarray, list of rows or Table
            A DataFrame's columns are matched by name.

        Returns
        -------
        ndarray of shape (n_rows,)
            Labels of the type that fit got.
        """
        return self.labels(self._predict_codes(self._encode(X)))

    def predict_proba(self, X: Any) -> npt.NDArray[np.float64]:
        """Return a probability for every class; `predict` returns the class with the greatest.

        Parameters
        ----------
        X : DataFrame, ndarray, list of rows or Table
            A DataFrame's columns are matched by name.

        Returns
        -------
        ndarray of shape (n_rows, n_classes)
            Columns in the order of `classes_`; rows sum to 1.
        """
        decisions = self._decide(self._encode(X))
        proba = decisions.scores[:, self._class_codes]
        if len(self._class_codes) < self.schema_.n_classes:
            # Laplace's shares may leave something to declared classes that no training row has
            proba = proba / proba.sum(axis=1, keepdims=True)
        # a tie was decided in class order, perhaps not the order of the columns: the label keeps the lead
        rows, columns = np.arange(len(proba)), self._columns(decisions.label)
        behind = np.argmax(proba, axis=1) != columns
        tied = behind & (proba[rows, columns] == proba.max(axis=1))
        proba[rows[tied], columns[tied]] = np.nextafter(proba[rows[tied], columns[tied]], 1)
        return proba

    def decide(self, X: Any) -> Decisions:
        """Return for every row the class code, its scores and the rule that decided.

        Parameters
        ----------
        X : DataFrame, ndarray, list of rows or Table
            A DataFrame's columns are matched by name.

        Returns
        -------
        Decisions
            Scores have a column per declared class, in class order (`schema_.classes`).
        """
        return self._decide(self._encode(X))

    def to_dict(self) -> dict[str, Any]:
        """Return the fitted model without its parameters, in a JSON-ready form."""
        check_is_fitted(self, "schema_")
        return {
            "schema": self.schema_.to_dict(),
            "labels": _labels_to_dict(self.classes_),
            "class_codes": self._class_codes.tolist(),
            "has_feature_names": hasattr(self, "feature_names_in_"),
            "by_name": self._by_name,
            "state": self._model_state(),
        }

    def restore(self, record: Mapping[str, Any]) -> Self:
        """Become the fitted model that `to_dict` described; runs no code of the record's.

        Raises
        ------
        DataError, KeyError, ValueError or TypeError
            For a record that is no model of this class.
        """
        self.schema_ = Schema.from_dict(record["schema"])
        self.classes_ = _labels_from_dict(record["labels"])
        self._class_codes = np.array(record["class_codes"], dtype=np.int32)
        if len(self._class_codes) != len(self.classes_) or not (
            np.all(self._class_codes >= 0) and np.all(self._class_codes < self.schema_.n_classes)
        ):
            raise DataError("The labels do not fit the classes of the schema.")
        self.n_features_in_ = self.schema_.n_attributes
        self._by_name = bool(record["by_name"])
        if record["has_feature_names"]:
            self.feature_names_in_ = np.array(self.schema_.names, dtype=object)
        self._restore(record["state"])
        return self

    def _model_state(self) -> dict[str, Any]:
        """Return what `_restore` needs beside the schema, JSON-ready."""
        raise TypeError(f"{type(self).__name__} cannot be written to a model file.")

    def _restore(self, state: Mapping[str, Any]) -> None:
        """Set the fitted attributes from what `_model_state` returned."""
        raise TypeError(f"{type(self).__name__} cannot be read from a model file.")

    def _fit(self, table: Table) -> None:
        """Learn from a table with classes; sets `rules_` and the attributes of the subclass."""
        raise TypeError(f"{type(self).__name__} is a base class: fit one of its subclasses.")

    def _decide(self, table: Table) -> Decisions:
        """Decide for the rows of a table encoded with `schema_`."""
        raise TypeError(f"{type(self).__name__} is a base class: fit one of its subclasses.")

    def _predict_codes(self, table: Table) -> npt.NDArray[np.int32]:
        """Return class codes only; a subclass may know a shorter way than deciding in full."""
        return self._decide(table).label

    def _read_training(self, X: Any, y: Any, sample_weight: Any) -> tuple[Table, npt.NDArray[Any]]:
        """Return the training table and the labels by class code."""
        if isinstance(X, Table):
            return self._read_training_table(X, y, sample_weight)
        if y is None:
            raise DataError(f"{type(self).__name__} requires y to be passed, but the target y is None.")
        return read_training(X, y, sample_weight=sample_weight, nominal=getattr(self, "nominal", None))

    def _read_training_table(self, table: Table, y: Any, weight: Any) -> tuple[Table, npt.NDArray[Any]]:
        if y is not None:
            raise DataError("A Table brings its own classes: pass y to Table.from_frame, not to fit.")
        if table.n_rows == 0:
            raise DataError("Found array with 0 sample(s): the table has no rows to learn from.")
        labels = _as_labels(table.schema.classes)
        table.classes  # noqa: B018  raises for a table without classes
        if weight is not None:
            weights = read_weights(weight, table.n_rows)
            kept = np.flatnonzero(weights > 0)
            table = table.take(kept).with_weight(weights[kept])
        return table, labels

    def labels(self, codes: npt.NDArray[np.int32]) -> npt.NDArray[Any]:
        """Return the labels of class codes, as `Decisions.label` holds them; both of shape (n_rows,)."""
        return self.classes_[self._columns(codes)]

    def _columns(self, codes: npt.NDArray[np.int32]) -> npt.NDArray[np.int64]:
        """Return the positions in `classes_` of class codes."""
        position = np.zeros(self.schema_.n_classes, dtype=np.int64)
        position[self._class_codes] = np.arange(len(self._class_codes))
        return position[codes]


def _labels_to_dict(labels: npt.NDArray[Any]) -> dict[str, Any]:
    """Return labels as plain values, with their NumPy type."""
    if labels.dtype.kind not in "biufUO":
        raise DataError(
            f"Labels of type {labels.dtype} cannot be written to a model file. Use text or numbers."
        )
    return {"dtype": labels.dtype.str, "values": labels.tolist()}


def _labels_from_dict(record: Mapping[str, Any]) -> npt.NDArray[Any]:
    dtype = np.dtype(record["dtype"])
    if dtype.kind not in "biufUO":
        raise DataError(f"Labels of type {dtype} cannot be read.")
    return np.array(record["values"], dtype=dtype)


def _warn_of_identifiers(table: Table, least: int = 20) -> None:
    """Warn of nominal attributes with a value of its own in every row, from which nothing can be learnt."""
    for a, attribute in enumerate(table.schema.attributes):
        if len(attribute.values) >= least:
            known = table.X[~np.isnan(table.X[:, a]), a]
            if len(known) >= least and len(np.unique(known)) == len(known):
                warnings.warn(
                    f"Attribute {attribute.name!r} has a value of its own in each of {len(known)} rows: it "
                    "looks like an identifier, from which nothing can be learnt. Leave it out.",
                    DataWarning,
                    stacklevel=3,
                )


def _as_labels(values: tuple[Any, ...]) -> npt.NDArray[Any]:
    """Return class values as an array; text as objects, as pandas gives it."""
    array = np.array(values)
    return np.array(values, dtype=object) if array.dtype.kind in "US" else array
