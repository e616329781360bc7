"""Nodes while a tree is being made, in any order, and the tree that they become."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

import numpy as np
import numpy.typing as npt

from trees.growth.tree import LEAF, Tree
from trees.schema import Schema

__all__ = ["Draft", "assemble", "majority"]

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int32]

TIE = 1e-10


@dataclass
class Draft:
    """A node: what reached it, and its test once it has one.

    Parameters
    ----------
    class_weight : ndarray of shape (n_classes,)
        Training weight per class; of the parent in a node that no row reached.
    weight : float
        Training weight that reached the node.
    kind, attribute, threshold
        As in `Tree`; a leaf until told otherwise.
    group : ndarray of shape (n_values,), int32, or None
        Branch per value code of a subset test.
    children : list of int
        Positions of the nodes below in the list of drafts, in branch order.
    """

    class_weight: Floats
    weight: float
    kind: int = LEAF
    attribute: int = -1
    threshold: float = float("nan")
    group: Ints | None = None
    children: list[int] = field(default_factory=list)


def majority(class_weight: Floats, totals: Floats) -> Ints:
    """Return the heaviest class of every row; of equals the one heavier in `totals`, then the first.

    Parameters
    ----------
    class_weight : ndarray of shape (n_rows, n_classes)
        Weights per class; equal if they differ by less than 1e-10 of the row's sum.
    totals : ndarray of shape (n_classes,)
        Weights per class in the whole training set.
    """
    heaviest = class_weight.max(axis=1, keepdims=True)
    tied = class_weight >= heaviest - TIE * class_weight.sum(axis=1, keepdims=True)
    return np.argmax(np.where(tied, totals, -1.0), axis=1).astype(np.int32)


def assemble(
    schema: Schema, drafts: list[Draft], missing: Literal["fractions", "largest"] = "fractions"
) -> Tree:
    """Return the tree of drafts, the first of which is the root, with its nodes in pre-order.

    A node is labelled with its majority class; of equals the one heavier in the root, then the first.
    """
    order = _preorder(drafts)
    number = np.empty(len(drafts), dtype=np.int32)
    number[order] = np.arange(len(order))
    kept = [drafts[i] for i in order]
    groups = [np.empty(0, dtype=np.int32) if d.group is None else d.group for d in kept]
    class_weight = np.array([d.class_weight for d in kept]).reshape(len(kept), schema.n_classes)
    weight = np.array([d.weight for d in kept])
    label = majority(class_weight, class_weight[0])
    children = np.array([child for d in kept for child in d.children], dtype=np.int64)
    child_start = _starts([len(d.children) for d in kept])
    errors = np.where(weight > 0, weight - class_weight[np.arange(len(kept)), label], 0.0)
    for node in reversed(range(len(kept))):
        if kept[node].children:
            errors[node] = errors[number[children[child_start[node] : child_start[node + 1]]]].sum()
    return Tree(
        schema,
        np.array([d.kind for d in kept], dtype=np.int8),
        np.array([d.attribute for d in kept], dtype=np.int32),
        np.array([d.threshold for d in kept], dtype=np.float64),
        child_start,
        number[children],
        _starts([len(group) for group in groups]),
        np.concatenate(groups).astype(np.int32),
        label,
        weight,
        np.maximum(errors, 0.0),
        class_weight,
        missing=missing,
    )


def _preorder(drafts: list[Draft]) -> list[int]:
    order = []
    stack = [0]
    while stack:
        node = stack.pop()
        order.append(node)
        stack.extend(reversed(drafts[node].children))
    return order


def _starts(lengths: list[int]) -> Ints:
    return np.concatenate(([0], np.cumsum(lengths))).astype(np.int32)
