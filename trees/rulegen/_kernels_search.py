# mypy: allow-untyped-defs
"""Searching for the best subset of the rules of one class: hill climbing and annealing (section 8.3).

`part` is a `trees.rulegen.search.ClassRules`, `state` a `trees.rulegen.search.State`, which is written.
"""

import math

import numpy as np

from trees._kernels_bits import popcount, weigh_both
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
def count(planes, rows, up):
    """Add 1 to the counters of some rows of a word, or take 1; plane p (written) holds bit p of all 64."""
    for p in range(len(planes)):
        carried = rows & (planes[p] if up else ~planes[p])
        planes[p] ^= rows
        rows = carried
        if rows == np.uint64(0):
            return


@kernel
def look_up(planes, rows):
    """Return which rows of a word no rule inside covers, and which exactly one covers."""
    more = np.uint64(0)
    for p in range(1, len(planes)):
        more |= planes[p]
    return rows & ~(planes[0] | more), planes[0] & ~more


@kernel
def recount(part, state):
    """Bring rows covered never and once, and every rule's own rows, up to date from nothing."""
    state.planes[:] = np.uint64(0)
    for r in range(len(part.fires)):
        state.mask[r] = ~np.uint64(0) if state.inside[r] else np.uint64(0)
        if state.inside[r]:
            for w in range(len(part.rows)):
                count(state.planes[w], part.fires[r, w], True)
    for w in range(len(part.rows)):
        state.never[w], state.once[w] = look_up(state.planes[w], part.rows[w])
    for r in range(len(part.fires)):
        measure(part, state, r)


@kernel
def change_word(fires, rules, mask, never_changed, once_changed, never, once, weight):
    """Add to `weight` (float64 per rule, written) the rows of a word that came, less those that went.

    `fires` is what each of the numbered `rules` covers of the word; the others are as after the change.
    """
    for i in range(len(rules)):
        inside = mask[rules[i]]
        changed = fires[i] & ((once_changed & inside) | (never_changed & ~inside))
        now = fires[i] & ((once & inside) | (never & ~inside))
        came = popcount(changed & now)
        weight[rules[i]] += np.float64(came) - np.float64(popcount(changed) - came)


@kernel
def move(part, state, r):
    """Move rule r in or out and bring up to date what depends on it.

    Numbers of rows are changed by the rows that come and go; with weights every rule is weighed afresh, so
    that no rounding adds up.
    """
    state.inside[r] = not state.inside[r]
    state.mask[r] = ~state.mask[r]
    counting = len(part.weight) == 0
    for w in range(len(part.rows)):
        if part.fires[r, w] == np.uint64(0):
            continue
        count(state.planes[w], part.fires[r, w], state.inside[r])
        never, once = look_up(state.planes[w], part.rows[w])
        never_changed, once_changed = never ^ state.never[w], once ^ state.once[w]
        state.never[w], state.once[w] = never, once
        if counting and never_changed | once_changed != np.uint64(0):
            here = slice(part.word_start[w], part.word_start[w + 1])
            fires, rules = part.word_fires[here], part.word_rules[here]
            weight = state.right if w < part.n_own else state.wrong
            change_word(fires, rules, state.mask, never_changed, once_changed, never, once, weight)
    if counting:
        measure(part, state, r)
    else:
        for q in range(len(part.fires)):
            measure(part, state, q)


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
