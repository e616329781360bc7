"""ID3. Numbers: the specification of trees, section 4 (PLAY10), and hand calculation."""

import numpy as np
import pandas as pd
import pytest

from trees.criteria import information_gain
from trees.discretize import EqualWidth
from trees.errors import ParameterError
from trees.growth.descend import class_weights
from trees.growth.generic import GenericOptions, grow_generic
from trees.growth.generic.intervals import expand_intervals
from trees.growth.tree import LEAF, NOMINAL, NUMERIC
from trees.id3 import ID3Classifier
from trees.table import Table

NAN = float("nan")


@pytest.fixture(scope="module")
def play10():
    rows = """rainy cool normal false yes; rainy cool normal true no; overcast hot high false yes;
        sunny mild high false no; rainy cool normal false yes; sunny cool normal false yes;
        rainy cool normal false yes; sunny hot normal false yes; overcast mild high true yes;
        sunny mild high true no"""
    columns = ["outlook", "temperature", "humidity", "windy", "play"]
    frame = pd.DataFrame([row.split() for row in rows.split(";")], columns=columns)
    return frame.drop(columns="play"), frame["play"]


@pytest.mark.parametrize(
    ("attribute", "gain"),
    [("outlook", 0.1568), ("temperature", 0.2448), ("humidity", 0.0913), ("windy", 0.1916)],
)
def test_gains_of_the_running_example(play10, attribute, gain):
    X, y = play10
    branches = pd.crosstab(X[attribute], y).to_numpy()
    assert information_gain(branches) == pytest.approx(gain, abs=1e-4)


def test_the_root_of_the_running_example_is_temperature(play10):
    model = ID3Classifier().fit(*play10)
    assert model.schema_.names[model.tree_.attribute[0]] == "temperature"
    assert model.tree_.kind[0] == NOMINAL
    # rows 1, 2, 5, 6, 7 are cool: windy tells row 2 apart; 4, 9, 10 are mild: outlook tells row 9 apart
    assert str(model.tree_) == (
        "temperature = hot: yes (2.0)\n"
        "temperature = cool:\n"
        "|   windy = false: yes (4.0)\n"
        "|   windy = true: no (1.0)\n"
        "temperature = mild:\n"
        "|   outlook = rainy: no (0.0)\n"
        "|   outlook = overcast: yes (1.0)\n"
        "|   outlook = sunny: no (2.0)"
    )
    assert model.predict(play10[0]).tolist() == play10[1].tolist()


def test_no_attribute_is_tested_twice_on_a_path_and_xor_is_learnt():
    X = pd.DataFrame({"A": list("uuvv") * 2, "B": list("xyxy") * 2})
    model = ID3Classifier().fit(X, list("pnnp") * 2)
    assert model.tree_.n_leaves == 4
    assert model.score(X, list("pnnp") * 2) == 1.0
    for _, path in model.tree_.walk():
        tested = [model.tree_.attribute[node] for node, _ in path]
        assert len(tested) == len(set(tested))


def test_gain_ratio_does_not_fall_for_an_attribute_of_many_values():
    X = pd.DataFrame({"id": [str(i) for i in range(8)], "A": list("uuuuvvvv")})
    y = list("pppnnnnn")
    assert ID3Classifier().fit(X, y).tree_.attribute[0] == 0
    assert ID3Classifier(criterion="gain_ratio").fit(X, y).tree_.attribute[0] == 1


def test_numbers_are_cut_once_and_tested_as_a_chain():
    x = np.arange(1.0, 37.0)
    y = np.repeat(list("abc"), 12)
    model = ID3Classifier().fit(pd.DataFrame({"x": x}), y)
    assert model.cuts_.points[0].tolist() == [12.5, 24.5]
    assert str(model.tree_) == (
        "x <= 12.5 : a (12.0)\nx > 12.5 :\n|   x <= 24.5 : b (12.0)\n|   x > 24.5 : c (12.0)"
    )
    assert [rule.antecedent(model.schema_) for rule in model.rules_] == [
        "x <= 12.5",
        "x > 12.5 AND x <= 24.5",
        "x > 24.5",
    ]


def test_few_whole_numbers_get_a_branch_each():
    X = pd.DataFrame({"floors": [1.0, 2, 3] * 4, "height": np.linspace(0.1, 0.9, 12)})
    y = ["p", "n", "p"] * 4
    model = ID3Classifier(max_ordinal_values=3).fit(X, y)
    assert model.cuts_.points[0].tolist() == [1.5, 2.5]
    assert model.score(X, y) == 1.0
    assert ID3Classifier().fit(X, y).cuts_.points[0].tolist() == []
    assert ID3Classifier(max_ordinal_values=2).fit(X, y).cuts_.points[0].tolist() == []


def test_a_discretizer_may_be_given_by_name_or_made():
    X, y = pd.DataFrame({"x": np.arange(20.0)}), list("ab") * 10
    assert len(ID3Classifier(discretizer="equal_width").fit(X, y).cuts_.points[0]) == 4
    assert len(ID3Classifier(discretizer=EqualWidth(3)).fit(X, y).cuts_.points[0]) == 2
    with pytest.raises(ParameterError, match=r"'discretizer' .* 'mdlp' or a discretizer"):
        ID3Classifier(discretizer="chimerge").fit(X, y)


def test_rows_with_missing_cells_are_divided(play10):
    X, y = play10
    model = ID3Classifier().fit(X, y)
    row = X.head(1).assign(temperature=None, outlook="sunny", windy="false")
    # hot 2/10 yes, cool 5/10 windy false yes, mild 3/10 sunny no; class order no, yes
    np.testing.assert_allclose(model.predict_proba(row), [[0.3, 0.7]])


@pytest.mark.parametrize("missing", [0.0, 0.3])
def test_the_chain_decides_as_the_branches_per_interval_do(missing):
    rng = np.random.default_rng(4)
    X = pd.DataFrame({"x": rng.integers(0, 30, 200).astype(float), "A": rng.choice(list("uvw"), 200)})
    X = X.mask(rng.random(X.shape) < missing)
    table = Table.from_frame(X, rng.choice(list("abc"), 200))
    cuts = EqualWidth(6).fit(table)
    options = GenericOptions("entropy", "multiway", missing="fractions", min_gain=-1.0)
    cut_table = cuts.apply(table)
    wide = grow_generic(cut_table, options)
    chain = expand_intervals(wide, cuts)
    chain.check()
    assert set(chain.kind.tolist()) == {LEAF, NOMINAL, NUMERIC}
    np.testing.assert_allclose(class_weights(chain, table.X), class_weights(wide, cut_table.X), atol=1e-9)


def test_intervals_without_rows_end_in_the_class_above_them():
    # equal width leaves the bins (4, 6] and (6, 8] empty
    X = pd.DataFrame({"x": [0.0, 1, 3, 3.5, 9, 10]})
    model = ID3Classifier(discretizer="equal_width").fit(X, list("aabbbb"))
    assert model.predict(pd.DataFrame({"x": [5.0, 7.0, 9.5]})).tolist() == ["b", "b", "b"]
    assert len(model.rules_) == 3
    model.tree_.check()


def test_pruning_is_off_unless_asked_for():
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"A": rng.choice(list("uvwx"), 80), "B": rng.choice(list("xyz"), 80)})
    y = rng.choice(["p", "n"], 80)
    grown = ID3Classifier().fit(X, y).tree_
    assert grown.n_leaves > 8
    for method in ("cost_complexity", "reduced_error", "mdl", "weighted_penalty"):
        assert ID3Classifier(pruning=method, random_state=0).fit(X, y).tree_.n_leaves < grown.n_leaves
