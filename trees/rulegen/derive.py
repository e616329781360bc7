"""From a tree to an ordered rule list, step by step."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from trees.growth.tree import Tree
from trees.rule import Rule, RuleList
from trees.rulegen.candidates import Candidate, distinct_candidates
from trees.rulegen.cases import Cases
from trees.rulegen.choose import Search, choose_rules
from trees.rulegen.code_length import CodeLengths
from trees.rulegen.draws import Draws
from trees.rulegen.evaluate import Pass, drop_harmful
from trees.rulegen.extract import Paths, leaf_paths
from trees.rulegen.generalise import generalise
from trees.rulegen.holdout import prune_on_holdout
from trees.rulegen.order import by_description_length, by_false_positives, default_class
from trees.table import Table

__all__ = ["ClassOrder", "Derivation", "RuleOptions", "derive_rules"]

ClassOrder = Literal["false_positives", "description_length"]
Floats = npt.NDArray[np.float64]
Words = npt.NDArray[np.uint64]

GREATEST_ERROR = 0.7
"""In the original a rule with a greater estimated error rate never fires."""


@dataclass(frozen=True)
class RuleOptions:
    """How rules are derived from a tree; the original's command line letters stand beside.

    Parameters
    ----------
    confidence : float in (0, 1]
        Of the pessimistic error estimates (``-c``, there in percent).
    fisher : float in (0, 1] or None
        Significance of Fisher's exact test (``-F``, there in percent); None does without.
    redundancy : float, greater than 0
        How much attributes repeat each other (``-r``).
    selection : {"auto", "exhaustive", "greedy", "anneal"}
        How the rules of a class are chosen (``-a`` is "anneal").
    class_order : {"false_positives", "description_length"}
        What decides which class's rules come first.
    repeat_defects : bool
        Do as the original does, in 32-bit floats and with its known defects.
    """

    confidence: float = 0.25
    fisher: float | None = None
    redundancy: float = 1.0
    selection: Search = "auto"
    class_order: ClassOrder = "false_positives"
    repeat_defects: bool = False


@dataclass(frozen=True, eq=False)
class Derivation:
    """What each step came to.

    Parameters
    ----------
    paths : Paths
        The tree's paths; rules refer to its conditions by number.
    candidates : list of Candidate
        Generalised rules; the lists below refer to them by position.
    lengths : list of float
        Description length of each class with its chosen rules, by class code.
    class_order : list of int
        Class codes in the order of their rules.
    false_positives : ndarray of shape (n_classes,)
        Weight that decided that order, by class code.
    uncovered : ndarray of shape (n_classes,)
        Weight of the rows of each class on which no chosen rule fires.
    default : int
        Class code where no rule fires.
    chosen : list of int
        Chosen rules in order.
    passes : list of Pass
        What they do to the training rows, once for every rule dropped and once more.
    kept : list of int
        The chosen rules without those dropped.
    class_counts : ndarray of shape (n_candidates, n_classes)
        Training weight that each candidate covers.
    decided_by_default : ndarray of shape (n_classes,)
        Training weight on which no kept rule fires.
    """

    paths: Paths
    candidates: list[Candidate]
    lengths: list[float]
    class_order: list[int]
    false_positives: Floats
    uncovered: Floats
    default: int
    chosen: list[int]
    passes: list[Pass]
    kept: list[int]
    class_counts: Floats
    decided_by_default: Floats

    def rule_list(self, table: Table, *, only_firing: bool) -> RuleList:
        """Return the kept rules; with `only_firing` without those that the original never lets fire."""
        rules = []
        for r in self.kept:
            rule = self.candidates[r]
            if only_firing and rule.error > GREATEST_ERROR:
                continue
            conditions = tuple(self.paths.conditions[c] for c in rule.conditions)
            counts = tuple(self.class_counts[r].tolist())
            rules.append(Rule(conditions, rule.label, counts, scores={"estimated_error": rule.error}))
        return RuleList(tuple(rules), table.schema, self.default)


def derive_rules(
    tree: Tree, table: Table, options: RuleOptions, draws: Draws, *, holdout: Table | None = None
) -> Derivation:
    """Make an ordered rule list of a tree's paths.

    Parameters
    ----------
    tree : Tree
        Any tree; C4.5rules takes the unpruned one.
    table : Table
        Training rows with classes.
    options : RuleOptions
        How to.
    draws : Draws
        Random numbers of the searches.
    holdout : Table, optional
        Rows that the tree was grown without. Given, they take the place of the pessimistic estimates when
        conditions are dropped and rules ordered, and of the training rows when false positives are counted.

    Returns
    -------
    Derivation

    Notes
    -----
    specs: C4.5 section 8.

    Examples
    --------
    >>> from trees import CARTClassifier, Table
    >>> from trees.rulegen.draws import seeded_draws
    >>> table = Table.from_frame([[hour] for hour in range(24)], ["night"] * 7 + ["day"] * 13 + ["night"] * 4)
    >>> tree = CARTClassifier(random_state=0).fit(table).tree_
    >>> derivation = derive_rules(tree, table, RuleOptions(), seeded_draws(0))
    >>> print(derivation.rule_list(table, only_firing=False))
    R1: IF x0 > 6.5 AND x0 <= 19.5 THEN class = day  (13/13, confidence 1.00)
    R2: IF x0 <= 6.5 THEN class = night  (7/7, confidence 1.00)
    R3: IF x0 > 19.5 THEN class = night  (4/4, confidence 1.00)
    otherwise class = day
    """
    cases = Cases(table, options.repeat_defects)
    judges = cases if holdout is None else Cases(holdout, options.repeat_defects)
    paths = leaf_paths(tree)
    if holdout is None:
        flags, errors = generalise(paths, cases, confidence=options.confidence, fisher=options.fisher)
    else:
        flags, errors = prune_on_holdout(paths, judges)
    candidates = distinct_candidates(paths, flags, errors, repeat_defects=options.repeat_defects)
    fires = _firing(paths, candidates, cases)
    own_rules, lengths = _select(paths, candidates, fires, cases, options, draws)
    covers = _covers(own_rules, fires)
    judged = covers if holdout is None else _covers(own_rules, _firing(paths, candidates, judges))
    order, false_positives = by_false_positives(judged, judges)
    if options.class_order == "description_length":
        order = by_description_length(lengths)
    default, uncovered = default_class(covers, cases)
    chosen = [r for label in order for r in own_rules[label]]
    labels = np.array([candidates[r].label for r in chosen], dtype=np.int32)
    alive, passes = drop_harmful(fires[chosen], labels, default, table)
    kept = [r for r, stays in zip(chosen, alive, strict=True) if stays]
    fired = np.bitwise_or.reduce(fires[kept], axis=0)
    return Derivation(
        paths,
        candidates,
        lengths,
        order,
        false_positives,
        uncovered,
        default,
        chosen,
        passes,
        kept,
        np.column_stack([cases.weigh(fires & bits) for bits in cases.class_bits]),
        cases.weigh(cases.class_bits & ~fired),
    )


def _firing(paths: Paths, candidates: list[Candidate], cases: Cases) -> Words:
    """Return the rows on which each candidate fires; ndarray of shape (n_candidates, n_words)."""
    fires = cases.coverage(paths, [rule.conditions for rule in candidates])
    if cases.single_precision:
        fires[[rule.error > GREATEST_ERROR for rule in candidates]] = 0
    return fires


def _select(
    paths: Paths,
    candidates: list[Candidate],
    fires: Words,
    cases: Cases,
    options: RuleOptions,
    draws: Draws,
) -> tuple[list[list[int]], list[float]]:
    """Return the chosen rules of every class, by estimated error, and the description lengths."""
    code = CodeLengths(cases, options.redundancy)
    labels = np.array([rule.label for rule in candidates], dtype=np.int32)
    chosen, lengths = [], []
    for label in range(cases.table.n_classes):
        own = np.flatnonzero(labels == label)
        bits = np.array([code.of_rule(candidates[r].conditions, paths) for r in own])
        inside, length = choose_rules(
            fires[own], bits, label, cases, code.log2_total, options.selection, draws
        )
        chosen.append(sorted(own[inside].tolist(), key=lambda r: candidates[r].error))
        lengths.append(length)
    return chosen, lengths


def _covers(own_rules: list[list[int]], fires: Words) -> Words:
    """Return the rows on which some rule of each class fires; ndarray of shape (n_classes, n_words)."""
    covers = np.zeros((len(own_rules), fires.shape[1]), dtype=np.uint64)
    for label, rules in enumerate(own_rules):
        covers[label] = np.bitwise_or.reduce(fires[rules], axis=0)
    return covers
