"""Work in forked processes: a crash or a hang ends the child and is reported as a failure."""

from __future__ import annotations

import json
import os
import re
import select
import signal
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from fuzzlib.model import Failure


class Child(NamedTuple):
    """A forked process, what it reports, and its standard error."""

    pid: int
    reports: int
    errors: Path


def start_child(work: Callable[[Callable[[object], None]], None], errors: Path) -> Child:
    """Run `work(report)` in a fork; what it reports can be read as lines of JSON."""
    read_end, write_end = os.pipe()
    pid = os.fork()
    if pid:
        os.close(write_end)
        return Child(pid, read_end, errors)
    os.close(read_end)
    os.dup2(os.open(errors, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), 2)
    status = 3
    try:
        work(lambda value: write_all(write_end, json.dumps(value).encode() + b"\n"))
        status = 0
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(status)


def write_all(file: int, text: bytes) -> None:
    while text:
        text = text[os.write(file, text) :]


def follow_child(child: Child, hang_s: float) -> Iterator[Any]:
    """Yield what the child reports, and a Failure last if it hung or crashed."""
    rest = b""
    hung = False
    while not hung:
        ready, _, _ = select.select([child.reports], [], [], hang_s)
        part = os.read(child.reports, 65536) if ready else b""
        hung = not ready
        if not part:
            break
        *lines, rest = (rest + part).split(b"\n")
        yield from map(json.loads, lines)
    os.close(child.reports)
    if hung:
        os.kill(child.pid, signal.SIGKILL)
    status = os.waitpid(child.pid, 0)[1]
    if hung:
        yield Failure("hang", f"no answer for {hang_s:.0f} s")
    elif status:
        yield crash_failure(status, child.errors.read_text(errors="replace"))


def crash_failure(status: int, errors: str) -> Failure:
    """Name a crash after the sanitizer's summary, else after the signal."""
    result = re.search(r"runtime error: .*|SUMMARY: .*|Fatal .*", errors)
    title = result.group() if result else f"status {os.waitstatus_to_exitcode(status)}"
    return Failure("crash: " + re.sub(r"0x[0-9a-f]+|\d{4,}", "N", title), errors[:6000])
