"""Weighted sums of attributes as attributes.

A combination is an attribute of its own, appended to the schema, so that a tree with such tests is an
ordinary tree: it prints, prunes, exports and draws like any other.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from trees.growth.tree import Tree
from trees.rule import format_number
from trees.schema import Attribute, Schema

__all__ = ["Combination", "extended", "extended_cells", "without_unused"]

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Combination(Attribute):
    """A numeric attribute that is a weighted sum of others.

    Parameters
    ----------
    terms : tuple of (int, int, float)
        Column, value code (-1 for a numeric attribute) and coefficient. A nominal attribute stands for 1
        where it has the value and 0 elsewhere. The sum is missing where a cell of it is.
    """

    terms: tuple[tuple[int, int, float], ...] = ()

    def cells(self, X: Floats) -> Floats:
        """Return the sum for every row of `X`; term by term, so that it does not depend on other rows."""
        total = np.zeros(len(X))
        for column, code, coefficient in self.terms:
            cell = X[:, column]
            if code >= 0:
                cell = np.where(np.isnan(cell), np.nan, cell == code)
            total += coefficient * cell
        return total

    @classmethod
    def of(cls, schema: Schema, terms: Sequence[tuple[int, int, float]]) -> Combination:
        """Return a combination named by its formula, over the attributes of a schema."""
        name = ""
        for column, code, coefficient in terms:
            attribute = schema.attributes[column]
            what = attribute.name if code < 0 else f"[{attribute.name} = {attribute.values[code]}]"
            size = "" if abs(coefficient) == 1 else f"{format_number(abs(coefficient))} * "
            sign = "-" if coefficient < 0 else "+"
            name += f" {sign} {size}{what}" if name else f"{'-' if coefficient < 0 else ''}{size}{what}"
        return cls(name, "numeric", (), tuple(terms))


def extended(schema: Schema, combinations: Sequence[Combination]) -> Schema:
    """Return a schema with combinations appended."""
    return Schema((*schema.attributes, *combinations), schema.target)


def extended_cells(schema: Schema, X: Floats) -> Floats:
    """Return cells with a column for every combination at the end of a schema.

    Parameters
    ----------
    schema : Schema
        What `extended` returned, as in the trees of `grow_oblique`.
    X : ndarray of shape (n_rows, n_attributes)
        Cells of the attributes that are no combinations.

    Returns
    -------
    ndarray of shape (n_rows, schema.n_attributes)
    """
    columns = [a.cells(X) for a in schema.attributes if isinstance(a, Combination)]
    return np.column_stack([X, *columns]) if columns else X


def without_unused(tree: Tree, n_attributes: int) -> Tree:
    """Return the tree over a schema without the combinations that no node tests.

    Parameters
    ----------
    tree : Tree
        What `grow_oblique` returned, or that tree pruned.
    n_attributes : int
        Number of attributes before the combinations.
    """
    combined = tree.attribute >= n_attributes
    used, position = np.unique(tree.attribute[combined], return_inverse=True)
    attribute = tree.attribute.copy()
    attribute[combined] = n_attributes + position
    kept = tuple(tree.schema.attributes[a] for a in used.tolist())
    schema = Schema((*tree.schema.attributes[:n_attributes], *kept), tree.schema.target)
    return tree.replaced(schema=schema, attribute=attribute)
