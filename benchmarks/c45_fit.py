"""CPU time of fitting C4.5 against scikit-learn's entropy tree, both measured in one run.

Every repeat fits all parts once, in alternation, after a warm-up; figures are medians of `time.process_time`.
Ours is the sum of encoding (rank codes), growing and pruning. scikit-learn's tree gets nominal columns as
ordinal codes and missing cells as NaN, has no multiway tests and shares no rows out, and is not pruned.

    python -m benchmarks.c45_fit --data FOLDER [--repeats 5] [--only letter adult] [--jobs 2]

FOLDER holds letter.csv, adult.csv and covertype-16pct.csv, or these gzipped (.csv.gz): class last, empty
cells missing. Without --data it is the folder `data` in EVORULES_REFERENCE. `generated` needs no file.

With --jobs follows growing in that many threads, in alternation with one: what that costs more in CPU time
holds on any machine, what it saves in wall time only on an idle one.
"""

from __future__ import annotations

import argparse
import ctypes
import math
import os
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.tree import DecisionTreeClassifier

from trees.growth.fast import grow
from trees.growth.options import GrowthOptions
from trees.growth.tree import Tree
from trees.pruning.pessimistic import prune_pessimistic
from trees.schema import Attribute, Schema
from trees.table import Codes, Table

FILES = {"letter": "letter", "adult": "adult", "covertype": "covertype-16pct"}
GENERATED = "generated"


def read(folder: Path, name: str) -> Table:
    """Read a CSV file whose last column is the class."""
    path = next((p for p in (folder / f"{name}.csv", folder / f"{name}.csv.gz") if p.exists()), None)
    if path is None:
        sys.exit(f"There is no {name}.csv or {name}.csv.gz in {folder}.")
    frame = pd.read_csv(path, keep_default_na=False, na_values=[""])
    return Table.from_frame(frame.iloc[:, :-1], frame.iloc[:, -1].astype(str))


def generate(n_rows: int = 200_000) -> Table:
    """Return rows with 10 numeric and 44 binary columns and 7 noisy classes that depend on some of them."""
    rng = np.random.default_rng(7)
    levels = [1978, 361, 67, 551, 700, 5785, 207, 185, 255, 5827]
    share = rng.random((n_rows, 10))
    numeric = np.floor(share**1.5 * levels)
    area = rng.choice(4, n_rows, p=[0.45, 0.05, 0.43, 0.07])
    soil = np.minimum(rng.geometric(0.08, n_rows) - 1, 39)
    score = rng.normal(size=(4 + 40, 7))
    merit = 3 * np.stack([np.cos((k + 1) * share[:, k] + share[:, (k + 3) % 10]) for k in range(7)], axis=1)
    merit += score[area] + score[4 + soil] + rng.gumbel(scale=0.5, size=(n_rows, 7))
    X = np.hstack([numeric, np.eye(4)[area], np.eye(40)[soil]])
    schema = Schema(
        tuple(Attribute(f"a{k}", "numeric") for k in range(54)),
        Attribute("class", "nominal", tuple("1234567")),
    )
    return Table(schema, X, merit.argmax(axis=1).astype(np.int32))


def peak_growth(action: Callable[[], object]) -> float:
    """Return by how many MB an action raises the peak of resident memory, NaN where that is not known."""
    status, reset = Path("/proc/self/status"), Path("/proc/self/clear_refs")

    def field(name: str) -> int:
        line = next(line for line in status.read_text().splitlines() if line.startswith(name))
        return int(line.split()[1])

    try:
        ctypes.CDLL(None).malloc_trim(0)  # what was freed before would be used again unseen
        reset.write_text("5")
        before = field("VmRSS")
        action()
        return (field("VmHWM") - before) / 1024
    except (OSError, AttributeError, StopIteration):
        return math.nan


