"""Mode "r8" repeats every rule set of C4.5rules release 8, step by step (reference folder, r8-rules)."""

import json
from functools import lru_cache

import numpy as np
import pytest
from oracles.c45_files import open_text, read_c45

from trees.c45rules import C45RulesClassifier
from trees.growth.tree import SUBSET
from trees.rulegen.cases import Cases
from trees.rulegen.evaluate import evaluate

DATA_SETS = """
anneal-na audiology auto breast-cancer contact-lenses credit-g crx edge-20class edge-allmissing
edge-close edge-const edge-dir edge-dups edge-half edge-ids edge-ids2 edge-neg999 edge-one edge-pure
edge-stuck edge-subset edge-tieclass edge-ties edge-wide edge-xor glass glass-all golf hepatitis
horse-colic hypo ionosphere iris iris-all kr-vs-kp labor-full labor-neg lymph monk1 monk2 monk3 mushroom
nursery pima pima-all primary-tumor segment sick sonar soybean soybean-missing splice tic-tac-toe vehicle
vote vote-missing weather-nominal wine wine-all zoo
"""
VARIANTS = {
    "tree-default.rules-default": {},
    "tree-s.rules-default": {"group_values": True},
    "tree-default.rules-c10": {"confidence": 0.1},
    "tree-default.rules-F5": {"fisher": 0.05},
    "tree-default.rules-r2": {"redundancy": 2},
    "tree-default.rules-a": {"selection": "anneal"},
}
FILES = [
    pytest.param(name, variant, id=f"{name}.{variant}") for name in DATA_SETS.split() for variant in VARIANTS
]
LARGE = [
    pytest.param(name, "tree-default.rules-default", id=name, marks=pytest.mark.slow)
    for name in ("adult", "letter", "shuttle")
]
pytestmark = pytest.mark.filterwarnings(
    "ignore:The class is .* in every row", "ignore:Attribute 'id' has a value of its own"
)


@lru_cache(maxsize=1)
def tables(folder, name):
    return read_c45(folder / "data", name)


def test_there_is_a_test_for_every_file(reference):
    folder = reference / "oracles" / "c45" / "r8-rules"
    stems = {path.name.split(".json")[0] for path in folder.iterdir()}
    assert stems == {p.id if "." in p.id else f"{p.id}.tree-default.rules-default" for p in FILES + LARGE}
    assert len(stems) == 363


@pytest.mark.parametrize(("name", "variant"), FILES + LARGE)
def test_rules_of_release_8(reference, name, variant):
    folder = reference / "oracles" / "c45"
    expected = json.loads(open_text(folder / "r8-rules" / f"{name}.{variant}.json"))
    train, test = tables(folder, name)
    model = C45RulesClassifier(mode="r8", **VARIANTS[variant])
    derivation = model.derive(train)
    printer = Printer(derivation, train)
    if "candidate_rules" in expected:
        compare_steps(printer, derivation, train, expected)
    assert train.schema.classes[derivation.default] == expected["default"]
    assert [printer.numbered(r) for r in derivation.chosen] == expected["final_rules"]
    assert [printer.exact(r) for r in derivation.kept] == [
        {**rule, "if": [exact_condition(c) for c in rule["if"]], "error": np.float32(rule["error"])}
        for rule in expected["saved_exact"]
    ]
    model.fit(train)
    compare_passes(printer, derivation, expected["train_passes"])
    compare_predictions(model, train, expected["train_passes"][-1])
    if test is not None:
        compare_test(printer, derivation, test, expected["test"])
        compare_predictions(model, test, expected["test"])


def exact_condition(condition):
    attribute, relation, value = condition
    return condition if relation in ("=", "in") else [attribute, relation, float(np.float32(value))]


