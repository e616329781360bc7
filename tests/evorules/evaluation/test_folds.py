"""Folds: stratified, given, repeated."""

import numpy as np
import pytest
from sklearn.model_selection import ShuffleSplit, StratifiedKFold

from evorules.evaluation.folds import given_folds, make_folds, stratified_folds
from trees.errors import DataError, DataWarning, ParameterError


def test_rare_class_is_spread_and_named_in_the_warning():
    # case S33
    classes = np.array([0] * 7 + [1] * 3, dtype=np.int32)
    with pytest.warns(DataWarning, match=r"the 5 folds: 'p' \(3\)"):
        folds = stratified_folds(classes, ["n", "p"], 5, seed=0)
    tested = np.concatenate([fold.test for fold in folds])
    assert sorted(tested.tolist()) == list(range(10))
    rare = [int(np.sum(classes[fold.test] == 1)) for fold in folds]
    assert max(rare) == 1
    assert rare.count(0) == 2


def test_folds_without_any_class_large_enough_are_refused():
    # case S33, second part
    classes = np.array([0, 0, 0, 1, 1, 1], dtype=np.int32)
    with pytest.raises(DataError, match="5 folds need a class of at least 5 rows; the largest, 'a', has 3"):
        stratified_folds(classes, ["a", "b"], 5, seed=0)


def test_folds_are_those_of_scikit_learn():
    classes = np.random.default_rng(0).integers(0, 3, 90).astype(np.int32)
    ours = stratified_folds(classes, ["a", "b", "c"], 4, seed=11)
    theirs = StratifiedKFold(4, shuffle=True, random_state=11).split(classes, classes)
    for fold, (train, test) in zip(ours, theirs, strict=True):
        assert fold.train.tolist() == train.tolist()
        assert fold.test.tolist() == test.tolist()


def test_repeats_have_other_folds_and_the_first_is_that_of_one_run():
    classes = np.array([0, 1] * 20, dtype=np.int32)
    once = make_folds(classes, ["a", "b"], 4, 1, 3)
    thrice = make_folds(classes, ["a", "b"], 4, 3, 3)
    assert [(fold.repeat, fold.number) for fold in thrice] == [(r, k) for r in range(3) for k in range(4)]
    assert [fold.digest for fold in thrice[:4]] == [fold.digest for fold in once]
    assert len({fold.digest for fold in thrice}) == 12


def test_a_data_set_keeps_the_split_that_belongs_to_it():
    classes = np.array([0, 1] * 10, dtype=np.int32)
    mask = np.arange(20) < 12
    [fold] = make_folds(classes, ["a", "b"], 10, 5, 0, own=[(mask, ~mask)])
    assert fold.train.tolist() == list(range(12))
    assert fold.test.tolist() == list(range(12, 20))


def test_splitters_and_lists_are_taken_as_given():
    classes = np.array([0, 1] * 10, dtype=np.int32)
    splitter = ShuffleSplit(3, test_size=5, random_state=0)
    folds = make_folds(classes, ["a", "b"], splitter, 1, 0)
    assert [len(fold.test) for fold in folds] == [5, 5, 5]
    assert [fold.test.tolist() for fold in folds] == [
        test.tolist() for _, test in ShuffleSplit(3, test_size=5, random_state=0).split(classes)
    ]
    with pytest.raises(ParameterError, match="'repeats' parameter of compare must be 1"):
        make_folds(classes, ["a", "b"], splitter, 2, 0)


@pytest.mark.parametrize(
    ("splits", "message"),
    [
        ([([0, 1], [1, 2])], "row 1 is to be trained on and tested"),
        ([([0, 1], [9])], r"row positions must be in \[0, 4\)"),
        ([([0, 1], [])], "at least one row position"),
        ([([0, 0], [1])], "a row occurs more than once"),
        ([([True, False], [1])], r"a mask has shape \(2,\)"),
        ([], "There are no splits"),
    ],
)
def test_splits_that_do_not_fit_the_rows_are_refused(splits, message):
    with pytest.raises(DataError, match=message):
        given_folds([tuple(np.array(part, dtype=None) for part in pair) for pair in splits], 4)


@pytest.mark.parametrize("folds", [1, True, 2.5, "ten"])
def test_folds_must_be_a_number_or_splits(folds):
    with pytest.raises(ParameterError, match="The 'folds' parameter of compare must be"):
        make_folds(np.array([0, 1] * 5, dtype=np.int32), ["a", "b"], folds, 1, 0)
