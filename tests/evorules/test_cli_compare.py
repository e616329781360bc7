"""``evorules compare`` and ``evorules report``."""

import pytest
from typer.testing import CliRunner

from evorules.cli.main import app

runner = CliRunner()


def run(*words):
    result = runner.invoke(app, [str(word) for word in words])
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


@pytest.fixture
def weather(tmp_path):
    path = tmp_path / "weather.csv"
    rows = [
        f"{'sunny' if i % 3 else 'rainy'},{i % 7},{'yes' if i % 3 and i % 7 > 2 else 'no'}" for i in range(60)
    ]
    path.write_text("outlook,humidity,play\n" + "\n".join(rows) + "\n")
    return path


QUICK = ("--set", "ga:population_size=10", "--set", "ga:n_generations=2")


def test_compare_prints_tables_keeps_results_and_resumes(weather, tmp_path):
    store, page = tmp_path / "run.db", tmp_path / "out.html"
    words = ("compare", weather, "--target", "play", "--learners", "c45,double-c45,ga=ga-large-sn", *QUICK)
    options = ("--folds", 3, "--seeds", 2, "--store", store)
    first = run(*words, *options, "--report", page)
    assert first.exit_code == 0
    for part in (
        "weather",
        "mean rank",
        "Wins/ties/losses",
        "disjuncts of at most 15",
        f"report written to {page}",
    ):
        assert part in first.stdout.replace("\n", " ")
    assert page.read_text("utf-8").startswith("<!DOCTYPE html>")
    again = run(*words, *options)
    assert again.stdout == first.stdout.replace(f"report written to {page}\n", "")
    other = tmp_path / "other.html"
    assert run("report", store, "-o", other).exit_code == 0
    assert other.read_text("utf-8") == page.read_text("utf-8")


def test_compare_takes_several_data_sets_and_ranks_over_them(weather):
    output = run("compare", "xor", "iris", "--learners", "c45,double-c45", "--folds", 2).stdout
    assert "Mean ranks over 2 data sets" in output


def test_failures_are_counted_on_standard_error(weather):
    words = ("compare", weather, "--target", "play", "--learners", "c45,bad=double-c45", "--folds", 2)
    result = run(*words, "--set", "bad:threshold=0")
    assert result.exit_code == 0
    assert "2 tasks of bad: failed; the first: bad on weather, repeat 0, fold 0" in result.stderr
    assert "'threshold' parameter" in result.stderr


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--set", "c46:prune=false"), "must begin with one of the learners and a colon: c45"),
        (("--test", "sign"), "must be one of corrected t"),
        (("--baseline", "c50"), "must be one of c45"),
        (("--report", "/nowhere/out.html"), "there is no folder"),
        (("--folds", "1"), "greater than or equal to 2"),
    ],
)
def test_wrong_options_are_refused(words, message, weather):
    result = run("compare", weather, "--target", "play", "--learners", "c45", *words)
    assert result.exit_code == 2
    assert message in result.stderr
