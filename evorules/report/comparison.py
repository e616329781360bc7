"""The report of a comparison: one HTML file, figures inside, nothing fetched from elsewhere."""

from __future__ import annotations

import io
from importlib import resources
from pathlib import Path
from typing import Any

import pandas as pd

from evorules import __version__
from evorules.evaluation import Comparison
from evorules.evaluation.tables import mean_table, rank_table, size_table, win_table
from trees.errors import DataError

__all__ = ["write_report"]

MOST_PANELS = 30


def write_report(
    result: Comparison,
    path: str | Path,
    *,
    score: str = "accuracy",
    threshold: float = 15,
    test: str = "corrected t",
    alpha: float = 0.05,
) -> None:
    """Write what a comparison found as an HTML file.

    Parameters
    ----------
    result : Comparison
        What to report.
    path : str or path
        The file, overwritten if it exists.
    score : str
        The score that the tests go by.
    threshold : float
        Greatest size of a small disjunct of the reference tree.
    test : str
        How learners are compared on one data set; one of `EACH_TESTS`.
    alpha : float
        Level of the tests.

    Raises
    ------
    ImportError
        If jinja2 is not installed (extra "report").
    """
    try:
        from jinja2 import Environment
    except ImportError as error:
        raise ImportError("Reports need jinja2: pip install 'evorules[report]'.") from error
    source = resources.files("evorules.report").joinpath("comparison.html.j2").read_text("utf-8")
    environment = Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True)
    content = collect(result, score=score, threshold=threshold, test=test, alpha=alpha)
    Path(path).write_text(environment.from_string(source).render(**content), "utf-8")


def collect(result: Comparison, *, score: str, threshold: float, test: str, alpha: float) -> dict[str, Any]:
    """Return all that the report says, as texts, tables of texts and SVG figures."""
    several_learners, several_sets = len(result.learners) > 1, len(result.datasets) > 1
    sections = [
        _section(
            f"{score.replace('_', ' ').capitalize()} by data set",
            mean_table(result, score),
            "Mean ± standard deviation over folds (of the means over seeds). Shares are in percent.",
        )
    ]
    if result.has_reference:
        for part in ("large", "small"):
            sections.append(
                _section(
                    f"Accuracy on rows in {part} disjuncts",
                    mean_table(result, f"{part}_accuracy", threshold=threshold),
                    f"A disjunct is a leaf of the reference tree; it is small with at most {threshold:g} "
                    "training rows. Folds without such rows do not count.",
                )
            )
    sections.append(
        _section("Size and time", size_table(result), "Means over data sets; CPU seconds per fit.")
    )
    if several_learners:
        wins = result.wins(score, test=test, alpha=alpha)
        sections.append(
            _section(
                "Wins, ties and losses",
                win_table(wins),
                f"Data sets on which the row's learner is better / equal / worse than the column's by the "
                f"{test} test at {alpha:g}.",
            )
        )
    if several_learners and several_sets:
        sections += _over_sets(result, score, alpha)
    failures, warnings = result.failures(), result.warnings()
    return {
        "title": f"{len(result.learners)} learners on {len(result.datasets)} data sets",
        "version": __version__,
        "settings": _settings(result),
        "sections": sections,
        "figures": _figures(result, score, alpha),
        "failures": _rows(failures.head(200)),
        "n_failures": len(failures),
        "n_tasks": len(result.to_frame(threshold=None)),
        "warnings": _rows(warnings.head(200)),
    }


