"""LAC. Numbers: the specification of EAC and LAC, worked examples, and hand calculation."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reference import lazy_plain

from evorules.associative import lazy
from evorules.associative.cache import CountCache
from evorules.associative.eac import EACClassifier
from evorules.associative.lac import LACClassifier, leading_class
from evorules.associative.lazy import LazySearch
from evorules.items import Items
from trees.discretize import MDLP
from trees.errors import DataError, MiningLimitError, ParameterError
from trees.schema import Attribute, Schema
from trees.table import Table


@pytest.fixture(scope="module")
def play10():
    rows = """rainy cool normal false yes; rainy cool normal true no; overcast hot high false yes;
        sunny mild high false no; rainy cool normal false yes; sunny cool normal false yes;
        rainy cool normal false yes; sunny hot normal false yes; overcast mild high true yes;
        sunny mild high true no"""
    columns = ["outlook", "temperature", "humidity", "windy", "play"]
    frame = pd.DataFrame([row.split() for row in rows.split(";")], columns=columns)
    play = pd.Series(pd.Categorical(frame["play"], categories=["yes", "no"]), name="play")
    return frame.drop(columns="play"), play


def row(*cells):
    return pd.DataFrame([cells], columns=["outlook", "temperature", "humidity", "windy"])


T1 = row("sunny", "cool", "high", "false")
T2 = row("overcast", "hot", "low", "true")


def told(model, case):
    """The best rule of one row as text, without number and confidence."""
    text = str(model.explain(case))
    return text.removeprefix("R1: IF ").split(", confidence")[0]


def test_the_best_rule_of_t1_is_that_of_the_paper(play10):
    # all three pure rules have entropy 0; 4 right rows go before 2 and 1
    model = LACClassifier().fit(*play10)
    assert told(model, T1) == "temperature = cool AND windy = false THEN play = yes  (4/4"
    assert model.predict(T1).tolist() == ["yes"]


def test_exactly_three_pure_minimal_rules_match_t1(play10):
    model = LACClassifier(rank="confidence", min_confidence=1.0, minimal=True).fit(*play10)
    # {w=false, cool} => yes, {sunny, high} => no, {sunny, cool} => yes
    assert model.use(T1).generated == 3
    assert model.use(T1).used == 1
    assert model.use(T1).utilisation == pytest.approx(1 / 3)


def test_fourteen_pure_minimal_rules_exist(play10):
    # figure 4 of the paper shows 13 of them; asked for the training rows themselves and every other board
    X, y = play10
    model = LACClassifier(rank="confidence", min_confidence=1.0, minimal=True, min_support=1).fit(X, y)
    values = [X[name].unique() for name in X]
    boards = pd.DataFrame(
        [(o, t, h, w) for o in values[0] for t in values[1] for h in values[2] for w in values[3]],
        columns=X.columns,
    )
    assert model.use(boards).generated == 14
    # 56 without the demand to be minimal (specification of mining, section 11)
    assert model.set_params(minimal=False).use(boards).generated == 56


def test_at_forty_percent_the_lazy_learner_finds_rules_for_t2_where_the_eager_one_has_none(play10):
    X, y = play10
    model = LACClassifier(min_support=0.4, minimal=True).fit(X, y)
    # the projection of T2 has rows 2, 3, 8, 9, 10: 3 yes, 2 no, so 2 right rows are enough
    held = model.items_.encode(model._encode(T2))
    assert model._search().project(held).tolist() == [[3, 2]]
    assert model._search()._least(np.array([[3, 2]])).tolist() == [2]
    assert told(model, T2) == "outlook = overcast THEN play = yes  (2/2"
    assert model.predict(T2).tolist() == ["yes"]
    # of all rows 40 % are 4, which no rule of T2's items has right
    eager = LACClassifier(min_support=0.4, projection="none", rank="confidence", min_confidence=1.0).fit(X, y)
    assert eager.use(T2).generated == 0


def test_the_rules_of_t2_at_confidence_one_half(play10):
    model = LACClassifier(min_support=0.4, rank="confidence", minimal=True).fit(*play10)
    # {overcast} => yes 2/2, {hot} => yes 2/2, {w=true} => no 2/3
    assert model.use(T2).generated == 3


def test_a_row_without_a_rule_gets_the_majority_of_its_projection_and_a_strange_row_that_of_all(play10):
    X, y = play10
    model = LACClassifier(min_support=5).fit(X, y)
    # rows 4, 6, 8 and 10 are sunny: no, yes, yes, no; the tie goes to the more frequent class
    sunny = row("sunny", None, None, None)
    assert model.predict(sunny).tolist() == ["yes"]
    np.testing.assert_allclose(model.decide(sunny).scores, [[0.75, 0.25]])
    # mild: rows 4, 9, 10
    mild = row(None, "mild", None, None)
    assert model.predict(mild).tolist() == ["no"]
    assert str(model.explain(mild)).startswith("R1: IF TRUE THEN play = no  (2/3")
    strange = row("foggy", None, None, None)
    assert model.predict(strange).tolist() == ["yes"]
    np.testing.assert_allclose(model.decide(strange).scores, [[0.7, 0.3]])


def test_the_majority_of_a_tie_is_the_more_frequent_class_then_the_first():
    counts = np.array([[2, 2, 1], [0, 3, 3], [1, 0, 1]])
    assert leading_class(counts, np.array([4, 9, 9])).tolist() == [1, 1, 2]


def test_all_rules_vote_with_their_confidences(play10):
    X, y = play10
    model = LACClassifier(vote="all", max_len=1, min_support=1).fit(X, y)
    # overcast: yes 2/2; hot: yes 2/2; windy: yes 1/3, no 2/3
    np.testing.assert_allclose(model.decide(T2).scores, [[(2 + 1 / 3) / 3, (2 / 3) / 3]])
    assert model.predict(T2).tolist() == ["yes"]


@st.composite
def problems(draw):
    """A table, rows to classify, and options of the search."""
    sizes = draw(st.lists(st.integers(1, 3), min_size=1, max_size=4))
    n_classes = draw(st.integers(1, 3))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))

    def cells(n):
        found = np.column_stack([rng.integers(0, size, n) for size in sizes]).astype(np.float64)
        found[rng.random(found.shape) < 0.1] = np.nan
        return found

    attributes = tuple(Attribute(f"a{i}", "nominal", tuple(range(size))) for i, size in enumerate(sizes))
    schema = Schema(attributes, Attribute("class", "nominal", tuple(range(n_classes))))
    n = draw(st.integers(1, 25))
    table = Table(schema, cells(n), rng.integers(0, n_classes, n).astype(np.int32))
    options = {
        "rank": draw(st.sampled_from(["gain", "confidence", "laplace"])),
        "min_support": draw(st.sampled_from([1, 2, 3, 0.01, 0.2, 0.4])),
        "min_confidence": draw(st.sampled_from([0.0, 0.5, 1.0])),
        "max_len": draw(st.sampled_from([None, 1, 2])),
        "minimal": draw(st.booleans()),
        "projection": draw(st.sampled_from(["shared", "none"])),
    }
    return table, Table(schema, cells(8)), options


def known(row):
    return [item for item in row if item >= 0]


def rule_of(found, row):
    """Items, class and counts of a row's rule."""
    if found.consequent[row] < 0:
        return None
    return tuple(found.antecedent(row).tolist()), int(found.consequent[row]), found.counts[row].tolist()


