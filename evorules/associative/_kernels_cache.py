# mypy: allow-untyped-defs
"""A bounded memory of class counts by antecedent that forgets what was used least.

Entries lie in slots: `items` (int32, ascending, -1 behind the last), `counts` (int32 per class), `code`
(uint64). Chains of equal ``code & mask`` begin in `head` and go on in `chain`, -1 at the end. `heap` orders
the slots by number of uses, then age: the first is the next to go; slot s stands at ``place[s]``.
"""

import numpy as np

from trees._kernels_random import splitmix64
from trees.jit import kernel

__all__ = ["code_of_item", "find_entry", "keep_entry"]

SIZE, CLOCK, HITS, MISSES, FORGETS = range(5)
"""Places in the int64 `state`: entries held and ever made, look-ups that found one and that did not, and
whether a full memory makes room; otherwise it keeps what it has."""


@kernel
def code_of_item(item):
    """Return the uint64 that stands for an item; an antecedent has the exclusive or of those of its items."""
    return splitmix64(np.uint64(0), item)


@kernel
def goes_first(a, b, memory):
    """Return whether slot a is to go before slot b: used less, or as much and older."""
    if memory.uses[a] != memory.uses[b]:
        return memory.uses[a] < memory.uses[b]
    return memory.born[a] < memory.born[b]


@kernel
def swap(i, j, memory):
    """Exchange two places of the heap."""
    a, b = memory.heap[i], memory.heap[j]
    memory.heap[i], memory.heap[j] = b, a
    memory.place[a], memory.place[b] = j, i


@kernel
def sink(i, memory):
    """Move the slot at place i of the heap down until those below it go after it."""
    size = memory.state[SIZE]
    while True:
        least = i
        for child in (2 * i + 1, 2 * i + 2):
            if child < size and goes_first(memory.heap[child], memory.heap[least], memory):
                least = child
        if least == i:
            return
        swap(i, least, memory)
        i = least


@kernel
def rise(i, memory):
    """Move the slot at place i of the heap up until that above it goes before it."""
    while i > 0 and goes_first(memory.heap[i], memory.heap[(i - 1) // 2], memory):
        swap(i, (i - 1) // 2, memory)
        i = (i - 1) // 2


@kernel
def is_entry(slot, code, path, size, last, memory):
    """Return whether a slot holds the antecedent of the int32 items ``path[:size]`` and `last`."""
    items = memory.items[slot]
    if memory.code[slot] != code or items[size] != last or (size + 1 < len(items) and items[size + 1] >= 0):
        return False
    i = 0
    while i < size and items[i] == path[i]:
        i += 1
    return i == size


@kernel
def find_entry(code, path, size, last, counts, memory):
    """Copy the class counts of an antecedent to the int32 `counts`, if they are known; return whether."""
    slot = memory.head[code & memory.mask[0]]
    while slot >= 0 and not is_entry(slot, code, path, size, last, memory):
        slot = memory.chain[slot]
    if slot < 0:
        memory.state[MISSES] += 1
        return False
    counts[:] = memory.counts[slot]
    memory.state[HITS] += 1
    memory.uses[slot] += 1
    sink(memory.place[slot], memory)
    return True


@kernel
def forget_first(memory):
    """Take the slot that is first to go out of its chain and return it; it stays at the top of the heap."""
    slot = memory.heap[0]
    bucket = memory.code[slot] & memory.mask[0]
    if memory.head[bucket] == slot:
        memory.head[bucket] = memory.chain[slot]
        return slot
    before = memory.head[bucket]
    while memory.chain[before] != slot:
        before = memory.chain[before]
    memory.chain[before] = memory.chain[slot]
    return slot


@kernel
def keep_entry(code, path, size, last, counts, memory):
    """Keep class counts that are not known, in place of the first to go if all is full."""
    is_full = memory.state[SIZE] == len(memory.code)
    if is_full and memory.state[FORGETS] == 0:
        return
    slot = forget_first(memory) if is_full else memory.state[SIZE]
    memory.code[slot] = code
    memory.items[slot, :size] = path[:size]
    memory.items[slot, size] = last
    memory.items[slot, size + 1 :] = -1
    memory.counts[slot] = counts
    memory.uses[slot] = 1
    memory.born[slot] = memory.state[CLOCK]
    memory.state[CLOCK] += 1
    bucket = code & memory.mask[0]
    memory.chain[slot] = memory.head[bucket]
    memory.head[bucket] = slot
    if is_full:
        sink(0, memory)
    else:
        memory.heap[slot] = slot
        memory.place[slot] = slot
        memory.state[SIZE] += 1
        rise(slot, memory)
