"""Remedies for small disjuncts side by side: genetic, associative, neighbours, a second tree, nothing.

All systems share the trees and folds: a leaf of C4.5 with at most 15 training rows is small, and a remedy
answers for the test rows that fall into one. So the systems differ on those rows alone.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from evorules.evaluation import Comparison, compare, contrast_over
from evorules.evaluation.tables import mean_table
from evorules.hybrids import SmallDisjunctClassifier
from evorules.learners import make_learner
from experiments.data import find
from experiments.frame import Options, Output, Section, Study
from experiments.gain import gain_figure

__all__ = ["STUDY", "learners"]

THRESHOLD = 15
SETS = (
    "audiology",
    "auto",
    "balance-scale",
    "breast-cancer",
    "car",
    "cleveland-5",
    "crx",
    "ecoli",
    "german",
    "glass",
    "heart-failure",
    "heart-statlog",
    "hepatitis",
    "horse-colic",
    "house-votes-84",
    "pima",
    "primary-tumor",
    "segmentation",
    "sonar",
    "soybean",
    "tic-tac-toe",
    "titanic",
    "vehicle",
    "vowel",
)
NOTHING = "nothing"
GENETIC = "GA-Large-SN improved"
BARE = "1 neighbour"
"""A system whose handler has no rules: its rules are those of the large leaves."""

QUICK = {"population_size": 20, "n_generations": 5}


def learners(quick: bool = False) -> dict[str, Any]:
    """Return C4.5 without and with each remedy."""
    ga = QUICK if quick else {}
    remedies: dict[str, tuple[str, dict[str, Any]]] = {
        GENETIC: ("ga-large-sn", {"variant": "improved", **ga}),
        "GA-Large-SN paper": ("ga-large-sn", {"variant": "paper", **ga}),
        "GA-Small": ("ga-small", ga),
        "eager rules": ("c45-eac", {}),
        "eager rules, gate": ("c45-eac", {"overrule": "pessimistic"}),
        "lazy rules": ("c45-lac", {}),
        "lazy rules, gate": ("c45-lac", {"overrule": "pessimistic"}),
        "lazy rules, all rows": ("c45-lac", {"rows": "all"}),
        BARE: ("c45-ib1", {}),
        "5 neighbours, all rows": ("c45-ib1", {"k": 5, "ib_data": "all"}),
        "second tree": ("double-c45", {}),
    }
    found = {NOTHING: make_learner("c45")}
    for name, (learner, parameters) in remedies.items():
        found[name] = make_learner(learner, threshold=THRESHOLD, **parameters)
    found["naive Bayes"] = SmallDisjunctClassifier(handler="naive-bayes", threshold=THRESHOLD)
    return found


def run(options: Options) -> Output:
    """Run the comparison and lay out its tables."""
    sets = options.sets or (("tic-tac-toe", "monks-2") if options.quick else SETS)
    result = compare(
        learners(options.quick),
        [find(name, options.data) for name in sets],
        folds=options.folds or (2 if options.quick else 10),
        seeds=options.seeds or 1,
        n_jobs=options.n_jobs,
        scheduler=options.scheduler,
        store=options.store,
        verbose=True,
    )
    sections = [_small_rows(result), _accuracy(result), _against(result, NOTHING), _against(result, GENETIC)]
    return Output([*sections, _sizes(result)], _figures(result))


def _pooled(result: Comparison) -> pd.DataFrame:
    """Return rows and hits in small leaves and in large ones; index data and learner, pooled over folds."""
    frame = result.to_frame(threshold=THRESHOLD)
    columns = ["small_rows", "small_correct", "large_rows", "large_correct"]
    return frame[frame["status"] == "ok"].groupby(["data", "learner"], sort=False)[columns].sum()


def _shares(result: Comparison) -> pd.DataFrame:
    """Return accuracy in % on the rows in small leaves; a row per data set, a column per system."""
    sums = _pooled(result)
    shares = 100 * sums["small_correct"] / sums["small_rows"].where(sums["small_rows"] > 0)
    table: pd.DataFrame = shares.unstack().reindex(index=result.datasets, columns=result.learners)
    return table


def _small_rows(result: Comparison) -> Section:
    shares, sums = _shares(result), _pooled(result)
    rows = []
    for data in result.datasets:
        tree = sums.loc[(data, NOTHING)]
        tested = tree["small_rows"] + tree["large_rows"]
        errors = tested - tree["small_correct"] - tree["large_correct"]
        wrong = tree["small_rows"] - tree["small_correct"]
        row = {
            "data": data,
            "% of rows": f"{100 * tree['small_rows'] / tested:.0f}",
            "% of errors": f"{100 * wrong / errors:.0f}" if errors else "-",
        }
        rows.append(row | {name: _text(shares.loc[data, name]) for name in result.learners})
    mean = {"data": f"mean of {len(shares.dropna())}", "% of rows": "", "% of errors": ""}
    rows.append(mean | {name: _text(value) for name, value in shares.dropna().mean().items()})
    return Section(
        "Accuracy in % on test rows in small leaves",
        pd.DataFrame(rows),
        f"Leaves of C4.5 with at most {THRESHOLD} training rows; pooled over folds. First the share of the "
        "test rows, and of C4.5's errors, that lie there.",
    )


def _text(value: float) -> str:
    return "-" if pd.isna(value) else f"{value:.1f}"


def _accuracy(result: Comparison) -> Section:
    return Section(
        "Accuracy in % on all test rows",
        mean_table(result, baseline=NOTHING, test="corrected t"),
        "Mean ± standard deviation over folds; + and - mark differences from C4.5 without a remedy by the "
        "corrected resampled t test at 5%.",
    )


def _against(result: Comparison, baseline: str) -> Section:
    """Return Wilcoxon's test over data sets, on the rows in small leaves and on all rows."""
    shares = _shares(result).dropna()
    parts = []
    for rows, matrix in (("small leaves", shares / 100), ("all", result.matrix())):
        table = contrast_over(matrix, baseline=baseline)
        parts.append(
            pd.DataFrame(
                {
                    "remedy": table["first"],
                    "rows": rows,
                    "sets": table["n_sets"],
                    "higher/equal/lower": [
                        f"{w}/{t}/{x}"
                        for w, t, x in zip(table["wins"], table["ties"], table["losses"], strict=True)
                    ],
                    "points": [f"{100 * value:+.2f}" for value in table["mean_difference"]],
                    "effect": [f"{value:+.2f}" for value in table["effect_size"]],
                    "p": [_chance(value) for value in table["p_value"]],
                    "p, Holm": [_chance(value) for value in table["p_holm"]],
                }
            )
        )
    return Section(
        f"Each remedy against {baseline}",
        pd.concat(parts),
        "Wilcoxon's signed ranks over data sets; effect is the rank-biserial correlation, Holm's correction "
        "is within the same rows. The improved GA-Large-SN was built on data sets of this list.",
    )


