"""The result of a comparison: frames, summaries and tests over what a store holds."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal, Self

import numpy as np
import numpy.typing as npt
import pandas as pd

from evorules.evaluation.contrasts import (
    FoldScores,
    RankReport,
    contrast_each,
    contrast_over,
    count_wins,
    rank_learners,
)
from evorules.evaluation.scores import LOWER_IS_BETTER
from evorules.evaluation.store import PlanRecord, Predictions, ResultStore
from trees.errors import DataError, ParameterError
from trees.naming import closest_first, listed

__all__ = ["Comparison"]

PLACE = ["data", "learner", "repeat", "fold", "seed"]
TIMES = ["fit_cpu", "predict_cpu", "wall", "overhead", "is_cold"]
COUNTS = ["n_correct", "n_abstained", "rules", "conditions", "longest_rule"]
PART_SCORES = ["large_accuracy", "small_accuracy"]
FAILED = ("drop", "ignore")


def _columns_of(scores: list[dict[str, Any]]) -> pd.DataFrame:
    """Return scores as columns of numbers, accuracy first; counts as integers that may be missing."""
    names = dict.fromkeys(["accuracy", *COUNTS[:1]])
    for record in scores:
        names |= dict.fromkeys(record)
    names.pop("recall", None)
    columns: dict[str, Any] = {}
    for name in names:
        values: Any = np.array([record.get(name) for record in scores], dtype=np.float64)
        columns[name] = pd.array(values, dtype="Int64") if name in COUNTS else values
    return pd.DataFrame(columns)


class Comparison:
    """What became of a comparison.

    Parameters
    ----------
    store : ResultStore
        Holds the rows.
    record : PlanRecord
        Which comparison of the store it is.
    overhead : dict of str to float
        CPU seconds of the parent process that went into planning and storing.

    Attributes
    ----------
    settings : dict
        What the comparison was asked for.
    """

    def __init__(
        self, store: ResultStore, record: PlanRecord, overhead: dict[str, float] | None = None
    ) -> None:
        self.store = store
        self.settings = record.settings
        self.overhead = overhead or {}
        self._plan = record.number
        self._frame: pd.DataFrame | None = None
        self._parts: dict[float, pd.DataFrame] = {}

    @classmethod
    def open(cls, path: str | Path, plan: int | None = None) -> Self:
        """Open a comparison of a store, the one used last if none is named.

        Raises
        ------
        DataError
            If there is no such file or comparison.
        """
        if not Path(path).is_file():
            raise DataError(f"There is no store {str(path)!r}.")
        store = ResultStore(path)
        return cls(store, store.plan(plan))

    def __repr__(self) -> str:
        frame = self.to_frame(threshold=None)
        sets, learners = len(self.datasets), len(self.learners)
        ok = int((frame["status"] == "ok").sum())
        return f"<Comparison: {learners} learners on {sets} data sets, {ok} of {len(frame)} tasks ok>"

    @property
    def learners(self) -> list[str]:
        """Labels of the learners, in the order given."""
        frame = self._all()
        return [str(name) for name in frame.loc[~frame["is_reference"], "learner"].unique()]

    @property
    def datasets(self) -> list[str]:
        """Names of the data sets, in the order given."""
        return [str(name) for name in self._all()["data"].unique()]

    @property
    def has_reference(self) -> bool:
        """Whether a reference tree tells small disjuncts from large ones."""
        return bool(self._all()["is_reference"].any())

    def _all(self) -> pd.DataFrame:
        """Return one row per entry, those of the reference tree too; read once."""
        if self._frame is None:
            rows = self.store.entries(self._plan)
            head = [*PLACE, "is_reference", "n_train", "n_test", "status", "kind", "message", *TIMES]
            frame = pd.DataFrame([row[:-1] for row in rows], columns=head)
            numbers = _columns_of(json.loads(f"[{','.join(row[-1] or '{}' for row in rows)}]"))
            frame["status"] = frame["status"].fillna("missing")
            frame["seed"] = frame["seed"].astype("Int64")
            frame["is_reference"] = frame["is_reference"].astype(bool)
            times = frame[TIMES].astype(np.float64)
            body = frame.drop(columns=[*TIMES, "kind", "message"])
            self._frame = pd.concat([body, numbers, frame[["kind", "message"]], times], axis=1)
        return self._frame

    def to_frame(self, threshold: float | None = 15) -> pd.DataFrame:
        """Return one row per learner, data set, repeat, fold and seed.

        Parameters
        ----------
        threshold : float, optional
            Greatest size of a small disjunct of the reference tree, in training rows. With a reference tree
            there are columns of rows, hits and accuracy on large and on small disjuncts; None leaves them
            out.

        Returns
        -------
        DataFrame
            Status "ok", "failed", "timeout", "memory", "crashed", or "missing" (not run yet); scores as in
            `score_predictions`, sizes of the model, times in CPU seconds (empty where a task shared its
            process).
        """
        frame = self._all()
        if threshold is not None and self.has_reference:
            frame = pd.concat([frame, self._disjunct_columns(float(threshold))], axis=1)
        frame = frame[~frame["is_reference"]].drop(columns=["is_reference"])
        return frame.reset_index(drop=True)

    def _disjunct_columns(self, threshold: float) -> pd.DataFrame:
        """Return rows, hits and accuracy by size of the reference tree's leaf, for all entries."""
        if threshold not in self._parts:
            frame = self._all()
            place = list(zip(frame["data"], frame["repeat"], frame["fold"], strict=True))
            reference = set(np.flatnonzero(frame["is_reference"]).tolist())
            sizes = {
                place[number]: said.sizes
                for number, said in self.store.predictions(self._plan, ("sizes",), references=True)
                if number in reference and said.sizes is not None
            }
            small = {key: np.flatnonzero(size <= threshold + 1e-6) for key, size in sizes.items()}
            right = frame["n_correct"].to_numpy(dtype=np.float64, na_value=np.nan)
            counts = np.full((len(frame), 4), np.nan)
            for number, said in self.store.predictions(self._plan, ()):
                rows = small.get(place[number])
                if rows is not None:
                    hits = np.count_nonzero(said.truth[rows] == said.label[rows])
                    counts[number] = (len(said.truth) - len(rows), right[number] - hits, len(rows), hits)
            names = ["large_rows", "large_correct", "small_rows", "small_correct"]
            parts = pd.DataFrame(counts, columns=names)
            for part in ("large", "small"):
                total = parts[f"{part}_rows"]
                parts[f"{part}_accuracy"] = parts[f"{part}_correct"] / total.where(total > 0)
            self._parts[threshold] = parts
        return self._parts[threshold]

    def failures(self) -> pd.DataFrame:
        """Return the tasks that did not end well, with kind and message of the error."""
        frame = self.to_frame(threshold=None)
        return frame.loc[frame["status"] != "ok", [*PLACE, "status", "kind", "message"]].reset_index(
            drop=True
        )

    def warnings(self) -> pd.DataFrame:
        """Return the warnings of the tasks: data set, learner, text, and in how many tasks it came."""
        found: dict[tuple[str, str, str], int] = {}
        for data, learner, notes in self.store.notes(self._plan):
            for note in notes:
                found[data, learner, note] = found.get((data, learner, note), 0) + 1
        records = [(*key, count) for key, count in found.items()]
        return pd.DataFrame(records, columns=["data", "learner", "warning", "tasks"])

    def recalls(self) -> pd.DataFrame:
        """Return the recall of every class: mean over folds and seeds, by data set, class and learner.

        A class without test rows in a fold does not count there. Abstentions are errors.
        """
        from evorules.evaluation.scores import recalls

        labels = self.store.labels(self._plan)
        frame = self._all()
        names, sets = frame["learner"].tolist(), frame["data"].tolist()
        skip = frame["is_reference"].to_numpy()
        records = []
        for number, said in self.store.predictions(self._plan, ()):
            if not skip[number]:
                classes = labels[sets[number]]
                for label, share in zip(classes, recalls(said.truth, said.label, len(classes)), strict=True):
                    records.append((sets[number], label, names[number], share))
        long = pd.DataFrame(records, columns=["data", "class", "learner", "recall"])
        table = long.pivot_table(index=["data", "class"], columns="learner", values="recall", sort=False)
        return table.reindex(columns=self.learners)

    def score_with(
        self, metric: Callable[[Predictions], float], name: str = "score", *, proba: bool = True
    ) -> pd.DataFrame:
        """Compute a new score from the stored predictions; no model is fitted again.

        Parameters
        ----------
        metric : callable
            Takes `Predictions` (class codes of the test rows, predicted codes, probabilities), returns a
            number.
        name : str
            Of the new column.
        proba : bool
            Whether the metric needs probabilities.

        Returns
        -------
        DataFrame
            As `to_frame`, with one more column.
        """
        values = np.full(len(self._all()), np.nan)
        for number, said in self.store.predictions(self._plan, ("proba", "sizes") if proba else ()):
            values[number] = metric(said)
        self._frame = self._all().assign(**{name: values})
        return self.to_frame(threshold=None)

    def _scores(self, score: str, threshold: float) -> pd.DataFrame:
        frame = self.to_frame(threshold if score in PART_SCORES else None)
        numeric = frame.select_dtypes("number").columns.difference([*PLACE, "n_train", "n_test"])
        if score not in numeric:
            known = listed(closest_first(score, numeric))
            raise ParameterError(f"There is no score {score!r} (known: {known}).")
        return frame

    def fold_scores(
        self, score: str = "accuracy", *, failed: Literal["drop", "ignore"] = "drop", threshold: float = 15
    ) -> list[FoldScores]:
        """Return a score by data set, learner and fold, averaged over seeds.

        Parameters
        ----------
        score : str
            A column of `to_frame`.
        failed : {"drop", "ignore"}
            A learner with a task that did not end well is left out on that data set, or averaged over
            what it finished.
        threshold : float
            Greatest size of a small disjunct.
        """
        frame = self._scores(score, threshold)
        found = []
        for data, part in frame.groupby("data", sort=False):
            scores, spread = {}, {}
            for learner, rows in part.groupby("learner", sort=False):
                ok = rows[rows["status"] == "ok"]
                if len(ok) == 0 or (len(ok) < len(rows) and failed == "drop"):
                    continue
                by_fold = ok.groupby(["repeat", "fold"])[score].mean()
                values = by_fold.to_numpy(dtype=np.float64)
                if np.isnan(values).all():
                    continue
                scores[str(learner)] = values
                alone = len(values) == 1
                spread[str(learner)] = ok[score].to_numpy(dtype=np.float64) if alone else values
            sizes = part[["n_train", "n_test"]].mean()
            ratio = float(sizes["n_test"] / sizes["n_train"])
            if failed == "ignore":
                most = max((len(values) for values in scores.values()), default=0)
                scores = {name: values for name, values in scores.items() if len(values) == most}
            found.append(FoldScores(str(data), scores, spread, ratio))
        return found

    def matrix(
        self, score: str = "accuracy", *, failed: Literal["drop", "ignore"] = "drop", threshold: float = 15
    ) -> pd.DataFrame:
        """Return the mean of a score over folds, a row per data set and a column per learner.

        NaN where a run failed, or where the score is undefined in every fold.
        """
        rows = self.fold_scores(score, failed=failed, threshold=threshold)
        means = {
            item.data: {name: np.nanmean(values) for name, values in item.scores.items()} for item in rows
        }
        return (
            pd.DataFrame.from_dict(means, orient="index").reindex(columns=self.learners).rename_axis("data")
        )

    def summary(
        self, score: str = "accuracy", *, failed: Literal["drop", "ignore"] = "drop", threshold: float = 15
    ) -> pd.DataFrame:
        """Summarise a score by data set and learner.

        Returns
        -------
        DataFrame
            Index data and learner. `mean` and `sd` (ddof 1) over folds of the means over seeds, for a single
            split over seeds; `pooled`, right over tested rows of all folds (accuracy only); tasks, and how
            many of them did not end well; means of rules and conditions; CPU seconds of fit and predict,
            without first fits of a process if there are others.
        """
        frame = self._scores(score, threshold)
        by_fold = {item.data: item for item in self.fold_scores(score, failed=failed, threshold=threshold)}
        records = []
        for (data, learner), part in frame.groupby(["data", "learner"], sort=False):
            ok = part[part["status"] == "ok"]
            item = by_fold[str(data)]
            values, spread = item.scores.get(str(learner)), item.spread.get(str(learner))
            record = {
                "data": data,
                "learner": learner,
                "mean": np.nan if values is None else float(np.nanmean(values)),
                "sd": np.nan if spread is None or len(spread) < 2 else float(np.nanstd(spread, ddof=1)),
            }
            if score == "accuracy":
                pooled = ok["n_correct"].sum() / ok["n_test"].sum() if values is not None else np.nan
                record["pooled"] = float(pooled)
            record |= {"tasks": len(part), "failed": len(part) - len(ok)}
            for name in ("rules", "conditions"):
                if name in ok:
                    record[name] = ok[name].mean()
            warm = ok[ok["is_cold"] == 0] if (ok["is_cold"] == 0).any() else ok
            record |= {name: warm[name].mean() for name in ("fit_cpu", "predict_cpu")}
            records.append(record)
        return pd.DataFrame(records).set_index(["data", "learner"])

    def significance(
        self,
        score: str = "accuracy",
        *,
        test: str = "wilcoxon",
        baseline: str | None = None,
        failed: Literal["drop", "ignore"] = "drop",
        threshold: float = 15,
        **options: Any,
    ) -> pd.DataFrame:
        """Compare pairs of learners over all data sets; `contrast_over` describes tests and columns."""
        matrix = self.matrix(score, failed=failed, threshold=threshold)
        better = score not in LOWER_IS_BETTER
        return contrast_over(matrix, test=test, baseline=baseline, higher_is_better=better, **options)

    def on_each(
        self,
        score: str = "accuracy",
        *,
        test: str = "corrected t",
        baseline: str | None = None,
        alpha: float = 0.05,
        tails: Literal[1, 2] = 2,
        failed: Literal["drop", "ignore"] = "drop",
        threshold: float = 15,
    ) -> pd.DataFrame:
        """Compare pairs of learners on each data set; `contrast_each` describes tests and columns."""
        return contrast_each(
            self.fold_scores(score, failed=failed, threshold=threshold),
            test=test,
            baseline=baseline,
            higher_is_better=score not in LOWER_IS_BETTER,
            alpha=alpha,
            tails=tails,
            learners=self.learners,
        )

    def wins(self, score: str = "accuracy", **options: Any) -> pd.DataFrame:
        """Count wins, ties and losses of every pair; options of `on_each`, columns of `count_wins`."""
        return count_wins(self.on_each(score, **options))

    def ranks(
        self,
        score: str = "accuracy",
        *,
        alpha: float = 0.05,
        baseline: str | None = None,
        failed: Literal["drop", "ignore"] = "drop",
        threshold: float = 15,
    ) -> RankReport:
        """Rank the learners over all data sets: Friedman's test, Nemenyi's distance, Holm's correction."""
        matrix = self.matrix(score, failed=failed, threshold=threshold)
        better = score not in LOWER_IS_BETTER
        return rank_learners(matrix, higher_is_better=better, alpha=alpha, baseline=baseline)

    def predictions(self) -> list[tuple[dict[str, Any], Predictions]]:
        """Return the place (data set, learner, repeat, fold, seed) and the predictions of finished tasks."""
        frame = self._all()
        places = frame[PLACE].to_dict("records")
        skip: npt.NDArray[np.bool_] = frame["is_reference"].to_numpy()
        return [
            ({str(name): value for name, value in places[number].items()}, said)
            for number, said in self.store.predictions(self._plan)
            if not skip[number]
        ]
