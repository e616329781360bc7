"""What a tree says of rows: class weights, leaves, class codes; rows with unknown cells split up."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from trees.growth.cells import working_cells
from trees.growth.tree import LEAF, NOMINAL, NUMERIC, SUBSET, Tree

__all__ = ["Classified", "apply", "class_weights", "classify", "predict_codes"]

Ints = npt.NDArray[np.int32]
Floats = npt.NDArray[np.float64]


class Walk(NamedTuple):
    """A tree laid out for descending; `real` is float32 for trees of mode "r8", otherwise float64."""

    ints: Ints
    """(n_nodes, 4): attribute (-1 in a leaf); number of value codes (0: numeric test); where the node's codes
    start in `goes`, or the child of ``<=``; the child of ``>``."""
    threshold: npt.NDArray[Any]
    """(n_nodes,) real."""
    goes: Ints
    """Child of every value code of the nominal tests, then of the subset tests, -1 for values of no group."""
    fallback: Ints
    """(n_nodes,) child for unknown cells, -1 where a row splits up."""


class Parts(NamedTuple):
    """What else is needed where rows split up, and the space to do it in."""

    child_start: Ints
    child: Ints
    weight: npt.NDArray[Any]
    """(n_nodes,) real."""
    nodes: Ints
    parts: npt.NDArray[Any]
    """(n_nodes,) real; the leaves reached and the part of the row in each."""


class Classified(NamedTuple):
    """What `classify` says of rows."""

    label: Ints
    """(n_rows,) class code of the greatest sum; of equals the first, as in the original."""
    scores: Floats
    """(n_rows, n_classes) class sums over their total."""
    leaf: Ints
    """(n_rows,) leaf that receives the greatest part of the row."""


def class_weights(tree: Tree, X: Floats) -> Floats:
    """Return the class sums of rows: the class shares of the leaves reached, by the part of the row in each.

    Parameters
    ----------
    tree : Tree
        Any tree; `tree.missing` says where unknown cells lead.
    X : ndarray of shape (n_rows, n_attributes), float64
        Cells as in `Table.X`. NaN, and codes that the test does not know, are unknown; for trees of mode
        "r8" so is -999 in numeric columns, and cells are compared in single precision.

    Returns
    -------
    ndarray of shape (n_rows, n_classes)
        In class-code order. The sums of a row add up to 1 but for rounding, except that the original loses
        the parts that go to branches which no training case reached.

    Notes
    -----
    C4.5 specification, section 4: a row goes down all branches of a test whose outcome is unknown, in
    proportion to their training weight. A leaf that no training row reached gives its part to its class.
    """
    return _sums(tree, *_descend(tree, X))


def classify(tree: Tree, X: Floats) -> Classified:
    """Return class, scores and leaf of rows, for one descent the same as `class_weights` and `apply`.

    Parameters are those of `class_weights`.
    """
    cells, walk, leaf = _descend(tree, X)
    sums = _sums(tree, cells, walk, leaf)
    label = np.argmax(sums, axis=1).astype(np.int32)
    _pick(tree, cells, walk, leaf)
    return Classified(label, sums / sums.sum(axis=1, keepdims=True), leaf)


def predict_codes(tree: Tree, X: Floats) -> Ints:
    """Return the class code of greatest class sum per row, the lowest on ties.

    Parameters are those of `class_weights`; the result has shape (n_rows,), int32. Rows that meet no unknown
    cell take a shorter way.
    """
    cells, walk, leaf = _descend(tree, X)
    codes = np.argmax(_leaf_shares(tree), axis=1).astype(np.int32)
    split = np.flatnonzero(leaf < 0)
    if len(split) == 0:
        return codes[leaf]
    result = codes[np.maximum(leaf, 0)]
    result[split] = np.argmax(_split_sums(tree, cells, walk, leaf, split), axis=1)
    return result


def apply(tree: Tree, X: Floats) -> Ints:
    """Return the leaf that receives the greatest part of every row, the first in pre-order on ties.

    Parameters are those of `class_weights`; the result has shape (n_rows,), int32.
    """
    cells, walk, leaf = _descend(tree, X)
    _pick(tree, cells, walk, leaf)
    return leaf


def _descend(tree: Tree, X: Floats) -> tuple[npt.NDArray[Any], Walk, Ints]:
    """Return the cells in the tree's precision, the tree laid out, and what `find_leaves` found."""
    from trees.growth._kernels_descend import find_leaves

    real = np.float32 if tree.single_precision else np.float64
    cells = np.ascontiguousarray(X, dtype=np.float64)
    cells = working_cells(cells, ~tree.schema.is_nominal, real)
    walk = _walk(tree, real)
    leaf = np.empty(len(cells), dtype=np.int32)
    find_leaves(cells, *walk, leaf)
    return cells, walk, leaf


