"""``evorules show``: print a model."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from evorules.cli.screen import grid, out, rule_grid

__all__ = ["show"]


class Part(StrEnum):
    """What to print."""

    all = "all"
    tree = "tree"
    rules = "rules"
    disjuncts = "disjuncts"


_RULES = {
    "first": "Rules, of which the first that covers a row decides",
    "vote": "Rules, which vote",
    "tree": "Rules",
}


def show(
    model_file: Annotated[Path, typer.Argument(help="Model file that `evorules fit` wrote.")],
    part: Annotated[Part, typer.Option(help="What to print.")] = Part.all,
) -> None:
    """Print a model: its tree, and its rules with coverage, errors and confidence."""
    from evorules.export.model_file import load_model

    model = load_model(model_file)
    console = out()
    schema = model.schema_
    target = schema.target.name if schema.target else "class"
    classes = ", ".join(str(label) for label in model.classes_)
    console.print(
        f"{model!r}\npredicts {target} ({classes}) from {schema.n_attributes} attributes", markup=False
    )
    has_tree = hasattr(model, "tree_")
    if has_tree and part in (Part.all, Part.tree):
        console.print(
            f"\nTree, (N/E): training rows and errors to expect among them\n{model.tree_}", markup=False
        )
    rules = model.rules_
    has_small = any(rule.scope == "small" for rule in rules)
    is_lazy = hasattr(model, "items_") and not len(rules)
    if is_lazy and part in (Part.all, Part.rules):
        console.print(
            f"\nRules are made for each row when it is asked for: `explain` of the model in Python returns "
            f"them.\nWhere no rule covers a row and no training row is like it: {target} = "
            f"{schema.classes[rules.default]}.",
            markup=False,
        )
    elif part in (Part.all, Part.rules):
        console.print()
        title = "Rules of the tree" if has_tree else _RULES[rules.semantics]
        console.print(rule_grid(title + (" for large disjuncts" if has_small else ""), rules, "all"))
        if not has_tree:
            default = "no class" if rules.default is None else f"{target} = {schema.classes[rules.default]}"
            console.print(f"Where no rule covers a row: {default}.", markup=False)
        if has_small:
            console.print()
            console.print(rule_grid("Rules for small disjuncts, tried in this order", rules, "small"))
            console.print("Where no rule decides, the class of the small leaf does: see the tree.")
    if hasattr(model, "disjuncts_") and part in (Part.all, Part.disjuncts):
        leaves = model.disjuncts_.sort_values("size", kind="stable")
        rows = [
            (f"{size:.4g}", f"{errors:.4g}", "small" if small else "large", str(label), rule)
            for size, errors, small, label, rule in zip(
                leaves["size"],
                leaves["errors"],
                leaves["small"],
                leaves["class"],
                leaves["rule"],
                strict=True,
            )
        ]
        console.print()
        console.print(
            grid(
                "Disjuncts: the leaves by size",
                ("rows", "errors", "size", "class", "if"),
                rows,
                text=("size", "class", "if"),
            )
        )
