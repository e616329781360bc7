"""C45Classifier on small tables whose right outcome is settled; S.. are cases of the reference folder."""

import pickle

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone

from trees import C45Classifier, DataError, ParameterError, Table

NAN = float("nan")


def unpruned(**more):
    return C45Classifier(prune=False, **more)


def frame_a(values):
    return pd.DataFrame({"A": pd.Categorical(values, categories=["a", "b", "c"])})


S01 = frame_a(list("aaaaabbbbccc"))
S01_Y = ["yes"] * 5 + ["no"] * 7


def test_a_missing_value_at_prediction_goes_down_every_branch():  # S01
    model = unpruned().fit(S01, S01_Y)
    query = frame_a([None, "a", "b"])
    assert model.predict(query).tolist() == ["no", "yes", "no"]
    np.testing.assert_allclose(model.predict_proba(query), [[7 / 12, 5 / 12], [0, 1], [1, 0]], atol=1e-9)


SPELLINGS = {
    "None and nan": np.array(["x"] * 5 + ["y"] * 3 + [None, NAN], dtype=object),
    "pandas NA": np.array(["x"] * 5 + ["y"] * 3 + [pd.NA, pd.NA], dtype=object),
    "category": pd.Categorical(["x"] * 5 + ["y"] * 3 + [None, None]),
    "string": pd.array(["x"] * 5 + ["y"] * 3 + [None, None], dtype="string"),
}


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_training_rows_with_a_missing_split_value_are_shared_out(spelling):  # S02, S18
    X = pd.DataFrame({"A": SPELLINGS[spelling]})
    model = unpruned().fit(X, ["yes"] * 5 + ["no"] * 3 + ["yes", "no"])
    tree = model.tree_
    assert model.schema_.attributes[0].values == ("x", "y")
    np.testing.assert_allclose(tree.weight[tree.leaves], [6.25, 3.75], atol=1e-9)
    np.testing.assert_allclose(tree.class_weight[tree.leaves], [[0.625, 5.625], [3.375, 0.375]], atol=1e-9)
    proba = model.predict_proba(pd.DataFrame({"A": ["x", "y", None]}))
    np.testing.assert_allclose(proba, [[0.1, 0.9], [0.9, 0.1], [0.4, 0.6]], atol=1e-9)


def test_an_unseen_category_counts_as_missing():  # S03
    model = unpruned().fit(S01.astype(str), S01_Y)
    query = pd.DataFrame({"A": ["d"]})
    assert model.predict(query).tolist() == ["no"]
    np.testing.assert_allclose(model.predict_proba(query), [[7 / 12, 5 / 12]], atol=1e-9)
    with pytest.raises(DataError, match="'A' has value 'd', not seen in fit"):
        model.set_params(unknown="error").predict(query)


def test_categories_are_matched_by_label():  # S04
    model = unpruned().fit(S01, S01_Y)
    query = pd.DataFrame({"A": pd.Categorical(["b", "c"], categories=["b", "c"])})
    assert model.predict(query).tolist() == ["no", "no"]


def test_integers_declared_nominal_stay_nominal():  # S05
    X = pd.DataFrame({"shop": [1] * 4 + [2] * 4 + [3] * 4})
    model = unpruned(nominal=["shop"]).fit(X, list("PPPPNNNNPPPP"))
    assert model.predict(pd.DataFrame({"shop": [1, 2, 3]})).tolist() == ["P", "N", "P"]
    assert (model.tree_.n_leaves, model.tree_.depth) == (3, 1)
    assert not any(sign in str(model.tree_) for sign in ("<=", ">"))


def test_a_multiway_nominal_test_is_never_repeated_on_a_path(reference):  # S06
    frame = pd.read_csv(reference / "cases" / "data" / "s06_noise.csv")
    model = unpruned(min_cases=1).fit(frame.drop(columns="y"), frame["y"])
    tree = model.tree_
    nominal = tree.schema.is_nominal
    for _, path in tree.walk():
        tested = [int(tree.attribute[node]) for node, _ in path if nominal[tree.attribute[node]]]
        assert len(tested) == len(set(tested))
    assert tree.weight[tree.leaves].sum() == pytest.approx(36)
    assert all(rule.covered > 0 for rule in model.rules_)


