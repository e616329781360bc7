"""Veloso, Meira and Zaki (2006): lazy against eager association, and against decision trees.

Table 1 of the paper has error rates on 26 data sets, table 2 accuracy relative to three rule learners, table
3 seconds, figure 7 the share of rules that are used, figure 8 errors by the longest rule allowed. Its sets
diabetes and pima are one and the same, so there are 25.
"""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pandas as pd
from sklearn.model_selection import StratifiedKFold

from evorules.associative import EACClassifier, LACClassifier
from evorules.associative.eac import minimal_pure
from evorules.associative.lazy import LazySearch
from evorules.datasets import Dataset
from evorules.evaluation import Comparison, compare
from evorules.items import Items
from evorules.learners import make_learner
from evorules.mining import BitsetMiner
from evorules.rules.training import TrainingRules
from experiments.data import find
from experiments.frame import Options, Output, Section, Study
from experiments.published import published
from trees.discretize import MDLP
from trees.table import Table

__all__ = ["STUDY", "learners"]

FILES = {"breast": "breast-w", "heart": "heart-statlog", "horse": "horse-colic"}
"""Files of the sets that the paper calls otherwise."""

SETS = (
    *("anneal", "australian", "auto", "breast", "cleve", "crx", "german", "glass", "heart", "hepatitis"),
    *("horse", "hypo", "ionosphere", "iris", "labor", "led7", "lymph", "pima", "sick", "sonar"),
    *("tic-tac-toe", "vehicle", "waveform", "wine", "zoo"),
)
QUICK_SETS = ("tic-tac-toe", "iris")
USED_SETS = ("anneal", "australian", "auto", "breast", "cleve", "crx", "pima", "glass")
"""Sets of figure 7 (diabetes is pima)."""

SIZE_SETS = ("anneal", "australian", "auto", "breast", "cleve", "crx", "pima", "heart")
"""Sets of figure 8."""

SUPPORTS = (0.005, 0.01, 0.015, 0.02)
LENGTHS = (1, 2, 3, 4, 5)
LONGEST = 5
COLUMNS = {
    "C4.5": "C4.5",
    "LazyDT": "LazyDT",
    "EAC, gain": "EAC_ig",
    "CBA": "CBA",
    "CMAR": "CMAR",
    "LAC, gain": "LAC_ig",
    "LAC, confidence": "LAC_conf",
}
"""Our learners and their columns in table 1 of the paper."""

RIVALS = ("RISE", "RIPPER", "SLIPPER")


def learners() -> dict[str, Any]:
    """Return the learners of table 1 that exist here: support 1%, confidence 50%, at most 5 conditions."""
    rules = {"max_len": LONGEST}
    return {
        "C4.5": make_learner("c45"),
        "LazyDT": make_learner("lazydt"),
        "EAC, gain": make_learner("eac", **rules),
        "CBA": make_learner("cba", **rules),
        "CMAR": make_learner("cmar", **rules),
        "LAC, gain": make_learner("lac", **rules),
        "LAC, confidence": make_learner("lac", rank="confidence", **rules),
    }


def _find(name: str, options: Options) -> Dataset:
    """Return a set under the paper's name; of sick the first 2800 rows, which its collection had."""
    data = find(FILES.get(name, name), options.data)
    rows = 2800 if name == "sick" else len(data.X)
    assert data.y is not None
    return Dataset(name, data.X.iloc[:rows], data.y.iloc[:rows], data.description)


def run(options: Options) -> Output:
    """Run the comparisons and lay out tables and figures."""
    sets = options.sets or (QUICK_SETS if options.quick else SETS)
    folds = options.folds or (2 if options.quick else 10)
    shared: dict[str, Any] = {
        "folds": folds,
        "n_jobs": options.n_jobs,
        "scheduler": options.scheduler,
        "verbose": True,
    }
    data = {name: _find(name, options) for name in sets}
    result = compare(learners(), list(data.values()), store=options.store, **shared)
    by_length = {
        f"{name}, {length}": make_learner(name, max_len=length)
        for length in LENGTHS
        for name in ("eac", "lac")
    }
    sized = [data[name] for name in (sets if options.quick else SIZE_SETS) if name in data]
    sections = [_errors(result), _means(result), _projections(list(data.values()))]
    sections += [_relative(result), _seconds(result, folds)]
    figures = {}
    if sized:
        lengths = compare(by_length, sized, store=options.store, **shared)
        sections.append(_length_table(lengths))
        figures["length"] = _length_figure(lengths)
    used = [data[name] for name in (sets if options.quick else USED_SETS) if name in data]
    if used:
        share = _use(used, 2 if options.quick else 3)
        sections.append(_use_table(share))
        figures["use"] = _use_figure(share)
    return Output(sections, figures)


