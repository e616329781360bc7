"""CPU time of first match with a rule list: compiled, and NumPy rule by rule on the rows still alive.

Lists of 1000 random rules over 18 numeric and 2 nominal columns, from lists that catch a row early to lists
that hardly catch it at all; figures are millions of rows per CPU second, medians over the repeats.

    python -m benchmarks.first_match [--rows 1000000] [--repeats 3]

Ours is to be at least 3 times NumPy's on every list, and 0.5 million rows per second.
"""

from __future__ import annotations

import argparse
import statistics

import numpy as np
import numpy.typing as npt

from benchmarks.c45_fit import timed
from trees.match import first_match
from trees.rule import Condition, Rule
from trees.schema import Attribute, Schema

SCHEMA = Schema(
    tuple(Attribute(f"x{i}", "numeric") for i in range(18))
    + tuple(Attribute(f"n{i}", "nominal", tuple(range(6))) for i in range(2)),
    Attribute("class", "nominal", (0, 1)),
)
LISTS = ((2, 5, 50), (2, 5, 0), (4, 7, 50), (8, 11, 50), (8, 11, 0))
"""Least and greatest number of conditions, and of how many values thresholds are (0: each its own)."""


def random_rules(shortest: int, longest: int, n_values: int, rng: np.random.Generator) -> list[Rule]:
    """Return 1000 rules of random conditions, each satisfied by half of the rows on average."""
    rules = []
    for _ in range(1000):
        conditions = []
        for a in rng.choice(20, rng.integers(shortest, longest + 1), replace=False).tolist():
            if a >= 18:
                conditions.append(Condition(a, "in", tuple(rng.choice(6, 3, replace=False).tolist())))
            else:
                threshold = rng.integers(n_values) / n_values if n_values else rng.random()
                conditions.append(Condition(a, "<=" if rng.random() < 0.5 else ">", float(threshold)))
        rules.append(Rule(tuple(conditions), 0, (1.0, 0.0)))
    return rules


def alive_rows(rules: list[Rule], X: npt.NDArray[np.float64]) -> npt.NDArray[np.int32]:
    """Return the first match of every row with NumPy, rule by rule."""
    found = np.full(len(X), -1, dtype=np.int32)
    alive = np.arange(len(X))
    for r, rule in enumerate(rules):
        left = X[alive]
        covered = np.ones(len(alive), dtype=bool)
        for condition in rule.conditions:
            covered &= condition.match(left)
        found[alive[covered]] = r
        alive = alive[~covered]
    return found


def main() -> None:
    """Run the comparison."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--repeats", type=int, default=3)
    chosen = parser.parse_args()
    rng = np.random.default_rng(0)
    X = rng.random((chosen.rows, 20))
    X[:, 18:] = rng.integers(0, 6, (chosen.rows, 2))
    X[rng.random(X.shape) < 0.02] = np.nan
    few = X[: max(chosen.rows // 50, 1)]
    print("million rows per CPU second    ours   numpy   ratio  by default")
    for shortest, longest, n_values in LISTS:
        rules = random_rules(shortest, longest, n_values, rng)
        ours, theirs = [], []
        for repeat in range(chosen.repeats + 1):
            own, found = timed(lambda: first_match(rules, SCHEMA, X))  # noqa: B023
            other, plain = timed(lambda: alive_rows(rules, few))  # noqa: B023
            assert np.array_equal(np.asarray(found)[: len(few)], plain)
            if repeat > 0:
                ours.append(len(X) / own / 1e6)
                theirs.append(len(few) / other / 1e6)
        speed, rival = statistics.median(ours), statistics.median(theirs)
        name = f"{shortest}-{longest} conditions, {n_values or 'all'} values"
        share = np.mean(np.asarray(found) < 0)
        print(f"{name:28}{speed:7.2f}{rival:8.3f}{speed / rival:8.1f}{share:10.0%}")


if __name__ == "__main__":
    main()
