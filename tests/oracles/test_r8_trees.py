"""C4.5 Release 8's own trees, errors and soft thresholds, in every file of the reference folder."""

import functools
import json

import numpy as np
import pytest
from oracles.c45_files import open_text, read_c45
from oracles.r8_trees import departures, recorded_intervals

from trees.growth.descend import predict_codes
from trees.growth.literal import grow_literal
from trees.growth.options import GrowthOptions
from trees.pruning.pessimistic import prune_pessimistic
from trees.pruning.soft import soft_thresholds

SETS = """
anneal-na audiology auto breast-cancer contact-lenses credit-g crx edge-20class edge-allmissing
edge-close edge-const edge-dir edge-dups edge-half edge-ids edge-ids2 edge-neg999 edge-one edge-pure
edge-stuck edge-subset edge-tieclass edge-ties edge-wide edge-xor glass glass-all golf hepatitis
horse-colic hypo ionosphere iris iris-all kr-vs-kp labor-full labor-neg lymph monk1 monk2 monk3 mushroom
nursery pima pima-all primary-tumor segment sick sonar soybean soybean-missing splice tic-tac-toe vehicle
vote vote-missing weather-nominal wine wine-all zoo
"""
LARGE = {
    "letter": "default m5 c10 g s",
    "adult": "default m5 c10 g s",
    "shuttle": "default m5 c10 g s",
    "connect-4": "default",
    "covertype-16pct": "default",
}
OPTIONS = {
    "default": {},
    "m1": {"min_cases": 1.0},
    "m5": {"min_cases": 5.0},
    "c10": {"confidence": 0.10},
    "c50": {"confidence": 0.50},
    "g": {"criterion": "gain"},
    "s": {"group_values": True},
    "s-m5": {"group_values": True, "min_cases": 5.0},
    "g-s": {"criterion": "gain", "group_values": True},
    "m10-c5": {"min_cases": 10.0, "confidence": 0.05},
    "p": {},
}
FILES = [(name, option) for name in SETS.split() for option in OPTIONS]
LARGE_FILES = [(name, option) for name, options in LARGE.items() for option in options.split()]


def identified(files):
    return [pytest.param(name, option, id=f"{name}.{option}") for name, option in files]


@functools.lru_cache(maxsize=2)
def read_tables(folder, name):
    return read_c45(folder / "data", name)


def check(folder, name, option):
    record = json.loads(open_text(folder / "r8-trees" / f"{name}.{option}.json"))
    train, test = read_tables(folder, name)
    chosen = dict(OPTIONS[option])
    confidence = chosen.pop("confidence", 0.25)
    unpruned = grow_literal(train, GrowthOptions(**chosen), single_precision=True)
    pruned = prune_pessimistic(unpruned, train, confidence=confidence)
    trees = {"unpruned": unpruned, "pruned": pruned}
    for stage, tree in trees.items():
        assert departures(tree, record[stage]) == []
        assert tree.n_nodes == record["train"][stage]["size"]
        for rows, table in (("train", train), ("test", test)):
            if table is not None:
                wrong = predict_codes(tree, table.X) != table.y
                assert np.count_nonzero(wrong) == record[rows][stage]["errors"]
    estimate = 100 * pruned.errors[0] / pruned.weight[0]
    assert f"{estimate:.1f}" == record["train"]["estimate_percent"]
    if option == "p":
        ours = soft_thresholds(pruned, train).astype(np.float32).tolist()
        theirs = recorded_intervals(record["pruned"])
        assert [i for i, t in zip(ours, theirs, strict=True) if t] == [
            np.array(t, dtype=np.float32).tolist() for t in theirs if t
        ]


@pytest.mark.parametrize(("name", "option"), identified(FILES))
def test_trees_and_errors_equal_the_originals(reference, name, option):
    check(reference / "oracles" / "c45", name, option)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "option"), identified(LARGE_FILES))
def test_trees_and_errors_on_large_sets_equal_the_originals(reference, name, option):
    check(reference / "oracles" / "c45", name, option)


def test_every_file_of_the_reference_folder_is_compared(reference):
    files = (reference / "oracles" / "c45" / "r8-trees").iterdir()
    names = {file.name.removesuffix(".gz").removesuffix(".json") for file in files}
    assert names == {f"{name}.{option}" for name, option in FILES + LARGE_FILES}
    assert len(names) == 677
