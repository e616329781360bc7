"""Tables for the tests of the genetic algorithm, drawn by hypothesis."""

import numpy as np
from hypothesis import strategies as st

from trees.schema import Attribute, Schema
from trees.table import Table


def table_of(columns, y, weight=None, n_classes=None) -> Table:
    """A table from columns: a list of numbers is numeric, a pair (number of values, codes) nominal."""
    attributes, cells = [], []
    for a, column in enumerate(columns):
        if isinstance(column, tuple):
            attributes.append(Attribute(f"a{a}", "nominal", tuple(f"v{v}" for v in range(column[0]))))
            cells.append(column[1])
        else:
            attributes.append(Attribute(f"a{a}", "numeric"))
            cells.append(column)
    n_classes = max(y) + 1 if n_classes is None else n_classes
    target = Attribute("class", "nominal", tuple(f"c{c}" for c in range(n_classes)))
    X = np.array([[np.nan if x is None else float(x) for x in column] for column in cells]).T
    X = np.ascontiguousarray(X).reshape(len(y), len(columns))
    weights = np.ones(len(y)) if weight is None else np.array(weight, dtype=np.float64)
    return Table(Schema(tuple(attributes), target), X, np.array(y, dtype=np.int32), weights)


@st.composite
def tables(draw, max_rows=30, weighted=None, min_rows=1) -> Table:
    """Small tables with ties, missing cells, constant columns and nominal attributes of up to 70 values.

    Hypothesis draws the shapes, a seeded generator the cells: drawing every cell would take the most time.
    """
    n = draw(st.integers(min_rows, max_rows))
    kinds = draw(st.lists(st.sampled_from(["numeric", "nominal", "wide"]), min_size=1, max_size=5))
    n_classes = draw(st.integers(1, 4))
    missing = draw(st.sampled_from([0.0, 0.1, 0.6]))
    weighted = draw(st.booleans()) if weighted is None else weighted
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    columns = []
    for kind in kinds:
        gap = rng.random(n) < missing
        if kind == "numeric":
            pool = rng.choice([-2.0, -1.0, 0.0, 0.5, 1.0, 1e6], rng.integers(1, 7), replace=False)
            cells = rng.choice(pool, n)
        else:
            n_values = int(rng.integers(1, 6)) if kind == "nominal" else int(rng.choice([9, 40, 70]))
            cells = rng.integers(0, n_values, n)
        column = [None if absent else float(cell) for absent, cell in zip(gap, cells, strict=True)]
        columns.append(column if kind == "numeric" else (n_values, column))
    y = rng.integers(0, n_classes, n).tolist()
    weight = rng.choice([0.25, 0.5, 1.0, 2.0, 3.5], n).tolist() if weighted else None
    return table_of(columns, y, weight, n_classes)


@st.composite
def parts(draw, table: Table) -> list[int]:
    """Some rows of a table, at least one, in any order."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    n = draw(st.integers(1, table.n_rows))
    return rng.permutation(table.n_rows)[:n].tolist()
