"""Hernandez-Leon and others (2012): CAR-IC beside other associative classifiers, tables 5 to 10.

CAR-IC prefers long rules of high confidence and, where no rule fits a row, asks those that all but fit. The
paper compares it with six classifiers on 20 data sets cut into intervals beforehand; here numbers are cut in
the same manner (LUCS-KDD), but on the training part of each fold.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from evorules.evaluation import Comparison, compare
from evorules.evaluation.significance import paired_t, wilcoxon
from evorules.evaluation.tables import size_table
from evorules.learners import make_learner
from experiments.data import find
from experiments.frame import Options, Output, Section, Study
from experiments.published import published

__all__ = ["NAMES", "STUDY", "learners"]

NAMES = {
    "Adult": "adult",
    "Anneal": "anneal",
    "Breast": "breast-w",
    "Connect4": "connect-4",
    "Dermatology": "dermatology",
    "E-coli": "ecoli",
    "Flare": "flare",
    "Glass": "glass",
    "Heart": "cleveland-5",
    "Hepatitis": "hepatitis",
    "HorseColic": "horse-colic",
    "Ionosphere": "ionosphere",
    "Iris": "iris",
    "Led7": "led7",
    "LetRecog": "letter",
    "Mushroom": "mushroom",
    "PageBlocks": "page-blocks",
    "PenDigits": "pendigits",
    "Pima": "pima",
    "Waveform": "waveform",
}
"""The paper's name of each set, and ours."""

GROUPS = {"2-3": (2, 3), "4-7": (4, 7), ">7": (8, 1000)}
SHARED = {"min_support": 0.01, "discretizer": "lucs_kdd", "max_len": 6, "max_rules": 200_000}
"""What all have in common. The paper gives no limits; without them several sets would never end."""

SYSTEMS = ("CBA", "CMAR", "MCAR", "TFPC", "CAR-IC")
EXACT, DEFAULT = "CAR-IC, exact", "CAR-IC, default class"
THRESHOLDS = tuple((s, c) for s in (1, 10, 20) for c in (40, 50, 60))
SMALL = ("breast-w", "cleveland-5", "ecoli", "flare", "glass", "hepatitis", "iris", "led7", "pima")
"""Sets for the table of thresholds, all with few attributes."""


def learners() -> dict[str, Any]:
    """Return the classifiers that exist here, and two variants of CAR-IC for table 9."""
    found = {name: make_learner(name.lower(), **SHARED) for name in SYSTEMS}
    found[EXACT] = make_learner("car-ic", coverage="exact", **SHARED)
    found[DEFAULT] = make_learner("car-ic", fallback="default", **SHARED)
    return found


def run(options: Options) -> Output:
    """Run the comparison and lay out its tables."""
    sets = options.sets or (("iris", "glass") if options.quick else tuple(NAMES.values()))
    how = {
        "folds": options.folds or (2 if options.quick else 10),
        "seeds": options.seeds or 1,
        "n_jobs": options.n_jobs,
        "scheduler": options.scheduler,
        "store": options.store,
        "verbose": True,
    }
    result = compare(learners(), [find(name, options.data) for name in sets], **how)
    sections = [
        _accuracy(result),
        _ranks(result),
        _by_classes(result, options),
        _coverage(result),
        _wins(result),
        _thresholds(options, how),
        Section("Size and time", size_table(result), "Means over data sets; CPU seconds per fit."),
    ]
    return Output(sections, _figures(result))


def _printed() -> pd.DataFrame:
    """Return the paper's accuracies by our names of the sets."""
    return published("001_car_ic_table6_accuracy").set_index("dataset").rename(index=NAMES)


def _accuracy(result: Comparison) -> Section:
    """Return table 6: accuracy, an abstention counted as an error."""
    ours, paper = 100 * result.matrix()[list(SYSTEMS)], _printed()
    known = [name for name in SYSTEMS if name in paper]
    rows: list[dict[str, Any]] = []
    for data in ours.index:
        cells = {name: f"{ours.loc[data, name]:.1f}" for name in SYSTEMS}
        if data in paper.index:
            for name in known:
                cells[name] += f" ({paper.loc[data, name]:.1f})"
        rows.append({"data": data, **cells})
    both = [data for data in ours.index if data in paper.index]
    means = {name: f"{ours[name].mean():.1f}" for name in SYSTEMS}
    for name in known:
        means[name] += f" ({paper.loc[both, name].mean():.1f})"
    rows.append({"data": "mean", **means})
    return Section(
        "Table 6: accuracy in %, ours (the paper's)", pd.DataFrame(rows), "An abstention is an error."
    )


def _ranks(result: Comparison) -> Section:
    """Return table 7: mean ranks, of ours and of the paper's accuracies over the same systems."""
    ours = result.matrix()[list(SYSTEMS)]
    paper = _printed()
    known = [name for name in SYSTEMS if name in paper]
    both = [data for data in ours.index if data in paper.index]
    mine, theirs = (
        table.loc[both, known].round(4).rank(axis=1, ascending=False).mean() for table in (ours, paper)
    )
    table = pd.DataFrame(
        {
            "system": known,
            "ours": [f"{mine[name]:.2f}" for name in known],
            "the paper's": [f"{theirs[name]:.2f}" for name in known],
        }
    )
    return Section(
        "Table 7: mean ranks over the systems in both",
        table,
        "Ties share their mean rank; the paper ranks seven systems and ties without skipping.",
    )


