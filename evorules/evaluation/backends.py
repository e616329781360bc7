"""Where tasks run: here, in processes, in threads, or on a Dask cluster; all by joblib but the first."""

from __future__ import annotations

import itertools
import pickle
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import CancelledError
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import joblib
from joblib.externals.loky.backend.reduction import dumps

from evorules.evaluation.canonical import versions
from evorules.evaluation.child import Limits, run_limited
from evorules.evaluation.data import TaskData
from evorules.evaluation.runner import Row, check_versions, collect_warnings, run_task
from evorules.evaluation.shipping import KEPT_DATA, InFile, InMemory, Sent, receive
from evorules.evaluation.tasks import Task
from trees.errors import ParameterError

__all__ = ["BACKENDS", "Backend", "run_tasks"]

BACKENDS = ("serial", "processes", "threads", "dask")
"""Names of the backends."""

MOST_BREAKS = 10


@dataclass(frozen=True)
class Backend:
    """How to run tasks.

    Parameters
    ----------
    name : str, optional
        One of `BACKENDS`. None: "dask" with a scheduler, else "serial" for one job and "processes" for more.
    n_jobs : int
        Processes or threads; -1 takes all processors. A cluster brings its own number.
    scheduler : str, optional
        Address of a Dask scheduler, as in ``tcp://host:8786``. None takes the client of this process.
    limits : Limits
        With any limit, tasks run in child processes of the workers.

    Raises
    ------
    ParameterError
        For an unknown name, and for limits with threads: a thread cannot be stopped.
    """

    name: str | None = None
    n_jobs: int = 1
    scheduler: str | None = None
    limits: Limits = field(default_factory=Limits)

    def __post_init__(self) -> None:
        if self.name is None:
            chosen = "dask" if self.scheduler else ("serial" if self.n_jobs == 1 else "processes")
            object.__setattr__(self, "name", chosen)
        if self.name not in BACKENDS:
            raise ParameterError(
                f"The 'backend' parameter of compare must be {', '.join(map(repr, BACKENDS))}. "
                f"Got {self.name!r} instead."
            )
        if self.limits.are_set and self.name == "threads":
            raise ParameterError(
                "A time or memory limit needs a process per worker: threads cannot be stopped. Use "
                "backend='processes'."
            )
        if not isinstance(self.n_jobs, int) or (self.n_jobs < 1 and self.n_jobs != -1):
            raise ParameterError(
                f"The 'n_jobs' parameter of compare must be -1 or an int of at least 1. Got {self.n_jobs!r}."
            )


@dataclass(frozen=True)
class _Absent:
    """A worker's answer if it has not got the data of a task."""

    key: str


@dataclass(frozen=True)
class _Order:
    """How workers run tasks."""

    limits: Limits
    versions: dict[str, str]
    owns_process: bool = True
    collect: bool = True
    isolated: bool = False


def _work(task: Task, source: Any, order: _Order) -> Row | _Absent:
    """Run one task; the function that workers call."""
    check_versions(order.versions)
    data = source.get()
    if data is None:
        return _Absent(task.key)
    if order.isolated or order.limits.are_set:
        return run_limited(task, data, order.limits)
    return run_task(task, data, owns_process=order.owns_process, collect=order.collect)


def _work_on_dask(content: bytes) -> Row | _Absent:
    """Run one task on a Dask worker.

    It comes as bytes and runs in a child process, because joblib waits for ever for a task that Dask gives
    up: one that a worker cannot read, or that takes down one worker after the other.
    """
    try:
        task, source, order = pickle.loads(content)
    except Exception as error:
        raise RuntimeError(
            f"A Dask worker cannot read a task: {type(error).__name__}: {error}. Install the same "
            "packages there, and define learners in a module that workers can import."
        ) from error
    return _work(task, source, order)


def run_tasks(tasks: Sequence[Task], data: Mapping[str, TaskData], backend: Backend) -> Iterator[Row]:
    """Run tasks and yield their rows as they come.

    Parameters
    ----------
    tasks : sequence of Task
        Each key once.
    data : mapping of str to TaskData
        By fingerprint.
    backend : Backend
        Where to run.

    Yields
    ------
    Row
        One per task, in any order. A worker that dies is replaced and its tasks run again; a task that takes
        its worker down twice ends in a child process of its own, as a row with status "crashed".

    Raises
    ------
    RuntimeError
        If workers go on dying for reasons outside the tasks.
    """
    if not tasks:
        return
    if backend.name == "serial":
        order = _Order(backend.limits, versions())
        for task in tasks:
            row = _work(task, InMemory(data[task.data]), order)
            assert isinstance(row, Row)
            yield row
        return
    with _pool(backend, data) as pool:
        yield from _until_done(tasks, pool)


