"""Tables that a logical definition gives exactly: games, balances, Monk's problems, Boolean functions."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
import pandas as pd

from evorules.datasets._build import (
    BITS,
    Domains,
    Ints,
    bit_domains,
    classes,
    complete_space,
    nominal_frame,
)
from trees.errors import ParameterError

__all__ = ["balance_scale", "monks", "multiplexer", "parity", "tic_tac_toe", "xor"]

SQUARES = tuple(f"{y}-{x}-square" for y in ("top", "middle", "bottom") for x in ("left", "middle", "right"))
X_PLAYER, O_PLAYER, BLANK = range(3)
LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))

MONKS: Domains = {
    "a1": ("1", "2", "3"),
    "a2": ("1", "2", "3"),
    "a3": ("1", "2"),
    "a4": ("1", "2", "3"),
    "a5": ("1", "2", "3", "4"),
    "a6": ("1", "2"),
}
MONKS_TRAINING_ROWS = {1: 124, 2: 169, 3: 122}
MONKS_3_INVERTED = 6

LARGEST_COMPLETE = 3
"""Greatest number of address bits for which a multiplexer's rows are all made: 2048 rows."""
SAMPLE_ROWS = 10_000


def tic_tac_toe() -> tuple[pd.DataFrame, pd.Series]:
    """Return the 958 boards on which a game of tic-tac-toe can end; positive if x, who begins, has won."""
    final: set[tuple[int, ...]] = set()
    seen: set[tuple[int, ...]] = set()
    open_boards: list[tuple[int, ...]] = [(BLANK,) * 9]
    while open_boards:
        board = open_boards.pop()
        if _has_line(board, X_PLAYER) or _has_line(board, O_PLAYER) or BLANK not in board:
            final.add(board)
            continue
        player = X_PLAYER if board.count(BLANK) % 2 else O_PLAYER
        for square in range(9):
            if board[square] == BLANK:
                successor = (*board[:square], player, *board[square + 1 :])
                if successor not in seen:
                    seen.add(successor)
                    open_boards.append(successor)
    boards = sorted(final)
    won = np.array([0 if _has_line(board, X_PLAYER) else 1 for board in boards])
    frame = nominal_frame(np.array(boards), dict.fromkeys(SQUARES, ("x", "o", "b")))
    return frame, classes(won, ("positive", "negative"))


def _has_line(board: tuple[int, ...], player: int) -> bool:
    return any(board[i] == board[j] == board[k] == player for i, j, k in LINES)


def balance_scale() -> tuple[pd.DataFrame, pd.Series]:
    """Return the 625 weighings: which product of weight and distance (each 1 to 5) is the larger one."""
    space = complete_space([5] * 4) + 1
    left, right = space[:, 0] * space[:, 1], space[:, 2] * space[:, 3]
    frame = pd.DataFrame(space, columns=["left-weight", "left-distance", "right-weight", "right-distance"])
    return frame, classes(1 + np.sign(right - left), ("L", "B", "R"))


def monks(
    problem: int, *, part: Literal["full", "train"] = "full", rng: np.random.Generator
) -> tuple[pd.DataFrame, pd.Series]:
    """Return one of the Monk's problems (Thrun et al. 1991, "The MONK's problems", CMU-CS-91-197).

    Parameters
    ----------
    problem : {1, 2, 3}
        1: a1 = a2 or a5 = 1. 2: exactly two attributes have the value 1. 3: a5 = 3 and a4 = 1, or neither
        a5 = 4 nor a2 = 3.
    part : {"full", "train"}
        "full": all 432 rows in counting order, which is the published test part. "train": a sample without
        repetition of the published size (124, 169, 122), in counting order; in problem 3 the classes of 6
        rows are inverted. The rows drawn are not the published ones, which no definition gives.
    rng : numpy.random.Generator
        For "train".
    """
    space = complete_space([len(values) for values in MONKS.values()])
    label = _monks_concept(problem, space + 1).astype(np.int64)
    if part == "train":
        rows = np.sort(rng.choice(len(space), MONKS_TRAINING_ROWS[problem], replace=False))
        space, label = space[rows], label[rows]
        if problem == 3:
            inverted = rng.choice(len(rows), MONKS_3_INVERTED, replace=False)
            label[inverted] = 1 - label[inverted]
    return nominal_frame(space, MONKS), classes(label, BITS)


def _monks_concept(problem: int, values: Ints) -> Any:
    a1, a2, _, a4, a5, _ = values.T
    if problem == 1:
        return (a1 == a2) | (a5 == 1)
    if problem == 2:
        return np.sum(values == 1, axis=1) == 2
    return ((a5 == 3) & (a4 == 1)) | ((a5 != 4) & (a2 != 3))


def xor() -> tuple[pd.DataFrame, pd.Series]:
    """Return the exclusive-or of the CBC paper: 40 copies of each of the four rows."""
    space = np.repeat(complete_space([2, 2]), 40, axis=0)
    return nominal_frame(space, bit_domains("X", 2)), classes(space[:, 0] ^ space[:, 1], BITS)


def multiplexer(
    *, address_bits: int = 2, n_rows: int | None = None, rng: np.random.Generator
) -> tuple[pd.DataFrame, pd.Series]:
    """Return a multiplexer: `k` address bits name the one of 2^k data bits that is the class.

    Parameters
    ----------
    address_bits : int
        `k`, from 1 to 5 (3, 6, 11, 20 or 37 attributes); a0 is the most significant bit.
    n_rows : int or None
        Size of a sample without repetition. None means all rows up to ``address_bits=3`` (8, 64, 2048 rows)
        and a sample of 10000 rows beyond.
    rng : numpy.random.Generator
        For a sample.
    """
    k = address_bits
    n_bits = k + 2**k
    if n_rows is not None and n_rows > 2**n_bits:
        raise ParameterError(
            f"The 'n_rows' parameter of load('multiplexer') must be at most {2**n_bits}, the number of "
            f"different rows with address_bits={k}. Got {n_rows} instead."
        )
    if n_rows is None and k <= LARGEST_COMPLETE:
        numbers = np.arange(2**n_bits)
    else:
        n = SAMPLE_ROWS if n_rows is None else n_rows
        numbers = rng.choice(2**n_bits, n, replace=False)
    rows = _bits(numbers, n_bits)
    address = rows[:, :k] @ (1 << np.arange(k - 1, -1, -1))
    domains = bit_domains("a", k, first=0) | bit_domains("d", 2**k, first=0)
    return nominal_frame(rows, domains), classes(rows[np.arange(len(rows)), k + address], BITS)


def parity(*, bits: int = 5, irrelevant: int = 0, rng: np.random.Generator) -> tuple[pd.DataFrame, pd.Series]:
    """Return all 2^bits rows with their sum modulo 2 as the class.

    Parameters
    ----------
    bits : int
        From 1 to 16.
    irrelevant : int
        Number of random bits that follow, not used by the class; at most 100.
    rng : numpy.random.Generator
        For the irrelevant bits.
    """
    relevant = _bits(np.arange(2**bits), bits)
    noise = rng.integers(0, 2, size=(len(relevant), irrelevant))
    domains = bit_domains("x", bits) | bit_domains("irr", irrelevant)
    frame = nominal_frame(np.hstack([relevant, noise]), domains)
    return frame, classes(relevant.sum(axis=1) % 2, BITS)


def _bits(numbers: Ints, n_bits: int) -> Ints:
    """Return binary digits, the most significant one first; ndarray of shape (len(numbers), n_bits)."""
    return (numbers[:, None] >> np.arange(n_bits - 1, -1, -1)) & 1
