"""``evorules fit``: learn a model from a CSV file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from evorules.cli.quality import cross_validation_grid, training_grid
from evorules.cli.screen import check_output, complain, out, setting, without
from evorules.learners import LEARNERS

if TYPE_CHECKING:
    import pandas as pd

    from trees.estimator import TableClassifier

__all__ = ["fit"]


def fit(
    data: Annotated[Path, typer.Argument(help="CSV file with a header row; .gz is fine.")],
    target: Annotated[str, typer.Option(help="Column that holds the class.")],
    output: Annotated[Path | None, typer.Option("--output", "-o", help="Model file to write (JSON).")] = None,
    learner: Annotated[str, typer.Option(help=f"One of {', '.join(LEARNERS)}.")] = "ga-large-sn",
    settings: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="NAME=VALUE", help="A parameter of the learner; repeatable."),
    ] = None,
    seed: Annotated[int, typer.Option(help="Seed of all randomness.")] = 0,
    jobs: Annotated[int, typer.Option(help="Threads; never changes the result.")] = 1,
    missing: Annotated[
        list[str] | None, typer.Option(help="A text that means missing, beside the empty field; repeatable.")
    ] = None,
    nominal: Annotated[
        list[str] | None, typer.Option(help="A column to read as nominal; repeatable.")
    ] = None,
    drop: Annotated[list[str] | None, typer.Option(help="A column to leave out; repeatable.")] = None,
    delimiter: Annotated[str, typer.Option(help="Between the fields.")] = ",",
    folds: Annotated[
        int, typer.Option(help="Also estimate the accuracy by cross-validation; 0 does not.", min=0)
    ] = 0,
    decimal: Annotated[str, typer.Option(help="Decimal mark of numbers.")] = ".",
    thousands: Annotated[str | None, typer.Option(help="Mark between groups of three digits.")] = None,
    encoding: Annotated[str, typer.Option(help="Encoding of the text.")] = "utf-8-sig",
    trim: Annotated[bool, typer.Option("--trim", help="Strip blanks round values and names.")] = False,
) -> None:
    """Learn a model from a CSV file and say how good each part of it is."""
    from evorules.datasets import read_csv
    from evorules.evaluation import check_folds, cross_validate_disjuncts
    from evorules.export.model_file import check_storable, save_model
    from evorules.learners import make_learner
    from evorules.progress import progress
    from trees.table import Table

    check_output(output)
    parameters = dict(setting(text) for text in settings or ())
    model = make_learner(learner, **parameters)
    shared = {"random_state": seed, "n_jobs": jobs, "verbose": True}
    known = model.get_params(deep=False)
    model.set_params(
        **{name: value for name, value in shared.items() if name in known and name not in parameters}
    )
    if output is not None:
        check_storable(model)
    reader: dict[str, Any] = {
        "missing": list(missing or ()),
        "delimiter": delimiter,
        "decimal": decimal,
        "thousands": thousands,
        "encoding": encoding,
        "trim": trim,
    }
    dataset = read_csv(data, target=target, nominal=nominal or (), **reader)
    attributes, labels = with_class(without(dataset.X, drop or [], data), dataset.y)
    if folds:
        check_folds(labels, folds)
    model.fit(attributes, labels)
    if "verbose" in known:
        model.set_params(verbose=False)
    console = out()
    rows, columns = attributes.shape
    console.print(
        f"{learner} on {data.name}: {rows} rows, {columns} attributes, classes {_names(model)}", markup=False
    )
    console.print(training_grid(model, attributes, labels))
    if folds:
        table = Table.from_frame(attributes, labels)
        with progress("cross-validation", 1.0) as report:
            scores = cross_validate_disjuncts(
                {learner: model},
                table,
                folds=folds,
                seeds=(seed,),
                report=report,
            )
        console.print(
            cross_validation_grid(
                scores, f"{folds}-fold cross-validation; large and small (at most 15 rows) disjuncts"
            )
        )
    if output is not None:
        save_model(model, output, reader=reader)
        console.print(f"model written to {output}; print it with: evorules show {output}", markup=False)


def with_class(attributes: pd.DataFrame, labels: Any) -> tuple[pd.DataFrame, pd.Series]:
    """Return the rows whose class is known, and say how many are left out."""
    known = labels.notna()
    if not known.all():
        complain(f"warning: {int((~known).sum())} of {len(known)} rows have no class and are left out")
    return attributes[known], labels[known]


def _names(model: TableClassifier, limit: int = 8) -> str:
    names = [str(label) for label in model.classes_]
    return ", ".join(names[:limit]) + (f" and {len(names) - limit} more" if len(names) > limit else "")
