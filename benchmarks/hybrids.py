"""CPU time of whole hybrid fits, beside the bars that they are held to.

GA-Small: all of a fit, tree included, on adult and on letter. GA-Large-SN: the handler without the tree, on
14,000 rows of letter drawn at random, as published and improved; KEEL's program takes 150 CPU seconds for the
former on such a split, tree included. All with the genetic algorithm's own sizes (200 individuals, 50
generations) and one thread. A small fit beforehand compiles or loads everything.

    python benchmarks/hybrids.py --data FOLDER [--thresholds 10 15] [--only adult letter]

FOLDER holds letter.csv and adult.csv, or these gzipped (.csv.gz): class last, empty cells missing. Without
--data it is the folder `data` in EVORULES_REFERENCE. Figures are of `time.process_time`, one fit each.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from pathlib import Path

import numpy as np
import pandas as pd

from evorules.hybrids import DisjunctHandler, DisjunctProblem, GALargeSN, GASmall, SmallDisjunctClassifier
from evorules.hybrids.problem import small_leaves
from trees.c45 import C45Classifier
from trees.growth.descend import apply
from trees.table import Table

GA_SMALL_BARS = {"adult": 8, "letter": 30}
GA_LARGE_BAR = 5
LINE = "{:14s}{:>4}  {:22s}{:>8}{:>6}{:>9}{:>7}{:>7}{:>12}"


def read(folder: Path, name: str) -> Table:
    """Read a CSV file whose last column is the class."""
    path = next((p for p in (folder / f"{name}.csv", folder / f"{name}.csv.gz") if p.exists()), None)
    if path is None:
        sys.exit(f"There is no {name}.csv or {name}.csv.gz in {folder}.")
    frame = pd.read_csv(path, keep_default_na=False, na_values=[""])
    return Table.from_frame(frame.iloc[:, :-1], frame.iloc[:, -1].astype(str))


def warm_up() -> None:
    """Load all compiled code: every kind of attribute, missing cells, both handlers."""
    rng = np.random.default_rng(0)
    n = 300
    frame = pd.DataFrame({"x": rng.random(n), "y": rng.integers(0, 9, n), "c": rng.choice(list("uvw"), n)})
    frame["wide"] = rng.choice([f"v{i}" for i in range(12)], n)
    frame.loc[:20, "x"] = np.nan
    y = np.where(rng.random(n) < 0.3, "a", np.where(frame["y"] > 4, "b", "c"))
    table = Table.from_frame(frame, y)
    for handler in (GASmall(n_generations=2), GALargeSN(n_generations=2, max_rules=2)):
        SmallDisjunctClassifier(handler=handler, random_state=0).fit(table).predict(frame)


def report(data: str, threshold: int, name: str, seconds: float, bar: float | None, what: tuple) -> None:
    """Print a line of the table."""
    leaves, rows, rules, conditions = what
    limit = "" if bar is None else f"{bar:g}"
    per_rule = f"{conditions / rules:.2f}" if rules else ""
    print(
        LINE.format(data, threshold, name, f"{seconds:.2f}", limit, leaves, rows, rules, per_rule), flush=True
    )


def ga_small(data: str, table: Table, threshold: int) -> None:
    """Time a whole fit with GA-Small."""
    model = SmallDisjunctClassifier(handler=GASmall(), threshold=threshold, random_state=0)
    began = time.process_time()
    model.fit(table)
    seconds = time.process_time() - began
    rules = [] if model.handler_ is None else model.handler_._own
    small = model.disjuncts_[model.disjuncts_["small"]]
    counted = (
        len(small),
        round(small["size"].sum()),
        len(rules),
        sum(len(rule.conditions) for rule in rules),
    )
    report(data, threshold, "GA-Small, all of it", seconds, GA_SMALL_BARS[data], counted)


def ga_large(table: Table, threshold: int) -> None:
    """Time GA-Large-SN on a tree that is there already, as published and improved."""
    rows = np.sort(np.random.default_rng(0).permutation(table.n_rows)[:14_000])
    table = table.take(rows)
    grower = C45Classifier()
    tree = grower.build_tree(table)
    small = small_leaves(tree, threshold)
    home = apply(tree, table.X)
    handlers: list[tuple[str, DisjunctHandler, float | None]] = [
        ("GA-Large-SN, paper", GALargeSN(variant="paper"), GA_LARGE_BAR if threshold == 10 else None),
        ("GA-Large-SN, improved", GALargeSN(), None),
    ]
    for name, handler, bar in handlers:
        problem = DisjunctProblem(table, tree, home, small, 0, None, lambda share: None, threshold, grower)
        began = time.process_time()
        handler.fit(problem)
        seconds = time.process_time() - began
        rules = handler.rules_
        counted = (int(small.sum()), handler.n_rows_, len(rules), sum(len(rule.conditions) for rule in rules))
        report("letter, 14000", threshold, name, seconds, bar, counted)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, help="folder of the data sets")
    parser.add_argument("--thresholds", type=int, nargs="+", default=[10, 15], help="greatest small disjunct")
    parser.add_argument("--only", nargs="+", choices=list(GA_SMALL_BARS), default=list(GA_SMALL_BARS))
    arguments = parser.parse_args()
    folder = arguments.data or Path(os.environ.get("EVORULES_REFERENCE", ".")) / "data"
    tables = {name: read(folder, name) for name in arguments.only}
    warm_up()
    print(LINE.format("data", "S", "method", "CPU s", "bar", "leaves", "rows", "rules", "conditions"))
    for threshold in arguments.thresholds:
        for name, table in tables.items():
            ga_small(name, table, threshold)
        if "letter" in tables:
            ga_large(tables["letter"], threshold)
    print(
        "leaves: small ones, empty ones included; rows: learnt from; conditions: per rule, of GA-Small\n"
        "without those of the leaf's path. KEEL takes 150 CPU seconds for GA-Large-SN, paper, with the tree."
    )


if __name__ == "__main__":
    main()
