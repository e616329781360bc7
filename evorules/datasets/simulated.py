"""Tables drawn from a distribution: the LED display and the waveforms.

Both are from Breiman, Friedman, Olshen & Stone (1984), "Classification and regression trees", chapter 2.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pandas as pd

from evorules.datasets._build import bit_domains, classes, nominal_frame

__all__ = ["led", "waveform"]

# Segments: top, upper left, upper right, middle, lower left, lower right, bottom.
SEGMENTS = np.array(
    [
        [1, 1, 1, 0, 1, 1, 1],
        [0, 0, 1, 0, 0, 1, 0],
        [1, 0, 1, 1, 1, 0, 1],
        [1, 0, 1, 1, 0, 1, 1],
        [0, 1, 1, 1, 0, 1, 0],
        [1, 1, 0, 1, 0, 1, 1],
        [1, 1, 0, 1, 1, 1, 1],
        [1, 0, 1, 0, 0, 1, 0],
        [1, 1, 1, 1, 1, 1, 1],
        [1, 1, 1, 1, 0, 1, 1],
    ]
)


def led(
    irrelevant: int, *, n_rows: int = 3200, noise: float = 0.1, rng: np.random.Generator
) -> tuple[pd.DataFrame, pd.Series]:
    """Return digits on a faulty seven-segment display.

    Parameters
    ----------
    irrelevant : int
        Number of attributes that follow the seven and are 0 or 1 with probability one half.
    n_rows : int
        At least 1.
    noise : float
        Probability in [0, 1] with which each segment is inverted, independently of the others. With 0.1 no
        classifier is right in more than about 74 % of the cases.
    rng : numpy.random.Generator
        Of the draws.
    """
    digit = rng.integers(0, 10, size=n_rows)
    shown = SEGMENTS[digit] ^ (rng.random((n_rows, 7)) < noise)
    codes = np.hstack([shown, rng.integers(0, 2, size=(n_rows, irrelevant))])
    domains = bit_domains("seg", 7) | bit_domains("irr", irrelevant)
    return nominal_frame(codes, domains), classes(digit, tuple("0123456789"))


def waveform(
    *, n_attributes: int = 21, n_rows: int = 5000, rng: np.random.Generator
) -> tuple[pd.DataFrame, pd.Series]:
    """Return noisy mixtures of two of three triangular waves; which two is the class.

    Parameters
    ----------
    n_attributes : {21, 40}
        The last 19 of 40 are noise.
    n_rows : int
        At least 1.
    rng : numpy.random.Generator
        Of the draws.

    Notes
    -----
    Class 0 mixes the waves with peaks at 15 and 7, class 1 those at 11 and 7, class 2 those at 11 and 15, and
    values are rounded to two decimals, as in the distributed file. No classifier is right in more than about
    86 % of the cases.
    """
    first = np.array([_wave(15), _wave(11), _wave(11)])
    second = np.array([_wave(7), _wave(7), _wave(15)])
    label = rng.integers(0, 3, size=n_rows)
    share = rng.random((n_rows, 1))
    cells = rng.standard_normal((n_rows, n_attributes))
    cells[:, :21] += share * first[label] + (1 - share) * second[label]
    frame = pd.DataFrame(cells.round(2), columns=[f"x{number}" for number in range(1, n_attributes + 1)])
    return frame, classes(label, ("0", "1", "2"))


def _wave(peak: int) -> npt.NDArray[np.float64]:
    return np.maximum(6.0 - np.abs(np.arange(1, 22) - peak), 0.0)