def _ours(result: Comparison) -> pd.DataFrame:
    """Return error rates in %, a row per set and a column per learner."""
    return 100 * (1 - result.matrix())


def _printed(result: Comparison) -> pd.DataFrame:
    """Return the paper's error rates in the same form."""
    table = published("003_lac_table1_error").set_index("dataset")
    names = {column: name for name, column in COLUMNS.items()}
    return table.reindex(result.datasets)[list(COLUMNS.values())].rename(columns=names)


def _errors(result: Comparison) -> Section:
    ours, printed = _ours(result), _printed(result)
    rows = []
    for data in result.datasets:
        cells = {
            name: f"{ours.loc[data, name]:.1f} ({_text(printed.loc[data, name])})" for name in result.learners
        }
        rows.append({"data": data} | cells)
    means = {name: f"{ours[name].mean():.1f} ({_text(printed[name].mean())})" for name in result.learners}
    rows.append({"data": f"mean of {len(ours)}"} | means)
    return Section(
        "Error rates in %, ours and in brackets those of table 1",
        pd.DataFrame(rows),
        "Means over folds. The paper's means are over the sets that stand here.",
    )


def _text(value: float, digits: int = 1) -> str:
    return "-" if pd.isna(value) else f"{value:.{digits}f}"


def _means(result: Comparison) -> Section:
    """Return how far our errors are from the printed ones, and the error reduction against C4.5."""
    ours, printed = _ours(result), _printed(result)
    rows = []
    for name in result.learners:
        gap = ours[name] - printed[name]
        rows.append(
            {
                "learner": name,
                "ours": f"{ours[name].mean():.1f}",
                "paper": _text(printed[name].mean()),
                "difference": f"{gap.mean():+.1f}",
                "sets within 2": f"{int((gap.abs() <= 2).sum())} of {int(gap.notna().sum())}",
                "higher by more": ", ".join(gap.index[gap > 2]) or "-",
                "lower by more": ", ".join(gap.index[gap < -2]) or "-",
                "reduction, ours": _reduction(ours, name),
                "reduction, paper": _reduction(printed, name),
            }
        )
    return Section(
        "Difference from the paper in points of error",
        pd.DataFrame(rows),
        "Reduction: of C4.5's mean error, in %, as the last columns of table 1 have it by set.",
    )


def _reduction(errors: pd.DataFrame, name: str) -> str:
    mean = errors.mean()
    return "-" if name == "C4.5" else f"{100 * (1 - mean[name] / mean['C4.5']):.1f}"


def _projections(sets: list[Dataset]) -> Section:
    """Return how large a share of the training rows the projections are, in the first of ten folds."""
    rows = []
    for data in sets:
        table = Table.from_frame(data.X, data.y)
        train, test = next(
            iter(StratifiedKFold(10, shuffle=True, random_state=0).split(table.X, table.classes))
        )
        training = table.take(train)
        items = Items.of(training, MDLP().fit(training))
        near = LazySearch(items).project(items.encode(table.take(test))).sum(axis=1) / items.n_rows
        rows.append(
            {
                "data": data.name,
                "mean, %": f"{100 * near.mean():.1f}",
                "least, %": f"{100 * near.min():.1f}",
                "attributes": training.n_attributes - len(items.cuts.uncut),
            }
        )
    return Section(
        "Share of the training rows in the projection of a test row",
        pd.DataFrame(rows),
        "Rows that share at least one item with the row to classify, over the test rows of one fold; "
        "attributes that MDLP leaves without a cut point are no items. The support of lazy rules is 1% of "
        "these.",
    )


