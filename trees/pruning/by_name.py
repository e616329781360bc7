"""Growing a tree and pruning it by the method that an estimator's `pruning` parameter names."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

from joblib import Parallel, delayed

from trees.growth.tree import Tree
from trees.pruning.cost_complexity import PruningPath, choose_alpha, prune_cost_complexity
from trees.pruning.mdl import prune_mdl
from trees.pruning.reduced_error import prune_reduced_error
from trees.pruning.samples import folds, hold_out
from trees.pruning.weighted_penalty import prune_weighted_penalty
from trees.seeding import generator, root_seed
from trees.table import Table
from trees.validation import AnyOf, Boolean, Check, Choice, Float, Integer, RandomState

__all__ = ["PRUNING", "PruningOptions", "grow_and_prune"]

PRUNING = (None, "cost_complexity", "reduced_error", "mdl", "weighted_penalty")
"""What `pruning` may be."""


@dataclass(frozen=True)
class PruningOptions:
    """How a grown tree is pruned.

    Parameters
    ----------
    method : str or None
        One of `PRUNING`; None leaves the tree as it is grown.
    alpha : float or None
        Of cost-complexity pruning; None chooses it by cross-validation.
    n_folds : int
        Of that cross-validation.
    se_rule : float
        Standard errors by which a smaller subtree may exceed the least error.
    held_out : float
        Share of the rows that reduced-error pruning keeps from growing.
    rep_strict : bool
        Reduced-error pruning only where errors become fewer.
    penalty : float
        Errors that a node is worth to the weighted penalty.
    """

    method: str | None = None
    alpha: float | None = None
    n_folds: int = 10
    se_rule: float = 1.0
    held_out: float = 0.2
    rep_strict: bool = False
    penalty: float = 0.5

    checks: ClassVar[dict[str, Check]] = {
        "pruning": Choice(PRUNING),
        "alpha": AnyOf((Choice((None,)), Float(0.0, closed="left"))),
        "n_folds": Integer(2),
        "se_rule": Float(0.0, closed="left"),
        "held_out": Float(0.0, 1.0),
        "rep_strict": Boolean(),
        "penalty": Float(0.0, closed="left"),
        "random_state": RandomState(),
        "n_jobs": AnyOf((Choice((None, -1)), Integer(1))),
    }

    @classmethod
    def of(cls, estimator: Any) -> PruningOptions:
        """Return the options that an estimator's parameters of these names give."""
        return cls(
            estimator.pruning,
            estimator.alpha,
            estimator.n_folds,
            estimator.se_rule,
            estimator.held_out,
            estimator.rep_strict,
            estimator.penalty,
        )


def grow_and_prune(
    table: Table,
    grow: Callable[[Table], Tree],
    options: PruningOptions,
    *,
    reweight: Callable[[Table], Table] = lambda table: table,
    fitted: Callable[[Tree, Table], Table] = lambda tree, table: table,
    random_state: Any = None,
    n_jobs: int | None = None,
) -> tuple[Tree, PruningPath | None]:
    """Grow a tree and prune it.

    Parameters
    ----------
    table : Table
        With classes.
    grow : callable
        Grows a tree from a table; called for parts of the table too.
    options : PruningOptions
        Method and figures.
    reweight : callable
        Gives a table the weights that trees are grown and judged with. Rows are held out by their own.
    fitted : callable
        Gives a table the columns that a tree tests, if it tests others than those of the table.
    random_state : None, int, RandomState or Generator
        Used where rows are held out.
    n_jobs : int or None
        Threads for the folds of a cross-validation.

    Returns
    -------
    Tree
        The pruned tree.
    PruningPath or None
        The subtrees that cross-validation chose from, if it did.
    """
    if options.method == "reduced_error":
        parts = hold_out(table, options.held_out, generator(root_seed(random_state), "hold_out"))
        if parts is None:
            return grow(reweight(table)), None
        rest, sample = map(reweight, parts)
        tree = grow(rest)
        return prune_reduced_error(tree, fitted(tree, sample), strict=options.rep_strict), None
    tree = grow(reweight(table))
    if options.method == "mdl":
        return prune_mdl(tree, fitted(tree, reweight(table))), None
    if options.method == "weighted_penalty":
        return prune_weighted_penalty(tree, options.penalty), None
    if options.method != "cost_complexity":
        return tree, None
    if options.alpha is not None:
        return prune_cost_complexity(tree, options.alpha), None
    pairs = folds(table, options.n_folds, generator(root_seed(random_state), "folds"))
    if tree.n_leaves == 1 or not pairs:
        return tree, None
    grown = Parallel(n_jobs=n_jobs or 1, prefer="threads")(delayed(grow)(reweight(rest)) for rest, _ in pairs)
    held_out = [fitted(fold, reweight(sample)) for fold, (_, sample) in zip(grown, pairs, strict=True)]
    path = choose_alpha(tree, list(zip(grown, held_out, strict=True)), se_rule=options.se_rule)
    return prune_cost_complexity(tree, path.alpha), path
