"""Run the program in a fork of this process: ten times as many short commands as by new processes.

Only the package that is installed here can be run so; another program is started as usual.
"""

from __future__ import annotations

import os
import resource
import signal
import sys
import traceback
from functools import cache
from pathlib import Path

from torturelib.model import Case, Outcome
from torturelib.running import run

CPU_LIMIT_S = 30
CLOCK_LIMIT_S = 600
MEMORY_BYTES = 4 << 30


def run_forked(case: Case, *arguments: str) -> Outcome:
    """Run one command to its end; it may use bounded time and memory."""
    if case.program[0] != sys.executable:
        return run(case, *arguments, cpu_limit_s=CPU_LIMIT_S, prepare=_limit)
    _import_commands()
    out, err = case.folder.parent / "stdout", case.folder.parent / "stderr"
    sys.stdout.flush()
    sys.stderr.flush()
    pid = os.fork()
    if not pid:
        _run_in_child(arguments, case.folder, out, err)
    _, wait_status, usage = os.wait4(pid, 0)
    return Outcome(
        arguments,
        os.waitstatus_to_exitcode(wait_status),
        out.read_text(errors="backslashreplace"),
        err.read_text(errors="backslashreplace"),
        usage.ru_utime + usage.ru_stime,
    )


@cache
def _import_commands() -> None:
    """Import once what each command would import, so that a fork has it."""
    import apsw  # noqa: F401

    import ocgdedup.cli.main
    import ocgdedup.commands.check
    import ocgdedup.commands.create
    import ocgdedup.commands.dedup
    import ocgdedup.commands.export
    import ocgdedup.commands.players
    import ocgdedup.commands.run  # noqa: F401


def _limit() -> None:
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_LIMIT_S, CPU_LIMIT_S + 5))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    signal.alarm(CLOCK_LIMIT_S)


def _run_in_child(arguments: tuple[str, ...], folder: Path, out: Path, err: Path) -> None:
    """Run a command as `python -m ocgdedup` does, and end this process."""
    status = 1
    try:
        os.chdir(folder)
        for number, path in ((1, out), (2, err)):
            os.dup2(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), number)
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        # Whoever runs the campaign may have put something else in their place.
        sys.stdout, sys.stderr = (os.fdopen(number, "w", closefd=False) for number in (1, 2))
        _limit()
        status = _exit_status(arguments)
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)


def _exit_status(arguments: tuple[str, ...]) -> int:
    from ocgdedup.cli.main import run as run_command

    try:
        return run_command(arguments)
    except SystemExit as ended:
        return ended.code if isinstance(ended.code, int) else 1
