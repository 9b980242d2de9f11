"""Each module of the package can be imported first, alone: there are no cycles."""

from __future__ import annotations

import pkgutil
import subprocess
import sys

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