@settings(max_examples=60, deadline=None)
@given(problems())
def test_the_search_for_one_row_for_many_and_for_all_rules_equals_the_plain_one(problem):
    table, asked, options = problem
    items = Items.of(table, MDLP().fit(table))
    held, rows = items.encode(asked), [known(row) for row in items.encode(table).tolist()]
    search = LazySearch(items, **options)
    together, voted = search.find(held), search.find(held, votes=True)
    distinct = set()
    for r in range(len(held)):
        rules = lazy_plain.generated(
            rows, table.classes.tolist(), known(held[r].tolist()), table.n_classes, options
        )
        best = lazy_plain.best_rule(rules, options, table.n_classes)
        alone = search.find(held[r : r + 1])
        assert rule_of(together, r) == rule_of(alone, 0) == rule_of(voted, r) == best
        np.testing.assert_allclose(voted.votes[r], lazy_plain.votes(rules, table.n_classes))
        near = lazy_plain.projection(rows, table.classes.tolist(), held[r][held[r] >= 0], table.n_classes)
        assert together.projected[r].tolist() == near
        distinct |= {(antecedent, label) for antecedent, label, _ in rules}
    assert search.find(held, exhaustive=True).n_generated == len(distinct)


@settings(max_examples=40, deadline=None)
@given(problems())
def test_a_cache_of_any_size_changes_no_rule(problem):
    table, asked, options = problem
    items = Items.of(table, MDLP().fit(table))
    held = items.encode(asked)
    plain = LazySearch(items, **options).find(held)
    for size in (1, 10, None):
        cache = CountCache(size, table.n_attributes, table.n_classes)
        search = LazySearch(items, **options, cache=cache)
        for r in (*range(len(held)), *range(len(held))):
            assert rule_of(search.find(held[r : r + 1]), 0) == rule_of(plain, r)
        # the second time everything is known
        assert size is not None or cache.hits >= cache.misses


