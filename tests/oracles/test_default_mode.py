"""The default mode predicts as the original does on the test sets of the reference folder."""

import json

import numpy as np
import pytest
from oracles.c45_files import read_c45

from trees import C45Classifier

LARGE = {"adult", "connect-4", "covertype-16pct", "letter", "nursery", "shuttle"}


def agreement(reference, large):
    folder = reference / "oracles" / "c45"
    sets = json.loads((folder / "datasets.json").read_text())
    rows = agreeing = 0
    for name in sorted(sets):
        if sets[name]["n_test"] and (name in LARGE) == large:
            train, test = read_c45(folder / "data", name)
            predictions = [C45Classifier(mode=mode).fit(train).predict(test) for mode in ("standard", "r8")]
            rows += test.n_rows
            agreeing += int(np.sum(predictions[0] == predictions[1]))
    return rows, agreeing


def test_the_default_mode_predicts_as_the_original_on_small_sets(reference):
    rows, agreeing = agreement(reference, large=False)
    assert rows > 10_000
    assert agreeing / rows >= 0.995


@pytest.mark.slow
def test_the_default_mode_predicts_as_the_original_on_large_sets(reference):
    rows, agreeing = agreement(reference, large=True)
    assert rows > 40_000
    assert agreeing / rows >= 0.995
