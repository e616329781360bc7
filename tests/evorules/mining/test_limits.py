"""Parameters of miners, and what happens at their limits."""

import pickle
import time

import numpy as np
import pandas as pd
import pytest
from reference.mining_tables import arrays_of, items_of, play10, random_table

from evorules.mining import MINERS, BitsetMiner, Thresholds, least_rows, mine_rules
from evorules.mining.estimate import estimate_rules
from evorules.mining.limits import Overrun
from trees.discretize import MDLP
from trees.errors import DataWarning, MiningLimitError, ParameterError


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"min_support": 1.5}, r"'min_support' .* a float in \(0, 1\] or an int in \[1, inf\)\. Got 1.5"),
        ({"min_support": -0.1}, r"'min_support' .* Got -0.1"),
        ({"min_support": True}, "'min_support' .* Got True"),
        ({"min_support": 0}, "'min_support' .* Got 0 instead"),
        ({"min_confidence": 1.5}, "'min_confidence'"),
        ({"max_len": 0}, "'max_len'"),
        ({"time_budget": 0.0}, "'time_budget'"),
        ({"on_limit": "warn"}, "'on_limit' .* 'error' or 'stop'"),
        ({"support_on": "antecedent", "class_support": "balanced"}, "choose one of them"),
    ],
)
def test_wrong_parameters_are_named(parameters, message):
    for miner in MINERS.values():
        with pytest.raises(ParameterError, match=message):
            miner(**parameters)


def test_a_share_on_the_edge_of_a_whole_number_is_that_number():
    # 0.28 * 25 is 7.000000000000001
    assert least_rows(0.28, 25) == 7
    assert least_rows(0.01, 50) == 1
    assert least_rows(np.int64(3), 50) == 3


def test_confidence_is_compared_as_a_fraction():
    # 9 of 10 reach 0.9 although the float is a little more than 9/10; 1/3 is met by 1 of 3
    items = items_of(pd.DataFrame({"a": ["u"] * 10}), ["p"] * 9 + ["q"])
    assert Thresholds.of(items, 1, 0.9).confident.tolist() == [1, 1, 2, 3, 4, 5, 6, 7, 8, 9, 9]
    assert Thresholds.of(items, 1, 1 / 3).confident[[3, 6, 9]].tolist() == [1, 2, 3]
    assert Thresholds.of(items, 1, 0.5, strict_confidence=True).confident[[2, 3, 4]].tolist() == [2, 2, 3]
    assert Thresholds.of(items, 1, 0.0).confident.max() == 1


@pytest.fixture(scope="module")
def many():
    """Rules of up to 7 conditions, thousands of them."""
    return items_of(*random_table(1, 400, 7, 3, 2))


@pytest.mark.parametrize("name", MINERS)
def test_the_message_of_a_limit_tells_what_to_change(name, many):
    with pytest.raises(MiningLimitError) as caught:
        MINERS[name](min_support=2, max_rules=20).mine(many)
    message, error = str(caught.value), caught.value
    for word in (
        "max_rules=20",
        str(int(error.reached)),
        f"{error.level} condition",
        "min_support",
        "max_len",
    ):
        assert word in message
    assert (error.kind, error.limit) == ("max_rules", 20)
    assert error.reached > 20
    again = pickle.loads(pickle.dumps(error))
    assert (str(again), again.kind, again.level) == (message, error.kind, error.level)


@pytest.mark.parametrize("name", MINERS)
def test_stopping_returns_all_rules_of_the_lengths_that_fit(name, many):
    miner = MINERS[name]
    full = miner(min_support=2).mine(many)
    by_length = np.cumsum(np.bincount(full.size))
    longest = int(full.size.max()) - 1
    room = int(by_length[longest])
    message = rf"max_rules={room}: only the {room} rules of at most {longest} condition"
    with pytest.warns(DataWarning, match=message):
        found = miner(min_support=2, max_rules=room, on_limit="stop").mine(many)
    assert found.truncated
    assert not full.truncated
    expected = full.take(full.size <= longest)
    for a, b in zip(arrays_of(found), arrays_of(expected), strict=True):
        np.testing.assert_array_equal(a, b)


@pytest.mark.parametrize("name", MINERS)
def test_the_number_of_antecedents_is_limited_too(name, many):
    with pytest.raises(MiningLimitError, match="max_nodes=50 antecedents"):
        MINERS[name](min_support=2, max_nodes=50).mine(many)
    with pytest.warns(DataWarning, match="max_nodes=50"):
        found = MINERS[name](min_support=2, max_nodes=50, on_limit="stop").mine(many)
    assert found.truncated
    assert found.size.max(initial=1) <= 2


def test_no_length_fits_if_the_first_does_not(many):
    with pytest.warns(DataWarning, match="no rule is returned, for even those of one condition go beyond it"):
        found = BitsetMiner(min_support=2, max_rules=1, on_limit="stop").mine(many)
    assert len(found) == 0
    assert found.truncated


