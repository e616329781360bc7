"""CPU time of predicting a million rows against scikit-learn's tree, fitted on the same rows in the same run.

Both learn from 20,000 rows of 20 numbers and predict 1,000,000 rows of a float64 array, in alternation, after
a warm-up; figures are medians of `time.process_time`.

    python -m benchmarks.c45_predict [--repeats 5] [--missing 0.0]

The ratio is to be at most 1.0.
"""

from __future__ import annotations

import argparse
import statistics

import numpy as np
from sklearn.tree import DecisionTreeClassifier

from benchmarks.c45_fit import timed
from trees import C45Classifier


def rows(n_rows: int, missing: float, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Return 20 normal columns and a class that depends on five of them, with a tenth of the labels wrong."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n_rows, 20))
    y = (X[:, 0] * X[:, 1] > 0).astype(int) + (X[:, 2] + X[:, 3] > X[:, 4])
    y = np.where(rng.random(n_rows) < 0.1, rng.integers(0, 3, n_rows), y)
    X[rng.random(X.shape) < missing] = np.nan
    return X, y


def main() -> None:
    """Run the comparison."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--missing", type=float, default=0.0, help="share of the cells that are missing")
    chosen = parser.parse_args()
    X, y = rows(20_000, chosen.missing, 0)
    later, _ = rows(1_000_000, chosen.missing, 1)
    ours, theirs = C45Classifier().fit(X, y), DecisionTreeClassifier(random_state=0).fit(X, y)
    seconds: list[float] = []
    rivals: list[float] = []
    for repeat in range(chosen.repeats + 1):
        own, _ = timed(lambda: ours.predict(later))
        other, _ = timed(lambda: theirs.predict(later))
        if repeat > 0:
            seconds.append(own)
            rivals.append(other)
    own, other = statistics.median(seconds), statistics.median(rivals)
    print(f"predict 1,000,000 x 20: {own:.3f} CPU s with {ours.tree_.n_leaves} leaves")
    print(f"scikit-learn's tree:    {other:.3f} CPU s with {theirs.get_n_leaves()} leaves")
    print(f"ratio {own / other:.2f}")


if __name__ == "__main__":
    main()
