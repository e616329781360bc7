"""What every study shares: its options, and how its tables are printed and kept."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from evorules.evaluation.tables import to_markdown
from trees.errors import ParameterError

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

__all__ = ["STUDIES", "Options", "Output", "Section", "Study", "find_study"]

STUDIES = {
    "car_ic": "experiments.car_ic",
    "disjunct_remedies": "experiments.disjunct_remedies",
    "lazy_vs_eager": "experiments.lazy_vs_eager",
    "small_disjuncts": "experiments.small_disjuncts",
}
"""Every study by name: the module that holds its `STUDY`."""


@dataclass(frozen=True)
class Options:
    """What a study is asked for.

    Parameters
    ----------
    quick : bool
        A form of the study that takes seconds, to see that it works.
    data : path, optional
        Folder of CSV files.
    n_jobs : int
        Processes.
    store : path, optional
        File that keeps the results; a second run goes on where the first was.
    scheduler : str, optional
        Address of a Dask scheduler.
    sets : tuple of str
        Data sets in place of the study's own.
    folds, seeds : int, optional
        In place of the study's own.
    output : path, optional
        Folder for tables and figures.
    """

    quick: bool = False
    data: Path | None = None
    n_jobs: int = 1
    store: Path | None = None
    scheduler: str | None = None
    sets: tuple[str, ...] = ()
    folds: int | None = None
    seeds: int | None = None
    output: Path | None = None


@dataclass(frozen=True, eq=False)
class Section:
    """A table with a title and a sentence on how to read it."""

    title: str
    table: pd.DataFrame
    note: str = ""

    def to_text(self) -> str:
        """Return the section for a terminal."""
        note = f"{self.note}\n" if self.note else ""
        return f"{self.title}\n{note}{self.table.to_string(index=False)}\n"

    def to_markdown(self) -> str:
        """Return the section for a page."""
        note = f"{self.note}\n\n" if self.note else ""
        return f"## {self.title}\n\n{note}{to_markdown(self.table)}\n"


@dataclass(frozen=True, eq=False)
class Output:
    """What a study found."""

    sections: Sequence[Section]
    figures: dict[str, Figure]


@dataclass(frozen=True)
class Study:
    """A question, and how it is answered.

    Parameters
    ----------
    question : str
        One line.
    run : callable
        Takes `Options`, returns `Output`.
    """

    question: str
    run: Callable[[Options], Output]


def find_study(name: str) -> Study:
    """Return a study by name; raise ParameterError with the known names."""
    if name not in STUDIES:
        raise ParameterError(f"There is no study {name!r} (known: {', '.join(STUDIES)}).")
    found: Study = import_module(STUDIES[name]).STUDY
    return found


def keep(output: Output, folder: Path, name: str) -> None:
    """Write the tables of a study as one Markdown file, and its figures as PNG files."""
    folder.mkdir(parents=True, exist_ok=True)
    title = name.replace("_", " ").capitalize()
    head = (
        f"# {title}: tables\n\nWritten by `python -m experiments {name}`; [{name}.md]({name}.md) has "
        "question, settings and command.\n\n"
    )
    text = head + "\n".join(section.to_markdown() for section in output.sections)
    (folder / f"{name}-tables.md").write_text(text, "utf-8")
    for figure_name, figure in output.figures.items():
        figure.savefig(folder / f"{name}-{figure_name}.png", dpi=90, metadata={"Software": None})
