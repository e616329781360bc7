# mypy: allow-untyped-defs, no-check-untyped-defs
"""Random numbers inside kernels: xoshiro256++ on a state array, and splitmix64 to derive numbers from one.

Blackman and Vigna, "Scrambled linear pseudorandom number generators", ACM TOMS 47 (2021); Steele, Lea and
Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014.
"""

import numpy as np

from trees.jit import kernel

__all__ = ["below", "integer", "next_word", "splitmix64", "uniform", "unit"]

_GAMMA = np.uint64(0x9E3779B97F4A7C15)
_MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX_2 = np.uint64(0x94D049BB133111EB)
_LOW = np.uint64(0xFFFFFFFF)
_HALF = np.uint64(32)


@kernel
def splitmix64(key, index):
    """Return number `index` (int64, from 0) of the splitmix64 sequence that starts at `key` (uint64)."""
    word = key + (np.uint64(index) + np.uint64(1)) * _GAMMA
    word = (word ^ (word >> np.uint64(30))) * _MIX_1
    word = (word ^ (word >> np.uint64(27))) * _MIX_2
    return word ^ (word >> np.uint64(31))


@kernel
def next_word(state):
    """Return the next 64 random bits and advance `state` (uint64[4], written)."""
    a, b, c, d = state[0], state[1], state[2], state[3]
    total = a + d
    word = ((total << np.uint64(23)) | (total >> np.uint64(41))) + a
    shifted = b << np.uint64(17)
    c ^= a
    d ^= b
    state[1] = b ^ c
    state[0] = a ^ d
    state[2] = c ^ shifted
    state[3] = (d << np.uint64(45)) | (d >> np.uint64(19))
    return word


@kernel
def below(word, bound):
    """Return an integer in [0, bound), the high half of word * bound (both uint64): uniform to 2**-64."""
    word_low, word_high = word & _LOW, word >> _HALF
    bound_low, bound_high = bound & _LOW, bound >> _HALF
    low = word_low * bound_low
    middle = word_high * bound_low + (low >> _HALF)
    other = word_low * bound_high + (middle & _LOW)
    return word_high * bound_high + (middle >> _HALF) + (other >> _HALF)


@kernel
def integer(state, bound):
    """Return a random int64 in [0, bound), for bound >= 1, and advance `state` (uint64[4], written)."""
    return np.int64(below(next_word(state), np.uint64(bound)))


@kernel
def unit(word):
    """Return the float64 in [0, 1) that the upper 53 bits of a uint64 stand for, a multiple of 2**-53."""
    return np.float64(word >> np.uint64(11)) * 1.1102230246251565e-16


@kernel
def uniform(state):
    """Return a random float64 in [0, 1), a multiple of 2**-53, and advance `state` (uint64[4], written)."""
    return unit(next_word(state))
