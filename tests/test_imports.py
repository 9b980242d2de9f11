"""No module imports itself through others, and an import inside a function saves time."""

from __future__ import annotations

import ast
import pkgutil
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from functools import cache
from graphlib import CycleError, TopologicalSorter
from importlib.util import find_spec
from pathlib import Path

import pytest

import ocgdedup

# All in one process, since a start of Python costs more than the import: the package's modules
# are forgotten before each import, but not the kernels, which can be loaded only once.
PROGRAM = """
import importlib, sys, traceback
failed = False
for name in sys.argv[1:]:
    for loaded in [n for n in sys.modules if n.split(".")[0] == "ocgdedup"]:
        if not loaded.startswith("ocgdedup._kernels."):
            del sys.modules[loaded]
    try:
        importlib.import_module(name)
    except BaseException:
        failed = True
        print(name)
        traceback.print_exc(file=sys.stdout)
sys.exit(failed)
"""


def module_names() -> list[str]:
    result = pkgutil.walk_packages(ocgdedup.__path__, "ocgdedup.")
    return ["ocgdedup", *(module.name for module in result)]


def test_there_are_modules() -> None:
    assert {"ocgdedup.cli.main", "ocgdedup._kernels.chess"} <= set(module_names())
    assert len(module_names()) > 30


@pytest.mark.slow
def test_each_module_imports_alone() -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, *module_names()], capture_output=True, text=True
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


Import = ast.Import | ast.ImportFrom
# What an import inside a function saves: its CPU time once the module around it is loaded.
REASON = re.compile(r"#.*(\d ms|Windows only)")
KERNELS = Path(__file__).parents[1] / "kernels"
CIMPORT = re.compile(
    r'^ *(?:include "(?:\w+/)*([\w.]+)"|(?:from|cimport) (\w+)(?: cimport |$))', re.M
)


def sources() -> dict[str, Path]:
    """Return the file of each module of the package that is written in Python."""
    root = Path(str(ocgdedup.__file__)).parent
    names = {path: path.relative_to(root.parent).with_suffix("") for path in root.rglob("*.py")}
    return {".".join(name.parts).removesuffix(".__init__"): path for path, name in names.items()}


@cache
def is_module(name: str) -> bool:
    package = name.rpartition(".")[0]
    is_package = (
        package.split(".")[0] == "ocgdedup" and find_spec(package).submodule_search_locations
    )
    return bool(is_package) and find_spec(name) is not None


def imported(node: ast.AST) -> Iterator[str]:
    """Yield the modules that a statement imports."""
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
    elif isinstance(node, ast.ImportFrom):
        assert node.module is not None, "a relative import"
        for alias in node.names:
            submodule = f"{node.module}.{alias.name}"
            yield submodule if is_module(submodule) else node.module


def circle(graph: Mapping[str, set[str]]) -> list[str]:
    """Return the names along a circle of a graph, none if there is no circle."""
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


def test_no_circle_of_imports() -> None:
    """Imports inside functions and for type checkers count as well."""
    graph = {
        name: {to for node in ast.walk(ast.parse(path.read_text("utf-8"))) for to in imported(node)}
        for name, path in sources().items()
    }
    assert {"ocgdedup.errors", "ocgdedup.store.connection"} <= graph["ocgdedup.store.database"]
    assert circle(graph) == []
    assert circle({**graph, "ocgdedup.errors": {"ocgdedup.store.database"}})


@pytest.mark.skipif(not KERNELS.is_dir(), reason="no source tree")
def test_no_circle_of_kernel_files() -> None:
    graph = {}
    for path in KERNELS.rglob("*.p[yx]*"):
        found = CIMPORT.findall(path.read_text("utf-8"))
        graph[path.name] = {included or f"{name}.pxd" for included, name in found}
    assert "game_batch.pxi" in graph["search.pyx"]
    assert "position.pxd" in graph["san_read.pxd"]
    assert circle(graph) == []


def inner_imports(path: Path) -> Iterator[tuple[Import, list[str]]]:
    """Yield the imports inside functions with their lines."""
    text = path.read_text("utf-8")
    for function in ast.walk(ast.parse(text)):
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
            for node in ast.walk(function):
                if isinstance(node, Import):
                    yield node, text.splitlines()[node.lineno - 1 : node.end_lineno]


def test_imports_inside_functions_save_time() -> None:
    without_reason = [
        f"{path}:{node.lineno}: {lines[0].strip()}"
        for path in sources().values()
        for node, lines in inner_imports(path)
        if not any(map(REASON.search, lines))
    ]
    assert without_reason == []
