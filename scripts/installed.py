"""Imported first by scripts that need the program: a line in place of a traceback if it is missing.

A source tree has neither the kernels, which are compiled, nor the packages that tests need.
"""

import subprocess
import sys
from pathlib import Path
from types import TracebackType

# The program is another one then, or none is run.
_NO_PROGRAM = ("--program", "--ocgdedup", "-h", "--help")


def _explain(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    """Say what is not installed and end with status 2; print any other error as Python does."""
    if not isinstance(error, ImportError):
        sys.__excepthook__(kind, error, trace)
        return
    script, root = Path(sys.argv[0]), Path(__file__).resolve().parents[1]
    print(
        f"{script.stem}: {error.name or error}: is not installed or not built for this Python; "
        f"run: {sys.executable} -m pip install -e '{root}[test]'",
        file=sys.stderr,
    )
    sys.exit(2)


def _require_program() -> None:
    """Raise ImportError unless a process of this Python finds the program, with its kernels."""
    code = "from ocgdedup import schema; from ocgdedup._kernels import chess"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=False)
    if done.returncode:
        raise ImportError(name="ocgdedup")


sys.excepthook = _explain
if not any(word.startswith(_NO_PROGRAM) for word in sys.argv[1:]):
    _require_program()