def test_weights_equal_repeated_rows():  # S11
    X, y, weight = pd.DataFrame({"f": [1, 1, 2, 2]}), [0, 1, 0, 1], np.array([100, 900, 800, 200])
    weighted = unpruned(min_cases=50).fit(X, y, sample_weight=weight)
    repeated = unpruned(min_cases=50).fit(X.loc[np.repeat(X.index, weight)], np.repeat(y, weight))
    assert weighted.tree_.n_leaves == repeated.tree_.n_leaves == 2
    np.testing.assert_allclose(weighted.predict_proba(X.iloc[[0, 2]]), [[0.1, 0.9], [0.8, 0.2]], atol=1e-9)
    np.testing.assert_allclose(repeated.predict_proba(X.iloc[[0, 2]]), [[0.1, 0.9], [0.8, 0.2]], atol=1e-9)


@pytest.mark.parametrize("pair", [(0.0, 1e-07), (16777216, 16777217)])
def test_values_that_single_precision_cannot_tell_apart_are_split(pair):  # S12
    X, y = pd.DataFrame({"x": np.repeat(pair, 3)}), list("nnnppp")
    model = unpruned().fit(X, y)
    assert model.score(X, y) == 1.0
    assert model.tree_.n_leaves == 2


def test_a_nominal_attribute_with_200_values():  # S17
    X = pd.DataFrame({"code": [f"c{k:03d}" for k in range(200) for _ in range(3)]})
    y = np.where(np.arange(200).repeat(3) % 2 == 0, "even", "odd")
    model = unpruned().fit(X, y)
    assert model.score(X, y) == 1.0
    assert model.tree_.n_leaves == 200
    assert unpruned(group_values=True).fit(X, y).score(X, y) == 1.0


def test_minus_999_is_a_number_unless_the_original_is_asked_for():
    X, y = pd.DataFrame({"x": [-999.0] * 3 + [1.0] * 3}), list("nnnppp")
    assert unpruned().fit(X, y).tree_.n_leaves == 2
    assert unpruned(mode="r8").fit(X, y).tree_.n_leaves == 1


def test_the_golf_tree_is_printed_as_the_original_prints_it():
    golf = pd.DataFrame(
        {
            "outlook": ["sunny"] * 5 + ["overcast"] * 4 + ["rain"] * 5,
            "temperature": [75, 80, 85, 72, 69, 72, 83, 64, 81, 71, 65, 75, 68, 70],
            "humidity": [70, 90, 85, 95, 70, 90, 78, 65, 75, 80, 70, 80, 80, 96],
            "windy": [
                True,
                True,
                False,
                False,
                False,
                True,
                False,
                True,
                False,
                True,
                True,
                False,
                False,
                False,
            ],
        }
    )
    y = (
        ["Play", "Don't", "Don't", "Don't", "Play"]
        + ["Play"] * 4
        + ["Don't", "Don't", "Play", "Play", "Play"]
    )
    printed = [
        "outlook = overcast: Play (4.0)",
        "outlook = sunny:",
        "|   humidity <= 75 : Play (2.0)",
        "|   humidity > 75 : Don't (3.0)",
        "outlook = rain:",
        "|   windy = True: Don't (2.0)",
        "|   windy = False: Play (3.0)",
    ]
    assert str(unpruned().fit(golf, y).tree_).splitlines() == printed
    assert str(unpruned(mode="r8").fit(golf, y).tree_).splitlines() == printed


def test_apply_gives_the_leaf_of_the_greatest_share():
    model = unpruned().fit(S01, S01_Y)
    first, second, third = model.tree_.leaves
    assert model.apply(frame_a(["a", "b", "c", None])).tolist() == [first, second, third, first]


def test_the_rules_of_a_tree_cover_every_training_row_once():
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"n": rng.normal(size=300), "s": rng.choice(list("pqr"), 300)})
    y = np.where((X["n"] > 0.3) ^ (X["s"] == "q"), "in", "out")
    model = C45Classifier().fit(X, y)
    covers = model.rules_.match(Table.from_frame(X))
    assert (covers.sum(axis=1) == 1).all()
    consequent = np.array([model.schema_.classes[rule.consequent] for rule in model.rules_])
    np.testing.assert_array_equal(consequent[covers.argmax(axis=1)], model.predict(X))


def test_max_depth_limits_the_tests_on_a_path():
    rng = np.random.default_rng(1)
    X = rng.normal(size=(200, 2))
    y = np.floor(3 * X[:, 0]).astype(int)
    assert unpruned().fit(X, y).tree_.depth > 3
    assert unpruned(max_depth=3).fit(X, y).tree_.depth == 3


def noisy(n_rows=400):
    rng = np.random.default_rng(5)
    X = pd.DataFrame(
        {"n": rng.normal(size=n_rows), "m": rng.normal(size=n_rows), "s": rng.choice(list("pq"), n_rows)}
    )
    return X, np.where((X["n"] > 0.8) & (X["s"] == "q") ^ (rng.random(n_rows) < 0.1), "rare", "usual")


