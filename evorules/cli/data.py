"""``evorules datasets``: the built-in data."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from evorules.cli.screen import grid, out

__all__ = ["datasets"]


def datasets(
    name: Annotated[str | None, typer.Argument(help="Write this set to a CSV file.")] = None,
    output: Annotated[Path | None, typer.Option("--output", "-o", help="CSV file to write.")] = None,
    seed: Annotated[int, typer.Option(help="Seed of a set that is drawn at random.")] = 0,
) -> None:
    """List the built-in data sets, or write one of them to a CSV file."""
    from evorules.datasets import DATASETS, load, write_csv

    if name is None:
        rows = [(key, maker.description) for key, maker in DATASETS.items()]
        out().print(grid("Built-in data sets", ("name", "what it is"), rows, text=("name", "what it is")))
        return
    data = load(name, random_state=seed)
    if output is None:
        out().print(f"{data!r}\nwrite it with: evorules datasets {name} -o {name}.csv", markup=False)
        return
    write_csv(data.to_frame(), output)
    out().print(f"{data!r} written to {output}", markup=False)
