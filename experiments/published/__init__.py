"""Published numbers as CSV files, transcribed from the papers."""

from __future__ import annotations

from pathlib import Path

import pandas as pd

__all__ = ["published"]

FOLDER = Path(__file__).parent


def published(name: str) -> pd.DataFrame:
    """Return a table of a paper.

    Parameters
    ----------
    name : str
        File name without ending, as in ``004_hybrid_summary``.
    """
    return pd.read_csv(FOLDER / f"{name}.csv")
