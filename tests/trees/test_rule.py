"""Conditions, rules and rule lists."""

import math

import numpy as np
import pandas as pd
import pytest

from trees.errors import DataError
from trees.rule import Condition, Rule, RuleList, format_number
from trees.schema import Attribute, Schema
from trees.table import Table

SCHEMA = Schema(
    (Attribute("outlook", "nominal", ("sunny", "overcast", "rain")), Attribute("humidity", "numeric")),
    Attribute("play", "nominal", ("no", "yes")),
)
NAN = float("nan")
TABLE = Table(
    SCHEMA,
    np.array([[0, 70.0], [0, 75.0], [1, 80.0], [NAN, 60.0], [2, NAN]]),
    np.array([1, 0, 1, 1, 0], np.int32),
)
SUNNY, DRY = Condition(0, "in", (0,)), Condition(1, "<=", 70)


def rule(*conditions, consequent=1, counts=(0.0, 1.0), **more):
    return Rule(conditions, consequent, counts, **more)


def test_a_missing_cell_satisfies_no_condition():
    assert Condition(1, "<=", 75).match(TABLE.X).tolist() == [True, True, False, True, False]
    assert Condition(1, ">", 75).match(TABLE.X).tolist() == [False, False, True, False, False]
    assert Condition(0, "in", (0, 2)).match(TABLE.X).tolist() == [True, True, False, False, True]


@pytest.mark.parametrize(("relation", "value"), [("in", ()), ("in", 3), ("=", 3)])
def test_impossible_conditions_are_errors(relation, value):
    with pytest.raises(DataError, match="condition"):
        Condition(0, relation, value)


def test_a_rule_covers_the_rows_that_satisfy_all_conditions():
    assert rule(SUNNY, DRY).match(TABLE).tolist() == [True, False, False, False, False]
    assert rule().match(TABLE).all()


def test_a_rule_list_matches_and_counts():
    rules = RuleList((rule(SUNNY), rule(DRY), rule()), SCHEMA)
    assert rules.match(TABLE)[0].tolist() == [True, True, True]
    assert rules.match(TABLE)[3].tolist() == [False, True, True]
    counts = rules.counts(TABLE)
    assert counts.class_counts.tolist() == [[1, 1], [0, 2], [2, 3]]
    assert counts.class_counts.dtype == np.int64
    assert counts.correct.tolist() == [1, 2, 3]


def test_rules_read_as_people_write_them():
    both = rule(Condition(0, "in", (2, 0)), DRY, counts=(1.0, 3.0))
    assert both.describe(SCHEMA) == "IF outlook in {sunny, rain} AND humidity <= 70 THEN play = yes"
    assert str(RuleList((both,), SCHEMA, default=0)) == (
        "R1: IF outlook in {sunny, rain} AND humidity <= 70 THEN play = yes  (3/4, confidence 0.75)\n"
        "otherwise play = no"
    )


def test_long_rules_wrap_at_the_width():
    many = rule(*[Condition(1, ">", 0.1 * k) for k in range(30)])
    lines = RuleList((many,), SCHEMA).describe(width=80).splitlines()
    assert max(map(len, lines)) <= 80
    assert len(lines) > 5


def test_simplify_keeps_the_tightest_bounds_and_intersects_values():
    messy = rule(
        Condition(1, "<=", 5), Condition(0, "in", (0, 1)), Condition(1, "<=", 3), Condition(0, "in", (1, 2))
    )
    assert messy.simplify().conditions == (Condition(0, "in", (1,)), Condition(1, "<=", 3))


def test_simplify_refuses_conditions_that_exclude_each_other():
    with pytest.raises(DataError, match="exclude each other"):
        rule(Condition(0, "in", (0,)), Condition(0, "in", (1,))).simplify()


def test_the_same_rule_in_another_order_is_dropped():
    # case S32 of the reference folder
    first, second = rule(SUNNY, DRY), rule(DRY, SUNNY)
    third = rule(Condition(1, "<=", 99), DRY, SUNNY, consequent=0, counts=(1.0, 0.0))
    fourth = rule(SUNNY, DRY, consequent=0, counts=(1.0, 0.0))
    kept = RuleList((first, second, third, fourth), SCHEMA).simplify()
    assert [(r.conditions, r.consequent) for r in kept] == [((SUNNY, DRY), 1), ((SUNNY, DRY), 0)]


def test_rules_survive_the_way_into_json_and_back():
    rules = RuleList((rule(SUNNY, DRY, scope="small", scores={"fitness": 0.48}), rule()), SCHEMA, 1, "first")
    again = RuleList.from_dict(rules.to_dict(), SCHEMA)
    assert again.rules == rules.rules
    assert (again.default, again.semantics) == (1, "first")


def test_a_rule_list_is_a_table_too():
    frame = RuleList((rule(SUNNY, counts=(1.0, 3.0)),), SCHEMA).to_frame()
    assert frame.loc["R1", ["rule", "class", "covered", "errors"]].tolist() == [
        "outlook = sunny",
        "yes",
        4.0,
        1.0,
    ]
    assert RuleList((), SCHEMA).to_frame().shape == (0, 7)


def test_html_escapes_names_and_values():
    schema = Schema((Attribute("<b>", "nominal", ("<script>",)),), SCHEMA.target)
    html = RuleList((rule(SUNNY),), schema)._repr_html_()
    assert "<script>" not in html
    assert "&lt;script&gt;" in html


def test_slices_and_iteration():
    rules = RuleList((rule(SUNNY), rule(DRY)), SCHEMA)
    assert rules[0].conditions == (SUNNY,)
    assert len(rules[1:]) == 1
    assert rules.n_conditions == 2
    assert [r.conditions for r in rules] == [(SUNNY,), (DRY,)]


def test_a_table_of_another_schema_is_refused():
    other = Table.from_frame(pd.DataFrame({"x": [1.0]}))
    with pytest.raises(DataError, match="other attributes"):
        RuleList((rule(SUNNY),), SCHEMA).match(other)


def test_confidence_of_a_rule_without_rows_is_nan():
    assert math.isnan(rule(counts=(0.0, 0.0)).confidence)


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (75.0, "75"),
        (0.1, "0.1"),
        (float(np.float32(0.1)), "0.1"),
        (1e-7, "1e-07"),
        (16777217.0, "16777217"),
        (-2.5, "-2.5"),
    ],
)
def test_numbers_print_as_short_as_they_can(number, text):
    assert format_number(number) == text


def test_values_that_cannot_be_read_stand_in_quotes():
    schema = Schema((Attribute("s", "nominal", ("", " ", "a\nb", "plain text")),), SCHEMA.target)
    texts = [Condition(0, "in", (code,)).describe(schema) for code in range(4)]
    assert texts == ['s = ""', 's = " "', 's = "a\\nb"', "s = plain text"]


def test_a_vote_is_printed_with_its_sign():
    schema = Schema((Attribute("humidity", "numeric"),), Attribute("play", "nominal", ("no", "yes")))
    rule = Rule((Condition(0, "<=", 75),), 1, (1, 3), "small", {"vote": 0.5})
    text = RuleList((rule,), schema).describe()
    assert text == "R1: IF humidity <= 75 THEN play = yes  (3/4, confidence 0.75, vote +0.50)"
