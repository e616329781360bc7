"""The ten rows that run through the papers' examples: Figure 1 of Veloso, Meira and Zaki (ICDM 2006)."""

import pandas as pd

from evorules.items import CarSet, Items
from evorules.mining import Apriori
from trees.discretize import MDLP
from trees.rule import RuleList
from trees.table import Table

ROWS = """rainy cool normal false yes
rainy cool normal true no
overcast hot high false yes
sunny mild high false no
rainy cool normal false yes
sunny cool normal false yes
rainy cool normal false yes
sunny hot normal false yes
overcast mild high true yes
sunny mild high true no"""
NAMES = ["outlook", "temperature", "humidity", "windy"]

_cells = pd.DataFrame([line.split() for line in ROWS.splitlines()], columns=[*NAMES, "play"])
X = pd.DataFrame({name: pd.Categorical(_cells[name], list(dict.fromkeys(_cells[name]))) for name in NAMES})
"""Values in order of first appearance."""
Y = pd.Series(pd.Categorical(_cells["play"], ["yes", "no"]), name="play")
TESTS = pd.DataFrame(
    [["sunny", "cool", "high", "false"], ["overcast", "hot", "low", "true"]],
    index=["T1", "T2"],
    columns=NAMES,
)
"""Both are of class yes; "low" is a value that no training row has."""


def table() -> Table:
    """Return the ten rows."""
    return Table.from_frame(X, Y)


def cars(min_support: int = 2, min_confidence: float = 0.5, **more: object) -> CarSet:
    """Return the class association rules of the ten rows, in generation order."""
    rows = table()
    return Apriori(min_support, min_confidence, **more).mine(Items.of(rows, MDLP().fit(rows)))


def named(rules: CarSet | RuleList) -> list[str]:
    """Return rules as "sunny, mild => no 2/2": no two attributes share a value."""
    if isinstance(rules, CarSet):
        rules = RuleList(rules.rules(), table().schema)
    said = []
    for rule in rules:
        values = [rules.schema.attributes[c.attribute].values[c.codes[0]] for c in rule.conditions]
        label = rules.schema.classes[rule.consequent]
        said.append(f"{', '.join(values)} => {label} {rule.correct:g}/{rule.covered:g}")
    return said
