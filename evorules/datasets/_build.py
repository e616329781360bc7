"""What the generators share: nominal columns from value codes, complete attribute spaces."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

Ints = npt.NDArray[np.int64]
Domains = Mapping[str, Sequence[str]]
BITS = ("0", "1")


def complete_space(sizes: Sequence[int]) -> Ints:
    """Return all combinations of value codes in counting order, the last attribute fastest.

    Returns
    -------
    ndarray of shape (n_rows, n_attributes), int64
        `n_rows` is the product of `sizes`, the numbers of values.
    """
    return np.indices(tuple(sizes), dtype=np.int64).reshape(len(sizes), -1).T


def nominal_frame(codes: npt.NDArray[np.integer[Any]], domains: Domains) -> pd.DataFrame:
    """Return columns of categories; `codes` of shape (n_rows, n_attributes) are positions in the domains."""
    columns = {
        name: pd.Categorical.from_codes(codes[:, a], categories=pd.Index(list(values)))
        for a, (name, values) in enumerate(domains.items())
    }
    return pd.DataFrame(columns)


def classes(codes: npt.NDArray[np.integer[Any]], values: Sequence[str]) -> pd.Series:
    """Return the class column from codes of shape (n_rows,), which are positions in `values`."""
    return pd.Series(pd.Categorical.from_codes(codes, categories=pd.Index(list(values))), name="class")


def bit_domains(prefix: str, n: int, first: int = 1) -> dict[str, Sequence[str]]:
    """Return the domains of `n` attributes that are 0 or 1, named by prefix and number."""
    return {f"{prefix}{number}": BITS for number in range(first, first + n)}
