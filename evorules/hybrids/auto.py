"""The remedy chosen by inner validation: which handler, for leaves of which size, or none."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import numpy.typing as npt
from sklearn.base import clone

from evorules.hybrids.boosted_rules import BoostedRules
from evorules.hybrids.ga_large_sn import GALargeSN
from evorules.hybrids.ga_parameters import warn_of_interrupt
from evorules.hybrids.handler import Answer, DisjunctHandler, Ints
from evorules.hybrids.naive_bayes import NaiveBayes
from evorules.hybrids.nearest import NearestNeighbours
from evorules.hybrids.problem import DisjunctProblem, deal_folds, small_leaves
from evorules.hybrids.second_tree import SecondTree
from evorules.progress import silent
from trees.c45 import C45Classifier
from trees.growth.tree import Tree
from trees.schema import Schema
from trees.seeding import generator
from trees.table import Table
from trees.validation import AnyOf, Check, Choice

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["CANDIDATES", "Auto"]


def _lazy_association() -> DisjunctHandler:
    # imported on use: who needs no association need not wait for it
    from evorules.hybrids.associative import LazyAssociative

    return LazyAssociative(rank="laplace", rows="all")


CANDIDATES: dict[str, Callable[[], DisjunctHandler]] = {
    "ga-large-sn": GALargeSN,
    "nearest": lambda: NearestNeighbours(k=5, ib_data="all"),
    "naive-bayes": NaiveBayes,
    "lac": _lazy_association,
    "second-tree": SecondTree,
    "boosted-rules": BoostedRules,
}
"""The candidates by name, in the order in which ties are decided."""

ON_REQUEST = ("boosted-rules",)
"""Candidates only if named: they take as long as all the others together."""


class _SeveralOf:
    """One or more names."""

    def accepts(self, value: Any) -> bool:
        """Return whether all are names of candidates."""
        return (
            isinstance(value, Sequence)
            and not isinstance(value, str)
            and len(value) > 0
            and all(isinstance(name, str) and name in CANDIDATES for name in value)
        )

    def describe(self) -> str:
        """Return the names."""
        return f"a sequence of {', '.join(map(repr, CANDIDATES))}"


class _Sizes:
    """One or more sizes of leaves."""

    def accepts(self, value: Any) -> bool:
        """Return whether all are numbers of at least 1."""
        return (
            isinstance(value, Sequence)
            and not isinstance(value, str)
            and len(value) > 0
            and all(isinstance(size, int | float) and size >= 1 for size in value)
        )

    def describe(self) -> str:
        """Return the range."""
        return "a sequence of numbers of at least 1"


class _Ga:
    """An unfitted GALargeSN."""

    def accepts(self, value: Any) -> bool:
        """Return whether it is one."""
        return isinstance(value, GALargeSN)

    def describe(self) -> str:
        """Return the class."""
        return "a GALargeSN"


class Auto(DisjunctHandler):
    """Choose handler and threshold by inner cross-validation on the training rows; none may win.

    Every candidate answers for the validation rows whose leaf is small. With b rows that the tree got wrong
    and the candidate right, and w the reverse, a candidate is eligible if its net b - w is positive and above
    its standard error, the square root of b + w. The largest net wins, of equals the first; it is refitted on
    all training rows. Without an eligible candidate the tree answers everywhere.

    Parameters
    ----------
    thresholds : sequence of float, default=(10, 15)
        Sizes up to which a leaf may count as small, in the order in which ties are decided. Those above the
        classifier's `threshold` are left out; if none remains, that threshold is the only one.
    candidates : sequence of str or None, default=None
        Names among `CANDIDATES`, in this order; None takes all but the boosted rules: the improved GA, five
        nearest rows of all, naive Bayes at an ancestor, lazy association by Laplace on all rows, a second
        tree.
    ga : GALargeSN or None, default=None
        The genetic candidate; None takes the improved variant with its defaults.

    Attributes
    ----------
    selection_ : DataFrame
        A line per candidate: S, handler, rows answered for, b, w, net, margin (square root of b + w),
        eligible, chosen.
    chosen_ : DisjunctHandler or None
        The winner, fitted.
    threshold_ : float or None
        Its threshold.

    Notes
    -----
    Inner split: fewer than 3000 rows 5 folds, up to 8000 rows 3, else one hold-out of a third; stratified. In
    each fold everything is learnt anew on its training part. Rows are counted, their weights are not. Lazy
    association needs weights that are whole numbers; with others it is no candidate unless named. After
    Ctrl-C the folds finished decide.
    """

    algorithm_version: ClassVar[int] = 2
    speaker: ClassVar[str] = "the chosen handler"
    _parameters: ClassVar[Mapping[str, Check]] = {
        "thresholds": _Sizes(),
        "candidates": AnyOf((Choice((None,)), _SeveralOf())),
        "ga": AnyOf((Choice((None,)), _Ga())),
    }
    selection_: pd.DataFrame
    chosen_: DisjunctHandler | None
    threshold_: float | None

    def __init__(
        self,
        *,
        thresholds: Sequence[float] = (10, 15),
        candidates: Sequence[str] | None = None,
        ga: GALargeSN | None = None,
    ) -> None:
        self.thresholds = thresholds
        self.candidates = candidates
        self.ga = ga

    def _fit(self, problem: DisjunctProblem) -> None:
        sizes = [float(size) for size in self.thresholds if size <= problem.threshold]
        sizes = sizes or [problem.threshold]
        names = list(self.candidates or (name for name in CANDIDATES if name not in ON_REQUEST))
        weight = problem.table.weight
        if self.candidates is None and np.any(weight != np.rint(weight)):
            names.remove("lac")
        tried = [(size, name) for size in sizes for name in names]
        tallies = np.zeros((len(tried), 3), dtype=np.int64)
        folds = list(inner_folds(problem))
        try:
            for number, (train, validation) in enumerate(folds):
                tallies += self._tally(problem, tried, train, validation, number)
                problem.report(0.8 / len(folds))
        except KeyboardInterrupt:
            warn_of_interrupt("Auto")
        self._choose(problem, tried, tallies)
        self.rules_ = () if self.chosen_ is None else self.chosen_.rules_
        problem.report(0.2)

    def _handler(self, name: str) -> DisjunctHandler:
        if name == "ga-large-sn" and self.ga is not None:
            return clone(self.ga)
        return CANDIDATES[name]()

    def _tally(
        self,
        problem: DisjunctProblem,
        tried: list[tuple[float, str]],
        train: npt.NDArray[np.int64],
        validation: npt.NDArray[np.int64],
        number: int,
    ) -> npt.NDArray[np.int64]:
        """Return rows, b and w of every candidate in one fold; ndarray of shape (n_candidates, 3)."""
        from trees.growth.descend import apply, predict_codes

        training, held_out = problem.table.take(train), problem.table.take(validation)
        grower = problem.grower or C45Classifier()
        tree = grower.build_tree(training)
        home, held_home = apply(tree, training.X), apply(tree, held_out.X)
        expected = predict_codes(tree, held_out.X)
        root = int(generator(problem.root, "auto", number).integers(0, 2**63))
        counted = np.zeros((len(tried), 3), dtype=np.int64)
        for c, (size, name) in enumerate(tried):
            small = small_leaves(tree, size)
            asked = np.flatnonzero(small[held_home])
            inner = DisjunctProblem(
                training, tree, home, small, root, problem.n_jobs, silent, size, problem.grower
            )
            counted[c, 0] = len(asked)
            if len(asked) == 0 or training.weight[inner.small_rows].sum() < 2 - 1e-6:
                continue
            handler = self._handler(name).fit(inner)
            if getattr(handler, "stop_reason_", "") == "interrupt":
                raise KeyboardInterrupt
            label = handler.decide(held_out.take(asked), held_home[asked]).label
            truth, before = held_out.classes[asked], expected[asked]
            after = np.where(label >= 0, label, before)
            counted[c, 1] = np.count_nonzero((before != truth) & (after == truth))
            counted[c, 2] = np.count_nonzero((before == truth) & (after != truth))
        return counted

    def _choose(
        self, problem: DisjunctProblem, tried: list[tuple[float, str]], tallies: npt.NDArray[np.int64]
    ) -> None:
        """Set the winner, refitted on all rows, and the table."""
        net = tallies[:, 1] - tallies[:, 2]
        changed = tallies[:, 1] + tallies[:, 2]
        eligible = (net > 0) & (net**2 > changed)
        winner = int(np.argmax(np.where(eligible, net, -1))) if eligible.any() else -1
        self._tallies = [(*candidate, *line) for candidate, line in zip(tried, tallies.tolist(), strict=True)]
        self._winner = winner
        self._tabulate()
        self.chosen_, self.threshold_ = None, None
        if winner >= 0:
            size, name = tried[winner]
            self.threshold_ = size
            small = problem.small & small_leaves(problem.tree, size)
            narrowed = replace(problem, small=small, report=silent, threshold=size)
            if problem.table.weight[narrowed.small_rows].sum() >= 2 - 1e-6:
                self.chosen_ = self._handler(name).fit(narrowed)
        self._small = (
            np.zeros(problem.tree.n_nodes, dtype=np.bool_)
            if self.threshold_ is None
            else small_leaves(problem.tree, self.threshold_)
        )

    def _tabulate(self) -> None:
        import pandas as pd

        columns = ["S", "handler", "rows", "b", "w"]
        table = pd.DataFrame(self._tallies, columns=columns)
        table["net"] = table["b"] - table["w"]
        table["margin"] = np.sqrt(table["b"] + table["w"])
        table["eligible"] = (table["net"] > 0) & (table["net"] ** 2 > table["b"] + table["w"])
        table["chosen"] = np.arange(len(table)) == self._winner
        self.selection_ = table

    @property
    def history_(self) -> pd.DataFrame:
        """How the runs of the chosen genetic candidate went; no attribute if none was chosen."""
        history: pd.DataFrame | None = getattr(self.chosen_, "history_", None)
        if history is None:
            raise AttributeError("Auto has no 'history_': it chose no genetic algorithm.")
        return history

    @property
    def leaves_stand(self) -> bool:
        """Whether no candidate was chosen, or one that leaves the leaves as they are."""
        return self.chosen_ is None or self.chosen_.leaves_stand

    def asked_at(self, small: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
        """Return at which of the small leaves the chosen handler answers: those under its own threshold."""
        return np.zeros_like(small) if self.chosen_ is None else self.chosen_.asked_at(small & self._small)

    def propose(self, table: Table, home: Ints) -> Answer:
        """Return what the chosen handler would answer if its gate let everything pass."""
        return self._asked(table, home, gated=False)

    def decide(self, table: Table, home: Ints) -> Answer:
        """Answer as the chosen handler does, for leaves that are small under the chosen threshold."""
        return self._asked(table, home, gated=True)

    def _asked(self, table: Table, home: Ints, *, gated: bool) -> Answer:
        label, rule = np.full((2, table.n_rows), -1, dtype=np.int32)
        scores = np.zeros((table.n_rows, table.n_classes))
        evidence = np.full((table.n_rows, 1, 2), np.nan)
        rows = np.flatnonzero(self._small[home])
        if self.chosen_ is not None and len(rows):
            ask = self.chosen_.decide if gated else self.chosen_.propose
            answer = ask(table.take(rows), home[rows])
            label[rows], rule[rows], scores[rows] = answer.label, answer.rule, answer.scores
            if answer.evidence is not None:
                evidence[rows] = answer.evidence[:, :1]
        return Answer(label, scores, rule, evidence)

    def _state(self) -> dict[str, Any]:
        return {
            "tallies": [list(line) for line in self._tallies],
            "winner": self._winner,
            "threshold": self.threshold_,
            "chosen": None if self.chosen_ is None else self.chosen_.to_dict(),
        }

    def _restore(self, state: Mapping[str, Any], schema: Schema, tree: Tree) -> None:
        self._tallies = [tuple(line) for line in state["tallies"]]
        self._winner = int(state["winner"])
        self._tabulate()
        self.threshold_ = None if state["threshold"] is None else float(state["threshold"])
        self._small = np.zeros(tree.n_nodes, dtype=np.bool_)
        self.chosen_ = None
        if self.threshold_ is not None:
            self._small = small_leaves(tree, self.threshold_)
        if state["chosen"] is not None:
            handler = self._handler(str(self._tallies[self._winner][1]))
            self.chosen_ = handler.restore(state["chosen"], schema, tree)
        self.rules_ = () if self.chosen_ is None else self.chosen_.rules_


def inner_folds(
    problem: DisjunctProblem,
) -> Iterator[tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]]:
    """Yield training and validation rows, ascending; stratified, from a stream of their own."""
    classes = problem.table.classes
    n = len(classes)
    n_folds = min(5 if n < 3000 else 3, n)
    fold = deal_folds(classes, n_folds, generator(problem.root, "auto folds"))
    for number in range(1 if n > 8000 else n_folds):
        yield np.flatnonzero(fold != number), np.flatnonzero(fold == number)