def _until_done(tasks: Sequence[Task], pool: _Pool) -> Iterator[Row]:
    """Call the pool again for tasks whose worker died, or had no data."""
    left = {task.key: task for task in tasks}
    absent: set[str] = set()
    for breaks in itertools.count():
        try:
            while left:
                for answer in pool.run(list(left.values()), absent, isolated=breaks > 1):
                    if isinstance(answer, _Absent):
                        absent.add(answer.key)
                    else:
                        del left[answer.key]
                        yield answer
            return
        except _lost_worker_errors() as error:
            if breaks >= MOST_BREAKS:
                raise RuntimeError(
                    f"Workers died {breaks + 1} times ({error}); {len(left)} tasks are left. "
                    "What is finished is in the store."
                ) from error


def _lost_worker_errors() -> tuple[type[BaseException], ...]:
    errors: list[type[BaseException]] = [BrokenProcessPool, CancelledError]
    try:
        from distributed import CancelledError as DaskCancelled
        from distributed import KilledWorker
        from distributed.comm.core import CommClosedError
    except ImportError:
        return tuple(errors)
    return (*errors, DaskCancelled, KilledWorker, CommClosedError)


@dataclass(frozen=True)
class _Pool:
    """Workers: `call` makes a task, and whether its data are to be sent along, a call for joblib."""

    call: Callable[[Task, bool, _Order], Any]
    order: _Order
    options: Mapping[str, Any]

    def run(self, tasks: Sequence[Task], absent: set[str], isolated: bool) -> Iterator[Any]:
        """Yield answers as they come; sends data along for the tasks whose worker had none."""
        order = replace(self.order, isolated=True) if isolated else self.order
        with joblib.parallel_config(**self.options):
            calls = (self.call(task, task.key in absent, order) for task in tasks)
            yield from joblib.Parallel(return_as="generator_unordered")(calls)


@contextmanager
def _pool(backend: Backend, data: Mapping[str, TaskData]) -> Iterator[_Pool]:
    order = _Order(backend.limits, versions())
    work = joblib.delayed(_work)
    if backend.name == "threads":
        memory = {fingerprint: InMemory(item) for fingerprint, item in data.items()}
        options: dict[str, Any] = {"backend": "threading", "n_jobs": backend.n_jobs}
        with collect_warnings():
            yield _Pool(
                lambda task, _, order: work(task, memory[task.data], order),
                replace(order, owns_process=False, collect=False),
                options,
            )
    elif backend.name == "processes":
        options = {"backend": "loky", "n_jobs": backend.n_jobs}
        with tempfile.TemporaryDirectory(prefix="evorules-") as folder:
            files = {}
            for number, (fingerprint, item) in enumerate(data.items()):
                path = Path(folder, f"{number}.pickle")
                path.write_bytes(pickle.dumps(item, protocol=pickle.HIGHEST_PROTOCOL))
                files[fingerprint] = InFile(fingerprint, str(path))
            yield _Pool(lambda task, _, order: work(task, files[task.data], order), order, options)
    else:
        contents = {
            fingerprint: pickle.dumps(item, protocol=pickle.HIGHEST_PROTOCOL)
            for fingerprint, item in data.items()
        }
        work = joblib.delayed(_work_on_dask)

        def call(task: Task, send: bool, order: _Order) -> Any:
            sent = Sent(task.data, contents[task.data] if send else None)
            return work(bytes(dumps((task, sent, order))))

        with _dask_client(backend.scheduler) as client:
            client.run(receive, list(contents.values())[-KEPT_DATA:])
            options = {"backend": "dask", "client": client}
            yield _Pool(call, replace(order, isolated=True), options)


@contextmanager
def _dask_client(scheduler: str | None) -> Iterator[Any]:
    """Yield a client of a scheduler, or the client that this process has."""
    try:
        from distributed import Client, get_client
    except ImportError as error:
        raise ImportError("backend='dask' needs distributed: pip install 'evorules[dask]'.") from error
    if scheduler is not None:
        with Client(scheduler, set_as_default=False) as client:
            yield client
        return
    try:
        client = get_client()
    except ValueError:
        raise ParameterError(
            "backend='dask' needs the 'scheduler' parameter (as in 'tcp://host:8786') or a "
            "distributed.Client in this process."
        ) from None
    yield client