class Printer:
    """Says what the original says, in the form of the files."""

    def __init__(self, derivation, table):
        self.paths, self.candidates, self.schema = derivation.paths, derivation.candidates, table.schema

    def condition(self, number, printed):
        condition = self.paths.conditions[number]
        attribute = self.schema.attributes[condition.attribute]
        if condition.relation != "in":
            cut = condition.threshold
            return [attribute.name, condition.relation, f"{cut:g}" if printed else cut]
        values = [attribute.values[code] for code in condition.codes]
        if len(values) == 1 and (printed or self.paths.kind[number] != SUBSET):
            return [attribute.name, "=", values[0]]
        return [attribute.name, "in", values]

    def rule(self, r, printed):
        rule = self.candidates[r]
        return {
            "if": [self.condition(c, printed) for c in rule.conditions],
            "class": self.schema.classes[rule.label],
        }

    def numbered(self, r):
        accuracy = 100 * (1 - np.float32(self.candidates[r].error))
        return {"rule": r + 1, **self.rule(r, True), "accuracy_printed": f"{accuracy:.1f}%"}

    def exact(self, r):
        return {**self.rule(r, False), "error": np.float32(self.candidates[r].error)}

    def use(self, r, effect, i):
        rule = self.candidates[r]
        return {
            "rule": r + 1,
            "size": len(rule.conditions),
            "error_printed": f"{100 * np.float32(rule.error):.1f}%",
            "used": effect.used[i],
            "wrong": effect.wrong[i],
            "better": effect.better[i],
            "worse": effect.worse[i],
            "class": self.schema.classes[rule.label],
        }

    def uses(self, rules, effect):
        return [self.use(r, effect, i) for i, r in enumerate(rules) if effect.used[i] > 0]


def compare_steps(printer, derivation, table, expected):
    found = [printer.numbered(r) for r in range(len(derivation.candidates))]
    if expected["dataset"] == "edge-dir":
        # printed when a rule is made, before "duplicates" in the other direction raised its error estimate
        assert found[0]["accuracy_printed"] == "93.3%"
        assert expected["candidate_rules"][0]["accuracy_printed"] == "95.5%"
        found[0]["accuracy_printed"] = "95.5%"
    assert found == expected["candidate_rules"]
    classes = table.schema.classes
    for name, bits in expected["class_subset_bits_printed"].items():
        assert f"{np.float32(derivation.lengths[classes.index(name)]):.1f}" == bits
    false_positives = derivation.false_positives
    assert [[classes[c], false_positives[c]] for c in derivation.class_order] == expected["class_order"]
    for name, counts in expected["uncovered"].items():
        label = classes.index(name)
        assert [table.class_totals[label], derivation.uncovered[label]] == counts


def compare_passes(printer, derivation, expected):
    assert len(derivation.passes) == len(expected)
    for effect, wanted in zip(derivation.passes, expected, strict=True):
        assert printer.uses(derivation.chosen, effect) == wanted["rules"]
        dropped = derivation.chosen[effect.dropped] + 1 if effect.dropped >= 0 else None
        assert dropped == wanted.get("dropped")
    assert derivation.passes[-1].errors == expected[-1]["errors"]


def compare_test(printer, derivation, table, expected):
    rules = [derivation.candidates[r] for r in derivation.kept]
    fires = Cases(table, True).coverage(derivation.paths, [rule.conditions for rule in rules])
    fires[[rule.error > 0.7 for rule in rules]] = 0
    labels = np.array([rule.label for rule in rules], dtype=np.int32)
    effect = evaluate(fires, np.ones(len(rules), dtype=bool), labels, derivation.default, table)
    assert printer.uses(derivation.kept, effect) == expected["rules"]
    assert effect.errors == expected["errors"]


def compare_predictions(model, table, expected):
    codes = model.decide(table).label
    assert table.n_rows == expected["tested"]
    assert np.sum(codes != table.classes) == expected["errors"]
    if "confusion" in expected:
        confusion = np.zeros((table.n_classes, table.n_classes), dtype=int)
        np.add.at(confusion, (table.classes, codes), 1)
        assert confusion.tolist() == expected["confusion"]
