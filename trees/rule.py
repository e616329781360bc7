"""Conditions, rules and lists of rules: what every learner here ends in, and what people read."""

from __future__ import annotations

import json
import shutil
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal, overload

import numpy as np
import numpy.typing as npt

from trees.counts import Counts
from trees.errors import DataError
from trees.schema import Schema, Value

if TYPE_CHECKING:
    import pandas as pd

    from trees.growth.tree import Tree
    from trees.table import Table

__all__ = [
    "Condition",
    "Merged",
    "Relation",
    "Rule",
    "RuleList",
    "check_rules",
    "format_number",
    "in_order",
    "merged_with",
]

Relation = Literal["in", "<=", ">"]
Semantics = Literal["first", "vote", "tree"]


def format_number(number: float) -> str:
    """Return the shortest decimal that tells a number from its neighbours; 32-bit values print as such."""
    with np.errstate(over="ignore"):
        single = np.float32(number)
    exact = single if float(single) == number else np.float64(number)
    if number != 0 and not 1e-5 <= abs(number) < 1e16:
        return np.format_float_scientific(exact, trim="-")
    return np.format_float_positional(exact, trim="-")


@dataclass(frozen=True)
class Condition:
    """A test of one attribute. A missing cell satisfies no condition.

    Parameters
    ----------
    attribute : int
        Column of the attribute.
    relation : {"in", "<=", ">"}
        An interval is two conditions, a ``>`` and a ``<=``.
    value : tuple of int, or float
        Value codes for "in", the threshold otherwise.

    Examples
    --------
    >>> Condition(0, "in", (2, 1)).value
    (1, 2)
    """

    attribute: int
    relation: Relation
    value: tuple[int, ...] | float

    def __post_init__(self) -> None:
        if self.relation == "in":
            if not isinstance(self.value, Sequence) or len(self.value) == 0:
                raise DataError("A condition 'in' needs a tuple of at least one value code.")
            object.__setattr__(self, "value", tuple(sorted({int(code) for code in self.value})))
        elif self.relation in ("<=", ">"):
            object.__setattr__(self, "value", float(self.value))  # type: ignore[arg-type]
        else:
            raise DataError(f"A condition's relation must be 'in', '<=' or '>'. Got {self.relation!r}.")

    @property
    def codes(self) -> tuple[int, ...]:
        """Value codes of an "in" condition, empty for others."""
        return self.value if isinstance(self.value, tuple) else ()

    @property
    def threshold(self) -> float:
        """Threshold of a numeric condition, NaN for others."""
        return float("nan") if isinstance(self.value, tuple) else self.value

    def match(self, X: npt.NDArray[np.float64]) -> npt.NDArray[np.bool_]:
        """Return which rows satisfy the condition.

        Parameters
        ----------
        X : ndarray of shape (n_rows, n_attributes)
            Cells as in `Table.X`.

        Returns
        -------
        ndarray of shape (n_rows,), bool
        """
        cells = X[:, self.attribute]
        if self.relation == "<=":
            return cells <= self.threshold
        if self.relation == ">":
            return cells > self.threshold
        return np.isin(cells, self.codes)

    def describe(self, schema: Schema) -> str:
        """Return the condition as people write it, such as ``outlook = sunny`` or ``humidity <= 75``."""
        attribute = schema.attributes[self.attribute]
        if self.relation != "in":
            return f"{attribute.name} {self.relation} {format_number(self.threshold)}"
        values = [_value_text(attribute.values[code]) for code in self.codes]
        if len(values) == 1:
            return f"{attribute.name} = {values[0]}"
        return f"{attribute.name} in {{{', '.join(values)}}}"

    def to_list(self) -> list[Any]:
        """Return a JSON-ready form."""
        return [self.attribute, self.relation, list(self.codes) if self.relation == "in" else self.threshold]

    @classmethod
    def from_list(cls, record: Sequence[Any]) -> Condition:
        """Build a condition from what `to_list` returned."""
        attribute, relation, value = record
        return cls(int(attribute), relation, tuple(value) if relation == "in" else float(value))