def _sums(tree: Tree, cells: npt.NDArray[Any], walk: Walk, leaf: Ints) -> Floats:
    shares = _leaf_shares(tree)
    split = np.flatnonzero(leaf < 0)
    if len(split) == 0:
        return shares[leaf]
    sums = shares[np.maximum(leaf, 0)]
    sums[split] = _split_sums(tree, cells, walk, leaf, split)
    return sums


def _pick(tree: Tree, cells: npt.NDArray[Any], walk: Walk, leaf: Ints) -> None:
    """Write the leaf of the greatest part of the rows that split up into `leaf`."""
    from trees.growth._kernels_descend import pick_leaves

    split = np.flatnonzero(leaf < 0)
    if len(split) > 0:
        pick_leaves(cells, split, leaf, *walk, *_parts(tree, cells.dtype))


def _walk(tree: Tree, real: Any) -> Walk:
    kind = tree.kind
    ints = np.zeros((tree.n_nodes, 4), dtype=np.int32)
    ints[:, 0] = tree.attribute
    ints[kind == LEAF, 0] = -1
    numeric = np.flatnonzero(kind == NUMERIC)
    ints[numeric, 2] = tree.child[tree.child_start[numeric]]
    ints[numeric, 3] = tree.child[tree.child_start[numeric] + 1]
    nominal, grouped = np.flatnonzero(kind == NOMINAL), np.flatnonzero(kind == SUBSET)
    ints[nominal, 1] = tree.child_start[nominal + 1] - tree.child_start[nominal]
    ints[nominal, 2] = tree.child_start[nominal]
    n_codes = np.diff(tree.group_start)
    ints[grouped, 1] = n_codes[grouped]
    ints[grouped, 2] = len(tree.child) + tree.group_start[grouped]
    of_code = np.repeat(tree.child_start[:-1], n_codes) + tree.group
    goes = np.append(tree.child, np.where(tree.group >= 0, tree.child[of_code], -1)).astype(np.int32)
    fallback = np.full(tree.n_nodes, -1, dtype=np.int32)
    if tree.missing == "largest":
        inner = np.flatnonzero(kind != LEAF)
        owner = np.repeat(np.arange(tree.n_nodes), np.diff(tree.child_start))
        heaviest_first = np.lexsort((-tree.weight[tree.child], owner))
        fallback[inner] = tree.child[heaviest_first[tree.child_start[inner]]]
    return Walk(ints, tree.threshold.astype(real), goes, fallback)


def _parts(tree: Tree, real: Any) -> Parts:
    return Parts(
        tree.child_start,
        tree.child,
        tree.weight.astype(real),
        np.empty(tree.n_nodes + 1, dtype=np.int32),
        np.empty(tree.n_nodes + 1, dtype=real),
    )


def _leaf_shares(tree: Tree) -> Floats:
    """Return what a whole row gets in every node, in the tree's precision; shape (n_nodes, n_classes)."""
    real = np.float32 if tree.single_precision else np.float64
    shares = np.zeros(tree.class_weight.shape, dtype=real)
    empty = tree.weight <= 0
    shares[empty, tree.label[empty]] = 1
    reached = ~empty
    shares[reached] = tree.class_weight[reached].astype(real) / tree.weight[reached, None].astype(real)
    return shares.astype(np.float64)


def _split_sums(
    tree: Tree, cells: npt.NDArray[Any], walk: Walk, leaf: Ints, split: npt.NDArray[np.int64]
) -> npt.NDArray[Any]:
    from trees.growth._kernels_descend import add_classes

    sums = np.zeros((len(split), tree.class_weight.shape[1]), dtype=cells.dtype)
    parts = _parts(tree, cells.dtype)
    shares = tree.class_weight.astype(cells.dtype)
    add_classes(cells, split, leaf, *walk, *parts, shares, tree.label, sums)
    return sums
