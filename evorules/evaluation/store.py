"""Results on disk: one SQLite file, written by the parent process alone, row by row."""

from __future__ import annotations

import hashlib
import json
import sqlite3
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from evorules.evaluation.canonical import canonical_json
from evorules.evaluation.child import Limits
from evorules.evaluation.folds import Fold
from evorules.evaluation.packing import pack, unpack
from evorules.evaluation.runner import Row
from evorules.evaluation.tasks import Entry, Plan, Task
from trees.errors import DataError

__all__ = ["PlanRecord", "Predictions", "ResultStore"]

FORMAT = 1
APPLICATION = 0x45766F52  # "EvoR": tells our files from other SQLite files

TABLES = """
CREATE TABLE data (
    fingerprint TEXT PRIMARY KEY, name TEXT, n_rows INTEGER, n_attributes INTEGER, labels TEXT, classes BLOB
) WITHOUT ROWID;
CREATE TABLE folds (
    digest TEXT, data TEXT, train BLOB, test BLOB, n_train INTEGER, n_test INTEGER,
    PRIMARY KEY (digest, data)
) WITHOUT ROWID;
CREATE TABLE results (
    key TEXT PRIMARY KEY, status TEXT NOT NULL, kind TEXT, message TEXT, scores TEXT, notes TEXT,
    labels BLOB, proba BLOB, sizes BLOB, fit_cpu REAL, predict_cpu REAL, wall REAL, overhead REAL,
    is_cold INTEGER, time_limit REAL, memory_limit REAL, data TEXT, fold TEXT
);
CREATE TABLE plans (id INTEGER PRIMARY KEY, digest TEXT UNIQUE, used REAL, settings TEXT);
CREATE TABLE entries (
    plan INTEGER, place INTEGER, key TEXT, data TEXT, learner TEXT, repeat INTEGER, fold INTEGER,
    seed INTEGER, is_reference INTEGER, PRIMARY KEY (plan, place)
) WITHOUT ROWID;
"""


@dataclass(frozen=True)
class PlanRecord:
    """A comparison that a store knows.

    Parameters
    ----------
    number : int
        Of the plan.
    settings : dict
        What the comparison was asked for.
    """

    number: int
    settings: dict[str, Any]


@dataclass(frozen=True, eq=False)
class Predictions:
    """What a model said of the test rows of a fold.

    Parameters
    ----------
    truth, label : ndarray of shape (n_test,)
        Class codes, and predicted ones (-1 for an abstention).
    proba : ndarray of shape (n_test, n_classes) or None
        Probabilities by class code.
    sizes : ndarray of shape (n_test,) or None
        For a reference tree: training weight of each row's leaf.
    """

    truth: npt.NDArray[np.int32]
    label: npt.NDArray[Any]
    proba: npt.NDArray[np.float64] | None
    sizes: npt.NDArray[np.float32] | None


