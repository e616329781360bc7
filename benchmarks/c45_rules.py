"""CPU time of fitting C4.5rules against scikit-learn's entropy tree, both measured in one run.

Every repeat fits both once, in alternation, after a warm-up; figures are medians of `time.process_time`. Ours
is the whole fit from a table: encoding (rank codes), growing, rules. scikit-learn's tree gets nominal columns
as ordinal codes and missing cells as NaN, and makes no rules.

    python -m benchmarks.c45_rules --data FOLDER [--repeats 5] [--only letter adult] [--mode r8]

FOLDER holds letter.csv and adult.csv, which may be gzipped (.csv.gz): class last, empty cells missing.
Without --data it is the folder `data` in EVORULES_REFERENCE. The ratio on letter is to be at most 38.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
from pathlib import Path

import numpy as np
from sklearn.tree import DecisionTreeClassifier

from benchmarks.c45_fit import read, timed
from trees.c45rules import C45RulesClassifier
from trees.table import Table

NAMES = ("letter", "adult")


def compare(name: str, table: Table, repeats: int, mode: str) -> float:
    """Print the figures of one data set; return the ratio of our fit to scikit-learn's."""
    rival = DecisionTreeClassifier(criterion="entropy", random_state=0)
    model = C45RulesClassifier(mode=mode, random_state=0)
    ours, theirs = [], []
    for repeat in range(repeats + 1):
        # a table of its own, so that nothing was encoded before
        fresh = Table(table.schema, table.X, table.y)
        own, _ = timed(lambda: model.fit(fresh))  # noqa: B023
        other, _ = timed(lambda: rival.fit(table.X, table.classes))
        if repeat > 0:
            ours.append(own)
            theirs.append(other)
    predicting, _ = timed(lambda: model.predict(table))
    seconds, rivals = statistics.median(ours), statistics.median(theirs)
    n_candidates = len(model.derive(table).candidates)
    accuracy = float(np.mean(model.decide(table).label == table.classes))
    print(
        f"{name:8} {table.n_rows:>7} x {table.n_attributes:<3}"
        f"{seconds:8.3f}{rivals:9.3f}{seconds / rivals:7.1f}"
        f"{predicting:9.3f}{n_candidates:12}{len(model.rules_):7}{accuracy:10.4f}"
    )
    return seconds / rivals


def main() -> None:
    """Run the comparison."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    reference = os.environ.get("EVORULES_REFERENCE")
    parser.add_argument("--data", type=Path, default=Path(reference) / "data" if reference else None)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--only", nargs="+", choices=NAMES, default=list(NAMES))
    parser.add_argument("--mode", choices=("standard", "r8"), default="standard")
    chosen = parser.parse_args()
    if chosen.data is None:
        sys.exit("Name the folder of the data with --data, or set EVORULES_REFERENCE.")
    print("CPU seconds                  fit  sklearn  ratio  predict  candidates  rules  accuracy")
    for name in chosen.only:
        compare(name, read(chosen.data, name), chosen.repeats, chosen.mode)


if __name__ == "__main__":
    main()