def _chance(p: float) -> str:
    return "<.001" if p < 0.0005 else f"{p:.3f}"


def _sizes(result: Comparison) -> Section:
    """Return rules and conditions for the small leaves alone, and CPU time."""
    frame = result.to_frame(threshold=None)
    frame = frame[frame["status"] == "ok"]
    index = ["data", "repeat", "fold"]
    large = frame[frame["learner"] == BARE].set_index(index)[["rules", "conditions"]].astype(float)
    rows = []
    for name in result.learners:
        own = frame[frame["learner"] == name]
        sizes = own.groupby(index)[["rules", "conditions"]].mean().astype(float) - large
        sizes = sizes.groupby("data").mean()
        warm = own[own["is_cold"] == 0]
        times = warm.groupby("data")[["fit_cpu", "predict_cpu"]].mean().mean()
        has_rules = sizes["rules"].max() > 0
        rows.append(
            {
                "remedy": name,
                "rules": f"{sizes['rules'].mean():.1f}" if has_rules else "-",
                "conditions": f"{sizes['conditions'].mean():.1f}" if has_rules else "-",
                "conditions per rule": f"{sizes['conditions'].sum() / sizes['rules'].sum():.1f}"
                if has_rules
                else "-",
                "fit, CPU s": f"{times['fit_cpu']:.3f}",
                "predict, CPU s": f"{times['predict_cpu']:.4f}",
            }
        )
    return Section(
        "What stands in place of the small leaves, and CPU time",
        pd.DataFrame(rows),
        "Means over data sets of rules and conditions that speak for rows in small leaves; for C4.5 these "
        "are the small leaves themselves, and lazy rules, neighbours and naive Bayes have no list. Seconds "
        "per training and per test fold, the tree included.",
    )


def _figures(result: Comparison) -> dict[str, Any]:
    from evorules.plots.canvas import GREY, new_figure, style_of

    shares = _shares(result).dropna()
    change = shares.drop(columns=NOTHING).sub(shares[NOTHING], axis=0)
    figures = {"gain": gain_figure(change)}
    frame = result.to_frame(threshold=None)
    warm = frame[(frame["status"] == "ok") & (frame["is_cold"] == 0)]
    seconds = warm.groupby(["learner", "data"])["fit_cpu"].mean().groupby("learner").mean()
    figure = new_figure(7.5, 4.2)
    axes = figure.add_subplot()
    for number, name in enumerate(change.columns):
        point = [seconds.get(name, np.nan)], [change[name].mean()]
        axes.scatter(*point, s=70, label=name, edgecolors="black", linewidths=0.6, **style_of(number))
    axes.axhline(0, color=GREY, lw=1, zorder=0)
    axes.set_xscale("log")
    axes.set_xlabel("CPU seconds per fit (log scale), mean over data sets")
    axes.set_ylabel("mean change on rows in small leaves, points")
    axes.grid(color="#dddddd", lw=0.6)
    axes.set_axisbelow(True)
    figure.legend(loc="outside right upper", fontsize=8, frameon=False)
    return figures | {"cost": figure}


STUDY = Study(
    "which remedy for small disjuncts: genetic, associative, neighbours, a second tree, or none?", run
)
"""The study."""
