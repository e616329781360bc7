"""The order of the packages, in one list, and the import rules that follow from it."""

from pathlib import Path

from architecture.source import PACKAGES, Import, Source, sources

ORDER = (
    ("items",),
    ("rules",),
    ("mining",),
    ("associative", "covering", "evolution"),
    ("hybrids",),
    ("evaluation",),
    ("datasets", "export", "plots"),
    ("report",),
    ("cli",),
)
"""Packages of `evorules`: each imports only those of earlier lines (and itself, and `trees`)."""

LEVEL = {package: level for level, line in enumerate(ORDER) for package in line}


def direction_faults(root: Path) -> list[str]:
    """Imports against the direction experiments -> evorules -> trees."""
    faults = []
    for source in sources(root, *PACKAGES):
        level = PACKAGES.index(source.name.split(".")[0])
        for found in source.imports():
            top = found.module.split(".")[0]
            if top in PACKAGES and PACKAGES.index(top) < level:
                faults.append(f"{source.at(found.line)} imports {found.module}")
    return faults


def order_faults(root: Path) -> list[str]:
    """Imports inside `evorules` against `ORDER`.

    Modules directly in `evorules` stand outside the order, each in one of two ways:

    - ``evorules/__init__.py`` is the front door for users: it imports what it offers from any package, and
      nothing of ours imports it, but for the version.
    - The others (the registry of learners, progress) serve every package: all may import them, and they
      import a package only inside a function, when something is asked of them, or for type checkers.
    """
    faults = []
    for source in sources(root, "evorules"):
        for found in source.imports():
            if found.module.split(".")[0] == "evorules" and not _is_allowed(source, found):
                faults.append(f"{source.at(found.line)} imports {found.module}")
    return faults


def _is_allowed(source: Source, found: Import) -> bool:
    own, other = source.name.split(".")[1:], found.module.split(".")[1:]
    if not own:
        return True
    if not other:
        return _takes_version_only(source, found.line)
    if other[0] not in LEVEL:
        return (source.root / "evorules" / f"{other[0]}.py").is_file()
    if own[0] not in LEVEL:
        return found.place != "module"
    return own[0] == other[0] or LEVEL[other[0]] < LEVEL[own[0]]


def _takes_version_only(source: Source, line: int) -> bool:
    return "from evorules import __version__" in source.path.read_text("utf-8").splitlines()[line - 1]


def compiler_faults(root: Path) -> list[str]:
    """Imports by which importing the packages would load the compiler."""
    faults = []
    for source in sources(root, *PACKAGES):
        for found in source.imports():
            parts = found.module.split(".")
            loads_compiler = parts[0] in ("numba", "llvmlite") or found.module == "trees.jit"
            if loads_compiler and not source.is_kernel and source.name != "trees.jit":
                faults.append(f"{source.at(found.line)} imports {found.module}, which only kernels may")
            is_kernel = any(part.startswith("_kernels") for part in parts)
            if is_kernel and found.place == "module" and not source.is_kernel:
                faults.append(f"{source.at(found.line)} imports {found.module} outside a function")
    return faults
