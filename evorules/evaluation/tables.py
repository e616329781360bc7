"""Tables of a comparison as papers print them: text cells, ready for a terminal, Markdown or HTML."""

from __future__ import annotations

from typing import Literal

import numpy as np
import pandas as pd

from evorules.evaluation.ranks import mean_ranks
from evorules.evaluation.results import Comparison
from evorules.evaluation.scores import LOWER_IS_BETTER

__all__ = ["mean_table", "rank_table", "size_table", "to_markdown", "win_table"]

PERCENT = ("accuracy", "error", "coverage", "recall", "g_mean", "f1", "auc", "utilisation")


def _is_share(score: str) -> bool:
    return any(part in score for part in PERCENT)


def number(value: float, score: str) -> str:
    """Return a score as text: shares in percent with one decimal, others with three digits; - if missing."""
    if pd.isna(value):
        return "-"
    return f"{100 * value:.1f}" if _is_share(score) else f"{value:.3g}"


def mean_table(
    result: Comparison,
    score: str = "accuracy",
    *,
    baseline: str | None = None,
    test: str = "corrected t",
    failed: Literal["drop", "ignore"] = "drop",
    threshold: float = 15,
) -> pd.DataFrame:
    """Return mean ± standard deviation by data set and learner, with means and mean ranks below.

    Parameters
    ----------
    result : Comparison
        What to show.
    score : str
        A column of `Comparison.to_frame`; shares are given in percent.
    baseline : str, optional
        Learner that the others are compared with on each data set: "+" after a mean says better, "-" worse.
    test : str
        How; one of `EACH_TESTS`.
    failed : {"drop", "ignore"}
        What a failed run does to the mean.
    threshold : float
        Greatest size of a small disjunct.
    """
    summary = result.summary(score, failed=failed, threshold=threshold)
    marks: dict[tuple[str, str], str] = {}
    if baseline is not None:
        each = result.on_each(score, test=test, baseline=baseline, failed=failed, threshold=threshold)
        signs = {1: "+", -1: "-"}
        for data, first, outcome in zip(each["data"], each["first"], each["outcome"], strict=True):
            marks[data, first] = "" if pd.isna(outcome) else signs.get(int(outcome), "")
    rows = []
    for data in result.datasets:
        row = {"data": data}
        for learner in result.learners:
            mean = float(summary["mean"][data, learner])
            sd = float(summary["sd"][data, learner])
            spread = "" if np.isnan(sd) else f" ± {number(sd, score)}"
            row[learner] = number(mean, score) + spread + marks.get((data, learner), "")
        rows.append(row)
    matrix = result.matrix(score, failed=failed, threshold=threshold)
    whole = matrix.dropna()
    means = {name: number(float(whole[name].mean()), score) for name in result.learners}
    rows.append({"data": f"mean of {len(whole)}", **means})
    if matrix.shape[1] > 1 and len(whole):
        ranks = mean_ranks(whole.to_numpy(), higher_is_better=score not in LOWER_IS_BETTER)
        named = zip(whole.columns, ranks, strict=True)
        rows.append({"data": "mean rank", **{name: f"{rank:.2f}" for name, rank in named}})
    return pd.DataFrame(rows)


def win_table(wins: pd.DataFrame) -> pd.DataFrame:
    """Return wins/ties/losses of the row's learner against the column's, from `Comparison.wins`."""
    names = list(dict.fromkeys(wins["first"]))
    cells = {
        (first, second): f"{won}/{tied}/{lost}"
        for first, second, won, tied, lost in zip(
            wins["first"], wins["second"], wins["wins"], wins["ties"], wins["losses"], strict=True
        )
    }
    every = list(dict.fromkeys([*names, *wins["second"]]))
    rows = [{"learner": a, **{b: cells.get((a, b), "") for b in every}} for a in every]
    return pd.DataFrame(rows)


def size_table(result: Comparison) -> pd.DataFrame:
    """Return means over data sets of the number of rules and conditions, and of CPU seconds, per learner."""
    frame = result.to_frame(threshold=None)
    frame = frame[frame["status"] == "ok"]
    warm = frame[frame["is_cold"] == 0]
    rows = []
    for learner in result.learners:
        part, times = frame[frame["learner"] == learner], warm[warm["learner"] == learner]
        row = {"learner": learner}
        for name in ("rules", "conditions", "utilisation"):
            value = part.groupby("data")[name].mean().mean() if name in part else np.nan
            shown = number(value, name) if name == "utilisation" else f"{value:.1f}"
            row[name] = "-" if pd.isna(value) else shown
        for name in ("fit_cpu", "predict_cpu"):
            value = times.groupby("data")[name].mean().mean()
            row[f"{name} (s)"] = "-" if pd.isna(value) else f"{value:.3g}"
        rows.append(row)
    return pd.DataFrame(rows)


def rank_table(result: Comparison, score: str = "accuracy", *, alpha: float = 0.05) -> pd.DataFrame:
    """Return learners by mean rank, with the group of those that do not differ from the best."""
    report = result.ranks(score, alpha=alpha)
    best = report.ranks.iloc[0]
    rows = [
        {
            "learner": name,
            "mean rank": f"{rank:.2f}",
            "differs from the best": "yes" if rank - best >= report.distance else "no",
        }
        for name, rank in report.ranks.items()
    ]
    return pd.DataFrame(rows)


def to_markdown(table: pd.DataFrame) -> str:
    """Return a table in Markdown; the first column is left-aligned, the others right."""
    names = [str(column) for column in table.columns]
    lines = ["| " + " | ".join(names) + " |", "| --- |" + " ---: |" * (len(names) - 1)]
    for cells in table.itertuples(index=False):
        texts = ("-" if pd.isna(cell) else str(cell).replace("|", "\\|") for cell in cells)
        lines.append("| " + " | ".join(texts) + " |")
    return "\n".join(lines)
