"""Tables and trees of the size that people have: they fit, predict, print and go into files."""

import time

import numpy as np
import pandas as pd
import pytest
from reference.r8_tables import chain

from trees import C45Classifier, Tree


def test_200000_rows_and_54_columns():
    rng = np.random.default_rng(0)
    X = np.hstack([rng.normal(size=(200_000, 10)), rng.integers(0, 2, (200_000, 44)).astype(float)])
    y = (X[:, 0] + X[:, 1] * X[:, 20] > 0.5).astype(int) + 2 * (X[:, 30] > 0)
    model = C45Classifier().fit(X, y)
    assert model.score(X, y) > 0.99


def test_a_nominal_attribute_with_5000_values():
    codes = np.repeat(np.arange(5_000), 4)
    X = pd.DataFrame({"code": pd.Series(codes).map("v{}".format), "n": np.arange(20_000) % 7})
    y = np.where(codes % 3 == 0, "third", "other")
    model = C45Classifier(prune=False).fit(X, y)
    assert model.score(X, y) == 1.0
    assert model.tree_.n_leaves == 5_000
    assert len(model.rules_) == 5_000


def test_a_tree_of_10000_leaves_is_printed_ruled_and_stored():
    rng = np.random.default_rng(1)
    cells = np.arange(10_000).repeat(4)
    X = pd.DataFrame(
        {"row": pd.Series(cells // 100).astype(str), "column": pd.Series(cells % 100).astype(str)}
    )
    y = rng.integers(0, 2, 10_000)[cells]
    model = C45Classifier(prune=False).fit(X, y)
    assert model.score(X, y) == 1.0
    assert model.tree_.n_leaves == 10_000
    assert len(model.rules_) == 10_000
    assert str(model.tree_).count("\n") >= 10_000
    again = Tree.from_dict(model.tree_.to_dict(), model.schema_)
    assert str(again) == str(model.tree_)


def test_a_chain_of_2000_tests_has_its_rules_at_once():
    tree, _ = chain(2000, 2001)
    tree = tree.replaced(weight=np.ones(tree.n_nodes), class_weight=np.ones((tree.n_nodes, 2)) / 2)
    start = time.process_time()
    rules = list(tree.to_rules())
    # merging every path from the root down took 20 seconds
    assert time.process_time() - start < 2
    assert [len(rule.conditions) for rule in rules] == [1] + [2] * 1999 + [1]
    lower, upper = rules[1000].conditions
    assert (lower.relation, lower.threshold, upper.relation, upper.threshold) == (">", 1000, "<=", 1001)


@pytest.mark.parametrize("mode", ["standard", "r8"])
def test_a_table_with_40_percent_of_its_cells_missing(mode):
    rng = np.random.default_rng(2)
    n_rows = 50_000 if mode == "standard" else 5_000
    X = rng.normal(size=(n_rows, 12)).round(2)
    y = (X[:, 0] > 0).astype(int) + (X[:, 1] > 0.5)
    X[rng.random(X.shape) < 0.4] = np.nan
    model = C45Classifier(mode=mode).fit(X, y)
    assert model.score(X, y) > 0.6
    np.testing.assert_allclose(model.predict_proba(X[:100]).sum(axis=1), 1)
