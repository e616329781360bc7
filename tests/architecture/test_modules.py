"""What every module keeps to: size, names, documented public names, nothing unfinished."""

import ast
import importlib
import inspect
import sys
from pathlib import Path

import pytest
from architecture.source import PACKAGES, sources

ROOT = Path(__file__).parents[2]
FOLDERS = (*PACKAGES, "benchmarks", "tests")
LONGEST = 500
UNFINISHED = ("NotImplementedError", "TODO", "FIXME", "XXX")


def long_modules(root):
    counts = (
        (source, len(source.path.read_text("utf-8").splitlines())) for source in sources(root, *FOLDERS)
    )
    return [f"{source.at(n)} has {n} lines" for source, n in counts if n > LONGEST]


def unfinished_places(root):
    return [
        f"{source.at(number)} holds {word}"
        for source in sources(root, *PACKAGES, "benchmarks")
        for number, line in enumerate(source.path.read_text("utf-8").splitlines(), start=1)
        for word in UNFINISHED
        if word in line
    ]


def modules_named_like_the_standard_library(root):
    return [
        source.at(1) for source in sources(root, *PACKAGES) if source.path.stem in sys.stdlib_module_names
    ]


def undocumented_names(module):
    """Names in ``__all__`` that are not there, or without a docstring of their own."""
    faults = []
    for name in getattr(module, "__all__", ()):
        if not hasattr(module, name):
            faults.append(f"{module.__name__}.{name} does not exist")
            continue
        value = getattr(module, name)
        if not str(getattr(value, "__module__", "")).startswith(PACKAGES):
            continue  # a constant, or made elsewhere
        if inspect.isclass(value):
            faults += [f"{module.__name__}.{fault} has no docstring" for fault in _undocumented_in(value)]
        elif inspect.isfunction(value) and not inspect.getdoc(value):
            faults.append(f"{module.__name__}.{name} has no docstring")
    return faults


def _undocumented_in(cls):
    # a dataclass without docstring gets its signature for one
    if not cls.__doc__ or cls.__doc__.startswith(f"{cls.__name__}("):
        yield cls.__name__
    for name, member in vars(cls).items():
        is_ours = inspect.isroutine(member) or isinstance(member, property | staticmethod | classmethod)
        if not name.startswith("_") and is_ours and not inspect.getdoc(getattr(cls, name)):
            yield f"{cls.__name__}.{name}"


def test_no_module_is_longer_than_500_lines():
    assert long_modules(ROOT) == []


def test_nothing_is_left_unfinished():
    assert unfinished_places(ROOT) == []


def test_no_module_is_named_like_one_of_the_standard_library():
    assert modules_named_like_the_standard_library(ROOT) == []


def test_public_names_exist_and_have_docstrings():
    faults = []
    for source in sources(ROOT, "trees", "evorules"):
        if not source.is_kernel and source.path.stem != "__main__":
            faults += undocumented_names(importlib.import_module(source.name))
    assert faults == []


def test_every_module_says_what_it_is_for():
    trees = ((source, source.tree()) for source in sources(ROOT, *PACKAGES))
    assert [source.at(1) for source, tree in trees if tree.body and not ast.get_docstring(tree)] == []


def test_modules_that_break_a_rule_are_found(tmp_path):
    (tmp_path / "trees").mkdir()
    (tmp_path / "trees" / "long.py").write_text("pass\n" * 501)
    (tmp_path / "trees" / "json.py").write_text("def f():\n    raise NotImplementedError\n")
    assert long_modules(tmp_path) == ["trees/long.py:501 has 501 lines"]
    assert unfinished_places(tmp_path) == ["trees/json.py:2 holds NotImplementedError"]
    assert modules_named_like_the_standard_library(tmp_path) == ["trees/json.py:1"]


@pytest.fixture
def module(tmp_path, monkeypatch):
    """A module `trees_sample` with one documented class and four faults."""
    (tmp_path / "trees_sample.py").write_text(
        "from dataclasses import dataclass\n"
        "__all__ = ['Absent', 'Bare', 'Good', 'bare']\n"
        "@dataclass\n"
        "class Bare:\n"
        "    a: int\n"
        "class Good:\n"
        "    'Documented.'\n"
        "    def known(self):\n"
        "        'Documented.'\n"
        "    @property\n"
        "    def unknown(self): pass\n"
        "    def _own(self): pass\n"
        "class Better(Good):\n"
        "    'Documented.'\n"
        "    def known(self): pass\n"
        "def bare(): pass\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    yield importlib.import_module("trees_sample")
    sys.modules.pop("trees_sample", None)


def test_public_names_without_docstring_or_value_are_found(module):
    assert undocumented_names(module) == [
        "trees_sample.Absent does not exist",
        "trees_sample.Bare has no docstring",
        "trees_sample.Good.unknown has no docstring",
        "trees_sample.bare has no docstring",
    ]
    module.__all__ = ["Better"]
    assert undocumented_names(module) == []
