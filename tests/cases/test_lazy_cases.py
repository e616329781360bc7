"""Settled cases of the reference folder, asked of lazy association."""

import pandas as pd
import pytest

from evorules.associative import LACClassifier
from trees.errors import MiningLimitError


def test_without_frequent_rules_the_default_is_predicted():
    # case S27: values a to e, classes P, P, N, P, N
    X = pd.DataFrame({"A": pd.Categorical(list("abcde"))})
    model = LACClassifier(rank="confidence", min_support=0.9, min_confidence=0.9, projection="none")
    model.fit(X, list("PPNPN"))
    asked = pd.DataFrame({"A": ["a", None]})
    assert len(model.rules_) == 0
    assert str(model.rules_) == "otherwise class = P"
    # by hand: 3 of 5
    assert model.predict(asked.iloc[1:]).tolist() == ["P"]
    assert model.predict_proba(asked)[1].tolist() == [0.4, 0.6]
    assert model.predict(asked).tolist() == ["P", "P"]


def test_too_many_antecedents_end_in_an_error_that_names_what_to_change():
    # case S29: 30 rows, 50 attributes with one value, classes in turn: 2^50 - 1 antecedents
    X = pd.DataFrame({f"b{i:02}": ["t"] * 30 for i in range(50)})
    model = LACClassifier(max_nodes=50_000).fit(X, list("PN") * 15)
    with pytest.raises(
        MiningLimitError, match=r"at row 0, was stopped: max_nodes=50000 .* holds 50 items"
    ) as caught:
        model.predict(X.head(3))
    assert "Lower max_len, raise min_support" in str(caught.value)
    # 50 + 1225 + 19600
    assert LACClassifier(max_len=3).fit(X, list("PN") * 15).use(X.head(1)).generated == 2 * 20875


def test_a_missing_cell_is_no_item():
    # case S30
    X = pd.DataFrame(
        {"A": list("uuuu") + [None] * 4 + list("uu"), "B": [None] * 4 + list("wwww") + list("ww")}
    )
    model = LACClassifier(min_support=0.1, min_confidence=0.5, rank="confidence").fit(X, list("PPPPNNNNPP"))
    both = pd.DataFrame({"A": ["u"], "B": ["w"]})
    # A=u => P, B=w => N, A=u & B=w => P
    assert model.use(both).generated == 3
    assert str(model.explain(both)) == "R1: IF A = u THEN class = P  (6/6, confidence 1.00)"
    only = pd.DataFrame({"A": [None], "B": ["w"]})
    assert str(model.explain(only)) == "R1: IF B = w THEN class = N  (4/6, confidence 0.67)"