@settings(max_examples=40, deadline=None)
@given(problems())
def test_with_support_as_a_number_of_rows_the_projection_changes_no_rule(problem):
    # theorem 3 of the paper: lazy rules include eager ones, the threshold being the only difference
    table, asked, options = problem
    items = Items.of(table, MDLP().fit(table))
    held = items.encode(asked)
    count = {**options, "min_support": 2}
    shared, none = (
        LazySearch(items, **{**count, "projection": projection}).find(held)
        for projection in ("shared", "none")
    )
    for r in range(len(held)):
        assert rule_of(shared, r) == rule_of(none, r)
    share = {**options, "min_support": 0.2, "minimal": False}
    lazy, eager = (
        LazySearch(items, **{**share, "projection": projection}).find(held, exhaustive=True).n_generated
        for projection in ("shared", "none")
    )
    assert lazy >= eager


@pytest.mark.filterwarnings("ignore:The class is", "ignore:No rule ")
@pytest.mark.parametrize("rank", ["gain", "confidence", "laplace"])
def test_with_support_as_a_number_of_rows_the_eager_classifier_chooses_the_same_rules(rank):
    rng = np.random.default_rng(5)
    covered = 0
    for _ in range(12):
        frame = pd.DataFrame(rng.integers(0, 3, (60, 5)), columns=list("abcde")).astype(str)
        y = np.where(frame["a"] == frame["b"], "p", np.where(rng.random(60) < 0.3, "q", "r"))
        eager = EACClassifier(rank=rank, min_support=3, max_len=3).fit(frame, y)
        lazy = LACClassifier(rank=rank, min_support=3, max_len=3).fit(frame, y)
        asked = pd.DataFrame(rng.integers(0, 3, (40, 5)), columns=list("abcde")).astype(str)
        rules, deciding = lazy.explain(asked), eager.decide(asked).rule
        for r in range(len(asked)):
            if deciding[r] < 0:
                assert rules[r].conditions == ()
                continue
            other = eager.rules_[int(deciding[r])]
            covered += 1
            assert rules[r].consequent == other.consequent
            assert set(rules[r].conditions) == set(other.conditions)
            assert rules[r].counts == other.counts
    assert covered > 300


def test_a_search_that_takes_too_long_names_the_row(play10):
    X, y = play10
    frame = pd.concat([row("foggy", None, None, None), T1, T2])
    model = LACClassifier(max_nodes=5).fit(X, y)
    message = (
        r"rules of rows 0 to 2, which was at row [12], was stopped: max_nodes=5 antecedents were visited\. "
        r"The row holds 4 items.* Lower max_len, raise min_support, raise max_nodes, or ask for fewer rows"
    )
    with pytest.raises(MiningLimitError, match=message) as caught:
        model.predict(frame)
    assert (caught.value.kind, caught.value.limit) == ("max_nodes", 5)
    with pytest.raises(MiningLimitError, match=r"rules of row 0 was stopped: .*, or raise max_nodes\."):
        model.predict(T1)
    enough = model.set_params(max_nodes=40)
    np.testing.assert_array_equal(enough.predict(frame), LACClassifier().fit(X, y).predict(frame))
    with pytest.raises(MiningLimitError, match=r"rows 0 to 2, which was at row [12], was stopped"):
        LACClassifier(max_nodes=5).fit(X, y).use(frame)