@dataclass(frozen=True)
class Rule:
    """IF all conditions hold THEN a class, with the counts that the rule was built with.

    Parameters
    ----------
    conditions : tuple of Condition
        The antecedent; empty covers every row.
    consequent : int
        Class code.
    counts : tuple of float
        Training weight that the rule covers, per class code.
    scope : {"all", "small"}
        "small": tried only for rows whose leaf in the hybrid's tree is a small disjunct.
    scores : mapping of str to float
        Further figures, such as the fitness that the genetic algorithm gave. A "vote" is what the rule adds
        to the score of its class, and is printed.
    """

    conditions: tuple[Condition, ...]
    consequent: int
    counts: tuple[float, ...]
    scope: Literal["all", "small"] = "all"
    scores: Mapping[str, float] = field(default_factory=dict)

    @property
    def covered(self) -> float:
        """Training weight that satisfies the antecedent."""
        return float(sum(self.counts))

    @property
    def correct(self) -> float:
        """Covered training weight of the rule's class."""
        return float(self.counts[self.consequent])

    @property
    def errors(self) -> float:
        """Covered training weight of other classes."""
        return self.covered - self.correct

    @property
    def confidence(self) -> float:
        """Share of the covered weight that is of the rule's class; NaN for a rule that covers nothing."""
        return self.correct / self.covered if self.covered > 0 else float("nan")

    def match(self, table: Table) -> npt.NDArray[np.bool_]:
        """Return which rows satisfy all conditions; ndarray of shape (n_rows,), bool."""
        covered = np.ones(table.n_rows, dtype=np.bool_)
        for condition in self.conditions:
            covered &= condition.match(table.X)
        return covered

    def antecedent(self, schema: Schema) -> str:
        """Return the conditions as text, ``TRUE`` for none."""
        return " AND ".join(c.describe(schema) for c in self.conditions) or "TRUE"

    def describe(self, schema: Schema) -> str:
        """Return the rule as one line of text."""
        target = schema.target.name if schema.target else "class"
        return f"IF {self.antecedent(schema)} THEN {target} = {schema.classes[self.consequent]}"

    def simplify(self) -> Rule:
        """Return the rule with its conditions ordered by attribute and redundant bounds merged.

        The greatest lower and the smallest upper bound of an attribute stay; value sets are intersected.
        """
        merged: Merged = {}
        for condition in self.conditions:
            merged = merged_with(merged, condition)
        return replace(self, conditions=in_order(merged))

    def to_dict(self) -> dict[str, Any]:
        """Return a JSON-ready form."""
        return {
            "if": [condition.to_list() for condition in self.conditions],
            "then": self.consequent,
            "counts": list(self.counts),
            "scope": self.scope,
            "scores": dict(self.scores),
        }

    @classmethod
    def from_dict(cls, record: dict[str, Any]) -> Rule:
        """Build a rule from what `to_dict` returned."""
        conditions = tuple(Condition.from_list(c) for c in record["if"])
        counts = tuple(float(count) for count in record["counts"])
        return cls(conditions, int(record["then"]), counts, record["scope"], dict(record["scores"]))


Merged = dict[tuple[int, Relation], Condition]
"""Conditions that all hold, at most one per attribute and relation."""


def merged_with(merged: Merged, condition: Condition) -> Merged:
    """Return conditions and one more: the tighter bound stays, value sets are intersected.

    Raises
    ------
    DataError
        If no value is left in a set.
    """
    key = (condition.attribute, condition.relation)
    other = merged.get(key, condition)
    if condition.relation == "in" and key in merged:
        common = tuple(sorted(set(other.codes) & set(condition.codes)))
        if not common:
            raise DataError(f"The conditions on attribute {condition.attribute} exclude each other.")
        return {**merged, key: replace(condition, value=common)}
    if condition.relation == "<=":
        condition = min(other, condition, key=lambda c: c.threshold)
    elif condition.relation == ">":
        condition = max(other, condition, key=lambda c: c.threshold)
    return {**merged, key: condition}


