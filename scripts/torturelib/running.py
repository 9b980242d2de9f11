"""Start the program as a user does, and judge how it ended."""

from __future__ import annotations

import contextlib
import os
import re
import resource
import signal
import subprocess
import threading
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from torturelib.model import Case, Outcome

# Far beyond what any case needs: a hang ends by its CPU time, so a busy machine does not matter.
CPU_LIMIT_S = 120
DONE, REJECTED, FAILED, BUG = 0, 1, 2, 70

Words = str | bytes | os.PathLike[str]


def run(
    case: Case,
    *arguments: Words,
    folder: Path | None = None,
    stdin: bytes | int | None = None,
    stdout: int = subprocess.PIPE,
    stderr: int = subprocess.PIPE,
    environment: Mapping[str, str] | None = None,
    cpu_limit_s: int = CPU_LIMIT_S,
    prepare: Callable[[], None] | None = None,
) -> Outcome:
    """Run one command to its end; prepare is called in the new process."""
    process = start(
        case,
        *arguments,
        folder=folder,
        stdin=stdin if isinstance(stdin, int) else subprocess.PIPE,
        stdout=stdout,
        stderr=stderr,
        environment=environment,
        cpu_limit_s=cpu_limit_s,
        prepare=prepare,
    )
    return finish(process, arguments, stdin=stdin if isinstance(stdin, bytes) else b"")


def start(
    case: Case,
    *arguments: Words,
    folder: Path | None = None,
    stdin: int = subprocess.DEVNULL,
    stdout: int = subprocess.PIPE,
    stderr: int = subprocess.PIPE,
    environment: Mapping[str, str] | None = None,
    cpu_limit_s: int = CPU_LIMIT_S,
    prepare: Callable[[], None] | None = None,
) -> subprocess.Popen[bytes]:
    """Start one command in a process group of its own."""

    def in_child() -> None:
        resource.setrlimit(resource.RLIMIT_CPU, (cpu_limit_s, cpu_limit_s + 5))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, signal.SIG_DFL)  # a background job ignores SIGINT
        if prepare is not None:
            prepare()

    return subprocess.Popen(
        [*case.program, *arguments],
        cwd=folder or case.folder,
        stdin=stdin,
        stdout=stdout,
        stderr=stderr,
        env=clean_environment() | dict(environment or {}),
        start_new_session=True,
        preexec_fn=in_child,
    )


def finish(
    process: subprocess.Popen[bytes], arguments: Sequence[Words], stdin: bytes = b""
) -> Outcome:
    """Wait for a command and return how it ended.

    The CPU time is that of the process with all its children.
    """
    texts: list[bytes] = [b"", b""]

    def read(number: int, stream: object) -> None:
        texts[number] = stream.read()  # type: ignore[attr-defined]

    readers = [
        threading.Thread(target=read, args=(number, stream))
        for number, stream in enumerate((process.stdout, process.stderr))
        if stream is not None
    ]
    for reader in readers:
        reader.start()
    if process.stdin is not None:
        write_all(process, stdin)
    _, wait_status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(wait_status)
    for reader in readers:
        reader.join()
    for stream in (process.stdout, process.stderr):
        if stream is not None:
            stream.close()
    out, err = (text.decode("utf-8", "backslashreplace") for text in texts)
    words = tuple(os.fsencode(word).decode("utf-8", "backslashreplace") for word in arguments)
    return Outcome(words, process.returncode, out, err, usage.ru_utime + usage.ru_stime)


def write_all(process: subprocess.Popen[bytes], text: bytes) -> None:
    assert process.stdin is not None
    with contextlib.suppress(BrokenPipeError):  # the program need not read all of it
        process.stdin.write(text)
        process.stdin.close()


def clean_environment() -> dict[str, str]:
    """Return the environment without what could change where the program comes from."""
    dropped = ("PYTHONPATH", "PYTHONHOME", "LD_PRELOAD", "PYTHONSTARTUP")
    kept = {name: text for name, text in os.environ.items() if name not in dropped}
    return kept | {"PYTHONNOUSERSITE": "1", "NO_COLOR": "1", "COLUMNS": "80"}


def kill_group(process: subprocess.Popen[bytes]) -> None:
    """Kill a started command with all its children, as a lost power supply would."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)


def crash(outcome: Outcome) -> str | None:
    """Return what is wrong with how a command ended, whatever it was asked to do."""
    what = None
    if outcome.status in (-signal.SIGXCPU, -signal.SIGKILL):
        what = f"stuck: was ended after {outcome.cpu_s:.0f} s of CPU time"
    elif outcome.status < 0:
        what = f"ended by {signal_name(-outcome.status)}"
    elif "Traceback (most recent call last)" in outcome.err + outcome.out:
        what = f"traceback: {exception_line(outcome.err + outcome.out)}"
    elif outcome.status == BUG:
        what = f"exit status 70: {last_line(outcome.err)}"
    elif outcome.status not in (DONE, REJECTED, FAILED):
        what = f"exit status {outcome.status}: {last_line(outcome.err)}"
    return None if what is None else f"`{outcome.command()}`: {what}"


def refused(outcome: Outcome) -> str | None:
    """Return what is wrong if a command did not fail with one line and status 2."""
    problem = crash(outcome)
    if problem:
        return problem
    if outcome.status != FAILED:
        return f"`{outcome.command()}`: exit status {outcome.status}, not 2"
    errors = [line for line in outcome.err.splitlines() if "error:" in line]
    if len(errors) != 1:
        return f"`{outcome.command()}`: {len(errors)} lines of error, not 1: {outcome.err!r}"
    return None


def exception_line(text: str) -> str:
    """Return the last line that names an exception, else the last line."""
    named = re.findall(r"^(?:\w+\.)*\w*(?:Error|Exception|Interrupt)\b.*$", text, re.MULTILINE)
    return named[-1][:300] if named else last_line(text)


def last_line(text: str) -> str:
    lines = text.strip().splitlines()
    return lines[-1][:300] if lines else ""


def signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def one_line(text: str, width: int = 400) -> str:
    """Return text as one line that any terminal can show."""
    shown = re.sub(r"\s+", " ", text).strip()
    return "".join(sign if sign.isprintable() else repr(sign)[1:-1] for sign in shown)[:width]
