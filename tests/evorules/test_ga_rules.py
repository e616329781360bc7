"""The genetic algorithm alone, and how genetic learners end early."""

import pickle
import random
import subprocess
import sys
import warnings

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning

from evorules.datasets import load
from evorules.evolution import Toolbox, niching
from evorules.export.model_file import load_model, model_from_dict, model_to_dict, save_model
from evorules.hybrids import GALargeSN, GARuleClassifier, GASmall, SmallDisjunctClassifier
from evorules.learners import make_learner
from trees import ModelFileError, ParameterError, Table
from trees.class_weight import class_factors
from trees.counts import Counts
from trees.measures import MEASURES, laplace

QUICK = {"population_size": 30, "n_generations": 8}


@pytest.fixture(scope="module")
def board():
    data = load("tic-tac-toe")
    return Table.from_frame(data.X, data.y)


@pytest.fixture
def noise(reference):
    """The data of cases S36, S43 and S44 of the reference folder."""
    frame = pd.read_csv(reference / "cases" / "data" / "s06_noise.csv")
    return frame[["A", "B", "n"]], frame["y"]


def test_the_first_rule_that_covers_a_row_decides(board):
    model = GARuleClassifier(**QUICK, random_state=1).fit(board)
    expected = np.full(board.n_rows, model.rules_.default)
    taken = np.zeros(board.n_rows, dtype=bool)
    for rule in model.rules_:
        covered = rule.match(board) & ~taken
        expected[covered] = rule.consequent
        taken |= covered
    np.testing.assert_array_equal(model.decide(board).label, expected)
    assert model.score(load("tic-tac-toe").X, load("tic-tac-toe").y) > 0.7


def test_rules_are_counted_on_all_training_rows(board):
    model = GARuleClassifier(**QUICK, random_state=1).fit(board)
    for rule in model.rules_:
        covered = rule.match(board)
        counts = np.bincount(board.classes[covered], minlength=2)
        assert rule.counts == tuple(counts)


def test_three_classes_that_single_conditions_tell_apart_are_learnt():
    X = pd.DataFrame({"c": list("abcabc") * 20, "x": np.arange(120.0)})
    model = GARuleClassifier(n_generations=10, min_conditions=1, random_state=0).fit(X, X["c"].to_numpy())
    assert model.score(X, X["c"].to_numpy()) == 1.0
    # one of the three classes is what is left: its rule may be missing
    assert len(model.rules_) <= 3


def test_what_is_predicted_without_a_rule_is_the_majority_of_the_rows_left():
    X = pd.DataFrame({"c": list("ab") * 8})
    y = list("pq") * 8
    few = GARuleClassifier(stop=8, **QUICK, random_state=0).fit(X, y)
    assert (len(few.rules_), few.stop_reason_) == (1, "rows")
    assert few.rules_.default == 1 - few.rules_[0].consequent
    none = GARuleClassifier(stop=16, **QUICK, random_state=0).fit(X[:15], y[:15])
    assert (len(none.rules_), none.predict(X[:1]).tolist()) == (0, ["p"])


def test_it_is_a_learner_of_the_registry():
    model = make_learner("ga", n_generations=3)
    assert (type(model), model.n_generations) == (GARuleClassifier, 3)


def test_global_random_state_is_left_alone_and_equal_seeds_give_equal_rules(noise):
    # case S36 of the reference folder
    texts = []
    for _ in range(2):
        before = (random.getstate(), np.random.get_state()[1].tolist())  # noqa: NPY002  the global one is checked
        texts.append(str(GARuleClassifier(**QUICK, random_state=5).fit(*noise).rules_))
        assert (random.getstate(), np.random.get_state()[1].tolist()) == before  # noqa: NPY002
        random.seed(99)
        np.random.seed(99)  # noqa: NPY002
        random.random()
    assert texts[0] == texts[1]
    assert "IF" in texts[0]


