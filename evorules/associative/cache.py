"""Class counts of antecedents, kept between calls of a lazy classifier."""

from __future__ import annotations

import threading
from typing import Any, NamedTuple, Self

import numpy as np
import numpy.typing as npt

__all__ = ["CountCache", "Memory"]

Ints = npt.NDArray[np.int32]
Longs = npt.NDArray[np.int64]
Words = npt.NDArray[np.uint64]

FIRST_SLOTS = 4096


class Memory(NamedTuple):
    """The entries as the kernels read and write them; no slot at all means that nothing is kept."""

    items: Ints
    counts: Ints
    code: Words
    head: Ints
    chain: Ints
    uses: Longs
    born: Longs
    heap: Ints
    place: Ints
    mask: Words
    state: Longs


class CountCache:
    """Keeps how many training rows of each class hold an antecedent, and forgets what was used least.

    Of entries used equally often the oldest goes. Counts are facts about the training rows, whatever row is
    classified: so a cache of any size leaves every prediction as it is.

    Parameters
    ----------
    size : int or None
        Most entries; None is any number.
    width : int
        Most items of an antecedent.
    n_classes : int
        Number of classes.

    Notes
    -----
    Veloso, Meira and Zaki, Lazy associative classification (2006), section 3, keep an entry per rule; one per
    antecedent holds the same. Entries are for this process alone: they are neither pickled nor copied.
    """

    def __init__(self, size: int | None, width: int, n_classes: int) -> None:
        self.size, self.width, self.n_classes = None if size is None else int(size), width, n_classes
        self._lock = threading.Lock()
        # room is made when it is first needed
        self._memory = empty_memory(0, width, n_classes)

    def __getstate__(self) -> dict[str, Any]:
        return {"size": self.size, "width": self.width, "n_classes": self.n_classes}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__init__(**state)  # type: ignore[misc]

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return type(self)(self.size, self.width, self.n_classes)

    def __len__(self) -> int:
        return int(self._memory.state[0])

    @property
    def hits(self) -> int:
        """Look-ups that found an entry."""
        return int(self._memory.state[2])

    @property
    def misses(self) -> int:
        """Look-ups that found none."""
        return int(self._memory.state[3])

    def borrow(self) -> Memory | None:
        """Return the entries for one search, None while another thread has them; to be given back."""
        if self.size == 0 or not self._lock.acquire(blocking=False):
            return None
        n_slots = len(self._memory.code)
        if n_slots == 0 or (self.size is None and len(self) == n_slots):
            wanted = max(4 * n_slots, FIRST_SLOTS) if self.size is None else self.size
            self._memory = grown(self._memory, wanted, self.width, self.n_classes)
            self._memory.state[4] = self.size is not None
        return self._memory

    def give_back(self) -> None:
        """End what `borrow` began."""
        self._lock.release()


def empty_memory(n_slots: int, width: int, n_classes: int) -> Memory:
    """Return a memory without entries."""
    n_heads = 1 << max(1, (2 * n_slots - 1).bit_length())
    return Memory(
        np.full((n_slots, width), -1, dtype=np.int32),
        np.zeros((n_slots, n_classes), dtype=np.int32),
        np.zeros(n_slots, dtype=np.uint64),
        np.full(n_heads, -1, dtype=np.int32),
        np.full(n_slots, -1, dtype=np.int32),
        np.zeros(n_slots, dtype=np.int64),
        np.zeros(n_slots, dtype=np.int64),
        np.zeros(n_slots, dtype=np.int32),
        np.zeros(n_slots, dtype=np.int32),
        np.array([n_heads - 1], dtype=np.uint64),
        np.zeros(5, dtype=np.int64),
    )


def grown(old: Memory, n_slots: int, width: int, n_classes: int) -> Memory:
    """Return a memory of more slots with the same entries."""
    new = empty_memory(n_slots, width, n_classes)
    n = int(old.state[0])
    for name in ("items", "counts", "code", "uses", "born", "heap", "place"):
        getattr(new, name)[:n] = getattr(old, name)[:n]
    new.state[:] = old.state
    for slot in range(n):
        bucket = int(new.code[slot] & new.mask[0])
        new.chain[slot] = new.head[bucket]
        new.head[bucket] = slot
    return new
