"""How a line of the reference folder's ``cases/cases.jsonl`` becomes frames, learners and checks."""

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from conformance.instances import INSTANCES
from sklearn.base import clone

from evorules.datasets import read_csv
from evorules.hybrids import Removal
from trees import C45Classifier, Condition, Rule, RuleList

FORMS = ("declared", "plain")
"""Nominal columns as pandas categories of the declared values, or as objects that `nominal` names."""

GUARDS = {
    "min_cases": ("min_cases", "min_leaf"),
    "min_support": ("min_support",),
    "min_confidence": ("min_confidence",),
}
"""What the settings of a case are called here."""


def read_cases(reference: Path) -> dict[str, dict[str, Any]]:
    """Return the cases by id."""
    lines = (reference / "cases" / "cases.jsonl").read_text("utf-8").splitlines()
    return {case["id"]: case for case in map(json.loads, filter(str.strip, lines))}


@dataclass
class Data:
    """The table of a case, as a user would bring it."""

    X: pd.DataFrame
    y: Any
    nominal: list[str] | None
    sample_weight: list[float] | None = None


def data_of(case: dict[str, Any], form: str = "declared", reference: Path | None = None) -> Data:
    """Return the training data of a case with a table, a file or one of the two generators."""
    data = case["data"]
    if data["form"] == "generator":
        return _many_values(data)
    attributes = data["attributes"]
    nominal = [name for name, attribute in attributes.items() if attribute["type"] == "nominal"]
    if data["form"] == "file":
        read = read_csv(
            reference / "cases" / data["path"],
            target=data["target"],
            nominal=nominal,
            missing=data.get("missing_tokens", []),
        )
        raw = read.X, read.y
    else:
        whole = pd.DataFrame(data["rows"], columns=data["columns"], dtype=object)
        labels = whole[data["target"]].tolist()
        raw = whole.drop(columns=data["target"]), labels
    X = frame_of(raw[0], attributes, form)
    return Data(X, raw[1], nominal if form == "plain" else None, data.get("sample_weight"))


def frame_of(rows: Any, attributes: dict[str, Any], form: str = "plain") -> pd.DataFrame:
    """Return rows as a frame with a column per attribute that they have, in the order of the rows."""
    raw = pd.DataFrame(rows, dtype=object)
    columns: dict[str, Any] = {}
    for name in raw.columns:
        attribute = attributes[name]
        if attribute["type"] == "numeric":
            columns[name] = raw[name].astype(float)
        elif form == "declared" and "values" in attribute:
            columns[name] = pd.Categorical(raw[name], categories=attribute["values"])
        else:
            columns[name] = raw[name]
    return pd.DataFrame(columns)


def _many_values(data: dict[str, Any]) -> Data:
    """Return the table that case S17 describes."""
    assert data["text"].startswith("200 categories named c000 to c199, three rows each")
    X = pd.DataFrame({"code": [f"c{number:03d}" for number in range(200) for _ in range(3)]})
    return Data(X, ["even" if int(code[1:]) % 2 == 0 else "odd" for code in X["code"]], None)


def c45_tree(case: dict[str, Any], nominal: list[str] | None = None, **more: Any) -> C45Classifier:
    """Return the learner that the cases call c45_tree, with the settings of the case."""
    settings = dict(case["operation"].get("settings", {}))
    assert settings.pop("pruned", False) is False
    assert settings.pop("nominal_split", "multiway") == "multiway"
    parameters = {"min_cases": settings.pop("min_cases", 2), "prune": False, "nominal": nominal}
    for guard in GUARDS:
        settings.pop(guard, None)
    assert not settings, f"the case has settings that are not mapped: {sorted(settings)}"
    return C45Classifier(**{**parameters, **more})


def instance(name: str, nominal: list[str] | None = None, **settings: Any) -> Any:
    """Return a fresh instance of the package's list, its small-sample guards as a case sets them."""
    model = clone(INSTANCES[name])
    known = model.get_params(deep=False)
    for setting, value in settings.items():
        for parameter in GUARDS[setting]:
            if parameter in known:
                model.set_params(**{parameter: value})
            elif parameter == "min_cases" and "tree" in known:
                model.set_params(tree=C45Classifier(min_cases=value))
        if setting == "min_cases" and isinstance(known.get("handler"), Removal):
            # this remedy strikes small leaves out, so its threshold is a guard too
            model.set_params(threshold=value)
    return model.set_params(nominal=nominal)


def names(message: str, words: list[str]) -> bool:
    """Return whether a message has every word as a word of its own; ``|`` separates alternatives."""
    return all(
        re.search(rf"(?<!\w)(?:{'|'.join(map(re.escape, word.split('|')))})(?!\w)", message, re.IGNORECASE)
        for word in words
    )


def attributes_in(rules: RuleList) -> set[str]:
    """Return the names of the attributes that some condition tests, a weighted sum's by its parts."""
    tested = {
        rules.schema.attributes[condition.attribute].name for rule in rules for condition in rule.conditions
    }
    return {part for name in tested for part in re.findall(r"\w+", name)}


def rule_from_text(condition: str, consequent: int, schema: Any) -> Rule:
    """Return a rule such as ``a = 1 and x <= 3`` over a schema."""
    conditions = []
    for part in condition.split(" and "):
        name, relation, value = part.split(" ")
        column = schema.index(name)
        if relation == "=":
            conditions.append(Condition(column, "in", (schema.attributes[column].code(value),)))
        else:
            conditions.append(Condition(column, relation, float(value)))
    return Rule(tuple(conditions), consequent, (0.0,) * schema.n_classes)


def proba_close(found: Any, expected: Any) -> None:
    """Assert that probabilities are those expected, up to the cases' 1e-9."""
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-9)
