"""Where a tree errs by size of disjunct, before and after the remedy."""

import numpy as np
import pandas as pd
import pytest

from evorules.datasets import load
from evorules.evaluation import DisjunctDiagnosis, small_disjuncts
from evorules.hybrids import GARuleClassifier, NearestNeighbours, SmallDisjunctClassifier
from trees import C45Classifier, DataError, ParameterError, Table


@pytest.fixture
def worked():
    """The example of the evaluation specification, section 6; the remedy repairs the smallest disjunct."""
    lines = []
    for leaf, (size, correct, errors) in enumerate([(2, 6, 4), (5, 8, 6), (10, 15, 3), (30, 46, 2)]):
        for right in [True] * correct + [False] * errors:
            lines.append((leaf, size + 1.0, float(size), size < 10, right, right or size == 2))
    columns = ["leaf", "size", "right", "small", "before", "after"]
    return DisjunctDiagnosis(pd.DataFrame(lines, columns=columns), 6.0)


def test_errors_concentrate_as_in_the_worked_example(worked):
    # evaluation, section 6: x = .08, .1867, .3867, 1; y = .2667, .6667, .8667, 1; EC = .5724
    assert worked.summary.loc["before", "error concentration"] == pytest.approx(0.5724, abs=5e-5)
    x, y = worked.curve()
    np.testing.assert_allclose(x, [0, 0.08, 0.1867, 0.3867, 1], atol=5e-5)
    np.testing.assert_allclose(y, [0, 0.2667, 0.6667, 0.8667, 1], atol=5e-5)


def test_shares_of_rows_and_errors_in_small_disjuncts_before_and_after(worked):
    before, after = worked.summary.loc["before"], worked.summary.loc["after"]
    # 24 of 90 rows and 10 of 15 errors are in the disjuncts of 3 and 6 rows; 6 of 11 errors afterwards
    assert before["share of rows small"] == after["share of rows small"] == pytest.approx(24 / 90)
    assert (before["share of errors small"], after["share of errors small"]) == (10 / 15, 6 / 11)
    assert (before["accuracy small"], after["accuracy small"]) == (14 / 24, 18 / 24)
    assert before["accuracy large"] == after["accuracy large"] == 61 / 66
    assert (before["accuracy"], after["accuracy"]) == (75 / 90, 79 / 90)


def test_the_table_has_a_line_per_range_of_sizes_one_of_which_ends_at_the_threshold(worked):
    table = worked.table
    assert table["size"].tolist() == ["3-5", "6", "11-15", "31-100"]
    assert table["disjuncts"].tolist() == [1, 1, 1, 1]
    assert table["rows"].tolist() == [10, 14, 18, 48]
    assert table["errors before"].tolist() == [4, 6, 3, 2]
    assert table["errors after"].tolist() == [0, 6, 3, 2]
    np.testing.assert_allclose(table["share of errors before"], np.array([4, 6, 3, 2]) / 15)
    np.testing.assert_allclose(table["error rate after"], [0, 6 / 14, 3 / 18, 2 / 48])
    assert table["share of rows"].sum() == pytest.approx(1)


@pytest.fixture(scope="module")
def halves():
    data = load("tic-tac-toe")
    return data.X[::2], data.y[::2], data.X[1::2], data.y[1::2]


def test_a_diagnosis_agrees_with_the_model(halves):
    X, y, new_X, new_y = halves
    model = SmallDisjunctClassifier(handler=NearestNeighbours(), threshold=10).fit(X, y)
    diagnosis = small_disjuncts(model, new_X, new_y)
    assert diagnosis.summary.loc["after", "accuracy"] == model.score(new_X, new_y)
    alone = C45Classifier().fit(X, y)
    assert diagnosis.summary.loc["before", "accuracy"] == alone.score(new_X, new_y)
    np.testing.assert_array_equal(diagnosis.rows["small"], model.in_small_disjunct(new_X))
    leaves = model.disjuncts_.set_index("leaf").loc[diagnosis.rows["leaf"]]
    np.testing.assert_allclose(diagnosis.rows["right"], leaves["size"] - leaves["errors"])
    assert "error concentration" in str(diagnosis)
    from_table = small_disjuncts(model, Table.from_frame(new_X, new_y))
    pd.testing.assert_frame_equal(from_table.rows, diagnosis.rows)


def test_a_tree_alone_is_the_same_before_and_after(halves):
    X, y, new_X, new_y = halves
    diagnosis = small_disjuncts(C45Classifier().fit(X, y), new_X, new_y)
    assert diagnosis.threshold == 15
    np.testing.assert_array_equal(diagnosis.rows["before"], diagnosis.rows["after"])


def test_a_share_as_threshold_is_turned_into_rows(halves):
    X, y, new_X, new_y = halves
    model = SmallDisjunctClassifier(handler="none", threshold=0.02).fit(X, y)
    assert small_disjuncts(model, new_X, new_y).threshold == pytest.approx(0.02 * len(X))


def test_labels_of_another_type_are_compared_by_value():
    X = pd.DataFrame({"c": list("aabb") * 5})
    model = SmallDisjunctClassifier(handler="none").fit(X, np.array([1, 1, 2, 2] * 5))
    assert small_disjuncts(model, X, [1.0, 1.0, 2.0, 2.0] * 5).summary["accuracy"].tolist() == [1.0, 1.0]
    named = SmallDisjunctClassifier(handler="none").fit(X, list("ppqq") * 5)
    assert small_disjuncts(named, X, np.array(list("ppqq") * 5)).summary["accuracy"].tolist() == [1.0, 1.0]


def test_what_cannot_be_diagnosed_is_refused(halves):
    X, y, new_X, new_y = halves
    rules = GARuleClassifier(population_size=10, n_generations=1, max_rules=1, random_state=0).fit(X, y)
    with pytest.raises(ParameterError, match=r"needs a classifier with one tree\. Got GARuleClassifier"):
        small_disjuncts(rules, new_X, new_y)
    tree = C45Classifier().fit(X, y)
    with pytest.raises(DataError, match="needs a label for each of 479 rows"):
        small_disjuncts(tree, new_X)
