"""CPU time and memory of mining class association rules against pyfim, both measured in one run.

Every repeat runs all parts once, in alternation, after a warm-up; figures are medians of `time.process_time`.
Ours is from the table to the rules in generation order: encoding, search, sorting. pyfim gets ready lists of
items and returns its rules in the order found. Both look for the same rules (class items in the head,
support of the whole rule, confidence of at least 50 percent), and their numbers are compared first. Memory
is by how much a fresh process grows.

    pip install pyfim
    python -m benchmarks.mining --data FOLDER [--repeats 3] [--only letter-0.1]

FOLDER holds the files below, class last, empty cells missing; rows with missing cells are left out. Without
--data it is the folder `data` in EVORULES_REFERENCE. pyfim (MIT) serves this comparison only.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd

from benchmarks.c45_fit import peak_growth
from evorules.items import Items
from evorules.mining import BitsetMiner
from trees.discretize import MDLP, Cuts
from trees.table import Table

RUNS: dict[str, tuple[str, float, int | None]] = {
    "mushroom-10": ("mushroom", 0.1, None),
    "mushroom-1": ("mushroom", 0.01, 4),
    "adult-1": ("adult", 0.01, None),
    "adult-0.1": ("adult", 0.001, None),
    "waveform-1": ("waveform-40", 0.01, None),
    "letter-1": ("letter", 0.01, None),
    "letter-0.1": ("letter", 0.001, None),
    "letter-0.08": ("letter", 0.0008, None),
    "connect-4-1": ("connect-4", 0.01, 3),
}
"""File, minimum support and most conditions of every run."""
RIVALS = ("fpgrowth", "eclat")
LARGE, HUGE = 100_000, 1_000_000
"""Numbers of rules from which on the bars are higher, and memory counts."""


def read(folder: Path, name: str) -> Table:
    """Read a CSV file whose last column is the class, rows with missing cells left out."""
    path = next((p for p in (folder / f"{name}.csv", folder / f"{name}.csv.gz") if p.exists()), None)
    if path is None:
        sys.exit(f"There is no {name}.csv or {name}.csv.gz in {folder}.")
    frame = pd.read_csv(path, keep_default_na=False, na_values=[""]).dropna()
    return Table.from_frame(frame.iloc[:, :-1], frame.iloc[:, -1].astype(str))


class Run:
    """One table, ready for both."""

    def __init__(self, folder: Path, name: str) -> None:
        file, self.support, self.max_len = RUNS[name]
        self.table = read(folder, file)
        self.cuts: Cuts = MDLP().fit(self.table)
        self.miner = BitsetMiner(
            min_support=self.support, max_len=self.max_len, max_rules=None, max_nodes=None
        )

    def ours(self) -> Any:
        return self.miner.mine(Items.of(self.table, self.cuts))

    def transactions(self) -> list[list[int]]:
        """Return the items of every row, the class as a negative number."""
        held = Items.of(self.table, self.cuts).encode(self.table)
        return [
            [item for item in row if item >= 0] + [-1 - label]
            for row, label in zip(held.tolist(), self.table.classes.tolist(), strict=True)
        ]

    def rival(self, algorithm: str, transactions: list[list[int]]) -> Any:
        appear: dict[int | None, str] = {-1 - code: "h" for code in range(self.table.n_classes)}
        appear[None] = "b"
        return getattr(pyfim(), algorithm)(
            transactions,
            target="r",
            supp=100 * self.support,
            conf=50,
            zmin=2,
            zmax=-1 if self.max_len is None else self.max_len + 1,
            report="ab",
            mode="o",
            appear=appear,
        )


def pyfim() -> Any:
    """Return pyfim's module, or end with how to install it."""
    try:
        import fim
    except ImportError:
        sys.exit("This benchmark compares with pyfim, which is not installed: pip install pyfim")
    return fim


def timed(action: Callable[[], Any]) -> tuple[float, int]:
    """Return the CPU seconds of an action and the number of rules that it returns."""
    start = time.process_time()
    result = action()
    return time.process_time() - start, len(result)


def growth_in_child(folder: Path, name: str, which: str) -> float:
    """Return by how many MB a fresh process grows while it mines."""
    command = [sys.executable, "-m", "benchmarks.mining", "--data", str(folder), "--child", name, which]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    return float(done.stdout)


def measure_growth(folder: Path, name: str, which: str) -> float:
    """Return by how many MB this process grows; kernels are loaded first."""
    run = Run(folder, name)
    if which == "ours":
        small = run.table.take(range(200))
        BitsetMiner(min_support=0.2, max_len=3).mine(Items.of(small, run.cuts))
        return peak_growth(run.ours)
    transactions = run.transactions()
    return peak_growth(lambda: run.rival(which, transactions))


def compare(folder: Path, name: str, repeats: int) -> bool:
    """Print the figures of one run; return whether the bars are met."""
    run = Run(folder, name)
    transactions = run.transactions()
    actions: dict[str, Callable[[], Any]] = {"ours": run.ours}
    for algorithm in RIVALS:
        actions[algorithm] = lambda algorithm=algorithm: run.rival(algorithm, transactions)
    seconds: dict[str, list[float]] = {which: [] for which in actions}
    counts = set()
    for repeat in range(repeats + 1):
        for which, action in actions.items():
            if repeat == 0 and which != "ours":
                continue
            spent, n_rules = timed(action)
            counts.add(n_rules)
            if repeat > 0:
                seconds[which].append(spent)
    if len(counts) != 1:
        sys.exit(f"{name}: the numbers of rules differ: {sorted(counts)}.")
    n_rules = counts.pop()
    median = {which: statistics.median(values) for which, values in seconds.items()}
    ratio = min(median[algorithm] for algorithm in RIVALS) / median["ours"]
    least = 4.0 if n_rules >= LARGE else 1.0
    text = f"{name:12}{n_rules:>10}" + "".join(f"{median[which]:>10.3f}" for which in actions)
    text += f"{ratio:>8.1f}{least:>6.0f}"
    met = ratio >= least
    if n_rules >= HUGE:
        best = min(RIVALS, key=lambda algorithm: median[algorithm])
        growth = growth_in_child(folder, name, "ours"), growth_in_child(folder, name, best)
        text += f"{growth[0]:>9.0f}{growth[1]:>9.0f}{growth[0] / growth[1]:>7.2f}"
        met = met and growth[0] <= 0.5 * growth[1]
    print(text if met else f"{text}  below the bar", flush=True)
    return met


def main() -> None:
    """Run the comparison."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    reference = os.environ.get("EVORULES_REFERENCE")
    parser.add_argument("--data", type=Path, default=Path(reference) / "data" if reference else None)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--only", nargs="+", choices=RUNS, default=list(RUNS))
    parser.add_argument("--child", nargs=2, help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.data is None:
        sys.exit("Name the folder of the data with --data, or set EVORULES_REFERENCE.")
    pyfim()
    if chosen.child:
        print(measure_growth(chosen.data, *chosen.child))
        return
    heads = "".join(f"{which:>10}" for which in ("ours", *RIVALS))
    print(f"CPU seconds      rules{heads}   ratio   bar  MB ours  MB best  ratio")
    met = [compare(chosen.data, name, chosen.repeats) for name in chosen.only]
    if not all(met):
        sys.exit(1)


if __name__ == "__main__":
    main()
