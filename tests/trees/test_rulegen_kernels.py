"""The kernels of the rules generator and of first match equal their plain twins."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reference import c45rules_plain as plain

from trees.growth.tree import NOMINAL, NUMERIC
from trees.match import first_match
from trees.rule import Condition, Rule
from trees.rulegen import cases as cases_module
from trees.rulegen._kernels_firing import first_two
from trees.rulegen._kernels_generalise import chance
from trees.rulegen.cases import Cases, pack_rows, unpack_rows
from trees.rulegen.choose import choose_rules
from trees.rulegen.code_length import log2_factorials
from trees.rulegen.draws import glibc_draws
from trees.rulegen.extract import Paths, flattened
from trees.rulegen.generalise import generalise
from trees.rulegen.holdout import prune_on_holdout
from trees.schema import Attribute, Schema
from trees.table import Table

MANY = settings(max_examples=40, deadline=None, derandomize=True)
SCHEMA = Schema(
    (
        Attribute("a", "nominal", ("u", "v", "w")),
        Attribute("x", "numeric"),
        Attribute("z", "numeric"),
        Attribute("b", "nominal", ("f", "t")),
    ),
    Attribute("class", "nominal", ("p", "q", "r")),
)
CONDITIONS = (
    [Condition(0, "in", (c,)) for c in range(3)]
    + [Condition(0, "in", (0, 2)), Condition(3, "in", (0,)), Condition(3, "in", (1,))]
    + [Condition(a, relation, t) for a in (1, 2) for relation in ("<=", ">") for t in (0.0, 1.0, 2.5)]
)


@st.composite
def tables(draw, weighted=None):
    n = draw(st.integers(1, 90))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    X = np.column_stack(
        [rng.integers(0, 3, n), rng.integers(0, 4, n), rng.integers(0, 4, n), rng.integers(0, 2, n)]
    ).astype(float)
    X[rng.random(X.shape) < 0.1] = np.nan
    y = np.where(rng.random(n) < 0.6, (X[:, 1] > 1).astype(int), rng.integers(0, 3, n)).astype(np.int32)
    if weighted is None:
        weighted = draw(st.booleans())
    # multiples of 1/2 sum without rounding in any order
    weight = rng.integers(1, 6, n) / 2 if weighted else np.ones(n)
    return Table(SCHEMA, X, y, weight)


antecedents = st.lists(st.integers(0, len(CONDITIONS) - 1), min_size=1, max_size=6, unique=True)


def paths_of(rules, labels):
    kind = [NOMINAL if c.relation == "in" else NUMERIC for c in CONDITIONS]
    test = np.arange(len(CONDITIONS))
    return Paths(
        tuple(CONDITIONS), np.array(kind, np.int8), test, *flattened(rules), np.array(labels, np.int32)
    )


def kept_of(paths, flags):
    return [np.flatnonzero(flags[paths.start[p] : paths.start[p + 1]]).tolist() for p in range(paths.n_paths)]


def plain_rows(table):
    return table.X.tolist(), table.classes.tolist(), table.weight.tolist()


rule_lists = st.lists(st.tuples(antecedents, st.integers(0, 2)), min_size=1, max_size=8)


@MANY
@given(tables(), rule_lists, st.sampled_from([0.1, 0.25]))
def test_generalising_equals_dropping_conditions_row_by_row(table, rules, confidence):
    paths = paths_of([ids for ids, _ in rules], [label for _, label in rules])
    flags, errors = generalise(paths, Cases(table, False), confidence=confidence, fisher=None)
    for p, (ids, label) in enumerate(rules):
        conditions = [CONDITIONS[c] for c in ids]
        kept, error = plain.generalise(conditions, *plain_rows(table), label, confidence, None)
        assert kept_of(paths, flags)[p] == kept
        assert errors[p] == pytest.approx(error, rel=1e-12)


@MANY
@given(tables(weighted=False), rule_lists, st.sampled_from([0.01, 0.2, 1.0]))
def test_generalising_with_fishers_test_equals_its_twin(table, rules, fisher):
    paths = paths_of([ids for ids, _ in rules], [label for _, label in rules])
    flags, errors = generalise(paths, Cases(table, False), confidence=0.25, fisher=fisher)
    for p, (ids, label) in enumerate(rules):
        conditions = [CONDITIONS[c] for c in ids]
        kept, error = plain.generalise(conditions, *plain_rows(table), label, 0.25, fisher)
        assert kept_of(paths, flags)[p] == kept
        assert errors[p] == pytest.approx(error, rel=1e-12)


@MANY
@given(tables(), rule_lists)
def test_pruning_on_held_out_rows_equals_its_twin(table, rules):
    paths = paths_of([ids for ids, _ in rules], [label for _, label in rules])
    flags, errors = prune_on_holdout(paths, Cases(table, False))
    for p, (ids, label) in enumerate(rules):
        conditions = [CONDITIONS[c] for c in ids]
        kept, right = plain.prune_conjuncts(conditions, *plain_rows(table), label)
        assert kept_of(paths, flags)[p] == kept
        assert errors[p] in (1 - right, 2.0)


@settings(max_examples=10, deadline=None, derandomize=True)
@given(tables(), rule_lists)
def test_working_off_rules_in_parts_changes_nothing(table, rules):
    paths = paths_of([ids for ids, _ in rules], [label for _, label in rules])
    whole = generalise(paths, Cases(table, False), confidence=0.25, fisher=None)
    covers = Cases(table, False).coverage(paths, paths.rules())
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(cases_module, "MOST_BYTES", 8)
        parts = list(Cases(table, False).parts(paths, paths.rules()))
        assert len(parts) == paths.n_paths
        again = generalise(paths, Cases(table, False), confidence=0.25, fisher=None)
        np.testing.assert_array_equal(covers, Cases(table, False).coverage(paths, paths.rules()))
    np.testing.assert_array_equal(whole[0], again[0])
    np.testing.assert_array_equal(whole[1], again[1])


@MANY
@given(st.integers(1, 200), st.integers(0, 2**32 - 1))
def test_packed_rows_come_back_and_weigh_the_same(n, seed):
    rng = np.random.default_rng(seed)
    flags = rng.random((3, n)) < 0.4
    np.testing.assert_array_equal(unpack_rows(pack_rows(flags), n), flags)
    weight = rng.integers(1, 9, n) / 4
    for weights in (np.ones(n), weight):
        table = Table(SCHEMA, np.zeros((n, 4)), np.zeros(n, np.int32), weights)
        assert Cases(table, False).weigh(pack_rows(flags)).tolist() == (flags @ weights).tolist()


def test_fishers_lady_tasting_tea():
    # Fisher (1935): three of four cups right, 17 of 70 ways at least as good
    assert chance(3.0, 1.0, 1.0, 3.0, np.empty(0)) == pytest.approx(17 / 70)


def test_the_original_exponentiates_binary_logarithms():
    # defect 9.7: each of the terms 16/70 and 1/70 becomes exp(log2(term)): 0.1189 + 0.0022
    table = log2_factorials(8, np.float32)
    assert chance(3.0, 1.0, 1.0, 3.0, table) == pytest.approx(0.1211, abs=1e-4)


@MANY
@given(*[st.integers(0, 30)] * 4)
def test_fishers_test_is_exact(a, b, c, d):
    found = chance(float(a), float(b), float(c), float(d), np.empty(0))
    assert found == pytest.approx(float(plain.chance(a, b, c, d)), rel=1e-9)


def test_the_original_draws_from_random_of_glibc():
    # the values that every C program on glibc prints first
    numbers = [1804289383, 846930886, 1681692777, 1714636915, 1957747793]
    assert (glibc_draws().take(5) * 2**31).tolist() == numbers
    assert glibc_draws().take(1000).tolist() == plain.glibc(1000)


def test_numbers_that_were_looked_at_are_still_drawn():
    draws = glibc_draws()
    seen = draws.peek(10).tolist()
    draws.skip(3)
    assert draws.take(5).tolist() == seen[3:8]
    assert [*draws.take(4)] == plain.glibc(12)[8:]


@st.composite
def classes_of_rules(draw, fewest, most):
    """Rows on which rules fire, one of which rows in three is of the class."""
    table = draw(tables())
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    own = table.classes == 1
    n_rules = draw(st.integers(fewest, most))
    likely = np.where(own, rng.random((n_rules, 1)) * 0.8, rng.random((n_rules, 1)) * 0.4)
    fires = rng.random((n_rules, table.n_rows)) < likely
    return table, fires, rng.uniform(1, 12, n_rules)


def chosen(table, fires, length, search, draws):
    log2_total = math.log2(table.weight.sum())
    return choose_rules(pack_rows(fires), length, 1, Cases(table, False), log2_total, search, draws)


def plain_class(table, fires, length):
    own = (table.classes == 1).tolist()
    return fires.tolist(), length.tolist(), own, table.weight.tolist()


@settings(max_examples=15, deadline=None, derandomize=True)
@given(classes_of_rules(0, 5))
def test_few_rules_are_the_shortest_of_all_subsets(problem):
    inside, bits = chosen(*problem, "auto", glibc_draws())
    subset, length = plain.shortest(*plain_class(*problem))
    assert bits == pytest.approx(length, abs=1e-9)
    assert inside.tolist() == subset


@settings(max_examples=5, deadline=None, derandomize=True)
@given(classes_of_rules(11, 13))
def test_hill_climbing_equals_its_twin(problem):
    n_rules = len(problem[2])
    inside, bits = chosen(*problem, "auto", glibc_draws())
    numbers, best = glibc_draws(), ([], math.inf)
    for trial in range(11):
        start = [draw < np.float32(trial / 10) for draw in numbers.take(n_rules)]
        best = plain.climb(start, *plain_class(*problem), best)
    assert bits == pytest.approx(best[1], abs=1e-9)
    assert inside.tolist() == best[0]


@settings(max_examples=4, deadline=None, derandomize=True)
@given(classes_of_rules(11, 13))
def test_annealing_equals_its_twin(problem):
    numbers = glibc_draws()
    inside, bits = chosen(*problem, "anneal", numbers)
    best, used = plain.anneal(plain.glibc(60_000), *plain_class(*problem))
    best = plain.climb(best[0], *plain_class(*problem), best)
    assert bits == pytest.approx(best[1], abs=1e-9)
    assert inside.tolist() == best[0]
    assert numbers.take(1)[0] == plain.glibc(used + 1)[-1]


@MANY
@given(st.integers(0, 12), st.integers(1, 150), st.integers(0, 2**32 - 1))
def test_the_first_two_rules_to_fire_are_found(n_rules, n, seed):
    rng = np.random.default_rng(seed)
    fires, alive = rng.random((n_rules, n)) < 0.2, rng.random(n_rules) < 0.8
    first, second = np.empty(n, np.int32), np.empty(n, np.int32)
    first_two(pack_rows(fires), alive, first, second)
    pairs = [plain.first_two(fires, alive, i) for i in range(n)]
    assert list(zip(first.tolist(), second.tolist(), strict=True)) == pairs


@MANY
@given(tables(), rule_lists, st.sampled_from([0, 3, 500]))
def test_the_first_match_is_that_of_a_plain_search(table, rules, most_tests):
    rules = [Rule(tuple(CONDITIONS[c] for c in ids), label, (0, 0, 0)) for ids, label in rules]
    found = first_match(rules, SCHEMA, table.X, most_tests=most_tests)
    assert found.tolist() == [plain.first_match(rules, row) for row in table.X.tolist()]
    no_rules = first_match([], SCHEMA, table.X, most_tests=most_tests)
    assert no_rules.tolist() == [-1] * table.n_rows
    everything = [Rule((), 0, (0, 0, 0))]
    assert first_match(everything, SCHEMA, table.X, most_tests=most_tests).tolist() == [0] * table.n_rows
