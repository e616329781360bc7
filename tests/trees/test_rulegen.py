"""The steps from tree to rule list. Numbers: the specification of C4.5, section 8, and hand calculation."""

import numpy as np
import pandas as pd
import pytest

from trees.c45 import C45Classifier
from trees.cart import CARTClassifier
from trees.growth.tree import NOMINAL, NUMERIC, SUBSET
from trees.id3 import ID3Classifier
from trees.rule import Condition
from trees.rulegen.candidates import Candidate, distinct_candidates, ordered_as_original
from trees.rulegen.cases import Cases, pack_rows
from trees.rulegen.code_length import CodeLengths
from trees.rulegen.derive import RuleOptions, derive_rules
from trees.rulegen.draws import glibc_draws
from trees.rulegen.evaluate import drop_harmful
from trees.rulegen.extract import Paths, flattened, leaf_paths
from trees.rulegen.holdout import prune_on_holdout
from trees.rulegen.order import by_description_length, by_false_positives, default_class
from trees.schema import Attribute, Schema
from trees.table import Table

CLASSES = Attribute("class", "nominal", ("p", "q", "r"))
SCHEMA = Schema(
    (
        Attribute("a", "nominal", ("u", "v", "w")),
        Attribute("x", "numeric"),
        Attribute("b", "nominal", ("f", "t")),
    ),
    CLASSES,
)


def table_of(X, y, weight=None):
    cells = np.array(X, dtype=float)
    return Table(
        SCHEMA, cells, np.array(y, np.int32), np.ones(len(y)) if weight is None else np.array(weight)
    )


def paths_of(conditions, kinds, rules=(), labels=(), tests=None):
    return Paths(
        tuple(conditions),
        np.array(kinds, np.int8),
        np.arange(len(conditions)) if tests is None else np.array(tests),
        *flattened(rules),
        np.array(labels, np.int32),
    )


def weather():
    values = ["sunny", "overcast", "rain"]
    frame = pd.DataFrame(
        {
            "outlook": pd.Categorical(["sunny"] * 6 + ["rain"] * 6, categories=values),
            "humidity": [70.0, 90, 85, 95, 70, 70, 80, 80, 70, 90, 65, 90],
        }
    )
    return Table.from_frame(frame, ["yes", "no", "no", "no", "yes", "yes"] + ["yes"] * 6)


def test_a_path_has_the_conditions_from_the_root_down_and_empty_leaves_have_none():
    paths = leaf_paths(C45Classifier(prune=False).fit(weather()).tree_)
    schema = weather().schema
    texts = [[paths.conditions[c].describe(schema) for c in rule] for rule in paths.rules()]
    assert texts == [
        ["outlook = sunny", "humidity <= 70"],
        ["outlook = sunny", "humidity > 70"],
        ["outlook = rain"],
    ]
    assert [schema.classes[label] for label in paths.label] == ["yes", "no", "yes"]


def test_both_sides_of_a_threshold_are_two_conditions_of_one_test():
    paths = leaf_paths(C45Classifier(prune=False).fit(weather()).tree_)
    assert paths.kind.tolist() == [NOMINAL, NOMINAL, NUMERIC, NUMERIC]
    assert paths.test.tolist() == [0, 1, 2, 2]


def test_a_tree_that_is_a_leaf_has_no_path():
    tree = C45Classifier().fit(pd.DataFrame({"x": [1.0, 1.0, 1.0]}), ["p", "p", "q"]).tree_
    assert leaf_paths(tree).n_paths == 0


@pytest.mark.parametrize("learner", [C45Classifier(), CARTClassifier(random_state=0), ID3Classifier()])
def test_rules_come_from_any_tree(learner):
    frame = pd.DataFrame({"a": ["u"] * 12 + ["v"] * 12, "b": (["f"] * 6 + ["t"] * 6) * 2})
    table = Table.from_frame(frame, ["yes"] * 12 + ["no"] * 6 + ["yes"] * 6)
    derivation = derive_rules(learner.fit(table).tree_, table, RuleOptions(), glibc_draws())
    assert str(derivation.rule_list(table, only_firing=False)).splitlines() == [
        "R1: IF a = v AND b = f THEN class = no  (6/6, confidence 1.00)",
        "R2: IF a = u THEN class = yes  (12/12, confidence 1.00)",
        "R3: IF b = t THEN class = yes  (12/12, confidence 1.00)",
        "otherwise class = yes",
    ]


def test_conditions_are_ordered_by_attribute_then_lower_bounds_then_upper():
    conditions = [
        Condition(1, "<=", 5.0),
        Condition(1, ">", 7.0),
        Condition(0, "in", (2,)),
        Condition(1, ">", 3.0),
    ]
    paths = paths_of(conditions, [NUMERIC, NUMERIC, NOMINAL, NUMERIC], [[0, 1, 2, 3]], [0])
    rules = distinct_candidates(paths, np.ones(4, dtype=bool), np.array([0.1]), repeat_defects=False)
    assert rules == [Candidate((2, 3, 1, 0), 0, 0.1)]


