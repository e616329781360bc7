"""How data get to the process that runs a task: each set once per process, kept there for the next task."""

from __future__ import annotations

import pickle
import threading
from collections import OrderedDict
from collections.abc import Iterable
from dataclasses import dataclass

from evorules.evaluation.data import TaskData

__all__ = ["KEPT_DATA", "InFile", "InMemory", "Sent", "receive"]

KEPT_DATA = 32
"""Data sets that a process keeps."""


class InMemory:
    """Data that are where the task runs."""

    def __init__(self, data: TaskData) -> None:
        self._data = data

    def get(self) -> TaskData | None:
        """Return the data set."""
        return self._data


_cache: OrderedDict[str, TaskData] = OrderedDict()
_cache_lock = threading.Lock()


def keep(data: TaskData) -> None:
    """Keep a data set in this process, and forget the one that was not used for the longest time."""
    with _cache_lock:
        _cache[data.fingerprint] = data
        _cache.move_to_end(data.fingerprint)
        while len(_cache) > KEPT_DATA:
            _cache.popitem(last=False)


def kept(fingerprint: str) -> TaskData | None:
    """Return a data set that this process has."""
    with _cache_lock:
        if fingerprint in _cache:
            _cache.move_to_end(fingerprint)
        return _cache.get(fingerprint)


@dataclass(frozen=True)
class InFile:
    """Data in a file of this machine, read once per process."""

    fingerprint: str
    path: str

    def get(self) -> TaskData | None:
        """Return the data set."""
        data = kept(self.fingerprint)
        if data is None:
            with open(self.path, "rb") as file:
                data = pickle.load(file)
            keep(data)
        return data


@dataclass(frozen=True)
class Sent:
    """Data that a worker on another machine has been sent, or brings along."""

    fingerprint: str
    content: bytes | None = None

    def get(self) -> TaskData | None:
        """Return the data set, None if this process neither has it nor gets it here."""
        data = kept(self.fingerprint)
        if data is None and self.content is not None:
            data = pickle.loads(self.content)
            keep(data)
        return data


def receive(contents: Iterable[bytes]) -> None:
    """Keep data sets; runs on a worker."""
    for content in contents:
        keep(pickle.loads(content))
