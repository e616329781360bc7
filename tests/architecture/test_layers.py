"""What may import what, and that the checks of it can fail."""

import subprocess
import sys
from pathlib import Path

import pytest
from architecture.layers import LEVEL, compiler_faults, direction_faults, order_faults

ROOT = Path(__file__).parents[2]


def test_experiments_import_evorules_which_imports_trees_and_never_the_other_way():
    assert direction_faults(ROOT) == []


def test_packages_of_evorules_import_only_what_stands_before_them_in_the_order():
    assert order_faults(ROOT) == []


def test_every_package_of_evorules_has_its_place_in_the_order():
    packages = {path.parent.name for path in (ROOT / "evorules").glob("*/__init__.py")}
    assert packages <= set(LEVEL)


def test_only_kernels_import_the_compiler_and_kernels_are_imported_only_on_use():
    assert compiler_faults(ROOT) == []


@pytest.mark.parametrize("package", ["trees", "evorules"])
def test_importing_a_package_loads_neither_compiler_nor_plotting(package):
    heavy = ("numba", "llvmlite", "matplotlib", "dask", "distributed")
    code = f"import sys, {package}; print([name for name in {heavy} if name in sys.modules])"
    run = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"


@pytest.fixture
def checkout(tmp_path):
    """A checkout with empty packages and a few modules."""
    inside = [f"evorules/{name}" for name in ("items", "mining", "associative", "covering", "cli")]
    for name in ("trees", "evorules", *inside, "experiments"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").touch()
    (tmp_path / "evorules" / "learners.py").touch()
    (tmp_path / "trees" / "jit.py").write_text("import numba\n")
    (tmp_path / "trees" / "_kernels_scan.py").write_text("from trees.jit import kernel\n")

    def write(path, text):
        (tmp_path / path).write_text(text)
        return tmp_path

    return write


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("trees/table.py", "import evorules\n"),
        ("trees/table.py", "def f():\n    from evorules.items import bits\n"),
        ("evorules/items/bits.py", "from experiments import study\n"),
    ],
)
def test_import_against_the_direction_is_found(checkout, path, text):
    [fault] = direction_faults(checkout(path, text))
    assert fault.startswith(f"{path}:{text.count(chr(10))} imports e")


@pytest.mark.parametrize(
    ("path", "text", "fault"),
    [
        ("evorules/items/bits.py", "import evorules.mining\n", "evorules.mining"),
        ("evorules/items/bits.py", "from evorules import mining\n", "evorules.mining"),
        ("evorules/items/bits.py", "from ..mining import apriori\n", "evorules.mining"),
        ("evorules/items/__init__.py", "from ..mining import apriori\n", "evorules.mining"),
        ("evorules/items/bits.py", "def f():\n    from evorules.cli import main\n", "evorules.cli"),
        (
            "evorules/items/bits.py",
            "import importlib\nimportlib.import_module('evorules.cli')\n",
            "evorules.cli",
        ),
        ("evorules/covering/cn2.py", "from evorules.associative import cba\n", "evorules.associative"),
        ("evorules/mining/fp.py", "from evorules import FPGrowth\n", "evorules"),
        ("evorules/mining/fp.py", "from evorules.nowhere import x\n", "evorules.nowhere"),
        ("evorules/learners.py", "from evorules.mining import fp\n", "evorules.mining"),
    ],
)
def test_import_against_the_order_is_found(checkout, path, text, fault):
    found = order_faults(checkout(path, text))
    assert found == [f"{path}:{text.count(chr(10))} imports {fault}"]


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("evorules/mining/fp.py", "from evorules.items import bits\nimport trees.table\n"),
        ("evorules/mining/fp.py", "from evorules.mining import bitset\nfrom . import other\n"),
        ("evorules/mining/fp.py", "from evorules.learners import LEARNERS\n"),
        ("evorules/mining/fp.py", "from evorules import __version__\n"),
        ("evorules/__init__.py", "from evorules.cli import main\n"),
        ("evorules/learners.py", "def f():\n    from evorules.cli import main\n"),
        (
            "evorules/learners.py",
            "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from evorules.cli import main\n",
        ),
    ],
)
def test_import_along_the_order_is_no_fault(checkout, path, text):
    assert order_faults(checkout(path, text)) == []


@pytest.mark.parametrize(
    ("path", "text", "fault"),
    [
        ("trees/table.py", "import numba\n", "numba, which only kernels may"),
        (
            "trees/table.py",
            "def f():\n    from trees.jit import kernel\n",
            "trees.jit, which only kernels may",
        ),
        ("trees/table.py", "from trees import _kernels_scan\n", "trees._kernels_scan outside a function"),
        ("trees/table.py", "from trees._kernels_scan import f\n", "trees._kernels_scan outside a function"),
        (
            "evorules/items/bits.py",
            "class A:\n    import trees._kernels_scan\n",
            "trees._kernels_scan outside",
        ),
    ],
)
def test_import_that_loads_the_compiler_is_found(checkout, path, text, fault):
    [found] = compiler_faults(checkout(path, text))
    assert found.startswith(f"{path}:{text.count(chr(10))} imports {fault}")


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("trees/_kernels_grow.py", "from trees.jit import kernel\nfrom trees import _kernels_scan\n"),
        ("trees/table.py", "def f():\n    from trees._kernels_scan import g\n"),
    ],
)
def test_import_of_kernels_on_use_is_no_fault(checkout, path, text):
    assert compiler_faults(checkout(path, text)) == []
