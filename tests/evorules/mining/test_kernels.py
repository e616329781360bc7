"""Kernels of the miners against plain loops."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reference.mining_tables import items_of, random_table

from evorules.items import CarSet, count_classes
from evorules.mining._kernels_order import order_rules
from evorules.mining._kernels_rows import list_rows
from evorules.mining._kernels_search import begin_level, has_room, narrow, pack, packed_words
from evorules.mining.arrays import COUNTS, CURSOR, EXTENSIONS, N_EXTENSIONS, N_SEGMENTS, N_WORDS
from evorules.mining.bitset import Search
from evorules.mining.limits import Limits
from evorules.mining.thresholds import Thresholds


def search_of(seed, n_classes, least):
    items = items_of(*random_table(seed, 900, 5, 4, n_classes))
    return Search(items, Thresholds.of(items, least, 0.0), 5, Limits())


def level_of(stack, depth):
    """Return what a level says: rank -> (covered rows, counts of the classes that a rule may predict)."""
    level = stack.level[depth]
    found = {}
    for e in range(level[N_EXTENSIONS]):
        place, first = level[EXTENSIONS] + e, level[COUNTS] + e * level[N_SEGMENTS]
        by_class = {
            int(stack.segment_class[depth, s]): int(stack.counts[first + s])
            for s in range(level[N_SEGMENTS])
            if stack.segment_class[depth, s] >= 0
        }
        found[int(stack.rank[place])] = int(stack.covered[place]), by_class
    return found


def room_for(search, depth):
    stack = search.stack
    lengths = (len(a) for a in (stack.rank, stack.counts, stack.bits, stack.row))
    if not has_room(stack.level, depth, stack.need, *lengths):
        search.widen()
    return search.stack


def go_down(search, depth, packed):
    stack, problem = room_for(search, depth), search.problem
    begin_level(stack.level, depth)
    if packed:
        n_words = packed_words(stack.level, stack.segment_class, stack.counts, problem.correct, depth)
        pack(problem, stack, depth, n_words)
        return n_words
    arrays = stack.level, stack.segment_class, stack.segment_end, stack.rank, stack.covered, stack.counts
    narrow(*arrays, stack.bits, problem.correct, problem.covered, depth)
    return int(stack.level[depth, N_WORDS])


@pytest.mark.parametrize(("n_classes", "least"), [(2, 3), (5, 12), (1, 1), (9, 20)])
def test_packed_levels_say_what_narrowed_ones_say_and_what_counting_says(n_classes, least):
    search, other = search_of(5, n_classes, least), search_of(5, n_classes, least)
    items = search.items
    for first in (0, 3, 7):
        for second in (0, 2):
            for packing in (search, other):
                packing.stack.level[0, CURSOR] = first
                packing.stack.level[1, CURSOR] = 0
            assert go_down(search, 0, True) <= go_down(other, 0, False)
            if search.stack.level[1, N_EXTENSIONS] <= second + 1:
                continue
            for packing in (search, other):
                packing.stack.level[1, CURSOR] = second
            prefix = [int(search.item_of_rank[first])]
            prefix.append(
                int(search.item_of_rank[search.stack.rank[search.stack.level[1, EXTENSIONS] + second]])
            )
            go_down(search, 1, first == 3)
            go_down(other, 1, False)
            for depth in (1, 2):
                packed, plain = level_of(search.stack, depth), level_of(other.stack, depth)
                assert list(packed) == list(plain)
                sets = [(*prefix[:depth], int(search.item_of_rank[rank])) for rank in packed]
                counted = CarSet.of_rules(items, [(chosen, 0) for chosen in sets]).counts.class_counts
                for (rank, (covered, by_class)), counts in zip(packed.items(), counted.tolist(), strict=True):
                    assert covered == plain[rank][0] == sum(counts)
                    assert by_class.items() <= plain[rank][1].items()
                    assert all(counts[c] == count for c, count in by_class.items())
                    assert all(c in by_class for c, count in enumerate(counts) if count >= least)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.sets(st.integers(0, 299), min_size=1, max_size=9), min_size=1, max_size=40))
def test_rules_are_ordered_by_size_then_items_and_equal_ones_stay_as_they_are(sets):
    # 9 bits an item, so 7 items fit into a key and longer rules need two
    rules = [sorted(chosen) for chosen in sets]
    size = np.array([len(rule) for rule in rules], dtype=np.int16)
    start = np.cumsum([0, *size[:-1].tolist()])
    item = np.concatenate([np.array(rule, dtype=np.int16) for rule in rules])
    order, target = np.empty(len(rules), dtype=np.int32), np.empty(len(item), dtype=np.int32)
    order_rules(item, start, size, int(size.max()), 9, order, target)
    expected = sorted(range(len(rules)), key=lambda r: (len(rules[r]), rules[r]))
    assert order.tolist() == expected
    assert target.tolist() == [i for r in expected for i in rules[r]]


def test_rows_list_their_items_from_the_last_rank_down():
    bits = np.array([[0b101], [0b110], [0b100]], dtype=np.uint64)
    rows, n_listed = np.full((64, 4), -1, dtype=np.int16), np.zeros(64, dtype=np.int32)
    list_rows(bits, np.array([2, 0, 1], dtype=np.int32), rows, n_listed)
    assert rows[:4].tolist() == [[1, -1, -1, -1], [2, -1, -1, -1], [2, 1, 0, -1], [-1] * 4]
    assert n_listed[:4].tolist() == [1, 1, 3, 0]


@settings(max_examples=30, deadline=None)
@given(st.lists(st.lists(st.integers(0, 9), max_size=4, unique=True).map(sorted), max_size=12))
def test_sets_with_a_common_beginning_are_counted_like_any_others(sets):
    items = items_of(*random_table(2, 150, 5, 2, 3))
    start = np.cumsum([0, *(len(chosen) for chosen in sets)])
    item = np.array([i for chosen in sets for i in chosen], dtype=np.int32)
    found = count_classes(items, start, item)
    for chosen, counts in zip(sets, found.tolist(), strict=True):
        words = [all(int(items.bits[i, w]) >> b & 1 for i in chosen) for w, b in _rows_of(items)]
        expected = [0, 0, 0]
        for holds, (w, _) in zip(words, _rows_of(items), strict=True):
            c = int(np.searchsorted(items.class_start, w, side="right")) - 1
            expected[c] += holds
        assert counts == expected


def _rows_of(items):
    """Return word and bit of every row."""
    return [
        (int(items.class_start[c]) + row // 64, row % 64)
        for c in range(items.n_classes)
        for row in range(int(items.class_totals[c]))
    ]
