import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reference.rules_plain import antecedents_of, covering, random_table, rows_of

from evorules.items import Items
from evorules.mining import Apriori
from evorules.rules import COVERAGES, RuleSet, covers, tolerant
from evorules.rules.coverage import for_blocks
from trees.discretize import MDLP
from trees.errors import DataError, ParameterError
from trees.rule import Condition, Rule, RuleList
from trees.schema import Attribute, Schema
from trees.table import Table


def flags(*chains):
    """Table 3 of the seed: rules over items i1 to i6, each an attribute that is there or not."""
    schema = Schema(
        tuple(Attribute(f"i{k}", "nominal", ("yes",)) for k in range(1, 7)),
        Attribute("class", "nominal", ("c1", "c2")),
    )
    rules = tuple(Rule(tuple(Condition(k - 1, "in", (0,)) for k in chain), 0, (5, 5)) for chain in chains)
    return RuleSet.of_rules(RuleList(rules, schema), [10, 10])


def row(rules, *items):
    cells = np.full((1, 6), np.nan)
    cells[0, [k - 1 for k in items]] = 0
    return Table(rules.schema, cells)


@pytest.fixture
def chain():
    return flags((1,), (1, 2), (1, 2, 3), (1, 2, 3, 4))


def test_rules_that_miss_one_item_cover_inexactly(chain):
    # section 7 of the specification: t = {i2, i3}, t = {i2, i3, i4}
    assert covers(chain, row(chain, 2, 3)).tolist() == [[False] * 4]
    assert covers(chain, row(chain, 2, 3), COVERAGES["inexact"]).tolist() == [[False, True, True, False]]
    assert covers(chain, row(chain, 2, 3, 4), COVERAGES["inexact"]).tolist() == [[False, True, True, True]]


def test_inexact_rules_are_asked_only_where_no_rule_covers_exactly(chain):
    both = COVERAGES["exact_then_inexact"]
    assert covers(chain, row(chain, 1), both).tolist() == [[True, False, False, False]]
    assert covers(chain, row(chain, 2, 3), both).tolist() == [[False, True, True, False]]
    assert covers(chain, row(chain, 5), both).tolist() == [[False] * 4]


def test_a_rule_of_d_items_is_never_covered_with_d_forgiven(chain):
    assert covers(chain, row(chain, 5), tolerant(2)).tolist() == [[False] * 4]
    assert covers(chain, row(chain, 3), tolerant(2)).tolist() == [[False, False, True, False]]
    assert covers(chain, row(chain, 3, 4), tolerant(2)).tolist() == [[False, False, True, True]]
    assert tolerant(0) == COVERAGES["exact"]
    for wrong in (-1, 1.5, True):
        with pytest.raises(ParameterError, match="must be an int in"):
            tolerant(wrong)


def test_a_table_of_other_attributes_is_refused(chain):
    other = Table(Schema((Attribute("i1", "numeric"),)), np.zeros((1, 1)))
    with pytest.raises(DataError, match="other attributes than the rules"):
        covers(chain, other)


@settings(deadline=None, max_examples=30)
@given(
    seed=st.integers(0, 10_000),
    coverage=st.sampled_from([*COVERAGES.values(), (2,), (0, 1, 2)]),
    missing=st.sampled_from([0.0, 0.2]),
)
def test_coverage_is_what_plain_sets_say(seed, coverage, missing):
    X, y = random_table(seed, n_rows=70, n_values=3, missing=missing)
    table = Table.from_frame(X, y)
    items = Items.of(table, MDLP().fit(table))
    cars = Apriori(0.05, 0.0, max_len=3).mine(items)
    asked = Table.from_frame(random_table(seed + 1, n_rows=130, n_values=3, missing=0.3)[0])
    asked = Table(table.schema, asked.X)
    found = covers(RuleSet.of_cars(cars), asked, coverage)
    antecedents, rows = antecedents_of(cars), rows_of(items, asked)
    for i in range(len(rows)):
        assert np.flatnonzero(found[i]).tolist() == covering(antecedents, rows[i], coverage)


@settings(deadline=None, max_examples=30)
@given(seed=st.integers(0, 10_000))
def test_rules_with_thresholds_cover_the_rows_that_match_them(seed):
    rng = np.random.default_rng(seed)
    table = Table.from_frame(
        pd.DataFrame({"x": rng.integers(0, 6, 100) / 2, "n": rng.choice(list("abc"), 100)}),
        rng.integers(0, 2, 100),
    )
    table.X[rng.random((100, 2)) < 0.1] = np.nan
    rules = []
    for _ in range(20):
        low, high = rng.integers(-1, 7, 2) / 2
        numeric = (Condition(0, ">", low), Condition(0, "<=", high), Condition(0, "<=", high + 1))
        nominal = Condition(1, "in", tuple(rng.choice(3, rng.integers(1, 4), replace=False).tolist()))
        chosen = [c for c in (*numeric, nominal) if rng.random() < 0.6]
        rules.append(Rule(tuple(chosen), 0, (1, 0)))
    listed = RuleList(tuple(rules), table.schema)
    np.testing.assert_array_equal(covers(RuleSet.of_rules(listed, [50, 50]), table), listed.match(table))


def test_an_interval_that_nothing_can_be_in_covers_nothing():
    schema = Schema((Attribute("x", "numeric"),), Attribute("class", "nominal", ("a",)))
    rule = Rule((Condition(0, ">", 3), Condition(0, "<=", 2)), 0, (0,))
    rules = RuleSet.of_rules(RuleList((rule,), schema), [4])
    assert not covers(rules, Table(schema, np.array([[1.0], [2.5], [9.0]]))).any()


def test_a_rule_without_conditions_covers_every_row():
    rules = flags((), (1,))
    assert covers(rules, row(rules, 5)).tolist() == [[True, False]]


@pytest.mark.parametrize("n_jobs", [1, 3])
def test_blocks_share_no_row_and_leave_none_out(chain, n_jobs):
    seen = np.zeros(1000, dtype=int)

    def work(block):
        seen[block.rows] += 1
        n_rows = block.rows.stop - block.rows.start
        assert np.bitwise_count(block.alive).sum() == n_rows

    for_blocks(chain, np.full((1000, 6), np.nan), (0,), work, n_jobs, block=128)
    assert seen.tolist() == [1] * 1000
