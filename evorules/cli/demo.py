"""``evorules demo``: the main job on a built-in data set."""

from __future__ import annotations

from typing import Annotated

import typer

from evorules.cli.quality import cross_validation_grid, small_share
from evorules.cli.screen import out, rule_grid

__all__ = ["demo"]

SYSTEMS: dict[str, tuple[str, dict[str, str]]] = {
    "C4.5": ("c45", {}),
    "double C4.5": ("double-c45", {}),
    "GA-Small": ("ga-small", {}),
    "GA-Large-SN, paper": ("ga-large-sn", {"variant": "paper"}),
    "GA-Large-SN, improved": ("ga-large-sn", {"variant": "improved"}),
}
"""The systems of the paper, and the repaired GA: name -> learner and parameters."""

THRESHOLD = 15


def demo(
    dataset: Annotated[
        str, typer.Option(help="A built-in data set; `evorules datasets` lists them.")
    ] = "tic-tac-toe",
    folds: Annotated[int, typer.Option(help="Folds of the cross-validation.", min=2)] = 5,
    seeds: Annotated[int, typer.Option(help="Seeds per fold for the genetic algorithms.", min=1)] = 3,
    jobs: Annotated[int, typer.Option(help="Threads; never changes a result.")] = 1,
) -> None:
    """Compare C4.5 with the hybrids on small disjuncts, and print the rules of one fit."""
    from evorules.datasets import load
    from evorules.evaluation import cross_validate_disjuncts
    from evorules.learners import make_learner
    from evorules.progress import progress
    from trees.table import Table

    data = load(dataset, random_state=0)
    table = Table.from_frame(data.X, data.y)
    learners = {}
    for name, (learner, parameters) in SYSTEMS.items():
        hybrid = {} if learner == "c45" else {"threshold": THRESHOLD, "n_jobs": jobs}
        learners[name] = make_learner(learner, **hybrid, **parameters)
    console = out()
    console.print(f"{data!r}\n{data.description}", markup=False)
    console.print(
        f"{folds} stratified folds, {seeds} seeds per GA; small disjuncts have at most {THRESHOLD} rows\n"
    )
    with progress("fitting", 1.0) as report:
        scores = cross_validate_disjuncts(
            learners, table, folds=folds, seeds=range(seeds), threshold=THRESHOLD, report=report
        )
    title = "Accuracy on held-out rows: all, in large, and in small disjuncts"
    console.print(cross_validation_grid(scores, title))
    console.print(
        f"{small_share(scores):.0%} of the rows fall into small disjuncts. ± is the standard deviation over\n"
        "folds; rules and conditions are means per model.\n"
    )
    model = make_learner("ga-large-sn", threshold=THRESHOLD, random_state=0).fit(table)
    n_small = int(model.disjuncts_["small"].sum())
    console.print(
        f"One fit of GA-Large-SN (improved) on all {table.n_rows} rows: {len(model.disjuncts_)} leaves, "
        f"{n_small} of them small",
        markup=False,
    )
    console.print(rule_grid("Its rules for small disjuncts, tried in this order", model.rules_, "small"))