def in_order(merged: Merged) -> tuple[Condition, ...]:
    """Return merged conditions by attribute: its values, then the lower and the upper bound."""
    order = {"in": 0, ">": 1, "<=": 2}
    return tuple(sorted(merged.values(), key=lambda c: (c.attribute, order[c.relation])))


@dataclass(frozen=True, eq=False)
class RuleList:
    """Rules in order, with the schema that they speak of.

    Parameters
    ----------
    rules : tuple of Rule
        In the order in which they are tried and printed.
    schema : Schema
        Of the training table.
    default : int or None
        Class code where no rule covers a row; None abstains.
    semantics : {"first", "vote", "tree"}
        How the rules decide together. "tree": the rules are the leaves of `tree`, and a row with missing
        cells takes every branch by its share, as the tree does.
    tree : Tree or None
        The tree that the rules came from.

    Examples
    --------
    >>> from trees.schema import Attribute
    >>> schema = Schema((Attribute("humidity", "numeric"),), Attribute("play", "nominal", ("no", "yes")))
    >>> print(RuleList((Rule((Condition(0, "<=", 75),), 1, (0, 2)),), schema, default=0))
    R1: IF humidity <= 75 THEN play = yes  (2/2, confidence 1.00)
    otherwise play = no
    """

    rules: tuple[Rule, ...]
    schema: Schema
    default: int | None = None
    semantics: Semantics = "first"
    tree: Tree | None = field(default=None, repr=False)

    def __len__(self) -> int:
        return len(self.rules)

    def __iter__(self) -> Iterator[Rule]:
        return iter(self.rules)

    @overload
    def __getitem__(self, index: int) -> Rule: ...
    @overload
    def __getitem__(self, index: slice) -> RuleList: ...
    def __getitem__(self, index: int | slice) -> Rule | RuleList:
        if isinstance(index, slice):
            return replace(self, rules=self.rules[index])
        return self.rules[index]

    @property
    def n_conditions(self) -> int:
        """Number of conditions of all rules together."""
        return sum(len(rule.conditions) for rule in self.rules)

    def match(self, table: Table) -> npt.NDArray[np.bool_]:
        """Return which row satisfies which rule; ndarray of shape (n_rows, n_rules), bool."""
        if table.schema.attributes != self.schema.attributes:
            raise DataError(
                "The table has other attributes than the rules. Encode it with the rules' schema."
            )
        satisfied: dict[Condition, npt.NDArray[np.bool_]] = {}
        covers = np.ones((table.n_rows, len(self)), dtype=np.bool_, order="F")
        for r, rule in enumerate(self.rules):
            for condition in rule.conditions:
                if condition not in satisfied:
                    satisfied[condition] = condition.match(table.X)
                covers[:, r] &= satisfied[condition]
        return covers

    def counts(self, table: Table) -> Counts:
        """Count what the rules cover in a table with classes."""
        consequent = [rule.consequent for rule in self.rules]
        return Counts.of(self.match(table), table.classes, table.weight, consequent, table.n_classes)

    def simplify(self) -> RuleList:
        """Return the list with every rule simplified and repeated rules left out."""
        kept: dict[tuple[tuple[Condition, ...], int, str], Rule] = {}
        for rule in self.rules:
            simple = rule.simplify()
            kept.setdefault((simple.conditions, simple.consequent, simple.scope), simple)
        return replace(self, rules=tuple(kept.values()))

    def to_frame(self) -> pd.DataFrame:
        """Return one row per rule: text, class, covered and wrong weight, confidence, scope, scores."""
        import pandas as pd

        records = []
        for rule in self.rules:
            records.append(
                {
                    "rule": rule.antecedent(self.schema),
                    "class": self.schema.classes[rule.consequent],
                    "n_conditions": len(rule.conditions),
                    "covered": rule.covered,
                    "errors": rule.errors,
                    "confidence": rule.confidence,
                    "scope": rule.scope,
                    **rule.scores,
                }
            )
        index = pd.Index([f"R{r + 1}" for r in range(len(self))], name="id")
        columns = (
            None if records else ["rule", "class", "n_conditions", "covered", "errors", "confidence", "scope"]
        )
        return pd.DataFrame(records, index=index, columns=columns)

    def describe(self, width: int | None = 100) -> str:
        """Return the rules as text, wrapped to a width (None: not wrapped)."""
        lines = []
        for r, rule in enumerate(self.rules):
            right = f"{_weight_text(rule.correct)}/{_weight_text(rule.covered)}"
            confidence = f", confidence {rule.confidence:.2f}" if rule.covered > 0 else ""
            vote = f", vote {rule.scores['vote']:+.2f}" if "vote" in rule.scores else ""
            text = f"{rule.describe(self.schema)}  ({right}{confidence}{vote})"
            label = f"R{r + 1}: "
            if width is None:
                lines.append(label + text)
            else:
                indent = " " * len(label)
                wrapped = textwrap.wrap(
                    label + text,
                    width,
                    subsequent_indent=indent,
                    break_long_words=False,
                    break_on_hyphens=False,
                )
                lines.extend(wrapped)
        if self.default is not None:
            lines.append(f"otherwise {self._class_text(self.default)}")
        return "\n".join(lines)

    def _class_text(self, code: int) -> str:
        target = self.schema.target
        return f"{target.name if target else 'class'} = {self.schema.classes[code]}"

    def __str__(self) -> str:
        return self.describe(min(100, shutil.get_terminal_size((100, 24)).columns))

    def _repr_html_(self) -> str:
        """Return an escaped table for notebooks."""
        return str(self.to_frame().to_html(escape=True, float_format=lambda x: f"{x:.4g}"))

    def to_dict(self) -> dict[str, Any]:
        """Return a JSON-ready form, without schema and tree."""
        return {
            "rules": [rule.to_dict() for rule in self.rules],
            "default": self.default,
            "semantics": self.semantics,
        }

    @classmethod
    def from_dict(cls, record: dict[str, Any], schema: Schema, tree: Tree | None = None) -> RuleList:
        """Build a rule list from what `to_dict` returned."""
        rules = tuple(Rule.from_dict(rule) for rule in record["rules"])
        check_rules(rules, schema)
        default = None if record["default"] is None else int(record["default"])
        if default is not None and not 0 <= default < schema.n_classes:
            raise DataError(f"The default class {default} is none of {schema.n_classes} classes.")
        return cls(rules, schema, default, record["semantics"], tree)


