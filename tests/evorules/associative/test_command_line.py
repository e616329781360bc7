import pandas as pd
import pytest
from reference.play10 import X, Y
from typer.testing import CliRunner

from evorules.associative import CARICClassifier
from evorules.cli.main import app
from evorules.learners import LEARNERS, make_learner

ASSOCIATIVE = ("car-ic", "cba", "cmar", "eac", "mcar", "tfpc")


@pytest.fixture
def weather(tmp_path):
    path = tmp_path / "weather.csv"
    X.assign(play=Y).to_csv(path, index=False)
    return path


@pytest.mark.parametrize("learner", ASSOCIATIVE)
def test_models_are_fitted_shown_and_applied(learner, weather, tmp_path):
    model, out = tmp_path / "model.json", tmp_path / "out.csv"
    options = ["--learner", learner, "--set", "min_support=2", "-o", str(model)]
    fitted = CliRunner().invoke(app, ["fit", str(weather), "--target", "play", *options])
    assert fitted.exit_code == 0, fitted.output
    shown = CliRunner().invoke(app, ["show", str(model)])
    assert shown.exit_code == 0, shown.output
    kind = "vote" if learner in ("cmar", "car-ic") else "the first that covers a row decides"
    assert kind in shown.output
    fallback = "no class" if learner == "car-ic" else "play = "
    assert f"Where no rule covers a row: {fallback}" in shown.output
    applied = CliRunner().invoke(app, ["predict", str(model), str(weather), "-o", str(out)])
    assert applied.exit_code == 0, applied.output
    assert (pd.read_csv(out).iloc[:, 5] == Y).mean() >= 0.7


def test_a_lazy_model_says_where_its_rules_are(weather, tmp_path):
    model = tmp_path / "model.json"
    options = ["--learner", "lac", "-o", str(model)]
    assert CliRunner().invoke(app, ["fit", str(weather), "--target", "play", *options]).exit_code == 0
    shown = CliRunner().invoke(app, ["show", str(model)])
    assert shown.exit_code == 0, shown.output
    assert "Rules are made for each row when it is asked for: `explain`" in shown.output
    assert "play = yes" in shown.output
    assert "the first that covers a row decides" not in shown.output


def test_learners_go_by_their_names():
    assert set(ASSOCIATIVE) < set(LEARNERS)
    assert isinstance(make_learner("car-ic", k=3), CARICClassifier)