def test_two_models_fit_in_one_process_and_a_pickle_travels(noise, tmp_path):
    # case S43 of the reference folder
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        first = GARuleClassifier(**QUICK, random_state=0).fit(*noise)
        GARuleClassifier(**QUICK, random_state=1).fit(*noise)
    (tmp_path / "model").write_bytes(pickle.dumps((first, noise[0], first.predict(noise[0]))))
    code = (
        "import pickle, sys, warnings; warnings.simplefilter('error')\n"
        "model, X, expected = pickle.loads(open(sys.argv[1], 'rb').read())\n"
        "assert (model.predict(X) == expected).all()"
    )
    subprocess.run([sys.executable, "-c", code, str(tmp_path / "model")], check=True)


def test_a_time_budget_ends_the_fit_with_a_usable_model(noise):
    # case S44 of the reference folder, with half a second in place of two
    # without the budget this would never end
    model = GARuleClassifier(n_generations=10**9, time_budget=0.5, random_state=0).fit(*noise)
    assert model.stop_reason_ == "time"
    assert len(model.predict(noise[0])) == len(noise[0])


@pytest.mark.parametrize("handler", [GALargeSN, GASmall])
def test_a_time_budget_holds_for_all_runs_of_a_handler(handler, board):
    SmallDisjunctClassifier(handler=handler(**QUICK), random_state=0).fit(board)  # compile outside the budget
    # without the budget this would never end
    part = handler(n_generations=10**9, time_budget=0.4)
    model = SmallDisjunctClassifier(handler=part, random_state=0).fit(board)
    assert model.handler_.stop_reason_ == "time"
    assert len(model.handler_.rules_) >= 1
    assert len(model.predict(board)) == board.n_rows


def test_lists_share_a_time_budget(board):
    part = GALargeSN(n_generations=10**9, time_budget=0.6, n_lists=3, combine="laplace")
    model = SmallDisjunctClassifier(handler=part, random_state=0).fit(board)
    assert {rule.scores["list"] for rule in model.handler_.rules_} == {0.0, 1.0, 2.0}


def test_patience_ends_runs_early(board):
    model = GARuleClassifier(n_generations=60, patience=2, max_rules=3, random_state=0).fit(board)
    last = model.history_.groupby("run").last()
    assert (last["generation"] < 60).all()
    assert set(last["stop_reason"]) == {"patience"}


def test_the_history_has_a_line_per_run_and_generation(board):
    model = GARuleClassifier(**QUICK, max_rules=4, random_state=0).fit(board)
    history = model.history_
    assert list(history.columns[:4]) == ["list", "run", "class", "generation"]
    assert len(history) == 4 * 9
    for _, run in history.groupby("run"):
        assert run["generation"].tolist() == list(range(9))
        # the elite is copied
        assert run["greatest"].is_monotonic_increasing
        assert (run["mean"] <= run["greatest"] + 1e-9).all()
    fitness = [rule.scores["fitness"] for rule in model.rules_]
    np.testing.assert_allclose(history.groupby("run")["greatest"].last(), fitness)


def test_handlers_have_a_history_by_list_and_by_leaf(board):
    large = SmallDisjunctClassifier(handler=GALargeSN(n_lists=2, **QUICK), random_state=0).fit(board)
    assert set(large.history_["list"]) == {0, 1}
    small = SmallDisjunctClassifier(handler=GASmall(**QUICK), random_state=0, n_jobs=2).fit(board)
    leaves = set(small.disjuncts_.loc[small.disjuncts_["small"], "leaf"])
    assert set(small.history_["leaf"]) <= leaves
    assert small.history_["leaf"].is_monotonic_increasing
    tree = SmallDisjunctClassifier(handler="second-tree").fit(board)
    assert not hasattr(tree, "history_")


def interrupting(monkeypatch, after):
    """Press Ctrl-C in the run after so many runs."""
    runs = []

    def evolve(*arguments, toolbox=None, **named):
        def mutate(individual):
            if len(runs) >= after:
                raise KeyboardInterrupt
            return individual

        box = Toolbox(named["settings"])
        box.register("mutate", mutate)
        evolution = original(*arguments, toolbox=box, **named)
        runs.append(evolution)
        return evolution

    original = niching.evolve
    monkeypatch.setattr(niching, "evolve", evolve)


