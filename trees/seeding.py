"""Random streams: one 64-bit root per fit, and from it independent streams named by keys.

No function here reads or changes the global generators of Python and NumPy.
"""

from __future__ import annotations

import hashlib
from numbers import Integral
from typing import Any

import numpy as np
import numpy.typing as npt

from trees.errors import ParameterError

__all__ = ["generator", "root_seed", "stream_state"]

_WORDS = 1 << 64
_MASK = _WORDS - 1
_GAMMA = 0x9E3779B97F4A7C15


def root_seed(random_state: Any = None) -> int:
    """Return the 64-bit number from which all random streams of one fit are derived.

    Parameters
    ----------
    random_state : None, int, numpy.random.RandomState or numpy.random.Generator
        None takes entropy from the operating system. An int of at least 0 always gives the same root. From
        a generator one number is drawn, which advances it, so that two fits with it differ.

    Returns
    -------
    int
        In [0, 2**64).

    Raises
    ------
    ParameterError
        For anything else, also for the modules `random` and `numpy.random`, whose state is global.

    Examples
    --------
    >>> root_seed(7), root_seed(np.random.default_rng(7)) == root_seed(np.random.default_rng(7))
    (7, True)
    """
    if random_state is None:
        return int(np.random.SeedSequence().generate_state(1, np.uint64)[0])
    if isinstance(random_state, Integral) and not isinstance(random_state, bool):
        number = int(random_state)
        if number >= 0:
            return _word(number)
    if isinstance(random_state, np.random.RandomState):
        return int(random_state.randint(0, _WORDS, dtype=np.uint64))
    if isinstance(random_state, np.random.Generator):
        return int(random_state.integers(0, _WORDS, dtype=np.uint64))
    raise ParameterError(
        "random_state must be None, an int of at least 0, a numpy.random.RandomState or a "
        f"numpy.random.Generator. Got {random_state!r} instead."
    )


def stream_state(
    root: int, stage: int | str, disjunct: int = 0, cls: int = 0, repeat: int = 0
) -> npt.NDArray[np.uint64]:
    """Return the state of a xoshiro256++ generator for one run of the genetic algorithm.

    Streams with different keys are independent, whatever the order in which they are asked for: so a result
    does not depend on how runs are spread over threads or processes.

    Parameters
    ----------
    root : int
        What `root_seed` returned.
    stage : int or str
        The part of the fit, such as "ga-small".
    disjunct, cls, repeat : int
        Small disjunct (or rule list), class code, and number of the run.

    Returns
    -------
    ndarray of shape (4,), uint64
        A fresh array; the kernels advance it in place.

    Examples
    --------
    >>> a, b = stream_state(7, "ga-small", 3, 1, 0), stream_state(7, "ga-small", 3, 1, 1)
    >>> bool((a == stream_state(7, "ga-small", 3, 1, 0)).all()), bool((a == b).any())
    (True, False)
    """
    word = _mix(root & _MASK)
    for key in (stage, disjunct, cls, repeat):
        word = _mix((word ^ _mix(_word(key) + _GAMMA)) + _GAMMA)
    return np.array([_mix(word + i * _GAMMA) for i in range(1, 5)], dtype=np.uint64)


def generator(root: int, *keys: int | str) -> np.random.Generator:
    """Return the NumPy generator of the stream with some keys, for code that is not compiled.

    Examples
    --------
    >>> generator(7, "folds", 0).random() == generator(7, "folds", 0).random()
    True
    """
    return np.random.default_rng([root, *(_word(key) for key in keys)])


def _word(key: int | str) -> int:
    """Return a key as a number in [0, 2**64); whole numbers in that range stand for themselves."""
    if not isinstance(key, str) and 0 <= key < _WORDS:
        return int(key)
    return int.from_bytes(hashlib.blake2b(str(key).encode(), digest_size=8).digest(), "little")


def _mix(word: int) -> int:
    """Scramble a number in [0, 2**64) one to one: the output function of splitmix64."""
    word &= _MASK
    word = ((word ^ (word >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
    word = ((word ^ (word >> 27)) * 0x94D049BB133111EB) & _MASK
    return word ^ (word >> 31)
