"""Uniform random numbers in order: NumPy's, or the sequence that the original program drew."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from trees.seeding import generator

__all__ = ["Draws", "glibc_draws", "seeded_draws"]

Floats = npt.NDArray[np.float64]


class Draws:
    """Numbers in [0, 1) that can be looked at before they are used up.

    Parameters
    ----------
    make : callable
        Takes a count and returns that many further numbers.
    """

    def __init__(self, make: Callable[[int], Floats]) -> None:
        self._make = make
        self._ahead = np.empty(0)

    def peek(self, n: int) -> Floats:
        """Return the next n numbers, which stay to be drawn."""
        if len(self._ahead) < n:
            self._ahead = np.concatenate([self._ahead, self._make(n - len(self._ahead))])
        return self._ahead[:n]

    def skip(self, n: int) -> None:
        """Use up the next n numbers."""
        self.peek(n)
        self._ahead = self._ahead[n:]

    def take(self, n: int) -> Floats:
        """Return the next n numbers and use them up."""
        numbers = self.peek(n)
        self.skip(n)
        return numbers


def seeded_draws(root: int) -> Draws:
    """Return numbers of NumPy's generator in the stream of the rules generator.

    Parameters
    ----------
    root : int
        What `trees.seeding.root_seed` returned.
    """
    return Draws(generator(root, "c45rules").random)


def glibc_draws() -> Draws:
    """Return the numbers of glibc's random() with seed 1, divided by 2**31.

    The original never seeds its generator, so this is its sequence wherever it ran with glibc.

    Notes
    -----
    specs: C4.5 section 10.

    Examples
    --------
    >>> glibc_draws().take(2) * 2**31
    array([1.80428938e+09, 8.46930886e+08])
    """
    from trees.rulegen._kernels_glibc import fill, seed

    state = np.empty(31, dtype=np.uint32)
    seed(state)

    def make(n: int) -> Floats:
        numbers = np.empty(n)
        fill(state, numbers)
        return numbers

    return Draws(make)