def _relative(result: Comparison) -> Section:
    """Return accuracy relative to three rule learners, whose own follows from the printed ratios."""
    ours, printed = 100 - _ours(result), 100 - _printed(result)
    ratios = published("003_lac_table2_relative").set_index("dataset").reindex(result.datasets)
    rows = []
    for name in ("EAC, gain", "LAC, gain", "LAC, confidence"):
        for rival in RIVALS:
            ratio = ratios[f"{COLUMNS[name]}_vs_{rival}"]
            accuracy = printed[name] / ratio
            mine = (ours[name] / accuracy).round(2)
            rows.append(
                {
                    "learner": name,
                    "rival": rival,
                    "ours, mean": f"{mine.mean():.2f}",
                    "paper, mean": f"{ratio.mean():.2f}",
                    "ours, higher/equal/lower": _counts(mine),
                    "paper, higher/equal/lower": _counts(ratio),
                }
            )
    return Section(
        "Accuracy relative to RISE, RIPPER and SLIPPER (table 2)",
        pd.DataFrame(rows),
        "The paper divides by accuracies that others report; they follow from its ratios and errors, to "
        "about half a point. Ours are divided by the same ones.",
    )


def _counts(ratio: pd.Series) -> str:
    return f"{(ratio > 1).sum()}/{(ratio == 1).sum()}/{(ratio < 1).sum()}"


def _seconds(result: Comparison, folds: int) -> Section:
    """Return CPU seconds of the whole cross-validation beside the printed ones."""
    frame = result.to_frame(threshold=None)
    table = published("003_lac_table3_seconds").set_index("dataset").reindex(result.datasets)
    names = {"C4.5": "C4.5", "EAC, gain": "EAC_ig", "LAC, gain": "LAC_ig"}
    frame = frame[frame["status"] == "ok"].assign(cpu=frame["fit_cpu"] + frame["predict_cpu"])
    # the median: a fold in which a kernel is compiled or loaded does not count
    total = {
        name: folds * frame[frame["learner"] == name].groupby("data", sort=False)["cpu"].median()
        for name in names
    }
    rows = []
    for data in result.datasets:
        cells = {
            name: f"{total[name][data]:.2f} ({_text(table.loc[data, column])})"
            for name, column in names.items()
        }
        rows.append({"data": data} | cells)
    means = {
        name: f"{total[name].mean():.2f} ({_text(table[column].mean())})" for name, column in names.items()
    }
    rows.append({"data": f"mean of {len(rows)}"} | means)
    return Section(
        "CPU seconds of cross-validation, ours and in brackets those of table 3",
        pd.DataFrame(rows),
        f"Fit and predict, {folds} times the median of the folds; the paper's machine is not named there.",
    )


def _by_length(result: Comparison) -> pd.DataFrame:
    """Return error rates in %, index data and longest rule, a column per learner."""
    errors = _ours(result).stack().rename("error").reset_index()
    errors.columns = ["data", "name", "error"]
    errors[["learner", "length"]] = errors["name"].str.split(", ", expand=True)
    errors["length"] = errors["length"].astype(int)
    index = ["data", "length"]
    table: pd.DataFrame = errors.pivot_table(index=index, columns="learner", values="error", sort=False)
    return table


def _length_table(result: Comparison) -> Section:
    table = _by_length(result).stack().unstack("length")
    shown = table.map(lambda value: f"{value:.1f}").reset_index()
    shown["learner"] = shown["learner"].str.upper()
    return Section(
        "Error rates in % by the most conditions of a rule (figure 8)",
        shown.rename(columns=str),
        "Ranked by information gain, support 1%.",
    )


