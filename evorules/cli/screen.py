"""What the commands share: the two consoles, tables and reading of files."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer
from rich.console import Console, Group
from rich.table import Table
from rich.text import Text

from trees.errors import DataError
from trees.naming import closest_first, listed

if TYPE_CHECKING:
    import pandas as pd

    from trees.rule import RuleList

__all__ = ["check_output", "complain", "grid", "out", "rule_grid", "setting", "without"]


def out() -> Console:
    """Return the console of standard output."""
    return Console(highlight=False)


def complain(message: str) -> None:
    """Write one message to standard error, as it is."""
    typer.echo(message, err=True)


def grid(
    title: str, columns: Sequence[str], rows: Sequence[Sequence[Any]], *, text: Sequence[str] = ()
) -> Group:
    """Return a titled table for the terminal; columns not named in `text` are right-aligned numbers."""
    table = Table(pad_edge=False, box=None, header_style="bold")
    for column in columns:
        left = column in text
        table.add_column(Text(column), justify="left" if left else "right", overflow="fold", no_wrap=not left)
    for row in rows:
        table.add_row(*(Text(str(cell)) for cell in row))
    return Group(Text(title, style="bold"), table)


def rule_grid(title: str, rules: RuleList, scope: str) -> Group:
    """Return the rules of one scope with coverage, errors and confidence, and the gate's estimate if any."""
    chosen = [(number, rule) for number, rule in enumerate(rules, start=1) if rule.scope == scope]
    gated = bool(chosen) and all("estimate" in rule.scores for _, rule in chosen)
    rows = []
    for number, rule in chosen:
        confidence = f"{rule.confidence:.2f}" if rule.covered > 0 else ""
        label = str(rules.schema.classes[rule.consequent])
        estimate = [f"{rule.scores['estimate']:.2f}"] if gated else []
        counts = f"{rule.covered:.4g}", f"{rule.errors:.4g}"
        rows.append((f"R{number}", rule.antecedent(rules.schema), label, *counts, confidence, *estimate))
    columns = ("id", "if", "then", "rows", "wrong", "conf.", *(["est."] if gated else []))
    table = grid(title, columns, rows, text=("id", "if", "then"))
    note = "est.: pessimistic accuracy; a rule overrules a leaf only if the leaf's is lower"
    return Group(table, note) if gated else table


def check_output(path: Path | None) -> None:
    """Raise DataError, before any work is done, for a file that could not be written in the end."""
    if path is None:
        return
    if path.is_dir():
        raise DataError(f"--output {str(path)!r} is a folder. Name a file in it.")
    if not path.parent.is_dir():
        raise DataError(f"--output {path}: there is no folder {path.parent}.")
    if not os.access(path.parent, os.W_OK):
        raise DataError(f"--output {path}: the folder {path.parent} cannot be written to.")


def without(frame: pd.DataFrame, names: Sequence[str], source: Any) -> pd.DataFrame:
    """Return a frame without some columns; raise DataError for one that is not there."""
    for name in names:
        if name not in frame.columns:
            known = listed(closest_first(name, map(str, frame.columns)))
            raise DataError(f"{source} has no column {name!r} to leave out (known: {known}).")
    return frame.drop(columns=list(names))


def setting(text: str) -> tuple[str, Any]:
    """Return name and value of ``name=value``; the value is read as JSON where it is JSON, else as text."""
    import json

    name, sign, value = text.partition("=")
    if not sign or not name:
        raise typer.BadParameter(f"{text!r} is not of the form name=value")
    try:
        return name, json.loads(value)
    except json.JSONDecodeError:
        return name, value
