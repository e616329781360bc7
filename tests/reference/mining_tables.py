"""Tables for the tests of miners, and rules in a form that can be compared."""

import numpy as np
import pandas as pd
from hypothesis import strategies as st

from evorules.items import Items
from trees.discretize import MDLP
from trees.table import Table

PLAY10 = """rainy cool normal false yes
rainy cool normal true no
overcast hot high false yes
sunny mild high false no
rainy cool normal false yes
sunny cool normal false yes
rainy cool normal false yes
sunny hot normal false yes
overcast mild high true yes
sunny mild high true no"""
NAMES = ["outlook", "temperature", "humidity", "windy"]


def play10():
    """The running example of the specifications: values as they appear, classes yes and no."""
    cells = [line.split() for line in PLAY10.splitlines()]
    frame = pd.DataFrame([row[:4] for row in cells], columns=NAMES)
    columns = {name: pd.Categorical(frame[name], pd.unique(frame[name])) for name in NAMES}
    return pd.DataFrame(columns), pd.Categorical([row[4] for row in cells], ["yes", "no"])


def items_of(X, y, sample_weight=None):
    table = Table.from_frame(X, y, sample_weight=sample_weight)
    return Items.of(table, MDLP().fit(table))


def as_dict(cars):
    """Return {(((column, value), ...), class): (covered, correct)}."""
    schema, items = cars.items.cuts.cut_schema, cars.items
    found = {}
    for r in range(len(cars)):
        conditions = tuple(
            (int(items.attribute[i]), schema.attributes[items.attribute[i]].values[items.code[i]])
            for i in cars.antecedent(r)
        )
        found[conditions, schema.classes[cars.consequent[r]]] = int(cars.covered[r]), int(cars.correct[r])
    assert len(found) == len(cars)
    return found


def arrays_of(cars):
    return [getattr(cars, name) for name in ("start", "item", "consequent", "covered", "correct")]


@st.composite
def tables(draw, most_rows=30, most_columns=4):
    """Rows of values (None for missing), and labels; few values, so that sets of them meet."""
    n_rows, n_columns = draw(st.integers(1, most_rows)), draw(st.integers(1, most_columns))
    cell = st.sampled_from(["u", "v", "w", None])
    row = st.tuples(*([cell] * n_columns))
    rows = draw(st.lists(row, min_size=n_rows, max_size=n_rows))
    labels = draw(st.lists(st.sampled_from("abc"), min_size=n_rows, max_size=n_rows))
    return rows, labels


def frame_of(rows):
    columns = list(zip(*rows, strict=True))
    values = ["u", "v", "w"]
    return pd.DataFrame({f"x{c}": pd.Categorical(cells, values) for c, cells in enumerate(columns)})


CLASSES = ["c", "a", "empty", "b"]
"""Declared in an order of their own, one of them without rows."""


def random_table(seed, n_rows, n_columns, n_values, n_classes):
    """Frame and labels with some association between them, so that bits are packed on several levels."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, n_classes, n_rows)
    cells = rng.integers(0, n_values, (n_rows, n_columns))
    follow = rng.random((n_rows, n_columns)) < 0.4
    cells[follow] = ((y[:, None] + np.arange(n_columns)) % n_values)[follow]
    cells = cells.astype(object)
    cells[rng.random((n_rows, n_columns)) < 0.05] = None
    X = pd.DataFrame({f"x{c}": pd.Categorical(cells[:, c], range(n_values)) for c in range(n_columns)})
    return X, pd.Categorical(y, range(n_classes))