def timed(action: Callable[[], object]) -> tuple[float, object]:
    """Return the CPU seconds of an action and its result."""
    start = time.process_time()
    result = action()
    return time.process_time() - start, result


def compare(name: str, table: Table, repeats: int) -> float:
    """Print the figures of one data set; return the ratio of our total to scikit-learn's."""
    X, y = table.X, table.classes
    rival = DecisionTreeClassifier(criterion="entropy", random_state=0)
    seconds: dict[str, list[float]] = {"encode": [], "grow": [], "prune": [], "sklearn": []}
    table.codes  # noqa: B018 - `grow` is measured without it
    for repeat in range(repeats + 1):
        encode, _ = timed(lambda: Codes.of(X, table.schema))
        growing, grown = timed(lambda: grow(table, GrowthOptions()))
        assert isinstance(grown, Tree)
        pruning, pruned = timed(lambda: prune_pessimistic(grown, table))  # noqa: B023
        assert isinstance(pruned, Tree)
        theirs, _ = timed(lambda: rival.fit(X, y))
        if repeat > 0:
            for part, value in zip(seconds, (encode, growing, pruning, theirs), strict=True):
                seconds[part].append(value)
    median = {part: statistics.median(values) for part, values in seconds.items()}
    total = median["encode"] + median["grow"] + median["prune"]
    memory = peak_growth(lambda: grow(table, GrowthOptions()))
    wrong = int(np.sum(rival.predict(X) != y))
    print(
        f"{name:10} {table.n_rows:>7} x {table.n_attributes:<3}"
        + "".join(f"{median[part]:8.3f}" for part in ("encode", "grow", "prune"))
        + f"{total:8.3f}{median['sklearn']:9.3f}{total / median['sklearn']:7.2f}{memory:8.0f}"
        + f"{grown.n_nodes:9}{grown.errors[0]:9.0f}{pruned.n_nodes:8}{rival.tree_.node_count:9}{wrong:8}"
    )
    return total / median["sklearn"]


def compare_threads(table: Table, repeats: int, n_jobs: int) -> None:
    """Print CPU and wall seconds of growing in one and in several threads."""
    cpu: dict[int, list[float]] = {1: [], n_jobs: []}
    wall: dict[int, list[float]] = {1: [], n_jobs: []}
    for _ in range(repeats):
        for jobs in cpu:
            start = time.perf_counter()
            cpu[jobs].append(timed(lambda: grow(table, GrowthOptions(), n_jobs=jobs))[0])  # noqa: B023
            wall[jobs].append(time.perf_counter() - start)
    (cpu_1, cpu_n), (wall_1, wall_n) = (map(statistics.median, part.values()) for part in (cpu, wall))
    print(
        f"{'':10} grow in {n_jobs} threads: CPU {cpu_n:.3f} against {cpu_1:.3f} ({cpu_n / cpu_1 - 1:+.1%}), "
        f"wall {wall_n:.3f} against {wall_1:.3f}"
    )


def main() -> None:
    """Run the comparison."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    reference = os.environ.get("EVORULES_REFERENCE")
    parser.add_argument("--data", type=Path, default=Path(reference) / "data" if reference else None)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--only", nargs="+", choices=[*FILES, GENERATED], default=[*FILES, GENERATED])
    parser.add_argument("--jobs", type=int, default=1)
    chosen = parser.parse_args()
    if chosen.data is None and set(chosen.only) != {GENERATED}:
        sys.exit("Name the folder of the data with --data, or set EVORULES_REFERENCE.")
    print(
        "CPU seconds                encode    grow   prune     fit  sklearn  ratio  MB up"
        "    nodes   errors  pruned  sklearn  errors"
    )
    for name in chosen.only:
        table = generate() if name == GENERATED else read(chosen.data, FILES[name])
        compare(name, table, chosen.repeats)
        if chosen.jobs > 1:
            compare_threads(table, chosen.repeats, chosen.jobs)


if __name__ == "__main__":
    main()