def explosive():
    """2**40 - 1 antecedents: all values are the same in 30 rows."""
    return items_of(pd.DataFrame({f"b{c:02d}": ["t"] * 30 for c in range(40)}), ["P", "N"] * 15)


@pytest.mark.parametrize("name", ["bitset", "fp_growth"])
def test_the_time_budget_ends_a_search_that_would_not_end(name):
    items = explosive()
    unlimited = {"max_rules": None, "max_nodes": None, "time_budget": 0.2}
    MINERS[name](max_len=2).mine(items)  # compiles
    begun = time.perf_counter()
    with pytest.raises(MiningLimitError, match=r"time_budget=0.2 seconds were over"):
        MINERS[name](**unlimited).mine(items)
    assert time.perf_counter() - begun < 10
    with pytest.warns(DataWarning, match="time_budget=0.2"):
        found = MINERS[name](**unlimited, on_limit="stop").mine(items)
    assert found.truncated
    assert found.size.max() >= 1


def test_the_estimate_is_right_where_it_can_be_and_close_elsewhere(many):
    miner = BitsetMiner(min_support=2)
    cars = miner.mine(many)
    estimated = estimate_rules(many, miner.thresholds(many), 7)
    by_length = np.bincount(cars.size)[1:]
    assert estimated[0] == by_length[0]
    assert 0.8 < estimated[1] / by_length[1] < 1.25
    assert 0.5 < estimated.sum() / len(cars) < 2
    assert estimate_rules(many, miner.thresholds(many), 7).tolist() == estimated.tolist()
    # 2 rules for each of 2**40 - 1 sets
    items = explosive()
    huge = estimate_rules(items, BitsetMiner().thresholds(items), 40).sum()
    assert 0.1 < huge / 2**41 < 10


def test_verbose_tells_the_estimate_before_the_search(capsys):
    BitsetMiner(min_support=2, verbose=True, max_len=1).mine(items_of(*play10()))
    assert capsys.readouterr().err == "There are about 12 rules in all.\n"


def test_mine_rules_takes_frames_and_parameters_of_the_miner():
    X, y = play10()
    assert len(mine_rules(X, y, min_support=2)) == 32
    assert len(mine_rules(X, y, min_support=2, miner="car_ca")) == 22
    numbers = pd.DataFrame({"x": [1.0, 2.0, 3.0, 7.0, 8.0, 9.0]})
    labels = list("ppppqq")
    assert mine_rules(numbers, labels, discretizer="equal_width").to_frame()["rule"].iloc[0] == "x <= 2.6"
    with pytest.raises(ParameterError, match=r"'miner' parameter .* 'apriori', .* Got 'eclat'"):
        mine_rules(X, y, miner="eclat")
    with pytest.raises(ParameterError, match=r"'maxlen', which the miner 'bitset' does not have.* max_len"):
        mine_rules(X, y, maxlen=3)
    with pytest.raises(ParameterError, match=r"'discretizer' parameter .* 'mdlp' or a discretizer"):
        mine_rules(X, y, discretizer="chimerge")


@pytest.mark.parametrize("discretizer", [None, 3, MDLP])
def test_what_is_no_discretizer_is_refused_by_mine_rules(discretizer):
    X, y = play10()
    with pytest.raises(ParameterError, match="'discretizer' parameter of mine_rules must be"):
        mine_rules(X, y, discretizer=discretizer)


def test_columns_named_nominal_are_a_list():
    X, y = play10()
    with pytest.raises(ParameterError, match="'nominal' parameter of mine_rules must be"):
        mine_rules(X, y, nominal=1)


def test_only_parameters_are_named_as_such():
    X, y = play10()
    with pytest.raises(ParameterError, match=r"It takes: min_support, [a-z_, ]*, verbose\.$"):
        mine_rules(X, y, _more={})


def test_a_search_that_meets_its_limit_does_not_advise_lower_thresholds():
    X, y = play10()
    with pytest.warns(DataWarning) as caught:
        assert len(mine_rules(X, y, min_support=2, max_rules=1, on_limit="stop")) == 0
    assert [str(warning.message).split(":")[0] for warning in caught] == [
        "The search for rules came upon max_rules=1"
    ]


def test_classes_without_a_rule_are_named():
    X, y = play10()
    with pytest.warns(DataWarning, match=r"No rule predicts no: .* class_support='balanced'") as caught:
        mine_rules(X, y, min_support=5)
    assert caught[0].filename == __file__
    with pytest.warns(DataWarning, match="No rule reaches min_support and min_confidence"):
        mine_rules(X, y, min_support=10)


def test_a_search_that_ended_at_no_antecedent_tells_no_length():
    told = str(Overrun("max_rules", 10, 12, 0).error("About 20 rules."))
    assert told.startswith(
        "The search for rules was stopped: max_rules=10 rules were found (reached 12). About"
    )
    assert "reached 12) while it was at antecedents of 2 condition(s). About 20" in str(
        Overrun("max_rules", 10, 12, 2).error("About 20 rules.")
    )
