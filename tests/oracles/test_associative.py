"""Against other programs, on tables that were discretised once: same folds, same rules, same accuracies."""

import json
import warnings

import numpy as np
import pandas as pd
import pytest

from evorules.associative import CBAClassifier, CMARClassifier
from evorules.rules import RuleSet, TrainingRules
from trees.rule import Condition, Rule, RuleList
from trees.table import Table

TARGET = -2
"""The class is the last column but one, the fold the last."""


class Peers:
    """One data set with what other programs made of it."""

    def __init__(self, reference, name):
        folder = reference / "oracles" / "associative"
        frame = pd.read_csv(folder / "data" / f"{name}_disc.csv", dtype=str, keep_default_na=False)
        self.X, self.y = frame.iloc[:, :TARGET], frame.iloc[:, TARGET]
        self.fold = frame.iloc[:, -1].astype(int).to_numpy()
        self.results = json.loads((folder / f"{name}.json").read_text("utf-8"))["results"]

    def result(self, program, algorithm, key):
        return next(
            r for r in self.results
            if r["program"].startswith(program) and r["algorithm"].startswith(algorithm) and key in r
        )  # fmt: skip

    def over_folds(self, model):
        accuracy, sizes = [], []
        for k in range(self.fold.max() + 1):
            train = self.fold != k
            model.fit(self.X[train], self.y[train])
            accuracy.append(model.score(self.X[~train], self.y[~train]))
            sizes.append(len(model.rules_))
        return np.array(accuracy), np.array(sizes)


@pytest.mark.filterwarnings("ignore:No rule predicts good")
@pytest.mark.parametrize("name", ["iris", "pima", "car", "tic-tac-toe"])
def test_cba_is_as_accurate_on_every_fold_as_keels(reference, name):
    peers = Peers(reference, name)
    theirs = peers.result("KEEL", "CBA-C", "accuracy_per_fold")
    accuracy, sizes = peers.over_folds(CBAClassifier())
    np.testing.assert_allclose(accuracy, theirs["accuracy_per_fold"], atol=5e-7)
    # KEEL counts the default rule
    np.testing.assert_array_equal(sizes + 1, theirs["rules_per_fold"])


def test_cba_without_pruning_is_as_accurate_as_the_lac_librarys(reference):
    for name in ("iris", "pima"):
        peers = Peers(reference, name)
        theirs = peers.result("LAC library", "CBA", "accuracy_per_fold")
        accuracy, _ = peers.over_folds(CBAClassifier(prune=False, one_rule_per_antecedent=False))
        assert abs(accuracy.mean() - theirs["mean_accuracy"]) < 1e-4


def test_cmar_is_as_accurate_as_others_within_two_points(reference):
    # the pruning by general rules differs: theirs compares lengths (notes on other programs)
    for name in ("iris", "breast", "pima"):
        peers = Peers(reference, name)
        theirs = peers.result("LUCS-KDD", "CMAR", "accuracy_per_fold")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            accuracy, _ = peers.over_folds(CMARClassifier())
        assert abs(accuracy.mean() - theirs["mean_accuracy"]) < 0.02, name


def listed_rules(result, table):
    """The rules that a program lists, but for the default rule, with the counts that it should print."""
    rules, counts = [], []
    for record in result["ordered_rule_list"]:
        if record["if"]:
            conditions = []
            for text in record["if"]:
                name, value = text.split("=", 1)
                column = table.schema.index(name)
                conditions.append(
                    Condition(column, "in", (table.schema.attributes[column].values.index(value),))
                )
            consequent = table.schema.classes.index(record["then"])
            rules.append(Rule(tuple(conditions), consequent, (0,) * table.n_classes))
            counts.append((record["cov"], record["pos"]))
    return RuleList(tuple(rules), table.schema), np.array(counts)


@pytest.mark.parametrize("name", ["iris", "breast", "pima"])
def test_rules_of_other_programs_cover_what_was_counted(reference, name):
    peers = Peers(reference, name)
    table = Table.from_frame(peers.X, peers.y)
    lists = [r for r in peers.results if r.get("ordered_rule_list") and "cov" in r["ordered_rule_list"][0]]
    assert lists
    for result in lists:
        if "CPAR" in result["algorithm"] or "ADT" in result["algorithm"]:
            continue
        rules, counts = listed_rules(result, table)
        found = TrainingRules.of_rules(RuleSet.of_rules(rules, [0] * table.n_classes), table).counts
        np.testing.assert_array_equal(np.stack([found.covered, found.correct], axis=1), counts)


def test_the_list_of_iris_is_that_of_the_lac_library(reference):
    peers = Peers(reference, "iris")
    theirs = peers.result("LAC library", "CBA", "ordered_rule_list")
    model = CBAClassifier(prune=False, one_rule_per_antecedent=False).fit(peers.X, peers.y)
    rules, counts = listed_rules(theirs, Table.from_frame(peers.X, peers.y))
    mine = [(rule.covered, rule.correct) for rule in model.rules_]
    assert mine == [tuple(pair) for pair in counts.tolist()]
    assert [set(rule.conditions) for rule in model.rules_] == [set(rule.conditions) for rule in rules]
    assert model.score(peers.X, peers.y) == theirs["resubstitution_accuracy"]
