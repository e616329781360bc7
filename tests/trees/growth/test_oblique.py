"""Oblique trees. Numbers: the specification of trees, section 7, and hand calculation."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reference import oblique_plain

from trees.cart import CARTClassifier
from trees.criteria import CRITERIA
from trees.errors import DataError
from trees.growth.generic import GenericOptions, Grower
from trees.growth.oblique import Combination, extended, extended_cells, grow_oblique
from trees.growth.oblique._kernels_step import best_step
from trees.oblique import ObliqueTreeClassifier
from trees.schema import Attribute, Schema
from trees.table import Table

NAN = float("nan")
DONORS = pd.DataFrame(
    {"age": [30, 44, 60, 55, 30, 70], "salary": [40e3, 40e3, 35e3, 70e3, 85e3, 40e3]},
    index=["Nancy", "Jim", "Mary", "Allen", "Peter", "Dale"],
)
DONATES = list("NNNYYY")


@pytest.fixture(scope="module")
def slanted():
    """200 rows parted by x + y - z <= 0.1, with a nominal attribute that does not matter."""
    rng = np.random.default_rng(3)
    X = pd.DataFrame(rng.normal(size=(200, 3)), columns=["x", "y", "z"])
    X["town"] = rng.choice(["Oslo", "Rome"], 200)
    return X, np.where(X["x"] + X["y"] - X["z"] <= 0.1, "in", "out")


def test_one_combination_separates_the_donors_that_no_attribute_separates():
    model = ObliqueTreeClassifier(pruning=None, random_state=0).fit(DONORS, DONATES)
    assert model.tree_.n_leaves == 2
    assert model.predict(DONORS).tolist() == DONATES
    assert CARTClassifier(pruning=None, max_depth=1).fit(DONORS, DONATES).score(DONORS, DONATES) < 1
    # the specification's Age / 50 + Salary / 50000 has 1000 in the place of the coefficient
    [combination] = model.tree_.schema.attributes[2:]
    assert [(column, code) for column, code, _ in combination.terms] == [(0, -1), (1, -1)]
    cells = combination.cells(DONORS.to_numpy())
    assert cells[:3].max() <= model.tree_.threshold[0] < cells[3:].min()


def test_a_combination_is_an_attribute_with_its_formula_for_a_name(slanted):
    X, y = slanted
    model = ObliqueTreeClassifier(pruning=None, random_state=0).fit(X, y)
    assert model.score(X, y) == 1.0
    assert model.tree_.n_leaves == 2
    name = model.tree_.schema.names[4]
    assert {"x", "y", "z"} == {word for word in name.replace("-", " ").split() if word.isalpha()}
    assert str(model.tree_).startswith(f"{name} <= ")
    assert CARTClassifier(pruning=None).fit(X, y).tree_.n_leaves > 10


def test_an_ordinary_test_is_kept_where_it_is_as_good(slanted):
    X, _ = slanted
    y = np.where(X["y"] <= 0.3, "low", "high")
    model = ObliqueTreeClassifier(pruning=None, random_state=0).fit(X, y)
    assert model.tree_.schema == model.schema_
    assert model.tree_.attribute.tolist() == [1, -1, -1]


def test_combinations_need_twice_as_many_rows_as_terms():
    few = DONORS.assign(height=[1.0, 2, 3, 4, 5, 7], weight=[3.0, 1, 2, 2, 3, 3])
    model = ObliqueTreeClassifier(pruning=None, random_state=0).fit(few, DONATES)
    assert model.tree_.n_nodes > 1
    assert model.tree_.schema == model.schema_


def test_rows_with_a_missing_cell_take_the_heavier_branch(slanted):
    X, y = slanted
    model = ObliqueTreeClassifier(pruning=None, random_state=0).fit(X, y)
    row = X.head(1).assign(x=NAN)
    heavier = model.tree_.children(0)[np.argmax(model.tree_.weight[model.tree_.children(0)])]
    assert model.apply(row).tolist() == [heavier]
    holes = X.mask(np.random.default_rng(0).random(X.shape) < 0.1)
    grown = ObliqueTreeClassifier(pruning=None, random_state=0).fit(holes, y)
    assert any(isinstance(a, Combination) for a in grown.tree_.schema.attributes)
    assert grown.score(holes, y) > 0.9


def test_values_of_nominal_attributes_are_combined_when_asked():
    # in Rome one unit of x counts more
    rng = np.random.default_rng(1)
    X = pd.DataFrame({"x": rng.normal(size=150), "y": rng.normal(size=150)})
    X["town"] = rng.choice(["Oslo", "Rome", "Bern"], 150)
    y = np.where(X["x"] + X["y"] + 2 * (X["town"] == "Rome") <= 1, "low", "high")
    plain = ObliqueTreeClassifier(pruning=None, max_depth=1, random_state=0).fit(X, y)
    hot = ObliqueTreeClassifier(pruning=None, max_depth=1, random_state=0, one_hot=True).fit(X, y)
    assert "[town = Rome]" in hot.tree_.schema.names[3]
    assert all(column < 2 for a in plain.tree_.schema.attributes[3:] for column, _, _ in a.terms)
    assert hot.score(X, y) > 0.97 > plain.score(X, y)
    unknown = X.head(1).assign(town=None)
    assert hot.predict(unknown)[0] in ("low", "high")


def test_rules_match_the_rows_of_the_extended_table(slanted):
    X, y = slanted
    model = ObliqueTreeClassifier(pruning=None, max_depth=2, n_jumps=0, random_state=0).fit(X, y)
    table = model.extend(X)
    covers = model.rules_.match(table)
    assert (covers.sum(axis=1) == 1).all()
    labels = [model.schema_.classes[model.rules_[int(r)].consequent] for r in np.argmax(covers, axis=1)]
    assert labels == model.predict(X).tolist()
    assert len(model.explain(X.head(2))) == 2
    assert model.importance_.sum() == pytest.approx(1)


def test_pruning_drops_combinations_that_are_tested_no_more(slanted):
    X, y = slanted
    rng = np.random.default_rng(0)
    noisy = np.where(rng.random(200) < 0.15, rng.choice(["in", "out"], 200), y)
    grown = ObliqueTreeClassifier(pruning=None, random_state=0).fit(X, noisy).tree_
    for method in ("cost_complexity", "reduced_error", "mdl", "weighted_penalty"):
        model = ObliqueTreeClassifier(pruning=method, penalty=2.0, random_state=0).fit(X, noisy)
        assert 1 < model.tree_.n_leaves < grown.n_leaves
        tested = {int(a) for a in model.tree_.attribute if a >= 4}
        assert tested == set(range(4, model.tree_.schema.n_attributes))
        model.tree_.check()


def test_equal_seeds_give_equal_trees_whatever_the_threads(slanted):
    X, y = slanted
    rng = np.random.default_rng(0)
    noisy = np.where(rng.random(200) < 0.1, "in", y)
    one = ObliqueTreeClassifier(random_state=1, n_jobs=1).fit(X, noisy)
    two = ObliqueTreeClassifier(random_state=1, n_jobs=2).fit(X, noisy)
    assert str(one.tree_) == str(two.tree_)
    np.testing.assert_array_equal(one.pruning_path_.error, two.pruning_path_.error)


def test_a_model_comes_back_from_its_record(slanted):
    X, y = slanted
    model = ObliqueTreeClassifier(pruning=None, random_state=0).fit(X, y)
    record = model.to_dict()
    again = ObliqueTreeClassifier().restore(record)
    np.testing.assert_array_equal(again.predict_proba(X), model.predict_proba(X))
    assert str(again.rules_) == str(model.rules_)
    record["state"]["combinations"][0]["terms"][0][0] = 9
    with pytest.raises(DataError, match="do not fit"):
        ObliqueTreeClassifier().restore(record)


def test_a_combination_reads_and_computes_as_its_terms():
    schema = Schema(
        (Attribute("a", "numeric"), Attribute("b", "numeric"), Attribute("c", "nominal", ("u", "v")))
    )
    combination = Combination.of(schema, [(0, -1, -1.0), (1, -1, 0.25), (2, 1, -3.0)])
    assert combination.name == "-a + 0.25 * b - 3 * [c = v]"
    X = np.array([[1.0, 8.0, 0.0], [1.0, 8.0, 1.0], [NAN, 1.0, 1.0], [1.0, 1.0, NAN]])
    np.testing.assert_array_equal(combination.cells(X), [1.0, -2.0, NAN, NAN])
    both = extended(schema, [combination])
    assert both.attributes[3].kind == "numeric"
    np.testing.assert_array_equal(extended_cells(both, X)[:, 3], combination.cells(X))
    assert extended_cells(schema, X) is X


def test_a_combination_named_like_an_attribute_gets_another_name():
    X = pd.DataFrame({"age": DONORS["age"], "salary": DONORS["salary"]}).to_numpy()
    schema = Schema(
        (
            Attribute("age", "numeric"),
            Attribute("1200 * age + salary", "nominal", ("u",)),
            Attribute("salary", "numeric"),
        ),
        Attribute("class", "nominal", ("N", "Y")),
    )
    cells = np.column_stack([X[:, 0], np.zeros(6), X[:, 1]])
    tree = grow_oblique(Table(schema, cells, np.array([0, 0, 0, 1, 1, 1], np.int32)), GenericOptions())
    assert tree.schema.names[3] == "1200 * age + salary'"


@settings(max_examples=100, deadline=None)
@given(
    st.lists(
        st.tuples(
            st.integers(-4, 4), st.integers(-3, 3), st.integers(0, 2), st.sampled_from([1.0, 2.0, 0.5])
        ),
        min_size=2,
        max_size=12,
    ),
    st.sampled_from(list(CRITERIA)),
    st.sampled_from([1.0, 2.0]),
)
def test_the_best_step_is_that_of_trying_all_middles(rows, criterion, min_leaf):
    level, slope, classes, weight = (list(column) for column in zip(*rows, strict=True))
    options = GenericOptions(criterion, min_leaf=min_leaf)
    table = Table(
        Schema((Attribute("x", "numeric"),), Attribute("c", "nominal", tuple("abc"))),
        np.zeros((len(rows), 1)),
        np.array(classes, np.int32),
    )
    grower = Grower(table, options)
    worth, step = best_step(
        np.array(level, float),
        np.array(slope, float),
        np.array(classes, np.int32),
        np.array(weight),
        sum(weight),
        grower.search,
        grower.data.terms,
        np.empty((3, 3)),
        np.empty(len(rows)),
    )
    expected, where = oblique_plain.best_step(level, slope, classes, weight, 3, options)
    if expected is None:
        assert worth == -1.0
    else:
        assert worth == pytest.approx(expected, abs=1e-9)
        assert step == pytest.approx(where)
