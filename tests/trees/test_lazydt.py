"""LazyDT. Numbers: the specification of trees, section 8, and hand calculation."""

import math
import warnings

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.reference import lazydt_plain
from trees.errors import DataError, DataWarning, ParameterError
from trees.lazydt import LazyDTClassifier
from trees.schema import Attribute, Schema
from trees.table import Table

OPTIONS = {"test": "neq", "multi": True, "rate": 0.1, "penalty": 0.0, "min_split": 1.0}


@pytest.fixture(scope="module")
def play10():
    rows = """rainy cool normal false yes; rainy cool normal true no; overcast hot high false yes;
        sunny mild high false no; rainy cool normal false yes; sunny cool normal false yes;
        rainy cool normal false yes; sunny hot normal false yes; overcast mild high true yes;
        sunny mild high true no"""
    columns = ["outlook", "temperature", "humidity", "windy", "play"]
    frame = pd.DataFrame([row.split() for row in rows.split(";")], columns=columns)
    play = pd.Series(pd.Categorical(frame["play"], categories=["yes", "no"]), name="play")
    return frame.drop(columns="play"), play


def row(*cells):
    return pd.DataFrame([cells], columns=["outlook", "temperature", "humidity", "windy"])


T1 = row("sunny", "cool", "high", "false")
T2 = row("overcast", "hot", "low", "true")


@pytest.mark.parametrize(
    ("options", "case", "rule"),
    [
        (
            {"test": "neq", "multi": False},
            T1,
            "outlook in {overcast, sunny} AND temperature in {cool, hot} THEN play = yes (3/3)",
        ),
        ({"test": "neq"}, T1, "play = yes (6/6)"),
        ({"test": "eq", "multi": False}, T1, "temperature = cool AND windy = false THEN play = yes (4/4)"),
        (
            {"test": "neq", "multi": False},
            T2,
            "temperature in {cool, hot} AND windy = true THEN play = no (1/1)",
        ),
        ({"test": "eq", "multi": False}, T2, "outlook = overcast THEN play = yes (2/2)"),
    ],
)
def test_paths_of_the_running_example(play10, options, case, rule):
    model = LazyDTClassifier(**options).fit(*play10)
    explained = model.explain(case)
    text = explained[0].describe(explained.schema)
    text += f" ({explained[0].correct:.0f}/{explained[0].covered:.0f})"
    assert text.endswith(rule)
    assert model.predict(case)[0] in rule


@pytest.mark.parametrize(
    ("test", "gains"),
    [
        ("neq", {"overcast": 0.0201, "mild": 0.1445, "normal": 0.1187, "true": 0.1445}),
        ("eq", {"sunny": 0.0749, "cool": 0.0319, "high": 0.1187, "false": 0.1445}),
    ],
)
def test_gains_at_the_root_of_the_running_example(play10, test, gains):
    X, y = play10
    table = Table.from_frame(X, y)
    cells = [tuple(int(v) for v in line) for line in table.X]
    rows = list(zip(cells, table.y.tolist(), table.weight.tolist(), strict=True))
    values = [attribute.values for attribute in table.schema.attributes]
    case = [values[a].index(v) for a, v in enumerate(T1.iloc[0])]
    found = lazydt_plain.tests_of(case, rows, [len(v) for v in values], 2, {**OPTIONS, "test": test})
    assert {values[a][v]: gain for gain, a, v, _ in found} == pytest.approx(gains, abs=1e-4)


def test_classes_weigh_the_same_whatever_their_size():
    # section 8: (6, 2) to (1, 2) loses .107 bits unweighted and gains .408 weighted
    assert lazydt_plain.gain_of([1, 2], [6, 2], 0.0) == pytest.approx(0.408, abs=1e-3)


@st.composite
def tables(draw):
    n_attributes, n_classes = draw(st.integers(1, 3)), draw(st.integers(2, 3))
    n_values = [draw(st.integers(1, 4)) for _ in range(n_attributes)]
    cell = [st.integers(0, n - 1) | st.none() for n in n_values]
    line = st.tuples(st.tuples(*cell), st.integers(0, n_classes - 1), st.sampled_from([1.0, 2.0, 0.5]))
    rows = draw(st.lists(line, min_size=1, max_size=9))
    return n_values, n_classes, rows, draw(st.lists(st.tuples(*cell), min_size=1, max_size=3))


