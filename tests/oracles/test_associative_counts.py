"""Numbers of class association rules, and their supports, against those of other programs."""

import json

import numpy as np
import pandas as pd
import pytest

from evorules.items import CarSet, Items
from evorules.mining import MINERS
from trees.discretize import MDLP
from trees.errors import DataWarning, MiningLimitError
from trees.table import Table

DISCRETISED = ("iris", "pima", "tic-tac-toe", "breast", "car", "zoo")
SAME_RULES = ("apriori", "bitset", "fp_growth")


def folder(reference):
    return reference / "oracles" / "associative"


def discretised_items(reference, name):
    frame = pd.read_csv(folder(reference) / "data" / f"{name}_disc.csv", dtype=str, keep_default_na=False)
    table = Table.from_frame(frame.iloc[:, :-2], frame.iloc[:, -2])
    return Items.of(table, MDLP().fit(table))


def whole_items(reference, name):
    """Items of a file of the data folder: rows with missing cells left out, numeric columns cut by MDLP.

    As for the discretised files, columns left with one value are out.
    """
    stem = {"waveform": "waveform-40"}.get(name, name)
    path = next(p for p in (reference / "data" / f"{stem}.csv{end}" for end in ("", ".gz")) if p.exists())
    frame = pd.read_csv(path, keep_default_na=False, na_values=[""]).dropna()
    attributes = frame.iloc[:, :-1]
    attributes = attributes.loc[:, attributes.nunique() > 1]
    table = Table.from_frame(attributes, frame.iloc[:, -1].astype(str))
    return Items.of(table, MDLP().fit(table))


@pytest.fixture(scope="module")
def runs(reference):
    return json.loads((folder(reference) / "miner_anchor_pyfim.json").read_text("utf-8"))["runs"]


def expected_counts(runs, name):
    """Return {(support, zmax): rules}; all algorithms of the file agree."""
    found = {}
    for run in runs:
        if run["ds"] == name:
            found.setdefault((run["support"], run["zmax"]), set()).add(run["rules"])
    assert found
    assert all(len(counts) == 1 for counts in found.values())
    return {key: counts.pop() for key, counts in found.items()}


@pytest.mark.parametrize("miner", SAME_RULES)
@pytest.mark.parametrize("name", DISCRETISED)
def test_both_kinds_of_support_give_the_numbers_of_rules_of_pyfim(name, miner, runs, reference):
    items = discretised_items(reference, name)
    for (support_on, zmax), count in expected_counts(runs, name).items():
        if miner == "apriori" and count > 20_000:
            continue
        found = MINERS[miner](support_on=support_on, max_len=zmax - 1).mine(items)
        assert len(found) == count


WHOLE = {
    "nursery": ("bitset", "fp_growth"),
    "mushroom": ("bitset", "fp_growth"),
    "letter": ("bitset",),
    "waveform": ("bitset",),
    "pendigits": ("bitset",),
    "adult": ("bitset",),
}


@pytest.mark.parametrize(
    "name",
    [
        "nursery",
        "mushroom",
        *(
            pytest.param(name, marks=pytest.mark.slow)
            for name in ("letter", "waveform", "pendigits", "adult")
        ),
    ],
)
def test_large_tables_give_the_numbers_of_rules_of_pyfim(name, runs, reference):
    items = whole_items(reference, name)
    for (support_on, zmax), count in expected_counts(runs, name).items():
        for miner in WHOLE[name]:
            found = MINERS[miner](support_on=support_on, max_len=zmax - 1).mine(items)
            assert (len(found), support_on, zmax) == (count, support_on, zmax)


def test_every_run_of_the_file_is_compared(runs):
    assert {run["ds"] for run in runs} == {*DISCRETISED, *WHOLE}


@pytest.mark.parametrize("miner", SAME_RULES)
def test_lengths_of_rules_equal_those_counted_by_brute_force(miner, reference):
    checks = json.loads((folder(reference) / "miner_counts_check.json").read_text("utf-8"))["checks"]
    assert len(checks) == 4
    for check in checks:
        items = discretised_items(reference, check["dataset"])
        parameters = {"min_support": check["min_rule_count"], "min_confidence": check["min_confidence"]}
        found = MINERS[miner](**parameters).mine(items)
        lengths = np.bincount(found.size)
        assert {str(n): int(count) for n, count in enumerate(lengths) if count} == check[
            "rules_by_antecedent_length"
        ]
        pairs = MINERS[miner](min_support=check["min_rule_count"], min_confidence=0.0).mine(items)
        assert len(pairs) == check["frequent_antecedent_class_pairs"]


@pytest.mark.parametrize("name", ["iris", "pima", "breast"])
def test_rules_that_other_programs_list_have_their_counts(name, reference):
    items = discretised_items(reference, name)
    schema = items.cuts.schema
    listed = []
    results = json.loads((folder(reference) / f"{name}.json").read_text("utf-8"))["results"]
    for result in results:
        for key in ("ordered_rule_list", "fold0_ordered_rule_list"):
            listed += [rule for rule in result.get(key, []) if rule["if"] and {"pos", "cov"} <= set(rule)]
    assert len(listed) >= 10
    antecedents = []
    for rule in listed:
        chosen = []
        for column, value in (text.split("=", 1) for text in rule["if"]):
            place = schema.index(column)
            chosen.append(int(items.start[place]) + schema.attributes[place].code(value))
        antecedents.append((chosen, schema.classes.index(rule["then"])))
    cars = CarSet.of_rules(items, antecedents)
    assert cars.covered.tolist() == [rule["cov"] for rule in listed]
    assert cars.correct.tolist() == [rule["pos"] for rule in listed]


@pytest.mark.slow
def test_connect_4_without_a_limit_of_length_ends_at_a_guard_that_helps(reference):
    # 42 attributes of 3 values, some 10**12 rules; 975,084 is what all the miners find up to 4 conditions
    items = whole_items(reference, "connect-4")
    with pytest.raises(MiningLimitError, match=r"max_rules=1000000 .*about \d(\.\d)?e\+1\d rules") as caught:
        MINERS["bitset"](min_support=0.01).mine(items)
    assert all(word in str(caught.value) for word in ("min_support", "max_len", "on_limit='stop'"))
    with pytest.warns(DataWarning, match=r"only the 975084 rules of at most 4 condition"):
        found = MINERS["bitset"](min_support=0.01, on_limit="stop").mine(items)
    assert found.truncated
    assert len(found) == len(MINERS["bitset"](min_support=0.01, max_len=4).mine(items)) == 975_084
