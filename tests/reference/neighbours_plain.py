"""Plain twin of the kernel that finds nearest rows."""

import math

__all__ = ["nearest_rows"]


def squared_distance(one, other, spread):
    total = 0.0
    for a, b, width in zip(one, other, spread, strict=True):
        if math.isnan(a) or math.isnan(b):
            total += 1.0
        elif width > 0:
            step = (a - b) / width
            total += step * step
        elif width < 0 and a != b:
            total += 1.0
    return total


def nearest_rows(stored, row, spread, n_wanted):
    """Return (squared distance, position) of the nearest stored rows; of equals the first in order."""
    found = [(squared_distance(row, other, spread), j) for j, other in enumerate(stored)]
    return sorted(found)[:n_wanted]
