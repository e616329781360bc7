"""Why an associative classifier predicts what it predicts: the rule that decided, and others that fire."""

from __future__ import annotations

import numpy as np

from evorules.rules.coverage import Coverage, covers
from evorules.rules.ruleset import RuleSet
from evorules.rules.satisfaction import Satisfaction
from trees.decisions import Decisions
from trees.rule import RuleList
from trees.table import Table

__all__ = ["explanations"]

SHOWN = 5
CELLS = 1 << 24


def explanations(
    rules: RuleList,
    rule_set: RuleSet,
    table: Table,
    decided: Decisions,
    coverage: Coverage,
    satisfaction: Satisfaction,
) -> list[str]:
    """Return one sentence per row of a table encoded with the rules' schema.

    Parameters
    ----------
    rules : RuleList
        The rules.
    rule_set : RuleSet
        The same rules as arrays.
    table : Table
        The rows.
    decided : Decisions
        What the rules say of them.
    coverage : tuple of int
        Which rules count as covering a row.
    satisfaction : Satisfaction
        How they decided.
    """
    texts: list[str] = []
    step = max(1, CELLS // max(len(rule_set), 1))
    for first in range(0, table.n_rows, step):
        rows = np.arange(first, min(first + step, table.n_rows))
        fired = covers(rule_set, table.take(rows), coverage)
        for i, row in enumerate(rows.tolist()):
            texts.append(_sentence(rules, np.flatnonzero(fired[i]).tolist(), decided, row, satisfaction))
    return texts


def _sentence(
    rules: RuleList, fired: list[int], decided: Decisions, row: int, satisfaction: Satisfaction
) -> str:
    label, leader = int(decided.label[row]), int(decided.rule[row])
    if leader < 0:
        told = "it abstains" if label < 0 else f"{_class(rules, label)} by default"
        return f"no rule covers the row: {told}"
    rule = rules[leader]
    score = "" if satisfaction.first_decides else f" with a score of {decided.scores[row, label]:.2f}"
    text = f"R{leader + 1} says {_voice(rules, leader)}{score}: IF {rule.antecedent(rules.schema)}"
    others = [r for r in fired if r != leader]
    if not others:
        return text
    more = f" and {len(others) - SHOWN} more" if len(others) > SHOWN else ""
    return text + "; also " + ", ".join(f"R{r + 1} {_voice(rules, r)}" for r in others[:SHOWN]) + more


def _voice(rules: RuleList, r: int) -> str:
    rule = rules[r]
    return f"{_class(rules, rule.consequent)} ({rule.correct:g} of {rule.covered:g})"


def _class(rules: RuleList, code: int) -> str:
    return str(rules.schema.classes[code])
