# mypy: allow-untyped-defs, no-check-untyped-defs
"""Rules in the order of a search to rules in generation order: by length, then by the items."""

import numpy as np

from trees.jit import kernel

__all__ = ["order_rules", "sort_antecedents"]


@kernel
def sort_antecedents(item, size, item_of_rank):
    """Put items in the place of ranks in `item` (any int, written) and sort those of each rule."""
    first = 0
    for r in range(len(size)):
        for t in range(size[r]):
            value = item_of_rank[item[first + t]]
            place = first + t
            while place > first and item[place - 1] > value:
                item[place] = item[place - 1]
                place -= 1
            item[place] = value
        first += size[r]


@kernel
def bucket_by_size(size, longest, order):
    """Write to `order` (int32) the rules, shorter ones first; return where each length begins (int64)."""
    begins = np.zeros(longest + 2, dtype=np.int64)
    for r in range(len(size)):
        begins[size[r] + 1] += 1
    for k in range(longest + 1):
        begins[k + 1] += begins[k]
    place = begins.copy()
    for r in range(len(size)):
        order[place[size[r]]] = r
        place[size[r]] += 1
    return begins


@kernel
def fill_keys(item, start, order, first, stop, n_bits, keys):
    """Write to `keys` (uint64) the items first to stop - 1 of the rules in order, `n_bits` bits each."""
    for k in range(len(order)):
        place, key = start[order[k]], np.uint64(0)
        for t in range(first, stop):
            key = (key << np.uint64(n_bits)) | np.uint64(item[place + t])
        keys[k] = key


@kernel
def sort_by_byte(keys, order, shift, other_keys, other):
    """Sort by one byte of the keys, equal ones as they stand, into the other arrays; return if need be."""
    low, one = np.uint64(255), np.uint64(1)
    places = np.zeros(257, dtype=np.uint64)
    for key in keys:
        places[((key >> shift) & low) + one] += one
    if places.max() == np.uint64(len(keys)):
        return False
    for b in range(256):
        places[b + 1] += places[b]
    for k in range(len(keys)):
        b = (keys[k] >> shift) & low
        place = places[b]
        other_keys[place] = keys[k]
        other[place] = order[k]
        places[b] = place + one
    return True


@kernel
def sort_group(item, start, n_items, n_bits, order, other, keys, other_keys):
    """Sort rules of `n_items` items each: `order` (int32, written). `keys` then holds their first items."""
    per_key = 64 // n_bits
    stop, n_moves = n_items, 0
    from_keys, from_order, to_keys, to_order = keys, order, other_keys, other
    while stop > 0:
        first = max(0, stop - per_key)
        fill_keys(item, start, from_order, first, stop, n_bits, from_keys)
        for shift in range(0, n_bits * (stop - first), 8):
            if sort_by_byte(from_keys, from_order, np.uint64(shift), to_keys, to_order):
                from_keys, from_order, to_keys, to_order = to_keys, to_order, from_keys, from_order
                n_moves += 1
        stop = first
    if n_moves % 2 == 1:
        keys[:] = other_keys
        order[:] = other


@kernel
def copy_group(item, start, n_items, n_bits, order, keys, target):
    """Write to `target` (int32) the items of sorted rules of `n_items` items each."""
    n_last = n_items % (64 // n_bits)
    n_first = n_last if n_last > 0 else 64 // n_bits
    mask = np.uint64((1 << n_bits) - 1)
    for k in range(len(order)):
        # the first items stand in the key: only longer rules need a look at where they come from
        for t in range(n_first):
            shift = np.uint64(n_bits * (n_first - 1 - t))
            target[k * n_items + t] = np.int32((keys[k] >> shift) & mask)
        if n_first < n_items:
            place = start[order[k]]
            for t in range(n_first, n_items):
                target[k * n_items + t] = item[place + t]


@kernel
def order_rules(item, start, size, longest, n_bits, order, target):
    """Write to `order` (int32) the rules in generation order, and to `target` (int32) their items.

    Rules of one antecedent stay as they are.
    """
    begins = bucket_by_size(size, longest, order)
    most = np.diff(begins).max()
    other = np.empty(most, dtype=np.int32)
    keys, other_keys = np.empty(most, dtype=np.uint64), np.empty(most, dtype=np.uint64)
    done = 0
    for k in range(1, longest + 1):
        group = order[begins[k] : begins[k + 1]]
        n = len(group)
        if n > 0:
            sort_group(item, start, k, n_bits, group, other[:n], keys[:n], other_keys[:n])
            copy_group(item, start, k, n_bits, group, keys, target[done : done + k * n])
            done += k * n
