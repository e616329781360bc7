"""Pruning methods. Numbers: the specification of trees, sections 5 and 6, and hand calculation."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from trees.growth.draft import Draft, assemble
from trees.growth.generic import GenericOptions, grow_generic
from trees.growth.route import node_class_weight
from trees.growth.tree import LEAF, NUMERIC
from trees.pruning.by_name import PruningOptions, grow_and_prune
from trees.pruning.collapse import collapse
from trees.pruning.cost_complexity import choose_alpha, prune_cost_complexity, weakest_links
from trees.pruning.mdl import leaf_bits, prune_mdl, split_bits
from trees.pruning.reduced_error import prune_reduced_error
from trees.pruning.weighted_penalty import prune_weighted_penalty
from trees.schema import Attribute, Schema
from trees.table import Table

SCHEMA = Schema((Attribute("x", "numeric"),), Attribute("class", "nominal", ("p", "n")))


def made(*nodes):
    """A tree over x from (class weights, threshold and children, or nothing for a leaf), root first."""
    drafts = []
    for class_weight, *test in nodes:
        draft = Draft(np.array(class_weight, dtype=float), float(sum(class_weight)))
        if test:
            draft.kind, draft.attribute = NUMERIC, 0
            draft.threshold, draft.children = test[0], list(test[1:])
        drafts.append(draft)
    return assemble(SCHEMA, drafts)


def rows(values, classes):
    return Table(SCHEMA, np.array(values, float)[:, np.newaxis], np.array(classes, np.int32))


# Section 5, check: the root errs .40 (its tree .10), t1 .16 (.04), t2 .10 (.06); two leaves each.
# In pre-order: root 0, t1 1 with leaves 2 and 3, t2 4 with leaves 5 and 6.
CHECK = made(
    ((60, 40), 4, 1, 2),
    ((50, 16), 2, 3, 4),
    ((10, 24), 6, 5, 6),
    ((49, 3),),
    ((1, 13),),
    ((6, 2),),
    ((4, 22),),
)


def test_links_break_in_the_order_of_the_worked_example():
    assert CHECK.errors.tolist() == [10, 4, 3, 1, 6, 2, 4]
    links = weakest_links(CHECK)
    # .10 of the root's tree is not reached: t2 goes at .04, then t1 at .12 before the root, now at .13
    assert links[[4, 1]] == pytest.approx([0.04, 0.12])
    # after both: (.40 - .26) / 1
    assert links[0] == pytest.approx(0.14)
    assert np.isinf(links[[2, 3, 5, 6]]).all()


@pytest.mark.parametrize(
    ("alpha", "n_leaves", "errors"),
    [(0.0, 4, 10), (0.039, 4, 10), (0.05, 3, 14), (0.13, 2, 26), (0.2, 1, 40)],
)
def test_a_greater_alpha_leaves_a_smaller_tree(alpha, n_leaves, errors):
    pruned = prune_cost_complexity(CHECK, alpha)
    pruned.check()
    assert (pruned.n_leaves, pruned.errors[0]) == (n_leaves, errors)


def test_links_of_equal_strength_break_together():
    # both halves save 2 errors of 20 by one more leaf
    tree = made(
        ((10, 10), 4, 1, 2),
        ((8, 2), 2, 3, 4),
        ((2, 8), 6, 5, 6),
        ((8, 0),),
        ((0, 2),),
        ((2, 0),),
        ((0, 8),),
    )
    links = weakest_links(tree)
    assert links[1] == links[4] == pytest.approx(0.1)
    assert links[0] == pytest.approx(0.3)


def test_a_split_that_saves_no_error_goes_at_alpha_0():
    tree = made(((6, 2), 1, 1, 2), ((4, 1),), ((2, 1),))
    assert weakest_links(tree)[0] == 0
    assert prune_cost_complexity(tree, 0.0).n_nodes == 1


def best_subtree_errors(tree, alpha, node=0):
    """Least errors + alpha * leaves below a node, by recursion; errors as a share of the root."""
    wrong = tree.weight[node] - tree.class_weight[node][tree.label[node]]
    own = wrong / tree.weight[0] + alpha
    if tree.is_leaf(node):
        return own
    return min(own, sum(best_subtree_errors(tree, alpha, child) for child in tree.children(node).tolist()))


@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 8), st.integers(0, 1)), min_size=2, max_size=25), st.floats(0, 0.3))
def test_the_pruned_tree_has_the_least_cost_of_all_subtrees(cells, alpha):
    table = rows([x for x, _ in cells], [c for _, c in cells])
    tree = grow_generic(table, GenericOptions())
    pruned = prune_cost_complexity(tree, alpha)
    pruned.check()
    cost = pruned.errors[0] / pruned.weight[0] + alpha * pruned.n_leaves
    assert cost == pytest.approx(best_subtree_errors(tree, alpha), abs=1e-9)
    np.testing.assert_allclose(node_class_weight(pruned, table), pruned.class_weight)


def test_cross_validation_prefers_the_smallest_tree_within_one_standard_error():
    # one fold; its tree is the check tree. Held out: 100 rows of which the full tree gets 20 wrong, the tree
    # without t2 18, without t1 as well 22, the root alone 45: least .18, standard error .0384
    held_out = Table(
        SCHEMA,
        np.array([[1.0]] * 45 + [[3.0]] * 14 + [[5.0]] * 10 + [[7.0]] * 31),
        np.array(
            [0] * 40
            + [1] * 5  # x <= 2: p, 5 wrong
            + [1] * 9
            + [0] * 5  # x <= 4: n, 5 wrong; p: 9 wrong
            + [0] * 4
            + [1] * 6  # x <= 6: p, 6 wrong; n: 4 wrong
            + [1] * 27
            + [0] * 4,  # n, 4 wrong
            np.int32,
        ),
    )
    path = choose_alpha(CHECK, [(CHECK, held_out)], se_rule=1.0)
    assert path.alphas == pytest.approx([0, 0.04, 0.12, 0.14])
    assert path.n_leaves.tolist() == [4, 3, 2, 1]
    # middles: 0, sqrt(.04 * .12) = .069, sqrt(.12 * .14) = .130, infinity
    assert path.error == pytest.approx([0.20, 0.18, 0.22, 0.47])
    assert (path.chosen, path.alpha) == (1, pytest.approx(0.04))
    assert choose_alpha(CHECK, [(CHECK, held_out)], se_rule=1.05).chosen == 2
    assert choose_alpha(CHECK, [(CHECK, held_out)], se_rule=0.0).chosen == 1


def test_collapse_keeps_the_order_of_nodes_and_the_counts():
    marked = np.zeros(7, dtype=bool)
    marked[1] = True
    pruned = collapse(CHECK, marked)
    pruned.check()
    assert pruned.kind.tolist() == [NUMERIC, LEAF, NUMERIC, LEAF, LEAF]
    assert pruned.class_weight.tolist() == [[60, 40], [50, 16], [10, 24], [6, 2], [4, 22]]
    assert pruned.errors.tolist() == [22, 16, 6, 2, 4]
    assert collapse(CHECK, np.zeros(7, dtype=bool)) is CHECK


def test_reduced_error_prunes_where_errors_held_out_do_not_increase():
    # held out: t2's split makes 2 errors, t2 as a leaf (n) 2 as well; t1's split 0, as a leaf 3
    held_out = rows([1] * 5 + [3] * 3 + [5, 5, 7, 7, 7], [0] * 5 + [1] * 3 + [1, 0, 1, 1, 0])
    loose = prune_reduced_error(CHECK, held_out)
    assert loose.class_weight.tolist() == [[60, 40], [50, 16], [49, 3], [1, 13], [10, 24]]
    assert prune_reduced_error(CHECK, held_out, strict=True) is CHECK
    better = rows([1] * 5 + [3] * 3 + [5, 5, 7], [0] * 5 + [1] * 3 + [1, 1, 1])
    assert prune_reduced_error(CHECK, better, strict=True).n_leaves == 3


def test_nodes_that_no_row_held_out_reaches_are_pruned_unless_strict():
    held_out = rows([1, 3], [0, 1])
    assert prune_reduced_error(CHECK, held_out).n_leaves == 3
    assert prune_reduced_error(CHECK, held_out, strict=True).n_leaves == 4


def test_mdl_costs_of_leaves_are_those_of_the_worked_example():
    assert leaf_bits([[50, 50], [30, 10], [20, 40], [10, 0]], 2).tolist() == pytest.approx(
        [104.473, 36.264, 59.203, 2.812], abs=1e-3
    )
    assert leaf_bits([[0, 0], [5, 0]], 1).tolist() == pytest.approx([0, 0])


def test_mdl_prunes_the_split_of_the_worked_example():
    # m = 4 attributes, 60 values of x: 1 + 2 + log2(59) = 8.883 bits; 106.349 against 105.473
    attributes = tuple(Attribute(name, "numeric") for name in "xabc")
    schema = Schema(attributes, SCHEMA.target)
    x = np.concatenate([np.linspace(1, 20, 40), np.linspace(20.5, 30, 20).repeat(3)])
    x[:40] = np.arange(40)
    x[40:] = np.repeat(np.arange(40, 60), 3)
    y = np.array([0] * 30 + [1] * 10 + [0] * 20 + [1] * 40, np.int32)
    table = Table(schema, np.column_stack([x, *np.zeros((3, 100))]), y)
    drafts = [
        Draft(np.array([50.0, 50.0]), 100.0, NUMERIC, 0, 39.5, children=[1, 2]),
        Draft(np.array([30.0, 10.0]), 40.0),
        Draft(np.array([20.0, 40.0]), 60.0),
    ]
    tree = assemble(schema, drafts)
    assert 1 + split_bits(tree, table)[0] == pytest.approx(8.883, abs=1e-3)
    assert prune_mdl(tree, table).n_nodes == 1


def test_mdl_keeps_a_split_that_pays():
    table = rows([1] * 50 + [2] * 50, [0] * 50 + [1] * 50)
    tree = grow_generic(table, GenericOptions())
    assert prune_mdl(tree, table).n_leaves == 2


def test_mdl_charges_for_groups_of_values():
    # four values: 2^3 - 1 = 7 ways, log2 7 = 2.807; one attribute
    values = ("a", "b", "c", "d")
    schema = Schema((Attribute("A", "nominal", values),), SCHEMA.target)
    cells = np.repeat([0.0, 1.0, 2.0, 3.0], 5)[:, np.newaxis]
    table = Table(schema, cells, np.repeat([0, 1, 0, 1], 5).astype(np.int32))
    tree = grow_generic(table, GenericOptions("gini", "subset"))
    assert split_bits(tree, table)[0] == pytest.approx(2.807, abs=1e-3)
    tree = grow_generic(table, GenericOptions("gini", "multiway"))
    assert split_bits(tree, table)[0] == 0


@pytest.mark.parametrize(("penalty", "n_leaves"), [(0.5, 4), (1.9, 4), (2, 3), (6, 2), (7, 1)])
def test_weighted_penalty_weighs_errors_against_nodes(penalty, n_leaves):
    # t2 saves 4 errors by 2 nodes, t1 12 by 2, the root 40 - 26 = 14 by 2
    assert prune_weighted_penalty(CHECK, penalty).n_leaves == n_leaves


@pytest.mark.parametrize("method", [None, "cost_complexity", "reduced_error", "mdl", "weighted_penalty"])
def test_every_method_leaves_a_tree_that_counts_its_own_rows(method):
    rng = np.random.default_rng(1)
    X = pd.DataFrame({"x": rng.normal(size=150), "A": rng.choice(list("uvw"), 150)})
    X.loc[::11, "x"] = np.nan
    table = Table.from_frame(X, np.where((X["x"] > 0) & (rng.random(150) < 0.9), "p", "n"))

    def grow(part):
        return grow_generic(part, GenericOptions("entropy", "subset"))

    tree, path = grow_and_prune(table, grow, PruningOptions(method), random_state=0)
    tree.check()
    assert (path is not None) == (method == "cost_complexity")
    full = grow(table)
    assert tree.n_leaves == full.n_leaves if method is None else tree.n_leaves < full.n_leaves
    if method != "reduced_error":
        np.testing.assert_allclose(node_class_weight(tree, table), tree.class_weight)
    else:
        assert tree.weight[0] == 120


def test_a_fixed_alpha_needs_no_folds():
    table = rows([1, 2, 3, 4] * 5, [0, 0, 1, 1] * 5)

    def grow(part):
        assert part is table
        return grow_generic(part, GenericOptions())

    tree, path = grow_and_prune(table, grow, PruningOptions("cost_complexity", alpha=0.01))
    assert (tree.n_leaves, path) == (2, None)


def test_too_few_rows_to_hold_any_out_leave_the_tree_as_it_is():
    table = rows([1, 2], [0, 1])
    tree, _ = grow_and_prune(
        table,
        lambda part: grow_generic(part, GenericOptions()),
        PruningOptions("reduced_error"),
        random_state=0,
    )
    assert tree.n_leaves == 2
