"""The cache of compiled kernels notices what Numba's own does not."""

import subprocess
import sys

import pytest

CALLER = """
from trees.jit import kernel
from _kernels_callee import one, Pair

@kernel
def two(pair):
    return one(pair) + one(pair)
"""
CALLEE = """
from typing import NamedTuple
from trees.jit import kernel

class {name}(NamedTuple):
    value: int

{alias}

@kernel
def one(pair):
    return pair.value * {factor}
"""
RUN = """
from _kernels_caller import Pair, two
print(two(Pair(3)))
"""


@pytest.fixture
def run(tmp_path):
    (tmp_path / "_kernels_caller.py").write_text(CALLER)

    def run(**changes):
        text = CALLEE.format(**{"name": "Pair", "alias": "", "factor": 1, **changes})
        (tmp_path / "_kernels_callee.py").write_text(text)
        done = subprocess.run(
            [sys.executable, "-c", RUN], cwd=tmp_path, capture_output=True, text=True, check=True
        )
        return int(done.stdout)

    return run


def test_a_change_in_a_called_kernel_reaches_its_callers(run):
    assert run(factor=1) == 6
    assert run(factor=10) == 60


def test_an_entry_that_names_a_class_that_is_gone_is_compiled_again(run):
    assert run() == 6
    assert run(name="Renamed", alias="Pair = Renamed") == 6
