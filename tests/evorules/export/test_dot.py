"""Trees in the DOT language."""

import re

import numpy as np
import pandas as pd
import pytest

from evorules.export.dot import quoted, to_dot
from trees.cart import CARTClassifier
from trees.errors import DataError
from trees.id3 import ID3Classifier
from trees.text import leaf_text

STRING = r'"((?:[^"\\]|\\.)*)"'


def shown(string):
    """What Graphviz shows of the inside of a DOT string."""
    return re.sub(r"\\(.)", lambda m: "\n" if m.group(1) == "n" else m.group(1), string)


def parsed(dot):
    """Labels of nodes and of edges."""
    nodes, edges = {}, {}
    lines = dot.split("\n")
    assert lines[0] == "digraph tree {"
    assert lines[-1] == "}"
    for line in lines[3:-1]:
        edge = re.fullmatch(rf"  (\d+) -> (\d+) \[label={STRING}\];", line)
        node = re.fullmatch(
            rf'  (\d+) \[label={STRING}(?:, style="rounded,filled", fillcolor="#\w+")?\];', line
        )
        assert edge or node, line
        if edge:
            edges[int(edge[1]), int(edge[2])] = shown(edge[3])
        else:
            nodes[int(node[1])] = shown(node[2])
    return nodes, edges


@pytest.fixture(scope="module")
def model():
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"x": rng.normal(size=90), "town": rng.choice(["Oslo", "Rome", "Bern", "Kyiv"], 90)})
    y = np.where((X["x"] > 0.3) & X["town"].isin(["Oslo", "Bern"]), "yes", "no")
    return CARTClassifier(pruning=None).fit(X, y)


def test_every_node_and_branch_is_in_the_graph(model):
    tree = model.tree_
    nodes, edges = parsed(to_dot(model))
    assert len(nodes) == tree.n_nodes
    assert set(edges) == {(int(p), c) for c, p in enumerate(tree.parent) if p >= 0}
    for node in range(tree.n_nodes):
        name = leaf_text(tree, node) if tree.is_leaf(node) else model.schema_.names[tree.attribute[node]]
        assert nodes[node] == name
    assert {label.split()[0] for label in edges.values()} <= {"in", "=", "<=", ">"}
    assert to_dot(tree) == to_dot(model)


def test_a_branch_reads_as_its_condition(model):
    tree = model.tree_
    _, edges = parsed(to_dot(model))
    for (node, child), label in edges.items():
        condition = tree.condition(node, tree.children(node).tolist().index(child))
        assert condition.describe(tree.schema).endswith(label)


NASTY = ['quote " and \\ backslash', "line\nbreak", "\\N", "{a | b}", "<b>", "\\", 'end"', "$x$"]


@pytest.mark.parametrize("text", NASTY)
def test_strings_show_what_they_hold(text):
    string = quoted(text)
    assert re.fullmatch(STRING, string)
    assert shown(string[1:-1]) == text
    assert "\n" not in string


def test_names_values_and_classes_are_escaped():
    X = pd.DataFrame({NASTY[0]: NASTY * 2})
    nodes, edges = parsed(to_dot(ID3Classifier().fit(X, [NASTY[1], NASTY[6]] * 8)))
    assert nodes[0] == NASTY[0]
    assert sorted(edges.values()) == sorted(f"= {value}" for value in NASTY)
    assert {label.rsplit(" (", 1)[0] for node, label in nodes.items() if node > 0} == {NASTY[1], NASTY[6]}


def test_long_groups_of_values_are_broken_between_values():
    values = [f"value number {i}" for i in range(12)]
    X = pd.DataFrame({"A": values * 2})
    _, edges = parsed(to_dot(CARTClassifier(pruning=None).fit(X, list("aaaaaabbbbbb") * 2), max_width=40))
    label = edges[0, 1]
    assert all(len(line) <= 40 for line in label.split("\n"))
    assert label.replace("\n", " ") == "in {" + ", ".join(values[:6]) + "}"


def test_what_has_no_tree_is_refused():
    with pytest.raises(DataError, match="Expected a tree or a fitted model"):
        to_dot(3)
