"""Tests of two learners: against scipy, worked examples and published p-values."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from evorules.evaluation import (
    bayesian_signed_rank,
    corrected_t,
    interval_overlap,
    paired_t,
    rank_biserial,
    wilcoxon,
)
from experiments.published import published
from trees.errors import ParameterError

# case S42
REAL = [0.01, 0.03, -0.01, 0.02, 0.04, 0.0, 0.02, 0.01, 0.03, 0.05]
ZERO = [0.0] * 10
# specs/evaluation.md, section 3
EXAMPLE = [2, 1, -1, 3, 2, 4, 1, 1, 1, 4]


def test_no_difference_at_all_is_no_difference():
    for found in (wilcoxon(ZERO, ZERO), corrected_t(ZERO, ZERO, 1 / 9), paired_t(ZERO, ZERO)):
        assert found.p_value == 1.0
        assert found.n_ties == 10
        assert found.effect_size == 0.0
    assert paired_t(ZERO, ZERO, alternative="greater").p_value == 0.5


def test_corrected_t_allows_for_shared_training_rows():
    found = corrected_t(REAL, ZERO, 1 / 9)
    assert found.mean_difference == pytest.approx(0.02, abs=1e-12)
    assert found.statistic == pytest.approx(2.384158242717079, abs=1e-9)
    assert found.p_value == pytest.approx(0.0409476409617701, abs=1e-9)
    uncorrected = paired_t(REAL, ZERO)
    assert uncorrected.statistic == pytest.approx(3.4641, abs=5e-5)
    assert uncorrected.p_value == pytest.approx(0.00711, abs=5e-6)


def test_paired_t_of_the_worked_example():
    found = paired_t(EXAMPLE, np.zeros(10), alternative="greater")
    assert found.statistic == pytest.approx(3.674, abs=5e-4)
    assert found.p_value == pytest.approx(0.00256, abs=5e-6)
    assert corrected_t(EXAMPLE, np.zeros(10), 1 / 9).statistic == pytest.approx(2.529, abs=5e-4)


def test_equal_differences_are_decided_by_their_sign():
    ones = np.ones(5)
    assert paired_t(ones, ones * 0).p_value == 0.0
    assert paired_t(ones, ones * 0, alternative="greater").p_value == 0.0
    assert paired_t(ones, ones * 0, alternative="less").p_value == 1.0
    assert paired_t(ones, ones * 0).effect_size == np.inf


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.integers(-6, 6), min_size=3, max_size=40), st.sampled_from(["two-sided", "greater", "less"])
)
def test_statistics_equal_those_of_scipy(differences, alternative):
    a = np.array(differences, dtype=float)
    b = np.zeros(len(a))
    if a.std(ddof=1) > 0:
        theirs = stats.ttest_rel(a, b, alternative=alternative)
        ours = paired_t(a, b, alternative=alternative)
        assert ours.statistic == pytest.approx(theirs.statistic, rel=1e-9)
        assert ours.p_value == pytest.approx(theirs.pvalue, rel=1e-9, abs=1e-12)
    if np.any(a != 0):
        for zero_method in ("wilcox", "pratt", "zsplit"):
            for correction in (False, True):
                theirs = stats.wilcoxon(
                    a,
                    zero_method=zero_method,
                    correction=correction,
                    alternative=alternative,
                    method="approx",
                )
                ours = wilcoxon(
                    a,
                    b,
                    zero_method=zero_method,
                    correction=correction,
                    alternative=alternative,
                    method="normal",
                )
                assert ours.p_value == pytest.approx(theirs.pvalue, rel=1e-9)


def test_few_differences_without_ties_have_an_exact_distribution():
    # by hand: all 5 ranks positive, so 2 of the 2^5 signs are as extreme
    assert wilcoxon([1, 2, 3, 4, 5], np.zeros(5)).p_value == 2 / 32
    # 25 differences exact, 26 normal
    for n, method in ((25, "exact"), (26, "approx")):
        a = np.arange(1, n + 1) * np.where(np.arange(n) % 3, 1.0, -1.0)
        assert wilcoxon(a, np.zeros(n)).p_value == pytest.approx(stats.wilcoxon(a, method=method).pvalue)


def test_p_values_of_the_cbc_paper_follow_from_its_table():
    # seed 000, table 7 and its last line: CBC-FS against CBC, C4.5, GARC, CBA
    table, printed = published("000_cbc_table7"), published("000_cbc_table7_summary").set_index("statistic")
    others = ("cbc", "c45", "garc", "cba")
    errors = [wilcoxon(table["err_cbc_fs"], table[f"err_{name}"]).p_value for name in others]
    assert [round(p, 3) for p in errors] == [0.365, 0.118, 0.031, 1.0]
    assert [printed[f"err_{n}"].iloc[-1] for n in others] == [0.366, 0.118, 0.029, 1.0]
    rules = [wilcoxon(table["rules_cbc_fs"], table[f"rules_{name}"]).p_value for name in others]
    assert [round(p, 3) for p in rules] == [0.001, 0.0, 0.004, 0.0]
    assert [printed[f"rules_{n}"].iloc[-1] for n in others] == [0.001, 0.0, 0.002, 0.0]


def test_car_ic_differs_only_from_tfpc_over_the_data_sets_of_its_paper():
    # specs/evaluation.md, section 5, by the normal distribution
    table = published("001_car_ic_table6_accuracy").set_index("dataset")
    found = {
        name: wilcoxon(table["CAR-IC"], table[name], method="normal", decimals=2).p_value
        for name in table.columns[:-1]
    }
    assert {name: round(p, 4 if p < 0.01 else 3) for name, p in found.items()} == {
        "CBA": 0.391,
        "CMAR": 0.167,
        "CPAR": 0.093,
        "TFPC": 0.0019,
        "HARMONY": 0.896,
        "DDPMine": 0.765,
    }


def test_rounding_makes_printed_differences_tie():
    # in floating point 28.0 - 27.9 and 16.7 - 16.6 differ
    a, b = np.array([28.0, 16.7, 14.0]), np.array([27.9, 16.6, 15.0])
    assert a[0] - b[0] != a[1] - b[1]
    assert wilcoxon(a, b, decimals=6).p_value == pytest.approx(
        stats.wilcoxon([0.1, 0.1, -1.0], method="approx").pvalue
    )


def test_noise_of_the_arithmetic_is_no_difference():
    assert 0.1 + 0.2 != 0.3
    assert wilcoxon([0.1 + 0.2, 1.0], [0.3, 0.0]).n_ties == 1


def test_rank_biserial_correlation_by_hand():
    # ranks of |d|: 1, 2.5, 2.5, 4; positive sum 1 + 2.5 + 4 = 7.5, negative 2.5
    assert rank_biserial([1, 2, -2, 3, 0], [0] * 5) == 0.5


def test_intervals_of_the_hybrid_paper():
    # seed 004, section 5: 80.1 ± 0.9 against 82.4 ± 1.3 is significant, as 81.0 < 81.1
    first = 80.1 + 0.9 * np.array([-1, 0, 1])
    second = 82.4 + 1.3 * np.array([-1, 0, 1])
    assert interval_overlap(second, first) == 1
    assert interval_overlap(first, second) == -1
    # equal end points overlap: 81.0 and 81.0
    assert interval_overlap(82.3 + 1.3 * np.array([-1, 0, 1]), first) == 0


def test_bayesian_test_is_that_of_baycomp():
    import baycomp

    table = published("001_car_ic_table6_accuracy")
    a, b = table["CAR-IC"].to_numpy(), table["TFPC"].to_numpy()
    ours = bayesian_signed_rank(a, b, rope=1.0, n_samples=2000)
    left, equal, right = baycomp.SignedRankTest.probs(a, b, 1.0, nsamples=2000, random_state=0)
    assert (ours.first, ours.equal, ours.second) == (left, equal, right)
    assert ours.first > 0.95
    without = bayesian_signed_rank(a, b, rope=0, n_samples=2000)
    assert without.equal == 0
    assert without.first + without.second == pytest.approx(1)


@pytest.mark.parametrize("pair", [([1, 2], [1]), ([], []), ([1, np.nan], [1, 2])])
def test_scores_must_come_in_pairs(pair):
    with pytest.raises(ParameterError, match="Paired scores must"):
        wilcoxon(*pair)


def test_one_fold_cannot_be_tested():
    found = paired_t([1.0], [0.5])
    assert found.p_value == 1.0
    assert np.isnan(found.statistic)


def test_published_tables_are_whole():
    assert len(published("001_car_ic_table6_accuracy")) == 20
    assert len(published("000_cbc_table7")) == 18
    assert isinstance(published("004_hybrid_summary"), pd.DataFrame)
