"""``evorules predict``: apply a model to a CSV file."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Annotated, Literal, cast

import numpy as np
import typer

from evorules.cli.screen import check_output, complain, out

__all__ = ["predict"]


def predict(
    model_file: Annotated[Path, typer.Argument(help="Model file that `evorules fit` wrote.")],
    data: Annotated[
        Path, typer.Argument(help="CSV file with the columns that the model needs; others are kept.")
    ],
    output: Annotated[Path, typer.Option("--output", "-o", help="CSV file to write; .gz compresses.")],
    unknown: Annotated[str, typer.Option(help="A category not seen in fit: missing or error.")] = "missing",
    missing: Annotated[
        list[str] | None, typer.Option(help="A text that means missing, beside the model's own; repeatable.")
    ] = None,
) -> None:
    """Write the rows with the predicted class, its probability and the rule that decided."""
    from evorules.datasets import read_csv, write_csv
    from evorules.export.model_file import load_model, read_record
    from trees.errors import DataError, DataWarning

    check_output(output)
    if unknown not in ("missing", "error"):
        raise typer.BadParameter("must be missing or error", param_hint="--unknown")
    model = load_model(model_file)
    model.set_params(unknown=cast(Literal["missing", "error"], unknown))
    reader = read_record(model_file).get("reader", {})
    reader["missing"] = [*reader.get("missing", []), *(missing or ())]
    schema = model.schema_
    names = schema.names
    nominal = [a.name for a in schema.attributes if a.is_nominal]
    target = schema.target.name if schema.target else "class"
    numeric = [a.name for a in schema.attributes if not a.is_nominal]
    rows = read_csv(data, nominal=nominal, numeric=numeric, **reader).X
    with warnings.catch_warnings():
        # the same file once more, every field in its own spelling, to be written back as it was
        warnings.simplefilter("ignore", DataWarning)
        written = read_csv(data, nominal=list(rows.columns), **{**reader, "missing": []}).X
    clash = [name for name in ("prediction", "probability", "rule") if name in rows.columns]
    if clash:
        raise DataError(f"{data} already has a column {clash[0]!r}, which predict would write. Rename it.")
    decisions = model.decide(rows[names])
    labels = model.labels(decisions.label)
    result = written.copy()
    result["prediction"] = labels
    result["probability"] = np.round(decisions.scores[np.arange(len(rows)), decisions.label], 6)
    result["rule"] = [f"R{number + 1}" if number >= 0 else None for number in decisions.rule]
    write_csv(result, output)
    out().print(f"{len(rows)} predictions written to {output}", markup=False)
    if target in rows.columns and target not in names:
        truth = written[target].where(~written[target].isin(reader["missing"]))
        known = truth.notna().to_numpy()
        right = int(np.sum(truth.astype(str).to_numpy()[known] == labels.astype(str)[known]))
        if known.any():
            complain(f"{right} of {known.sum()} agree with column {target!r} ({right / known.sum():.1%})")