class ResultStore:
    """A file of results, each under the key of its task.

    Rows are committed one by one: a process may be killed at any moment, and what was committed stays.
    A row is found by its key alone, so results of other data, parameters or versions are never mixed in.

    Parameters
    ----------
    path : str or path, optional
        The file; None keeps everything in memory.

    Raises
    ------
    DataError
        For a file that is no store, or one of another format.
    """

    def __init__(self, path: str | Path | None = None) -> None:
        self.path = None if path is None else Path(path)
        if self.path is not None and not self.path.parent.is_dir():
            raise DataError(f"There is no folder {self.path.parent} for the store {self.path}.")
        self._connection = sqlite3.connect(self.path or ":memory:", timeout=60, isolation_level=None)
        try:
            self._open()
        except sqlite3.DatabaseError as error:
            self._connection.close()
            raise DataError(f"{self.path} cannot be used as a store of results: {error}.") from error
        except DataError:
            self._connection.close()
            raise

    def _open(self) -> None:
        ask = self._connection.execute
        ask("PRAGMA journal_mode = WAL")
        ask("PRAGMA synchronous = NORMAL")
        application = ask("PRAGMA application_id").fetchone()[0]
        if application != APPLICATION:
            if ask("SELECT count(*) FROM sqlite_master").fetchone()[0]:
                raise DataError(f"{self.path} is another kind of database, not a store of results.")
            ask("BEGIN IMMEDIATE")
            if ask("PRAGMA application_id").fetchone()[0] != APPLICATION:
                for statement in TABLES.split(";"):
                    ask(statement)
                ask(f"PRAGMA user_version = {FORMAT}")
                ask(f"PRAGMA application_id = {APPLICATION}")
            ask("COMMIT")
        found = ask("PRAGMA user_version").fetchone()[0]
        if found != FORMAT:
            raise DataError(
                f"{self.path} has format {found} of the store, this version reads {FORMAT}. Use another file."
            )

    def close(self) -> None:
        """Close the file."""
        self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __len__(self) -> int:
        return int(self._connection.execute("SELECT count(*) FROM results").fetchone()[0])

    def begin(self, plan: Plan, settings: Mapping[str, Any]) -> PlanRecord:
        """File a comparison: its data, folds and entries. The same comparison is filed once."""
        digest = hashlib.sha256(
            canonical_json([_entry_values(entry) for entry in plan.entries]).encode()
        ).hexdigest()
        write = self._connection
        write.execute("BEGIN IMMEDIATE")
        try:
            self._write_data(plan)
            number = self._write_plan(plan, digest, json.dumps(settings))
            write.execute("COMMIT")
        except BaseException:
            write.execute("ROLLBACK")
            raise
        return PlanRecord(number, dict(settings))

    def _write_data(self, plan: Plan) -> None:
        for item in plan.data.values():
            labels = json.dumps([str(label) for label in item.labels.tolist()])
            shape = (item.table.n_rows, item.table.n_attributes)
            record = (item.fingerprint, item.name, *shape, labels, pack(item.classes))
            self._connection.execute("INSERT OR IGNORE INTO data VALUES (?, ?, ?, ?, ?, ?)", record)
        folds = {(task.fold.digest, task.data): task.fold for task in plan.tasks.values()}
        self._connection.executemany(
            "INSERT OR IGNORE INTO folds VALUES (?, ?, ?, ?, ?, ?)",
            [
                (*key, pack(fold.train), pack(fold.test), len(fold.train), len(fold.test))
                for key, fold in folds.items()
            ],
        )

    def _write_plan(self, plan: Plan, digest: str, settings: str) -> int:
        known = self._connection.execute("SELECT id FROM plans WHERE digest = ?", (digest,)).fetchone()
        if known is not None:
            self._connection.execute(
                "UPDATE plans SET used = ?, settings = ? WHERE id = ?", (time.time(), settings, known[0])
            )
            return int(known[0])
        added = self._connection.execute(
            "INSERT INTO plans (digest, used, settings) VALUES (?, ?, ?)", (digest, time.time(), settings)
        )
        number = int(added.lastrowid or 0)
        self._connection.executemany(
            "INSERT INTO entries VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            ((number, place, *_entry_values(entry)) for place, entry in enumerate(plan.entries)),
        )
        return number

    def finished(self, tasks: Iterable[Task], limits: Limits, retry: bool = False) -> set[str]:
        """Return the keys of the tasks that need not be run.

        Parameters
        ----------
        tasks : iterable of Task
            Those of the plan. One that needs the sizes of leaves is finished only with them.
        limits : Limits
            A task that broke a limit is finished only if the limit was not raised since.
        retry : bool
            Whether tasks that did not end well are to be run again.
        """
        wanted = {task.key: task.needs_sizes for task in tasks}
        done = set()
        for key, status, seconds, megabytes, has_sizes in self._connection.execute(
            "SELECT key, status, time_limit, memory_limit, sizes IS NOT NULL FROM results"
        ):
            if key not in wanted or (status == "ok" and wanted[key] and not has_sizes):
                continue
            raised = (status == "timeout" and _is_raised(seconds, limits.seconds)) or (
                status == "memory" and _is_raised(megabytes, limits.megabytes)
            )
            if status == "ok" or not (retry or raised):
                done.add(key)
        return done

    def put(self, row: Row, data: str, fold: Fold, limits: Limits) -> None:
        """Commit one row, in place of an older one of the same task."""
        values = (
            row.key,
            row.status,
            row.kind,
            row.message,
            json.dumps(row.scores),
            json.dumps(row.notes) if row.notes else None,
            row.labels,
            row.proba,
            row.sizes,
            row.fit_cpu,
            row.predict_cpu,
            row.wall,
            row.overhead,
            int(row.is_cold),
            limits.seconds,
            limits.megabytes,
            data,
            fold.digest,
        )
        marks = ", ".join("?" * len(values))
        self._connection.execute(f"INSERT OR REPLACE INTO results VALUES ({marks})", values)

    def plan(self, number: int | None = None) -> PlanRecord:
        """Return a filed comparison, the one used last without a number.

        Raises
        ------
        DataError
            If there is none.
        """
        where, arguments = ("", ()) if number is None else ("WHERE id = ?", (number,))
        found = self._connection.execute(
            f"SELECT id, settings FROM plans {where} ORDER BY used DESC LIMIT 1", arguments
        ).fetchone()
        if found is None:
            raise DataError(f"The store {self.path or 'in memory'} has no comparison {number or ''}.")
        return PlanRecord(int(found[0]), json.loads(found[1]))

    def entries(self, number: int) -> list[tuple[Any, ...]]:
        """Return entries of a comparison with what is known of their tasks.

        Returns
        -------
        list of tuple
            In the order of the plan: data, learner, repeat, fold, seed, is_reference, n_train, n_test,
            status, kind, message, fit_cpu, predict_cpu, wall, overhead, is_cold, scores (JSON text).
            From the status on all are None for a task without result.
        """
        return self._connection.execute(
            "SELECT e.data, e.learner, e.repeat, e.fold, e.seed, e.is_reference, f.n_train, f.n_test, "
            "r.status, r.kind, r.message, r.fit_cpu, r.predict_cpu, r.wall, r.overhead, r.is_cold, r.scores "
            "FROM entries e LEFT JOIN results r ON r.key = e.key "
            "LEFT JOIN folds f ON f.digest = r.fold AND f.data = r.data "
            "WHERE e.plan = ? ORDER BY e.place",
            (number,),
        ).fetchall()

    def notes(self, number: int) -> list[tuple[str, str, tuple[str, ...]]]:
        """Return data set, learner and warnings of the entries with warnings."""
        found = self._connection.execute(
            "SELECT e.data, e.learner, r.notes FROM entries e JOIN results r ON r.key = e.key "
            "WHERE e.plan = ? AND r.notes IS NOT NULL ORDER BY e.place",
            (number,),
        )
        return [(data, learner, tuple(json.loads(notes))) for data, learner, notes in found]

    def labels(self, number: int) -> dict[str, list[str]]:
        """Return the class labels, as text, of each data set of a comparison, by its name."""
        found = self._connection.execute(
            "SELECT DISTINCT e.data, d.labels FROM entries e JOIN results r ON r.key = e.key "
            "JOIN data d ON d.fingerprint = r.data WHERE e.plan = ?",
            (number,),
        )
        return {name: json.loads(labels) for name, labels in found}

    def predictions(
        self, number: int, parts: Sequence[str] = ("proba", "sizes"), *, references: bool = False
    ) -> Iterator[tuple[int, Predictions]]:
        """Yield the place of every finished entry of a comparison with its predictions.

        Parameters
        ----------
        number : int
            Of the plan.
        parts : sequence of {"proba", "sizes"}
            What to unpack beside the labels; the other parts are None.
        references : bool
            Only the entries of the reference tree.
        """
        classes = {
            fingerprint: unpack(content)
            for fingerprint, content in self._connection.execute("SELECT fingerprint, classes FROM data")
        }
        truths: dict[tuple[str, str], npt.NDArray[np.int32]] = {}
        ask = self._connection.cursor()
        chosen = ", ".join(f"r.{part}" if part in parts else "NULL" for part in ("proba", "sizes"))
        rows = self._connection.execute(
            f"SELECT e.place, r.data, r.fold, r.labels, {chosen} FROM entries e "
            "JOIN results r ON r.key = e.key WHERE e.plan = ? AND e.is_reference >= ? "
            "AND r.labels IS NOT NULL ORDER BY e.place",
            (number, int(references)),
        )
        for place, data, fold, labels, proba, sizes in rows:
            if (data, fold) not in truths:
                test = ask.execute(
                    "SELECT test FROM folds WHERE digest = ? AND data = ?", (fold, data)
                ).fetchone()[0]
                truths[data, fold] = classes[data][unpack(test)]
            yield (
                place,
                Predictions(
                    truths[data, fold],
                    unpack(labels),
                    None if proba is None else unpack(proba).astype(np.float64),
                    None if sizes is None else unpack(sizes),
                ),
            )


def _entry_values(entry: Entry) -> tuple[Any, ...]:
    return (
        entry.key,
        entry.data,
        entry.learner,
        entry.repeat,
        entry.fold,
        entry.seed,
        int(entry.is_reference),
    )


def _is_raised(before: float | None, now: float | None) -> bool:
    """Whether a limit is weaker than the one that a task broke."""
    return before is not None and (now is None or now > before)