def test_the_original_order_is_inconsistent_where_kinds_are_mixed():
    # the one has the lower attribute, the other the lower kind: each precedes the other, the later wins
    conditions = [Condition(2, "in", (0,)), Condition(1, "in", (0, 1))]
    paths = paths_of(conditions, [NOMINAL, SUBSET])
    assert ordered_as_original([0, 1], [True, True], paths) == (1, 0)
    assert ordered_as_original([1, 0], [True, True], paths) == (0, 1)


def test_dropped_conditions_hold_their_places_in_the_original_sort():
    # groups of attribute 0, then values of attributes 2 and 1, which precede them by kind; 3 is dropped. The
    # last is chosen first. Swapped into the place of a dropped one it leaves the others in order, and of the
    # two the later, of attribute 2, is next; swapped with the first it would put that behind
    conditions = [Condition(0, "in", (0, 1)), *(Condition(a, "in", (0,)) for a in (2, 1, 9))]
    paths = paths_of(conditions, [SUBSET, NOMINAL, NOMINAL, NOMINAL])
    assert ordered_as_original([3, 0, 1, 2], [False, True, True, True], paths) == (2, 1, 0)
    assert ordered_as_original([0, 1, 2], [True, True, True], paths) == (2, 0, 1)


@pytest.mark.parametrize(("repeat_defects", "n_rules"), [(True, 1), (False, 2)])
def test_only_the_original_takes_both_sides_of_a_threshold_for_the_same(repeat_defects, n_rules):
    # defect 9.1; the rule that stays takes the greater error
    paths = paths_of(
        [Condition(1, "<=", 0.0), Condition(1, ">", 0.0)], [NUMERIC] * 2, [[0], [1]], [0, 0], tests=[0, 0]
    )
    errors = np.array([0.1, 0.2])
    rules = distinct_candidates(paths, np.ones(2, dtype=bool), errors, repeat_defects=repeat_defects)
    assert len(rules) == n_rules
    assert rules[0] == Candidate((0,), 0, 0.2 if repeat_defects else 0.1)


@pytest.mark.parametrize(("repeat_defects", "n_rules"), [(True, 1), (False, 2)])
def test_only_the_original_takes_all_groups_of_one_test_for_the_same(repeat_defects, n_rules):
    paths = paths_of(
        [Condition(0, "in", (0, 1)), Condition(0, "in", (2,))], [SUBSET] * 2, [[0], [1]], [0, 0], tests=[0, 0]
    )
    rules = distinct_candidates(paths, np.ones(2, dtype=bool), np.zeros(2), repeat_defects=repeat_defects)
    assert len(rules) == n_rules


def test_rules_of_different_classes_are_no_duplicates_and_marked_ones_are_left_out():
    paths = paths_of([Condition(1, "<=", 0.0)], [NUMERIC], [[0], [0], [0], [0]], [0, 1, 0, 2])
    errors = np.array([0.1, 0.2, 0.3, 2.0])
    rules = distinct_candidates(paths, np.ones(4, dtype=bool), errors, repeat_defects=False)
    assert rules == [Candidate((0,), 0, 0.3), Candidate((0,), 1, 0.2)]


def test_only_the_original_cannot_match_a_value_number_above_127():
    # defect 9.5: number 127 is code 126
    schema = Schema((Attribute("a", "nominal", tuple(range(150))),), CLASSES)
    table = Table(schema, np.array([[126.0], [127.0]]), np.zeros(2, np.int32))
    one, other = Condition(0, "in", (126,)), Condition(0, "in", (127,))
    assert [Cases(table, True).matches(c).tolist() for c in (one, other)] == [[True, False], [False, False]]
    assert [Cases(table, False).matches(c).tolist() for c in (one, other)] == [[True, False], [False, True]]
    # a test on groups looks values up in a set, which is wide enough
    assert Cases(table, True).matches(other, SUBSET).tolist() == [False, True]


def code_table():
    """a: 4 u, 2 v, 2 w: 1.5 bits; x: four values: 1 + log2(4)/2 = 2 bits; b: constant, 0 bits."""
    X = [[a, x, 0] for a, x in zip([0, 0, 0, 0, 1, 1, 2, 2], [1, 2, 3, 4] * 2, strict=True)]
    return table_of(X, [0] * 8)


CODE_CONDITIONS = [Condition(0, "in", (0,)), Condition(1, "<=", 2.0), Condition(0, "in", (0, 1))]


@pytest.mark.parametrize("single", [False, True])
def test_a_rule_costs_its_conditions_less_the_choice_of_their_order(single):
    code = CodeLengths(Cases(code_table(), single), 1.0)
    assert code.attribute_bits.tolist() == [1.5, 2.0, 0.0]
    # entropy of (1.5, 2) / 3.5
    assert code.test_bits == pytest.approx(0.985228, abs=1e-6)
    paths = paths_of(CODE_CONDITIONS, [NOMINAL, NUMERIC, SUBSET])
    assert code.of_rule([0], paths) == pytest.approx(0.985228 + 1.5, abs=1e-5)
    # log2(2) - log2(2!) = 0
    assert code.of_rule([0, 1], paths) == pytest.approx(2 * 0.985228 + 3.5, abs=1e-5)
    # a group of values names the values: 3 bits
    assert code.of_rule([2], paths) == pytest.approx(0.985228 + 3, abs=1e-5)
    # log2(3) - log2(3!) = -1
    assert code.of_rule([0, 1, 2], paths) == pytest.approx(3 * 0.985228 + 6.5 - 1, abs=1e-5)


