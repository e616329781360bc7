"""A progress bar with the time left, on a terminal and only for work that takes more than two seconds."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

__all__ = ["Report", "progress", "silent"]

Report = Callable[[float], None]
"""Called with the work done since the last call, in units of the total."""


def silent(done: float) -> None:
    """Report to nobody."""


@contextmanager
def progress(description: str, total: float, *, enabled: bool = True, delay: float = 2.0) -> Iterator[Report]:
    """Show a progress bar on standard error once the work has taken `delay` seconds.

    Parameters
    ----------
    description : str
        Stands before the bar.
    total : float
        Amount of work, in any unit.
    enabled : bool
        False shows nothing.
    delay : float
        Seconds before the bar appears.

    Yields
    ------
    callable
        To be called from one thread with the work done since the last call.
    """
    if not enabled:
        yield silent
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeRemainingColumn())
    bar = Progress(*columns, console=Console(stderr=True), transient=True)
    task = bar.add_task(description, total=total)
    started = time.monotonic()
    shown = False

    def report(done: float) -> None:
        nonlocal shown
        bar.advance(task, done)
        if not shown and time.monotonic() - started >= delay:
            bar.start()
            shown = True

    try:
        yield report
    finally:
        if shown:
            bar.stop()
