"""The kernels and how Cython and the C compiler build them; all metadata is in pyproject.toml.

Manuals and completions are made from the parser by scripts/doclib/installed_files.py.

OCGDEDUP_DEBUG_KERNELS=1  checks the bounds of every buffer access.
OCGDEDUP_SANITIZE=address builds for the address and undefined-behaviour sanitizers.
"""

import os
import sys
from pathlib import Path

from Cython.Build import cythonize
from setuptools import Extension, setup

# A build has neither folder on its path.
sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parent / "scripts")]
from doclib.installed_files import write_installed_files  # noqa: E402
from kernel_constants import write_constants  # noqa: E402
from kernel_name_words import write_name_words  # noqa: E402

ROOMS = sorted(str(folder) for folder in Path("kernels").iterdir() if folder.is_dir())
KERNELS = sorted(Path("kernels").glob("*/*.pyx"))

# Processors that this process may use: so many kernels are built at a time.
JOBS = len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count() or 1

DEBUG = os.environ.get("OCGDEDUP_DEBUG_KERNELS", "0") not in ("", "0")
SANITIZE = os.environ.get("OCGDEDUP_SANITIZE", "")

if SANITIZE not in ("", "address"):
    raise SystemExit(f"OCGDEDUP_SANITIZE={SANITIZE!r} is not known; the only value is 'address'")

if SANITIZE:
    link_args = ["-fsanitize=address,undefined"]
    compile_args = [*link_args, "-fno-omit-frame-pointer", "-g", "-O1"]
else:
    link_args = []
    # Without debugging symbols, which Python's own flags ask for: a sixth of the size.
    compile_args = ["/O2"] if sys.platform == "win32" else ["-O3", "-g0"]

shared_sources = [
    str(path)
    for folder in (*ROOMS, "ocgdedup/_kernels")
    for pattern in ("*.pxd", "*.h")
    for path in Path(folder).glob(pattern)
]

# Of the search for duplicates; find_duplicates exports them.
constants = Path("build/kernel-constants/kernel_constants.pxd")
write_constants(
    constants, [*Path("kernels/search").glob("*.pxd"), Path("kernels/names/player_name.pxd")]
)

# Of names, which Python has too.
write_name_words(constants.with_name("name_table.h"), Path("ocgdedup/matching/names/name_words.py"))

extensions = cythonize(
    [
        Extension(
            f"ocgdedup._kernels.{source.stem}",
            [str(source)],
            include_dirs=[*ROOMS, str(constants.parent)],
            depends=sorted(shared_sources),
            extra_compile_args=compile_args,
            extra_link_args=link_args,
        )
        for source in KERNELS
    ],
    include_path=[*ROOMS, ".", str(constants.parent)],
    nthreads=JOBS if sys.platform == "linux" else 0,  # processes, which other systems do not fork
    # Cython compares times of files, not directives: one folder of C files for each set of them.
    build_dir="build/cython-debug" if DEBUG else "build/cython",
    compiler_directives={
        "language_level": 3,
        "boundscheck": DEBUG,
        "wraparound": False,
        "initializedcheck": False,
        "cdivision": True,
    },
)

# The largest first, so that no processor waits long for the last one.
extensions.sort(key=lambda extension: -Path(extension.sources[0]).stat().st_size)

# Compile always: setuptools does not see that flags changed and would keep the old kernels.
setup(
    ext_modules=extensions,
    data_files=write_installed_files(Path("build/share")),
    options={"build_ext": {"force": True, "parallel": JOBS}},
)
