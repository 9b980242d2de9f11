"""Build the kernel of made-up games against the kernels of this tree, once for each state."""

from __future__ import annotations

import hashlib
import importlib.util
import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path
from types import ModuleType

from kernel_tables import write_tables

import ocgdedup

_SOURCE = Path(__file__).with_name("collection.pyx")
_KERNELS = Path(__file__).resolve().parents[2] / "kernels"
_PACKAGE = Path(ocgdedup.__file__).parent
_SETUP = """
from glob import glob
from Cython.Build import cythonize
from setuptools import Extension, setup
folders = [*sorted(glob("kernels/*/")), "tables"]
directives = {"language_level": 3, "wraparound": False, "boundscheck": False, "cdivision": True}
kernel = Extension(
    "collection", ["collection.pyx"], include_dirs=folders, extra_compile_args=["-O3"]
)
setup(
    name="collection", py_modules=[], script_args=["-q", "build_ext", "--inplace"],
    ext_modules=cythonize(
        [kernel], include_path=folders, compiler_directives=directives, quiet=True
    ),
)
"""


class BuildError(Exception):
    """The kernel cannot be built here; the text says why."""


def load_kernel() -> ModuleType:
    """Return the module; raise BuildError without kernels/, Cython or a C compiler."""
    if not _KERNELS.is_dir():
        raise BuildError(f"{_KERNELS}: does not exist; run this from a source tree of ocgdedup")
    suffix = sysconfig.get_config_var("EXT_SUFFIX")
    target = _cache_folder() / f"collection-{_state()}{suffix}"
    if not target.exists():
        _build(target)
    spec = importlib.util.spec_from_file_location("collection", target)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _state() -> str:
    digest = hashlib.sha256(_SETUP.encode())
    with tempfile.TemporaryDirectory() as name:
        tables = Path(name)
        write_tables(tables, _PACKAGE, _KERNELS)
        sources = [
            *sorted(path for kind in ("pxd", "h") for path in _KERNELS.glob(f"*/*.{kind}")),
            *sorted(tables.iterdir()),
        ]
        for path in (_SOURCE, *sources):
            digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def _cache_folder() -> Path:
    base = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    folder = base / "ocgdedup"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def _build(target: Path) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        shutil.copy(_SOURCE, folder)
        (folder / "kernels").symlink_to(_KERNELS)
        write_tables(folder / "tables", _PACKAGE, _KERNELS)
        (folder / "setup.py").write_text(_SETUP)
        done = subprocess.run(
            [sys.executable, "setup.py"], cwd=folder, capture_output=True, text=True
        )
        built = list(folder.glob("collection.*.so"))
        if done.returncode or not built:
            raise BuildError(
                "the kernel cannot be built; it needs Cython, setuptools and a C compiler:\n"
                + (done.stdout + done.stderr)[-2000:]
            )
        partial = target.with_name(f"{target.name}.{os.getpid()}")
        shutil.copy(built[0], partial)
        partial.replace(target)