def _grid(n: int) -> tuple[Any, list[Any]]:
    from evorules.plots.canvas import new_figure

    columns = min(n, 4)
    rows = -(-n // columns)
    figure = new_figure(2.4 * columns + 0.4, 2.1 * rows + 0.6)
    return figure, [figure.add_subplot(rows, columns, place + 1) for place in range(n)]


def _length_figure(result: Comparison) -> Any:
    from evorules.plots.canvas import style_of

    table = _by_length(result)
    figure, axes = _grid(len(result.datasets))
    for place, (ax, data) in enumerate(zip(axes, result.datasets, strict=True)):
        part = table.loc[data]
        for number, name in enumerate(("eac", "lac")):
            ax.plot(
                part.index,
                part[name],
                ms=4,
                lw=1.2,
                label=name.upper() if place == 0 else None,
                **style_of(number),
            )
        ax.set_title(data, fontsize=9)
        ax.set_xticks(list(LENGTHS))
        ax.tick_params(labelsize=8)
        ax.grid(color="#dddddd", lw=0.6)
    figure.supxlabel("most conditions of a rule", fontsize=9)
    figure.supylabel("error, %", fontsize=9)
    figure.legend(loc="outside upper right", ncols=2, fontsize=8, frameon=False)
    return figure


def _use(sets: list[Dataset], n_folds: int) -> pd.DataFrame:
    """Return the share in % of distinct rules that decide for some test row, over some of ten folds."""
    rows = []
    for data in sets:
        table = Table.from_frame(data.X, data.y)
        splits = list(StratifiedKFold(10, shuffle=True, random_state=0).split(table.X, table.classes))[
            :n_folds
        ]
        for support in SUPPORTS:
            for minimal in (False, True):
                shares = [
                    _shares(table.take(train), table.take(test), support, minimal) for train, test in splits
                ]
                eager, lazy = np.mean(shares, axis=0)
                rows.append(
                    {"data": data.name, "support": support, "minimal": minimal, "EAC": eager, "LAC": lazy}
                )
    return pd.DataFrame(rows)


def _shares(training: Table, test: Table, support: float, minimal: bool) -> tuple[float, float]:
    options: dict[str, Any] = {"min_support": support, "max_len": 3, "minimal": minimal}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        eager = EACClassifier(**options).fit(training)
        lazy = LACClassifier(**options).fit(training)
    mined = BitsetMiner(min_support=support, min_confidence=0.0, max_len=3).mine(
        Items.of(training, MDLP().fit(training))
    )
    n_rules = len(minimal_pure(TrainingRules.of_cars(mined))) if minimal else len(mined)
    deciding = eager.decide(test).rule
    used = len(np.unique(deciding[deciding >= 0]))
    return 100 * used / max(n_rules, 1), 100 * lazy.use(test).utilisation


def _use_table(share: pd.DataFrame) -> Section:
    shown = share.assign(
        support=[f"{100 * value:.1f}" for value in share["support"]],
        minimal=np.where(share["minimal"], "yes", "no"),
        EAC=[f"{value:.2f}" for value in share["EAC"]],
        LAC=[f"{value:.2f}" for value in share["LAC"]],
    )
    return Section(
        "Rules that decide for some test row, in % of all distinct rules (figure 7)",
        shown.rename(columns={"support": "support, %", "minimal": "minimal rules"}),
        "Means over 3 of 10 folds, rules of at most 3 conditions ranked by information gain. Of lazy rules "
        "all count that are generated for some test row. Minimal: without those that extend a rule of "
        "confidence 1.",
    )


def _use_figure(share: pd.DataFrame) -> Any:
    from evorules.plots.canvas import style_of

    names = share["data"].unique().tolist()
    figure, axes = _grid(len(names))
    for place, (ax, data) in enumerate(zip(axes, names, strict=True)):
        for minimal, line in ((False, "-"), (True, "--")):
            part = share[(share["data"] == data) & (share["minimal"] == minimal)]
            for number, name in enumerate(("EAC", "LAC")):
                label = f"{name}{', minimal rules' if minimal else ''}" if place == 0 else None
                x = 100 * part["support"]
                ax.plot(x, part[name], ms=4, lw=1.2, ls=line, label=label, **style_of(number))
        ax.set_title(data, fontsize=9)
        ax.tick_params(labelsize=8)
        ax.grid(color="#dddddd", lw=0.6)
    figure.supxlabel("minimum support, %", fontsize=9)
    figure.supylabel("used rules, %", fontsize=9)
    figure.legend(loc="outside upper right", ncols=4, fontsize=8, frameon=False)
    return figure


STUDY = Study("do lazily made association rules beat eager ones, and C4.5? (Veloso and others 2006)", run)
"""The study."""
