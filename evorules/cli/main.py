"""The command ``evorules``."""

from __future__ import annotations

import sys
import warnings

import typer

from evorules.cli.compare import compare, report
from evorules.cli.data import datasets
from evorules.cli.demo import demo
from evorules.cli.fit import fit
from evorules.cli.predict import predict
from evorules.cli.screen import complain
from evorules.cli.show import show
from trees.errors import DataError, DataWarning, MiningLimitError, ModelFileError, ParameterError

__all__ = ["app", "main"]

app = typer.Typer(
    name="evorules",
    help="Learn rules that people can read from tables with nominal, numeric and missing values.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


@app.callback()
def common(
    version: bool = typer.Option(False, "--version", help="Print the version and stop.", is_eager=True),
) -> None:
    """Learn rules that people can read from tables with nominal, numeric and missing values."""
    if version:
        from evorules import __version__

        typer.echo(f"evorules {__version__}")
        raise typer.Exit


for command in (fit, show, predict, compare, report, demo, datasets):
    app.command()(command)


def main() -> None:
    """Run the command line; expected errors end in one line on standard error and exit status 1."""
    with warnings.catch_warnings():
        warnings.simplefilter("default", DataWarning)
        warnings.showwarning = lambda message, *rest, **more: complain(f"warning: {message}")
        try:
            app()
        except (DataError, ParameterError, MiningLimitError, ModelFileError, OSError) as error:
            complain(f"error: {_told(error)}")
            sys.exit(1)
        except KeyboardInterrupt:
            complain("interrupted")
            sys.exit(130)


def _told(error: Exception) -> str:
    """Return the message of an error; of the system's, the file and what is wrong with it."""
    if isinstance(error, OSError) and error.filename and error.strerror:
        return f"{error.filename}: {error.strerror}"
    return str(error)
