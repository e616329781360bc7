"""Cutting numbers into intervals as a step of a scikit-learn pipeline."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Self

import numpy as np
import numpy.typing as npt
from sklearn.base import OneToOneFeatureMixin, TransformerMixin
from sklearn.utils import Tags
from sklearn.utils.validation import check_is_fitted

from trees.discretize.by_name import DiscretizerCheck, make_discretizer
from trees.discretize.cuts import Cuts, Discretizer
from trees.errors import DataError
from trees.frames import as_input, read_training
from trees.table import Table
from trees.table_input import TableInput
from trees.validation import Check, Choice

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["IntervalDiscretizer"]


class IntervalDiscretizer(OneToOneFeatureMixin, TransformerMixin, TableInput):
    """Replace the numbers of a table by intervals learnt in fit; nominal columns stay.

    In a pipeline the cut points of every fold are learnt on its training rows only.

    Parameters
    ----------
    method : str or Discretizer, default="mdlp"
        "mdlp" (class entropy, Fayyad and Irani), "lucs_kdd" (classes of buckets), "equal_width",
        "equal_frequency", or a configured object such as ``EqualWidth(5)``.
    encode : {"codes", "labels"}, default="codes"
        "codes": an array of the positions of intervals and values, NaN for missing cells. "labels": a
        DataFrame of categories such as ``(30, 60.5]``, for classifiers that read nominal columns.
    nominal : list of str or int, optional
        Columns to read as nominal whatever they hold.
    unknown : {"missing", "error"}, default="missing"
        What to do in transform with a category not seen in fit.

    Attributes
    ----------
    cuts_ : Cuts
        The cut points, which turn back into conditions.
    schema_ : Schema
        Attributes of the training table.

    Examples
    --------
    >>> import pandas as pd
    >>> frame = pd.DataFrame({"age": [20, 25, 31, 44, 52, 67], "sex": ["f", "m", "m", "f", "f", "m"]})
    >>> discretizer = IntervalDiscretizer("equal_frequency", encode="labels").fit(frame)
    >>> discretizer.transform(frame)["age"].cat.categories[0]
    '(-inf, 22.5]'
    """

    _parameters: ClassVar[Mapping[str, Check]] = {
        "method": DiscretizerCheck(),
        "encode": Choice(("codes", "labels")),
    }
    cuts_: Cuts

    def __init__(
        self,
        method: str | Discretizer = "mdlp",
        *,
        encode: Literal["codes", "labels"] = "codes",
        nominal: list[str | int] | None = None,
        unknown: Literal["missing", "error"] = "missing",
    ) -> None:
        self.method = method
        self.encode = encode
        self.nominal = nominal
        self.unknown = unknown

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Learn the cut points.

        Parameters
        ----------
        X : DataFrame, ndarray, list of rows or Table
            Attribute values, as for every classifier here.
        y : array-like of shape (n_rows,), optional
            Class labels; "mdlp" and "lucs_kdd" need them.
        sample_weight : array-like of shape (n_rows,), optional
            Weights of at least 0.

        Returns
        -------
        self
            The fitted transformer.

        Raises
        ------
        ParameterError
            For a parameter that is not what it must be.
        DataError
            For data that cannot be used, and for absent classes where they are needed.
        """
        self._check_parameters()
        X, y = as_input(X), as_input(y)
        needs_classes = self.__sklearn_tags__().target_tags.required
        if isinstance(X, Table):
            table = X
        else:
            if y is None and needs_classes:
                raise DataError(
                    f"{type(self).__name__} with method {self.method!r} requires y to be passed, but the "
                    "target y is None. Without classes use 'equal_width' or 'equal_frequency'."
                )
            table, _ = read_training(X, y, sample_weight=sample_weight, nominal=self.nominal)
        self.schema_ = table.schema
        self._keep_feature_names(X)
        self.cuts_ = make_discretizer(self.method).fit(table)
        return self

    def transform(self, X: Any) -> npt.NDArray[np.float64] | pd.DataFrame:
        """Return rows with intervals in place of numbers.

        Parameters
        ----------
        X : DataFrame, ndarray, list of rows or Table
            A DataFrame's columns are matched by name.

        Returns
        -------
        ndarray of shape (n_rows, n_attributes), float64, or DataFrame
            As `encode` says. Numbers beyond those of fit fall into the outer intervals.
        """
        check_is_fitted(self, "cuts_")
        cut = self.cuts_.apply(self._encode(X))
        if self.encode == "codes":
            return cut.X
        frame = cut.to_frame()
        index = getattr(as_input(X), "index", None)
        return frame if index is None or callable(index) else frame.set_axis(index)

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = self.method in ("mdlp", "lucs_kdd")
        return tags
