# mypy: allow-untyped-defs
"""glibc's random() with seed 1: additive feedback over the last 31 words (specification, section 10)."""

import numpy as np

from trees.jit import kernel

__all__ = ["fill", "seed"]

PRIME = 2147483647
WARM_UP = 310


@kernel
def step(state):
    """Return the next word and shift it into `state` (uint32[31], written; oldest first)."""
    word = np.uint32(state[0] + state[28])
    for i in range(30):
        state[i] = state[i + 1]
    state[30] = word
    return word


@kernel
def seed(state):
    """Set `state` (uint32[31], written) to what seed 1 leaves after the numbers that are thrown away."""
    word = np.int64(1)
    for i in range(31):
        state[(i + 28) % 31] = word
        word = 16807 * word % PRIME
    for _ in range(WARM_UP):
        step(state)


@kernel
def fill(state, numbers):
    """Write the next numbers in [0, 1), multiples of 2**-31, to `numbers` (float64); advance `state`."""
    for i in range(len(numbers)):
        numbers[i] = np.float64(step(state) >> np.uint32(1)) / 2147483648.0
