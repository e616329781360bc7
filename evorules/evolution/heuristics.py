"""What rule pruning goes by: information gain of conditions, or the tree's accuracy by attribute."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import numpy.typing as npt

from evorules.evolution.arrays import Worth
from evorules.evolution.conditions import ConditionTable, Remaining
from evorules.evolution.lazy_kernels import kernels
from trees.errors import ParameterError
from trees.growth.tree import Tree

__all__ = ["attribute_accuracy", "attribute_worth", "class_entropy", "gain_worth", "information_gains"]

Floats = npt.NDArray[np.float64]
_NORM_CODES = {"none": 0, "raw": 0, "entropy": 0, "sum": 1, "max": 2}


def attribute_accuracy(tree: Tree, norm: str = "sum") -> Floats:
    """Return how accurate a pruned tree is on the paths that test each attribute.

    With n_p training rows on the path p and k_p of them of its leaf's class, ``Acc(A)`` is the sum of k_p
    over the sum of n_p, both over the paths that test A. Every attribute on no such path gets the least
    accuracy of the others divided by the number of those attributes.

    Parameters
    ----------
    tree : Tree
        After pruning.
    norm : {"sum", "max", "none"}
        Divide by the sum of all accuracies (Norm_Acc), by the greatest, or not at all.

    Returns
    -------
    ndarray of shape (n_attributes,), float64
        In [0, 1]. If no attribute is tested all are equal: 1 / n_attributes before the division.

    Notes
    -----
    Carvalho and Freitas, Figure 5. The paper's text has lost the formula; this one follows its definitions of
    the two sums. A path that no row reaches counts for nothing.
    """
    n_attributes = tree.schema.n_attributes
    reached, right = np.zeros(n_attributes), np.zeros(n_attributes)
    for node, path in tree.walk():
        if len(tree.children(node)) == 0 and tree.weight[node] > 0:
            tested = list({int(tree.attribute[above]) for above, _ in path})
            reached[tested] += tree.weight[node]
            right[tested] += tree.class_weight[node, tree.label[node]]
    used = reached > 0
    accuracy = np.full(n_attributes, 1.0 / max(n_attributes, 1))
    if used.any():
        accuracy[used] = right[used] / reached[used]
        accuracy[~used] = accuracy[used].min() / max(1, np.count_nonzero(~used))
    if norm == "none":
        return accuracy
    if norm not in ("sum", "max"):
        raise ParameterError(
            f"The norm of the attribute accuracy must be 'sum', 'max' or 'none'. Got {norm!r}."
        )
    divisor = accuracy.sum() if norm == "sum" else accuracy.max(initial=0.0)
    return accuracy / divisor if divisor > 0 else accuracy


def attribute_worth(conditions: ConditionTable, by_attribute: Floats) -> Worth:
    """Return the worth of genes from one value in [0, 1] per attribute of the table."""
    values = np.ascontiguousarray(by_attribute[conditions.attributes], dtype=np.float64)
    nothing = np.zeros((0, len(conditions.class_codes)))
    return Worth(values, True, 0, 1.0, nothing, np.zeros(len(conditions.class_codes)), np.empty(0))


def class_entropy(totals: Floats) -> float:
    """Return Info(G), the entropy in bits of class counts."""
    shares = totals[totals > 0] / totals.sum()
    return float(-(shares * np.log2(shares)).sum()) + 0.0


def gain_worth(remaining: Remaining, norm: str = "entropy") -> Worth:
    """Return the worth of conditions from their information gain on the rows that remain.

    Parameters
    ----------
    remaining : Remaining
        The rows.
    norm : {"entropy", "sum", "max", "raw"}
        Divide by the entropy of the classes (0 if that is 0), by the sum or the greatest gain of the rule's
        active conditions, or not at all.
    """
    conditions = remaining.conditions
    totals = remaining.totals
    terms = (
        _log_terms(1 << (conditions.n_rows - 1).bit_length()) if conditions.has_unit_weights else np.empty(0)
    )
    gains = np.zeros(conditions.n_conditions)
    wide_counts = np.zeros((64 * conditions.n_words, len(totals)))
    kernels().condition_gains(
        conditions.genes,
        conditions.cells.ranks,
        remaining.rows,
        conditions.classes,
        conditions.weight,
        totals,
        terms,
        gains,
        wide_counts,
    )
    scale = 1.0
    if norm == "entropy":
        entropy = class_entropy(totals)
        scale = 1.0 / entropy if entropy > 0 else 0.0
    return Worth(gains * scale, False, _NORM_CODES[norm], scale, wide_counts, totals, terms)


def information_gains(remaining: Remaining) -> Floats:
    """Return the information gain in bits of every condition with an id; ndarray of shape (n_conditions,)."""
    return gain_worth(remaining, "raw").values


@lru_cache(maxsize=8)
def _log_terms(n: int) -> Floats:
    """Return x * log2(x) for x from 0 to n."""
    counts = np.arange(n + 1, dtype=np.float64)
    terms = np.zeros(n + 1)
    terms[1:] = counts[1:] * np.log2(counts[1:])
    return terms
