"""The commands, run as a person would run them."""

import sys

import pandas as pd
import pytest
from typer.testing import CliRunner

from evorules.cli.main import app, main

runner = CliRunner()


def run(*words):
    result = runner.invoke(app, [str(word) for word in words])
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


@pytest.fixture
def board(tmp_path):
    path = tmp_path / "board.csv"
    assert run("datasets", "tic-tac-toe", "-o", path).exit_code == 0
    return path


def test_datasets_lists_the_built_in_sets():
    output = run("datasets").stdout
    assert all(name in output for name in ("tic-tac-toe", "led24", "iris", "multiplexer"))
    assert "958 rows" in run("datasets", "tic-tac-toe").stdout


def test_fit_show_predict_on_a_file(board, tmp_path):
    model, out = tmp_path / "model.json", tmp_path / "out.csv"
    ga = ("--set", "population_size=20", "--set", "n_generations=3")
    fitted = run("fit", board, "--target", "class", "--learner", "ga-large-sn", *ga, "-o", model)
    assert fitted.exit_code == 0
    assert "958 rows, 9 attributes, classes negative, positive" in fitted.stdout
    assert "small disjuncts: with the remedy" in fitted.stdout
    shown = run("show", model).stdout
    assert "middle-middle-square = " in shown
    assert "Rules for small disjuncts" in shown
    predicted = run("predict", model, board, "-o", out)
    assert "958 predictions written" in predicted.stdout
    assert "agree with column 'class'" in predicted.stderr
    rows = pd.read_csv(out)
    assert list(rows.columns[-3:]) == ["prediction", "probability", "rule"]
    assert (rows["prediction"] == rows["class"]).mean() > 0.8
    assert rows["probability"].between(0.5, 1).all()


def test_fit_can_cross_validate(board):
    output = run("fit", board, "--target", "class", "--learner", "double-c45", "--folds", 3).stdout
    assert "3-fold cross-validation" in output
    assert "double-c45" in output


def test_only_named_tokens_are_missing(tmp_path):
    path = tmp_path / "diet.csv"
    path.write_text("diet,age,y\n" + "None,1,no\nNA,2,no\nvegan,?,yes\nvegan,4,yes\n" * 5)
    model, out = tmp_path / "m.json", tmp_path / "o.csv"
    assert run("fit", path, "--target", "y", "--learner", "c45", "--missing", "?", "-o", model).exit_code == 0
    shown = run("show", model, "--part", "tree").stdout
    assert "diet = None" in shown
    assert "diet = NA" in shown
    assert run("predict", model, path, "-o", out).exit_code == 0
    assert pd.read_csv(out, keep_default_na=False)["diet"].tolist()[:2] == ["None", "NA"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("fit", "{board}", "--target", "clas"), "'clas'"),
        (("fit", "{board}x", "--target", "class"), "board.csvx"),
        (("fit", "{board}", "--target", "class", "--learner", "c5"), "no learner 'c5'"),
        (("fit", "{board}", "--target", "class", "--set", "variants=paper"), "'variants'"),
        (("fit", "{board}", "--target", "class", "--set", "threshold=0"), "'threshold' parameter"),
        (("fit", "{board}", "--target", "class", "--drop", "zip"), "no column 'zip'"),
        (("show", "{board}"), "not a model file"),
        (("datasets", "tictactoe"), "tic-tac-toe"),
        (("fit", "nofile.csv", "--target", "class"), "error: nofile.csv: No such file or directory\n"),
    ],
)
def test_expected_errors_are_one_line_on_standard_error(words, message, board, monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["evorules", *(word.format(board=board) for word in words)])
    with pytest.raises(SystemExit, match="1"):
        main()
    captured = capsys.readouterr()
    assert message in captured.err
    assert captured.err.startswith("error: ")
    assert "Traceback" not in captured.err


def test_a_search_that_meets_its_limit_ends_in_one_line(board, monkeypatch, capsys):
    words = ["fit", str(board), "--target", "class", "--learner", "cba"]
    limits = ["--set", "max_rules=1", "--set", "on_limit=error"]
    monkeypatch.setattr(sys, "argv", ["evorules", *words, *limits])
    with pytest.raises(SystemExit, match="1"):
        main()
    last = capsys.readouterr().err.splitlines()[-1]
    assert last.startswith("error: The search for rules was stopped: max_rules=1 rules were found")


def test_a_data_warning_is_one_line_on_standard_error(tmp_path, monkeypatch, capsys):
    path = tmp_path / "one.csv"
    path.write_text("a,y\n1,x\n2,x\n")
    monkeypatch.setattr(sys, "argv", ["evorules", "fit", str(path), "--target", "y", "--learner", "c45"])
    with pytest.raises(SystemExit, match="0"):
        main()
    assert "warning: The class is 'x' in every row" in capsys.readouterr().err


def test_the_demo_compares_the_systems_on_held_out_rows(monkeypatch):
    from evorules.cli import demo

    quick = {"population_size": 10, "n_generations": 2}
    systems = {n: (k, {**p, **(quick if k.startswith("ga") else {})}) for n, (k, p) in demo.SYSTEMS.items()}
    monkeypatch.setattr(demo, "SYSTEMS", systems)
    output = run("demo", "--folds", 2, "--seeds", 1).stdout
    assert all(name in output for name in demo.SYSTEMS)
    assert "fall into small disjuncts" in output
    assert "rules for small disjuncts" in output


def test_predict_writes_other_columns_back_as_they_were(tmp_path):
    train, later = tmp_path / "train.csv", tmp_path / "later.csv"
    train.write_text("a,b,y\n" + "1,u,p\n2,v,q\n" * 10)
    later.write_text("id,a,b\n007,1,u\n12345678901234567890123,,v\n1e5,2,?\n")
    model, out = tmp_path / "m.json", tmp_path / "o.csv"
    assert (
        run("fit", train, "--target", "y", "--learner", "c45", "--missing", "?", "-o", model).exit_code == 0
    )
    assert run("predict", model, later, "-o", out).exit_code == 0
    fields = [line.split(",")[:3] for line in out.read_text().splitlines()]
    assert fields == [
        ["id", "a", "b"],
        ["007", "1", "u"],
        ["12345678901234567890123", "", "v"],
        ["1e5", "2", "?"],
    ]


def test_rows_without_a_class_are_left_out_with_a_warning(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("a,y\n" + "1,p\n2,q\n" * 5 + "3,\n")
    fitted = run("fit", path, "--target", "y", "--learner", "c45")
    assert "1 of 11 rows have no class" in fitted.stderr
    assert "10 rows" in fitted.stdout


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--folds", "1"), "folds must be from 2 to"),
        (("--folds", "700"), "folds must be from 2 to 626"),
        (("-o", "."), "is a folder"),
        (("-o", "no/such/m.json"), "there is no folder"),
        (("--encoding", "hex"), "no known encoding: 'hex'"),
        (
            ("--learner", "c45-forest", "-o", "{folder}/m.json"),
            "'classifier' cannot be written to a model file",
        ),
    ],
)
def test_what_cannot_end_well_is_refused_before_the_fit(words, message, board, monkeypatch, capsys):
    given = [word.format(folder=board.parent) for word in words]
    monkeypatch.setattr(sys, "argv", ["evorules", "fit", str(board), "--target", "class", *given])
    with pytest.raises(SystemExit, match="1"):
        main()
    captured = capsys.readouterr()
    assert message in captured.err
    assert captured.out == ""
