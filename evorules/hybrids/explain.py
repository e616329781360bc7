"""Why a hybrid predicts what it predicts: what the leaf says, what the handler says, and both estimates."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from evorules.hybrids.evidence import Gate, LeafGate, estimated_accuracy, leaf_evidence
from trees.table import Table

if TYPE_CHECKING:
    from evorules.hybrids.small_disjuncts import SmallDisjunctClassifier

__all__ = ["explanations", "voice"]


def voice(who: str, label: str, n: float, e: float, estimate: float, word: str = "") -> str:
    """Return who says which class, with the right rows of all behind it and the estimate.

    Parameters
    ----------
    who : str
        Such as "leaf" or "rule R7".
    label : str
        The class.
    n, e : float
        Rows behind it, and those of them of another class; NaN if nobody counted.
    estimate : float
        Of the accuracy, in [0, 1].
    word : str
        Kind of the estimate, to be told once in a sentence.

    Examples
    --------
    >>> voice("leaf", "A", 6, 2, 0.443, "pessimistic"), voice("rule R7", "B", 19, 1, 0.867)
    ('leaf says A (4 of 6, pessimistic .44)', 'rule R7 says B (18 of 19, .87)')
    """
    if math.isnan(n):
        return f"{who} says {label}"
    figure = f"{estimate:.2f}".removeprefix("0")
    behind = f"{round(n - e, 1):g} of {round(n, 1):g}" if n > 0 else "no training row"
    return f"{who} says {label} ({behind}, {word + ' ' if word else ''}{figure})"


def explanations(model: SmallDisjunctClassifier, table: Table) -> list[str]:
    """Return one sentence per row of a table encoded with the model's schema."""
    from trees.growth.descend import apply, predict_codes

    tree, classes = model.tree_, [str(value) for value in model.schema_.classes]
    home, expected = apply(tree, table.X), predict_codes(tree, table.X)
    handler = model.handler_
    # of a handler that chose another one, that one speaks
    inner = getattr(handler, "chosen_", None) or handler
    kind = _kind(model)
    gate = LeafGate.of(tree, kind)
    word = "Laplace" if kind == "laplace" else "pessimistic"
    sentences = []
    leaf_says: dict[tuple[int, int], str] = {}
    for leaf, label in zip(home.tolist(), expected.tolist(), strict=True):
        if (leaf, label) not in leaf_says:
            n, e = leaf_evidence(tree, leaf)
            estimate_of_leaf = estimated_accuracy(n, e, kind, gate.n_classes)
            told = voice("leaf", classes[tree.label[leaf]], n, e, estimate_of_leaf, word)
            several = f"tree says {classes[label]} over several leaves, home "
            leaf_says[leaf, label] = told if label == tree.label[leaf] else several + told
        sentences.append(leaf_says[leaf, label])
    asked = np.flatnonzero(model.small_nodes_[home])
    answers = np.full(table.n_rows, -1, dtype=np.int32)
    if handler is not None and inner is not None and len(asked):
        part = table.take(asked)
        proposal, answer = handler.propose(part, home[asked]), handler.decide(part, home[asked])
        answers[asked] = answer.label
        evidence = proposal.evidence
        if evidence is None:
            evidence = np.full((len(asked), 1, 2), np.nan)
        estimate = gate.estimates(evidence)
        together = inner.votes(part, home[asked], model.first_handler_rule + 1)
        for i in np.flatnonzero(proposal.label >= 0).tolist():
            if together is not None:
                sentences[asked[i]] += ", " + together[i]
                continue
            number = int(proposal.rule[i])
            who = inner.speaker if number < 0 else f"rule R{model.first_handler_rule + number + 1}"
            n, e = evidence[i, 0].tolist()
            sentences[asked[i]] += ", " + voice(who, classes[proposal.label[i]], n, e, float(estimate[i]))
    return [
        text if label >= 0 else f"{text}, leaf stands"
        for text, label in zip(sentences, answers.tolist(), strict=True)
    ]


def _kind(model: SmallDisjunctClassifier) -> Gate:
    """Return the estimate that is told: the one that decided, pessimistic if none did."""
    inner = getattr(model.handler_, "chosen_", None) or model.handler_
    if inner is None:
        return "pessimistic"
    if getattr(inner, "combine", "") == "laplace":
        return "laplace"
    kind = inner.gate_.kind
    return "pessimistic" if kind == "none" else kind
