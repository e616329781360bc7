"""Arrays as small pieces of bytes: what a store keeps of predictions."""

from __future__ import annotations

import json
import zlib
from typing import Any

import numpy as np
import numpy.typing as npt

__all__ = ["pack", "unpack"]


def pack(array: npt.NDArray[Any]) -> bytes:
    """Return a numeric array as bytes that do not depend on the machine; integers as narrow as they fit.

    Examples
    --------
    >>> unpack(pack(np.array([[3, -1], [0, 2]]))).tolist()
    [[3, -1], [0, 2]]
    """
    if array.dtype.kind in "iu":
        for narrow in ("i1", "<i2", "<i4", "<i8"):
            limits = np.iinfo(narrow)
            if array.size == 0 or (array.min() >= limits.min and array.max() <= limits.max):
                array = array.astype(narrow)
                break
    else:
        array = array.astype(array.dtype.newbyteorder("<"))
    head = json.dumps([array.dtype.str, array.shape]).encode()
    return len(head).to_bytes(2, "little") + head + zlib.compress(array.tobytes(), 1)


def unpack(content: bytes) -> npt.NDArray[Any]:
    """Return the array that `pack` packed."""
    end = 2 + int.from_bytes(content[:2], "little")
    dtype, shape = json.loads(content[2:end])
    return np.frombuffer(zlib.decompress(content[end:]), dtype=dtype).reshape(shape)
