"""Examples that the papers on associative classifiers print, through the classifiers' own parts."""

import numpy as np
import pytest

from evorules.rules import COVERAGES, AllRules, BestK, RuleSet, Unmatched, covers
from evorules.rules.ordering import specific_first
from trees.measures import chi_square, greatest_chi_square
from trees.rule import Condition, Rule, RuleList
from trees.schema import Attribute, Schema
from trees.table import Table


def items_schema(n_items, classes):
    attributes = tuple(Attribute(f"i{k + 1}", "nominal", ("yes",)) for k in range(n_items))
    return Schema(attributes, Attribute("class", "nominal", classes))


def rule_of(items, consequent, counts):
    return Rule(tuple(Condition(k - 1, "in", (0,)) for k in items), consequent, counts)


def row_of(schema, items):
    cells = np.full((1, schema.n_attributes), np.nan)
    cells[0, [k - 1 for k in items]] = 0
    return Table(schema, cells)


@pytest.fixture(scope="module")
def credit():
    # CMAR, section 4: 500 applications, 450 approved, 50 rejected. R1: job = no => rejected, support 18 of
    # 30; R2: education = university => approved, 199 of 200
    schema = items_schema(2, ("approved", "rejected"))
    rules = (rule_of([1], 1, (12, 18)), rule_of([2], 0, (199, 1)))
    return RuleSet.of_rules(RuleList(rules, schema), [450, 50])


def test_cmar_chi_square_of_the_credit_rules(credit):
    # the paper prints 88.4 and 33.4
    np.testing.assert_allclose(chi_square(credit.counts), [88.65, 33.43], atol=0.01)
    np.testing.assert_allclose(greatest_chi_square(credit.counts)[1], 37.04, atol=0.01)


def test_cmar_takes_the_weaker_rule_that_is_nearer_to_its_bound(credit):
    # an applicant without job and with a university degree: by chi-square alone it would be rejected (88.4
    # against 33.4); by weighted chi-square 88.65**2 / 287.23 = 27.4 against 33.43**2 / 37.04 = 30.2
    rows = row_of(credit.schema, [1, 2])
    found = AllRules("wchi2").decide(
        credit, rows.X, (0,), Unmatched(-1, np.array([450, 50])), np.array([0, 1])
    )
    bound = 500 * (30 - 3) ** 2 * (1 / 1500 + 1 / 13500 + 1 / 23500 + 1 / 211500)
    weights = np.array([33.4282**2 / 37.0370, 88.6525**2 / bound])
    assert found.label.tolist() == [0]
    np.testing.assert_allclose(found.scores[0], weights / weights.sum(), atol=1e-4)


def test_car_ic_ranks_specific_rules_first():
    # CAR-IC, Table 2: {i1} => c1 .65, {i1, i2, i3} => c2 .60, {i4, i5, i6} => c3 .65
    schema = items_schema(6, ("c1", "c2", "c3"))
    rules = (
        rule_of([1], 0, (65, 20, 15)),
        rule_of([1, 2, 3], 1, (20, 60, 20)),
        rule_of([4, 5, 6], 2, (15, 20, 65)),
    )
    listed = RuleSet.of_rules(RuleList(rules, schema), [100, 100, 100])
    order = specific_first(listed)
    assert order.tolist() == [2, 1, 0]
    # a row with i1 to i6 gets c3 or c1 by confidence, both .65; a row with i1 to i3 alone is c1 by mean
    ranked = listed.take(order)
    asked = np.concatenate([row_of(schema, [1, 2, 3]).X, row_of(schema, [4, 5, 6]).X])
    found = BestK(5).decide(ranked, asked, (0,), Unmatched(-1, np.ones(3)), np.array([0, 1, 2]))
    assert found.label.tolist() == [0, 2]


@pytest.mark.parametrize(
    ("items", "inexact"),
    [([2, 3], [False, True, True, False]), ([2, 3, 4], [False, True, True, True])],
)
def test_car_ic_covers_rows_that_miss_one_item(items, inexact):
    # CAR-IC, Table 3 under Definition 2: {i1}, {i1, i2}, {i1, i2, i3}, {i1, i2, i3, i4} of confidences .52,
    # .52, .54, .56
    schema = items_schema(4, ("c", "d"))
    chain = [(52, 48), (52, 48), (54, 46), (56, 44)]
    rules = tuple(rule_of(range(1, k + 2), 0, counts) for k, counts in enumerate(chain))
    listed = RuleSet.of_rules(RuleList(rules, schema), [500, 500])
    rows = row_of(schema, items)
    assert covers(listed, rows).tolist() == [[False] * 4]
    assert covers(listed, rows, COVERAGES["exact_then_inexact"]).tolist() == [inexact]
    # the rule that the paper names is the longest, which its order puts first
    ranked = listed.take(specific_first(listed))
    unmatched, preference = Unmatched(-1, np.ones(2)), np.array([0, 1])
    found = BestK(5).decide(ranked, rows.X, (0, 1), unmatched, preference)
    assert len(ranked.rules()[found.rule[0]].conditions) == len(items) + 1