def test_class_weights_are_row_weights_by_label():
    X, y = noisy()
    by_class = C45Classifier(class_weight={"rare": 3.0}).fit(X, y)
    by_row = C45Classifier().fit(X, y, sample_weight=np.where(y == "rare", 3.0, 1.0))
    assert str(by_class.tree_) == str(by_row.tree_)
    totals = C45Classifier(class_weight="balanced", prune=False).fit(X, y).tree_.class_weight[0]
    np.testing.assert_allclose(totals, [200, 200])
    with pytest.raises(
        ParameterError, match=r"class_weight names 'rar', which is no class here \(known: 'rare', 'usual'\)"
    ):
        C45Classifier(class_weight={"rar": 2.0}).fit(X, y)


def test_excluded_attributes_are_in_no_test():
    X, y = noisy()
    model = C45Classifier(exclude=["n"]).fit(X, y)
    without = C45Classifier().fit(X[["m", "s"]], y)
    assert str(model.tree_) == str(without.tree_)
    np.testing.assert_array_equal(model.predict(X), without.predict(X[["m", "s"]]))
    assert str(C45Classifier(exclude=[0]).fit(X, y).tree_) == str(without.tree_)
    with pytest.raises(DataError, match="no attribute 'k'"):
        C45Classifier(exclude=["k"]).fit(X, y)
    with pytest.raises(DataError, match="No attribute is left"):
        C45Classifier(exclude=["n", "m", "s"]).fit(X, y)


def test_soft_thresholds_enclose_the_thresholds():
    X, y = noisy()
    model = C45Classifier(soft_thresholds=True).fit(X, y)
    lower, upper = model.soft_thresholds_.T
    threshold = model.tree_.threshold
    numeric = ~np.isnan(threshold)
    assert numeric.any()
    assert (lower[numeric] <= threshold[numeric]).all()
    assert (threshold[numeric] <= upper[numeric]).all()
    assert np.isnan(lower[~numeric]).all()


@pytest.mark.parametrize(
    ("parameter", "value", "allowed"),
    [
        ("confidence", 1.5, r"a float in \(0, 1\]"),
        ("min_cases", 0, r"a float in \(0, inf\)"),
        ("mode", "R8", "'standard' or 'r8'"),
        ("prune", 1, "a bool"),
        ("max_depth", 0, r"None or an int in \[1, inf\)"),
        ("nominal", "a", "None or a list of column names or positions"),
    ],
)
def test_a_wrong_parameter_is_named_with_what_is_allowed(parameter, value, allowed):
    message = rf"The '{parameter}' parameter of C45Classifier must be {allowed}. Got {value!r} instead"
    with pytest.raises(ParameterError, match=message):
        C45Classifier(**{parameter: value}).fit([[1.0], [2.0]], [0, 1])


@pytest.mark.parametrize("n_jobs", [0, -2, 1.5, True, "all"])
def test_a_number_of_threads_that_makes_no_sense_is_refused(n_jobs):
    message = (
        rf"'n_jobs' parameter of C45Classifier must be None or -1 or an int in \[1, inf\). Got {n_jobs!r}"
    )
    with pytest.raises(ParameterError, match=message):
        C45Classifier(n_jobs=n_jobs).fit(S01, S01_Y)


@pytest.mark.parametrize(
    "more", [{}, {"group_values": True}, {"mode": "r8"}, {"class_weight": "balanced"}], ids=str
)
def test_models_fitted_in_any_number_of_threads_are_the_same(more):
    rng = np.random.default_rng(4)
    X = pd.DataFrame(rng.normal(size=(4000, 3)).round(1), columns=list("abc"))
    X["d"] = rng.choice([None, "u", "v", "w", "x"], 4000)
    y = np.where(rng.random(4000) < 0.1, "no", np.where(X["a"] + X["b"] ** 2 > 1, "high", "low"))
    X.loc[rng.random(4000) < 0.2, "a"] = NAN
    weight = rng.uniform(0.2, 2.0, 4000)
    one, *others = (
        C45Classifier(n_jobs=n_jobs, **more).fit(X, y, sample_weight=weight) for n_jobs in (None, 1, 2, 4, -1)
    )
    assert one.tree_.n_nodes > 20
    for other in others:
        assert pickle.loads(pickle.dumps(other)).tree_.to_dict() == one.tree_.to_dict()
        assert clone(other).n_jobs == other.n_jobs
