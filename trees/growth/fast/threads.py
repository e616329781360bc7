"""Growing one tree in several threads: first the large nodes, then the subtrees below them.

The large nodes are evaluated one after the other, their attributes in threads; then every thread grows whole
subtrees. Neither attributes nor subtrees depend on each other, and the same kernels see the same rows in the
same order, so that the tree is the same, bit for bit, for any number of threads.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from trees.growth.fast.run import Run, Start
from trees.growth.fast.workspace import CLASSES, DONE, N_NODES, N_PENDING, Scratch, Training

__all__ = ["finish_in_threads"]

Ints = npt.NDArray[np.int32]

LEAST_ROWS = 1024
"""A node of at most so many rows is left to one thread, with all that is below it."""
PARTS = 4
"""So is a node of at most the rows of the root over `PARTS` times the number of threads."""


class _Branch(NamedTuple):
    """A subtree that one thread will grow; `number` is that of its root in the run that made it."""

    number: int
    start: Start


class _Opened(NamedTuple):
    """What `open_node` returned of a large node, its number and the attributes that it may test."""

    start: int
    end: int
    total: float
    weighted: bool
    number: int
    tested: Ints


def finish_in_threads(run: Run, training: Training, n_jobs: int) -> Run:
    """Evaluate pending nodes until none is left.

    Parameters
    ----------
    run : Run
        With the root pending; it is written.
    training : Training
        What the run was made for.
    n_jobs : int
        Number of threads.

    Returns
    -------
    Run
        The run with all nodes. The order of nodes differs from that of ``run.finish(training)``, the tree
        does not.
    """
    most_rows = max(LEAST_ROWS, len(run.row) // (PARTS * n_jobs))
    if len(run.row) <= most_rows:
        return run.finish(training)
    with ThreadPoolExecutor(n_jobs) as pool:
        branches = _Top(run, training, pool, n_jobs).grow(most_rows)
        groups = _grouped(branches, most_rows // 2)

        def grown(group: list[_Branch]) -> Run:
            starts = [branch.start for branch in group]
            below = Run.of(starts, run.columns, run.class_weight.shape[1], run.most_branches)
            return below.finish(training)

        _append(run, groups, list(pool.map(grown, groups)))
    return run


class _Top:
    """The large nodes of a run, and the threads that look for their tests."""

    def __init__(self, run: Run, training: Training, pool: Executor, n_jobs: int) -> None:
        self.run = run
        self.training = training
        self.pool = pool
        n_chunks = max(1, min(n_jobs, len(training.ranks)))
        sizes = len(run.row), run.class_weight.shape[1], run.most_branches
        self.spaces = [Scratch.empty(*sizes) for _ in range(n_chunks)]

    def grow(self, most_rows: int) -> list[_Branch]:
        """Evaluate the nodes of more than `most_rows` rows and return the others, without evaluating them."""
        from trees.growth.fast._kernels_grow import open_node, room, split_node

        run, training, space = self.run, self.training, self.spaces[0]
        settings, ranks = training.settings[0], training.ranks
        branches: list[_Branch] = []
        while run.state[N_PENDING] > 0:
            entry = run.pending[run.state[N_PENDING] - 1].copy()
            if _n_rows(entry) <= most_rows:
                run.state[N_PENDING] -= 1
                branches.append(self.branch(entry, branches))
                continue
            lengths = len(run.row), len(run.nodes), len(run.active)
            status = room(run.pending, run.state, *lengths, run.most_branches)
            if status != DONE:
                run.lengthen(status)
                continue
            start, end, total, weighted, splits = open_node(
                training.y, settings, space, run.nodes, run.class_weight,
                run.row, run.weight, run.pending, run.state,
            )  # fmt: skip
            if not splits:
                continue
            behind = int(entry["active"] + entry["n_active"])
            tested = run.active[int(entry["active"]) : behind]
            node = _Opened(start, end, total, weighted, int(entry["node"]), tested)
            varying = self.varying(node)
            run.active[behind : behind + len(varying)] = varying
            split_node(
                node.start, node.end, len(varying), 0, ranks, settings, run.columns, space,
                run.nodes, run.class_weight, run.row, run.weight, run.pending, run.active, run.state,
            )  # fmt: skip
        return branches

    def varying(self, node: _Opened) -> Ints:
        """Find the tests of a node's attributes; return those that vary among its rows, in their order."""
        varies = np.zeros(len(self.training.ranks), dtype=np.bool_)
        for found in self.pool.map(lambda chunk: self.search(node, chunk), range(len(self.spaces))):
            varies[found] = True
        return node.tested[varies[node.tested]]

    def search(self, node: _Opened, chunk: int) -> Ints:
        """Find the tests of a thread's share of the attributes; return those that vary."""
        from trees.growth.fast._kernels_grow import find_tests

        run, own = self.run, self.spaces[chunk]
        if chunk > 0:
            n_rows = node.end - node.start
            own.work[CLASSES, :n_rows] = self.spaces[0].work[CLASSES, :n_rows]
        some = np.ascontiguousarray(node.tested[chunk :: len(self.spaces)])
        left = np.empty_like(some)
        n_left = find_tests(
            some, self.training.ranks, run.row[node.start : node.end], run.weight[node.start : node.end],
            node.total, node.weighted, run.class_weight[node.number], self.training, run.columns, own, left,
        )  # fmt: skip
        return left[:n_left]

    def branch(self, entry: Any, before: list[_Branch]) -> _Branch:
        """Return a pending node with copies of what it needs, rows in the order that `open_slice` makes."""
        run = self.run
        own = slice(int(entry["start"]), int(entry["end"]))
        missing = slice(int(entry["missing_start"]), int(entry["missing_end"]))
        pieces = [(run.row[own], run.weight[own])]
        if missing.start < missing.stop:
            lost = run.row[missing], run.weight[missing] * entry["factor"]
            pieces.insert(0 if missing.stop == own.start else 1, lost)
        row, weight = (np.concatenate(arrays) for arrays in zip(*pieces, strict=True))
        active = run.active[int(entry["active"]) :][: int(entry["n_active"])].copy()
        if before and np.array_equal(active, before[-1].start.active):
            active = before[-1].start.active
        return _Branch(int(entry["node"]), Start(row, weight, active, int(entry["depth"])))


