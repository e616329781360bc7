"""C4.5 Release 8's own windowing runs: every cycle and every tree of the reference folder."""

import json

import numpy as np
import pytest
from oracles.c45_files import read_c45
from oracles.r8_trees import departures

from trees.c45 import C45Classifier
from trees.growth.descend import predict_codes
from trees.growth.options import GrowthOptions
from trees.windowing import Windowing, grow_windows, least_estimate

SETS = """
crx edge-half glass-all golf hepatitis hypo iris-all monk2 pima-all soybean tic-tac-toe vote
"""


@pytest.mark.parametrize("name", SETS.split())
def test_cycles_and_trees_of_windowing_equal_the_originals(reference, name):
    folder = reference / "oracles" / "c45"
    record = json.loads((folder / "r8-windowing" / f"{name}.json").read_text())
    train, test = read_c45(folder / "data", name)
    words = record["options"].split()
    options = {flag: int(number) for flag, number in zip(words[::2], words[1::2], strict=True)}
    windowing = Windowing(options["-t"], options.get("-w"), options.get("-i"))
    trials = grow_windows(train, GrowthOptions(), windowing, single_precision=True)
    assert len(trials) == len(record["trials"])
    for t, (trial, theirs) in enumerate(zip(trials, record["trials"], strict=True)):
        assert departures(trial.unpruned, theirs["unpruned"]) == []
        assert [
            [
                number,
                cycle.n_nodes,
                cycle.window,
                train.n_rows - cycle.window,
                cycle.errors_inside,
                cycle.errors_outside,
                cycle.errors_inside + cycle.errors_outside,
            ]
            for number, cycle in enumerate(trial.cycles, start=1)
        ] == theirs["cycles"]
        for rows, table in (("train", train), ("test", test)):
            if table is not None:
                printed = record[rows][t]
                for stage, tree in (("unpruned", trial.unpruned), ("pruned", trial.pruned)):
                    wrong = predict_codes(tree, table.X) != table.y
                    assert np.count_nonzero(wrong) == printed[f"{stage}_errors"]
                    assert tree.n_nodes == printed[f"{stage}_size"]
    best = least_estimate(trials)
    assert [part["saved"] for part in record["train"]] == [t == best for t in range(len(trials))]
    assert departures(trials[best].pruned, record["best_pruned"]) == []
    model = C45Classifier(
        mode="r8", n_trials=windowing.n_trials, window=windowing.window, increment=windowing.increment
    )
    assert departures(model.build_tree(train), record["best_pruned"]) == []


def test_every_windowing_run_of_the_reference_folder_is_compared(reference):
    files = (reference / "oracles" / "c45" / "r8-windowing").glob("*.json")
    assert {file.stem for file in files} == set(SETS.split())
