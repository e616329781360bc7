"""A child process for tasks with limits: killed when a task takes too long, started again when it dies.

Every worker has one child, which serves task after task, so that the start is paid once. The worker talks to
it over two pipes, in frames of eight bytes of length and a pickle.
"""

from __future__ import annotations

import os
import pickle
import queue
import subprocess
import sys
import threading
from contextlib import suppress
from typing import Any, BinaryIO

from joblib.externals.loky.backend.reduction import dumps

from evorules.evaluation.data import TaskData
from evorules.evaluation.runner import Row, run_task
from evorules.evaluation.tasks import Task
from trees.errors import ParameterError

__all__ = ["Limits", "run_limited"]

READY = "ready"
START_SECONDS = 300.0
COMMAND = "from evorules.evaluation.child import serve; serve()"


class Limits:
    """What a task may take.

    Parameters
    ----------
    seconds : float, optional
        Of wall time, for fit, prediction and scores; the start of the process does not count.
    megabytes : float, optional
        Of memory (10^6 bytes), beyond what the process had before the task.

    Raises
    ------
    ParameterError
        For limits that are not above 0, and for a memory limit on a system that cannot set it.
    """

    def __init__(self, seconds: float | None = None, megabytes: float | None = None) -> None:
        for name, value in (("time_limit", seconds), ("memory_limit", megabytes)):
            if value is not None and not value > 0:
                raise ParameterError(
                    f"The {name!r} parameter of compare must be above 0. Got {value!r} instead."
                )
        if megabytes is not None and not sys.platform.startswith("linux"):
            raise ParameterError("The 'memory_limit' parameter of compare works on Linux only.")
        self.seconds = seconds
        self.megabytes = megabytes

    @property
    def are_set(self) -> bool:
        """Whether there is any limit."""
        return self.seconds is not None or self.megabytes is not None


_local = threading.local()


def run_limited(task: Task, data: TaskData, limits: Limits) -> Row:
    """Run a task in the child process of this thread.

    Returns
    -------
    Row
        As `run_task` gives it, or with status "timeout", "memory" or "crashed".
    """
    child = getattr(_local, "child", None)
    if child is None or not child.is_alive:
        child = _local.child = _Child()
    row: Row | None
    try:
        row = child.run(task, data, limits)
    except queue.Empty:
        child.kill()
        text = f"{task.name}: took longer than {limits.seconds:g} s"
        return Row(task.key, "timeout", "timeout", text, wall=float(limits.seconds or 0))
    if row is None:
        code = child.kill()
        cause = f"signal {-code}" if code < 0 else f"exit code {code}"
        hint = "; the system kills processes so when memory runs out" if code == -9 else ""
        return Row(task.key, "crashed", "crashed", f"{task.name}: its process died with {cause}{hint}")
    if row.status == "memory":
        child.kill()  # a process that ran out of memory may be in any state
    return row


class _Child:
    """The process, and a thread that listens to it."""

    def __init__(self) -> None:
        paths = os.pathsep.join(path or os.getcwd() for path in sys.path)
        self._process = subprocess.Popen(
            [sys.executable, "-c", COMMAND],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": paths},
        )
        self._answers: queue.Queue[Any] = queue.Queue()
        self._known: set[str] = set()
        threading.Thread(target=self._listen, daemon=True).start()
        if self._answers.get(timeout=START_SECONDS) != READY:
            raise RuntimeError(f"The child process for tasks did not start (exit code {self.kill()}).")

    @property
    def is_alive(self) -> bool:
        return self._process.poll() is None

    def _listen(self) -> None:
        assert self._process.stdout is not None
        while (content := _read(self._process.stdout)) is not None:
            self._answers.put(pickle.loads(content))
        self._answers.put(None)

    def run(self, task: Task, data: TaskData, limits: Limits) -> Row | None:
        """Return the row, None if the process died; raises queue.Empty after the time limit."""
        assert self._process.stdin is not None
        try:
            if data.fingerprint not in self._known:
                self._known.add(data.fingerprint)
                _write(self._process.stdin, bytes(dumps(data)))
            _write(self._process.stdin, bytes(dumps((task, limits.megabytes))))
        except (BrokenPipeError, OSError):
            return None
        answer: Row | None = self._answers.get(timeout=limits.seconds)
        return answer

    def kill(self) -> int:
        """End the process and return its exit code."""
        self._process.kill()
        code = self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                with suppress(OSError):  # what was still to be written has no reader
                    pipe.close()
        return code


def _write(pipe: BinaryIO | Any, content: bytes) -> None:
    pipe.write(len(content).to_bytes(8, "little"))
    pipe.write(content)
    pipe.flush()


def _read(pipe: BinaryIO | Any) -> bytes | None:
    """Return the next frame, None at the end."""
    head = pipe.read(8)
    if len(head) < 8:
        return None
    content: bytes = pipe.read(int.from_bytes(head, "little"))
    return content


def serve() -> None:
    """Run tasks that come in on standard input until it closes; the main function of the child."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what a learner prints must not get among the answers
    frames: queue.Queue[bytes] = queue.Queue()

    def listen() -> None:
        # a thread of its own, so that the child ends with its worker even in the middle of a task
        while (content := _read(sys.stdin.buffer)) is not None:
            frames.put(content)
        os._exit(0)

    threading.Thread(target=listen, daemon=True).start()
    _write(answers, pickle.dumps(READY))
    known: dict[str, TaskData] = {}
    while True:
        received = pickle.loads(frames.get())
        if isinstance(received, TaskData):
            known[received.fingerprint] = received
            continue
        task, megabytes = received
        _limit_memory(megabytes)
        row = run_task(task, known[task.data])
        _limit_memory(None)
        _write(answers, pickle.dumps(row))


def _limit_memory(megabytes: float | None) -> None:
    """Let the data segment grow by so many megabytes from now on, None without limit."""
    if not sys.platform.startswith("linux"):
        return
    import resource

    _, hard = resource.getrlimit(resource.RLIMIT_DATA)
    soft = hard
    if megabytes is not None:
        with open("/proc/self/status", encoding="ascii") as status:
            now = next(int(line.split()[1]) for line in status if line.startswith("VmData")) * 1024
        soft = now + int(megabytes * 1e6)
        if hard != resource.RLIM_INFINITY:
            soft = min(soft, hard)
    resource.setrlimit(resource.RLIMIT_DATA, (soft, hard))
