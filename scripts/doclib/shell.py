"""A shell in which commands of documents and examples run: a folder, and this very package."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import ocgdedup

LIMIT_S = 300


class Done(NamedTuple):
    """How a command ended and what it printed, both streams in one."""

    status: int
    lines: list[str]


class Shell:
    """Runs commands in `folder`; its sub-folder `.bin`, first on PATH, is made here."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        programs = folder / ".bin"
        programs.mkdir(parents=True)
        _write_program(programs / "ocgdedup", "ocgdedup")
        if shutil.which("sqlite3") is None:
            _write_program(programs / "sqlite3", "apsw")  # its shell takes the same commands
        self.environment = {
            "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}",
            "HOME": str(folder),
            "XDG_STATE_HOME": f"{folder}.state",  # files there are of no interest to users
            "LANG": "C.UTF-8",
            "COLUMNS": "80",
            # The package that is imported here, not another one that is installed.
            "PYTHONPATH": str(Path(ocgdedup.__file__).parents[1]),
            "PYTHONUNBUFFERED": "1",  # both streams in the order in which a user sees them
        }

    def run(self, command: str) -> Done:
        """Run a line of shell; raise subprocess.TimeoutExpired if it does not end."""
        done = subprocess.run(
            ["bash", "-c", command],
            cwd=self.folder,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=LIMIT_S,
        )
        return Done(done.returncode, done.stdout.decode(errors="replace").splitlines())


def _write_program(path: Path, module: str) -> None:
    path.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m {module} "$@"\n', encoding="utf-8")
    path.chmod(0o755)
