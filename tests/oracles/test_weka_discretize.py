"""MDLP against the exact cut points of Weka 3.6.14's supervised Discretize filter."""

import json

import pytest
from oracles.c45_files import read_c45

from trees.discretize import MDLP

SMALL = """
anneal-na auto credit-g crx edge-20class edge-allmissing edge-close edge-const edge-dir edge-dups
edge-half edge-pure edge-stuck edge-subset edge-tieclass edge-ties edge-wide glass glass-all golf
hepatitis horse-colic hypo ionosphere iris iris-all labor-full labor-neg lymph pima pima-all segment
sick sonar vehicle wine wine-all zoo
"""
LARGE = ("adult", "letter", "shuttle")
NAMES = [*SMALL.split(), *(pytest.param(name, marks=pytest.mark.slow) for name in LARGE)]


@pytest.fixture(scope="module")
def printed(reference):
    path = reference / "oracles" / "c45" / "weka-discretize.json"
    return json.loads(path.read_text("utf-8"))["datasets"]


@pytest.mark.parametrize("name", NAMES)
def test_cut_points_equal_those_of_weka_bit_for_bit(name, printed, reference):
    table, _ = read_c45(reference / "oracles" / "c45" / "data", name)
    for option, better in (("default", False), ("E_better_encoding", True)):
        cuts = MDLP(better_encoding=better).fit(table)
        found = {
            attribute.name: points.tolist() or None
            for attribute, points in zip(table.schema.attributes, cuts.points, strict=True)
            if points is not None
        }
        assert found == printed[name][option]


def test_every_data_set_of_the_file_is_compared(printed):
    assert set(printed) == {*SMALL.split(), *LARGE}
