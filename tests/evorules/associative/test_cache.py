"""The memory of class counts against its plain twin."""

import copy
import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reference.lfu_plain import PlainMemory

from evorules.associative.cache import CountCache

KEYS = [(0,), (1,), (2,), (0, 1), (0, 2), (1, 2), (0, 1, 2), (7,), (1, 7), (0, 1, 7)]


def look_up(cache, key, value):
    """What the cache knows of a key; the value is kept if it is nothing."""
    from evorules.associative._kernels_cache import code_of_item, find_entry, keep_entry

    memory = cache.borrow()
    try:
        code = np.uint64(0)
        for item in key:
            code ^= code_of_item(np.int32(item))
        path = np.array([*key[:-1], 99, 99], dtype=np.int32)
        counts = np.zeros(2, dtype=np.int32)
        if find_entry(code, path, len(key) - 1, np.int32(key[-1]), counts, memory):
            return counts.tolist()
        keep_entry(code, path, len(key) - 1, np.int32(key[-1]), np.array(value, np.int32), memory)
        return None
    finally:
        cache.give_back()


@settings(max_examples=60, deadline=None)
@given(st.lists(st.sampled_from(KEYS), max_size=60), st.integers(1, 5))
def test_the_least_used_entry_goes_and_of_those_the_oldest(keys, size):
    cache, plain = CountCache(size, 3, 2), PlainMemory(size)
    for number, key in enumerate(keys):
        value = [number, len(key)]
        expected = plain.find(key)
        if expected is None:
            plain.keep(key, value)
        assert look_up(cache, key, value) == expected
        assert len(cache) == len(plain.entries) <= size
    assert cache.hits + cache.misses == len(keys)


def test_a_memory_without_bound_keeps_everything(monkeypatch):
    monkeypatch.setattr("evorules.associative.cache.FIRST_SLOTS", 2)
    cache = CountCache(None, 3, 2)
    for number, key in enumerate(KEYS):
        look_up(cache, key, [number, 0])
    assert [look_up(cache, key, [0, 0]) for key in KEYS] == [[number, 0] for number in range(len(KEYS))]
    assert len(cache) == len(KEYS)


def test_nothing_is_lent_twice_or_where_nothing_may_be_kept():
    cache = CountCache(4, 3, 2)
    assert cache.borrow() is not None
    assert cache.borrow() is None
    cache.give_back()
    assert cache.borrow() is not None
    assert CountCache(0, 3, 2).borrow() is None


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda cache: pickle.loads(pickle.dumps(cache))])
def test_copies_begin_empty(copied):
    cache = CountCache(4, 3, 2)
    look_up(cache, (1, 2), [3, 4])
    assert (len(cache), len(copied(cache)), copied(cache).size) == (1, 0, 4)
