"""Tables and trees for the tests of the literal C4.5 engine, and trees in the form of its plain twin."""

import math

import numpy as np
from hypothesis import strategies as st
from reference import r8_plain

from trees.growth.literal import grow_literal
from trees.growth.options import GrowthOptions
from trees.growth.tree import LEAF, NOMINAL, NUMERIC, SUBSET, Tree
from trees.schema import Attribute, Schema
from trees.table import Table

NAN = math.nan


def table_of(X, y, n_values, *, n_classes=2, weight=None):
    """A table whose attribute a has n_values[a] values, or is numeric where that is 0."""
    attributes = tuple(
        Attribute(f"a{a}", "nominal", tuple(f"v{v}" for v in range(V)))
        if V
        else Attribute(f"a{a}", "numeric")
        for a, V in enumerate(n_values)
    )
    target = Attribute("class", "nominal", tuple(f"c{c}" for c in range(n_classes)))
    X = np.array(X, dtype=np.float64).reshape(len(y), len(n_values))
    weights = np.ones(len(y)) if weight is None else np.array(weight, dtype=np.float64)
    return Table(Schema(attributes, target), X, np.array(y, dtype=np.int32), weights)


GOLF = [
    # outlook sunny, overcast, rain; temperature; humidity; windy true, false; play, don't
    (0, 75, 70, 0, 0), (0, 80, 90, 0, 1), (0, 85, 85, 1, 1), (0, 72, 95, 1, 1), (0, 69, 70, 1, 0),
    (1, 72, 90, 0, 0), (1, 83, 78, 1, 0), (1, 64, 65, 0, 0), (1, 81, 75, 1, 0), (2, 71, 80, 0, 1),
    (2, 65, 70, 0, 1), (2, 75, 80, 1, 0), (2, 68, 80, 1, 0), (2, 70, 96, 1, 0),
]  # fmt: skip


def golf():
    return table_of([row[:4] for row in GOLF], [row[4] for row in GOLF], [3, 0, 0, 2])


def grow(table, *, single_precision=False, **options):
    return grow_literal(table, GrowthOptions(**options), single_precision=single_precision)


@st.composite
def tables(draw, *, weighted=False):
    n_values = draw(st.lists(st.sampled_from([0, 0, 2, 3, 5]), min_size=1, max_size=4))
    n_rows = draw(st.integers(1, 40))
    n_classes = draw(st.integers(1, 3))
    seed = draw(st.integers(0, 2**32 - 1))
    rng = np.random.default_rng(seed)
    missing = draw(st.sampled_from([0.0, 0.1, 0.4]))
    X = np.column_stack(
        [rng.integers(0, V, n_rows) if V else np.round(rng.normal(0, 3, n_rows), 1) for V in n_values]
    ).astype(np.float64)
    y = rng.integers(0, n_classes, n_rows)
    y[X[:, 0] > 1] = 0
    X[rng.random(X.shape) < missing] = NAN
    weight = rng.choice([0.5, 1.0, 2.0, 1 / 3], n_rows) if weighted else np.ones(n_rows)
    return table_of(X, y, n_values, n_classes=n_classes, weight=weight)


def flattened(root):
    """The plain twin's tree as one tuple per node in pre-order."""
    return [
        (
            node.attribute,
            None if node.cut is None else float(node.cut),
            node.groups if node.groups is None else [sorted(values) for values in node.groups],
            node.label,
            float(node.N),
            float(node.E),
            [float(n) for n in node.counts],
            len(node.below),
        )
        for node in root.walk()
    ]


def described(tree):
    """The same of a `Tree`."""
    nodes = []
    for node in range(tree.n_nodes):
        kind = tree.kind[node]
        n_branches = len(tree.children(node))
        groups = {NOMINAL: [[v] for v in range(n_branches)], SUBSET: tree.groups(node)}.get(kind)
        nodes.append(
            (
                None if kind == LEAF else int(tree.attribute[node]),
                float(tree.threshold[node]) if kind == NUMERIC else None,
                groups,
                int(tree.label[node]),
                float(tree.weight[node]),
                float(tree.errors[node]),
                tree.class_weight[node].tolist(),
                n_branches,
            )
        )
    return nodes


def plain_tree(tree, real):
    """The twin's form of a tree without groups."""
    nodes = []
    for node in range(tree.n_nodes):
        counts = [real(n) for n in tree.class_weight[node]]
        plain = r8_plain.Node(real(tree.weight[node]), real(tree.errors[node]), counts, int(tree.label[node]))
        if tree.kind[node] != LEAF:
            plain.attribute = int(tree.attribute[node])
            plain.cut = real(tree.threshold[node]) if tree.kind[node] == NUMERIC else None
            plain.groups = None if plain.cut is not None else [[v] for v in range(len(tree.children(node)))]
        nodes.append(plain)
    for node, plain in enumerate(nodes):
        plain.below = [nodes[child] for child in tree.children(node)]
    return nodes[0]


def chain(depth, n_rows):
    """A tree that asks for x <= 1, x <= 2, ... in turn, each time one row on the left, as deep as asked."""
    n = 2 * depth + 1
    inner = np.arange(0, n - 1, 2)
    kind = np.full(n, LEAF, dtype=np.int8)
    kind[inner] = NUMERIC
    threshold = np.full(n, NAN)
    threshold[inner] = np.arange(1, depth + 1)
    child_start = np.zeros(n + 1, dtype=np.int32)
    child_start[1:] = np.cumsum(np.where(kind == NUMERIC, 2, 0))
    child = np.empty(n - 1, dtype=np.int32)
    child[0::2] = inner + 1
    child[1::2] = inner + 2
    X = np.arange(1, n_rows + 1, dtype=np.float64)[:, None]
    table = table_of(X, np.arange(n_rows) % 2, [0])
    attribute = np.where(kind == NUMERIC, 0, -1).astype(np.int32)
    zeros = np.zeros(n)
    empty = np.zeros(0, dtype=np.int32)
    starts = np.zeros(n + 1, dtype=np.int32)
    label = np.zeros(n, dtype=np.int32)
    tree = Tree(
        table.schema, kind, attribute, threshold, child_start, child, starts, empty, label,
        zeros, zeros.copy(), np.zeros((n, 2)),
    )  # fmt: skip
    return tree, table
