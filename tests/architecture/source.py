"""What the architecture tests read from source files, without importing them."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

PACKAGES = ("experiments", "evorules", "trees")


@dataclass(frozen=True)
class Import:
    """One imported module.

    `place` is "module" for what runs when the importing module is imported, "function" for what runs later,
    "typing" for what only type checkers see.
    """

    module: str
    line: int
    place: Literal["module", "function", "typing"]


@dataclass(frozen=True)
class Source:
    """A module of the checkout in `root`."""

    root: Path
    path: Path

    @property
    def name(self) -> str:
        """Dotted name."""
        parts = self.path.relative_to(self.root).with_suffix("").parts
        return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)

    @property
    def is_kernel(self) -> bool:
        return self.path.stem.startswith("_kernels")

    def at(self, line: int) -> str:
        return f"{self.path.relative_to(self.root).as_posix()}:{line}"

    def tree(self) -> ast.Module:
        return ast.parse(self.path.read_text("utf-8"), str(self.path))

    def imports(self) -> list[Import]:
        """All imports, those inside functions and `import_module` of a literal name included."""
        return list(self._walk(self.tree(), "module"))

    def _walk(self, node: ast.AST, place: Literal["module", "function", "typing"]) -> Iterator[Import]:
        for child in ast.iter_child_nodes(node):
            inner = place
            if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) and place == "module":
                inner = "function"
            elif isinstance(child, ast.If) and "TYPE_CHECKING" in ast.unparse(child.test):
                inner = "typing"
            for module in self._modules(child):
                yield Import(module, child.lineno, place)
            yield from self._walk(child, inner)

    def _modules(self, node: ast.AST) -> list[str]:
        if isinstance(node, ast.Import):
            return [alias.name for alias in node.names]
        if isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                package = self.name.split(".")
                above = node.level - (self.path.stem == "__init__")
                package = package[: len(package) - above]
                base = ".".join([*package, *base.split(".")] if base else package)
            return [f"{base}.{a.name}" if self._is_module(f"{base}.{a.name}") else base for a in node.names]
        if isinstance(node, ast.Call) and ast.unparse(node.func).endswith("import_module") and node.args:
            argument = node.args[0]
            if isinstance(argument, ast.Constant) and isinstance(argument.value, str):
                return [argument.value]
        return []

    def _is_module(self, name: str) -> bool:
        place = self.root.joinpath(*name.split("."))
        return place.is_dir() or place.with_suffix(".py").is_file()


def sources(root: Path, *folders: str) -> list[Source]:
    """Return the modules below some folders of a checkout, in alphabetical order."""
    paths = (path for folder in folders for path in (root / folder).rglob("*.py"))
    return [Source(root, path) for path in sorted(paths)]
