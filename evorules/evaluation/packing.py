"""Arrays as small pieces of bytes: what a store keeps of predictions."""

from __future__ import annotations

import struct
import zlib
from typing import Any

import numpy as np
import numpy.typing as npt

__all__ = ["pack", "unpack"]

DTYPES = ("|i1", "<i2", "<i4", "<i8", "<f4", "<f8")
NUMBERS = {np.dtype(name): number for number, name in enumerate(DTYPES)}
HEADS = {n_dims: struct.Struct(f"<BB{n_dims}Q") for n_dims in range(3)}
INTEGERS = [(np.dtype(name), np.iinfo(name)) for name in DTYPES[:4]]


def pack(array: npt.NDArray[Any]) -> bytes:
    """Return a numeric array of at most two dimensions as bytes; integers as narrow as they fit.

    The bytes do not depend on the machine: type, number of dimensions, shape, then the values, compressed.

    Examples
    --------
    >>> unpack(pack(np.array([[3, -1], [0, 2]]))).tolist()
    [[3, -1], [0, 2]]
    """
    if array.dtype.kind in "iu":
        low, high = (int(array.min()), int(array.max())) if array.size else (0, 0)
        dtype = next(dtype for dtype, limits in INTEGERS if limits.min <= low and high <= limits.max)
    else:
        dtype = array.dtype.newbyteorder("<")
    content = np.ascontiguousarray(array, dtype=dtype)
    head = HEADS[array.ndim].pack(NUMBERS[dtype], array.ndim, *array.shape)
    return head + zlib.compress(content.tobytes(), 1)


def unpack(content: bytes) -> npt.NDArray[Any]:
    """Return the array that `pack` packed."""
    head = HEADS[content[1]]
    number, _, *shape = head.unpack_from(content)
    return np.frombuffer(zlib.decompress(content[head.size :]), dtype=DTYPES[number]).reshape(shape)
