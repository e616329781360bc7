"""What the machinery of a comparison costs beside fit and predict, and how long a large store takes to read.

    python benchmarks/compare_overhead.py [CRX.csv]

1. ``ga-large-sn`` on crx, 10 folds x 10 seeds, serial, with a store on disk. The runner's own timers give the
   CPU time of each task that went neither into fit nor into predict; planning and storing are timed in the
   parent. Bars: at most 5 ms per task, and 3% of the total.
2. A store of 100,000 finished tasks is opened and aggregated: summary, matrix, accuracy by size of disjunct.
   Bar: 10 CPU seconds.

Without a path the built-in tic-tac-toe stands in for crx.
"""

from __future__ import annotations

import sqlite3
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pandas as pd

from evorules.evaluation import Comparison, compare
from evorules.learners import make_learner

N_TASKS = 100_000


def overhead(data: str, folder: Path) -> None:
    options = {"target": "class", "reference": None}
    compare("ga-large-sn", data, folds=2, seeds=1, **options)  # loads kernels
    begun = time.process_time()
    result = compare("ga-large-sn", data, folds=10, seeds=10, store=folder / "run.db", **options)
    total = time.process_time() - begun
    frame = result.to_frame(threshold=None)
    in_tasks, in_parent = frame["overhead"].sum(), sum(result.overhead.values())
    learner = frame["fit_cpu"].sum() + frame["predict_cpu"].sum()
    machinery = total - learner
    print(f"{len(frame)} tasks on {data}: {total:.2f} CPU s, of them {learner:.2f} in fit and predict")
    print(f"  timers in the runner {1000 * in_tasks / len(frame):.2f} ms per task; parent {in_parent:.3f} s")
    print(f"  everything but fit and predict: {1000 * machinery / len(frame):.2f} ms per task (bar 5)")
    print(f"  share of the total: {100 * machinery / total:.2f}% (bar 3)")


def large_store(folder: Path) -> None:
    """Run a small comparison, then copy its rows under other keys until there are 100,000."""
    path = folder / "large.db"
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"n": rng.random(700), "m": rng.random(700)})
    y = pd.Series(np.where(X["n"] + 0.3 * rng.random(700) > 0.6, "pos", "neg"), name="class")
    learners = {f"c45 {c}": make_learner("c45", confidence=c) for c in (0.05, 0.1, 0.25, 0.4)}
    result = compare(
        learners, {f"set {i}": (X.assign(n=X["n"] + i), y) for i in range(5)}, folds=10, store=path
    )
    plan = result.store.plan().number
    result.store.close()
    connection = sqlite3.connect(path)
    columns = [row[1] for row in connection.execute("PRAGMA table_info(results)")][1:]
    entries = connection.execute(
        "SELECT key, data, learner, repeat, fold, seed, is_reference FROM entries WHERE plan = ? "
        "AND is_reference = 0",
        (plan,),
    ).fetchall()
    place = connection.execute("SELECT max(place) + 1 FROM entries").fetchone()[0]
    for seed in range(N_TASKS // len(entries)):
        copies = [(f"{seed}-{entry[0]}", entry) for entry in entries]
        connection.executemany(
            f"INSERT INTO results SELECT ?, {', '.join(columns)} FROM results WHERE key = ?",
            [(key, entry[0]) for key, entry in copies],
        )
        connection.executemany(
            "INSERT INTO entries VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [(plan, place + i, key, *entry[1:5], seed, entry[6]) for i, (key, entry) in enumerate(copies)],
        )
        place += len(copies)
    connection.commit()
    connection.close()
    begun = time.process_time()
    opened = Comparison.open(path)
    n_rows = len(opened.to_frame(threshold=None))
    opened.summary()
    opened.matrix()
    plain = time.process_time() - begun
    opened.matrix("small_accuracy", threshold=15)
    whole = time.process_time() - begun
    print(f"{n_rows} finished tasks: opened and aggregated in {plain:.2f} CPU s,")
    print(f"  with accuracy by size of disjunct, from the predictions, in {whole:.2f} CPU s (bar 10)")


if __name__ == "__main__":
    with TemporaryDirectory() as name:
        overhead(sys.argv[1] if len(sys.argv) > 1 else "tic-tac-toe", Path(name))
        large_store(Path(name))
