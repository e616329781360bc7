"""``evorules compare`` and ``evorules report``: learners against each other on files or built-in data."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from evorules.cli.screen import complain, grid, out, setting, without

if TYPE_CHECKING:
    from evorules.datasets import Dataset
    from evorules.evaluation import Comparison

__all__ = ["compare", "report"]

SHOWN_FAILURES = 5
ScoreOption = Annotated[str, typer.Option(help="Score that tables and tests go by.")]
ThresholdOption = Annotated[float, typer.Option(help="Greatest size of a small disjunct, in training rows.")]
TestOption = Annotated[
    str,
    typer.Option(help="On each data set: 'corrected t', 'paired t', 'interval overlap' or 'difference'."),
]


def compare(
    data: Annotated[list[str], typer.Argument(help="CSV files with a header row, or built-in data sets.")],
    learners: Annotated[
        str, typer.Option(help="Names separated by commas; LABEL=NAME gives a learner a label of its own.")
    ] = "c45,double-c45,ga-large-sn",
    target: Annotated[str, typer.Option(help="Column of the files that holds the class.")] = "class",
    folds: Annotated[int, typer.Option(help="Folds of the cross-validation.", min=2)] = 10,
    repeats: Annotated[int, typer.Option(help="Runs of the cross-validation, with other folds.", min=1)] = 1,
    seeds: Annotated[int, typer.Option(help="Seeds per fold of learners that use randomness.", min=1)] = 5,
    seed: Annotated[int, typer.Option(help="Shuffles the folds.")] = 0,
    settings: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="LABEL:NAME=VALUE", help="A parameter of one learner; repeatable."),
    ] = None,
    store: Annotated[Path | None, typer.Option(help="File that keeps the results.")] = None,
    resume: Annotated[
        bool, typer.Option(help="Take results that the store has; otherwise run everything anew.")
    ] = True,
    retry_failed: Annotated[
        bool, typer.Option("--retry-failed", help="Run tasks again that did not end well.")
    ] = False,
    report: Annotated[Path | None, typer.Option(help="HTML report to write.")] = None,
    jobs: Annotated[int, typer.Option(help="Processes, -1 for all; never changes a result.")] = 1,
    backend: Annotated[
        str | None, typer.Option(help="serial, processes, threads or dask; by default as --jobs asks.")
    ] = None,
    scheduler: Annotated[
        str | None, typer.Option(help="Address of a Dask scheduler, as in tcp://host:8786.")
    ] = None,
    time_limit: Annotated[float | None, typer.Option(help="Seconds per task.")] = None,
    memory_limit: Annotated[float | None, typer.Option(help="Megabytes per task (Linux).")] = None,
    score: ScoreOption = "accuracy",
    threshold: ThresholdOption = 15,
    test: TestOption = "corrected t",
    baseline: Annotated[
        str | None, typer.Option(help="Learner to compare the others with; by default the first.")
    ] = None,
    missing: Annotated[
        list[str] | None, typer.Option(help="A text that means missing, beside the empty field; repeatable.")
    ] = None,
    nominal: Annotated[
        list[str] | None, typer.Option(help="A column to read as nominal; repeatable.")
    ] = None,
    drop: Annotated[list[str] | None, typer.Option(help="A column to leave out; repeatable.")] = None,
    delimiter: Annotated[str, typer.Option(help="Between the fields.")] = ",",
) -> None:
    """Compare learners by cross-validation on the same folds; say which differences are more than luck."""
    from evorules.evaluation import compare as run
    from evorules.evaluation.contrasts import EACH_TESTS
    from evorules.evaluation.tasks import seeds_of

    if test not in EACH_TESTS:
        raise typer.BadParameter(f"must be one of {', '.join(EACH_TESTS)}", param_hint="--test")
    for path in (report, store):
        if path is not None and not path.parent.is_dir():
            raise typer.BadParameter(f"there is no folder {path.parent}")
    named = _learners(learners, settings or ())
    if baseline is not None and baseline not in named:
        raise typer.BadParameter(f"must be one of {', '.join(named)}", param_hint="--baseline")
    reader = {"missing": list(missing or ()), "delimiter": delimiter}
    sets = [_read(name, target, nominal or [], drop or [], reader) for name in data]
    try:
        result = run(
            named,
            sets,
            folds=folds,
            repeats=repeats,
            seeds=seeds_of(seeds),
            random_state=seed,
            n_jobs=jobs,
            backend=backend,
            scheduler=scheduler,
            store=store,
            resume=resume,
            retry_failed=retry_failed,
            time_limit=time_limit,
            memory_limit=memory_limit,
            verbose=True,
        )
    except KeyboardInterrupt:
        if store is not None:
            complain(f"what is finished is in {store}; the same command goes on there")
        raise
    _show(result, score, threshold, test, baseline or next(iter(named)))
    if report is not None:
        _write(result, report, score, threshold, test)


def report(
    store: Annotated[Path, typer.Argument(help="File that `evorules compare --store` wrote.")],
    output: Annotated[Path, typer.Option("--output", "-o", help="HTML file to write.")],
    score: ScoreOption = "accuracy",
    threshold: ThresholdOption = 15,
    test: TestOption = "corrected t",
) -> None:
    """Write an HTML report of the comparison that a store was used for last."""
    from evorules.evaluation import Comparison

    _write(Comparison.open(store), output, score, threshold, test)


def _write(result: Comparison, path: Path, score: str, threshold: float, test: str) -> None:
    from evorules.report import write_report

    write_report(result, path, score=score, threshold=threshold, test=test)
    out().print(f"report written to {path}", markup=False, soft_wrap=True)


def _learners(text: str, settings: Any) -> dict[str, Any]:
    """Return learners by label, with the parameters that ``--set`` gives them."""
    from evorules.learners import make_learner

    names: dict[str, str] = {}
    for part in text.split(","):
        label, _, name = part.strip().rpartition("=")
        names[label or name] = name
    parameters: dict[str, dict[str, Any]] = {label: {} for label in names}
    for item in settings:
        label, sign, rest = item.partition(":")
        if not sign or label not in names:
            raise typer.BadParameter(
                f"{item!r} must begin with one of the learners and a colon: {', '.join(names)}",
                param_hint="--set",
            )
        name, value = setting(rest)
        parameters[label][name] = value
    return {label: make_learner(name, **parameters[label]) for label, name in names.items()}


def _read(name: str, target: str, nominal: list[str], drop: list[str], reader: dict[str, Any]) -> Dataset:
    """Return a file, read as asked for, or a built-in data set."""
    from evorules.data_sources import find_data
    from evorules.datasets import Dataset, read_csv

    found: Dataset
    if Path(name).is_file():
        found = read_csv(name, target=target, nominal=nominal, **reader)
    else:
        found = find_data(name)
    return Dataset(found.name, without(found.X, drop, name), found.y, found.description)


def _show(result: Comparison, score: str, threshold: float, test: str, baseline: str) -> None:
    """Print tables of scores, sizes, wins and ranks."""
    from evorules.evaluation.tables import mean_table, rank_table, size_table, win_table

    console = out()
    several = len(result.learners) > 1
    shown = mean_table(result, score, baseline=baseline if several else None, test=test, threshold=threshold)
    title = f"{score.replace('_', ' ').capitalize()}: mean ± standard deviation over folds"
    if several:
        title += f"; + and -: better and worse than {baseline} ({test})"
    console.print(_grid(title, shown))
    if result.has_reference and score == "accuracy":
        small = mean_table(result, "small_accuracy", threshold=threshold)
        console.print()
        console.print(_grid(f"Accuracy on rows in disjuncts of at most {threshold:g} training rows", small))
    console.print()
    console.print(_grid("Size and time: means over data sets, CPU seconds per fit", size_table(result)))
    if several:
        wins = win_table(result.wins(score, test=test))
        console.print()
        console.print(_grid(f"Wins/ties/losses of the row against the column ({test})", wins))
    if several and len(result.matrix(score).dropna()) > 1:
        report = result.ranks(score)
        console.print()
        console.print(
            _grid(
                f"Mean ranks over {report.test.n_sets} data sets: Friedman p = {report.test.p_value:.3g}, "
                f"critical distance {report.distance:.2f}",
                rank_table(result, score),
            )
        )
    _complain_of_failures(result)
    warnings = result.warnings()
    for learner, text, tasks in zip(
        warnings["learner"].head(SHOWN_FAILURES), warnings["warning"], warnings["tasks"], strict=False
    ):
        complain(f"warning in {tasks} tasks of {learner}: {text}")


def _complain_of_failures(result: Comparison) -> None:
    """Say how many tasks did not end well, and for some learners how the first of them ended."""
    failures = result.failures()
    groups = list(failures.groupby(["learner", "status", "kind"], sort=False))
    for (learner, status, _), part in groups[:SHOWN_FAILURES]:
        first = str(part["message"].iloc[0]).partition("\n")[0]
        complain(f"{len(part)} tasks of {learner}: {status}; the first: {first}")
    if len(failures):
        complain(f"{len(failures)} tasks did not end well; --retry-failed runs them again")


def _grid(title: str, table: Any) -> Any:
    rows = [["-" if cell != cell else cell for cell in row] for row in table.itertuples(index=False)]
    columns = [str(name) for name in table.columns]
    return grid(title, columns, rows, text=columns[:1])
