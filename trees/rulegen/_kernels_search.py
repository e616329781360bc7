# mypy: allow-untyped-defs
"""Searching for the best subset of the rules of one class: hill climbing and annealing (section 8.3).

`part` is a `trees.rulegen.search.ClassRules`, `state` a `trees.rulegen.search.State`, which is written.
"""

import math

import numpy as np

from trees._kernels_bits import add_set, popcount, weigh_both
from trees.jit import kernel
from trees.rulegen._kernels_lengths import exceptions, rounded, rules_length
from trees.rulegen.search import FIRED_OTHER, FIRED_OWN, OWN_TOTAL

__all__ = ["anneal", "climb"]

HOTTEST, COOLEST, COOLING = 1000.0, 0.001, 0.95
TRIES = 100
LEAST_SAVING = 1e-9
MOVES_PER_RULE = 100


@kernel
def measure(part, state, r):
    """Weigh the rows of the class, and of others, that only rule r covers or, if it is outside, would."""
    rows = state.once if state.inside[r] else state.never
    fires, n_own = part.fires[r], part.n_own
    state.right[r] = weigh_both(fires[:n_own], rows[:n_own], part.weight[: 64 * n_own])
    state.wrong[r] = weigh_both(fires[n_own:], rows[n_own:], part.weight[64 * n_own :])


@kernel
def recount(part, state):
    """Bring rows covered never and once, and every rule's own rows, up to date from nothing."""
    state.never[:] = part.rows
    state.once[:] = np.uint64(0)
    for r in range(len(part.fires)):
        state.mask[r] = ~np.uint64(0) if state.inside[r] else np.uint64(0)
        if state.inside[r]:
            add_set(state.never, state.once, part.fires[r])
    for r in range(len(part.fires)):
        measure(part, state, r)


@kernel
def cover_word(fires, inside, rows):
    """Return the rows of a word that no inside rule covers, and those that exactly one covers.

    `fires` (n_rules,) is what every rule covers of the uint64 word `rows`; `inside` is all bits or none.
    """
    never, once = rows, np.uint64(0)
    for r in range(len(fires)):
        covered = fires[r] & inside[r]
        once = (once & ~covered) | (never & covered)
        never &= ~covered
    return never, once


@kernel
def change_word(fires, inside, never_changed, once_changed, never, once, weight):
    """Add to `weight` (float64 per rule, written) the rows of a word that came, less those that went."""
    for r in range(len(fires)):
        changed = fires[r] & ((once_changed & inside[r]) | (never_changed & ~inside[r]))
        now = fires[r] & ((once & inside[r]) | (never & ~inside[r]))
        came = popcount(changed & now)
        weight[r] += np.float64(came) - np.float64(popcount(changed) - came)


@kernel
def change_words(part, state, words):
    """Bring the numbered words up to date after a rule moved; every rule gains and loses whole rows only."""
    for i in range(len(words)):
        w = words[i]
        never, once = cover_word(part.by_word[w], state.mask, part.rows[w])
        never_changed, once_changed = never ^ state.never[w], once ^ state.once[w]
        if never_changed | once_changed != np.uint64(0):
            state.never[w], state.once[w] = never, once
            weight = state.right if w < part.n_own else state.wrong
            change_word(part.by_word[w], state.mask, never_changed, once_changed, never, once, weight)


@kernel
def move(part, state, r):
    """Move rule r in or out; with weights everything is counted afresh, so that no rounding adds up."""
    state.inside[r] = not state.inside[r]
    state.mask[r] = ~state.mask[r]
    if len(part.weight) > 0:
        recount(part, state)
    else:
        change_words(part, state, np.flatnonzero(part.fires[r]))
        measure(part, state, r)


@kernel
def savings(part, state):
    """Write to `saved` the bits that each rule's moving in or out would save; return the present bits."""
    n_own, single, totals = part.n_own, part.single, part.totals
    right = totals[FIRED_OWN] - weigh_both(
        state.never[:n_own], state.never[:n_own], part.weight[: 64 * n_own]
    )
    wrong = totals[FIRED_OTHER] - weigh_both(
        state.never[n_own:], state.never[n_own:], part.weight[64 * n_own :]
    )
    missed = totals[OWN_TOTAL] - right
    rules, n_inside = rules_length(part, state.inside)
    rest = exceptions(totals, right + wrong, wrong, missed, single)
    bits = rounded(0.5 * rules + rest, single)
    for r in range(len(part.fires)):
        more, worse = state.right[r], state.wrong[r]
        if state.inside[r]:
            more, worse = -more, -worse
            moved = rounded(rounded(rules - part.length[r], single) + part.logs[n_inside], single)
        else:
            moved = rounded(rounded(rules + part.length[r], single) - part.logs[n_inside + 1], single)
        left = rest
        if more != 0 or worse != 0:
            left = exceptions(totals, right + wrong + more + worse, wrong + worse, missed - more, single)
        state.saved[r] = rounded(bits - rounded(left + 0.5 * moved, single), single)
    return bits


@kernel
def keep_best(state, bits):
    """Keep the subset inside, and its length, if it is shorter than any before."""
    if bits < state.best_bits[0]:
        state.best_bits[0] = bits
        state.best[:] = state.inside


@kernel
def climb(part, state):
    """Move the rule that saves most in or out until none saves anything.

    What a move saves is rounded, so that two moves could seem to better each other for ever: in double
    precision moves must save more than rounding can, in single precision their number has a limit.
    """
    least = 0.0 if part.single else LEAST_SAVING
    recount(part, state)
    for _ in range(MOVES_PER_RULE * len(part.fires)):
        keep_best(state, savings(part, state))
        r = np.argmax(state.saved)
        if state.saved[r] <= least:
            return
        move(part, state, r)


@kernel
def anneal(part, state, draws):
    """Move random rules in and out while it cools; return how many of the `draws` (float64) that took."""
    n_rules = len(part.fires)
    recount(part, state)
    heat = HOTTEST
    used = 0
    while heat > COOLEST:
        keep_best(state, savings(part, state))
        chosen = np.int64(-1)
        for _ in range(TRIES):
            r = np.int64(n_rules * draws[used])
            used += 1
            accepted = state.saved[r] > 0
            if not accepted:
                accepted = draws[used] < math.exp(state.saved[r] / heat)
                used += 1
            if accepted:
                chosen = r
                break
        if chosen < 0:
            break
        move(part, state, chosen)
        heat = rounded(heat * COOLING, part.single)
    return used