def _by_classes(result: Comparison, options: Options) -> Section:
    """Return table 8: mean accuracy by number of classes."""
    ours, paper = 100 * result.matrix()[list(SYSTEMS)], _printed()
    n_classes = {name: find(name, options.data).y.nunique() for name in ours.index}
    rows = []
    for group, (low, high) in GROUPS.items():
        inside = [name for name in ours.index if low <= n_classes[name] <= high]
        if inside:
            row = {"classes": group, "sets": len(inside)}
            row |= {name: f"{ours.loc[inside, name].mean():.1f}" for name in SYSTEMS}
            known = [name for name in inside if name in paper.index]
            row |= {
                f"{name} (paper)": f"{paper.loc[known, name].mean():.1f}" for name in ("DDPMine", "CAR-IC")
            }
            rows.append(row)
    return Section(
        "Table 8: accuracy in % by number of classes",
        pd.DataFrame(rows),
        "The paper's means are over the same sets; its DDPMine does not exist here.",
    )


def _coverage(result: Comparison) -> Section:
    """Return table 9: what CAR-IC leaves open with exact and with inexact coverage, and how right it is."""
    paper = published("001_car_ic_table9_coverage").set_index("dataset").rename(index=NAMES)
    accuracy, decided = result.matrix(), result.matrix("coverage")
    rows = []
    for data in accuracy.index:
        figures = {
            "abstains, exact": (1 - decided.loc[data, EXACT], "abst_exact"),
            "accuracy, exact": (accuracy.loc[data, EXACT], "acc_exact"),
            "abstains, inexact": (1 - decided.loc[data, "CAR-IC"], "abst_inexact"),
            "accuracy, inexact": (accuracy.loc[data, "CAR-IC"], "acc_inexact"),
            "default class": (accuracy.loc[data, DEFAULT], "acc_default_class"),
        }
        cells = {}
        for name, (value, column) in figures.items():
            cells[name] = f"{100 * value:.1f}"
            if data in paper.index:
                cells[name] += f" ({paper.loc[data, column]:.1f})"
        rows.append({"data": data, **cells})
    return Section(
        "Table 9: coverage of CAR-IC, ours (the paper's), in %",
        pd.DataFrame(rows),
        "Rows on which it abstains, and accuracy: with exact coverage, with inexact coverage where none is "
        "exact, and with the most frequent class where even that fails.",
    )


def _wins(result: Comparison) -> Section:
    """Return table 10: significant wins and losses by a one-tailed t test over folds."""
    paper = published("001_car_ic_table10_winloss").set_index("row_vs_col")
    folds = {item.data: item.scores for item in result.fold_scores()}
    rows = []
    for first in SYSTEMS:
        row: dict[str, Any] = {"system": first}
        for second in SYSTEMS:
            if first == second:
                row[second] = ""
                continue
            won = sum(_better(scores, first, second) for scores in folds.values())
            lost = sum(_better(scores, second, first) for scores in folds.values())
            row[second] = f"{won}/{lost}"
            if first in paper.index and second in paper:
                row[second] += f" ({paper.loc[first, second]})"
        rows.append(row)
    matrix = result.matrix()[list(SYSTEMS)]
    others = [name for name in SYSTEMS if name != "CAR-IC"]
    tests = ", ".join(
        f"{name} {100 * (matrix['CAR-IC'] - matrix[name]).mean():+.1f} points, "
        f"p = {wilcoxon(matrix['CAR-IC'], matrix[name]).p_value:.3f}"
        for name in others
    )
    return Section(
        f"Table 10: significant wins/losses of the row's system on {len(folds)} sets (the paper's on 20)",
        pd.DataFrame(rows),
        f"One-tailed t test at 5% over folds. CAR-IC over sets, by Wilcoxon's signed ranks: {tests}.",
    )


def _better(scores: dict[str, Any], first: str, second: str) -> bool:
    a, b = scores.get(first), scores.get(second)
    if a is None or b is None or len(a) < 2 or np.allclose(a, b):
        return False
    return paired_t(a, b, alternative="greater").p_value < 0.05


def _thresholds(options: Options, how: dict[str, Any]) -> Section:
    """Return table 5: mean accuracy by support and confidence, over sets with few attributes."""
    sets = [name for name in (options.sets or (("iris",) if options.quick else SMALL)) if name in SMALL]
    paper = published("001_car_ic_table5_thresholds").set_index("classifier")
    asked = THRESHOLDS[1:2] if options.quick else THRESHOLDS
    names = ("CBA", "CMAR", "TFPC")
    grid = {
        f"{name} {s} {c}": make_learner(
            name.lower(), **{**SHARED, "min_support": s / 100, "min_confidence": c / 100}
        )
        for name in names
        for s, c in asked
    }
    rows = []
    if sets:
        result = compare(grid, [find(name, options.data) for name in sets], **how)
        means = 100 * result.matrix().mean()
        for name in names:
            cells: dict[str, Any] = {"system": name}
            for s, c in asked:
                cells[f"{s}%, {c}%"] = f"{means[f'{name} {s} {c}']:.1f}"
                if name in paper.index:
                    cells[f"{s}%, {c}%"] += f" ({paper.loc[name, f's{s}_c{c}']:.1f})"
            rows.append(cells)
    return Section(
        f"Table 5: mean accuracy in % by support and confidence, {len(sets)} sets (the paper's 20)",
        pd.DataFrame(rows),
        f"Ours: {', '.join(sets)}. The row of TFPC is missing in our copy of the paper.",
    )


def _figures(result: Comparison) -> dict[str, Any]:
    from evorules.plots import plot_ranks, plot_rules_and_accuracy

    figures = {"rules": plot_rules_and_accuracy(result)}
    if len(result.datasets) > 2:
        figures["ranks"] = plot_ranks(result)
    return figures


STUDY = Study("are long rules and inexact coverage better? (CAR-IC, Hernandez-Leon and others 2012)", run)
"""The study."""