def _over_sets(result: Comparison, score: str, alpha: float) -> list[dict[str, Any]]:
    """Return the tests over data sets."""
    try:
        report = result.ranks(score, alpha=alpha)
    except DataError as error:
        return [{"title": "Ranks over data sets", "note": str(error), "columns": [], "rows": []}]
    found = report.test
    left_out = f" Left out, as runs failed: {', '.join(report.dropped)}." if report.dropped else ""
    note = (
        f"Friedman over {found.n_sets} data sets: chi-square {found.statistic:.3f} (corrected for ties on "
        f"{found.n_ties} of them), p = {found.p_value:.4f}; Iman and Davenport: F = "
        f"{found.f_statistic:.3f}, p = {found.f_p_value:.4f}. Nemenyi's critical distance at {alpha:g}: "
        f"{report.distance:.2f}.{left_out}"
    )
    pairs = result.significance(score)
    shown = pd.DataFrame(
        {
            "first": pairs["first"],
            "second": pairs["second"],
            "sets": pairs["n_sets"],
            "failed": pairs["n_failed"],
            "wins / ties / losses": [
                f"{w} / {t} / {x}"
                for w, t, x in zip(pairs["wins"], pairs["ties"], pairs["losses"], strict=True)
            ],
            "mean difference": [f"{value:+.4f}" for value in pairs["mean_difference"]],
            "effect size": [f"{value:+.2f}" for value in pairs["effect_size"]],
            "p": [f"{value:.4f}" for value in pairs["p_value"]],
            "p, Holm": [f"{value:.4f}" for value in pairs["p_holm"]],
        }
    )
    return [
        _section("Ranks over data sets", rank_table(result, score, alpha=alpha), note),
        _section(
            "Wilcoxon's signed ranks over data sets",
            shown,
            "Two-sided; ties are dropped from the ranks. Positive differences and effects (rank-biserial "
            "correlation) speak for the first.",
        ),
    ]


def _section(title: str, table: pd.DataFrame, note: str) -> dict[str, Any]:
    return {"title": title, "note": note, **_rows(table)}


def _rows(table: pd.DataFrame) -> dict[str, Any]:
    cells = [["-" if pd.isna(cell) else str(cell) for cell in row] for row in table.itertuples(index=False)]
    return {"columns": [str(column) for column in table.columns], "rows": cells}


def _settings(result: Comparison) -> list[tuple[str, str]]:
    """Return the settings of the comparison as pairs of texts."""
    settings = result.settings
    sets = ", ".join(f"{item['name']} ({item['rows']} rows)" for item in settings["data"])
    pairs = [("data", sets), ("learners", ", ".join(result.learners))]
    for name in ("folds", "repeats", "seeds", "random_state", "time_limit", "memory_limit"):
        value = settings.get(name)
        if value is not None:
            shown = ", ".join(map(str, value)) if isinstance(value, list) else str(value)
            pairs.append((name.replace("_", " "), shown))
    pairs += [(f"learner {name}", spec) for name, spec in settings["learners"].items()]
    return pairs


def _figures(result: Comparison, score: str, alpha: float) -> list[dict[str, str]]:
    """Return the figures as SVG text; none without matplotlib."""
    from evorules.plots import plot_ranks, plot_rules_and_accuracy, plot_scores

    try:
        import matplotlib
    except ImportError:
        return []
    scores, rules = result.matrix(score), result.matrix("rules")
    whole, with_rules = scores.dropna(), rules.columns[rules.notna().any()]
    drawn = [("Scores over folds", plot_scores(result, score, datasets=result.datasets[:MOST_PANELS]))]
    if len(with_rules) and len(scores[with_rules].dropna()):
        drawn.append(("Score against the number of rules", plot_rules_and_accuracy(result, score)))
    if len(whole) > 1 and len(result.learners) > 1:
        drawn.append(("Critical difference of mean ranks", plot_ranks(result, score, alpha=alpha)))
    figures = []
    for title, figure in drawn:
        buffer = io.StringIO()
        with matplotlib.rc_context({"svg.hashsalt": title}):  # the same figure gives the same file
            figure.savefig(buffer, format="svg", bbox_inches="tight", metadata={"Date": None})
        text = buffer.getvalue()
        figures.append({"title": title, "svg": text[text.index("<svg") :]})
    return figures