@pytest.mark.parametrize(
    "model",
    [
        GARuleClassifier(**QUICK, random_state=0),
        SmallDisjunctClassifier(handler=GALargeSN(n_lists=3, **QUICK), random_state=0),
        SmallDisjunctClassifier(handler=GASmall(**QUICK), random_state=0),
        SmallDisjunctClassifier(handler=GASmall(**QUICK), random_state=0, n_jobs=2),
    ],
)
def test_ctrl_c_keeps_the_rules_found_with_a_warning(model, board, monkeypatch):
    interrupting(monkeypatch, after=2)
    with pytest.warns(ConvergenceWarning, match=r"fit was interrupted\. The model is usable"):
        model.fit(board)
    part = getattr(model, "handler_", model)
    assert part.stop_reason_ == "interrupt"
    assert len(part.rules_) >= 2
    assert len(model.predict(board)) == board.n_rows


def test_ctrl_c_between_runs_keeps_the_rules_found(board, monkeypatch):
    calls = []

    def worth(*arguments):
        calls.append(1)
        if len(calls) == 3:
            raise KeyboardInterrupt
        return original(*arguments)

    original = niching._worth
    monkeypatch.setattr(niching, "_worth", worth)
    with pytest.warns(ConvergenceWarning, match="fit was interrupted"):
        model = GARuleClassifier(**QUICK, random_state=0).fit(board)
    assert (len(model.rules_), model.stop_reason_) == (2, "interrupt")


@pytest.mark.parametrize(
    "model",
    [
        GARuleClassifier(**QUICK, max_rules=4, selection="nsga2", random_state=0),
        GARuleClassifier(**QUICK, max_rules=4, selection="nsga2", trade_off="knee", random_state=0),
        SmallDisjunctClassifier(handler=GALargeSN(**QUICK, max_rules=6, selection="nsga2"), random_state=0),
        SmallDisjunctClassifier(handler=GASmall(**QUICK, selection="nsga2"), random_state=0),
    ],
)
def test_rules_may_be_taken_from_fronts(model, board):
    before = random.getstate()
    first = clone(model).fit(board)
    again = clone(model).fit(board)
    assert random.getstate() == before
    assert str(first.rules_) == str(again.rules_)
    assert first.score(load("tic-tac-toe").X, load("tic-tac-toe").y) > 0.6
    plain = clone(model)
    getattr(plain, "handler", plain).set_params(selection="tournament")
    assert str(plain.fit(board).rules_) != str(first.rules_)


def test_fronts_do_not_depend_on_the_number_of_threads(board):
    part = GASmall(population_size=20, n_generations=4, selection="nsga2")
    models = [
        SmallDisjunctClassifier(handler=part, random_state=0, n_jobs=n_jobs).fit(board) for n_jobs in (1, 2)
    ]
    assert str(models[0].rules_) == str(models[1].rules_)


def test_any_measure_of_the_registry_may_be_the_fitness(board):
    for measure in ("laplace", "weighted_relative_accuracy", "information_gain"):
        model = GARuleClassifier(**QUICK, max_rules=1, measure=measure, random_state=0).fit(board)
        counts = model.rules_.counts(board)
        assert MEASURES[measure](counts)[0] == pytest.approx(model.rules_[0].scores["fitness"], abs=1e-12)


@pytest.mark.parametrize("learner", [GARuleClassifier, GALargeSN, GASmall])
def test_an_unknown_measure_is_refused_by_name(learner, board):
    made = learner(measure="accuracy")
    if not isinstance(made, GARuleClassifier):
        made = SmallDisjunctClassifier(handler=made)
    with pytest.raises(
        ParameterError, match=rf"'measure' parameter of {learner.__name__} must be .*'laplace'"
    ):
        made.fit(board)


def rare(n=300):
    """A tenth of the rows are of class "rare", and three tenths of those with c = a."""
    rng = np.random.default_rng(0)
    c = rng.choice(list("abc"), n)
    y = np.where((c == "a") & (rng.random(n) < 0.3), "rare", "common")
    return pd.DataFrame({"c": c, "x": rng.random(n).round(2), "z": rng.random(n).round(2)}), y


def test_class_weights_let_rules_predict_a_rare_class():
    X, y = rare()
    found = {}
    for class_weight in (None, "balanced", {"rare": 9.0}):
        model = GARuleClassifier(
            **QUICK, max_rules=1, min_conditions=1, class_weight=class_weight, random_state=0
        ).fit(X, y)
        found[str(class_weight)] = (model.predict(X)[y == "rare"] == "rare").mean()
    assert found["None"] == 0.0
    assert found["balanced"] == 1.0
    assert found["{'rare': 9.0}"] == 1.0