def _n_rows(entry: Any) -> int:
    return int(entry["end"] - entry["start"] + entry["missing_end"] - entry["missing_start"])


def _grouped(branches: Sequence[_Branch], enough: int) -> list[list[_Branch]]:
    """Return branches of `enough` rows alone, smaller ones with their neighbours; most rows first."""
    groups: list[tuple[int, list[_Branch]]] = []
    size, group = 0, []
    for branch in branches:
        n_rows = len(branch.start.row)
        if n_rows >= enough:
            groups.append((n_rows, [branch]))
            continue
        group.append(branch)
        size += n_rows
        if size >= enough:
            groups.append((size, group))
            size, group = 0, []
    if group:
        groups.append((size, group))
    groups.sort(key=lambda sized: -sized[0])
    return [group for _, group in groups]


def _append(run: Run, groups: list[list[_Branch]], grown: list[Run]) -> None:
    """Put the nodes of finished runs behind those of `run`, and their first ones in their places there."""
    nodes, class_weight = [run.nodes[: run.n_nodes]], [run.class_weight[: run.n_nodes]]
    n_nodes = run.n_nodes
    for group, below in zip(groups, grown, strict=True):
        n_roots = len(group)
        roots = [branch.number for branch in group]
        found, weights = below.nodes[: below.n_nodes], below.class_weight[: below.n_nodes]
        found["first"] += n_nodes - n_roots
        nodes[0][roots], class_weight[0][roots] = found[:n_roots], weights[:n_roots]
        nodes.append(found[n_roots:])
        class_weight.append(weights[n_roots:])
        n_nodes += len(found) - n_roots
    run.nodes, run.class_weight = np.concatenate(nodes), np.concatenate(class_weight)
    run.state[N_NODES] = n_nodes
