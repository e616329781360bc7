"""Which rules cover which rows: exactly, or with some conditions missed, a block of rows at a time.

Inexact coverage is Definition 2 of Hernandez-Leon et al. (2012), Expert Systems with Applications 39.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from joblib import effective_n_jobs

from evorules.rules.ruleset import RuleSet
from trees.errors import DataError, ParameterError
from trees.table import Table

__all__ = ["COVERAGES", "Block", "Coverage", "covers", "for_blocks", "tolerant"]

Coverage = tuple[int, ...]
"""Numbers of tests forgiven, tried one after the other: the first at which some rule covers a row counts."""

COVERAGES: dict[str, Coverage] = {"exact": (0,), "exact_then_inexact": (0, 1), "inexact": (1,)}
"""Every coverage by name; with d > 0 tests forgiven, rules of d tests or fewer cover nothing."""

BLOCK = 4096


def tolerant(d: int) -> Coverage:
    """Return the coverage that forgives up to d tests of rules that have more than d."""
    if isinstance(d, bool) or not isinstance(d, int | np.integer) or d < 0:
        raise ParameterError(f"The number of tests to forgive must be an int in [0, inf). Got {d!r} instead.")
    return (int(d),)


class Block(NamedTuple):
    """Some rows as bits, and scratch for the kernels."""

    rows: slice
    """Of the table."""
    bits: npt.NDArray[np.uint64]
    """(n_tests, n_words) which rows hold each test."""
    alive: npt.NDArray[np.uint64]
    """(n_words,) rows of the block; kernels take out those that are dealt with."""
    planes: npt.NDArray[np.uint64]
    """(most tests forgiven + 1, n_words) scratch."""
    hit: npt.NDArray[np.uint64]
    """(n_words,) scratch."""

    @property
    def n_words(self) -> int:
        """Words of 64 rows."""
        return len(self.alive)


def for_blocks(
    rules: RuleSet,
    X: npt.NDArray[np.float64],
    coverage: Coverage,
    work: Callable[[Block], None],
    n_jobs: int | None = 1,
    *,
    block: int = BLOCK,
) -> None:
    """Call a function for every block of rows, in threads if asked; memory does not grow with the rows.

    Parameters
    ----------
    rules : RuleSet
        Whose tests are packed.
    X : ndarray of shape (n_rows, n_attributes), float64
        Cells as in `Table.X`.
    coverage : tuple of int
        Tests forgiven; the greatest sizes the scratch.
    work : callable
        Gets a `Block`; blocks share no rows.
    n_jobs : int or None
        Threads, as in joblib.
    block : int
        Rows of a block.
    """
    cells, table = np.ascontiguousarray(X), rules.table

    def one(first: int) -> None:
        part = cells[first : first + block]
        bits = table.pack(part)
        n_words = bits.shape[1]
        alive = np.full(n_words, 2**64 - 1, dtype=np.uint64)
        if len(part) % 64:
            alive[-1] = np.uint64(2 ** (len(part) % 64) - 1)
        planes = np.empty((max(coverage) + 1, n_words), dtype=np.uint64)
        work(Block(slice(first, first + len(part)), bits, alive, planes, np.empty_like(alive)))

    firsts = range(0, len(cells), block)
    n_threads = min(effective_n_jobs(1 if n_jobs is None else n_jobs), len(firsts))
    if n_threads <= 1:
        for first in firsts:
            one(first)
        return
    with ThreadPoolExecutor(n_threads) as pool:
        for _ in pool.map(one, firsts):
            pass


def covers(rules: RuleSet, table: Table, coverage: Coverage = (0,)) -> npt.NDArray[np.bool_]:
    """Return which rules cover which rows.

    Parameters
    ----------
    rules : RuleSet
        The rules.
    table : Table
        Encoded with the rules' schema.
    coverage : tuple of int
        One of `COVERAGES`, or `tolerant(d)`. Of several, each row is covered by the first at which some
        rule of any class covers it.

    Returns
    -------
    ndarray of shape (n_rows, n_rules), bool

    Raises
    ------
    DataError
        For a table of other attributes.
    """
    from evorules.rules._kernels_coverage import fill_block

    if table.schema.attributes != rules.schema.attributes:
        raise DataError("The table has other attributes than the rules. Encode it with the rules' schema.")
    found = np.zeros((table.n_rows, len(rules)), dtype=np.bool_)

    def work(block: Block) -> None:
        for missed in coverage:
            fill_block(
                rules.start, rules.test, block.bits, missed, block.alive, block.planes, block.hit,
                found[block.rows],
            )  # fmt: skip

    for_blocks(rules, table.X, coverage, work)
    return found
