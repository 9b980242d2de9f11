"""The kernels and how Cython and the C compiler build them; all metadata is in pyproject.toml.

Each kernels/NAME.pyx is one extension module, ocgdedup._kernels.NAME. Manuals and completions are
made from the parser by scripts/doclib/installed_files.py.

OCGDEDUP_DEV_BUILD=1      builds in seconds: the C compiler does not optimise.
OCGDEDUP_DEBUG_KERNELS=1  checks the bounds of every buffer access.
OCGDEDUP_SANITIZE=address builds for the address and undefined-behaviour sanitizers.
"""

import os
import sys
from pathlib import Path
from zlib import crc32

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext
from setuptools.modified import newer_group

# isort: split
# Of setuptools, since Python has it no longer.
from distutils.command.install_data import install_data

# A build has neither folder on its path.
sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parent / "scripts")]

FOLDERS = sorted(str(folder) for folder in Path("kernels").iterdir() if folder.is_dir())

# The largest first, so that no processor waits long for the last one. Cython writes the last one:
# the code of memory views, which each of the others would have too.
KERNELS = ["search", "chess", "names", "go", "_cyutility"]

# Processors that this process may use: so many kernels are built at a time.
JOBS = len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count() or 1

DEV = os.environ.get("OCGDEDUP_DEV_BUILD", "0") not in ("", "0")
DEBUG = os.environ.get("OCGDEDUP_DEBUG_KERNELS", "0") not in ("", "0")
SANITIZE = os.environ.get("OCGDEDUP_SANITIZE", "")

if SANITIZE not in ("", "address"):
    raise SystemExit(f"OCGDEDUP_SANITIZE={SANITIZE!r} is not known; the only value is 'address'")

# What was built with other flags is not up to date: each set of flags has its own folder.
CFLAGS = os.environ.get("CFLAGS", "")
MODES = ["dev"] * DEV + ["debug"] * DEBUG + [SANITIZE] * bool(SANITIZE)
MODES += [f"{crc32(CFLAGS.encode()):08x}"] * bool(CFLAGS)
BUILD = Path("build", "-".join(["kernels", *MODES]))

if SANITIZE:
    LINK_FLAGS = ["-fsanitize=address,undefined"]
    FLAGS = [*LINK_FLAGS, "-fno-omit-frame-pointer", "-g", "-O1"]
else:
    LINK_FLAGS = []
    # Without debugging symbols, which Python's own flags ask for: a sixth of the size.
    FLAGS = (
        ["/Od" if DEV else "/O2"] if sys.platform == "win32" else ["-O0" if DEV else "-O3", "-g0"]
    )


class BuildKernels(build_ext):
    """Translates the kernels to C, with the tables that are made from other sources."""

    def build_extensions(self) -> None:
        from Cython.Build import cythonize
        from Cython.Compiler import Options
        from kernel_tables import write_tables

        write_tables(BUILD / "tables")
        print("translating the kernels to C", flush=True)
        Options.emit_code_comments = False  # a third of the work, for comments that nobody reads
        translated = cythonize(
            self.extensions,
            include_path=[*FOLDERS, str(BUILD / "tables")],
            # Processes, which other systems do not fork.
            nthreads=JOBS if sys.platform == "linux" else 0,
            build_dir=str(BUILD / "c"),
            shared_utility_qualified_name="ocgdedup._kernels._cyutility",
            compiler_directives={
                "language_level": 3,
                "boundscheck": DEBUG,
                "wraparound": False,
                "initializedcheck": False,
                "cdivision": True,
            },
        )
        sources = {extension.name: extension.sources for extension in translated}
        for extension in self.extensions:
            extension.sources = sources[extension.name]
        super().build_extensions()

    def build_extension(self, ext: Extension) -> None:
        if newer_group([*ext.sources, *ext.depends], self.get_ext_fullpath(ext.name), "newer"):
            number = KERNELS.index(ext.name.rpartition(".")[2]) + 1
            sys.stdout.write(f"compiling {ext.name} ({number} of {len(KERNELS)})\n")
            sys.stdout.flush()
        super().build_extension(ext)

    def copy_extensions_to_source(self) -> None:
        self.force = True  # also over newer ones, which have other flags
        super().copy_extensions_to_source()


class InstallManuals(install_data):
    """Makes the manuals and completions that it installs."""

    def run(self) -> None:
        from doclib.installed_files import write_installed_files

        self.data_files = write_installed_files(Path("build/share"))
        super().run()


setup(
    cmdclass={"build_ext": BuildKernels, "install_data": InstallManuals},
    ext_modules=[
        Extension(
            f"ocgdedup._kernels.{name}",
            [f"kernels/{name}.{'c' if name == '_cyutility' else 'pyx'}"],
            include_dirs=[*FOLDERS, str(BUILD / "tables")],
            depends=[
                *sorted(str(path) for path in Path("kernels").glob("*/*.h")),
                *(str(BUILD / f"tables/{name}_table.h") for name in ("name", "zobrist", "md5")),
            ],
            extra_compile_args=FLAGS,
            extra_link_args=LINK_FLAGS,
        )
        for name in KERNELS
    ],
    data_files=[("share", [])],  # of InstallManuals
    options={"build": {"build_base": str(BUILD)}, "build_ext": {"parallel": JOBS}},
)