def test_counts_of_rules_go_without_class_weights():
    X, y = rare()
    model = GARuleClassifier(**QUICK, max_rules=2, class_weight="balanced", random_state=0).fit(X, y)
    for rule in model.rules_:
        covered = rule.match(Table.from_frame(X, y))
        assert sum(rule.counts) == covered.sum()


def test_class_weights_of_1_change_nothing(board):
    same = {"positive": 1.0, "negative": 1.0}
    for handler in (GALargeSN(**QUICK, max_rules=5), GASmall(**QUICK)):
        models = [
            SmallDisjunctClassifier(handler=clone(handler).set_params(class_weight=w), random_state=0).fit(
                board
            )
            for w in (None, same)
        ]
        assert str(models[0].rules_) == str(models[1].rules_)


def test_handlers_weigh_classes_by_the_whole_training_set(board):
    # tic-tac-toe: 626 of 958 boards are won by x; a leaf's rows are not balanced by themselves
    factors = class_factors(board, "balanced")
    weights = dict(zip(board.schema.classes, factors.tolist(), strict=True))
    for handler in (GALargeSN(**QUICK, max_rules=5), GASmall(**QUICK, measure="laplace")):
        models = [
            SmallDisjunctClassifier(handler=clone(handler).set_params(class_weight=w), random_state=0).fit(
                board
            )
            for w in ("balanced", weights, None)
        ]
        assert str(models[0].rules_) == str(models[1].rules_)
        assert str(models[0].rules_) != str(models[2].rules_)


@pytest.mark.parametrize("learner", [GARuleClassifier, GALargeSN, GASmall])
def test_a_weight_for_a_class_that_is_none_is_refused(learner, board):
    made = learner(class_weight={"draw": 2.0})
    if not isinstance(made, GARuleClassifier):
        made = SmallDisjunctClassifier(handler=made)
    with pytest.raises(ParameterError, match="class_weight names 'draw', which is no class here"):
        made.fit(board)


def test_fitness_on_all_small_rows_is_that_of_the_chosen_measure(board):
    part = GALargeSN(
        **QUICK, conflict="fitness_full", overrule="none", measure="laplace", class_weight={"positive": 3.0}
    )
    model = SmallDisjunctClassifier(handler=part, random_state=0).fit(board)
    rows = np.flatnonzero(model.small_nodes_[model.apply(board)])
    small = board.take(rows)
    factor = np.where(np.array(board.schema.classes) == "positive", 3.0, 1.0)
    for rule in model.handler_.rules_:
        covered = np.bincount(small.classes[rule.match(small)], minlength=2) * factor
        counts = Counts(small.class_totals * factor, covered[None], np.array([rule.consequent]))
        assert rule.scores["fitness_full"] == pytest.approx(laplace(counts)[0])


@pytest.mark.parametrize(
    "model",
    [
        GARuleClassifier(**QUICK, max_rules=3, random_state=0),
        SmallDisjunctClassifier(handler=GALargeSN(n_lists=2, **QUICK), random_state=0),
        SmallDisjunctClassifier(handler=GASmall(**QUICK, class_weight={"positive": 2.0}), random_state=0),
    ],
)
def test_a_model_file_keeps_the_history(model, board, tmp_path):
    model = clone(model).fit(board)
    save_model(model, tmp_path / "model.json")
    again = load_model(tmp_path / "model.json")
    pd.testing.assert_frame_equal(again.history_, model.history_)
    assert str(again.rules_) == str(model.rules_)
    assert repr(again) == repr(model)


def test_files_without_a_history_or_with_a_damaged_one(board):
    record = model_to_dict(GARuleClassifier(**QUICK, max_rules=2, random_state=0).fit(board))
    state = record["model"]["state"]
    state["history"][0]["class"] = 7
    with pytest.raises(ModelFileError, match="a run of the history is damaged"):
        model_from_dict(record)
    del state["history"]
    assert len(model_from_dict(record).history_) == 0