@settings(max_examples=80, deadline=None)
@given(
    tables(),
    st.sampled_from(["neq", "eq"]),
    st.booleans(),
    st.sampled_from([0.0, 0.1, 0.5]),
    st.sampled_from([0.0, 1.0]),
    st.sampled_from([0.0, 3.0]),
)
def test_leaves_are_those_of_the_plain_recursion(made, test, multi, rate, penalty, min_split):
    n_values, n_classes, rows, cases = made
    schema = Schema(
        tuple(
            Attribute(f"a{a}", "nominal", tuple(f"v{v}" for v in range(n))) for a, n in enumerate(n_values)
        ),
        Attribute("class", "nominal", tuple("abc"[:n_classes])),
    )

    def cells(lines):
        return np.array([[math.nan if v is None else float(v) for v in line] for line in lines])

    table = Table(
        schema,
        cells([line for line, _, _ in rows]),
        np.array([c for _, c, _ in rows], np.int32),
        np.array([w for _, _, w in rows]),
    )
    options = {"test": test, "multi": multi, "rate": rate, "penalty": penalty, "min_split": min_split}
    with warnings.catch_warnings():
        # some tables hold one class only
        warnings.simplefilter("ignore", DataWarning)
        model = LazyDTClassifier(**options).fit(table)
    for case in cases:
        leaf, _ = lazydt_plain.lazy(case, rows, n_values, n_classes, options)
        rule = model.explain(Table(schema, cells([case])))[0]
        assert rule.counts == pytest.approx(leaf, abs=1e-9)


def test_rules_of_rows_cover_them_and_the_rows_that_the_leaf_holds(play10):
    X, y = play10
    for test in ("neq", "eq"):
        model = LazyDTClassifier(test=test).fit(X, y)
        explained = model.explain(X)
        table = model.cuts_.apply(Table.from_frame(X, y))
        covers = explained.match(table)
        assert covers.diagonal().all()
        for r, rule in enumerate(explained):
            assert tuple(table.take(covers[:, r]).class_totals.tolist()) == rule.counts


def test_numbers_are_cut_first_or_refused():
    X = pd.DataFrame({"x": np.arange(40.0), "A": list("uv") * 20})
    y = np.where(X["x"] < 20, "low", "high")
    model = LazyDTClassifier().fit(X, y)
    assert model.cuts_.points[0].tolist() == [19.5]
    assert model.score(X, y) == 1.0
    assert str(model.explain(X.head(1))) == (
        "R1: IF x = (-inf, 19.5] THEN class = low  (20/20, confidence 1.00)"
    )
    with pytest.raises(DataError, match="'x' is numeric, and LazyDT"):
        LazyDTClassifier(discretizer=None).fit(X, y)
    assert LazyDTClassifier(discretizer=None).fit(X[["A"]], y).predict(X[["A"]]).shape == (40,)


def test_a_row_without_known_cells_gets_the_class_of_all_rows(play10):
    model = LazyDTClassifier().fit(*play10)
    nothing = row(None, None, None, None)
    assert model.predict(nothing).tolist() == ["yes"]
    np.testing.assert_allclose(model.predict_proba(nothing), [[0.3, 0.7]])
    assert model.explain(nothing)[0].conditions == ()


def test_beyond_the_limit_of_sets_only_the_best_test_is_followed_with_a_warning():
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.choice(list("uvwxyz"), (200, 6)))
    y = rng.choice(list("ab"), 200)
    with pytest.warns(DataWarning, match=r"10 row\(s\) lead to more than 1 sets"):
        limited = LazyDTClassifier(max_sets=1).fit(X, y).explain(X.head(10))
    free = LazyDTClassifier().fit(X, y).explain(X.head(10))
    assert len(limited) == len(free) == 10
    assert [rule.counts for rule in limited] != [rule.counts for rule in free]


def test_rows_decide_alike_alone_and_together():
    rng = np.random.default_rng(1)
    X = pd.DataFrame(rng.choice(list("uvwx"), (150, 5))).mask(rng.random((150, 5)) < 0.1)
    y = rng.choice(list("abc"), 150)
    model = LazyDTClassifier().fit(X, y)
    together = model.predict_proba(X)
    alone = np.vstack([model.predict_proba(X.iloc[[i]]) for i in range(0, 150, 10)])
    np.testing.assert_array_equal(together[::10], alone)


def test_wrong_parameters_are_named(play10):
    with pytest.raises(ParameterError, match="'test' parameter of LazyDTClassifier must be 'neq' or 'eq'"):
        LazyDTClassifier(test="le").fit(*play10)
