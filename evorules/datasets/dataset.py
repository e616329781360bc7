"""What every reader and generator of this package returns."""

from __future__ import annotations

from dataclasses import dataclass

import pandas as pd

__all__ = ["Dataset"]


@dataclass(frozen=True, eq=False, repr=False)
class Dataset:
    """A table with its class column apart, ready for ``fit(data.X, data.y)``.

    Parameters
    ----------
    name : str
        Name of the data set; for a file, its name without folder and extensions.
    X : DataFrame of shape (n_rows, n_attributes)
        Numeric columns as integers or floats (NaN where missing). Nominal columns as categories if the
        source declares their values (then in declared order), else as text (None or NaN where missing).
    y : Series of shape (n_rows,), or None
        The class column, as a nominal column; None if no class column was named.
    description : str
        One line.

    Examples
    --------
    >>> from evorules.datasets import load
    >>> load("xor")
    <Dataset 'xor': 160 rows, 2 attributes, class 'class' with 2 values>
    >>> load("xor").to_frame().iloc[40].to_dict()
    {'X1': '0', 'X2': '1', 'class': '1'}
    """

    name: str
    X: pd.DataFrame
    y: pd.Series | None
    description: str = ""

    def __repr__(self) -> str:
        text = f"<Dataset {self.name!r}: {len(self.X)} rows, {self.X.shape[1]} attributes"
        if self.y is None:
            return f"{text}, no class>"
        return f"{text}, class {self.y.name!r} with {self.y.nunique()} values>"

    def to_frame(self) -> pd.DataFrame:
        """Return attributes and class in one DataFrame, the class as the last column."""
        return self.X.copy() if self.y is None else pd.concat([self.X, self.y], axis=1)