def test_redundancy_makes_attributes_cheaper():
    code = CodeLengths(Cases(code_table(), False), 2.0)
    paths = paths_of(CODE_CONDITIONS, [NOMINAL, NUMERIC, SUBSET])
    assert code.of_rule([0], paths) == pytest.approx(0.985228 / 2 + 1.5, abs=1e-5)


def test_only_the_original_counts_a_missing_number_as_one_more_value():
    table = table_of([[0, x, 0] for x in (1, 2, 3, 4, np.nan)], [0] * 5)
    assert CodeLengths(Cases(table, False), 1.0).attribute_bits[1] == 2.0
    assert CodeLengths(Cases(table, True), 1.0).attribute_bits[1] == pytest.approx(1 + np.log2(5) / 2)


def bits_of(*rows, n=8):
    flags = np.zeros((len(rows), n), dtype=bool)
    for r, row in enumerate(rows):
        flags[r, list(row)] = True
    return pack_rows(flags)


Y = [0, 0, 0, 1, 1, 1, 2, 2]


def test_the_class_with_the_fewest_false_positives_on_rows_left_comes_first():
    cases = Cases(table_of(np.zeros((8, 3)), Y), False)
    # class 0 fires on two rows of others, class 1 on one, class 2 on three; after class 1 has taken rows 3, 4
    # and 6, only row 5 is left of those that class 0 gets wrong and class 2 has rows 0 and 1
    covers = bits_of([0, 1, 4, 5], [3, 4, 6], [0, 1, 3, 7])
    order, wrong = by_false_positives(covers, cases)
    assert order == [1, 0, 2]
    assert wrong.tolist() == [1, 1, 0]


def test_false_positives_weigh_as_much_as_their_rows():
    cases = Cases(table_of(np.zeros((8, 3)), Y, [1, 1, 1, 1, 5, 1, 1, 1.5]), False)
    order, wrong = by_false_positives(bits_of([4], [7], [0, 1]), cases)
    assert order == [1, 2, 0]
    assert wrong.tolist() == [5, 1.5, 2]


def test_the_shortest_description_comes_first():
    assert by_description_length([7.5, 3.25, 7.5, 1.0]) == [3, 1, 0, 2]


def test_the_default_is_the_class_with_the_most_rows_left():
    cases = Cases(table_of(np.zeros((8, 3)), Y), False)
    assert default_class(bits_of([0, 1], [3], []), cases)[0] == 1
    # one row of each class is left: of the more frequent ones the lower code
    best, uncovered = default_class(bits_of([0, 1], [3, 4], [7]), cases)
    assert (best, uncovered.tolist()) == (0, [1, 1, 1])


def test_a_rule_that_does_more_harm_than_good_is_dropped():
    table = table_of(np.zeros((8, 3)), Y)
    # rule 0 (class 0) takes rows 0, 3 and 4: right where the default errs in row 0, wrong where rule 1 is
    # right in row 3 and where the default is right in row 4
    fires = bits_of([0, 3, 4], [3, 6])
    alive, passes = drop_harmful(fires, np.array([0, 1], np.int32), 1, table)
    assert alive.tolist() == [False, True]
    assert [p.dropped for p in passes] == [0, -1]
    assert (passes[0].used.tolist(), passes[0].wrong.tolist()) == ([3, 1], [2, 1])
    assert (passes[0].better.tolist(), passes[0].worse.tolist()) == ([1, 0], [2, 0])
    # the default gets rows 1, 2, 7 wrong beside rows 3, 4 and 6
    assert (passes[0].errors, passes[1].errors) == (6, 5)


def test_a_condition_is_dropped_while_accuracy_on_held_out_rows_does_not_fall():
    # x <= 2 covers rows 0 to 2 (one error), b = f with it rows 0 and 1 (none); a = u covers everything
    conditions = [Condition(0, "in", (0,)), Condition(1, "<=", 2.0), Condition(2, "in", (0,))]
    paths = paths_of(conditions, [NOMINAL, NUMERIC, NOMINAL], [[0, 1, 2], [0]], [0, 1])
    table = table_of([[0, 1, 0], [0, 2, 0], [0, 2, 1], [0, 3, 0], [0, 4, 1], [0, 5, 1]], [0, 0, 1, 1, 1, 1])
    kept, error = prune_on_holdout(paths, Cases(table, False))
    assert kept.tolist() == [False, True, True, False]
    # the second rule loses its only condition
    assert error.tolist() == [0.0, 2.0]
