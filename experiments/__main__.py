"""``python -m experiments NAME``: run a study and print its tables."""

from __future__ import annotations

import argparse
from pathlib import Path

from experiments.frame import STUDIES, Options, find_study, keep


def main(words: list[str] | None = None) -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(prog="python -m experiments", description="Run a study.")
    parser.add_argument("name", nargs="?", help=f"one of {', '.join(STUDIES)}; nothing lists them")
    parser.add_argument("--quick", action="store_true", help="a form that takes seconds")
    parser.add_argument("--data", type=Path, metavar="DIR", help="folder of CSV files")
    parser.add_argument("--n-jobs", type=int, default=1, metavar="N", help="processes, -1 for all processors")
    parser.add_argument(
        "--store", type=Path, metavar="FILE", help="keeps results; a second run goes on there"
    )
    parser.add_argument("--scheduler", metavar="ADDRESS", help="Dask scheduler, as in tcp://host:8786")
    parser.add_argument("--sets", metavar="A,B", help="data sets in place of the study's own")
    parser.add_argument("--folds", type=int, metavar="K", help="folds in place of the study's own number")
    parser.add_argument("--seeds", type=int, metavar="S", help="seeds in place of the study's own number")
    parser.add_argument("--output", type=Path, metavar="DIR", help="folder for tables and figures")
    given = parser.parse_args(words)
    if given.name is None:
        for name in STUDIES:
            print(f"{name:20} {find_study(name).question}")
        return
    options = Options(
        quick=given.quick,
        data=given.data,
        n_jobs=given.n_jobs,
        store=given.store,
        scheduler=given.scheduler,
        sets=tuple(given.sets.split(",")) if given.sets else (),
        folds=given.folds,
        seeds=given.seeds,
        output=given.output,
    )
    try:
        output = find_study(given.name).run(options)
    except ValueError as error:
        raise SystemExit(f"error: {error}") from None
    for section in output.sections:
        print(section.to_text())
    if given.output is not None:
        keep(output, given.output, given.name)


if __name__ == "__main__":
    main()
