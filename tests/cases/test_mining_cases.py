"""The settled cases of the reference folder that are about mining, for every miner."""

import re
import time
import warnings

import pandas as pd
import pytest
from cases.settled import data_of, names, read_cases

from evorules.items import CarSet, Items
from evorules.mining import MINERS, mine_rules
from trees.discretize import MDLP
from trees.errors import DataWarning, MiningLimitError
from trees.table import Table

EVERY = tuple(MINERS)
ALL_RULES = ("apriori", "bitset", "fp_growth")
"""The miners that find every rule whatever their parameters."""


@pytest.fixture(scope="module")
def cases(reference):
    return read_cases(reference)


def item_id(items, text):
    name, value = text.split("=")
    column = items.cuts.schema.index(name)
    return int(items.start[column]) + items.cuts.schema.attributes[column].code(value)


@pytest.mark.parametrize("miner", ALL_RULES)
def test_s25_an_itemset_exactly_on_the_minimum_support(cases, miner):
    case = cases["S25"]
    transactions = case["data"]["rows"]
    X = pd.DataFrame({name: [name if name in row else None for row in transactions] for name in "ABC"})
    support = case["operation"]["settings"]["min_support"]
    cars = mine_rules(X, ["all"] * len(X), miner=miner, min_support=support, min_confidence=0.0)
    found = [
        [re.findall(r"= (\w)", rule), covered]
        for rule, covered in cars.to_frame()[["rule", "covered"]].itertuples(index=False)
    ]
    assert sorted(found) == sorted(case["expected"]["itemsets"])


def test_s26_measures_of_rules(cases):
    case = cases["S26"]
    data = data_of(case)
    table = Table.from_frame(data.X, data.y)
    items = Items.of(table, MDLP().fit(table))
    rules = [
        ([item_id(items, condition)], table.schema.classes.index(consequent.split("=")[1]))
        for condition, consequent in case["operation"]["rules"]
    ]
    frame = CarSet.of_rules(items, rules).to_frame()
    for (_, row), expected in zip(frame.iterrows(), case["expected"]["measures"], strict=True):
        for name, value in expected.items():
            wanted = float("inf") if value == "infinity" else value
            assert row[name] == pytest.approx(wanted, abs=case["expected"]["tol"])


@pytest.mark.parametrize("miner", EVERY)
def test_s28_percent_where_a_proportion_is_meant(cases, miner):
    case = cases["S28"]
    data = data_of(case)
    # the number of rows is an option here, so the case asks for these two instead
    for wrong in (1.5, -0.1):
        with pytest.raises(ValueError, match="min_support") as caught:
            mine_rules(data.X, data.y, miner=miner, min_support=wrong)
        assert names(str(caught.value), ["min_support", str(wrong)])
        assert "(0, 1]" in str(caught.value)


@pytest.mark.parametrize("miner", EVERY)
def test_s29_an_explosion_of_itemsets_is_bounded(cases, miner):
    case = cases["S29"]
    assert case["data"]["text"].startswith("30 rows, 50 nominal attributes b00 to b49, every value is t")
    X = pd.DataFrame({f"b{c:02d}": ["t"] * 30 for c in range(50)})
    y = ["P", "N"] * 15
    if miner in ALL_RULES:
        settings = case["operation"]["run_1"]["settings"]
        cars = mine_rules(X, y, miner=miner, support_on="antecedent", **settings)
        assert (
            len({cars.antecedent(r).tobytes() for r in range(len(cars))}) == case["expected"]["run_1_count"]
        )
    # TFPC finds its general rules among the single items, so it ends by itself
    parameters = {**case["operation"]["run_2"]["settings"], "max_nodes": 50_000, "miner": miner}
    begun = time.perf_counter()
    if miner == "tfpc":
        assert len(mine_rules(X, y, **parameters)) == 100
    else:
        with pytest.raises(MiningLimitError) as caught:
            mine_rules(X, y, **parameters)
        assert names(str(caught.value), ["min_support", "max_len"])
        with pytest.warns(DataWarning, match="max_nodes"):
            assert mine_rules(X, y, **parameters, on_limit="stop").truncated
    assert time.perf_counter() - begun < case["operation"]["run_2"]["time_limit_s"]


@pytest.mark.parametrize("miner", ALL_RULES)
def test_s30_missing_is_not_an_item(cases, miner):
    case = cases["S30"]
    for form in ("declared", "plain"):
        data = data_of(case, form)
        frame = mine_rules(data.X, data.y, miner=miner, **case["operation"]["settings"]).to_frame()
        found = frame[["rule", "class", "support", "confidence"]].to_numpy().tolist()
        for row, expected in zip(found, case["expected"]["cars"], strict=True):
            assert row[0] == expected[0].replace("&", "AND").replace("=", " = ")
            assert row[1] == expected[1]
            assert row[2:] == pytest.approx(expected[2:], abs=case["expected"]["tol"])


@pytest.mark.parametrize("miner", EVERY)
def test_s47_a_class_too_rare_for_the_minimum_support(cases, miner):
    case = cases["S47"]
    data = data_of(case)
    settings = {**case["operation"]["settings"], "miner": miner}
    with pytest.warns(DataWarning, match="No rule predicts") as caught:
        mine_rules(data.X, data.y, **settings)
    assert names(str(caught[0].message), case["expected"]["first"]["warns_naming"])
    expected = case["expected"]["then"]
    for then in ({"class_support": "balanced"}, {"min_support": 0.05}):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            frame = mine_rules(data.X, data.y, **{**settings, **then}).to_frame()
        row = frame[frame["class"] == expected["rule"][1]].iloc[0]
        assert row["rule"] == expected["rule"][0].replace("=", " = ")
        assert row["support"] == pytest.approx(expected["support"])
        assert row["confidence"] == expected["confidence"]
