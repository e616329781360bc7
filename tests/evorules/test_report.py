"""The HTML report of a comparison."""

from html.parser import HTMLParser

import numpy as np
import pandas as pd
import pytest
from stubs.learners import Dice, Stub

from evorules.evaluation import compare
from evorules.report import write_report


class Reader(HTMLParser):
    """Collects tags, and the text outside of figures."""

    def __init__(self):
        super().__init__()
        self.tags, self.text, self.links = [], [], []

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.links += [
            value for name, value in attrs if name in ("src", "href") and not value.startswith("#")
        ]

    def handle_data(self, data):
        self.text.append(data)


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"n": rng.random(60), "m": rng.random(60)})
    y = pd.Series(np.where(X["n"] > 0.5, "pos", "neg"), name="class")
    learners = {"tree <b>": "c45", "double": "double-c45", "dice": Dice(), "bad": Stub("raise")}
    result = compare(learners, {"<script>alert(1)</script>": (X, y), "two": (X + 1, y)}, folds=3, seeds=1)
    path = tmp_path_factory.mktemp("report") / "out.html"
    write_report(result, path)
    return path.read_text("utf-8")


def test_names_from_outside_do_not_become_markup(page):
    reader = Reader()
    reader.feed(page)
    assert "script" not in reader.tags
    assert "b" not in reader.tags
    text = "".join(reader.text)
    assert "<script>alert(1)</script>" in text
    assert "tree <b>" in text


def test_report_fetches_nothing_and_holds_its_figures(page):
    reader = Reader()
    reader.feed(page)
    assert reader.links == []
    assert reader.tags.count("svg") == 2  # boxes and rules; ranks need a data set that all finished


def test_report_says_what_failed_and_what_was_asked_for(page):
    for part in (
        "6 of which did not end well",
        "RuntimeError: boom",
        "random state",
        "Ranks need at least two",
    ):
        assert part in page
    for title in ("Accuracy by data set", "Accuracy on rows in small disjuncts", "Wins, ties and losses"):
        assert f"<h2>{title}</h2>" in page


def test_the_same_comparison_gives_the_same_report(tmp_path):
    result = compare(["c45", "double-c45"], ["xor", "iris"], folds=2)
    write_report(result, tmp_path / "a.html")
    write_report(result, tmp_path / "b.html")
    text = (tmp_path / "a.html").read_text("utf-8")
    assert text == (tmp_path / "b.html").read_text("utf-8")
    assert "Friedman over 2 data sets" in text
    assert text.count("<svg") == 3
