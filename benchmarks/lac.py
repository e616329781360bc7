"""CPU time of the lazy associative classifier: rows asked together, and the direct search row by row.

Training rows of adult (all but 10,000 drawn at random), rules by information gain of at most 3 conditions
with a support of 1% of the projection. The direct search visits the frequent antecedents of each row alone,
in one compiled loop; ours visits each antecedent of all rows once. Both need the projections, which are
timed apart. Figures are microseconds of `time.process_time` per row, medians of alternating repeats after a
warm-up.

    python -m benchmarks.lac --data FOLDER [--rows 10000] [--repeats 5] [--sets adult waveform]

FOLDER holds adult.csv and so on, or these gzipped (.csv.gz): class last, empty cells missing. Without
--data it is the folder `data` in EVORULES_REFERENCE. Ours is to take at most half the time of the direct
search (goal 0.15).
"""

from __future__ import annotations

import argparse
import os
import statistics
from pathlib import Path

import numpy as np

from benchmarks.c45_fit import read, timed
from evorules.associative.lazy import LazySearch
from evorules.items import Items
from evorules.rules.training import valid_rows
from trees.discretize import MDLP

LEAST_RATIO = 0.5


def direct(search: LazySearch, held: np.ndarray, projected: np.ndarray) -> np.ndarray:
    """Return the class of the best rule of every row, searched for one by one; -1 where there is none."""
    from benchmarks._kernels_lac import decide_directly

    items = search.items
    labels = np.empty(len(held), dtype=np.int32)
    scratch = np.empty((search.max_len + 1, items.n_words), dtype=np.uint64)
    decide_directly(
        held,
        items.bits,
        items.class_start,
        valid_rows(items.class_start, items.class_totals),
        np.maximum(np.ceil(search.min_support * projected.sum(axis=1) - 1e-9), 1).astype(np.int64),
        search.max_len,
        search._product,
        scratch,
        np.empty(items.n_classes, dtype=np.int32),
        labels,
    )
    return labels


def main() -> None:
    """Run the comparison."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, default=Path(os.environ.get("EVORULES_REFERENCE", ".")) / "data")
    parser.add_argument("--rows", type=int, default=10_000)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--sets", nargs="*", default=["adult"])
    chosen = parser.parse_args()
    print("us of CPU per row     projection  together   votes  direct  together/direct")
    for name in chosen.sets:
        table = read(chosen.data, name)
        rows = np.random.default_rng(0).permutation(table.n_rows)
        n_asked = min(chosen.rows, table.n_rows // 3)
        training, asked = table.take(np.sort(rows[n_asked:])), table.take(np.sort(rows[:n_asked]))
        items = Items.of(training, MDLP().fit(training))
        search = LazySearch(items, min_support=0.01, max_len=3)
        held = items.encode(asked)
        times: dict[str, list[float]] = {"projection": [], "together": [], "votes": [], "direct": []}
        for repeat in range(chosen.repeats + 1):
            projecting, projected = timed(lambda: search.project(held))  # noqa: B023
            together, found = timed(lambda: search.find(held))  # noqa: B023
            voting, _ = timed(lambda: search.find(held, votes=True))  # noqa: B023
            alone, labels = timed(lambda: direct(search, held, projected))  # noqa: B023
            assert np.array_equal(found.consequent, labels)
            if repeat > 0:
                for part, seconds in zip(
                    times, (projecting, together, voting, projecting + alone), strict=True
                ):
                    times[part].append(1e6 * seconds / n_asked)
        shown = {part: statistics.median(values) for part, values in times.items()}
        ratio = statistics.median(a / b for a, b in zip(times["together"], times["direct"], strict=True))
        print(f"{name:10}{n_asked:8}" + "".join(f"{value:11.1f}" for value in shown.values()), end="")
        print(f"{ratio:12.3f}  {'ok' if ratio <= LEAST_RATIO else 'TOO SLOW'}")


if __name__ == "__main__":
    main()
