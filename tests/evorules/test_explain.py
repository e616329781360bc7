"""What is told of a prediction of the hybrid."""

import re

import numpy as np
import pandas as pd
import pytest

from evorules.datasets import load
from evorules.hybrids import (
    Auto,
    GALargeSN,
    NaiveBayes,
    NearestNeighbours,
    SecondTree,
    SmallDisjunctClassifier,
)
from evorules.hybrids.evidence import LeafGate, pessimistic_accuracy
from evorules.hybrids.explain import voice
from trees import C45Classifier, Rule, Table

GA = {"population_size": 30, "n_generations": 8}
LEAF = r"leaf says (\w+) \((\d+) of (\d+), pessimistic (1?\.\d\d)\)"
RULE = r"rule R(\d+) says (\w+) \((\d+) of (\d+), (1?\.\d\d)\)"


@pytest.fixture(scope="module")
def board():
    data = load("tic-tac-toe")
    return Table.from_frame(data.X, data.y)


def test_the_sentence_of_the_worked_example():
    # hybrid-improved, section 1, step 8, on a leaf of 4 A and 2 B, with a rule of 18 B and 1 A
    X = pd.DataFrame({"x": np.zeros(6)})
    model = SmallDisjunctClassifier(handler=GALargeSN(**GA), random_state=0).fit(X, list("AAAABB"))
    handler = model.handler_
    for counts, tail in (((1.0, 18.0), ""), ((3.0, 4.0), ", leaf stands")):
        handler.rules_ = (Rule((), 1, counts),)
        handler._list_of, handler._evidence = [0], np.array([[[sum(counts), counts[0]]]])
        figure = {18.0: ".87", 4.0: ".37"}[counts[1]]
        assert figure == f"{pessimistic_accuracy(sum(counts), counts[0]):.2f}"[1:]
        number = model.first_handler_rule + 1
        text = f"rule R{number} says B ({counts[1]:g} of {sum(counts):g}, {figure})"
        assert model.explain(X[:1]) == [f"leaf says A (4 of 6, pessimistic .44), {text}{tail}"]
    handler._list_of, handler.rules_ = [], ()
    assert model.explain(X[:1]) == ["leaf says A (4 of 6, pessimistic .44), leaf stands"]


def test_texts_agree_with_predictions_and_rules(board):
    model = SmallDisjunctClassifier(handler=GALargeSN(**GA), random_state=0).fit(board)
    predicted, alone = model.predict(board), model.tree_predict(board)
    small = model.in_small_disjunct(board)
    kinds = set()
    for row, text in enumerate(model.explain(board)):
        leaf = re.match(LEAF, text)
        rule = re.search(RULE, text)
        stands = text.endswith("leaf stands")
        assert leaf.group(1) == alone[row]
        if rule:
            assert small[row]
            listed = model.rules_[int(rule.group(1)) - 1]
            assert listed.match(board.take([row])).all()
            assert (listed.correct, listed.covered) == (float(rule.group(3)), float(rule.group(4)))
            assert rule.group(5) == f"{listed.scores['estimate']:.2f}".removeprefix("0")
        assert predicted[row] == (leaf.group(1) if stands else rule.group(2))
        kinds.add((bool(rule), stands))
    assert kinds == {(True, True), (True, False), (False, True)}


def test_handlers_without_rules_speak_for_themselves(board):
    rows = board.take(range(0, 958, 3))
    texts = {}
    for handler in (
        NearestNeighbours(k=5, ib_data="all", overrule="laplace"),
        NaiveBayes(),
        SecondTree(),
        Auto(thresholds=(15,), candidates=("nearest",)),
        "none",
    ):
        model = SmallDisjunctClassifier(handler=handler, random_state=0).fit(board)
        texts[type(model.handler_).__name__] = "\n".join(model.explain(rows))
    nearest = r"Laplace \.\d\d\), the vote of the nearest rows says \w+ \(\d of 5, \.\d\d\)"
    assert re.search(nearest, texts["NearestNeighbours"])
    assert re.search(r"pessimistic \.\d\d\), naive Bayes says \w+$", texts["NaiveBayes"], re.M)
    assert re.search(RULE, texts["SecondTree"])
    assert "the vote of the nearest rows says" in texts["Auto"]
    assert all(line.endswith("leaf stands") for line in texts["NoRemedy"].splitlines())


def test_an_empty_leaf_and_a_row_in_several_leaves_are_told():
    assert voice("leaf", "A", 0, 0, 0.0, "pessimistic") == "leaf says A (no training row, pessimistic .00)"
    assert voice("leaf", "A", 2.04, 0.5, 1.0) == "leaf says A (1.5 of 2, 1.00)"
    X = pd.DataFrame({"c": list("aaaaaabbbbbccccc")})
    y = list("pppppp") + list("qqqqq") + list("qqqqr")
    model = SmallDisjunctClassifier(C45Classifier(prune=False), "none").fit(X, y)
    text = model.explain(pd.DataFrame({"c": [None]}))[0]
    home = model.disjuncts_.set_index("leaf").loc[model.apply(pd.DataFrame({"c": [None]}))[0], "class"]
    said = model.predict(pd.DataFrame({"c": [None]}))[0]
    assert home != said
    assert text.startswith(f"tree says {said} over several leaves, home leaf says {home} (")


def test_the_gate_of_no_kind_is_open():
    gate = LeafGate("none", 2, np.array([1.0]))
    assert gate.blocked(np.array([[[1.0, 1.0]]]), np.zeros(1, np.int32)).tolist() == [False]