def check_rules(rules: Sequence[Rule], schema: Schema) -> None:
    """Raise DataError for the first rule that speaks of classes, attributes or values that a schema lacks."""
    for r, rule in enumerate(rules, start=1):
        if not (0 <= rule.consequent < schema.n_classes and len(rule.counts) == schema.n_classes):
            raise DataError(f"Rule {r} does not fit the {schema.n_classes} classes of the schema.")
        for condition in rule.conditions:
            if not 0 <= condition.attribute < schema.n_attributes:
                raise DataError(f"Rule {r} tests attribute {condition.attribute}, which the schema lacks.")
            attribute = schema.attributes[condition.attribute]
            fits = (condition.relation == "in") == attribute.is_nominal
            if not fits or any(not 0 <= code < len(attribute.values) for code in condition.codes):
                raise DataError(f"Rule {r} tests {attribute.name!r} for what that attribute cannot hold.")


def _weight_text(weight: float) -> str:
    if weight >= 1e15:
        return f"{weight:.4g}"
    return f"{weight:.0f}" if weight == round(weight) else f"{weight:.1f}"


def _value_text(value: Value) -> str:
    """Return a value as it is, in quotes if it would be unreadable: empty, with outer blanks, line breaks."""
    text = str(value)
    return (
        text if text and text == text.strip() and text.isprintable() else json.dumps(text, ensure_ascii=False)
    )
