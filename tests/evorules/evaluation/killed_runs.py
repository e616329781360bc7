"""Start runs, kill them at random moments, resume them; prints what the stores hold.

``python killed_runs.py FOLDER N_MOMENTS SEED``. One process imports everything once and forks a child for
every run, so that a moment costs the run itself and no start.
"""

import json
import os
import random
import signal
import sys
import time
from pathlib import Path

import numpy as np
import pandas as pd
from stubs.learners import Dice, Stub

from evorules.evaluation import Comparison, compare

TIMES = ["fit_cpu", "predict_cpu", "wall", "overhead", "is_cold"]


def run(store):
    """A run of 200 quick tasks."""
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"n": rng.random(40), "m": rng.random(40)})
    y = pd.Series(np.where(X["n"] > 0.5, "pos", "neg"), name="class")
    learners = {"dice": Dice(), "stub": Stub(), "bad": Stub("raise")}
    return compare(learners, {"t": (X, y)}, folds=10, repeats=2, seeds=8, store=store, reference=None)


def forked(store):
    """Start a run in a child process and return its id."""
    child = os.fork()
    if child == 0:
        try:
            run(store)
        finally:
            os._exit(0)
    return child


def content(store):
    """Return what a store holds, but for times, and how many rows."""
    result = Comparison.open(store)
    said = [place | {"label": said.label.tolist()} for place, said in result.predictions()]
    frame = result.to_frame().drop(columns=TIMES)
    return frame.to_csv() + json.dumps(said, default=str), len(result.store)


def main():
    folder, n_moments, seed = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
    run(None)  # imports and first-time work, outside the measured duration
    begun = time.monotonic()
    os.waitpid(forked(folder / "whole.db"), 0)
    duration = time.monotonic() - begun
    whole, n_rows = content(folder / "whole.db")
    found = {"rows": n_rows, "moments": []}
    draw = random.Random(seed)
    for moment in range(n_moments):
        store = folder / f"{moment}.db"
        child = forked(store)
        time.sleep(duration * draw.random())
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        committed = rows_of(store)
        run(store)
        kept = rows_of(store)
        text, n_rows = content(store)
        found["moments"].append(
            {
                "committed": len(committed),
                "kept": sum(kept[key] == wall for key, wall in committed.items()),
                "rows": n_rows,
                "equal": text == whole,
            }
        )
    print(json.dumps(found))  # noqa: T201


def rows_of(store):
    """Return the wall time of every row by key: a row that is computed again gets another."""
    import sqlite3

    if not store.exists():
        return {}
    connection = sqlite3.connect(store)
    try:
        return dict(connection.execute("SELECT key, wall FROM results").fetchall())
    except sqlite3.OperationalError:  # killed before the tables were there
        return {}
    finally:
        connection.close()


if __name__ == "__main__":
    main()