def test_a_search_that_is_out_of_time_names_the_row(play10, monkeypatch):
    monkeypatch.setattr(lazy, "STEP", 1)
    model = LACClassifier(time_budget=1e-9).fit(*play10)
    with pytest.raises(MiningLimitError, match=r"row 0 was stopped: time_budget=1e-09 seconds were over"):
        model.predict(T1)


def test_rows_of_weight_two_count_twice(play10):
    X, y = play10
    weight = np.array([1, 2, 1, 3, 1, 1, 1, 1, 1, 2])
    twice = np.repeat(np.arange(10), weight)
    weighed = LACClassifier(min_support=0.2).fit(X, y, sample_weight=weight)
    repeated = LACClassifier(min_support=0.2).fit(X.iloc[twice], y.iloc[twice])
    np.testing.assert_allclose(weighed.predict_proba(X), repeated.predict_proba(X))
    with pytest.raises(DataError, match="sample_weight must be whole numbers"):
        LACClassifier().fit(X, y, sample_weight=np.full(10, 0.5))


def test_numbers_are_cut_and_rules_speak_of_intervals():
    X = pd.DataFrame({"x": np.arange(40.0), "z": np.arange(40.0) % 3})
    y = np.where(X["x"] < 20, "low", "high")
    model = LACClassifier().fit(X, y)
    assert model.cuts_.points[0].tolist() == [19.5]
    assert str(model.explain(X.tail(1))) == "R1: IF x > 19.5 THEN class = high  (20/20, confidence 1.00)"
    # no other attribute is left: z tells nothing and has no interval
    assert model.use(X).generated == 2


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        (
            {"min_support": 0.0},
            r"'min_support' parameter of LACClassifier must be a float in \(0, 1\] or an int",
        ),
        ({"min_support": True}, "'min_support' parameter"),
        ({"rank": "lift"}, "'rank' parameter of LACClassifier must be 'gain', 'confidence' or 'laplace'"),
        ({"cache_size": -1}, r"'cache_size' parameter of LACClassifier must be None or an int in \[0, inf\)"),
        ({"max_len": 0}, "'max_len' parameter of LACClassifier must be an int"),
        ({"discretizer": "chimerge"}, "'discretizer' parameter of LACClassifier must be 'equal_frequency'"),
    ],
)
def test_wrong_parameters_are_named(play10, parameters, message):
    with pytest.raises(ParameterError, match=message):
        LACClassifier(**parameters).fit(*play10)


def test_the_limit_is_one_for_all_rows_of_a_call(monkeypatch):
    rng = np.random.default_rng(0)
    wide = pd.DataFrame({f"a{i}": rng.choice(list("abc"), 300, p=[0.2, 0.2, 0.6]) for i in range(30)})
    model = LACClassifier(max_nodes=2_000).fit(wide, rng.choice(["p", "q"], 300))
    visited = []
    run = LazySearch._run

    def counted(self, board, options, stack, best, memory, state, started):
        found = run(self, board, options, stack, best, memory, state, started)
        visited.append(int(state[1]))
        return found

    monkeypatch.setattr(LazySearch, "_run", counted)
    with pytest.raises(MiningLimitError, match=r"rows 0 to 49, which was at row \d+, was stopped"):
        model.predict(wide.head(50))
    assert visited == [2_000]


@pytest.mark.parametrize(
    ("name", "wrong"), [("rank", "nope"), ("min_support", 0), ("max_len", 0), ("projection", "all")]
)
def test_parameters_set_since_fit_are_checked_at_prediction(play10, name, wrong):
    model = LACClassifier().fit(*play10).set_params(**{name: wrong})
    for asked in (model.predict, model.predict_proba, model.explain, model.use):
        with pytest.raises(ParameterError, match=f"'{name}' parameter of LACClassifier must be"):
            asked(T1)


def test_the_size_of_the_cache_may_be_a_number_of_numpy(play10):
    X, y = play10
    model = LACClassifier(cache_size=np.int64(3)).fit(X, y)
    assert model.predict(X).tolist() == LACClassifier(cache_size=3).fit(X, y).predict(X).tolist()
    assert model.predict(T1).tolist() == ["yes"]
