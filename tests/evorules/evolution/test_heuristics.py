import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evorules.evolution import ConditionTable, attribute_accuracy, gain_worth, information_gains
from evorules.evolution.heuristics import class_entropy
from evorules.evolution.lazy_kernels import kernels
from tests.reference import ga_plain
from tests.reference.ga_tables import parts, tables
from trees.errors import ParameterError
from trees.growth.tree import LEAF, NUMERIC, Tree
from trees.schema import Attribute, Schema


def tree_of(attributes: list[int], leaves: list[tuple[float, float]], n_attributes: int) -> Tree:
    """A chain of tests; leaf i hangs on the left of test i, the last leaf on the right of the last test.

    A leaf is (weight, weight of its class).
    """
    schema = Schema(
        tuple(Attribute(f"A{a}", "numeric") for a in range(n_attributes)),
        Attribute("class", "nominal", ("c0", "c1")),
    )
    kind, attribute, child, start, weight, class_weight = [], [], [], [0], [], []

    def add(is_leaf, column, n, k):
        kind.append(LEAF if is_leaf else NUMERIC)
        attribute.append(column)
        weight.append(n)
        class_weight.append([k, n - k])

    node = 0
    for i, column in enumerate(attributes):
        rest = leaves[i:]
        add(False, column, sum(n for n, _ in rest), sum(k for _, k in rest))
        child += [node + 1, node + 2]
        start += [len(child), len(child)]
        add(True, -1, *leaves[i])
        node += 2
    add(True, -1, *leaves[-1])
    start.append(len(child))
    n_nodes = len(kind)
    return Tree(
        schema,
        np.array(kind, dtype=np.int8),
        np.array(attribute, dtype=np.int32),
        np.where(np.array(kind) == NUMERIC, 0.5, np.nan),
        np.array(start, dtype=np.int32),
        np.array(child, dtype=np.int32),
        np.zeros(n_nodes + 1, dtype=np.int32),
        np.empty(0, dtype=np.int32),
        np.zeros(n_nodes, dtype=np.int32),
        np.array(weight),
        np.zeros(n_nodes),
        np.array(class_weight),
    )


def test_the_accuracy_of_an_attribute_sums_over_the_paths_that_test_it():
    # test A0, then A1, then A0 again: A0 is on all three paths below (once each), A1 on two
    tree = tree_of([0, 1, 0], [(10, 9), (20, 18), (6, 3), (4, 4)], 2)
    assert attribute_accuracy(tree, "none").tolist() == [34 / 40, 25 / 30]


def test_attributes_that_are_not_tested_share_the_least_accuracy():
    tree = tree_of([0, 1], [(10, 9), (10, 5), (10, 7)], 4)
    # A0 21/30, A1 12/20, A2 and A3 .6 / 2 each
    assert attribute_accuracy(tree, "none").tolist() == pytest.approx([0.7, 0.6, 0.3, 0.3])
    assert attribute_accuracy(tree).tolist() == pytest.approx([0.7 / 1.9, 0.6 / 1.9, 0.3 / 1.9, 0.3 / 1.9])
    assert attribute_accuracy(tree, "max").tolist() == pytest.approx([1, 6 / 7, 3 / 7, 3 / 7])


def test_paths_that_no_row_reaches_count_for_nothing():
    # the leaf without rows below the test of A1 has its parent's class weights
    tree = tree_of([0, 1], [(10, 8), (0.0, 0.0), (10, 7)], 2)
    tree = tree.replaced(class_weight=np.where(tree.weight[:, None] == 0, 5.0, tree.class_weight))
    assert attribute_accuracy(tree, "none").tolist() == [15 / 20, 7 / 10]


def test_an_attribute_tested_only_above_empty_leaves_counts_as_not_tested():
    tree = tree_of([0, 1], [(10, 8), (0.0, 0.0), (0.0, 0.0)], 3)
    assert attribute_accuracy(tree, "none").tolist() == [0.8, 0.4, 0.4]


def test_without_a_test_all_attributes_are_worth_the_same():
    tree = tree_of([], [(10, 8)], 4)
    assert attribute_accuracy(tree).tolist() == [0.25] * 4
    assert attribute_accuracy(tree, "none").tolist() == [0.25] * 4


def test_unknown_norms_are_refused():
    with pytest.raises(ParameterError, match="'sum', 'max' or 'none'"):
        attribute_accuracy(tree_of([], [(1, 1)], 1), "gain")


@settings(deadline=None, max_examples=40)
@given(data=st.data())
def test_information_gains_equal_the_definition(data):
    table = data.draw(tables(max_rows=20))
    alive = np.isin(np.arange(table.n_rows), data.draw(parts(table)))
    conditions, plain = ConditionTable.build(table), ga_plain.space(table)
    if conditions.n_genes == 0:
        return
    remaining = conditions.remaining(alive)
    rows = remaining.rows.tolist()
    worth = gain_worth(remaining, "raw")
    low, high = conditions.code_ranges
    for gene in range(conditions.n_genes):
        values = conditions.cells.values[gene].tolist()
        if gene in conditions.wide_genes:
            subset = data.draw(st.integers(1, 2 ** len(values) - 2))
            first, n_words = conditions.genes[gene, 3:5].tolist()
            words = np.frombuffer(subset.to_bytes(8 * n_words, "little"), "<u8").astype(np.uint64)
            found = kernels().subset_gain(
                words,
                len(values),
                worth.wide_counts[64 * first :],
                worth.totals,
                worth.terms,
                np.empty(len(worth.totals)),
            )
            condition = frozenset(v for v in range(len(values)) if subset >> v & 1)
            assert found == pytest.approx(ga_plain.information_gain(plain, rows, gene, condition), abs=1e-11)
            continue
        for code in range(low[gene], high[gene] + 1):
            found = conditions.condition(gene, code)
            if found.relation == "in":
                condition = frozenset(values.index(v) for v in found.codes)
            else:
                condition = (found.relation, values.index(found.value))
            expected = ga_plain.information_gain(plain, rows, gene, condition)
            assert worth.values[code] == pytest.approx(expected, abs=1e-11)


@settings(deadline=None, max_examples=40)
@given(data=st.data())
def test_conditions_that_divide_the_rows_alike_have_exactly_equal_gains(data):
    table = data.draw(tables(weighted=False))
    conditions = ConditionTable.build(table)
    if conditions.n_genes == 0:
        return
    remaining = conditions.remaining()
    gains = information_gains(remaining)
    seen = {}
    low, high = conditions.code_ranges
    for gene in range(conditions.n_genes):
        for code in range(low[gene], high[gene] + 1) if gene not in conditions.wide_genes else ():
            matched = conditions.condition(gene, code).match(table.X[conditions.rows])
            side = min(tuple(matched.tolist()), tuple((~matched).tolist()))
            assert seen.setdefault(side, gains[code]) == gains[code]


def test_entropy_of_absent_classes_is_a_number():
    # a peer leaves 0 * log 0 unguarded and never prunes a condition then
    assert class_entropy(np.array([4.0, 0.0])) == 0.0
    assert class_entropy(np.array([2.0, 2.0, 0.0])) == 1.0
