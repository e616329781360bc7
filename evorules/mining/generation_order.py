"""Rules as a search leaves them, put in generation order."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from evorules.items import CarSet, Items
from evorules.mining.arrays import Found

__all__ = ["in_generation_order"]


def in_generation_order(items: Items, parts: list[Found], item_of_rank: npt.NDArray[np.int32]) -> CarSet:
    """Return rules as a `CarSet`: by antecedent size, then by items, then by class.

    Parameters
    ----------
    items : Items
        Of the table.
    parts : list of Found
        Rules, those of one antecedent together and in class order. The list is emptied, so that the memory
        is free as soon as it can be.
    item_of_rank : ndarray of shape (n_ranks,), int32
        The item of every rank.
    """
    from evorules.mining._kernels_order import order_rules, sort_antecedents

    item, size, consequent, covered, correct = _joined(parts)
    sort_antecedents(item, size, item_of_rank)
    start = np.zeros(len(size), dtype=np.int64)
    np.cumsum(size[:-1], out=start[1:], dtype=np.int64)
    order = np.empty(len(size), dtype=np.int32)
    n_bits = max(items.n_items - 1, 1).bit_length()
    target = np.empty(len(item), dtype=np.int32)
    order_rules(item, start, size, int(size.max(initial=0)), n_bits, order, target)
    target_start = np.zeros(len(size) + 1, dtype=np.int64)
    np.cumsum(size[order], out=target_start[1:], dtype=np.int64)
    del item, start, size
    return CarSet(items, target_start, target, consequent[order], covered[order], correct[order])


def _joined(parts: list[Found]) -> tuple[Any, ...]:
    """Return the fields of all parts, each joined; a part's field is let go when it is no longer needed."""
    fields = [list(field) for field in zip(*parts, strict=True)]
    parts.clear()
    joined = []
    for field in fields:
        joined.append(field[0] if len(field) == 1 else np.concatenate(field))
        field.clear()
    return tuple(joined)
